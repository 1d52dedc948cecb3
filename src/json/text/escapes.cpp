// SPDX-License-Identifier: Apache-2.0
#include "escapes.hpp"

#include <charconv>
#include <optional>

#include <pintle/base/utf8.hpp>

namespace pintle::json {
namespace {

constexpr Escape wrong_escape{.is_wrong = true};
constexpr std::size_t unit_size = 6;  // the size of \u0123

constexpr bool is_high(unsigned unit) { return unit >= 0xd800 && unit < 0xdc00; }
constexpr bool is_low(unsigned unit) { return unit >= 0xdc00 && unit < 0xe000; }

char meaning_of(char escaped) {
  switch (escaped) {
    case '"':
    case '\\':
    case '/': return escaped;
    case 'b': return '\b';
    case 'f': return '\f';
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    default: return '\0';
  }
}

// Parses an escape such as \u0123, which must be complete. Returns nothing if `bytes` begins with something else.
std::optional<unsigned> unit_of(std::string_view bytes) {
  unsigned unit = 0;
  const char* const end = bytes.data() + unit_size;
  if (!bytes.starts_with("\\u")) return {};
  const auto [stopped, error] = std::from_chars(bytes.data() + 2, end, unit, 16);
  if (error != std::errc{} || stopped != end) return {};
  return unit;
}

void append_utf8(std::string& out, unsigned point) {
  const auto put = [&out](unsigned byte) { out += static_cast<char>(byte); };
  const auto put_rest = [&](unsigned shift) { put(0x80U | (point >> shift & 0x3fU)); };
  if (point < 0x80) return put(point);
  if (point < 0x800) {
    put(0xc0U | point >> 6U);
  } else {
    if (point < 0x10000) {
      put(0xe0U | point >> 12U);
    } else {
      put(0xf0U | point >> 18U);
      put_rest(12);
    }
    put_rest(6);
  }
  put_rest(0);
}

Escape read_unit(std::string_view bytes, std::string& out) {
  if (bytes.size() < unit_size) return {};
  const auto first = unit_of(bytes);
  if (!first || is_low(*first)) return wrong_escape;
  if (!is_high(*first)) {
    append_utf8(out, *first);
    return {.size = unit_size};
  }
  if (bytes.size() < 2 * unit_size) return {};
  const auto second = unit_of(bytes.substr(unit_size));
  if (!second || !is_low(*second)) return wrong_escape;
  append_utf8(out, 0x10000U + ((*first - 0xd800U) << 10U) + (*second - 0xdc00U));
  return {.size = 2 * unit_size};
}

Escape read_character(std::string_view bytes, std::string& out) {
  const auto lead = static_cast<unsigned char>(bytes.front());
  if (lead < 0x80) return wrong_escape;
  const std::size_t size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (bytes.size() < size) return {};
  if (utf8_length(bytes) != size) return wrong_escape;
  out.append(bytes.substr(0, size));
  return {.size = size};
}

}  // namespace

Escape read_escape(std::string_view bytes, std::string& out) {
  if (bytes.front() != '\\') return read_character(bytes, out);
  if (bytes.size() < 2) return {};
  if (bytes[1] == 'u') return read_unit(bytes, out);
  const char meaning = meaning_of(bytes[1]);
  if (meaning == '\0') return wrong_escape;
  out += meaning;
  return {.size = 2};
}

}  // namespace pintle::json
