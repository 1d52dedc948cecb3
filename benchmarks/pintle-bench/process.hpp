// The resources that this process, or another process, has used so far.
#pragma once

namespace pintle::benchmarks {

[[nodiscard]] double cpu_seconds();  // of all threads
[[nodiscard]] double thread_cpu_seconds();
[[nodiscard]] double resident_mb();
[[nodiscard]] double peak_resident_mb();
[[nodiscard]] double private_dirty_mb();
[[nodiscard]] double private_dirty_mb_of(int process);

}  // namespace pintle::benchmarks
