// SPDX-License-Identifier: Apache-2.0
// FiberStacks: the stacks for a simulation whose threads are fibers (user-mode threads).
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include <pintle/base/annotations.hpp>

namespace pintle {

/// Stacks for the threads of simulated executors; pass them as SimulatedExecutorOptions::stacks. The threads are then
/// fibers on the thread that constructs the executor: a switch between two of them does not go through the scheduler of
/// the operating system, and the next executor reuses their stacks.
///
/// Fibers do not change the order of the threads, so a run with fibers has the trace hash of the same run with threads
/// of the machine. All fibers have the variables of the one thread that carries them: `thread_local` does not separate
/// them, and std::this_thread::get_id() is equal in all of them. A stack has 8 MiB, of which only the used pages take
/// memory, and a guard page.
///
/// Not thread-safe: only the thread that constructs the executors uses it.
class PINTLE_EXPORT FiberStacks {
 public:
  /// Returns null in a build with a sanitizer, which cannot follow fibers. An executor then uses threads.
  [[nodiscard]] static std::shared_ptr<FiberStacks> make();

  ~FiberStacks();
  FiberStacks(const FiberStacks&) = delete;
  FiberStacks& operator=(const FiberStacks&) = delete;

  /// Number of stacks that no fiber uses.
  [[nodiscard]] std::size_t unused() const noexcept { return unused_.size(); }

 private:
  friend class Fiber;
  FiberStacks() = default;
  [[nodiscard]] void* take();
  void put_back(void* stack);

  std::vector<void*> unused_{};
};

}  // namespace pintle
