// ForwardingRuntime: the base class of an executor that changes one aspect of another executor.
#pragma once

#include <functional>
#include <string_view>
#include <utility>

#include <pintle/base/runtime.hpp>

namespace pintle {

/// Forwards all calls to `runtime`, which must outlive this object. Thread-safe if `runtime` is.
class ForwardingRuntime : public Runtime {
 public:
  explicit ForwardingRuntime(Runtime& runtime) noexcept : runtime_(runtime) {}

  [[nodiscard]] Instant now() const noexcept override { return runtime_.now(); }
  [[nodiscard]] WallTime wall_now() const noexcept override { return runtime_.wall_now(); }
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
};

}  // namespace pintle
