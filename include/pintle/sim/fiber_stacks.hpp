// SPDX-License-Identifier: Apache-2.0
// FiberStacks: memory with which the threads of a simulation are fibers.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include <pintle/base/annotations.hpp>

namespace pintle {

/// The stacks of the threads of simulated executors that have it as SimulatedExecutorOptions::stacks. Those threads are
/// fibers on the thread that constructs the executor: a switch between two of them needs no system call that waits, and
/// their stacks are used again by the next executor.
///
/// Which thread runs next does not depend on it, so a run with fibers has the trace hash of the same run with threads
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
