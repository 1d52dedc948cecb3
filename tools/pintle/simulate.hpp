// SPDX-License-Identifier: Apache-2.0
// `pintle simulate`: runs an operator in simulated clusters.
#pragma once

#include <string>
#include <vector>

namespace pintle::tools {

// Runs the program, which simulates itself. `command`: the program and its options. Returns the exit code of the
// program, or 2 if it cannot be started, or is no simulation; prints why and what to do.
[[nodiscard]] int run_simulate(const std::vector<std::string>& command);

}  // namespace pintle::tools
