// Rate: how often something may happen, and the limiter that says when it may happen next.
#pragma once

#include <algorithm>

#include <pintle/base/time.hpp>

namespace pintle {

// A plain value; per_second 0 is no limit.
struct Rate {
  double per_second = 0;
  unsigned burst = 1;  // how many may come at once after a rest

  [[nodiscard]] bool is_limited() const noexcept { return per_second > 0; }
};

// A token bucket that is told the time. Thread-safety: none.
class RateLimiter {
 public:
  explicit RateLimiter(Rate rate) noexcept
      : interval_(rate.is_limited() ? static_cast<Duration::rep>(1e9 / rate.per_second) : 0),
        tolerance_(interval_ * (std::max(rate.burst, 1U) - 1)) {}

  // When the next one may happen; in the past or now: at once.
  [[nodiscard]] Instant next() const noexcept { return Instant(full_ - tolerance_); }
  // One happens now.
  void spend(Instant now) noexcept { full_ = std::max(full_, now.time_since_epoch()) + interval_; }
  // One that was spent did not happen after all.
  void refund() noexcept { full_ -= interval_; }

 private:
  Duration interval_;
  Duration tolerance_;
  Duration full_{};  // when the bucket will be full again
};

}  // namespace pintle
