// SPDX-License-Identifier: Apache-2.0
// Decimal: an exact decimal number of any size.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pintle::cel {

// digits × 10^exponent. The digits have no zeros at their ends; those of 0 are empty.
class Decimal {
 public:
  Decimal() = default;
  Decimal(std::int64_t number, std::int64_t exponent);
  Decimal(bool is_negative, std::string digits, std::int64_t exponent);

  [[nodiscard]] int sign() const noexcept { return digits_.empty() ? 0 : is_negative_ ? -1 : 1; }
  [[nodiscard]] double to_double() const;
  [[nodiscard]] Decimal negated() const;
  [[nodiscard]] Decimal times(std::uint32_t factor) const;
  // Rounds away from zero to a multiple of 10^exponent.
  [[nodiscard]] Decimal rounded_up(std::int64_t exponent) const;

  // Returns nothing if the numbers differ too much in size for an exact sum.
  friend std::optional<Decimal> add(const Decimal& a, const Decimal& b);
  friend std::strong_ordering operator<=>(const Decimal& a, const Decimal& b) noexcept;
  friend bool operator==(const Decimal& a, const Decimal& b) noexcept { return (a <=> b) == 0; }

 private:
  // The number of digits before the decimal point.
  [[nodiscard]] std::int64_t width() const noexcept { return static_cast<std::int64_t>(digits_.size()) + exponent_; }
  [[nodiscard]] std::strong_ordering compare_size(const Decimal& other) const noexcept;
  void normalize();

  bool is_negative_ = false;
  std::string digits_{};
  std::int64_t exponent_ = 0;
};

}  // namespace pintle::cel
