// WorkQueue: each key once, later, not too often, in order of priority; the only place that schedules work.
#pragma once

#include <optional>
#include <utility>

#include <pintle/base/backoff.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/base/random.hpp>
#include <pintle/queue/queue_state.hpp>

namespace pintle {

// Work that a person or a change waits for comes before work that only looks whether all is well.
inline constexpr int normal_priority = 0;
inline constexpr int low_priority = -100;  // initial list, resync

// The rules of QueueState behind a lock. A key is never with two workers; whatever is added while it is with one causes
// exactly one more turn. Bounded by the number of distinct keys. Thread-safe; `Cause` needs only to move.
template <class Key, class Cause>
class WorkQueue {
 public:
  using Item = QueueItem<Key, Cause>;

  explicit WorkQueue(Runtime& runtime, Backoff backoff = controller_backoff)
      : runtime_(runtime), backoff_(backoff), mutex_(runtime), changed_(runtime) {}

  // Due at once.
  void add(const Key& key, Cause cause, int priority = normal_priority) {
    add_after(key, Duration::zero(), std::move(cause), priority);
  }

  // Due after a delay; zero or less is at once. The earlier of two times holds.
  void add_after(const Key& key, Duration delay, Cause cause, int priority = normal_priority) {
    const MutexLock lock(mutex_);
    if (shut_) return;
    state_.add(key, after(runtime_.now(), delay), priority, std::move(cause));
    changed_.notify_one();
  }

  // Due after the back-off of one more failure, `at_least` later than now; answers the delay.
  Duration add_backed_off(const Key& key, Cause cause, Duration at_least = {}, int priority = normal_priority) {
    const MutexLock lock(mutex_);
    if (shut_) return {};
    const Duration delay = std::max(at_least, backoff_.delay(state_.fail(key), Random::to_unit(runtime_.random())));
    state_.add(key, after(runtime_.now(), delay), priority, std::move(cause));
    changed_.notify_one();
    return delay;
  }

  // Clears the failures of a key.
  void forget(const Key& key) {
    const MutexLock lock(mutex_);
    state_.forget(key);
  }

  // Waits for a key that is due. Nothing after shutdown(). Each item that is handed out must be given back with done().
  [[nodiscard]] std::optional<Item> get() {
    const MutexLock lock(mutex_);
    while (!shut_) {
      const Instant now = runtime_.now();
      if (auto item = state_.take(now)) {
        // One notification may have stood for several keys, and only one waiter watches the next due time.
        if (state_.waiting() != 0) changed_.notify_one();
        return item;
      }
      changed_.wait_until(mutex_, state_.next_due());
    }
    return std::nullopt;
  }

  void done(const Key& key) {
    const MutexLock lock(mutex_);
    state_.done(key);
    changed_.notify_one();
  }

  // Ignores adds from now on and ends every get() with nothing; what waits is dropped.
  void shutdown() {
    const MutexLock lock(mutex_);
    shut_ = true;
    changed_.notify_all();
  }

  [[nodiscard]] std::size_t waiting() const {
    const MutexLock lock(mutex_);
    return state_.waiting();
  }
  // Nothing is due or being processed; what waits for later may remain.
  [[nodiscard]] bool is_quiet() {
    const MutexLock lock(mutex_);
    return state_.processing() == 0 && !state_.has_ready(runtime_.now());
  }

 private:
  Runtime& runtime_;
  const Backoff backoff_;
  mutable Mutex mutex_;
  Condition changed_;
  QueueState<Key, Cause> state_ PINTLE_GUARDED_BY(mutex_);
  bool shut_ PINTLE_GUARDED_BY(mutex_) = false;
};

}  // namespace pintle
