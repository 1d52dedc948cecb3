// SPDX-License-Identifier: Apache-2.0
// PendingEvents: the events and retries that wait for the handlers, for each object of one informer.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include <pintle/base/metrics.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/cache/dispatcher.hpp>
#include <pintle/patterns/watcher/reconciler.hpp>

namespace pintle::watcher {

using HandlerId = std::uint64_t;

// One event, for all handlers.
struct Delivery {
  ReconcileAction action = ReconcileAction::unknown;
  Object old{};  // for an update only
  Object object{};
  std::uint64_t number = 0;  // increases with each delivery and retry
};

// The events of a change: two if a new object has replaced an object of the same name.
[[nodiscard]] std::vector<Delivery> deliveries_of(const Change& change);

// A call of one handler that is to be repeated. A call whose last retry failed waits for the next event or resync.
struct Retry {
  HandlerId handler = 0;
  Delivery delivery{};
  State state{};
  unsigned attempt = 0;  // of the previous call
  Instant requested_at{};
  Instant due{};
  std::optional<Error> error{};  // empty: the handler requested the call
  std::uint64_t number = 0;      // increases with each delivery and retry

  [[nodiscard]] bool is_given_up() const noexcept { return due == Instant::max(); }
};

// Between reconciles, nothing is stored for an object for which nothing waits. A reconcile takes only what belongs to
// its object, which the uid identifies, and nothing of another object of the same name; with an empty uid it takes
// everything. There is one reconcile at a time for each key. Thread-safe.
class PendingEvents {
 public:
  PendingEvents(Executor& executor, Gauge pending) : pending_(pending), mutex_(executor) {}

  // Merges the event with the waiting events, so that at most a deletion and one event after it wait.
  void put(const ObjectKey& key, Delivery delivery);
  // Drops the waiting events of an object that is gone. Its deletion is delivered by gone(), or not at all.
  void drop_events(const ObjectKey& key, std::string_view uid);
  // Puts a deletion before all other events, once for each object.
  void put_gone(const ObjectKey& key, const Object& last);
  // Takes the next event, if it arrived before the mark.
  [[nodiscard]] std::optional<Delivery> take(const ObjectKey& key, std::string_view uid, std::uint64_t mark);

  // Stores a retry. It replaces the retry of the same handler and place, and then keeps the old object of that retry.
  void keep(const ObjectKey& key, Retry retry);
  [[nodiscard]] std::vector<Retry> take_retries(const ObjectKey& key, HandlerId handler);
  // Stores a retry that take_retries() returned.
  void put_back(const ObjectKey& key, Retry retry);
  // Takes the retry that has been due for the longest time, among those that were stored before the mark.
  [[nodiscard]] std::optional<Retry> take_due(const ObjectKey& key, std::string_view uid, Instant now,
                                              std::uint64_t mark);
  [[nodiscard]] std::uint64_t mark() const;

  // For an object for which something waits: returns whether a resync is due, and schedules the next resync after
  // `resync_period`. Empty if nothing waits.
  [[nodiscard]] std::optional<bool> take_resync(const ObjectKey& key, Instant now, Duration every);
  // Called at the end of a reconcile. Returns when the next retry or resync is due; empty if nothing is due. Events
  // that arrived after the mark are not counted, because their change causes a reconcile.
  [[nodiscard]] std::optional<Instant> close(const ObjectKey& key, std::string_view uid, std::uint64_t mark);

  // The newest stored state of an object; null if nothing waits for the object.
  [[nodiscard]] Object newest(const ObjectKey& key) const;
  // Drops the retries of a handler.
  void forget(HandlerId handler);
  [[nodiscard]] std::size_t size() const;

 private:
  struct Mailbox {
    std::vector<Delivery> inbox{};
    std::vector<Retry> retries{};
    Instant resync = Instant::max();
    std::string gone{};  // uid of the last object that was passed to put_gone()
  };
  const Gauge pending_;
  mutable Mutex mutex_;
  std::unordered_map<ObjectKey, Mailbox> all_ PINTLE_GUARDED_BY(mutex_);
  std::uint64_t last_number_ PINTLE_GUARDED_BY(mutex_) = 0;
};

}  // namespace pintle::watcher
