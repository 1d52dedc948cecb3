// StandingClock: a runtime on which the time of day stands still, so that what is stamped with it is the same in every
// run.
#pragma once

#include <functional>
#include <string_view>
#include <utility>

#include <pintle/base/runtime.hpp>

namespace pintle::tools {

// As `runtime`, which must outlive it, but for wall_now(). Waiting and now() go on.
class StandingClock final : public Runtime {
 public:
  StandingClock(Runtime& runtime, WallTime stands_at) noexcept : runtime_(runtime), stands_at_(stands_at) {}

  [[nodiscard]] Instant now() const noexcept override { return runtime_.now(); }
  [[nodiscard]] WallTime wall_now() const noexcept override { return stands_at_; }
  [[nodiscard]] Thread spawn(ThreadOptions options, std::function<void()> body) override {
    return runtime_.spawn(std::move(options), std::move(body));
  }
  [[nodiscard]] std::uint64_t random() override { return runtime_.random(); }
  void yield() override { runtime_.yield(); }
  [[nodiscard]] std::string_view thread_name() const noexcept override { return runtime_.thread_name(); }
  [[nodiscard]] bool may_block() const noexcept override { return runtime_.may_block(); }
  [[nodiscard]] Scheduler* scheduler() noexcept override { return runtime_.scheduler(); }

 private:
  Runtime& runtime_;
  const WallTime stands_at_;
};

}  // namespace pintle::tools
