// SPDX-License-Identifier: Apache-2.0
// Meter: the cost and the work of one evaluation.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include <pintle/base/error.hpp>
#include <pintle/base/result.hpp>
#include <pintle/cel/program.hpp>

namespace pintle::cel {

// The cost is that of Kubernetes, which ignores some work, such as the comparison of nested lists. The work counts it:
// the bytes and elements that functions read. Both have a limit, so an evaluation always ends.
class Meter {
 public:
  explicit Meter(std::uint64_t max_cost) noexcept
      : max_cost_(max_cost),
        work_(std::clamp<std::uint64_t>(max_cost, min_cost, SIZE_MAX / work_per_unit) * work_per_unit) {}

  void charge(std::uint64_t units) noexcept {
    cost_ = units > UINT64_MAX - cost_ ? UINT64_MAX : cost_ + units;
    if (cost_ > max_cost_) is_exceeded_ = true;
  }
  // Sets the cost to an earlier one.
  void restore(std::uint64_t cost) noexcept { cost_ = cost; }
  void charge_work(std::size_t parts) noexcept {
    if (parts >= work_) is_exceeded_ = true;
    work_ -= std::min(parts, work_);
  }
  [[nodiscard]] std::size_t& work() noexcept { return work_; }
  [[nodiscard]] bool is_exceeded() const noexcept { return is_exceeded_; }
  [[nodiscard]] std::uint64_t cost() const noexcept { return cost_; }

  [[nodiscard]] static Error exceeded() {
    auto error = make_error(ErrorCode::invalid, "operation cancelled: actual cost limit exceeded");
    error.reason = cost_exceeded;
    return error;
  }

 private:
  static constexpr std::size_t work_per_unit = 30;
  static constexpr std::size_t min_cost = 10'000;

  std::uint64_t max_cost_;
  std::uint64_t cost_ = 0;
  std::size_t work_;
  bool is_exceeded_ = false;
};

}  // namespace pintle::cel
