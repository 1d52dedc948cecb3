// SPDX-License-Identifier: Apache-2.0
#include "exec_plugin_metrics.hpp"

#include <vector>

#include <pintle/http/pem.hpp>

namespace pintle {

void ExecPluginMetrics::count(int code, std::string_view call_status) const {
  if (registry_ == nullptr) return;
  registry_
      ->counter("rest_client_exec_plugin_call_total", "Runs of credential plugins by exit status and kind of error.",
                {{"code", std::to_string(code)}, {"call_status", std::string(call_status)}})
      .add();
}

void ExecPluginMetrics::note_certificate(const std::string& certificate, WallTime now) {
  if (registry_ == nullptr || certificate == last_certificate_) return;
  // 10 and 30 minutes; 1, 4 and 24 hours; 7, 30, 90, 180 and 360 days; 4 years.
  static const std::vector<double> buckets{600,     1800,    3600,     14400,    86400,    604800,
                                           2592000, 7776000, 15552000, 31104000, 124416000};
  const auto validity = http::validate_certificates({.name = "the certificate", .text = last_certificate_});
  last_certificate_ = certificate;
  if (!validity || validity->empty()) return;
  registry_
      ->histogram("rest_client_exec_plugin_certificate_rotation_age",
                  "Age in seconds of the last client certificate when the plugin replaced it.", {}, buckets)
      .observe(std::chrono::duration<double>(now - validity->front().not_before).count());
}

}  // namespace pintle
