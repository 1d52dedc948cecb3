// SPDX-License-Identifier: Apache-2.0
#include "protobuf.hpp"

#include <array>

#include "message_layout.hpp"

namespace pintle::apiserver {
namespace openapi {
namespace {

const Layout& schema() {
  static constexpr std::array members =
      joined(std::array{Member{1, "$ref"}, Member{2, "format"}, Member{3, "title"}, Member{4, "description"},
                        Member{5, "default", Encoding::any}},
             rules_from(6),
             std::array{Member{21, "additionalProperties", Encoding::open, schema}, Member{22, "type", Encoding::names},
                        Member{23, "items", Encoding::wrapped, schema}, Member{25, "properties", Encoding::map, schema},
                        Member{30, "example", Encoding::any}});
  static constexpr Layout message{.members = members, .extensions = 31};
  return message;
}

const Layout& body_parameter() {
  static constexpr std::array members{Member{2, "name"}, Member{3, "in"}, Member{4, "required", Encoding::flag},
                                      Member{5, "schema", Encoding::message, schema}};
  static constexpr Layout message{.members = members};
  return message;
}

const Layout& query_parameter() {
  static constexpr std::array members{Member{1, "required", Encoding::flag}, Member{2, "in"}, Member{4, "name"},
                                      Member{6, "type"}};
  static constexpr Layout message{.members = members};
  return message;
}

const Layout& path_parameter() {
  static constexpr std::array members{Member{1, "required", Encoding::flag}, Member{2, "in"}, Member{4, "name"},
                                      Member{5, "type"}};
  static constexpr Layout message{.members = members};
  return message;
}

const Layout& response() {
  static constexpr std::array members{Member{1, "description"}, Member{2, "schema", Encoding::wrapped, schema}};
  static constexpr Layout message{.members = members};
  return message;
}

const Layout& operation() {
  static constexpr std::array members{Member{7, "consumes", Encoding::texts},
                                      Member{8, "parameters", Encoding::parameters},
                                      Member{9, "responses", Encoding::responses, response}};
  static constexpr Layout message{.members = members, .extensions = 13};
  return message;
}

const Layout& path() {
  static constexpr std::array members{
      Member{2, "get", Encoding::message, operation},   Member{3, "put", Encoding::message, operation},
      Member{4, "post", Encoding::message, operation},  Member{5, "delete", Encoding::message, operation},
      Member{8, "patch", Encoding::message, operation}, Member{9, "parameters", Encoding::parameters},
  };
  static constexpr Layout message{.members = members};
  return message;
}

const Layout& info() {
  static constexpr std::array members{Member{1, "title"}, Member{2, "version"}};
  static constexpr Layout message{.members = members};
  return message;
}

const Layout& document() {
  static constexpr std::array members{Member{1, "swagger"}, Member{2, "info", Encoding::message, info},
                                      Member{8, "paths", Encoding::paths, path},
                                      Member{9, "definitions", Encoding::map, schema}};
  static constexpr Layout message{.members = members};
  return message;
}

std::string in_field(std::uint32_t number, std::string_view bytes) {
  std::string out;
  put_chunk(out, number, bytes);
  return out;
}

}  // namespace

std::string encode_parameter(const json::Value& value) {
  const json::Value* in = value.is_object() ? value.get_object().if_contains("in") : nullptr;
  if (in != nullptr && *in == "body") return in_field(1, in_field(1, encode(value, body_parameter())));
  const bool in_path = in != nullptr && *in == "path";
  return in_field(
      1, in_field(2, in_field(in_path ? 4 : 3, encode(value, in_path ? path_parameter() : query_parameter()))));
}

}  // namespace openapi

std::string encode_openapi_v2(const json::object& value) { return openapi::encode(value, openapi::document()); }

}  // namespace pintle::apiserver
