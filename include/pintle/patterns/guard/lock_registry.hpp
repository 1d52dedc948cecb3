// SPDX-License-Identifier: Apache-2.0
// LockRegistry: the information that one process keeps about condition locks.
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

#include <pintle/base/annotations.hpp>
#include <pintle/base/error.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/controller/status_writer.hpp>
#include <pintle/patterns/guard/condition.hpp>

namespace pintle::guard {

struct LockOptions {
  /// Identifies this process in the locks that it takes. Default: a random number. A process that is started again with
  /// the same value, for example the name of the pod of a StatefulSet, recovers the locks of its predecessor at once.
  std::string instance{};
  /// If this process observes no renewal of another process's lock for this time, it assumes that the holder has
  /// terminated, and recovers the lock. A holder renews its lock after each third of this time while its task runs.
  /// After two thirds without a renewal it requests the task to stop; the last third is for the task to end. Clocks of
  /// different machines are not compared. All processes should use the same value. It must be 0 or at least 3 s,
  /// because the times in a lock are whole seconds. The value 0 declares that no other process ever works on the
  /// objects; every lock is then recovered at once.
  Duration lock_timeout = std::chrono::seconds(15);
  /// The timeout of a lock without renewals. A lock has no renewals if the schema drops them or if its holder runs an
  /// older version. The timeout counts from the time of locking, so it must be longer than the longest task plus the
  /// difference between the clocks of the processes.
  Duration lock_timeout_without_renewal = std::chrono::minutes(5);
  /// Returns whether this process holds the lease of an election in which all processes of this operator take part. If
  /// so, a lock of the same operator is recovered at once, because its holder has lost the lease, and its tasks had to
  /// end before this process received the lease. Called on workers, in a reconcile. If it is set, the controller must
  /// not run in every instance (Leadership::every_instance). Default: returns false; controller(Manager&, …) uses the
  /// leader election of the manager.
  std::function<bool()> is_elected{};
};

/// Shared by all reconciles of a process. Thread-safe.
class PINTLE_EXPORT LockRegistry {
 public:
  explicit LockRegistry(Executor& executor, LockOptions options = {});

  /// The holder of the locks that this process takes with this field manager: "<field manager>:<instance>".
  [[nodiscard]] std::string holder(std::string_view field_manager) const;
  /// Returns whether `holder` may take this lock: it holds the lock itself, or the holder of the lock has terminated.
  /// `holder` must not be running a task under this lock. The age of a lock with renewals counts from the first call
  /// that observed the lock in its present state, so call this function repeatedly as long as the lock exists.
  [[nodiscard]] bool is_recoverable(const Object& workspace, const Condition& locked, std::string_view holder);
  /// The time without a renewal after which this lock is recovered; 0: at once.
  [[nodiscard]] Duration timeout_of(const Condition& locked) const;
  [[nodiscard]] static bool has_renewals(const Condition& locked);

  /// The result of a finished task that could not be written to the object yet.
  struct UnwrittenResult {
    StatusDraft status;
    std::optional<Error> failure{};  ///< the error of the task
  };
  /// At most 1,000 results are kept. If there are more, the oldest result is dropped, and its lock is recovered as if
  /// this process had terminated.
  void keep(std::string_view type, StatusDraft status, std::optional<Error> failure = {});
  [[nodiscard]] std::optional<UnwrittenResult> take(const Object& object, std::string_view type);

 private:
  struct StoredResult {
    std::string uid;
    std::string type;
    UnwrittenResult result;
  };
  using Id = std::pair<std::string, std::string>;  // uid of the object and type of the condition
  struct ObservedLock {
    Lock lock{};
    Instant since{};  // when the lock was first observed in this state
    Instant last_checked{};
  };
  [[nodiscard]] std::optional<UnwrittenResult> take(std::string_view uid, std::string_view type)
      PINTLE_REQUIRES(mutex_);
  [[nodiscard]] Duration unchanged(Id id, const Lock& lock);
  void drop_unused(Instant now) PINTLE_REQUIRES(mutex_);

  const Executor& clock_;
  const LockOptions options_;
  Mutex mutex_;
  std::deque<StoredResult> results_ PINTLE_GUARDED_BY(mutex_);
  std::map<Id, ObservedLock> observed_ PINTLE_GUARDED_BY(mutex_);  // locks of other processes
  std::size_t max_observed_ PINTLE_GUARDED_BY(mutex_) = 1000;
};

}  // namespace pintle::guard
