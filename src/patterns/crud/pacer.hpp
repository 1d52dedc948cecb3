// Pacer: keeps a distance between objects that are only looked at.
#pragma once

#include <algorithm>
#include <map>

#include <pintle/base/mutex.hpp>
#include <pintle/base/time.hpp>
#include <pintle/object/object.hpp>

namespace pintle::crud {

// Hands out turns, each `distance` after the one before it, and keeps one that lies ahead for its object. What is kept
// is bounded by the number of objects. Thread-safe.
class Pacer {
 public:
  Pacer(Executor& executor, Duration distance) : executor_(executor), distance_(distance), mutex_(executor) {}

  // How long it is until the object's turn, when to ask again; zero: it is now. One that has none gets the next.
  [[nodiscard]] Duration take_turn(const ObjectKey& key) {
    const MutexLock lock(mutex_);
    const Instant now = executor_.now();
    const auto [turn, is_new] = turns_.try_emplace(key, std::max(now, next_));
    if (is_new) next_ = after(turn->second, distance_);
    return until(turn, now);
  }
  // The same for one that perhaps has a turn already; zero if it has none.
  [[nodiscard]] Duration wait_for_turn(const ObjectKey& key) {
    const MutexLock lock(mutex_);
    const auto turn = turns_.find(key);
    return turn == turns_.end() ? Duration::zero() : until(turn, executor_.now());
  }
  // The object needs no turn any more.
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
