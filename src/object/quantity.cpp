// SPDX-License-Identifier: Apache-2.0
#include <pintle/object/quantity.hpp>

#include <limits>

#include <fmt/format.h>

#include <pintle/base/result.hpp>
#include <pintle/base/text.hpp>
#include <pintle/json/value.hpp>
#include <pintle/object/value_type.hpp>

namespace pintle {
namespace {

std::string decimal_suffix(int power, Quantity::Format format) {
  constexpr std::string_view suffixes[] = {"n", "u", "m", "", "k", "M", "G", "T", "P", "E"};
  if (format == Quantity::Format::decimal_exponent || power > 18) {
    return power == 0 ? std::string() : "e" + std::to_string(power);
  }
  return std::string(suffixes[power / 3 + 3]);
}

}  // namespace

Result<Quantity> Quantity::parse(std::string_view text) {
  if (const auto read = Reader(text).read()) return *read;
  return fail(ErrorCode::invalid, quote(text) + " is not a quantity such as 2, 100m, 1.5Gi or 2e3");
}

std::string Quantity::to_string() const {
  if (is_zero()) return "0";
  const Nanos amount = nanos_ < 0 ? -nanos_ : nanos_;
  const std::string sign = nanos_ < 0 ? "-" : "";
  if (format_ == Format::binary_si && amount >= 1024 * one && amount % one == 0) {
    constexpr std::string_view suffixes[] = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
    Nanos whole = amount / one;
    std::size_t power = 0;
    for (; whole % 1024 == 0 && power + 1 < std::size(suffixes); ++power) whole /= 1024;
    return sign + fmt::format("{}", whole) + std::string(suffixes[power]);
  }
  Nanos whole = amount;
  int power = -9;
  for (; whole % 1000 == 0; power += 3) whole /= 1000;
  return sign + fmt::format("{}", whole) + decimal_suffix(power, format_);
}

std::int64_t Quantity::rounded(Nanos unit) const noexcept {
  constexpr Nanos lowest = std::numeric_limits<std::int64_t>::min();
  constexpr Nanos highest = std::numeric_limits<std::int64_t>::max();
  Nanos count = nanos_ / unit;
  if (count * unit != nanos_) count += nanos_ < 0 ? -1 : 1;
  return static_cast<std::int64_t>(std::clamp(count, lowest, highest));
}

std::optional<std::int64_t> Quantity::as_integer() const noexcept {
  const std::int64_t whole = value();
  if (static_cast<Nanos>(whole) * one != nanos_) return std::nullopt;
  return whole;
}

Quantity& Quantity::operator+=(const Quantity& other) noexcept {
  if (is_zero()) format_ = other.format_;
  if (__builtin_add_overflow(nanos_, other.nanos_, &nanos_)) nanos_ = other.nanos_ < 0 ? -highest : highest;
  return *this;
}

Quantity& Quantity::operator-=(const Quantity& other) noexcept {
  if (is_zero()) format_ = other.format_;
  if (__builtin_sub_overflow(nanos_, other.nanos_, &nanos_)) nanos_ = other.nanos_ < 0 ? highest : -highest;
  return *this;
}

Quantity& Quantity::operator*=(std::int64_t times) noexcept {
  const bool downwards = (nanos_ < 0) != (times < 0);
  if (__builtin_mul_overflow(nanos_, Nanos(times), &nanos_)) nanos_ = downwards ? -highest : highest;
  return *this;
}

Result<Quantity> Quantity::from_json(json::View value) {
  if (const auto text = value.as_string()) return parse(*text);
  if (value.type() == json::Type::integer) return parse(value.print());
  if (const auto number = value.as_double()) return parse(fmt::format("{}", *number));
  return fail(ErrorCode::invalid, internal::expected("a quantity as a string or a number", value));
}

json::Value Quantity::to_json() const { return json::Value(to_string()); }

json::object Quantity::json_schema() {
  return {{"x-kubernetes-int-or-string", true},
          {"pattern", R"(^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?$)"}};
}

}  // namespace pintle
