// SPDX-License-Identifier: Apache-2.0
// Quantity: an exact amount of a resource, such as "100m" of CPU or "1.5Gi" of memory, in the format of Kubernetes.
//
//   struct Limits {
//     pintle::Quantity cpu = "100m";  // an invalid literal does not compile
//   };
//   auto memory = pintle::Quantity::parse(text);  // a Result, for any text
#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <pintle/base/annotations.hpp>
#include <pintle/base/result_fwd.hpp>
#include <pintle/json/fwd.hpp>

namespace pintle {

/// A multiple of 1e-9 between -1.7e29 and 1.7e29, together with the format of its suffix. As in Kubernetes, parsing
/// rounds smaller fractions away from zero and limits an amount with a binary suffix to 2^63-1. A sum or product
/// outside the range becomes the nearest end of the range. Compares by amount: 1Ki equals 1024. A plain value.
class PINTLE_EXPORT Quantity {
 public:
  enum class Format : std::uint8_t { decimal_si, binary_si, decimal_exponent };  ///< 12M, 12Mi, 12e6

  constexpr Quantity() noexcept = default;
  constexpr explicit Quantity(std::integral auto whole, Format format = Format::decimal_si) noexcept
      : nanos_(static_cast<Nanos>(whole) * one), format_(format) {}
  /// From a string literal. A list of pairs, such as the initializer of a map, needs the name of the type:
  /// `{{"cpu", Quantity("2")}}`.
  consteval Quantity(const char* literal) : Quantity(from_literal(literal)) {}  // NOLINT(google-explicit-constructor)

  /// Error: invalid, if the text is not a quantity or is out of range; the message contains the text.
  [[nodiscard]] static Result<Quantity> parse(std::string_view text);
  [[nodiscard]] static constexpr Quantity from_milli(std::int64_t thousandths) noexcept {
    Quantity made;
    made.nanos_ = static_cast<Nanos>(thousandths) * (one / 1000);
    return made;
  }

  /// Returns the shortest exact text without a fraction: 1.5 is "1500m", 1.5Gi is "1536Mi", 0 is "0". An amount that
  /// binary suffixes cannot express has a decimal suffix.
  [[nodiscard]] std::string to_string() const;
  [[nodiscard]] constexpr Format format() const noexcept { return format_; }

  /// The number of units or of thousandths, rounded away from zero and limited to the range of int64.
  [[nodiscard]] std::int64_t value() const noexcept { return rounded(one); }
  [[nodiscard]] std::int64_t milli_value() const noexcept { return rounded(one / 1000); }
  /// The amount, if it is a whole number in the range of int64.
  [[nodiscard]] std::optional<std::int64_t> as_integer() const noexcept;
  /// The nearest double.
  [[nodiscard]] double as_double() const noexcept { return static_cast<double>(nanos_) / static_cast<double>(one); }

  [[nodiscard]] constexpr bool is_zero() const noexcept { return nanos_ == 0; }
  [[nodiscard]] constexpr bool is_negative() const noexcept { return nanos_ < 0; }

  /// The result has the format of the left operand. If the left operand is zero, a sum or difference has the format of
  /// the right operand.
  Quantity& operator+=(const Quantity& other) noexcept;
  Quantity& operator-=(const Quantity& other) noexcept;
  Quantity& operator*=(std::int64_t times) noexcept;
  [[nodiscard]] friend Quantity operator+(Quantity a, const Quantity& b) noexcept { return a += b; }
  [[nodiscard]] friend Quantity operator-(Quantity a, const Quantity& b) noexcept { return a -= b; }
  [[nodiscard]] friend Quantity operator*(Quantity a, std::int64_t times) noexcept { return a *= times; }
  [[nodiscard]] friend Quantity operator-(const Quantity& a) noexcept { return Quantity() - a; }

  friend constexpr bool operator==(const Quantity& a, const Quantity& b) noexcept { return a.nanos_ == b.nanos_; }
  friend constexpr std::weak_ordering operator<=>(const Quantity& a, const Quantity& b) noexcept {
    return a.nanos_ <=> b.nanos_;
  }

  /// Accepts a string or a number. Error: invalid.
  [[nodiscard]] static Result<Quantity> from_json(json::View value);
  [[nodiscard]] json::Value to_json() const;
  [[nodiscard]] static json::object json_schema();

 private:
  __extension__ typedef __int128 Nanos;  // NOLINT(modernize-use-using): g++ takes no alias for the extension
  static constexpr Nanos one = 1'000'000'000;
  static constexpr Nanos highest = ((static_cast<Nanos>(1) << 126) - 1) * 2 + 1;

  // Parses digits with an optional decimal point, then a suffix. Numbers of any length are parsed exactly: sum()
  // applies the exponent, then adds the digits before the decimal point from left to right, and the digits after it
  // from right to left. The remainder below 1e-9 is cut off; if it is not 0, the amount is rounded away from zero.
  class Reader {
   public:
    constexpr explicit Reader(std::string_view text) : rest_(text) {}

