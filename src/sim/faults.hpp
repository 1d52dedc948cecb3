// SPDX-License-Identifier: Apache-2.0
// Faults: applies a fault plan. Counts requests and decides which faults hit each of them.
#pragma once

#include <atomic>
#include <optional>
#include <vector>

#include <pintle/base/executor.hpp>
#include <pintle/sim/fault_effects.hpp>
#include <pintle/sim/fault_plan.hpp>

namespace pintle::http {

// The faults that hit one request.
struct Effects {
  Duration delay{};
  Duration response_delay{};
  std::optional<Crash> crash{};
  std::optional<Drop> drop{};
  std::optional<ErrorResponse> error_response{};
  BodyFaults body{};
};

// Used on the I/O thread only, except calls() and hits().
class Faults {
 public:
  Faults(Executor& executor, FaultPlan plan);

  void set(FaultPlan plan);
  // Counts the request and returns its faults.
  [[nodiscard]] Effects decide(const Request& request);

  [[nodiscard]] std::uint64_t calls() const noexcept { return calls_; }
  [[nodiscard]] std::uint64_t hits() const noexcept { return hits_; }

 private:
  struct Armed {
    Fault fault;
    FaultCounter count{};
  };

  Executor& executor_;
  std::vector<Armed> plan_;
  std::atomic<std::uint64_t> calls_ = 0;
  std::atomic<std::uint64_t> hits_ = 0;
};

}  // namespace pintle::http
