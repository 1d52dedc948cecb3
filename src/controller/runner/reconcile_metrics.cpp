// SPDX-License-Identifier: Apache-2.0
#include "reconcile_metrics.hpp"

#include <vector>

namespace pintle {

namespace {

const std::vector<double> buckets{0.005, 0.01, 0.025, 0.05, 0.1,  0.15, 0.2,  0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6,
                                  0.7,   0.8,  0.9,   1.0,  1.25, 1.5,  1.75, 2.0,  2.5, 3.0,  3.5, 4.0,  4.5, 5,
                                  6,     7,    8,     9,    10,   15,   20,   25,   30,  40,   50,  60};

}  // namespace

ReconcileMetrics::ReconcileMetrics(MetricsRegistry& registry, const std::string& controller, int workers) {
  const Labels labels{{"controller", controller}};
  for (const char* result : {"success", "error", "requeue", "requeue_after"}) {
    total_.emplace(result, registry.counter("controller_runtime_reconcile_total", "Reconciles, by result.",
                                            {{"controller", controller}, {"result", result}}));
  }
  errors_ = registry.counter("controller_runtime_reconcile_errors_total", "Reconciles that failed.", labels);
  terminal_errors_ = registry.counter("controller_runtime_terminal_reconcile_errors_total",
                                      "Reconciles that failed with a terminal error, which is not retried.", labels);
  panics_ =
      registry.counter("controller_runtime_reconcile_panics_total", "Reconciles that threw an exception.", labels);
  timeouts_ = registry.counter("controller_runtime_reconcile_timeouts_total",
                               "Reconciles that exceeded the timeout of their controller.", labels);
  taken_back_ = registry.counter("pintle_taken_back_writes_total",
                                 "Writes of a field that the controller had written before and that another client had "
                                 "changed since.",
                                 labels);
  overdue_ = registry.gauge("pintle_overdue_reconciles",
                            "Reconciles that still run after the timeout of their controller.", labels);
  for (const char* function : {"predicate", "owns.predicate", "owns.active_when", "watches.predicate", "watches.map",
                               "on_change", "get_object", "polls.poll", "queue.tenant", "on_watch_end"}) {
    thrown_.emplace(function, registry.counter("pintle_function_exceptions_total",
                                               "Exceptions of the functions of a controller other than its reconciles.",
                                               {{"controller", controller}, {"function", function}}));
  }
  seconds_ = registry.histogram("controller_runtime_reconcile_time_seconds", "Duration of reconciles in seconds.",
                                labels, buckets);
  active_ = registry.gauge("controller_runtime_active_workers", "Workers that are running a reconcile.", labels);
  waiting_changes_ = registry.gauge("pintle_handler_waiting_changes",
                                    "Changes that wait for the predicates and map functions of a controller.", labels);
  handler_lag_ = registry.gauge("pintle_handler_lag_seconds",
                                "Age of the oldest change that the predicates and map functions of a controller have "
                                "not handled yet.",
                                labels);
  registry.gauge("controller_runtime_max_concurrent_reconciles", "Number of workers.", labels).set(workers);
}

void ReconcileMetrics::handlers(std::size_t waiting, Duration lag) const {
  waiting_changes_.set(static_cast<double>(waiting));
  handler_lag_.set(std::chrono::duration<double>(lag).count());
}

void ReconcileMetrics::count(const Outcome& outcome, Duration took) const {
  seconds_.observe(std::chrono::duration<double>(took).count());
  total_.at(metric_label(outcome)).add();
  if (outcome.as_failed() == nullptr) return;
  errors_.add();
  if (outcome.as_failed()->is_terminal) terminal_errors_.add();
}

}  // namespace pintle
