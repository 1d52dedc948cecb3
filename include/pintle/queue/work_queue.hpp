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

template <class Key>
struct QueueOptions {
  Backoff backoff = controller_backoff;
  QueueRules<Key> rules{};
  QueueMetrics* metrics = nullptr;  // has to outlive the queue
};

// The rules of QueueState behind a lock. A key is never with two workers; whatever is added while it is with one causes
// exactly one more turn. Thread-safe; `Cause` needs only to move.
template <class Key, class Cause>
class WorkQueue {
 public:
  using State = QueueState<Key, Cause>;
  using Item = typename State::Item;

  // `is_minor` is that of QueueState; it is called under the lock of the queue.
  explicit WorkQueue(Runtime& runtime, QueueOptions<Key> options = {}, typename State::IsMinor is_minor = {})
      : runtime_(runtime),
        backoff_(options.backoff),
        metrics_(options.metrics),
        mutex_(runtime),
        changed_(runtime),
        state_(std::move(options.rules), options.metrics, std::move(is_minor)) {}

  // Due at once. False when the queue is full or closed, and the key is not in it.
  bool add(const Key& key, Cause cause, int priority = normal_priority) {
    return add_after(key, Duration::zero(), std::move(cause), priority);
  }

  // Due after a delay; zero or less is at once. The earlier of two times holds.
  bool add_after(const Key& key, Duration delay, Cause cause, int priority = normal_priority) {
    bool is_in = false;
    bool is_awaited = false;
    {
      const MutexLock lock(mutex_);
      if (closed_) return false;
      const Instant now = latest_ = runtime_.now();
      is_in = state_.add(key, now, after(now, delay), priority, std::move(cause)) != QueueAdd::refused;
      if (!is_in) ++refused_;
      is_awaited = idle_ != 0;
    }
    if (is_awaited) changed_.notify_one();
    return is_in;
  }

  // For a key in work: due after the back-off of one more failure, `at_least` later than now; answers the delay.
  // `cause_of` makes the cause from the time at which it is due.
  template <class CauseOf>
  Duration add_backed_off(const Item& item, CauseOf cause_of, Duration at_least = {}) {
    const MutexLock lock(mutex_);
    if (closed_) return {};
    const Instant now = runtime_.now();
    const Duration delay = std::max(at_least, backoff_.delay(state_.fail(item), Random::to_unit(runtime_.random())));
    const Instant due = after(now, delay);
    state_.add(item.key, now, due, item.priority, cause_of(due));
    if (metrics_ != nullptr) metrics_->retried();
    return delay;
  }

  // The next delay of add_backed_off() after so many failures.
  [[nodiscard]] Duration backed_off(unsigned failures) {
    return backoff_.delay(failures, Random::to_unit(runtime_.random()));
  }

  // For a key in work that is not to be worked on before `due`: QueueState::give_back().
  void give_back(Item& item, Instant due, int priority) {
    const MutexLock lock(mutex_);
    if (closed_) return;
    state_.give_back(item, runtime_.now(), due, priority);
  }

  // For a key in work: clears its failures.
  void forget(const Item& item) {
    const MutexLock lock(mutex_);
    state_.forget(item);
  }

  // Waits for a key that is due. Nothing once the queue is shut. Each item that is handed out must be given back with
  // done().
  [[nodiscard]] std::optional<Item> get() {
    const MutexLock lock(mutex_);
    while (!shut_ && !state_.can_take(time_for_state())) {
      ++idle_;
      changed_.wait_until(mutex_, state_.next_turn());
      --idle_;
    }
    if (shut_) return std::nullopt;
    // One notification may have stood for several keys, and each waiter watches the next due time only as it was.
    if (state_.waiting() > 1) wake_one();
    return state_.take(latest_);
  }

  // Ends the processing of an item, whose causes go.
  void done(Item& item) {
    item.causes.clear();  // before the lock: they may be the last to hold an object
    const MutexLock lock(mutex_);
    state_.done(item, time_for_state());
    if (closed_ || state_.waiting() != 0) wake_one();
  }

  // Ignores adds from now on and ends every get() with nothing; what waits is dropped. Items in work are still owed
  // their done().
  void shutdown() {
    const MutexLock lock(mutex_);
    close();
  }

  // Ignores adds from now on, lets the workers finish what is due, and shuts down when that is done or at the deadline;
  // what is delayed until later is dropped. Whether it was done.
  bool drain(Instant deadline) {
    const MutexLock lock(mutex_);
    closed_ = true;
    changed_.notify_all();  // or this one is woken in place of a worker
    while (!shut_ && !nothing_is_due()) {
      if (!changed_.wait_until(mutex_, deadline)) break;
    }
    const bool drained = nothing_is_due();
    close();
    return drained;
  }

  [[nodiscard]] std::size_t waiting() const {
    const MutexLock lock(mutex_);
    return state_.waiting();
  }
  // Keys that are known in any way.
  [[nodiscard]] std::size_t entries() const {
    const MutexLock lock(mutex_);
    return state_.entries();
  }
  // How many keys were refused because the queue was full, since this was last asked.
  [[nodiscard]] std::size_t take_refused() {
    const MutexLock lock(mutex_);
    return std::exchange(refused_, 0);
  }
  // Nothing is due or being processed; what waits for later may remain.
  [[nodiscard]] bool is_quiet() {
    const MutexLock lock(mutex_);
    return nothing_is_due();
  }
  // Brings the metrics that grow with time up to date.
  void measure() const {
    const MutexLock lock(mutex_);
    state_.measure(runtime_.now());
  }
  // Shows each entry to `visitor`, which must not call this queue.
  template <class Visitor>
  void visit(Visitor visitor) const {
    const MutexLock lock(mutex_);
    state_.visit(std::move(visitor));
  }

 private:
  void wake_one() PINTLE_REQUIRES(mutex_) {
    if (closed_) {
      changed_.notify_all();  // drain() waits too
    } else if (idle_ != 0) {
      changed_.notify_one();
    }
  }
  // Reading the clock costs a fifth of a turn, so it is not read for nothing.
  [[nodiscard]] Instant time_for_state() PINTLE_REQUIRES(mutex_) {
    if (state_.heeds_time()) latest_ = runtime_.now();
    return latest_;
  }
  [[nodiscard]] bool nothing_is_due() PINTLE_REQUIRES(mutex_) {
    return state_.processing() == 0 && !state_.has_ready(runtime_.now());
  }
  void close() PINTLE_REQUIRES(mutex_) {
    closed_ = true;
    if (std::exchange(shut_, true)) return;
    state_.clear_waiting(runtime_.now());
    changed_.notify_all();
  }

  Runtime& runtime_;
  const Backoff backoff_;
  QueueMetrics* const metrics_;
  mutable Mutex mutex_;
  Condition changed_;
  State state_ PINTLE_GUARDED_BY(mutex_);
  Instant latest_ PINTLE_GUARDED_BY(mutex_){};
  std::size_t idle_ PINTLE_GUARDED_BY(mutex_) = 0;  // workers in get() that found nothing
  std::size_t refused_ PINTLE_GUARDED_BY(mutex_) = 0;
  bool closed_ PINTLE_GUARDED_BY(mutex_) = false;
  bool shut_ PINTLE_GUARDED_BY(mutex_) = false;
};

}  // namespace pintle
