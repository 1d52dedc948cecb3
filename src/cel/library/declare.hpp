// SPDX-License-Identifier: Apache-2.0
// Helpers for the declarations of functions.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <pintle/base/error.hpp>
#include <pintle/base/result.hpp>
#include <pintle/cel/function.hpp>

namespace pintle::cel {

[[nodiscard]] inline Overload global(std::vector<Type> parameters, Type result, Function function,
                                     FunctionCost cost = {}) {
  return {.parameters = std::move(parameters),
          .result = std::move(result),
          .is_member = false,
          .function = std::move(function),
          .cost = std::move(cost)};
}

[[nodiscard]] inline Overload member(std::vector<Type> parameters, Type result, Function function,
                                     FunctionCost cost = {}) {
  auto overload = global(std::move(parameters), std::move(result), std::move(function), std::move(cost));
  overload.is_member = true;
  return overload;
}

[[nodiscard]] inline tl::unexpected<Error> failure(std::string message) {
  return fail(ErrorCode::invalid, std::move(message));
}

}  // namespace pintle::cel
