// Dispatcher: carries changes from the I/O thread to handlers, one thread for all, coalesced by key.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <pintle/base/mutex.hpp>
#include <pintle/base/slot_index.hpp>
#include <pintle/cache/informer_metrics.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

// Why a handler is told.
enum class ChangeCause {
  initial,  // it was there when the informer began
  change,   // the server said so
  missed,   // found out by a list: it changed or went while nobody watched
  resync,   // nothing changed; old and current are the same
};

// One step of one object. Added: no old; deleted: no current, and `old` is the last known state, which may be behind
// the one that was deleted. A delete and a new object of the same name may appear as one change with another uid.
struct Change {
  Object old{};
  Object current{};
  ChangeCause cause = ChangeCause::change;
  // The resourceVersions of the steps that were merged into this one, oldest first, without that of `current`. An empty
  // text stands for steps that are not known.
  std::vector<std::string> between{};

  [[nodiscard]] const Object& object() const noexcept { return current ? current : old; }
};

using ChangeHandler = std::function<void(const Change&)>;

// Delivers in the order keys first changed; while a key waits, further changes of it merge into one (the first old, the
// last current), so what waits is bounded by the number of keys. Handlers run on the dispatcher's thread and must not
// wait. Thread-safe.
class Dispatcher {
 public:
  // Who is told of the changes of one informer. Handlers do not change after the first change.
  class Channel;

  explicit Dispatcher(Runtime& runtime);
  ~Dispatcher();
  Dispatcher(const Dispatcher&) = delete;
  Dispatcher& operator=(const Dispatcher&) = delete;

  [[nodiscard]] std::shared_ptr<Channel> open(std::vector<ChangeHandler> handlers, InformerMetrics metrics = {});
  void push(const std::shared_ptr<Channel>& channel, Change change);
  void push_all(const std::shared_ptr<Channel>& channel, std::vector<Change> changes);
  // Runs a function on the dispatcher's thread once everything pushed before has been delivered.
  void after_what_is_pushed(std::function<void()> function);

  // Drops what waits and joins the thread. Idempotent; not from a handler.
  void stop();
  // Nothing waits and no handler runs.
  [[nodiscard]] bool is_quiet() const;

 private:
  struct Waiting {
    std::shared_ptr<Channel> channel{};
    Change change{};
    Object named_by{};                 // one with the key, also where nothing is left to tell
    std::uint32_t hash = 0;            // of the key; in a slot that is free, the next one that is
    std::function<void()> function{};  // in place of a change
  };
  // In order, and each key of a channel once.
  class Backlog {
   public:
    void add(const std::shared_ptr<Channel>& channel, Change change);
    void add(std::function<void()> function) { put({.function = std::move(function)}); }
    [[nodiscard]] Waiting take();
    [[nodiscard]] bool empty() const noexcept { return order_.empty(); }

   private:
    using Slot = std::uint32_t;
    Slot put(Waiting waiting);

    std::vector<Waiting> waiting_;    // by slot
    Slot free_ = SlotIndex::no_slot;  // the first
    std::deque<Slot> order_;
  };

  void run();
  void tell(const Waiting& next) const;

  Runtime& runtime_;
  mutable Mutex mutex_;
  Condition changed_;
  Backlog backlog_ PINTLE_GUARDED_BY(mutex_);
  bool stopped_ PINTLE_GUARDED_BY(mutex_) = false;
  bool busy_ PINTLE_GUARDED_BY(mutex_) = false;
  Thread thread_;
};

}  // namespace pintle
