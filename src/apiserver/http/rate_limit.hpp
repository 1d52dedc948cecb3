// SPDX-License-Identifier: Apache-2.0
// RateLimit: the maximum number of requests per second.
#pragma once

#include <pintle/base/executor.hpp>
#include <pintle/base/mutex.hpp>

namespace pintle::apiserver {

// A token bucket that holds the requests of one second and is full at first. Thread-safe.
class RateLimit {
 public:
  // 0: no limit.
  RateLimit(Executor& executor, double per_second);

  // Returns false if the request exceeds the limit.
  [[nodiscard]] bool take();

 private:
  Executor& executor_;
  const double per_second_;
  const double max_tokens_;
  Mutex mutex_;
  double left_ PINTLE_GUARDED_BY(mutex_);
  Instant filled_ PINTLE_GUARDED_BY(mutex_);
};

}  // namespace pintle::apiserver
