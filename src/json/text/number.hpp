// SPDX-License-Identifier: Apache-2.0
// Number: a number of a document, in any of its representations.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include <pintle/json/document.hpp>
#include <pintle/json/value.hpp>

namespace pintle::json {

// A number that none of the other types represents exactly, as its original text.
struct WrittenNumber {
  std::string_view text{};
};

// A std::uint64_t is always greater than the maximum of std::int64_t.
using Number = std::variant<std::int64_t, std::uint64_t, double, WrittenNumber>;

enum class NumberForm : std::uint8_t { none, integer, real };

// Classifies a text by the number grammar of RFC 8259.
[[nodiscard]] NumberForm form_of(std::string_view number) noexcept;

// The value must be a number.
[[nodiscard]] Number number_of(const Value& value);
[[nodiscard]] Number number_of(View view) noexcept;
// Parses a number with a fraction, an exponent or too many digits for an integer. Returns nothing if it is outside the
// range of double.
[[nodiscard]] std::optional<Number> read_number(std::string_view text);

// Compares by value: 1 equals 1.0.
[[nodiscard]] bool equal(const Number& a, const Number& b) noexcept;
[[nodiscard]] double to_double(const Number& number) noexcept;
// Prints the shortest digits that parse to the same number, in the notation of JavaScript. A double always has a
// fraction or an exponent, so that its type is recognizable.
void print(std::string& out, const Number& number);

}  // namespace pintle::json
