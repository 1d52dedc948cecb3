// Metrics: counters, gauges and histograms in a registry that the Manager owns, in the Prometheus text format.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace prometheus {
class Counter;
class Gauge;
class Histogram;
}  // namespace prometheus

namespace pintle {

using Labels = std::map<std::string, std::string>;

// A value that only grows. A handle into its registry: cheap to copy, valid as long as the registry. Thread-safe.
class Counter {
 public:
  Counter() = default;
  explicit Counter(prometheus::Counter& counter) : counter_(&counter) {}
  void add(double value = 1) const;
  [[nodiscard]] double value() const;

 private:
  prometheus::Counter* counter_ = nullptr;
};

// A value that goes up and down; otherwise as Counter.
class Gauge {
 public:
  Gauge() = default;
  explicit Gauge(prometheus::Gauge& gauge) : gauge_(&gauge) {}
  void set(double value) const;
  void add(double value = 1) const;
  [[nodiscard]] double value() const;
  // False for one that was made by no registry, which ignores what it is told.
  [[nodiscard]] bool exists() const noexcept { return gauge_ != nullptr; }

 private:
  prometheus::Gauge* gauge_ = nullptr;
};

// Observations in buckets; otherwise as Counter.
class Histogram {
 public:
  Histogram() = default;
  explicit Histogram(prometheus::Histogram& histogram) : histogram_(&histogram) {}
  void observe(double value) const;

 private:
  prometheus::Histogram* histogram_ = nullptr;
};

// Asking twice for the same name and labels gives the same metric. Thread-safe.
class MetricsRegistry {
 public:
  MetricsRegistry();
  ~MetricsRegistry();
  MetricsRegistry(const MetricsRegistry&) = delete;
  MetricsRegistry& operator=(const MetricsRegistry&) = delete;

  [[nodiscard]] Counter counter(std::string_view name, std::string_view help, const Labels& labels = {});
  [[nodiscard]] Gauge gauge(std::string_view name, std::string_view help, const Labels& labels = {});
  // `buckets`: upper bounds, ascending; those of the first call for a name hold.
  [[nodiscard]] Histogram histogram(std::string_view name, std::string_view help, const Labels& labels,
                                    const std::vector<double>& buckets);

  // Everything, in the text exposition format (content type text/plain; version=0.0.4).
  [[nodiscard]] std::string text() const;

 private:
  struct Families;
  std::unique_ptr<Families> families_;
};

}  // namespace pintle
