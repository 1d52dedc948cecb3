// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/crud/metrics.hpp>

#include <algorithm>
#include <cctype>
#include <map>
#include <memory>

#include "failures.hpp"
#include "metric_names.hpp"

namespace pintle::crud {
namespace {

struct OperationMetrics {
  Counter calls;
  Counter errors;
  Histogram seconds;
};

OperationMetrics metrics_of(std::string_view operation, const std::string& resource, const std::string& service,
                            MetricsRegistry& registry) {
  const Labels labels{{"service", service}, {"resource", resource}, {"operation", std::string(operation)}};
  return {registry.counter(metric_name("operation_total"), "Calls of resource operations.", labels),
          registry.counter(metric_name("operation_error_total"), "Calls of resource operations that failed.", labels),
          registry.histogram(metric_name("operation"), "Duration of the calls of resource operations, in seconds.",
                             labels, default_buckets())};
}

// Counts and times a call when it ends. A call that ends with an exception counts as an error.
class Measurement {
 public:
  Measurement(const OperationMetrics& metrics, const Clock& clock)
      : metrics_(metrics), clock_(clock), begun_(clock.now()) {}
  Measurement(const Measurement&) = delete;
  Measurement& operator=(const Measurement&) = delete;
  ~Measurement() {
    metrics_.calls.add();
    if (!succeeded) metrics_.errors.add();
    metrics_.seconds.observe(seconds(clock_.now() - begun_));
  }

  bool succeeded = false;

 private:
  const OperationMetrics& metrics_;
  const Clock& clock_;
  const Instant begun_;
};

bool is_part_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

}  // namespace

std::string camel_case(std::string_view name) {
  std::string joined;
  bool begins_part = false;
  for (const char c : name) {
    if (is_part_of_word(c)) {
      const bool capital = std::exchange(begins_part, false) && !joined.empty();
      joined += capital ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    } else {
      begins_part = true;
    }
  }
  return joined;
}

Resource with_metrics(const Resource& resource, const MetricsOptions& config) {
  const std::string service = camel_case(config.name.value());
  if (service.empty()) {
    return resource.with_error(invalid_config("the metrics of the resource \"" + resource.name() +
                                              "\" have an empty .name: set it to the name of the operator"));
  }
  // The metrics are created here, so that operations that have not run yet are exported with the value 0.
  auto metrics = std::make_shared<std::map<std::string_view, OperationMetrics>>();
  for (const std::string_view operation : resource.operations()) {
    metrics->emplace(operation, metrics_of(operation, resource.name(), service, config.registry));
  }
  return resource.around([metrics](const Operation& operation, const Call& call, Context& context) {
    Measurement measurement(metrics->at(operation.name), context.executor());
    auto done = call();
    measurement.succeeded = done.has_value();
    return done;
  });
}

std::vector<Resource> with_metrics(const std::vector<Resource>& resources, const MetricsOptions& config) {
  std::vector<Resource> all;
  all.reserve(resources.size());
  for (const Resource& resource : resources) all.push_back(with_metrics(resource, config));
  return all;
}

}  // namespace pintle::crud
