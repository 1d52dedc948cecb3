// Number: what rules of a schema compare; every int64, uint64 and double exactly, whatever a machine's long double is.
#pragma once

#include <compare>
#include <string>

#include <pintle/json/document.hpp>

namespace pintle {

struct Number {
  double nearest = 0;
  double rest = 0;  // the sum of both is the number; doubles alone cannot tell large integers apart

  friend auto operator<=>(const Number&, const Number&) = default;
};

// 0 for what is no number.
[[nodiscard]] Number number_of(json::View value);
// Between whole numbers exactly; otherwise as near as 0.3 is to a multiple of 0.1. The step must be greater than 0.
[[nodiscard]] bool is_multiple(const Number& number, const Number& step);
// The same for equal numbers: whole ones have no fraction.
[[nodiscard]] std::string number_text(json::View value);

}  // namespace pintle
