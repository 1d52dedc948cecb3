// RateLimit: how many requests a server answers in a second.
#pragma once

#include <pintle/base/executor.hpp>
#include <pintle/base/mutex.hpp>

namespace pintle::apiserver {

// A bucket that holds as many requests as come in one second, and is full at first. Thread-safe.
class RateLimit {
 public:
  // 0: no limit.
  RateLimit(Executor& executor, double per_second);

  // Whether a request may be answered now.
  [[nodiscard]] bool take();

 private:
  Executor& executor_;
  const double per_second_;
  const double most_;
  Mutex mutex_;
  double left_ PINTLE_GUARDED_BY(mutex_);
  Instant filled_ PINTLE_GUARDED_BY(mutex_);
};

}  // namespace pintle::apiserver
