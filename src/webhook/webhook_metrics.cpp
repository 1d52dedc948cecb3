// SPDX-License-Identifier: Apache-2.0
#include "webhook_metrics.hpp"

#include <utility>

namespace pintle {
namespace {

std::vector<double> latency_buckets() { return {.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}; }

}  // namespace

Counter webhook_requests(MetricsRegistry* registry, const std::string& path, int status) {
  if (registry == nullptr) return {};
  return registry->counter("controller_runtime_webhook_requests_total", "Number of admission requests by HTTP status.",
                           {{"webhook", path}, {"code", std::to_string(status)}});
}

WebhookMetrics::WebhookMetrics(MetricsRegistry* registry, std::string path, const std::vector<std::string>& operations)
    : registry_(registry), path_(std::move(path)) {
  if (registry_ == nullptr) return;
  in_flight_ = registry_->gauge("controller_runtime_webhook_requests_in_flight",
                                "Number of admission requests that are being handled.", {{"webhook", path_}});
  latency_ = registry_->histogram("controller_runtime_webhook_latency_seconds", "Duration of admission requests.",
                                  {{"webhook", path_}}, latency_buckets());
  completed_ = requests_with(200);
  (void)requests_with(500);  // exists from the start, as in controller-runtime
  const bool is_conversion = path_ == conversion_path;
  panics_ = registry_->counter(
      is_conversion ? "controller_runtime_conversion_webhook_panics_total" : "controller_runtime_webhook_panics_total",
      "Number of calls in which a function of the operator threw an exception.");
  std::vector<AdmissionOutcome> possible{AdmissionOutcome::failed, AdmissionOutcome::timed_out,
                                         AdmissionOutcome::cancelled};
  if (is_conversion) {
    possible.push_back(AdmissionOutcome::converted);
  } else {
    possible.insert(possible.end(), {AdmissionOutcome::admitted, AdmissionOutcome::denied});
  }
  for (const AdmissionOutcome outcome : possible) {
    for (const std::string& one : operations) outcomes_[{outcome, one}] = outcome_counter(outcome, one);
  }
}

Counter WebhookMetrics::outcome_counter(AdmissionOutcome outcome, const std::string& operation) const {
  return registry_->counter(
      "pintle_webhook_outcomes_total", "Number of calls of webhooks by operation and outcome.",
      {{"webhook", path_}, {"operation", operation}, {"outcome", std::string(to_string(outcome))}});
}

Counter WebhookMetrics::requests_with(int status) const { return webhook_requests(registry_, path_, status); }

void WebhookMetrics::finished(AdmissionOutcome outcome, const std::string& operation, Duration duration) const {
  if (const auto found = outcomes_.find({outcome, operation}); found != outcomes_.end()) {
    found->second.add();
  } else if (registry_ != nullptr) {
    outcome_counter(outcome, operation).add();
  }
  completed_.add();
  ended(duration);
}

void WebhookMetrics::refused(int status, Duration duration) const {
  requests_with(status).add();
  ended(duration);
}

void WebhookMetrics::ended(Duration duration) const {
  in_flight_.add(-1);
  latency_.observe(std::chrono::duration<double>(duration).count());
}

}  // namespace pintle
