// SPDX-License-Identifier: Apache-2.0
// Number: a number that the rules of a schema compare. It represents every int64, uint64 and double exactly,
// independent of the size of long double.
#pragma once

#include <compare>
#include <string>

#include <pintle/json/document.hpp>

namespace pintle {

struct Number {
  double nearest = 0;
  double rest = 0;  // nearest + rest is the number; one double cannot represent each large integer

  friend auto operator<=>(const Number&, const Number&) = default;
};

// Returns 0 if the value is not a number.
[[nodiscard]] Number number_of(json::View value);
// Returns whether `number` is a multiple of `step`: exactly for whole numbers, otherwise with a tolerance, so that 0.3
// is a multiple of 0.1. The step must be greater than 0.
[[nodiscard]] bool is_multiple(const Number& number, const Number& step);
// Returns the same text for equal numbers: whole numbers have no fraction.
[[nodiscard]] std::string number_text(json::View value);

}  // namespace pintle
