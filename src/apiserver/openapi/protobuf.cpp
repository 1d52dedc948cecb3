// SPDX-License-Identifier: Apache-2.0
#include "protobuf.hpp"

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <string_view>

namespace pintle::apiserver {
namespace {

using json::object;
using json::Value;

// The encoding of a member.
enum class Encoding {
  text,
  flag,
  integer,
  real,
  texts,
  any,         // any value, as YAML
  anys,        // a list of any values
  message,     // an object
  wrapped,     // an object, in a message that contains only it
  names,       // one or more texts, in a message that contains only them
  map,         // objects by name
  paths,       // paths by name
  responses,   // responses by name, each in a message that is a response or a reference
  parameters,  // a list of objects, each in messages for the kind of parameter
  open,        // a schema or a boolean
};

struct Layout;

struct Member {
  std::uint32_t number;
  std::string_view name;
  Encoding encoding = Encoding::text;
  const Layout& (*of)() = nullptr;
};

struct Layout {
  std::span<const Member> members;
  std::uint32_t extensions = 0;  // the field for members x-…
};

const Layout& schema() {
  static constexpr std::array members{
      Member{1, "$ref"},
      Member{2, "format"},
      Member{3, "title"},
      Member{4, "description"},
      Member{5, "default", Encoding::any},
      Member{6, "multipleOf", Encoding::real},
      Member{7, "maximum", Encoding::real},
      Member{8, "exclusiveMaximum", Encoding::flag},
      Member{9, "minimum", Encoding::real},
      Member{10, "exclusiveMinimum", Encoding::flag},
      Member{11, "maxLength", Encoding::integer},
      Member{12, "minLength", Encoding::integer},
      Member{13, "pattern"},
      Member{14, "maxItems", Encoding::integer},
      Member{15, "minItems", Encoding::integer},
      Member{16, "uniqueItems", Encoding::flag},
      Member{17, "maxProperties", Encoding::integer},
      Member{18, "minProperties", Encoding::integer},
      Member{19, "required", Encoding::texts},
      Member{20, "enum", Encoding::anys},
      Member{21, "additionalProperties", Encoding::open, schema},
      Member{22, "type", Encoding::names},
      Member{23, "items", Encoding::wrapped, schema},
      Member{25, "properties", Encoding::map, schema},
      Member{30, "example", Encoding::any},
  };
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

void put_varint(std::string& out, std::uint64_t number) {
  for (; number >= 0x80; number >>= 7U) out += static_cast<char>(number | 0x80U);
  out += static_cast<char>(number);
}

void put_key(std::string& out, std::uint32_t number, unsigned wire_type) { put_varint(out, number << 3U | wire_type); }

void put_chunk(std::string& out, std::uint32_t number, std::string_view bytes) {
  put_key(out, number, 2);
  put_varint(out, bytes.size());
  out += bytes;
}

std::string framed(std::uint32_t number, std::string_view bytes) {
  std::string out;
  put_chunk(out, number, bytes);
  return out;
}

void put_real(std::string& out, std::uint32_t number, double value) {
  put_key(out, number, 1);
  auto bits = std::bit_cast<std::uint64_t>(value);
  for (int i = 0; i < 8; ++i, bits >>= 8U) out += static_cast<char>(bits & 0xffU);
}

std::string named(std::string_view name, std::string_view value) {
  std::string out = framed(1, name);
  put_chunk(out, 2, value);
  return out;
}

// JSON is valid YAML.
std::string yaml(const Value& value) { return framed(2, json::print(value) + "\n"); }

std::string encode(const Value& value, const Layout& layout);

std::string encode_parameter(const Value& value) {
  const Value* in = value.is_object() ? value.get_object().if_contains("in") : nullptr;
  if (in != nullptr && *in == "body") return framed(1, framed(1, encode(value, body_parameter())));
  const bool in_path = in != nullptr && *in == "path";
  return framed(1, framed(2, framed(in_path ? 4 : 3, encode(value, in_path ? path_parameter() : query_parameter()))));
}

void put_flag(std::string& out, std::uint32_t number, bool value) {
  put_key(out, number, 0);
  put_varint(out, value ? 1 : 0);
}

void put_number(std::string& out, const Member& member, const Value& value) {
  boost::system::error_code error;
  if (member.encoding == Encoding::real) {
    const auto real = value.to_number<double>(error);
    if (!error) put_real(out, member.number, real);
    return;
  }
  const auto integer = value.to_number<std::int64_t>(error);
  if (error) return;
  put_key(out, member.number, 0);
  put_varint(out, static_cast<std::uint64_t>(integer));
}

void put_texts(std::string& out, std::uint32_t number, const Value& value) {
  if (const auto* text = value.if_string()) put_chunk(out, number, *text);
  if (!value.is_array()) return;
  for (const Value& item : value.get_array()) put_texts(out, number, item);
}

void put_map(std::string& out, const Member& member, const object& map) {
  std::string entries;
  for (const auto& [name, value] : map) {
    std::string entry = encode(value, member.of());
    if (member.encoding == Encoding::responses) entry = framed(1, entry);
    put_chunk(entries, member.encoding == Encoding::paths ? 2 : 1, named(name, entry));
  }
  put_chunk(out, member.number, entries);
}

// Leaves out a value that the encoding of the member cannot express.
void put(std::string& out, const Member& member, const Value& value) {
  const json::array* list = value.if_array();
  switch (member.encoding) {
    case Encoding::text:
      if (value.is_string()) put_chunk(out, member.number, value.get_string());
      return;
    case Encoding::flag:
      if (value.is_bool()) put_flag(out, member.number, value.get_bool());
      return;
    case Encoding::integer:
    case Encoding::real: return put_number(out, member, value);
    case Encoding::texts: return put_texts(out, member.number, value);
    case Encoding::names: {
      std::string inside;
      put_texts(inside, 1, value);
      return put_chunk(out, member.number, inside);
    }
    case Encoding::any: return put_chunk(out, member.number, yaml(value));
    case Encoding::anys:
      for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) put_chunk(out, member.number, yaml((*list)[i]));
      return;
    case Encoding::parameters:
      for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
        put_chunk(out, member.number, encode_parameter((*list)[i]));
      }
      return;
    case Encoding::message: return put_chunk(out, member.number, encode(value, member.of()));
    case Encoding::open:
      if (value.is_bool()) {
        std::string flag;
        put_flag(flag, 2, value.get_bool());
        return put_chunk(out, member.number, flag);
      }
      [[fallthrough]];
    case Encoding::wrapped: return put_chunk(out, member.number, framed(1, encode(value, member.of())));
    case Encoding::map:
    case Encoding::paths:
    case Encoding::responses:
      if (value.is_object()) put_map(out, member, value.get_object());
      return;
  }
}

std::string encode(const Value& value, const Layout& layout) {
  std::string out;
  if (!value.is_object()) return out;
  for (const auto& [name, inner] : value.get_object()) {
    if (layout.extensions != 0 && name.starts_with("x-")) {
      put_chunk(out, layout.extensions, named(name, yaml(inner)));
      continue;
    }
    for (const Member& member : layout.members) {
      if (member.name == name) put(out, member, inner);
    }
  }
  return out;
}

}  // namespace

std::string encode_openapi_v2(const object& value) { return encode(value, document()); }

}  // namespace pintle::apiserver
