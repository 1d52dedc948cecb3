// SPDX-License-Identifier: Apache-2.0
// Metrics: counters, gauges and histograms in a registry, which the manager owns, and their Prometheus text format.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/annotations.hpp>

namespace prometheus {
class Counter;
class Gauge;
class Histogram;
}  // namespace prometheus

namespace pintle {

using Labels = std::map<std::string, std::string>;

/// A value that only increases. A Counter is a handle: cheap to copy, valid as long as its registry. A
/// default-constructed handle ignores all calls. Thread-safe.
class PINTLE_EXPORT Counter {
 public:
  Counter() = default;
  explicit Counter(prometheus::Counter& counter) : counter_(&counter) {}
  void add(double value = 1) const;
  [[nodiscard]] double value() const;

 private:
  prometheus::Counter* counter_ = nullptr;
};

/// A value that increases and decreases; otherwise like Counter.
class PINTLE_EXPORT Gauge {
 public:
  Gauge() = default;
  explicit Gauge(prometheus::Gauge& gauge) : gauge_(&gauge) {}
  void set(double value) const;
  void add(double value = 1) const;
  [[nodiscard]] double value() const;
  /// Returns false for a default-constructed handle.
  [[nodiscard]] bool exists() const noexcept { return gauge_ != nullptr; }

 private:
  prometheus::Gauge* gauge_ = nullptr;
};

/// Observations in buckets; otherwise like Counter.
class PINTLE_EXPORT Histogram {
 public:
  Histogram() = default;
  explicit Histogram(prometheus::Histogram& histogram) : histogram_(&histogram) {}
  void observe(double value) const;

 private:
  prometheus::Histogram* histogram_ = nullptr;
};

/// Creates metrics. Calls with the same name and labels return the same metric. Thread-safe.
class PINTLE_EXPORT MetricsRegistry {
 public:
  MetricsRegistry();
  ~MetricsRegistry();
  MetricsRegistry(const MetricsRegistry&) = delete;
  MetricsRegistry& operator=(const MetricsRegistry&) = delete;

  [[nodiscard]] Counter counter(std::string_view name, std::string_view help, const Labels& labels = {});
  [[nodiscard]] Gauge gauge(std::string_view name, std::string_view help, const Labels& labels = {});
  /// `buckets` are the upper bounds in ascending order. If a histogram with this name and these labels exists, its
  /// buckets are kept.
  [[nodiscard]] Histogram histogram(std::string_view name, std::string_view help, const Labels& labels,
                                    const std::vector<double>& buckets);

  /// Returns the sum of the counters with this name; 0 if there is none. This takes a small part of the time of text().
  [[nodiscard]] double total(std::string_view name) const;
  /// Returns all metrics in the text exposition format (content type text/plain; version=0.0.4).
  [[nodiscard]] std::string text() const;

 private:
  struct Families;
  std::unique_ptr<Families> families_;
};

}  // namespace pintle