    constexpr std::optional<Quantity> read() {
      negative_ = take('-');
      if (!negative_) take('+');
      const std::string_view whole = take_digits();
      const std::string_view fraction = take('.') ? take_digits() : std::string_view();
      if (whole.empty() && fraction.empty()) return std::nullopt;
      if (!read_suffix()) return std::nullopt;
      return sum(whole, fraction);
    }

   private:
    constexpr bool take(char c) {
      if (rest_.empty() || rest_.front() != c) return false;
      rest_.remove_prefix(1);
      return true;
    }
    constexpr std::string_view take_digits() {
      const std::string_view digits = rest_.substr(0, rest_.find_first_not_of("0123456789"));
      rest_.remove_prefix(digits.size());
      return digits;
    }

    constexpr bool read_suffix() {
      constexpr std::string_view decimal = "num kMGTPE";
      constexpr std::string_view binary = "KMGTPE";
      if (rest_.empty()) return true;
      if (rest_.size() == 2 && rest_[1] == 'i') {
        const std::size_t power = binary.find(rest_[0]);
        if (power == std::string_view::npos) return false;
        format_ = Format::binary_si;
        unit_ <<= 10 * (power + 1);
        return true;
      }
      if (rest_.size() == 1) {
        const std::size_t power = decimal.find(rest_[0]);
        shift_ = 3 * (static_cast<std::int64_t>(power) - 3);
        return power != std::string_view::npos && rest_[0] != ' ';
      }
      return read_exponent();
    }

    constexpr bool read_exponent() {
      if (!take('e') && !take('E')) return false;
      const bool downwards = take('-');
      if (!downwards) take('+');
      const std::string_view digits = take_digits();
      if (digits.empty() || !rest_.empty()) return false;
      for (const char digit : digits) {
        if (shift_ < 1 << 20) shift_ = shift_ * 10 + (digit - '0');  // larger exponents give the same result
      }
      if (downwards) shift_ = -shift_;
      format_ = Format::decimal_exponent;
      return true;
    }

    // Computes the amount. `point` is the number of digits before the decimal point, after the exponent is applied.
    constexpr std::optional<Quantity> sum(std::string_view whole, std::string_view fraction) const {
      const auto digit = [&](std::int64_t at) -> int {
        const auto place = static_cast<std::size_t>(at);
        if (at < 0 || place >= whole.size() + fraction.size()) return 0;
        return (place < whole.size() ? whole[place] : fraction[place - whole.size()]) - '0';
      };
      const auto count = static_cast<std::int64_t>(whole.size() + fraction.size());
      const std::int64_t point = static_cast<std::int64_t>(whole.size()) + shift_;
      Nanos below = 0;
      bool cut_off = false;
      for (std::int64_t i = count - 1; i >= point && (i >= 0 || below != 0); --i) {
        below += digit(i) * unit_;
        cut_off = cut_off || below % 10 != 0;
        below /= 10;
      }
      Nanos nanos = 0;
      for (std::int64_t i = 0; i < point && (i < count || nanos != 0); ++i) {
        if (__builtin_mul_overflow(nanos, Nanos(10), &nanos)) return too_large();
        if (__builtin_add_overflow(nanos, digit(i) * unit_, &nanos)) return too_large();
      }
      if (__builtin_add_overflow(nanos, below + (cut_off ? 1 : 0), &nanos)) return too_large();
      return finish(nanos);
    }

    constexpr std::optional<Quantity> too_large() const {
      return format_ == Format::binary_si ? std::optional(finish(largest_binary)) : std::nullopt;
    }

    // As in Kubernetes, an amount below 1 does not keep a binary suffix.
    constexpr Quantity finish(Nanos nanos) const {
      Quantity read;
      read.format_ = format_ == Format::binary_si && nanos > 0 && nanos < one ? Format::decimal_si : format_;
      if (read.format_ == Format::binary_si && nanos > largest_binary) nanos = largest_binary;
      read.nanos_ = negative_ ? -nanos : nanos;
      return read;
    }

    static constexpr Nanos largest_binary = static_cast<Nanos>(INT64_MAX) * one;

    std::string_view rest_;
    bool negative_ = false;
    Format format_ = Format::decimal_si;
    Nanos unit_ = one;
    std::int64_t shift_ = 0;  // a power of ten
  };

  static constexpr Quantity from_literal(std::string_view literal) {
    const std::optional<Quantity> read = Reader(literal).read();
    if (!read) this_literal_is_not_a_quantity();
    return *read;
  }
  // Not constexpr: a literal that is not a quantity would call this function, so it does not compile. The error of the
  // compiler contains the name of the function.
  static void this_literal_is_not_a_quantity() {}

  [[nodiscard]] std::int64_t rounded(Nanos unit) const noexcept;

  Nanos nanos_ = 0;
  Format format_ = Format::decimal_si;
};

}  // namespace pintle
