// SPDX-License-Identifier: Apache-2.0
// SimulatedExecutor: an executor with virtual time that runs one thread at a time, in an order determined by a seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/executor.hpp>
#include <pintle/base/scheduler.hpp>
#include <pintle/sim/fiber_stacks.hpp>

namespace pintle {

/// How the next thread is chosen.
struct Scheduling {
  enum class Strategy {
    random,  ///< each thread that can run, with the same probability
    /// The thread with the highest random priority. At `changes` random points among the first `horizon` decisions, the
    /// running thread gets the lowest priority. This finds errors that need only a few interruptions, but at particular
    /// points.
    priorities,
    /// Follows `choices`, and then always continues with the running thread, or the first one that can run.
    choices,
  };
  Strategy strategy = Strategy::random;
  std::size_t changes = 3;
  std::uint64_t horizon = 5'000;
  std::vector<std::uint32_t> choices{};  ///< the number of the chosen alternative at each decision that has several
};

struct SimulatedExecutorOptions {
  std::uint64_t seed = 1;
  Scheduling scheduling{};
  WallTime start = WallTime(std::chrono::seconds(1'767'225'600));  ///< 2026-01-01T00:00:00Z
  /// Maximum real time that a thread may compute without a call of a seam; 0: unlimited. A thread that blocks, or that
  /// gets no processor, has ten times as long. Does not apply to the driver.
  Duration max_blocked_time = std::chrono::seconds(2);
  std::string replay{};  ///< the command that repeats this run, printed if it fails
  /// If set, threads are fibers, which are faster; see FiberStacks. Several executors may share it, one after another.
  std::shared_ptr<FiberStacks> stacks{};
};

/// The thread that constructs the executor becomes the first simulated thread, named "driver". The driver must also
/// destroy the executor, after all other threads have been joined. Exactly one simulated thread runs at a time; at
/// every lock, wait, sleep and request, the seed determines which thread runs next. If all threads wait, the time
/// advances to the earliest deadline.
///
/// A deadlock, a wait or request while a lock is held, and a thread that blocks outside the seams terminate the process
/// with a message that contains the thread and the seed. Unless the threads are fibers, all of them, including the
/// driver, are bound to the processor on which the executor was constructed, until it is destroyed. If one thread
/// constructs two executors, it must therefore destroy them in reverse order.
class PINTLE_EXPORT SimulatedExecutor final : public Executor {
 public:
  explicit SimulatedExecutor(SimulatedExecutorOptions options = {});
  ~SimulatedExecutor() override;
  SimulatedExecutor(const SimulatedExecutor&) = delete;
  SimulatedExecutor& operator=(const SimulatedExecutor&) = delete;

  [[nodiscard]] Instant now() const noexcept override;
  [[nodiscard]] WallTime wall_now() const noexcept override;
  [[nodiscard]] Thread spawn(ThreadOptions options, std::function<void()> body) override;
  [[nodiscard]] std::uint64_t random() override;
  [[nodiscard]] std::uint64_t secure_random() override { return random(); }
  void yield() override;
  [[nodiscard]] std::string_view thread_name() const noexcept override;
  [[nodiscard]] bool may_block() const noexcept override;
  [[nodiscard]] Scheduler* scheduler() noexcept override;

  /// Number of scheduling decisions so far; it is equal in all runs of one program with the same seed.
  [[nodiscard]] std::uint64_t steps() const noexcept;
  /// A hash of the threads that were chosen and of the times; it is equal in all runs of one program with one seed.
  [[nodiscard]] std::uint64_t trace_hash() const noexcept;
  /// The number of alternatives at each decision so far that had several; only for Strategy::choices.
  [[nodiscard]] const std::vector<std::uint32_t>& alternatives() const noexcept;
  /// A thread belongs to the process of the thread that started it, or to another one that it has entered. The driver
  /// begins in process 0. The calling thread enters a process. Returns the process to which it belonged.
  std::uint64_t enter_process(std::uint64_t process);
  /// The threads of a process do not run until `until`, as after SIGSTOP; deadlines of their waits expire meanwhile. A
  /// thread that holds a lock stops when it holds none. The calling thread must belong to another process.
  void freeze(std::uint64_t process, Instant until);
  /// Ends a freeze() before its time.
  void thaw(std::uint64_t process);
  /// The end of the current freeze() of a process; a time in the past if there is none.
  [[nodiscard]] Instant frozen_until(std::uint64_t process) const;
  /// The threads that the calling thread starts from now on belong to a process; the calling thread stays in its own.
  /// Returns the process to which they belonged so far.
  std::uint64_t start_threads_in(std::uint64_t process);
  /// Sets the wall clock forward or back, as an administrator does. Instants do not change.
  void move_wall_clock(Duration by);

 private:
  class Machine;
  std::unique_ptr<Machine> machine_;
};

}  // namespace pintle
