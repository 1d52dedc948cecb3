// Locks: what one process knows of the locks it takes.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <pintle/base/error.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/controller/status_writer.hpp>
#include <pintle/patterns/guard/condition.hpp>

namespace pintle::guard {

struct LockOptions {
  // Tells this process from others in the locks that it takes. Default: a random number. A process that is given the
  // same one again, such as the name of the pod of a StatefulSet, recovers the locks of its former self at once.
  std::string instance{};
  // A lock of another process that was not renewed for this time, as seen by this process, is taken for one whose
  // holder died. A lock is renewed each third of it while its task runs; after two thirds without a renewal the task is
  // asked to stop, and the last third is for its end. No clocks of different machines are compared. All processes
  // should have the same. At least 3 s, as the times in a lock are whole seconds; 0: no other process is ever at work.
  Duration limit = std::chrono::seconds(15);
  // The same for a lock that shows no renewals, because the schema drops what says so, or the holder is of an older
  // version. It counts from when the lock was taken, so it has to be longer than the longest task, and than what the
  // clocks of the processes differ.
  Duration limit_without_renewal = std::chrono::minutes(5);
  // Whether this process holds the lease of an election that every process of this operator takes part in. Then a lock
  // of the same operator is recovered at once: its holder has lost the lease and its time to end is over. Asked on
  // workers. Default: no; controller(Manager&, …) asks the manager.
  std::function<bool()> is_elected{};
};

// Shared by the passes of a process. Thread-safe.
class Locks {
 public:
  explicit Locks(Runtime& runtime, LockOptions options = {});

  // Who holds what is locked in the name of this field manager: "<field manager>:<instance>".
  [[nodiscard]] std::string holder(std::string_view field_manager) const;
  // Whether this lock may be taken by `holder`, who has it not in flight: it is its own, or its holder has died. The
  // time of a lock counts from the first call that saw it as it is, so this is to be called as long as there is one.
  [[nodiscard]] bool is_recoverable(const Object& workspace, const Condition& locked, std::string_view holder);
  // After which time without a renewal this lock is recovered; 0: at once.
  [[nodiscard]] Duration life_of(const Condition& locked) const;
  [[nodiscard]] static bool shows_renewals(const Condition& locked);

  // The result of a finished task that could not be written to the object yet.
  struct Unwritten {
    StatusDraft status;
    std::optional<Error> failure{};  // of the task
  };
  // The oldest goes when there are more than 1,000; its lock is then recovered as that of a process that died.
  void keep(std::string_view type, StatusDraft status, std::optional<Error> failure = {});
  [[nodiscard]] std::optional<Unwritten> take(const Object& object, std::string_view type);

 private:
  struct Kept {
    std::string uid;
    std::string type;
    Unwritten result;
  };
  using Id = std::pair<std::string, std::string>;  // uid and type
  struct Seen {
    Lock lock{};
    Instant since{};  // when it was first seen so
    Instant asked{};
  };
  [[nodiscard]] std::optional<Unwritten> take(std::string_view uid, std::string_view type) PINTLE_REQUIRES(mutex_);
  [[nodiscard]] Duration unchanged(Id id, const Lock& lock);
  void forget_unasked(Instant now) PINTLE_REQUIRES(mutex_);

  const Runtime& clock_;
  const LockOptions options_;
  Mutex mutex_;
  std::deque<Kept> kept_ PINTLE_GUARDED_BY(mutex_);
  std::map<Id, Seen> seen_ PINTLE_GUARDED_BY(mutex_);  // locks of other processes
  std::size_t seen_limit_ PINTLE_GUARDED_BY(mutex_) = 1000;
};

}  // namespace pintle::guard
