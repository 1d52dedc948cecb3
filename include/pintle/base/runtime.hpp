// Runtime: the seam through which threads, time, waiting and chance are reached, so that a run can be simulated.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include <pintle/base/time.hpp>

namespace pintle {

class Scheduler;

// Reads time. Thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;
  [[nodiscard]] virtual Instant now() const noexcept = 0;
  [[nodiscard]] virtual WallTime wall_now() const noexcept = 0;
};

// What one thread is for.
struct ThreadOptions {
  std::string name{};     // shown in logs, debuggers and failures: "io", "dispatcher", "greeting-0"
  bool may_block = true;  // false: a blocking client call on this thread is refused with an error that names it
};

// A running thread with one owner. Destroying it waits for its end; nothing here detaches or kills.
// Thread-safety: one owner, as a std::thread.
class Thread {
 public:
  class Body;

  Thread() noexcept;
  explicit Thread(std::unique_ptr<Body> body) noexcept;
  Thread(Thread&&) noexcept;
  Thread& operator=(Thread&&) noexcept;
  ~Thread();

  [[nodiscard]] bool joinable() const noexcept { return body_ != nullptr; }
  // Waits for the end of the thread; nothing on one that was joined or never started.
  void join();

 private:
  std::unique_ptr<Body> body_;
};

// One half runs on the machine (make_real_runtime), the other on virtual time from a seed (SimulatedRuntime).
// Everything above `base` takes one and uses nothing else to wait, spawn, read a clock or draw a number. Thread-safe.
class Runtime : public Clock {
 public:
  // Starts a thread. It is joined by its handle.
  [[nodiscard]] virtual Thread spawn(ThreadOptions options, std::function<void()> body) = 0;

  // A number from the seed of this run.
  [[nodiscard]] virtual std::uint64_t random() = 0;

  // Lets another thread run in a simulated run; nothing on a real one. Called where a request leaves.
  virtual void yield() = 0;

  // The name given to the calling thread at spawn; "main" for one that was not spawned here.
  [[nodiscard]] virtual std::string_view thread_name() const noexcept = 0;
  // Whether the calling thread may wait for an answer.
  [[nodiscard]] virtual bool may_block() const noexcept = 0;

  // The simulated half of locks and waits; null on a real runtime.
  [[nodiscard]] virtual Scheduler* scheduler() noexcept = 0;

  // Sleeps; true when the time has passed, false when `stop` ended it earlier.
  bool sleep_for(Duration duration, std::stop_token stop = {});
  bool sleep_until(Instant deadline, std::stop_token stop = {});
};

// A runtime on this machine's threads and clocks (CLOCK_BOOTTIME: it counts time spent suspended). `seed` 0 takes one
// from the system.
[[nodiscard]] std::unique_ptr<Runtime> make_real_runtime(std::uint64_t seed = 0);

}  // namespace pintle
