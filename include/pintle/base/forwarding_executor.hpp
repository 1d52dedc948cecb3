// SPDX-License-Identifier: Apache-2.0
// ForwardingExecutor: the base class of an executor that changes one aspect of another executor.
#pragma once

#include <functional>
#include <string_view>
#include <utility>

#include <pintle/base/annotations.hpp>
#include <pintle/base/executor.hpp>

namespace pintle {

/// Forwards all calls to `executor`, which must outlive this object. Thread-safe if `executor` is.
class PINTLE_EXPORT ForwardingExecutor : public Executor {
 public:
  explicit ForwardingExecutor(Executor& executor) noexcept : executor_(executor) {}

  [[nodiscard]] Instant now() const noexcept override { return executor_.now(); }
  [[nodiscard]] WallTime wall_now() const noexcept override { return executor_.wall_now(); }
  [[nodiscard]] Thread spawn(ThreadOptions options, std::function<void()> body) override {
    return executor_.spawn(std::move(options), std::move(body));
  }
  [[nodiscard]] std::uint64_t random() override { return executor_.random(); }
  [[nodiscard]] std::uint64_t secure_random() override { return executor_.secure_random(); }
  void yield() override { executor_.yield(); }
  [[nodiscard]] std::string_view thread_name() const noexcept override { return executor_.thread_name(); }
  [[nodiscard]] bool may_block() const noexcept override { return executor_.may_block(); }
  [[nodiscard]] Scheduler* scheduler() noexcept override { return executor_.scheduler(); }

 private:
  Executor& executor_;
};

}  // namespace pintle
