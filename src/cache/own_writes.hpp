// SPDX-License-Identifier: Apache-2.0
// OwnWrites: shows the writes of this process in a store before the watch delivers them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pintle/base/metrics.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/cache/change.hpp>
#include <pintle/cache/store.hpp>

namespace pintle {

// Stands between a reflector and its store. The object in the response to a write enters the store as provisional,
// unless the reflector has already reached its version. An event of that version or a later one takes its place. If the
// reflector passes the version without such an event, the provisional state ends. So no reader receives a state older
// than the last response that this process received, and no call waits. Versions that cannot be compared are not shown
// early. There are at most as many provisional states as keys were written since the reflector last moved. Thread-safe.
class OwnWrites {
 public:
  OwnWrites(Executor& executor, Store& store) : store_(store), mutex_(executor) {}

  // Number of responses to writes.
  using Moment = std::uint64_t;

  // Shows the number of provisional states in a gauge, to which several instances may add theirs.
  void count_in(Gauge provisional);
  // During a pause, writes are not shown and not kept. There must be no list and no watch, which would confirm them,
  // and nothing may read the store.
  void set_paused(bool is_paused);
  // Call it before the first list. Ends a pause. Returns whether a write was reported during one; the list must not be
  // older than that write.
  [[nodiscard]] bool resume();
  // Returns an empty table for replace().
  [[nodiscard]] ObjectTable new_table() const { return store_.new_table(); }

  // Functions for the reflector. Each returns the previous state that the reflector, not a writer, had: the state that
  // handlers have received.
  Object put(Object event);
  Object erase(const Object& event);
  // `version` is that of the list. If it is lower than the version that the reflector has reached, the server was
  // rewound. All provisional states then end, because the server may never reach their versions. `requested` is the
  // moment of the request for a list of the newest state: such a list contains all earlier writes, so their provisional
  // states end, too. None: the list may be older than a write.
  // Returns the states that handlers have received after the changes of take_undone().
  ObjectTable replace(ObjectTable listed, std::string_view version, std::optional<Moment> requested = {}) {
    return replace(std::move(listed), version, requested, false);
  }
  // The writes that the last replace() undid: the list has the object in a state before the write, or no longer has it.
  // Handlers have not received these writes. They must receive them before the list, because they would otherwise
  // receive no difference, and the write would not be repeated.
  [[nodiscard]] std::vector<Change> take_undone();
  // Whether a list of the newest state, at `version`, lacks an earlier write. Call it before replace().
  [[nodiscard]] bool shows_rewind(std::string_view version, std::optional<Moment> requested) const;
  // The moment after the last response to a write that this process received.
  [[nodiscard]] Moment now() const {
    const MutexLock lock(mutex_);
    return responses_;
  }
  // The server no longer has any of the objects, and its history ends: all provisional states end, and the store is
  // empty.
  ObjectTable clear() { return replace(store_.new_table(), {}, {}, true); }
  // Returns up to `limit` objects as the reflector has them, in the order of their keys: those after a key, or the
  // first ones.
  [[nodiscard]] std::vector<Object> confirmed(const std::optional<ObjectKey>& after, std::size_t limit) const;
  // The reflector has received everything up to `version`.
  void advance_to(std::string_view version);

  // Functions for writers. `in_scope` is false if the reflector will never have the object at this version; the object
  // then leaves the store. Returns false if the reflector has passed the version and does not have it: the server may
  // have been rewound, or the object was deleted since. `is_last_state`: the write completed the deletion of the
  // object.
  bool wrote(const Object& response, bool in_scope, bool is_last_state);
  bool wrote(const Object& response, bool in_scope);
  // Whether the write with this response, which must be whole, completed the deletion of the object.
  [[nodiscard]] static bool completes_deletion(const Object& response);
  void removed(const ObjectKey& key, std::string_view uid);

  // A pending create: until the server has been read, the store may lack the created object.
  using PendingCreate = std::uint64_t;
  void begin_pending_create();
  [[nodiscard]] std::optional<PendingCreate> pending_create() const;
  // Reports that the server was read at `version` after pending_create() returned this value. No create is pending any
  // more once the reflector reaches that version, unless a later one began.
  void resolve_pending_create(PendingCreate pending, std::string_view version);

  // Returns the number of keys with a provisional state.
  [[nodiscard]] std::size_t waiting() const;

 private:
  // The provisional state of a key, which the store shows instead of the state of the reflector.
  struct Shown {
    Object confirmed{};     // the state of the reflector
    std::string version{};  // ends when the reflector reaches this version; "": with the DELETED event
    std::string uid{};      // of the removed object, which is not shown again
    bool was_deleting = false;
    Moment since = 0;

    [[nodiscard]] bool is_removal() const noexcept { return !uid.empty(); }
  };
  using AllShown = std::map<ObjectKey, Shown>;
  // Orders versions as numbers: by length, then by digits.
  using ByVersion = std::set<std::pair<std::pair<std::size_t, std::string>, ObjectKey>>;

  [[nodiscard]] static bool is_overtaken(const Shown& shown, const Object& event);
  [[nodiscard]] static bool is_met_by_delete(const Shown& shown, const Object& event);
  [[nodiscard]] static bool outlasts_list(const Shown& shown, std::string_view version);
  // Whether a list, after which the provisional state ends, has the object in a state before the write, or no longer
  // has it. `visible` is the provisional state.
  [[nodiscard]] static bool is_undone(const Shown& shown, const Object& listed, const Object& visible);

  ObjectTable replace(ObjectTable listed, std::string_view version, std::optional<Moment> requested, bool ends_history);
  [[nodiscard]] bool misses_write() PINTLE_REQUIRES(mutex_);
  void advance(std::string_view version) PINTLE_REQUIRES(mutex_);
  void hide(const ObjectKey& key, std::string_view uid, bool is_deleting) PINTLE_REQUIRES(mutex_);
  void expect(const ObjectKey& key, Shown& shown, std::string_view version) PINTLE_REQUIRES(mutex_);
  void forget(AllShown::iterator at) PINTLE_REQUIRES(mutex_);
  void show(const ObjectKey& key, const Object& object) PINTLE_REQUIRES(mutex_);

  Store& store_;
  mutable Mutex mutex_;  // locked before the mutex of the store
  Gauge provisional_ PINTLE_GUARDED_BY(mutex_);
  AllShown shown_ PINTLE_GUARDED_BY(mutex_);
  ByVersion expected_ PINTLE_GUARDED_BY(mutex_);          // the entries of shown_ with a version
  std::string reached_ PINTLE_GUARDED_BY(mutex_);         // the version of the reflector
  std::vector<Change> undone_ PINTLE_GUARDED_BY(mutex_);  // see take_undone()
  Moment responses_ PINTLE_GUARDED_BY(mutex_) = 0;
  PendingCreate pending_creates_ PINTLE_GUARDED_BY(mutex_) = 0;
  bool has_pending_create_ PINTLE_GUARDED_BY(mutex_) = false;
  std::string resolved_at_ PINTLE_GUARDED_BY(mutex_);  // ends a resolved pending create; "": none or reached
  bool is_paused_ PINTLE_GUARDED_BY(mutex_) = false;
  bool has_missed_write_ PINTLE_GUARDED_BY(mutex_) = false;  // during a pause
};

}  // namespace pintle
