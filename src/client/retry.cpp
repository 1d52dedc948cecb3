// SPDX-License-Identifier: Apache-2.0
#include "retry.hpp"

#include <algorithm>

namespace pintle {

namespace {

std::optional<Duration> requested_pause(const Error& error, const RetryOptions& options) {
  return error.retry_after && *error.retry_after <= options.max_pause ? error.retry_after : std::nullopt;
}

// A budget allows an eviction when another Pod has become ready, which can take long.
bool is_refused_by_budget(const Error& error) {
  return std::ranges::find(error.causes, "DisruptionBudget", &StatusCause::reason) != error.causes.end();
}

}  // namespace

std::optional<Duration> retry_pause(const Error& error, Repeatable repeatable, const Attempts& attempts,
                                    const RetryOptions& options) {
  constexpr int too_many_requests = 429;
  if (attempts.retries >= options.max_retries || is_refused_by_budget(error)) return std::nullopt;
  if (error.http_status == too_many_requests) return requested_pause(error, options);
  if (repeatable == Repeatable::no) return std::nullopt;
  if (error.http_status >= 500) return requested_pause(error, options);
  if (error.code != ErrorCode::unreachable) return std::nullopt;
  const Duration pause = options.unreachable.delay(attempts.retries);
  return attempts.elapsed + pause <= options.unreachable_for ? std::optional(pause) : std::nullopt;
}

}  // namespace pintle
