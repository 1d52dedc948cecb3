// OwnWrites: shows in a store what this process has written before the watch brings it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <pintle/base/mutex.hpp>
#include <pintle/cache/store.hpp>

namespace pintle {

// Stands between a reflector and its store. The server's answer to a write is shown as provisional, unless the
// reflector has reached its version already; an event of that version or a later one takes its place, and it goes once
// the reflector has passed it without one. So no reader sees a state older than the last answer this process had, and
// nothing is waited for. Versions that cannot be compared are not shown early. As many wait as keys were written since
// the reflector last moved. Thread-safe.
class OwnWrites {
 public:
  OwnWrites(Executor& executor, Store& store) : store_(store), mutex_(executor) {}

  // The reflector's side. Each answers what the reflector, not the writer, had there before: what handlers know.
  Object put(Object event);
  Object erase(const Object& event);
  // A list taken at `version`. One that is older than what the reflector has seen is of a server that was set back:
  // then no answer from before counts, because the server may never reach its version.
  ObjectTable replace(ObjectTable listed, std::string_view version);
  // It has seen everything up to `version`.
  void pass(std::string_view version);

  // The writer's side. An object out of scope is one that the reflector will never hold at this version: it leaves.
  // False when the reflector has passed the version and has never seen it, as behind a server that was set back; or,
  // now and then, when it has seen the object go since.
  bool wrote(const Object& answer, bool in_scope);
  void removed(const ObjectKey& key, std::string_view uid);

  // A create in doubt: until the server has been read, the store may lack what was made.
  using Doubt = std::uint64_t;
  void begin_doubt();
  [[nodiscard]] std::optional<Doubt> doubt() const;
  // The server was read at `version` since this doubt; it ends once the reflector gets there, unless a later one began.
  void resolve(Doubt doubt, std::string_view version);

  // Keys that wait for the reflector.
  [[nodiscard]] std::size_t waiting() const;

 private:
  // What is shown of a key in place of what the reflector has.
  struct Shown {
    Object confirmed{};     // what the reflector has
    std::string version{};  // until it has reached this; "" for the removal of what it has
    std::string uid{};      // of a removal; that object is not shown again
    bool was_deleting = false;

    [[nodiscard]] bool is_removal() const noexcept { return !uid.empty(); }
  };
  using AllShown = std::map<ObjectKey, Shown>;
  // Orders versions as numbers: by length, then by digits.
  using ByVersion = std::set<std::pair<std::pair<std::size_t, std::string>, ObjectKey>>;

  [[nodiscard]] static bool is_overtaken(const Shown& shown, const Object& event);
  [[nodiscard]] static bool is_met_by_delete(const Shown& shown, const Object& event);
  [[nodiscard]] static bool outlasts_list(const Shown& shown, std::string_view version);

  void advance(std::string_view version) PINTLE_REQUIRES(mutex_);
  void hide(const ObjectKey& key, std::string_view uid, bool is_deleting) PINTLE_REQUIRES(mutex_);
  void expect(const ObjectKey& key, Shown& shown, std::string_view version) PINTLE_REQUIRES(mutex_);
  void forget(AllShown::iterator at) PINTLE_REQUIRES(mutex_);
  void show(const ObjectKey& key, const Object& object) PINTLE_REQUIRES(mutex_);

  Store& store_;
  mutable Mutex mutex_;  // taken before that of the store
  AllShown shown_ PINTLE_GUARDED_BY(mutex_);
  ByVersion expected_ PINTLE_GUARDED_BY(mutex_);  // of what is shown with a version
  std::string seen_ PINTLE_GUARDED_BY(mutex_);    // the reflector's version
  Doubt doubts_ PINTLE_GUARDED_BY(mutex_) = 0;
  bool in_doubt_ PINTLE_GUARDED_BY(mutex_) = false;
  std::string known_at_ PINTLE_GUARDED_BY(mutex_);  // resolved, but the reflector is not there yet
};

}  // namespace pintle
