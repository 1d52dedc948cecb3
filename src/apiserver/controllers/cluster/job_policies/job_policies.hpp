// SPDX-License-Identifier: Apache-2.0
// The effect of podFailurePolicy and successPolicy of a Job.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include <pintle/object/object.hpp>

namespace pintle::apiserver {

// The effect of the failure of a Pod.
struct PodFailure {
  bool counts = true;       // toward backoffLimit
  std::string fails_job{};  // why the Job fails now; "" if it does not
};

// Evaluates the rules of podFailurePolicy in order; the first that matches counts.
[[nodiscard]] PodFailure judged_failure(const Object& job, const Object& pod);

// Returns which rule of successPolicy is met: "Matched rules at index 0"; "" if none is.
[[nodiscard]] std::string met_success_rule(const Object& job, const std::set<std::int64_t>& succeeded);

// {0, 1, 2, 5} for "0-2,5".
[[nodiscard]] std::set<std::int64_t> numbers_of(std::string_view ranges);

}  // namespace pintle::apiserver
