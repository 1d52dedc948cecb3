// SPDX-License-Identifier: Apache-2.0
// ReconcileMetrics: the metrics of one controller, with the names, labels and buckets of controller-runtime.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include <pintle/base/metrics.hpp>
#include <pintle/controller/outcome.hpp>

namespace pintle {

// All metrics exist from the start with value 0, so that a rate includes the first failure. Thread-safe.
class ReconcileMetrics {
 public:
  ReconcileMetrics(MetricsRegistry& registry, const std::string& controller, int workers);

  void began() const { active_.add(1); }
  void ended() const { active_.add(-1); }
  // Counts a reconcile with this outcome.
  void count(const Outcome& outcome, Duration took) const;
  void count_panic() const { panics_.add(); }
  void count_timeout() const { timeouts_.add(); }
  // Counts a write that took back a field from another client.
  void count_taken_back() const { taken_back_.add(); }
  // Adds to the number of reconciles that still run after their timeout.
  void overdue(int difference) const { overdue_.add(difference); }
  // How far the handlers (predicates, map functions) are behind the watch.
  void handlers(std::size_t waiting, Duration lag) const;
  // Counts an exception of a function of the declaration.
  void count_thrown(std::string_view function) const { thrown_.at(function).add(); }

 private:
  std::map<std::string_view, Counter> total_;
  Counter errors_;
  Counter terminal_errors_;
  Counter panics_;
  Counter timeouts_;
  Counter taken_back_;
  Gauge overdue_;
  std::map<std::string_view, Counter> thrown_;
  Histogram seconds_;
  Gauge active_;
  Gauge waiting_changes_;
  Gauge handler_lag_;
};

}  // namespace pintle
