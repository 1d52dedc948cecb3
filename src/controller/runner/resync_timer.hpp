// SPDX-License-Identifier: Apache-2.0
// ResyncTimer: the times at which all objects of a controller are reconciled again.
#pragma once

#include <algorithm>
#include <chrono>

#include <pintle/base/executor.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/base/random.hpp>

namespace pintle {

// Each interval is random, between 0.9 and 1.1 times the period, so that the controllers of several operators do not
// resync at the same time. A period of zero or less: never. Thread-safe.
class ResyncTimer {
 public:
  ResyncTimer(Executor& executor, Duration period) : executor_(executor), period_(period), mutex_(executor) {}

  void start() {
    const MutexLock lock(mutex_);
    due_ = next();
  }
  [[nodiscard]] Instant due() const {
    const MutexLock lock(mutex_);
    return due_;
  }
  // Returns whether a resync is due; true once for each interval, so that one of several workers carries it out.
  [[nodiscard]] bool take() {
    const MutexLock lock(mutex_);
    if (due_ == Instant::max() || executor_.now() < due_) return false;
    due_ = next();
    return true;
  }

 private:
  [[nodiscard]] Instant next() const PINTLE_REQUIRES(mutex_) {
    if (period_ <= Duration::zero()) return Instant::max();
    const double factor = 0.9 + 0.2 * Random::to_unit(executor_.random());
    const auto interval =
        std::chrono::duration<double, Duration::period>(static_cast<double>(period_.count()) * factor);
    return after(executor_.now(), std::max(std::chrono::duration_cast<Duration>(interval), min_interval));
  }

  static constexpr Duration min_interval = std::chrono::milliseconds(10);

  Executor& executor_;
  const Duration period_;
  mutable Mutex mutex_;
  Instant due_ PINTLE_GUARDED_BY(mutex_) = Instant::max();
};

}  // namespace pintle
