// SPDX-License-Identifier: Apache-2.0
// Retry policies: when a failed handler is called again, and when a new event drops a retry.
#pragma once

#include <functional>
#include <optional>

#include <pintle/base/annotations.hpp>
#include <pintle/base/error.hpp>
#include <pintle/base/time.hpp>
#include <pintle/object/object.hpp>
#include <pintle/patterns/watcher/action.hpp>

namespace pintle::watcher {

/// Returns the delay before a failed call is repeated, or nothing if no retry follows. `attempt` is 0 after the first
/// call, and 1 after the first retry. Called on a worker.
using RetryPolicy = std::function<std::optional<Duration>(const Error& error, unsigned attempt)>;

/// Returns a policy with max_attempts + 1 retries. The delay before the first retry is initial_delay, and each further
/// delay is twice the one before.
[[nodiscard]] PINTLE_EXPORT RetryPolicy exponential_backoff_retry_policy(Duration initial_delay, unsigned max_attempts);
/// The same delay for each of these attempts.
[[nodiscard]] PINTLE_EXPORT RetryPolicy linear_retry_policy(Duration delay, unsigned max_attempts);
/// Delays of 5, 10, 20, 40, 80 and 160 s.
[[nodiscard]] PINTLE_EXPORT RetryPolicy default_retry_policy();

/// The arguments of a RetryDequeuePolicy: a new event, and a waiting retry for the same object. The policy is not
/// called for a resync. The retry of a resync has the action update.
struct DequeueRequest {
  ResourceAction new_action = ResourceAction::none;
  const Object& new_object;
  ResourceAction retry_action = ResourceAction::none;
  const Object& retry_object;          ///< its newest known state before the event
  const Error* retry_error = nullptr;  ///< null if the handler requested the call
};

/// Returns whether the new event drops the waiting retry. An empty policy drops every retry. Called on a worker.
using RetryDequeuePolicy = std::function<bool(const DequeueRequest& request)>;

/// A delete drops every retry. Any other event drops a retry of the same action if the generation has changed, and
/// keeps all other retries.
[[nodiscard]] PINTLE_EXPORT bool opinionated_retry_dequeue_policy(const DequeueRequest& request);

}  // namespace pintle::watcher
