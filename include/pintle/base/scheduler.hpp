// Scheduler: what Mutex, Condition and stop callbacks ask of a simulated runtime.
#pragma once

#include <string_view>
#include <vector>

#include <pintle/base/time.hpp>

namespace pintle {

// Implemented by SimulatedRuntime alone. Every call is made by the one simulated thread that runs.
class Scheduler {
 public:
  class Fiber;  // one simulated thread

  // Threads that wait for the same thing, in the order they came.
  struct Queue {
    std::vector<Fiber*> waiting{};
  };
  struct Lock {
    Fiber* owner = nullptr;
    Queue queue{};
  };

  virtual ~Scheduler() = default;
  virtual void lock(Lock& lock) = 0;
  virtual void unlock(Lock& lock) = 0;
  // Gives the lock up, waits on the queue until `deadline`, takes the lock again; false when the deadline passed.
  virtual bool wait(Lock& lock, Queue& queue, Instant deadline) = 0;
  virtual void notify(Queue& queue, bool all) noexcept = 0;
  // Waits on a queue with no lock; for the end of a thread or of a stop callback.
  virtual void wait(Queue& queue, std::string_view what) = 0;
  // Identifies the running thread.
  [[nodiscard]] virtual const Fiber* current() const noexcept = 0;
};

}  // namespace pintle
