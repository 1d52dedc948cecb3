// SPDX-License-Identifier: Apache-2.0
// Executor: the interface to threads, clocks, waiting and random numbers. It has a real and a simulated implementation.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>

#include <pintle/base/annotations.hpp>
#include <pintle/base/time.hpp>

namespace pintle {

class Scheduler;

/// Provides the current time. Thread-safe.
class PINTLE_EXPORT Clock {
 public:
  virtual ~Clock() = default;
  [[nodiscard]] virtual Instant now() const noexcept = 0;
  [[nodiscard]] virtual WallTime wall_now() const noexcept = 0;
};

/// The properties of a thread.
struct ThreadOptions {
  std::string name{};     ///< shown in logs, debuggers and error messages: "io", "dispatcher", "greeting-0"
  bool may_block = true;  ///< false: a blocking client call on this thread fails with an error that names the thread
};

/// A handle that owns a thread. The destructor waits until the thread ends; threads are never detached or killed.
/// Thread-safety: that of std::thread.
class PINTLE_EXPORT Thread {
 public:
  class Body;

  Thread() noexcept;
  explicit Thread(std::unique_ptr<Body> body) noexcept;
  Thread(Thread&&) noexcept;
  Thread& operator=(Thread&&) noexcept;
  ~Thread();

  [[nodiscard]] bool joinable() const noexcept { return body_ != nullptr; }
  /// Waits until the thread ends. Does nothing if the thread was joined before or never started.
  void join();

 private:
  std::unique_ptr<Body> body_;
};

/// The executor. The real one uses the threads and clocks of the machine (make_real_executor()). The simulated one uses
/// virtual time and a seed (SimulatedExecutor). All layers above `base` receive an executor; they start threads, wait,
/// read clocks and draw random numbers only through it. Thread-safe.
class PINTLE_EXPORT Executor : public Clock {
 public:
  /// Starts a thread. The returned handle joins it.
  [[nodiscard]] virtual Thread spawn(ThreadOptions options, std::function<void()> body) = 0;

  /// Returns a random number that is derived from the seed of the executor.
  [[nodiscard]] virtual std::uint64_t random() = 0;
  /// Returns random bits that are fit for secrets: those of the operating system. In a simulation they are derived from
  /// the seed. See random_text().
  [[nodiscard]] virtual std::uint64_t secure_random() = 0;

  /// In a simulation, another thread may run at this point. The real executor does nothing. Clients call it before they
  /// send a request.
  virtual void yield() = 0;

  /// Returns the name that spawn() gave to the calling thread. On a thread that spawn() did not start, returns "main",
  /// or "driver" in a simulation.
  [[nodiscard]] virtual std::string_view thread_name() const noexcept = 0;
  /// Whether the calling thread may make blocking client calls.
  [[nodiscard]] virtual bool may_block() const noexcept = 0;

  /// Returns the implementation of locks and waits in a simulation, or null for the real executor.
  [[nodiscard]] virtual Scheduler* scheduler() noexcept = 0;

  /// Sleeps. Returns true if the time has passed, and false if `stop` ended the sleep earlier.
  bool sleep_for(Duration duration, std::stop_token stop = {});
  bool sleep_until(Instant deadline, std::stop_token stop = {});
};

/// Creates an executor that uses the threads and clocks of this machine. Its instants are those of CLOCK_BOOTTIME,
/// which includes time in suspend. If `seed` is 0, the operating system provides a seed.
[[nodiscard]] PINTLE_EXPORT std::unique_ptr<Executor> make_real_executor(std::uint64_t seed = 0);

}  // namespace pintle
