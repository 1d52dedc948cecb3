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

// How a member is written.
enum class Form {
  text,
  flag,
  integer,
  real,
  texts,
  any,         // anything, as YAML
  anys,        // a list of that
  message,     // an object
  wrapped,     // an object, in a message with nothing but it
  names,       // texts, or one, in a message with nothing but them
  map,         // objects by their names
  paths,       // the same, each a path
  responses,   // the same, each a response or what stands for one
  parameters,  // a list of objects, each in messages that say where the parameter is
  open,        // a schema, or whether there may be any
};

struct Message;

struct Field {
  std::uint32_t number;
  std::string_view name;
  Form form = Form::text;
  const Message& (*of)() = nullptr;
};

struct Message {
  std::span<const Field> fields;
  std::uint32_t extensions = 0;  // the field of members x-…
};

const Message& schema() {
  static constexpr std::array fields{
      Field{1, "$ref"},
      Field{2, "format"},
      Field{3, "title"},
      Field{4, "description"},
      Field{5, "default", Form::any},
      Field{6, "multipleOf", Form::real},
      Field{7, "maximum", Form::real},
      Field{8, "exclusiveMaximum", Form::flag},
      Field{9, "minimum", Form::real},
      Field{10, "exclusiveMinimum", Form::flag},
      Field{11, "maxLength", Form::integer},
      Field{12, "minLength", Form::integer},
      Field{13, "pattern"},
      Field{14, "maxItems", Form::integer},
      Field{15, "minItems", Form::integer},
      Field{16, "uniqueItems", Form::flag},
      Field{17, "maxProperties", Form::integer},
      Field{18, "minProperties", Form::integer},
      Field{19, "required", Form::texts},
      Field{20, "enum", Form::anys},
      Field{21, "additionalProperties", Form::open, schema},
      Field{22, "type", Form::names},
      Field{23, "items", Form::wrapped, schema},
      Field{25, "properties", Form::map, schema},
      Field{30, "example", Form::any},
  };
  static constexpr Message message{.fields = fields, .extensions = 31};
  return message;
}

const Message& body_parameter() {
  static constexpr std::array fields{Field{2, "name"}, Field{3, "in"}, Field{4, "required", Form::flag},
                                     Field{5, "schema", Form::message, schema}};
  static constexpr Message message{.fields = fields};
  return message;
}

const Message& query_parameter() {
  static constexpr std::array fields{Field{1, "required", Form::flag}, Field{2, "in"}, Field{4, "name"},
                                     Field{6, "type"}};
  static constexpr Message message{.fields = fields};
  return message;
}

const Message& path_parameter() {
  static constexpr std::array fields{Field{1, "required", Form::flag}, Field{2, "in"}, Field{4, "name"},
                                     Field{5, "type"}};
  static constexpr Message message{.fields = fields};
  return message;
}

const Message& response() {
  static constexpr std::array fields{Field{1, "description"}, Field{2, "schema", Form::wrapped, schema}};
  static constexpr Message message{.fields = fields};
  return message;
}

const Message& operation() {
  static constexpr std::array fields{Field{7, "consumes", Form::texts}, Field{8, "parameters", Form::parameters},
                                     Field{9, "responses", Form::responses, response}};
  static constexpr Message message{.fields = fields, .extensions = 13};
  return message;
}

const Message& path() {
  static constexpr std::array fields{
      Field{2, "get", Form::message, operation},   Field{3, "put", Form::message, operation},
      Field{4, "post", Form::message, operation},  Field{5, "delete", Form::message, operation},
      Field{8, "patch", Form::message, operation}, Field{9, "parameters", Form::parameters},
  };
  static constexpr Message message{.fields = fields};
  return message;
}

const Message& info() {
  static constexpr std::array fields{Field{1, "title"}, Field{2, "version"}};
  static constexpr Message message{.fields = fields};
  return message;
}

