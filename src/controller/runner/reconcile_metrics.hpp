// ReconcileMetrics: controller-runtime's metrics of one controller, by its names, labels and buckets.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include <pintle/base/metrics.hpp>
#include <pintle/controller/outcome.hpp>

namespace pintle {

// All are there from the start, at 0, so that a rate includes the first failure. Thread-safe.
class ReconcileMetrics {
 public:
  ReconcileMetrics(MetricsRegistry& registry, const std::string& controller, int workers);

  void began() const { active_.add(1); }
  void ended() const { active_.add(-1); }
  // One pass came to this.
  void count(const Outcome& outcome, Duration took) const;
  void count_panic() const { panics_.add(); }
  void count_timeout() const { timeouts_.add(); }
  // Passes that run on although their timeout is over began, or ended.
  void overdue(int difference) const { overdue_.add(difference); }
  // A function of the controller's declaration threw.
  void count_thrown(std::string_view function) const { thrown_.at(function).add(); }

 private:
  std::map<std::string_view, Counter> total_;
  Counter errors_;
  Counter terminal_errors_;
  Counter panics_;
  Counter timeouts_;
  Gauge overdue_;
  std::map<std::string_view, Counter> thrown_;
  Histogram seconds_;
  Gauge active_;
};

}  // namespace pintle
