// WebhookMetrics: the metrics of one webhook, with the names of controller-runtime, and the outcomes of its calls.
#pragma once

#include <map>
#include <string>

#include <pintle/base/metrics.hpp>
#include <pintle/base/time.hpp>

#include "admission_webhook.hpp"

namespace pintle {

// Thread-safe. Without a registry, it counts nothing.
class WebhookMetrics {
 public:
  WebhookMetrics(MetricsRegistry* registry, std::string path);

  // A request arrived. Either finished() or refused() must follow.
  void started() const { in_flight_.add(1); }
  void finished(AdmissionOutcome outcome, Duration duration) const;
  // The HTTP status of the response is not 200.
  void refused(int status, Duration duration) const;

 private:
  void ended(int status, Duration duration) const;

  MetricsRegistry* registry_;
  std::string path_;
  Gauge in_flight_;
  Histogram latency_;
  std::map<AdmissionOutcome, Counter> outcomes_;
};

}  // namespace pintle
