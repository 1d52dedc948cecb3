// When a handler that failed is called again, and when a retry is not wanted any more.
#pragma once

#include <functional>
#include <optional>

#include <pintle/base/error.hpp>
#include <pintle/base/time.hpp>
#include <pintle/object/object.hpp>
#include <pintle/patterns/watcher/action.hpp>

namespace pintle::watcher {

// After how long a call that failed is made again; none: it is given up. `attempt` is 0 after the first call, 1 after
// the first retry. Called on a worker.
using RetryPolicy = std::function<std::optional<Duration>(const Error& error, unsigned attempt)>;

// initial_delay · 2^attempt for the attempts 0 to max_attempts, so max_attempts + 1 retries.
[[nodiscard]] RetryPolicy exponential_backoff_retry_policy(Duration initial_delay, unsigned max_attempts);
// The same delay for each of them.
[[nodiscard]] RetryPolicy linear_retry_policy(Duration delay, unsigned max_attempts);
// 5, 10, 20, 40, 80 and 160 s.
[[nodiscard]] RetryPolicy default_retry_policy();

// What a retry is asked about when something new happened to its object. A resync is UPDATE here.
struct DequeueQuestion {
  ResourceAction new_action = ResourceAction::none;
  const Object& new_object;
  ResourceAction retry_action = ResourceAction::none;
  const Object& retry_object;          // the newest that is known of it before
  const Error* retry_error = nullptr;  // null when it waits for a time that it asked for
};

// Whether a retry that waits is dropped in favour of what is new; an empty one drops each. Called on a worker.
using RetryDequeuePolicy = std::function<bool(const DequeueQuestion& question)>;

// A delete drops every retry; another action than that of the retry, or the same generation, keeps it; else it goes.
[[nodiscard]] bool opinionated_retry_dequeue_policy(const DequeueQuestion& question);

}  // namespace pintle::watcher
