// SPDX-License-Identifier: Apache-2.0
// CrashGuard: delays an object during whose reconciles the process repeatedly terminated, so that all other objects are
// still reconciled.
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

// The metric that counts failed writes to the state directory.
[[nodiscard]] Counter state_dir_failures(MetricsRegistry& metrics);

// Applies the rules of Quarantine to the files of StateDir, for all controllers of a manager. Thread-safe.
class CrashGuard {
 public:
  // Counts the termination of the previous process, if keys were in work. Errors: invalid, if the directory cannot be
  // used; unavailable, if its disk is full or fails. If the disk fails later, the files are not updated; each failed
  // write is counted, the first of a series is logged, and reconciles continue.
  static Result<std::unique_ptr<CrashGuard>> open(const std::string& path, const std::vector<AnyController>& specs,
                                                  Executor& executor, const Log& log, MetricsRegistry& metrics);

  // Also reports fatal signals. Must be called before workers begin. Signal handlers are global to the process.
  void report_fatal_signals() { signals_.emplace(*dir_, seats_); }
  // Must be called when a stop of the process is requested. From then on a termination counts only for a key on whose
  // thread a fatal signal was raised.
  void stop();
  // Ends the delay of a key, because a user requested its reconcile.
  void release(const std::string& controller, const ObjectKey& key);

  // The entry of one worker, created and used only by its thread. Without a guard it does nothing.
  class Seat {
   public:
    Seat(CrashGuard* guard, const std::string& controller);
    ~Seat();
    Seat(const Seat&) = delete;
    Seat& operator=(const Seat&) = delete;

    // Stores that this key is in work until leave(), or returns the remaining delay of a key in quarantine.
    [[nodiscard]] std::optional<Quarantined> take(const ObjectKey& key, const Object& object);
    // A reconcile of the key ended with any outcome, or nothing is left to do. The key is no longer suspected.
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

  CrashGuard(std::unique_ptr<StateDir> dir, const std::vector<AnyController>& specs, Executor& executor, Log log,
             MetricsRegistry& metrics);
  Result<void> count_deaths();
  [[nodiscard]] std::size_t sit_down();
  void survived(const std::string& controller, const ObjectKey& key);
  void wrote(bool done);
  void update_metrics() const PINTLE_REQUIRES(mutex_);

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
