// SPDX-License-Identifier: Apache-2.0
// The exit codes of an operator: run_until_signal() returns them, and --print-man lists them.
#pragma once

#include <array>
#include <utility>

namespace pintle {

inline constexpr int exit_stopped = 0;
inline constexpr int exit_failed = 1;
inline constexpr int exit_usage = 2;
inline constexpr int exit_cluster = 3;
inline constexpr int exit_lease_lost = 4;
inline constexpr int exit_second_signal = 130;

inline constexpr std::array<std::pair<int, const char*>, 6> exit_codes{
    {{exit_stopped, "The operator stopped after a signal, or printed what a flag requested."},
     {exit_failed, "The operator failed while it ran, or its output could not be written."},
     {exit_usage, "A flag, a setting or a declaration in the code is invalid."},
     {exit_cluster, "The cluster cannot be reached, or refused access."},
     {exit_lease_lost, "The Lease of the leader election was lost."},
     {exit_second_signal, "A second signal ended the process at once."}}};

}  // namespace pintle
