// SPDX-License-Identifier: Apache-2.0
#include "rate_limit.hpp"

#include <algorithm>
#include <chrono>

namespace pintle::apiserver {

RateLimit::RateLimit(Executor& executor, double per_second)
    : executor_(executor),
      per_second_(per_second),
      max_tokens_(std::max(1.0, per_second)),
      mutex_(executor),
      left_(max_tokens_),
      filled_(executor.now()) {}

bool RateLimit::take() {
  if (per_second_ <= 0) return true;
  const MutexLock lock(mutex_);
  const Instant now = executor_.now();
  left_ = std::min(max_tokens_, left_ + per_second_ * std::chrono::duration<double>(now - filled_).count());
  filled_ = now;
  if (left_ < 1) return false;
  left_ -= 1;
  return true;
}

}  // namespace pintle::apiserver