const Message& document() {
  static constexpr std::array fields{Field{1, "swagger"}, Field{2, "info", Form::message, info},
                                     Field{8, "paths", Form::paths, path}, Field{9, "definitions", Form::map, schema}};
  static constexpr Message message{.fields = fields};
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

std::string chunk(std::uint32_t number, std::string_view bytes) {
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
  std::string out = chunk(1, name);
  put_chunk(out, 2, value);
  return out;
}

// JSON is YAML.
std::string yaml(const Value& value) { return chunk(2, json::print(value) + "\n"); }

std::string encode(const Value& value, const Message& message);

std::string encode_parameter(const Value& value) {
  const Value* in = value.is_object() ? value.get_object().if_contains("in") : nullptr;
  if (in != nullptr && *in == "body") return chunk(1, chunk(1, encode(value, body_parameter())));
  const bool in_path = in != nullptr && *in == "path";
  return chunk(1, chunk(2, chunk(in_path ? 4 : 3, encode(value, in_path ? path_parameter() : query_parameter()))));
}

void put_flag(std::string& out, std::uint32_t number, bool value) {
  put_key(out, number, 0);
  put_varint(out, value ? 1 : 0);
}

void put_number(std::string& out, const Field& field, const Value& value) {
  boost::system::error_code fault;
  if (field.form == Form::real) {
    const auto real = value.to_number<double>(fault);
    if (!fault) put_real(out, field.number, real);
    return;
  }
  const auto integer = value.to_number<std::int64_t>(fault);
  if (fault) return;
  put_key(out, field.number, 0);
  put_varint(out, static_cast<std::uint64_t>(integer));
}

void put_texts(std::string& out, std::uint32_t number, const Value& value) {
  if (const auto* text = value.if_string()) put_chunk(out, number, *text);
  if (!value.is_array()) return;
  for (const Value& item : value.get_array()) put_texts(out, number, item);
}

void put_map(std::string& out, const Field& field, const object& map) {
  std::string entries;
  for (const auto& [name, value] : map) {
    std::string entry = encode(value, field.of());
    if (field.form == Form::responses) entry = chunk(1, entry);
    put_chunk(entries, field.form == Form::paths ? 2 : 1, named(name, entry));
  }
  put_chunk(out, field.number, entries);
}

// What is not of the field's form is left out.
void put(std::string& out, const Field& field, const Value& value) {
  const json::array* list = value.if_array();
  switch (field.form) {
    case Form::text:
      if (value.is_string()) put_chunk(out, field.number, value.get_string());
      return;
    case Form::flag:
      if (value.is_bool()) put_flag(out, field.number, value.get_bool());
      return;
    case Form::integer:
    case Form::real: return put_number(out, field, value);
    case Form::texts: return put_texts(out, field.number, value);
    case Form::names: {
      std::string inside;
      put_texts(inside, 1, value);
      return put_chunk(out, field.number, inside);
    }
    case Form::any: return put_chunk(out, field.number, yaml(value));
    case Form::anys:
      for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) put_chunk(out, field.number, yaml((*list)[i]));
      return;
    case Form::parameters:
      for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
        put_chunk(out, field.number, encode_parameter((*list)[i]));
      }
      return;
    case Form::message: return put_chunk(out, field.number, encode(value, field.of()));
    case Form::open:
      if (value.is_bool()) {
        std::string flag;
        put_flag(flag, 2, value.get_bool());
        return put_chunk(out, field.number, flag);
      }
      [[fallthrough]];
    case Form::wrapped: return put_chunk(out, field.number, chunk(1, encode(value, field.of())));
    case Form::map:
    case Form::paths:
    case Form::responses:
      if (value.is_object()) put_map(out, field, value.get_object());
      return;
  }
}

std::string encode(const Value& value, const Message& message) {
  std::string out;
  if (!value.is_object()) return out;
  for (const auto& [name, member] : value.get_object()) {
    if (message.extensions != 0 && name.starts_with("x-")) {
      put_chunk(out, message.extensions, named(name, yaml(member)));
      continue;
    }
    for (const Field& field : message.fields) {
      if (field.name == name) put(out, field, member);
    }
  }
  return out;
}

}  // namespace

std::string encode_openapi_v2(const object& value) { return encode(value, document()); }

}  // namespace pintle::apiserver
