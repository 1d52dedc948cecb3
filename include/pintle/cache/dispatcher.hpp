// Dispatcher: delivers changes from the I/O thread to all handlers on one thread and merges waiting changes of one key.
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

/// Delivers changes in the order in which their keys first changed. While a change waits, further changes of its key
/// are merged into it; the result has the first old and the last current object. So at most one change waits for each
/// key. Handlers run on the thread of the dispatcher and must not block. Thread-safe.
class PINTLE_EXPORT Dispatcher {
 public:
  /// The handlers of one informer; they cannot be changed later.
  class Subscription;

  explicit Dispatcher(Executor& executor);
  ~Dispatcher();
  Dispatcher(const Dispatcher&) = delete;
  Dispatcher& operator=(const Dispatcher&) = delete;

  [[nodiscard]] std::shared_ptr<Subscription> open(std::vector<ChangeHandler> handlers, InformerMetrics metrics = {});
  void push(const std::shared_ptr<Subscription>& subscription, Change change);
  void push_all(const std::shared_ptr<Subscription>& subscription, std::vector<Change> changes);
  /// Runs a function on the thread of the dispatcher after all changes that were pushed before have been delivered.
  void run_after_pending(std::function<void()> function);

  /// Drops the waiting changes and joins the thread. Idempotent. Must not be called from a handler.
  void stop();
  /// True if no change waits and no handler runs.
  [[nodiscard]] bool is_idle() const;

 private:
  struct Waiting {
    std::shared_ptr<Subscription> subscription{};
    Change change{};
    Object named_by{};                 // an object with the key; set even if the merged change is empty
    std::uint32_t hash = 0;            // of the key; in a free slot: the next free slot
    std::function<void()> function{};  // if set, replaces `change`
  };
  // The waiting changes and functions in their order, with at most one change for each key of a subscription.
  class Backlog {
   public:
    void add(const std::shared_ptr<Subscription>& subscription, Change change);
    void add(std::function<void()> function) { put({.function = std::move(function)}); }
    [[nodiscard]] Waiting take();
    [[nodiscard]] bool empty() const noexcept { return order_.empty(); }

   private:
    using Slot = std::uint32_t;
    Slot put(Waiting waiting);

    std::vector<Waiting> waiting_;    // by slot
    Slot free_ = SlotIndex::no_slot;  // the first free slot
    std::deque<Slot> order_;
  };

  void run();
  void notify(const Waiting& next) const;

  Executor& executor_;
  mutable Mutex mutex_;
  CondVar changed_;
  Backlog backlog_ PINTLE_GUARDED_BY(mutex_);
  bool stopped_ PINTLE_GUARDED_BY(mutex_) = false;
  bool busy_ PINTLE_GUARDED_BY(mutex_) = false;
  Thread thread_;
};

}  // namespace pintle
