// SPDX-License-Identifier: Apache-2.0
#include <pintle/base/metrics.hpp>

#include <prometheus/counter.h>
#include <prometheus/family.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

namespace pintle {

void Counter::add(double value) const {
  if (counter_ != nullptr) counter_->Increment(value);
}
double Counter::value() const { return counter_ != nullptr ? counter_->Value() : 0; }

void Gauge::set(double value) const {
  if (gauge_ != nullptr) gauge_->Set(value);
}
void Gauge::add(double value) const {
  if (gauge_ != nullptr) gauge_->Increment(value);
}
double Gauge::value() const { return gauge_ != nullptr ? gauge_->Value() : 0; }

void Histogram::observe(double value) const {
  if (histogram_ != nullptr) histogram_->Observe(value);
}

// With InsertBehavior::Merge, a Prometheus registry returns the same family for the same name, and a family returns the
// same metric for the same labels. Both have their own locks.
struct MetricsRegistry::Families {
  prometheus::Registry registry{prometheus::Registry::InsertBehavior::Merge};
};

MetricsRegistry::MetricsRegistry() : families_(std::make_unique<Families>()) {}
MetricsRegistry::~MetricsRegistry() = default;

Counter MetricsRegistry::counter(std::string_view name, std::string_view help, const Labels& labels) {
  auto& family =
      prometheus::BuildCounter().Name(std::string(name)).Help(std::string(help)).Register(families_->registry);
  return Counter(family.Add(labels));
}

Gauge MetricsRegistry::gauge(std::string_view name, std::string_view help, const Labels& labels) {
  auto& family = prometheus::BuildGauge().Name(std::string(name)).Help(std::string(help)).Register(families_->registry);
  return Gauge(family.Add(labels));
}

Histogram MetricsRegistry::histogram(std::string_view name, std::string_view help, const Labels& labels,
                                     const std::vector<double>& buckets) {
  auto& family =
      prometheus::BuildHistogram().Name(std::string(name)).Help(std::string(help)).Register(families_->registry);
  return Histogram(family.Add(labels, buckets));
}

std::string MetricsRegistry::text() const {
  return prometheus::TextSerializer().Serialize(families_->registry.Collect());
}

}  // namespace pintle
