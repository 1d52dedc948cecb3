#include "process.hpp"

#include <sys/resource.h>

#include <fstream>
#include <string>

namespace pintle::benchmarks {
namespace {

// A line of /proc/self/status, which counts in kB.
double status_mb(const std::string& name) {
  std::ifstream status("/proc/self/status");
  std::string word;
  double kilobytes = 0;
  while (status >> word) {
    if (word == name && status >> kilobytes) return kilobytes / 1024;
  }
  return 0;
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

}  // namespace

double cpu_seconds() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

double resident_mb() { return status_mb("VmRSS:"); }
double peak_resident_mb() { return status_mb("VmHWM:"); }

}  // namespace pintle::benchmarks
