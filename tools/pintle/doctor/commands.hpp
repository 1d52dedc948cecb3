// SPDX-License-Identifier: Apache-2.0
// The commands in actions, in a form that a user can copy into a shell.
#pragma once

#include <string>
#include <vector>

#include "doctor/line.hpp"
#include "doctor/options.hpp"

namespace pintle::doctor {

// Adds the kubeconfig and the context of the options to all commands, so that they do not change another cluster.
void select_cluster(std::vector<Line>& lines, const DoctorOptions& options);

}  // namespace pintle::doctor
