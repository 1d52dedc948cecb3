// SPDX-License-Identifier: Apache-2.0
// ExecPluginMetrics: metrics of credential plugins, with the names and labels of client-go.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <pintle/base/metrics.hpp>
#include <pintle/base/time.hpp>

namespace pintle {

// Used by one thread at a time.
class ExecPluginMetrics {
 public:
  // `registry` may be null: no metrics. It must outlive this object.
  explicit ExecPluginMetrics(MetricsRegistry* registry) : registry_(registry) {}

  // Counts a run. `call_status` is that of client-go: no_error, plugin_execution_error, plugin_not_found_error or
  // client_internal_error; `code` is the status of the program, or 1 if it did not run.
  void count(int code, std::string_view call_status) const;
  // Observes the age of the previous client certificate if the plugin returned another one. `certificate` is PEM; ""
  // if the plugin returned none.
  void note_certificate(const std::string& certificate, WallTime now);

 private:
  MetricsRegistry* const registry_;
  std::string last_certificate_;
};

}  // namespace pintle
