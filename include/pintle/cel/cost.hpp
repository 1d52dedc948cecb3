// SPDX-License-Identifier: Apache-2.0
// cel::estimate_cost(): the highest cost of an expression, from the sizes that its values can have.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include <pintle/base/annotations.hpp>
#include <pintle/cel/program.hpp>

namespace pintle::cel {

/// The cost of an evaluation in the units of EvaluationOptions is between these numbers. A number above 2^64 - 1 is
/// 2^64 - 1.
struct CostEstimate {
  std::uint64_t min = 0;
  std::uint64_t max = 0;
};

/// The largest size of a value: code points of a string, bytes of a `bytes` value, elements of a list, or entries of a
/// map. A path consists of the name of a variable and of the names of fields, "@items" for the elements of a list, and
/// "@keys" and "@values" for those of a map. Nothing: the size is unknown.
using MaxSize = std::function<std::optional<std::uint64_t>(std::span<const std::string> path)>;

/// Estimates the cost as Kubernetes does: from the types of the expression, its literals and the sizes of variables. A
/// size that is unknown counts as 2^64 - 1. An expression that Kubernetes rejects because of its cost therefore has a
/// high estimate even if its values are small in practice.
[[nodiscard]] PINTLE_EXPORT CostEstimate estimate_cost(const Program& program, const MaxSize& max_size = {});

}  // namespace pintle::cel
