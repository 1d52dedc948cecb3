// SPDX-License-Identifier: Apache-2.0
// The layouts of OpenAPI version 3.
#include <array>

#include "message_layout.hpp"
#include "protobuf.hpp"

namespace pintle::apiserver {
namespace openapi {
namespace {

const Layout& later_schema() {
  static constexpr std::array members =
      joined(std::array{Member{1, "nullable", Encoding::flag}, Member{7, "example", Encoding::any}, Member{9, "title"}},
             rules_from(10),
             std::array{Member{25, "type"}, Member{26, "allOf", Encoding::references, later_schema},
                        Member{27, "oneOf", Encoding::references, later_schema},
                        Member{28, "anyOf", Encoding::references, later_schema},
                        Member{29, "not", Encoding::message, later_schema},
                        Member{30, "items", Encoding::wrapped_reference, later_schema},
                        Member{31, "properties", Encoding::reference_map, later_schema},
                        Member{32, "additionalProperties", Encoding::open_reference, later_schema},
                        Member{33, "default", Encoding::scalar}, Member{34, "description"}, Member{35, "format"}});
  static constexpr Layout message{.members = members, .extensions = 36};
  return message;
}

const Layout& media_type() {
  static constexpr std::array members{Member{1, "schema", Encoding::reference, later_schema}};
  static constexpr Layout message{.members = members};
  return message;
}

const Layout& later_parameter() {
  static constexpr std::array members{Member{1, "name"}, Member{2, "in"}, Member{4, "required", Encoding::flag},
                                      Member{10, "schema", Encoding::reference, later_schema}};
  static constexpr Layout message{.members = members};
  return message;
}

const Layout& request_body() {
  static constexpr std::array members{Member{2, "content", Encoding::map, media_type}};
  static constexpr Layout message{.members = members};
  return message;
}

const Layout& later_response() {
  static constexpr std::array members{Member{1, "description"}, Member{3, "content", Encoding::map, media_type}};
  static constexpr Layout message{.members = members};
  return message;
}

const Layout& later_operation() {
  static constexpr std::array members{Member{6, "parameters", Encoding::references, later_parameter},
                                      Member{7, "requestBody", Encoding::reference, request_body},
                                      Member{8, "responses", Encoding::later_responses, later_response}};
  static constexpr Layout message{.members = members, .extensions = 13};
  return message;
}

const Layout& later_path() {
  static constexpr std::array members{
      Member{4, "get", Encoding::message, later_operation},
      Member{5, "put", Encoding::message, later_operation},
      Member{6, "post", Encoding::message, later_operation},
      Member{7, "delete", Encoding::message, later_operation},
      Member{10, "patch", Encoding::message, later_operation},
      Member{13, "parameters", Encoding::references, later_parameter},
  };
  static constexpr Layout message{.members = members};
  return message;
}

const Layout& later_info() {
  static constexpr std::array members{Member{1, "title"}, Member{6, "version"}};
  static constexpr Layout message{.members = members};
  return message;
}

const Layout& components() {
  static constexpr std::array members{Member{1, "schemas", Encoding::reference_map, later_schema}};
  static constexpr Layout message{.members = members};
  return message;
}

const Layout& later_document() {
  static constexpr std::array members{Member{1, "openapi"}, Member{2, "info", Encoding::message, later_info},
                                      Member{4, "paths", Encoding::map, later_path},
                                      Member{5, "components", Encoding::message, components}};
  static constexpr Layout message{.members = members};
  return message;
}

}  // namespace
}  // namespace openapi

std::string encode_openapi_v3(const json::object& value) { return openapi::encode(value, openapi::later_document()); }

}  // namespace pintle::apiserver
