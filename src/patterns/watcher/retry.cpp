// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/watcher/retry.hpp>

#include <pintle/base/backoff.hpp>

namespace pintle::watcher {

RetryPolicy exponential_backoff_retry_policy(Duration initial_delay, unsigned max_attempts) {
  return [initial_delay, max_attempts](const Error&, unsigned attempt) -> std::optional<Duration> {
    if (attempt > max_attempts) return std::nullopt;
    return Backoff{.base = initial_delay, .factor = 2, .cap = Duration::max()}.delay(attempt);
  };
}

RetryPolicy linear_retry_policy(Duration delay, unsigned max_attempts) {
  return [delay, max_attempts](const Error&, unsigned attempt) -> std::optional<Duration> {
    if (attempt > max_attempts) return std::nullopt;
    return delay;
  };
}

RetryPolicy default_retry_policy() { return exponential_backoff_retry_policy(std::chrono::seconds(5), 5); }

bool opinionated_retry_dequeue_policy(const DequeueRequest& request) {
  if (request.new_action == ResourceAction::delete_) return true;
  if (request.new_action != request.retry_action) return false;
  return request.new_object.generation() != request.retry_object.generation();
}

}  // namespace pintle::watcher
