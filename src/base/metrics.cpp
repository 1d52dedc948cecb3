// SPDX-License-Identifier: Apache-2.0
#include <pintle/base/metrics.hpp>

#include <functional>
#include <set>

#include <prometheus/counter.h>
#include <prometheus/family.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <pintle/base/mutex.hpp>

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
  mutable Mutex mutex{};
  std::map<std::string, std::set<const prometheus::Counter*>, std::less<>> counters PINTLE_GUARDED_BY(mutex);
};

MetricsRegistry::MetricsRegistry() : families_(std::make_unique<Families>()) {}
MetricsRegistry::~MetricsRegistry() = default;

Counter MetricsRegistry::counter(std::string_view name, std::string_view help, const Labels& labels) {
  auto& family =
      prometheus::BuildCounter().Name(std::string(name)).Help(std::string(help)).Register(families_->registry);
  prometheus::Counter& counter = family.Add(labels);
  const MutexLock lock(families_->mutex);
  families_->counters[std::string(name)].insert(&counter);
  return Counter(counter);
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

double MetricsRegistry::total(std::string_view name) const {
  const MutexLock lock(families_->mutex);
  const auto found = families_->counters.find(name);
  if (found == families_->counters.end()) return 0;
  double sum = 0;
  for (const prometheus::Counter* counter : found->second) sum += counter->Value();
  return sum;
}

std::string MetricsRegistry::text() const {
  return prometheus::TextSerializer().Serialize(families_->registry.Collect());
}

}  // namespace pintle
