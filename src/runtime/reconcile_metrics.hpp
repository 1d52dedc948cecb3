// ReconcileMetrics: controller-runtime's metrics of one controller, by its names, labels and buckets.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include <pintle/base/metrics.hpp>
#include <pintle/runtime/outcome.hpp>

namespace pintle {

// All are there from the start, at 0 (R9). Thread-safe.
class ReconcileMetrics {
 public:
  ReconcileMetrics(MetricsRegistry& registry, const std::string& controller, int workers);

  void began() const { active_.add(1); }
  void ended() const { active_.add(-1); }
  // One pass came to this.
  void count(const Outcome& outcome, Duration took) const;
  void count_panic() const { panics_.add(); }
  void count_timeout() const { timeouts_.add(); }

 private:
  std::map<std::string_view, Counter> total_;
  Counter errors_;
  Counter terminal_errors_;
  Counter panics_;
  Counter timeouts_;
  Histogram seconds_;
  Gauge active_;
};

}  // namespace pintle
