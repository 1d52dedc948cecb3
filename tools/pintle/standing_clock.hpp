// StandingClock: a runtime on which the time of day stands still, so that what is stamped with it is the same in every
// run.
#pragma once

#include <pintle/base/forwarding_runtime.hpp>

namespace pintle::tools {

// Waiting and now() go on.
class StandingClock final : public ForwardingRuntime {
 public:
  StandingClock(Runtime& runtime, WallTime stands_at) noexcept : ForwardingRuntime(runtime), stands_at_(stands_at) {}

  [[nodiscard]] WallTime wall_now() const noexcept override { return stands_at_; }

 private:
  const WallTime stands_at_;
};

}  // namespace pintle::tools
