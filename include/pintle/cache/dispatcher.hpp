// SPDX-License-Identifier: Apache-2.0
// Dispatcher: delivers changes from the I/O thread to handlers on other threads and merges waiting changes of one key.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/base/slot_index.hpp>
#include <pintle/cache/change.hpp>
#include <pintle/cache/informer_metrics.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

/// Delivers changes to lanes. The handlers of one lane are called one after the other. They receive the changes in the
/// order in which the keys first changed. While a change waits, further changes of its key are merged into it; the
/// result has the first old and the last current object, and a resync is dropped. So at most one change waits for each
/// key and handler.
///
/// A slow lane does not delay the others: the lanes take turns on one thread, but when a handler has run for
/// `slow_after`, another thread takes over the other lanes. A dispatcher with one lane has one thread, and one
/// with several lanes has two; each further handler that is slow at the same time adds a thread. All threads end with
/// the dispatcher. Handlers of different lanes may therefore run at the same time. They must not make blocking client
/// calls. Thread-safe.
class PINTLE_EXPORT Dispatcher {
 public:
  /// Handlers that are never called at the same time.
  class Lane;
  /// The handlers of one source in one lane; they cannot be changed later.
  class Subscription;

  static constexpr Duration slow_after = std::chrono::milliseconds(10);

  explicit Dispatcher(Executor& executor);
  ~Dispatcher();
  Dispatcher(const Dispatcher&) = delete;
  Dispatcher& operator=(const Dispatcher&) = delete;

  [[nodiscard]] std::shared_ptr<Lane> open_lane();
  /// If `lane` is null, a lane is opened for this subscription alone. For `delivers_short_lived` see
  /// HandlerOptions::deliver_short_lived.
  [[nodiscard]] std::shared_ptr<Subscription> open(std::vector<ChangeHandler> handlers, InformerMetrics metrics = {},
                                                   std::shared_ptr<Lane> lane = {}, bool delivers_short_lived = false);
  void push(const std::shared_ptr<Subscription>& subscription, Change change);
  void push_all(const std::shared_ptr<Subscription>& subscription, std::vector<Change> changes);
  /// Runs a function on a thread of the dispatcher after these subscriptions have received all changes that were pushed
  /// before.
  void run_after_pending(const std::vector<std::shared_ptr<Subscription>>& subscriptions,
                         std::function<void()> function);

  /// How far a lane is behind.
  struct Backlog {
    std::size_t waiting = 0;  ///< changes
    Duration lag{};           ///< the age of the oldest change that is not handled yet; zero if there is none
  };
  [[nodiscard]] Backlog backlog(const Lane& lane) const;

  /// Drops the waiting changes and joins the threads. Idempotent. Must not be called from a handler.
  void stop();
  /// True if no change waits and no handler runs.
  [[nodiscard]] bool is_idle() const;
  /// The number of threads.
  [[nodiscard]] std::size_t threads() const;

 private:
  struct Waiting;
  struct Turn;

  [[nodiscard]] CondVar* make_ready(const std::shared_ptr<Lane>& lane) PINTLE_REQUIRES(mutex_);
  void run(std::uint64_t self);
  [[nodiscard]] bool take_turn(std::uint64_t self, Turn& turn);
  [[nodiscard]] bool must_take_over() const PINTLE_REQUIRES(mutex_);
  void stand_by() PINTLE_REQUIRES(mutex_);
  void end_turn(std::uint64_t self, const Turn& turn);
  void add_thread();
  void notify(const Waiting& next) const;

  Executor& executor_;
  mutable Mutex mutex_;
  CondVar work_;      // for the thread prompt_
  CondVar stand_by_;  // for the others
  std::vector<std::weak_ptr<Lane>> lanes_ PINTLE_GUARDED_BY(mutex_);
  std::deque<std::shared_ptr<Lane>> ready_ PINTLE_GUARDED_BY(mutex_);  // lanes with changes that wait for a thread
  // The thread that takes the next turn; 0: none yet, so the next free thread becomes it.
  std::uint64_t prompt_ PINTLE_GUARDED_BY(mutex_) = 0;
  Instant busy_since_ PINTLE_GUARDED_BY(mutex_) = Instant::max();  // start of the turn of the thread prompt_; max: none
  std::size_t turns_ PINTLE_GUARDED_BY(mutex_) = 0;                // in progress
  bool is_watched_ PINTLE_GUARDED_BY(mutex_) = false;              // whether a thread waits for the end of `slow_after`
  bool stopped_ PINTLE_GUARDED_BY(mutex_) = false;
  std::uint64_t last_thread_ PINTLE_GUARDED_BY(mutex_) = 0;
  std::vector<Thread> threads_ PINTLE_GUARDED_BY(mutex_);
};

}  // namespace pintle
