// SPDX-License-Identifier: Apache-2.0
// WebhookMetrics: the metrics of one webhook, with the names of controller-runtime, and the outcomes of its calls.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pintle/base/metrics.hpp>
#include <pintle/base/time.hpp>

#include "admission_webhook.hpp"

namespace pintle {

// The path of the webhook that converts objects of all kinds.
inline constexpr std::string_view conversion_path = "/convert";

// The label "operation" of its calls.
inline constexpr std::string_view conversion_operation = "CONVERT";

// Returns the counter of the requests for a path with this HTTP status. Without a registry, it counts nothing.
[[nodiscard]] Counter webhook_requests(MetricsRegistry* registry, const std::string& path, int status);

// Thread-safe. Without a registry, it counts nothing.
class WebhookMetrics {
 public:
  // `operations`: those whose counters exist from the start.
  WebhookMetrics(MetricsRegistry* registry, std::string path, const std::vector<std::string>& operations);

  // A function of the author has thrown an exception.
  void threw() const { panics_.add(); }
  // A request arrived. Either finished() or refused() must follow.
  void started() const { in_flight_.add(1); }
  void finished(AdmissionOutcome outcome, const std::string& operation, Duration duration) const;
  // The HTTP status of the response is not 200.
  void refused(int status, Duration duration) const;

 private:
  [[nodiscard]] Counter requests_with(int status) const;
  [[nodiscard]] Counter outcome_counter(AdmissionOutcome outcome, const std::string& operation) const;
  void ended(Duration duration) const;

  MetricsRegistry* registry_;
  std::string path_;
  Gauge in_flight_;
  Histogram latency_;
  Counter panics_;
  Counter completed_;  // responses with HTTP status 200
  std::map<std::pair<AdmissionOutcome, std::string>, Counter> outcomes_;
};

}  // namespace pintle
