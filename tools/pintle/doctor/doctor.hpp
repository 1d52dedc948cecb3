// SPDX-License-Identifier: Apache-2.0
// `pintle doctor`: checks a cluster, and the installation of an operator in it.
#pragma once

#include <vector>

#include <pintle/base/programs.hpp>
#include <pintle/client/client.hpp>

#include "doctor/line.hpp"
#include "doctor/options.hpp"

namespace pintle::doctor {

// Runs the program, if there is one, and all checks, for at most options.timeout. Blocks. Error: invalid, if the
// program is no operator.
[[nodiscard]] Result<std::vector<Line>> diagnose(Client& client, Programs& programs, const DoctorOptions& options);

// Prints the lines. Returns the exit code: 0, 1 if a check failed, 2 for options that cannot be used.
[[nodiscard]] int run_doctor(const DoctorOptions& options);

}  // namespace pintle::doctor
