// SPDX-License-Identifier: Apache-2.0
// Equality and order of values. Numbers of different types are compared by their mathematical value.
#pragma once

#include <compare>
#include <cstddef>
#include <optional>

#include <pintle/base/result.hpp>
#include <pintle/cel/value.hpp>

namespace pintle::cel {

// The first doubles above the ranges of int and uint.
inline constexpr double two_to_63 = 9223372036854775808.0;
inline constexpr double two_to_64 = 18446744073709551616.0;

// Compares two numbers of any type; `unordered` for NaN. Returns nothing if one of the values is no number.
[[nodiscard]] std::optional<std::partial_ordering> compare_numbers(const Value& a, const Value& b) noexcept;

// Compares two values of one kind that has an order, or two numbers. Returns nothing for other values.
[[nodiscard]] std::optional<std::partial_ordering> compare_values(const Value& a, const Value& b) noexcept;

// Values of different kinds are different, except for numbers. Lists with keys are compared without regard to their
// order. `work` is reduced by the number of compared parts; the
// comparison of large lists and maps ends with an error when it is 0. Error: also that of a member of a map.
[[nodiscard]] Result<bool> equal_values(const Value& a, const Value& b, std::size_t& work);

// Whether two elements of a list with keys have the same identity. `work` and errors are as in equal_values().
[[nodiscard]] Result<bool> same_element(const Value& a, const Value& b, const ListKeys& keys, std::size_t& work);

// A strict order of the keys of maps: of booleans, numbers and strings. Other values are equal to each other.
[[nodiscard]] bool key_less(const Value& a, const Value& b) noexcept;

}  // namespace pintle::cel
