// StandingClock: a executor on which the time of day stands still, so that what is stamped with it is the same in every
// run.
#pragma once

#include <pintle/base/forwarding_executor.hpp>

namespace pintle::tools {

// Waiting and now() go on.
class StandingClock final : public ForwardingExecutor {
 public:
  StandingClock(Executor& executor, WallTime stands_at) noexcept
      : ForwardingExecutor(executor), stands_at_(stands_at) {}

  [[nodiscard]] WallTime wall_now() const noexcept override { return stands_at_; }

 private:
  const WallTime stands_at_;
};

}  // namespace pintle::tools
