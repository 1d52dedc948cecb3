// SPDX-License-Identifier: Apache-2.0
#include "message_layout.hpp"

#include <bit>

namespace pintle::apiserver::openapi {
namespace {

using json::object;
using json::Value;

void put_varint(std::string& out, std::uint64_t number) {
  for (; number >= 0x80; number >>= 7U) out += static_cast<char>(number | 0x80U);
  out += static_cast<char>(number);
}

void put_key(std::string& out, std::uint32_t number, unsigned wire_type) { put_varint(out, number << 3U | wire_type); }

}  // namespace

void put_chunk(std::string& out, std::uint32_t number, std::string_view bytes) {
  put_key(out, number, 2);
  put_varint(out, bytes.size());
  out += bytes;
}

namespace {

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

// A member of the message: number 1, or 2 for a reference.
std::string reference(const Value& value, const Member& member) {
  const Value* to = value.is_object() ? value.get_object().if_contains("$ref") : nullptr;
  if (to != nullptr && to->is_string()) return framed(2, framed(1, to->get_string()));
  return framed(1, encode(value, member.of()));
}

void put_scalar(std::string& out, std::uint32_t number, const Value& value) {
  std::string inside;
  if (value.is_number()) put_real(inside, 1, value.to_number<double>());
  if (value.is_bool()) put_flag(inside, 2, value.get_bool());
  if (value.is_string()) put_chunk(inside, 3, value.get_string());
  if (!inside.empty()) put_chunk(out, number, inside);
}

void put_map(std::string& out, const Member& member, const object& map) {
  const bool has_references =
      member.encoding == Encoding::reference_map || member.encoding == Encoding::later_responses;
  const bool is_second = member.encoding == Encoding::paths || member.encoding == Encoding::later_responses;
  std::string entries;
  for (const auto& [name, value] : map) {
    std::string entry = has_references ? reference(value, member) : encode(value, member.of());
    if (member.encoding == Encoding::responses) entry = framed(1, entry);
    put_chunk(entries, is_second ? 2 : 1, named(name, entry));
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
    case Encoding::scalar: return put_scalar(out, member.number, value);
    case Encoding::open_reference:
      if (value.is_bool()) {
        std::string flag;
        put_flag(flag, 2, value.get_bool());
        return put_chunk(out, member.number, flag);
      }
      [[fallthrough]];
    case Encoding::wrapped_reference: return put_chunk(out, member.number, framed(1, reference(value, member)));
    case Encoding::reference: return put_chunk(out, member.number, reference(value, member));
    case Encoding::references:
      for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
        put_chunk(out, member.number, reference((*list)[i], member));
      }
      return;
    case Encoding::map:
    case Encoding::paths:
    case Encoding::responses:
    case Encoding::reference_map:
    case Encoding::later_responses:
      if (value.is_object()) put_map(out, member, value.get_object());
      return;
  }
}

}  // namespace

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

}  // namespace pintle::apiserver::openapi
