// Mailboxes: what waits for the handlers of each object of one informer: events, and calls to make again.
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
  Object old{};  // of an update
  Object object{};
  std::uint64_t number = 0;  // in the order in which deliveries and retries came
};

// The events that a change stands for: two when another object has taken the name.
[[nodiscard]] std::vector<Delivery> deliveries_of(const Change& change);

// One call that one handler is to get again. One that was given up waits for the next event or resync.
struct Retry {
  HandlerId handler = 0;
  Delivery delivery{};
  State state{};
  unsigned attempt = 0;  // of the call before
  Instant asked{};
  Instant due{};
  std::optional<Error> error{};  // none: it asked for it
  std::uint64_t number = 0;      // in the order they were kept

  [[nodiscard]] bool is_given_up() const noexcept { return due == Instant::max(); }
};

// Between passes it holds nothing for an object for which nothing waits. A pass is about one object, by its uid, and
// takes nothing of another that had or has its name; with an empty one it takes everything. One pass at a time for each
// key; thread-safe.
class Mailboxes {
 public:
  Mailboxes(Executor& executor, Gauge pending) : pending_(pending), mutex_(executor) {}

  // Merges with what waits, so that at most a deletion and one event after it do.
  void put(const ObjectKey& key, Delivery delivery);
  // What waits of an object that went, and of which gone() will tell, or nobody.
  void drop_events(const ObjectKey& key, std::string_view uid);
  // Puts a deletion before all else, once for each object.
  void put_gone(const ObjectKey& key, const Object& last);
  // The next one, if it came before the mark.
  [[nodiscard]] std::optional<Delivery> take(const ObjectKey& key, std::string_view uid, std::uint64_t mark);

  // Takes the place of a retry of the same handler and action; an update begins then where that one did.
  void keep(const ObjectKey& key, Retry retry);
  [[nodiscard]] std::vector<Retry> take_retries(const ObjectKey& key, HandlerId handler);
  // Puts one back as it was.
  void put_back(const ObjectKey& key, Retry retry);
  // One that is due, was kept before the mark, and has waited longest.
  [[nodiscard]] std::optional<Retry> take_due(const ObjectKey& key, std::string_view uid, Instant now,
                                              std::uint64_t mark);
  [[nodiscard]] std::uint64_t mark() const;

  // Whether it is time for a resync of an object for which something waits, of which the next is due after `every`;
  // nothing where nothing waits.
  [[nodiscard]] std::optional<bool> take_resync(const ObjectKey& key, Instant now, Duration every);
  // At the end of a pass: when the next thing is due, a resync among it; nothing where nothing is. For what came after
  // the mark, the change that brought it causes a pass.
  [[nodiscard]] std::optional<Instant> close(const ObjectKey& key, std::string_view uid, std::uint64_t mark);

  // The newest state of an object that is known here; none where nothing waits.
  [[nodiscard]] Object newest(const ObjectKey& key) const;
  // Drops the retries of a handler.
  void forget(HandlerId handler);
  [[nodiscard]] std::size_t size() const;

 private:
  struct Mailbox {
    std::vector<Delivery> inbox{};
    std::vector<Retry> retries{};
    Instant resync = Instant::max();
    std::string gone{};  // the uid of the last that put_gone() was told of
  };
  const Gauge pending_;
  mutable Mutex mutex_;
  std::unordered_map<ObjectKey, Mailbox> all_ PINTLE_GUARDED_BY(mutex_);
  std::uint64_t last_number_ PINTLE_GUARDED_BY(mutex_) = 0;
};

}  // namespace pintle::watcher
