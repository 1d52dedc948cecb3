// Number: a number of a document, whichever way it is kept.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include <pintle/json/document.hpp>
#include <pintle/json/value.hpp>

namespace pintle::json {

// One that none of the others holds exactly, as it was written.
struct WrittenNumber {
  std::string_view text{};
};

// An unsigned one is greater than any signed one.
using Number = std::variant<std::int64_t, std::uint64_t, double, WrittenNumber>;

enum class NumberForm : std::uint8_t { none, integer, real };

// By the grammar of RFC 8259.
[[nodiscard]] NumberForm form_of(std::string_view number) noexcept;

// The value must be a number.
[[nodiscard]] Number number_of(const Value& value);
[[nodiscard]] Number number_of(View view) noexcept;
// Of one with a fraction, an exponent or too many digits for an integer; none when it is out of the range of doubles.
[[nodiscard]] std::optional<Number> read_number(std::string_view text);

// By value: 1 equals 1.0.
[[nodiscard]] bool equal(const Number& a, const Number& b) noexcept;
[[nodiscard]] double to_double(const Number& number) noexcept;
// The shortest digits that read back the same, as JavaScript places them; one with a fraction is always recognisable.
void print(std::string& out, const Number& number);

}  // namespace pintle::json
