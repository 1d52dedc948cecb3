// SPDX-License-Identifier: Apache-2.0
#include "number.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace pintle::json {
namespace {

// 2^63 and 2^64: the first doubles above the range of the integers.
constexpr double beyond_int64 = 9223372036854775808.0;
constexpr double beyond_uint64 = 18446744073709551616.0;

bool is_same(std::int64_t a, double b) {
  return b >= -beyond_int64 && b < beyond_int64 && static_cast<std::int64_t>(b) == a && std::trunc(b) == b;
}
bool is_same(std::uint64_t a, double b) {
  return b >= 0 && b < beyond_uint64 && static_cast<std::uint64_t>(b) == a && std::trunc(b) == b;
}

// The decimal value of a number: digits without zeros at either end, and the power of ten by which they are multiplied.
struct Decimal {
  bool is_negative = false;
  std::string digits{};
  std::int64_t exponent = 0;
  friend bool operator==(const Decimal&, const Decimal&) = default;
};

Decimal decimal_of(std::string_view text) {
  Decimal decimal;
  if (text.starts_with('-')) {
    decimal.is_negative = true;
    text.remove_prefix(1);
  }
  if (const std::size_t e = text.find_first_of("eE"); e != std::string_view::npos) {
    std::string_view power = text.substr(e + 1);
    if (power.starts_with('+')) power.remove_prefix(1);
    // The limit of exponents; it exceeds the length of any text.
    constexpr std::int64_t far = std::int64_t{1} << 40U;
    const auto error = std::from_chars(power.data(), power.data() + power.size(), decimal.exponent).ec;
    if (error == std::errc::result_out_of_range) decimal.exponent = power.starts_with('-') ? -far : far;
    decimal.exponent = std::clamp(decimal.exponent, -far, far);
    text = text.substr(0, e);
  }
  const std::size_t point = text.find('.');
  decimal.digits = text.substr(0, point);
  if (point != std::string_view::npos) {
    decimal.digits += text.substr(point + 1);
    decimal.exponent -= static_cast<std::int64_t>(text.size() - point - 1);
  }
  decimal.digits.erase(0, decimal.digits.find_first_not_of('0'));
  const std::size_t last = decimal.digits.find_last_not_of('0');
  const std::size_t kept = last == std::string::npos ? 0 : last + 1;
  decimal.exponent += static_cast<std::int64_t>(decimal.digits.size() - kept);
  decimal.digits.resize(kept);
  if (kept == 0) decimal.exponent = 0;
  return decimal;
}

template <class Printed, class... Format>
void print_chars(std::string& out, Printed number, Format... format) {
  std::array<char, 64> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, format...).ptr;
  out.append(buffer.data(), end);
}

void print_double(std::string& out, double number) {
  if (!std::isfinite(number)) {
    out += "null";
    return;
  }
  const double size = std::abs(number);
  if (size != 0 && (size < 1e-6 || size >= 1e21)) {
    print_chars(out, number, std::chars_format::scientific);
    return;
  }
  const std::size_t start = out.size();
  print_chars(out, number, std::chars_format::fixed);
  if (out.find('.', start) == std::string::npos) out += ".0";
}

}  // namespace

NumberForm form_of(std::string_view number) noexcept {
  const auto skip_digits = [&number] {
    const auto* const end = std::find_if(number.begin(), number.end(), [](char c) { return c < '0' || c > '9'; });
    const auto count = static_cast<std::size_t>(end - number.begin());
    number.remove_prefix(count);
    return count;
  };
  const auto skip = [&number](char one, char other) {
    const bool is_there = !number.empty() && (number.front() == one || number.front() == other);
    if (is_there) number.remove_prefix(1);
    return is_there;
  };
  (void)skip('-', '-');
  const bool begins_with_zero = number.starts_with('0');
  const std::size_t digits = skip_digits();
  if (digits == 0 || (begins_with_zero && digits > 1)) return NumberForm::none;
  if (number.empty()) return NumberForm::integer;
  if (skip('.', '.') && skip_digits() == 0) return NumberForm::none;
  if (skip('e', 'E')) {
    (void)skip('+', '-');
    if (skip_digits() == 0) return NumberForm::none;
  }
  return number.empty() ? NumberForm::real : NumberForm::none;
}

Number number_of(const Value& value) {
  if (value.is_double()) return value.get_double();
  if (value.is_int64()) return value.get_int64();
  if (std::in_range<std::int64_t>(value.get_uint64())) return static_cast<std::int64_t>(value.get_uint64());
  return value.get_uint64();
}

std::optional<Number> read_number(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const Decimal written = decimal_of(text);
  if (error == std::errc::result_out_of_range) {
    // A number too small for a double is kept as text. A number too large for a double is an error.
    const bool is_tiny = written.exponent + static_cast<std::int64_t>(written.digits.size()) < 0;
    return is_tiny ? std::optional<Number>(WrittenNumber{text}) : std::nullopt;
  }
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  std::string shortest;
  print_double(shortest, number);
  if (decimal_of(shortest) != written) return WrittenNumber{text};
  return number;
}

bool equal(const Number& a, const Number& b) noexcept {
  if (a.index() > b.index()) return equal(b, a);
  if (const auto* number = std::get_if<std::int64_t>(&a)) {
    if (const auto* real = std::get_if<double>(&b)) return is_same(*number, *real);
    const auto* other = std::get_if<std::int64_t>(&b);
    return other != nullptr && *number == *other;
  }
  if (const auto* number = std::get_if<std::uint64_t>(&a)) {
    if (const auto* real = std::get_if<double>(&b)) return is_same(*number, *real);
    const auto* other = std::get_if<std::uint64_t>(&b);
    return other != nullptr && *number == *other;
  }
  if (const auto* number = std::get_if<double>(&a)) {
    const auto* other = std::get_if<double>(&b);
    return other != nullptr && *number == *other;
  }
  return decimal_of(std::get<WrittenNumber>(a).text) == decimal_of(std::get<WrittenNumber>(b).text);
}

double to_double(const Number& number) noexcept {
  if (const auto* real = std::get_if<double>(&number)) return *real;
  if (const auto* integer = std::get_if<std::int64_t>(&number)) return static_cast<double>(*integer);
  if (const auto* large = std::get_if<std::uint64_t>(&number)) return static_cast<double>(*large);
  const std::string_view text = std::get<WrittenNumber>(number).text;
  double nearest = text.starts_with('-') ? -0.0 : 0.0;  // the result for a number too small for a double
  std::from_chars(text.data(), text.data() + text.size(), nearest);
  return nearest;
}

void print(std::string& out, const Number& number) {
  if (const auto* real = std::get_if<double>(&number)) {
    print_double(out, *real);
  } else if (const auto* integer = std::get_if<std::int64_t>(&number)) {
    print_chars(out, *integer);
  } else if (const auto* large = std::get_if<std::uint64_t>(&number)) {
    print_chars(out, *large);
  } else {
    out += std::get<WrittenNumber>(number).text;
  }
}

}  // namespace pintle::json
