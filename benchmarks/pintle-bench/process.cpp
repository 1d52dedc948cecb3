// SPDX-License-Identifier: Apache-2.0
#include "process.hpp"

#include <sys/resource.h>
#include <time.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace pintle::benchmarks {
namespace {

// Reads a line of a file in /proc that is in kB.
double mb_in(const std::string& file, const std::string& name) {
  std::ifstream lines(file);
  std::string word;
  double kilobytes = 0;
  while (lines >> word) {
    if (word == name && lines >> kilobytes) return kilobytes / 1024;
  }
  return 0;
}

double status_mb(const std::string& name) { return mb_in("/proc/self/status", name); }

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

}  // namespace

double cpu_seconds() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

double thread_cpu_seconds() {
  timespec used{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) / 1e9;
}

double cpu_seconds_of_threads(std::string_view name) {
  constexpr double ns = 1e-9;
  double sum = 0;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
    std::string found;
    std::ifstream(thread.path() / "comm") >> found;
    if (found != name && !found.starts_with(std::string(name) + "-")) continue;
    double used = 0;
    std::ifstream(thread.path() / "schedstat") >> used;
    sum += used * ns;
  }
  return sum;
}

double resident_mb() { return status_mb("VmRSS:"); }
double peak_resident_mb() { return status_mb("VmHWM:"); }
double private_dirty_mb() { return mb_in("/proc/self/smaps_rollup", "Private_Dirty:"); }
double private_dirty_mb_of(int process) {
  return mb_in("/proc/" + std::to_string(process) + "/smaps_rollup", "Private_Dirty:");
}

}  // namespace pintle::benchmarks
