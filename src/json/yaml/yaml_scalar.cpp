// SPDX-License-Identifier: Apache-2.0
#include "yaml_scalar.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <initializer_list>

namespace pintle::json {
namespace {

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::optional<bool> as_bool(std::string_view text) {
  if (is_one_of(text, {"y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"})) return true;
  if (is_one_of(text, {"n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"})) return false;
  return std::nullopt;
}

bool is_null(std::string_view text) { return is_one_of(text, {"", "~", "null", "Null", "NULL"}); }

bool is_unprintable_number(std::string_view text) {
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) {
    return is_one_of(text.substr(1), {".inf", ".Inf", ".INF"});
  }
  return is_one_of(text, {".inf", ".Inf", ".INF", ".nan", ".NaN", ".NAN"});
}

std::string_view without_sign(std::string_view text) {
  return !text.empty() && (text.front() == '-' || text.front() == '+') ? text.substr(1) : text;
}

// Returns the base of a number and removes its prefix: 0x, 0o, 0b, or a leading 0 for octal.
int take_base(std::string_view& digits) {
  if (digits.size() < 2 || digits.front() != '0') return 10;
  int base = 8;
  std::size_t prefix = 2;
  switch (digits[1]) {
    case 'x':
    case 'X': base = 16; break;
    case 'b':
    case 'B': base = 2; break;
    case 'o':
    case 'O': break;
    default: prefix = 1;
  }
  digits.remove_prefix(prefix);
  return base;
}

std::optional<Value> as_integer(std::string_view text) {
  const bool negative = text.starts_with('-');
  std::string_view digits = without_sign(text);
  const int base = take_base(digits);
  std::uint64_t size = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), size, base);
  if (digits.empty() || error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  constexpr std::uint64_t limit = std::uint64_t{1} << 63U;
  if (negative) {
    if (size > limit) return std::nullopt;
    return Value(static_cast<std::int64_t>(-size));
  }
  return size < limit ? Value(static_cast<std::int64_t>(size)) : Value(size);
}

// Returns whether a text consists of digits with at most one decimal point, and possibly an exponent.
bool looks_like_decimal(std::string_view text) {
  text = without_sign(text);
  std::size_t i = 0;
  std::size_t digits = 0;
  bool point = false;
  for (; i < text.size() && (is_digit(text[i]) || (text[i] == '.' && !point)); ++i) {
    if (text[i] == '.') {
      point = true;
    } else {
      ++digits;
    }
  }
  if (digits == 0) return false;
  if (i == text.size()) return true;
  if (text[i] != 'e' && text[i] != 'E') return false;
  const std::string_view exponent = without_sign(text.substr(i + 1));
  return !exponent.empty() && std::all_of(exponent.begin(), exponent.end(), is_digit);
}

std::optional<double> as_double(std::string_view text) {
  if (!looks_like_decimal(text)) return std::nullopt;
  if (text.front() == '+') text.remove_prefix(1);
  double number = 0;
  const auto error = std::from_chars(text.data(), text.data() + text.size(), number).ec;
  if (error != std::errc{}) return std::nullopt;
  return number;
}

// Kubernetes tools convert YAML to JSON text, in which whole numbers have no decimal point: 1.0 becomes 1.
Value whole_if_whole(double number) {
  constexpr double beyond_int64 = 9223372036854775808.0;
  if (std::trunc(number) == number && number >= -beyond_int64 && number < beyond_int64) {
    return static_cast<std::int64_t>(number);
  }
  return number;
}

// Returns whether other YAML 1.1 parsers would read a text as a number in base 60 or as a date: digits and ":" or "-".
bool looks_like_time(std::string_view text) {
  const std::string_view digits = without_sign(text);
  return !digits.empty() && is_digit(digits.front()) && digits.find_first_of(":-") != std::string_view::npos &&
         digits.find_first_not_of("0123456789:-+._ TtZz") == std::string_view::npos;
}

// Returns whether a byte may be part of plain text. The three excluded lead bytes are those of U+0080 to U+00A0, U+2028
// and U+FEFF, which are not printable.
bool is_plain_char(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte > 0x20 && byte != 0x7f && byte != 0xc2 && byte != 0xe2 && byte != 0xef;
}

// Returns whether no character has a special meaning in YAML, at the start or inside, in block style or in flow style.
bool is_plain_text(std::string_view text) {
  if (text.front() == ' ' || text.back() == ' ' || text.back() == ':') return false;
  if (std::string_view("-?:,[]{}#&*!|>'\"%@`=<").find(text.front()) != std::string_view::npos) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ' ') {
      if (i + 1 < text.size() && text[i + 1] == '#') return false;
    } else if (!is_plain_char(text[i])) {
      return false;
    } else if (text[i] == ':' && text[i + 1] == ' ') {
      return false;
    } else if (std::string_view(",[]{}").find(text[i]) != std::string_view::npos) {
      return false;
    }
  }
  return !text.starts_with("...");
}

}  // namespace

Result<Value> plain_scalar(std::string_view text) {
  if (is_null(text)) return Value(nullptr);
  if (const auto flag = as_bool(text)) return Value(*flag);
  if (is_unprintable_number(text))
    return fail(ErrorCode::invalid, "JSON cannot represent the number " + std::string(text));
  const char first = text.front();
  if (is_digit(first) || first == '-' || first == '+' || first == '.') {
    std::string digits(text);
    if (first != '.') std::erase(digits, '_');
    if (const auto integer = as_integer(digits)) return *integer;
    if (const auto number = as_double(digits)) return whole_if_whole(*number);
  }
  return Value(text);
}

std::optional<std::string> key_text(const Value& value) {
  if (value.is_string()) return std::string(value.get_string());
  if (value.is_bool() || value.is_int64() || value.is_uint64()) return print(value);
  if (!value.is_double()) return std::nullopt;
  // Kubernetes tools convert a fractional key through a 32-bit float.
  std::array<char, 64> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), static_cast<float>(value.get_double()),
                                 std::chars_format::general)
                       .ptr;
  return std::string(buffer.data(), end);
}

bool needs_quotes(std::string_view text) {
  if (text.empty() || !is_plain_text(text) || looks_like_time(text)) return true;
  const auto value = plain_scalar(text);
  return !value || !value->is_string();
}

}  // namespace pintle::json
