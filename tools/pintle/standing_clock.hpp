// SPDX-License-Identifier: Apache-2.0
// StandingClock: an executor with a fixed wall clock, so that timestamps are the same in each run.
#pragma once

#include <pintle/base/forwarding_executor.hpp>

namespace pintle::tools {

// Only wall_now() is fixed. Waiting and now() use the real executor.
class StandingClock final : public ForwardingExecutor {
 public:
  StandingClock(Executor& executor, WallTime stands_at) noexcept
      : ForwardingExecutor(executor), stands_at_(stands_at) {}

  [[nodiscard]] WallTime wall_now() const noexcept override { return stands_at_; }

 private:
  const WallTime stands_at_;
};

}  // namespace pintle::tools
