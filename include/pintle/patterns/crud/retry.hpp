// SPDX-License-Identifier: Apache-2.0
// Retry: repeats a failed operation within the reconcile.
#pragma once

#include <functional>
#include <stop_token>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/backoff.hpp>
#include <pintle/base/executor.hpp>
#include <pintle/patterns/crud/resource.hpp>

namespace pintle::crud {

/// A value type without state: each call of retry() begins with the first delay.
struct RetryPolicy {
  Backoff backoff{};
  unsigned max_retries = 7;  ///< after the first attempt
};

/// 8 attempts. The mean delay is 0.5 s at first, grows by a factor of 1.5 with each retry, and is at most one minute.
/// Each delay is 0.5 to 1.5 times its mean, at random.
inline constexpr RetryPolicy default_retry_policy{
    .backoff = {.base = std::chrono::milliseconds(250), .factor = 1.5, .cap = std::chrono::seconds(30), .jitter = 2},
    .max_retries = 7};

/// Calls `call` until it succeeds. Returns the last error when the retries are used up; returns a terminal error or
/// `cancelled` at once. Each delay is at least the Retry-After of the error. `before_wait` is called before each delay;
/// if it returns false, the error is returned. The delays use the clock of `executor` and end with the error
/// `cancelled` when `stop` is requested.
PINTLE_EXPORT Result<void> retry(Executor& executor, const std::stop_token& stop, const RetryPolicy& policy,
                                 const Call& call,
                                 const std::function<bool(const Error&, Duration wait)>& before_wait = {});

/// A hook that repeats only the operation that failed, and not the operations before it. It blocks its worker during
/// the delays; the queue, in contrast, retries a failed reconcile without blocking a worker. There is no further retry
/// once a stop of the reconcile is requested, its deadline has passed, or one of the flags reconciliation_canceled and
/// resource_canceled is set (see ReconcileFlags).
[[nodiscard]] PINTLE_EXPORT Around with_retries(RetryPolicy policy = default_retry_policy);

}  // namespace pintle::crud
