// Retry: an operation that failed is tried again within the pass.
#pragma once

#include <functional>
#include <stop_token>
#include <vector>

#include <pintle/base/backoff.hpp>
#include <pintle/base/runtime.hpp>
#include <pintle/patterns/crud/resource.hpp>

namespace pintle::crud {

// A plain value: each call that is tried again starts over with it.
struct RetryPolicy {
  Backoff backoff{};
  unsigned max_retries = 7;  // after the first try
};

// 0.5 s at first, half as much more each time, a minute at most, each of them half to one and a half times as long by
// chance; 8 tries.
inline constexpr RetryPolicy default_retry_policy{
    .backoff = {.base = std::chrono::milliseconds(250), .factor = 1.5, .cap = std::chrono::seconds(30), .jitter = 2},
    .max_retries = 7};

// Calls until it succeeds; answers the last error when the retries are used up, and a terminal or cancelled one at
// once. A wait is at least as long as the Retry-After of the error. `before_wait` is asked whether to go on. The wait
// is the runtime's, and ends with `cancelled` when stop is requested.
Result<void> retry(Runtime& runtime, const std::stop_token& stop, const RetryPolicy& policy, const Call& call,
                   const std::function<bool(const Error&, Duration wait)>& before_wait = {});

// A hook that tries each operation again by itself: what came before it is not repeated. It blocks its worker
// meanwhile; a pass that just fails is tried again by the queue, which does not. The stop and the deadline of the pass
// end it, and so do the flags that cancel.
[[nodiscard]] Around retrying(RetryPolicy policy = default_retry_policy);

}  // namespace pintle::crud
