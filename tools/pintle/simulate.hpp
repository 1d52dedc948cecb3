// SPDX-License-Identifier: Apache-2.0
// `pintle simulate`: runs an operator in simulated clusters.
#pragma once

#include <string>
#include <vector>

namespace pintle::tools {

// Replaces this process by the program, which simulates itself. `command`: the program and its options. Returns the
// exit code 2 if it cannot be started.
[[nodiscard]] int run_simulate(const std::vector<std::string>& command);

}  // namespace pintle::tools
