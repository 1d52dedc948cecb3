// SPDX-License-Identifier: Apache-2.0
#include "process_metrics.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include <sys/resource.h>
#include <unistd.h>

namespace pintle {
namespace {

struct Memory {
  std::size_t resident = 0;  // bytes
  std::size_t virtual_ = 0;
};

Memory memory() {
  std::ifstream file("/proc/self/statm");
  std::size_t total = 0;
  std::size_t resident = 0;
  file >> total >> resident;
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return {.resident = resident * page, .virtual_ = total * page};
}

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

double cpu_seconds() {
  rusage used{};
  return ::getrusage(RUSAGE_SELF, &used) == 0 ? seconds_of(used.ru_utime) + seconds_of(used.ru_stime) : 0;
}

std::size_t entries_of(const char* folder) {
  std::error_code error;
  const std::filesystem::directory_iterator all(folder, error);
  return error ? 0 : static_cast<std::size_t>(std::distance(begin(all), end(all)));
}

// Returns the start as Unix time: the time of the boot, and the ticks from there to the start.
double start_time() {
  double boot = 0;
  std::ifstream system("/proc/stat");
  for (std::string word; system >> word;) {
    if (word == "btime") system >> boot;
  }
  std::ifstream file("/proc/self/stat");
  std::stringstream text;
  text << file.rdbuf();
  // The name of the program, in parentheses, may contain spaces. The start is the twentieth field behind it.
  std::istringstream fields(text.str().substr(std::min(text.str().rfind(')') + 1, text.str().size())));
  std::string field;
  for (int i = 0; i < 20; ++i) fields >> field;
  const double ticks = field.empty() ? 0 : std::strtod(field.c_str(), nullptr);
  return boot + ticks / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

}  // namespace

std::size_t resident_memory() { return memory().resident; }

ProcessMetrics::ProcessMetrics(Executor& executor, MetricsRegistry& registry, const std::string& name,
                               const std::string& version)
    : mutex_(executor),
      cpu_seconds_(registry.counter("process_cpu_seconds_total", "CPU time of the process, in user and system mode.")),
      resident_memory_(registry.gauge("process_resident_memory_bytes", "Resident memory of the process.")),
      virtual_memory_(registry.gauge("process_virtual_memory_bytes", "Virtual memory of the process.")),
      open_files_(registry.gauge("process_open_fds", "Open file descriptors.")),
      max_files_(registry.gauge("process_max_fds", "Maximum number of open file descriptors.")),
      threads_(registry.gauge("process_threads", "Threads of the process.")) {
  registry.gauge("process_start_time_seconds", "When the process started, as Unix time.").set(start_time());
  registry
      .gauge("pintle_build_info", "1, with the versions of the operator and of pintle as labels.",
             {{"name", name}, {"version", version}, {"framework_version", PINTLE_VERSION}})
      .set(1);
}

void ProcessMetrics::measure() {
  const MutexLock lock(mutex_);
  cpu_seconds_.add(std::max(0.0, cpu_seconds() - cpu_seconds_.value()));
  const Memory used = memory();
  resident_memory_.set(static_cast<double>(used.resident));
  virtual_memory_.set(static_cast<double>(used.virtual_));
  open_files_.set(static_cast<double>(entries_of("/proc/self/fd")));
  threads_.set(static_cast<double>(entries_of("/proc/self/task")));
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) == 0) max_files_.set(static_cast<double>(files.rlim_cur));
}

}  // namespace pintle
