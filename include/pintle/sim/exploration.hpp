// SPDX-License-Identifier: Apache-2.0
// explore(): runs a program with all schedules within a bound.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include <pintle/base/annotations.hpp>

namespace pintle {

/// In the default schedule, a thread runs until it waits. The bound contains the schedules that differ from it in at
/// most `deviations` decisions, all of them among the first `decisions` decisions. Only decisions with several
/// alternatives count.
struct ExplorationBound {
  std::size_t deviations = 1;
  std::size_t decisions = 1'000;
  /// Explores one of `parts` parts of these schedules, so that several processes can share the work.
  std::size_t part = 0;
  std::size_t parts = 1;
};

/// Calls `run` once for each schedule of the part, with Scheduling::choices. Each part also runs the default schedule,
/// but only part 0 counts it. `run` returns SimulatedExecutor::alternatives() of its run, or nothing to end the
/// exploration. Returns the number of schedules. The program must be repeatable.
PINTLE_EXPORT std::uint64_t explore(
    const ExplorationBound& bound,
    const std::function<std::optional<std::vector<std::uint32_t>>(const std::vector<std::uint32_t>& choices)>& run);

}  // namespace pintle
