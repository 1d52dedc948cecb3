// SPDX-License-Identifier: Apache-2.0
// Pacer: spreads reconciles of the initial list and of resyncs over time.
#pragma once

#include <algorithm>
#include <map>

#include <pintle/base/mutex.hpp>
#include <pintle/base/time.hpp>
#include <pintle/object/object.hpp>

namespace pintle::crud {

// Assigns turns to objects. Each turn is at least `distance` after the previous one. A turn is stored until it has
// come, so the memory is bounded by the number of objects. Thread-safe.
class Pacer {
 public:
  Pacer(Executor& executor, Duration distance) : executor_(executor), distance_(distance), mutex_(executor) {}

  // The time until the turn of the object, after which the caller must call again; zero: the turn is now. An object
  // without a turn gets the next one.
  [[nodiscard]] Duration take_turn(const ObjectKey& key) {
    const MutexLock lock(mutex_);
    const Instant now = executor_.now();
    const auto [turn, is_new] = turns_.try_emplace(key, std::max(now, next_));
    if (is_new) next_ = after(turn->second, distance_);
    return until(turn, now);
  }
  // The same, but an object without a turn gets none, and the result is zero.
  [[nodiscard]] Duration wait_for_turn(const ObjectKey& key) {
    const MutexLock lock(mutex_);
    const auto turn = turns_.find(key);
    return turn == turns_.end() ? Duration::zero() : until(turn, executor_.now());
  }
  // Drops the turn of the object.
  void forget(const ObjectKey& key) {
    const MutexLock lock(mutex_);
    turns_.erase(key);
  }

 private:
  using Turns = std::map<ObjectKey, Instant>;

  Duration until(Turns::iterator turn, Instant now) PINTLE_REQUIRES(mutex_) {
    if (turn->second > now) return turn->second - now;
    turns_.erase(turn);
    return Duration::zero();
  }

  Executor& executor_;
  const Duration distance_;
  Mutex mutex_;
  Instant next_ PINTLE_GUARDED_BY(mutex_){};
  Turns turns_ PINTLE_GUARDED_BY(mutex_);
};

}  // namespace pintle::crud
