// SPDX-License-Identifier: Apache-2.0
// Range: a size or a cost between two numbers, in arithmetic that ends at 2^64 - 1.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace pintle::cel {

struct Range {
  std::uint64_t min = 0;
  std::uint64_t max = 0;

  static constexpr Range exactly(std::uint64_t number) noexcept { return {number, number}; }
  static constexpr Range unknown() noexcept { return {0, UINT64_MAX}; }

  friend Range operator+(const Range& a, const Range& b) noexcept { return {sum(a.min, b.min), sum(a.max, b.max)}; }
  friend Range operator*(const Range& a, const Range& b) noexcept {
    return {product(a.min, b.min), product(a.max, b.max)};
  }
  // Rounds up.
  friend Range operator*(const Range& a, double factor) noexcept {
    return {scaled(a.min, factor), scaled(a.max, factor)};
  }
  friend Range unite(const Range& a, const Range& b) noexcept {
    return {std::min(a.min, b.min), std::max(a.max, b.max)};
  }

 private:
  static std::uint64_t sum(std::uint64_t a, std::uint64_t b) noexcept {
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
  }
  static std::uint64_t product(std::uint64_t a, std::uint64_t b) noexcept {
    std::uint64_t out = 0;
    return __builtin_mul_overflow(a, b, &out) ? UINT64_MAX : out;
  }
  static std::uint64_t scaled(std::uint64_t number, double factor) noexcept {
    const double out = std::ceil(static_cast<double>(number) * factor);
    return out >= 18446744073709551616.0 ? UINT64_MAX : static_cast<std::uint64_t>(out);
  }
};

}  // namespace pintle::cel
