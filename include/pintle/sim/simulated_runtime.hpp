// SimulatedRuntime: virtual time and one thread at a time, every interleaving drawn from a seed.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include <pintle/base/runtime.hpp>
#include <pintle/base/scheduler.hpp>

namespace pintle {

struct SimulationOptions {
  std::uint64_t seed = 1;
  WallTime start = WallTime(std::chrono::seconds(1'767'225'600));  // 2026-01-01T00:00:00Z
  Duration blocked_limit = std::chrono::seconds(2);  // real time a thread may go without reaching a seam; 0 for any
  std::string replay{};                              // the line that repeats this run, printed when it fails
};

// The thread that constructs it becomes its first simulated thread, named "driver", and must be the one that destroys
// it, after every other has been joined. Exactly one simulated thread runs at a time; at every lock, wait, sleep and
// request the next is drawn from the seed. When all of them wait, time jumps to the earliest deadline. A deadlock, a
// wait or request made while holding a lock, and a thread that blocks outside the seams end the process with a message
// that names the thread and the seed. While it lives, its threads, the driver among them, stay on the processor it was
// constructed on; so two that one thread constructs must nest.
class SimulatedRuntime final : public Runtime {
 public:
  explicit SimulatedRuntime(SimulationOptions options = {});
  ~SimulatedRuntime() override;
  SimulatedRuntime(const SimulatedRuntime&) = delete;
  SimulatedRuntime& operator=(const SimulatedRuntime&) = delete;

  [[nodiscard]] Instant now() const noexcept override;
  [[nodiscard]] WallTime wall_now() const noexcept override;
  [[nodiscard]] Thread spawn(ThreadOptions options, std::function<void()> body) override;
  [[nodiscard]] std::uint64_t random() override;
  void yield() override;
  [[nodiscard]] std::string_view thread_name() const noexcept override;
  [[nodiscard]] bool may_block() const noexcept override;
  [[nodiscard]] Scheduler* scheduler() noexcept override;

  // Scheduling decisions so far: the same seed and program give the same number.
  [[nodiscard]] std::uint64_t steps() const noexcept;

 private:
  class Machine;
  std::unique_ptr<Machine> machine_;
};

}  // namespace pintle
