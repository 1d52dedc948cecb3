// SPDX-License-Identifier: Apache-2.0
#include "number.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace pintle {
namespace {

Number split(std::uint64_t whole) {
  const auto nearest = static_cast<double>(whole);
  // For the largest integers, the nearest double is 2^64, which wraps to 0.
  const std::uint64_t back = nearest < 0x1p64 ? static_cast<std::uint64_t>(nearest) : 0;
  const std::uint64_t rest = whole - back;
  return {nearest, static_cast<double>(static_cast<std::int64_t>(rest))};
}

bool is_whole(double number) { return std::trunc(number) == number; }

}  // namespace

Number number_of(json::View value) {
  if (const auto whole = value.as_unsigned()) return split(*whole);
  if (const auto negative = value.as_integer()) {
    const Number size = split(0 - static_cast<std::uint64_t>(*negative));
    return {-size.nearest, -size.rest};
  }
  return {value.as_double().value_or(0), 0};
}

bool is_multiple(const Number& number, const Number& step) {
  if (is_whole(number.nearest) && is_whole(step.nearest)) {
    return std::fmod(std::fmod(number.nearest, step.nearest) + std::fmod(number.rest, step.nearest), step.nearest) == 0;
  }
  const double quotient = number.nearest / step.nearest;
  return std::abs(quotient - std::round(quotient)) <= 1e-9 * std::max(1.0, std::abs(quotient));
}

std::string number_text(json::View value) {
  const auto real = value.as_double();
  const bool is_plain = !real || value.as_integer() || value.as_unsigned();
  if (is_plain || !is_whole(*real) || std::abs(*real) >= 0x1p63) return value.print();
  return std::to_string(static_cast<std::int64_t>(*real));
}

}  // namespace pintle
