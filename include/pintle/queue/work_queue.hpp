// SPDX-License-Identifier: Apache-2.0
// WorkQueue: contains each key once, with delay, rate limits and priorities. Nothing else schedules reconciles.
#pragma once

#include <optional>
#include <utility>

#include <pintle/base/backoff.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/base/random.hpp>
#include <pintle/queue/queue_state.hpp>

namespace pintle {

/// Keys that were added because of a change run before keys that are only checked.
inline constexpr int normal_priority = 0;
inline constexpr int low_priority = -100;  ///< initial list, resync

template <class Key>
struct WorkQueueOptions {
  Backoff backoff = controller_backoff;
  QueueOptions<Key> rules{};
  QueueMetrics* metrics = nullptr;  ///< must outlive the queue
};

/// QueueState behind a lock. A key is never processed by two workers. If it is added while a worker processes it,
/// however often, it is processed exactly once more. `Cause` must be movable. Thread-safe.
template <class Key, class Cause>
class WorkQueue {
 public:
  using State = QueueState<Key, Cause>;
  using Item = typename State::Item;

  /// `is_droppable`: see QueueState::IsDroppable. It is called under the lock of the queue.
  explicit WorkQueue(Executor& executor, WorkQueueOptions<Key> options = {},
                     typename State::IsDroppable is_droppable = {})
      : executor_(executor),
        backoff_(options.backoff),
        metrics_(options.metrics),
        mutex_(executor),
        changed_(executor),
        state_(std::move(options.rules), options.metrics, std::move(is_droppable)) {}

  /// Adds a key that is due immediately. Returns false, and adds nothing, if stop() or drain() was called, or if the
  /// queue is full and does not contain the key.
  bool add(const Key& key, Cause cause, int priority = normal_priority) {
    return add_after(key, Duration::zero(), std::move(cause), priority);
  }

  /// Adds a key that is due after `delay`; zero or less: immediately. If the key is already waiting, the earlier time
  /// applies. Returns as add().
  bool add_after(const Key& key, Duration delay, Cause cause, int priority = normal_priority) {
    bool is_in = false;
    bool is_awaited = false;
    {
      const MutexLock lock(mutex_);
      if (closed_) return false;
      const Instant now = latest_ = executor_.now();
      is_in = state_.add(key, now, after(now, delay), priority, std::move(cause)) != AddResult::rejected;
      if (!is_in) ++rejected_;
      is_awaited = idle_ != 0;
    }
    if (is_awaited) changed_.notify_one();
    return is_in;
  }

  /// After a failure, adds the key in work again: counts the failure and returns the delay, which is the back-off or
  /// `at_least`, whichever is longer. `cause_of` receives the time at which the delay ends and returns the cause; with
  /// min_interval, the key may be due later.
  template <class CauseOf>
  Duration add_rate_limited(const Item& item, CauseOf cause_of, Duration at_least = {}) {
    const MutexLock lock(mutex_);
    if (closed_) return {};
    const Instant now = executor_.now();
    const Duration delay = std::max(at_least, backoff_.delay(state_.fail(item), Random::to_unit(executor_.random())));
    const Instant due = after(now, delay);
    state_.add(item.key, now, due, item.priority, cause_of(due));
    if (metrics_ != nullptr) metrics_->retried();
    return delay;
  }

  /// The delay that add_rate_limited() uses after this number of failures.
  [[nodiscard]] Duration next_backoff(unsigned failures) {
    return backoff_.delay(failures, Random::to_unit(executor_.random()));
  }

  /// Puts a key in work back into the queue, where it waits until `due`; see QueueState::put_back().
  void put_back(Item& item, Instant due, int priority) {
    const MutexLock lock(mutex_);
    if (closed_) return;
    state_.put_back(item, executor_.now(), due, priority);
  }

  /// Clears the failures of a key in work.
  void forget(const Item& item) {
    const MutexLock lock(mutex_);
    state_.forget(item);
  }

  /// Waits until a key is due and returns it. Returns nothing after stop() or the end of drain(), or if no key is due
  /// at `deadline`. The worker must call done() for each item.
  [[nodiscard]] std::optional<Item> get(Instant deadline = Instant::max()) {
    const MutexLock lock(mutex_);
    while (!shut_ && !state_.can_take(time_for_state())) {
      if (deadline != Instant::max() && executor_.now() >= deadline) return std::nullopt;
      ++idle_;
      changed_.wait_until(mutex_, std::min(state_.next_due(), deadline));
      --idle_;
    }
    if (shut_) return std::nullopt;
    // Wake another worker, because several added keys may have caused only one notification. Without a notification, a
    // waiting worker sleeps until the time that was the earliest due time when it began to wait, and ignores keys that
    // were added later.
    if (state_.waiting() > 1) wake_one();
    return state_.take(latest_);
  }

