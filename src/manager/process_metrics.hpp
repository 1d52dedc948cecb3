// SPDX-License-Identifier: Apache-2.0
// ProcessMetrics: the metrics process_* of this process, with the names and units of the client libraries of
// Prometheus.
#pragma once

#include <cstddef>
#include <string>

#include <pintle/base/metrics.hpp>
#include <pintle/base/mutex.hpp>

namespace pintle {

// Returns the resident memory of this process in bytes.
[[nodiscard]] std::size_t resident_memory();

// Thread-safe.
class ProcessMetrics {
 public:
  // Also sets pintle_build_info, with the name and the version of the operator.
  ProcessMetrics(Executor& executor, MetricsRegistry& registry, const std::string& name, const std::string& version);

  // Updates the metrics. A value that the system does not provide keeps its last value.
  void measure();

 private:
  Mutex mutex_;  // two updates at the same time would count CPU time twice
  Counter cpu_seconds_ PINTLE_GUARDED_BY(mutex_);
  Gauge resident_memory_;
  Gauge virtual_memory_;
  Gauge open_files_;
  Gauge max_files_;
  Gauge threads_;
};

}  // namespace pintle
