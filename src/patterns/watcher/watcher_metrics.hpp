// SPDX-License-Identifier: Apache-2.0
// WatcherMetrics: the metrics of operators of grafana-app-sdk, with the same names, labels and buckets.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include <pintle/base/executor.hpp>
#include <pintle/base/metrics.hpp>
#include <pintle/patterns/watcher/action.hpp>

namespace pintle::watcher {

// Increments a gauge during its lifetime, and then records this time in a histogram.
class Ongoing {
 public:
  Ongoing(const Clock& clock, Gauge gauge, Histogram seconds)
      : clock_(clock), gauge_(gauge), seconds_(seconds), begun_(clock.now()) {
    gauge_.add(1);
  }
  ~Ongoing() {
    gauge_.add(-1);
    seconds_.observe(std::chrono::duration<double>(clock_.now() - begun_).count());
  }
  Ongoing(const Ongoing&) = delete;
  Ongoing& operator=(const Ongoing&) = delete;

 private:
  const Clock& clock_;
  const Gauge gauge_;
  const Histogram seconds_;
  const Instant begun_;
};

// The metrics of one resource kind. All of them exist from the start with the value 0. Thread-safe.
class WatcherMetrics {
 public:
  // The result of a retry.
  enum class Executed { success, requeue, retry, failed };

  WatcherMetrics(MetricsRegistry& registry, const std::string& prefix, const std::string& kind);

  // Measures the delivery of one event to the handlers.
  [[nodiscard]] Ongoing event(const Clock& clock, ReconcileAction action) const;
  // Measures one call of a handler.
  [[nodiscard]] Ongoing process(const Clock& clock, ReconcileAction action, bool is_watcher) const;
  void count_error(ReconcileAction action, bool is_watcher) const;
  void count_enqueued(ReconcileAction action) const { of(action).enqueued.add(); }
  void count_executed(ReconcileAction action, Executed result, Duration waited) const;
  [[nodiscard]] Gauge pending() const { return pending_; }

 private:
  struct OfAction {
    Counter events{};
    Histogram event_seconds{};
    Gauge ongoing_events{};
    Gauge ongoing_processes{};
    std::array<Histogram, 2> process_seconds{};  // reconcilers, watchers
    std::array<Counter, 2> errors{};             // reconcilers, watchers
    Counter enqueued{};
    std::array<Counter, 4> executed{};  // by Executed
    Histogram wait_seconds{};
  };
  static constexpr std::size_t actions = 5;

  [[nodiscard]] const OfAction& of(ReconcileAction action) const {
    return by_action_[static_cast<std::size_t>(action)];
  }

  std::array<OfAction, actions> by_action_{};
  Gauge pending_;
};

}  // namespace pintle::watcher