  /// Ends the processing of an item and clears its causes.
  void done(Item& item) {
    item.causes.clear();  // without the lock, because this may destroy objects
    const MutexLock lock(mutex_);
    state_.done(item, time_for_state());
    if (closed_ || state_.waiting() != 0) wake_one();
  }

  /// Ignores further adds, drops the waiting keys, and lets every get() return nothing. Items in work still need
  /// done().
  void stop() {
    const MutexLock lock(mutex_);
    close();
  }

  /// Ignores further adds and waits until the workers have finished the keys that are due, or until the deadline; then
  /// does the same as stop(). Keys that are due later are dropped. Returns whether the workers have finished.
  bool drain(Instant deadline) {
    const MutexLock lock(mutex_);
    closed_ = true;
    changed_.notify_all();  // otherwise a later notification could wake this thread instead of a worker
    while (!shut_ && !nothing_is_due()) {
      if (!changed_.wait_until(mutex_, deadline)) break;
    }
    const bool drained = nothing_is_due();
    close();
    return drained;
  }

  /// Whether get() returns nothing from now on.
  [[nodiscard]] bool has_stopped() const {
    const MutexLock lock(mutex_);
    return shut_;
  }
  [[nodiscard]] std::size_t waiting() const {
    const MutexLock lock(mutex_);
    return state_.waiting();
  }
  /// Number of keys with any state, including failures and pace.
  [[nodiscard]] std::size_t entries() const {
    const MutexLock lock(mutex_);
    return state_.entries();
  }
  /// Returns the number of keys that were rejected because the queue was full, since the last call.
  [[nodiscard]] std::size_t take_rejected_count() {
    const MutexLock lock(mutex_);
    return std::exchange(rejected_, 0);
  }
  /// True if a key is due that no worker has.
  [[nodiscard]] bool has_due() {
    const MutexLock lock(mutex_);
    return state_.has_ready(executor_.now());
  }
  /// True if no key is due or in work. Keys that are due later may be waiting.
  [[nodiscard]] bool is_idle() {
    const MutexLock lock(mutex_);
    return nothing_is_due();
  }
  /// Updates the metrics that grow with time.
  void measure() const {
    const MutexLock lock(mutex_);
    state_.measure(executor_.now());
  }
  /// Calls `visitor` with a view of each entry, under the lock; `visitor` must not call this queue.
  template <class Visitor>
  void visit(Visitor visitor) const {
    const MutexLock lock(mutex_);
    state_.for_each_entry(std::move(visitor));
  }

 private:
  void wake_one() PINTLE_REQUIRES(mutex_) {
    if (closed_) {
      changed_.notify_all();  // drain() waits too
    } else if (idle_ != 0) {
      changed_.notify_one();
    }
  }
  // Reads the clock only if the state depends on it: reading it takes a fifth of the time of a get() and done().
  [[nodiscard]] Instant time_for_state() PINTLE_REQUIRES(mutex_) {
    if (state_.uses_clock()) latest_ = executor_.now();
    return latest_;
  }
  [[nodiscard]] bool nothing_is_due() PINTLE_REQUIRES(mutex_) {
    return state_.processing() == 0 && !state_.has_ready(executor_.now());
  }
  void close() PINTLE_REQUIRES(mutex_) {
    closed_ = true;
    if (std::exchange(shut_, true)) return;
    state_.clear_waiting(executor_.now());
    changed_.notify_all();
  }

  Executor& executor_;
  const Backoff backoff_;
  QueueMetrics* const metrics_;
  mutable Mutex mutex_;
  CondVar changed_;
  State state_ PINTLE_GUARDED_BY(mutex_);
  Instant latest_ PINTLE_GUARDED_BY(mutex_){};
  std::size_t idle_ PINTLE_GUARDED_BY(mutex_) = 0;  // workers that wait in get()
  std::size_t rejected_ PINTLE_GUARDED_BY(mutex_) = 0;
  bool closed_ PINTLE_GUARDED_BY(mutex_) = false;
  bool shut_ PINTLE_GUARDED_BY(mutex_) = false;
};

}  // namespace pintle
