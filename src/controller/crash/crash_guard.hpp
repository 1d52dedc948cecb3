// CrashGuard: keeps an object on which the process keeps dying from taking all others down with it.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <pintle/base/log.hpp>
#include <pintle/base/metrics.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/controller/controller.hpp>

#include "fatal_signals.hpp"
#include "quarantine.hpp"
#include "state_dir.hpp"

namespace pintle {

// The metric that counts writes to a state directory that failed.
[[nodiscard]] Counter state_dir_failures(MetricsRegistry& metrics);

// The rules of Quarantine with the files of StateDir, for all controllers of a manager. Thread-safe.
class CrashGuard {
 public:
  // Counts the death of the process before, if it died. Errors: invalid, the directory cannot be used; unavailable, its
  // disk is full or fails. A disk that fails later costs the notes and is counted and logged; work goes on.
  static Result<std::unique_ptr<CrashGuard>> open(const std::string& path, const std::vector<ControllerSpec>& specs,
                                                  Executor& executor, const Log& log, MetricsRegistry& metrics);

  // Also reports fatal signals, whose handlers are the process's; before workers begin.
  void report_fatal_signals() { signals_.emplace(*dir_, seats_); }
  // The process has been asked to end, so however it ends now is nobody's death but that of a fatal signal's thread.
  void stop();
  // Somebody wants a key tried now that is held back.
  void release(const std::string& controller, const ObjectKey& key);

  // The place of one worker, made and used by its thread alone. Without a guard it does nothing.
  class Seat {
   public:
    Seat(CrashGuard* guard, const std::string& controller);
    ~Seat();
    Seat(const Seat&) = delete;
    Seat& operator=(const Seat&) = delete;

    // Notes that this key is in work, until leave(); or answers that it is held back.
    [[nodiscard]] std::optional<HeldBack> take(const ObjectKey& key, const Object& object);
    // A pass over it came to an end, whatever the outcome, or there is nothing left to do: the process survived it.
    void survived(const ObjectKey& key);
    void leave();

   private:
    CrashGuard* const guard_;
    const std::string& controller_;
    std::size_t number_ = 0;
    std::optional<SignalStack> stack_;
  };

 private:
  struct Metrics {
    Counter deaths{};
    Gauge held{};
  };

  CrashGuard(std::unique_ptr<StateDir> dir, const std::vector<ControllerSpec>& specs, Executor& executor, Log log,
             MetricsRegistry& metrics);
  Result<void> count_deaths();
  [[nodiscard]] std::size_t sit_down();
  void survived(const std::string& controller, const ObjectKey& key);
  void wrote(bool done);
  void show_held() const PINTLE_REQUIRES(mutex_);

  Executor& executor_;
  const Log log_;
  const std::unique_ptr<StateDir> dir_;
  std::map<std::string, Metrics> metrics_;  // by controller
  WorkerSeats seats_;
  const Counter write_failures_;
  std::atomic<bool> writes_fail_ = false;
  std::optional<FatalSignals> signals_;
  Mutex mutex_;
  Quarantine quarantine_ PINTLE_GUARDED_BY(mutex_);
  bool stopping_ PINTLE_GUARDED_BY(mutex_) = false;
};

}  // namespace pintle
