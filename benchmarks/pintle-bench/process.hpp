// SPDX-License-Identifier: Apache-2.0
// The resources that this process, or another process, has used so far.
#pragma once

#include <string_view>

namespace pintle::benchmarks {

[[nodiscard]] double cpu_seconds();  // of all threads
[[nodiscard]] double thread_cpu_seconds();
// Sums up the threads of this process that have this name, or this name with a number: "webhook-3".
[[nodiscard]] double cpu_seconds_of_threads(std::string_view name);
[[nodiscard]] double resident_mb();
[[nodiscard]] double peak_resident_mb();
[[nodiscard]] double private_dirty_mb();
[[nodiscard]] double private_dirty_mb_of(int process);

}  // namespace pintle::benchmarks
