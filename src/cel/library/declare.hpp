// SPDX-License-Identifier: Apache-2.0
// Helpers for the declarations of functions.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <pintle/base/error.hpp>
#include <pintle/base/result.hpp>
#include <pintle/cel/function.hpp>
#include <pintle/cel/value.hpp>

namespace pintle::cel {

// Limits of the results of one function. Kubernetes has only the limit of the cost, which counts the size afterwards.
inline constexpr std::size_t longest_text = std::size_t{16} << 20U;
inline constexpr std::size_t longest_list = std::size_t{4} << 20U;
// The comparisons of one function that compares each element with each other.
inline constexpr std::size_t most_comparisons = std::size_t{1} << 22U;

using Arguments = std::span<const Value>;

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
