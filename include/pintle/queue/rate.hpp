// SPDX-License-Identifier: Apache-2.0
// Rate: a limit on the frequency of an action. RateLimiter: a token bucket for it.
#pragma once

#include <algorithm>

#include <pintle/base/time.hpp>

namespace pintle {

/// A plain value.
struct Rate {
  double per_second = 0;  ///< 0: no limit
  unsigned burst = 1;     ///< maximum number of actions at once after a pause

  [[nodiscard]] bool is_limited() const noexcept { return per_second > 0; }
};

/// A token bucket that receives the time from its caller. Thread-safety: none.
class RateLimiter {
 public:
  explicit RateLimiter(Rate rate) noexcept
      : interval_(rate.is_limited() ? static_cast<Duration::rep>(1e9 / rate.per_second) : 0),
        tolerance_(interval_ * (std::max(rate.burst, 1U) - 1)) {}

  /// The earliest time of the next action. A time in the past means that it may take place now.
  [[nodiscard]] Instant next() const noexcept { return Instant(full_ - tolerance_); }
  /// Records that an action takes place now.
  void spend(Instant now) noexcept { full_ = std::max(full_, now.time_since_epoch()) + interval_; }
  /// Reverts one spend(), because the action did not take place.
  void refund() noexcept { full_ -= interval_; }

 private:
  Duration interval_;
  Duration tolerance_;
  Duration full_{};  // time at which the bucket will be full again
};

}  // namespace pintle
