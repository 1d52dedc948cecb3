#include "rate_limit.hpp"

#include <algorithm>
#include <chrono>

namespace pintle::apiserver {

RateLimit::RateLimit(Runtime& runtime, double per_second)
    : runtime_(runtime),
      per_second_(per_second),
      most_(std::max(1.0, per_second)),
      mutex_(runtime),
      left_(most_),
      filled_(runtime.now()) {}

bool RateLimit::take() {
  if (per_second_ <= 0) return true;
  const MutexLock lock(mutex_);
  const Instant now = runtime_.now();
  left_ = std::min(most_, left_ + per_second_ * std::chrono::duration<double>(now - filled_).count());
  filled_ = now;
  if (left_ < 1) return false;
  left_ -= 1;
  return true;
}

}  // namespace pintle::apiserver
