// SPDX-License-Identifier: Apache-2.0
// Scheduler: the interface between a simulated executor and Mutex, CondVar and StopCallback.
#pragma once

#include <string_view>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/time.hpp>

namespace pintle {

/// Implemented only by SimulatedExecutor. All calls are made by the one simulated thread that is running.
class PINTLE_EXPORT Scheduler {
 public:
  class SimulatedThread;  ///< one simulated thread

  /// Threads that wait for the same event, in the order of their arrival.
  struct Queue {
    std::vector<SimulatedThread*> waiting{};
  };
  struct Lock {
    SimulatedThread* owner = nullptr;
    Queue queue{};
  };

  virtual ~Scheduler() = default;
  virtual void lock(Lock& lock) = 0;
  virtual void unlock(Lock& lock) = 0;
  /// Unlocks `lock`, waits in `queue` until `deadline`, and locks `lock` again. Returns false if the deadline has
  /// passed.
  virtual bool wait(Lock& lock, Queue& queue, Instant deadline) = 0;
  virtual void notify(Queue& queue, bool all) noexcept = 0;
  /// Waits in `queue` without a lock, for the end of a thread or of a stop callback. `what` describes the event in
  /// error messages.
  virtual void wait(Queue& queue, std::string_view what) = 0;
  /// Returns the running thread.
  [[nodiscard]] virtual const SimulatedThread* current() const noexcept = 0;
};

}  // namespace pintle
