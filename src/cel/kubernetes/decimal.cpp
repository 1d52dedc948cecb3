// SPDX-License-Identifier: Apache-2.0
#include "decimal.hpp"

#include <algorithm>
#include <charconv>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace pintle::cel {
namespace {

constexpr std::int64_t widest_sum = 4'096;  // digits

// The digits of a number in units of 10^unit, with zeros in front up to `width` digits.
std::string aligned(std::string digits, std::int64_t exponent, std::int64_t unit, std::int64_t width) {
  digits.append(static_cast<std::size_t>(exponent - unit), '0');
  digits.insert(0, static_cast<std::size_t>(width) - digits.size(), '0');
  return digits;
}

// Adds or subtracts the digits of two numbers of one width. The difference must not be negative.
std::string combine_digits(std::string a, std::string_view b, bool subtracts) {
  int carry = 0;
  for (std::size_t i = a.size(); i > 0; --i) {
    const int left = a[i - 1] - '0';
    const int right = b[i - 1] - '0';
    int digit = subtracts ? left - right - carry : left + right + carry;
    carry = digit < 0 || digit > 9 ? 1 : 0;
    digit = (digit + 10) % 10;
    a[i - 1] = static_cast<char>('0' + digit);
  }
  return a;
}

}  // namespace

Decimal::Decimal(std::int64_t number, std::int64_t exponent)
    : is_negative_(number < 0),
      digits_(
          fmt::format("{}", number < 0 ? 0 - static_cast<std::uint64_t>(number) : static_cast<std::uint64_t>(number))),
      exponent_(exponent) {
  normalize();
}

Decimal::Decimal(bool is_negative, std::string digits, std::int64_t exponent)
    : is_negative_(is_negative), digits_(std::move(digits)), exponent_(exponent) {
  normalize();
}

void Decimal::normalize() {
  digits_.erase(0, std::min(digits_.find_first_not_of('0'), digits_.size()));
  const auto last = digits_.find_last_not_of('0');
  const auto size = last == std::string::npos ? 0 : last + 1;
  exponent_ = size == 0 ? 0 : exponent_ + static_cast<std::int64_t>(digits_.size() - size);
  digits_.resize(size);
  if (digits_.empty()) is_negative_ = false;
}

double Decimal::to_double() const {
  if (digits_.empty()) return 0;
  const auto text = fmt::format("{}{}e{}", is_negative_ ? "-" : "", digits_, exponent_);
  return std::strtod(text.c_str(), nullptr);
}

Decimal Decimal::negated() const { return {!is_negative_, digits_, exponent_}; }

Decimal Decimal::times(std::uint32_t factor) const {
  std::string product;
  std::uint64_t carry = 0;
  for (std::size_t i = digits_.size(); i > 0; --i) {
    carry += std::uint64_t{factor} * static_cast<std::uint64_t>(digits_[i - 1] - '0');
    product += static_cast<char>('0' + carry % 10);
    carry /= 10;
  }
  for (; carry > 0; carry /= 10) product += static_cast<char>('0' + carry % 10);
  std::ranges::reverse(product);
  return {is_negative_, std::move(product), exponent_};
}

Decimal Decimal::rounded_up(std::int64_t exponent) const {
  if (digits_.empty() || exponent_ >= exponent) return *this;
  const auto kept = std::max<std::int64_t>(0, width() - exponent);
  const auto whole = std::string(1, '0') + digits_.substr(0, static_cast<std::size_t>(kept));
  const auto one = std::string(whole.size() - 1, '0') + '1';
  return {is_negative_, combine_digits(whole, one, false), exponent};
}

std::strong_ordering Decimal::compare_size(const Decimal& other) const noexcept {
  if (digits_.empty() || other.digits_.empty()) return digits_.size() <=> other.digits_.size();
  if (width() != other.width()) return width() <=> other.width();
  return digits_.compare(other.digits_) <=> 0;
}

std::strong_ordering operator<=>(const Decimal& a, const Decimal& b) noexcept {
  if (a.sign() != b.sign()) return a.sign() <=> b.sign();
  return a.is_negative_ ? b.compare_size(a) : a.compare_size(b);
}

std::optional<Decimal> add(const Decimal& a, const Decimal& b) {
  if (a.digits_.empty()) return b;
  if (b.digits_.empty()) return a;
  const bool subtracts = a.is_negative_ != b.is_negative_;
  const bool is_swapped = subtracts && a.compare_size(b) < 0;
  const auto& larger = is_swapped ? b : a;
  const auto& smaller = is_swapped ? a : b;
  const auto unit = std::min(a.exponent_, b.exponent_);
  const auto width = std::max(a.width(), b.width()) - unit + 1;
  if (width > widest_sum) return std::nullopt;
  auto sum = combine_digits(aligned(larger.digits_, larger.exponent_, unit, width),
                            aligned(smaller.digits_, smaller.exponent_, unit, width), subtracts);
  return Decimal(larger.is_negative_, std::move(sum), unit);
}

}  // namespace pintle::cel
