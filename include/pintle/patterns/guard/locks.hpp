// Locks: what one process knows of the locks it takes.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include <pintle/base/mutex.hpp>
#include <pintle/patterns/guard/condition.hpp>
#include <pintle/runtime/status_writer.hpp>

namespace pintle::guard {

struct LockOptions {
  // Tells this process from others in the locks that it takes. Default: a random number.
  std::string instance{};
  // At this age the lock of another process is taken for one whose holder died. Longer than the longest task, and than
  // what clocks differ; 0 with leader election, where no other process is at work.
  Duration limit = std::chrono::minutes(5);
};

// Shared by the passes of a process. Thread-safe.
class Locks {
 public:
  explicit Locks(Runtime& runtime, LockOptions options = {});

  // Who holds what is locked in the name of this field manager: "<field manager>:<instance>".
  [[nodiscard]] std::string holder(std::string_view field_manager) const;
  // Whether this lock may be taken by `holder`, who has it not in flight: it is its own, or has reached its limit.
  [[nodiscard]] bool is_recoverable(const Condition& locked, std::string_view holder) const;

  // What came of tasks whose last write has failed. The oldest goes when there are more than 1,000; its lock is then
  // recovered as that of a process that died.
  void keep(std::string_view type, StatusDraft result);
  [[nodiscard]] std::optional<StatusDraft> take(const Object& object, std::string_view type);

 private:
  struct Kept {
    std::string uid;
    std::string type;
    StatusDraft result;
  };
  [[nodiscard]] std::optional<StatusDraft> take(std::string_view uid, std::string_view type) PINTLE_REQUIRES(mutex_);

  const Clock& clock_;
  const LockOptions options_;
  Mutex mutex_;
  std::deque<Kept> kept_ PINTLE_GUARDED_BY(mutex_);
};

}  // namespace pintle::guard
