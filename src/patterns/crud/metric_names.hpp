// SPDX-License-Identifier: Apache-2.0
// Names, buckets and units of the metrics of this pattern.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/time.hpp>
#include <pintle/patterns/crud/metrics.hpp>

namespace pintle::crud {

// Returns a full metric name, for example "operatorkit_framework_event".
[[nodiscard]] inline std::string metric_name(std::string_view name, std::string_view subsystem = prometheus_subsystem) {
  return std::string(prometheus_namespace) + "_" + std::string(subsystem) + "_" + std::string(name);
}

// The default buckets of the Prometheus client for Go.
[[nodiscard]] inline std::vector<double> default_buckets() {
  return {.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10};
}

[[nodiscard]] inline double seconds(Duration duration) { return std::chrono::duration<double>(duration).count(); }

}  // namespace pintle::crud
