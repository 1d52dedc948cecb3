// SPDX-License-Identifier: Apache-2.0
#include "watcher_metrics.hpp"

#include <vector>

namespace pintle::watcher {
namespace {

const std::vector<double> buckets{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 25, 50, 100};

// The value of the label event_type. A resync has no ResourceAction.
std::string event_type(ReconcileAction action) {
  return action == ReconcileAction::resynced ? "RESYNC" : std::string(to_string(resource_action_from(action)));
}

}  // namespace

WatcherMetrics::WatcherMetrics(MetricsRegistry& registry, const std::string& prefix, const std::string& kind) {
  const auto name = [&](const char* last) { return prefix.empty() ? std::string(last) : prefix + "_" + last; };
  for (const auto action :
       {ReconcileAction::created, ReconcileAction::updated, ReconcileAction::deleted, ReconcileAction::resynced}) {
    const Labels labels{{"event_type", event_type(action)}, {"kind", kind}};
    const Labels retried{{"action", event_type(action)}};
    OfAction& its = by_action_[static_cast<std::size_t>(action)];
    its.events = registry.counter(name("informer_events_total"), "Events that informers delivered.", labels);
    its.event_seconds =
        registry.histogram(name("informer_reconcile_duration_seconds"),
                           "Duration of the handling of an event by all handlers, in seconds.", labels, buckets);
    its.ongoing_events = registry.gauge(name("ongoing_reconcile_events"), "Events that are being handled.", labels);
    its.ongoing_processes =
        registry.gauge(name("ongoing_reconcile_processes"), "Calls of handlers that are running.", labels);
    its.process_seconds = {registry.histogram(name("reconciler_process_duration_seconds"),
                                              "Duration of the calls of reconcilers, in seconds.", labels, buckets),
                           registry.histogram(name("watcher_process_duration_seconds"),
                                              "Duration of the calls of watchers, in seconds.", labels, buckets)};
    its.errors = {registry.counter(name("reconciler_errors_total"), "Calls of reconcilers that failed.", labels),
                  registry.counter(name("watcher_errors_total"), "Calls of watchers that failed.", labels)};
    its.enqueued = registry.counter(name("retry_processor_enqueued_total"), "Retries that were scheduled.", retried);
    std::size_t result = 0;
    for (const char* text : {"success", "requeue", "retry", "failed"}) {
      its.executed[result++] =
          registry.counter(name("retry_processor_executions_total"), "Retries that were executed, by result.",
                           {{"action", event_type(action)}, {"result", text}});
    }
    its.wait_seconds = registry.histogram(name("retry_processor_queue_wait_duration_seconds"),
                                          "Time that retries waited, in seconds.", retried, buckets);
  }
  pending_ = registry.gauge(name("retry_processor_pending_total"), "Retries that are waiting.");
}

Ongoing WatcherMetrics::event(const Clock& clock, ReconcileAction action) const {
  of(action).events.add();
  return {clock, of(action).ongoing_events, of(action).event_seconds};
}

Ongoing WatcherMetrics::process(const Clock& clock, ReconcileAction action, bool is_watcher) const {
  return {clock, of(action).ongoing_processes, of(action).process_seconds[is_watcher ? 1 : 0]};
}

void WatcherMetrics::count_error(ReconcileAction action, bool is_watcher) const {
  of(action).errors[is_watcher ? 1 : 0].add();
}

void WatcherMetrics::count_executed(ReconcileAction action, Executed result, Duration waited) const {
  of(action).executed[static_cast<std::size_t>(result)].add();
  of(action).wait_seconds.observe(std::chrono::duration<double>(waited).count());
}

}  // namespace pintle::watcher
