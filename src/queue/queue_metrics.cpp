// SPDX-License-Identifier: Apache-2.0
#include <pintle/queue/queue_metrics.hpp>

#include <utility>
#include <vector>

namespace pintle {

namespace {

// Powers of ten from 10 ns to 1,000 s.
const std::vector<double> decades{1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 1e1, 1e2, 1e3};

}  // namespace

QueueMetrics::QueueMetrics(MetricsRegistry& registry, std::string name)
    : registry_(registry),
      labels_{{"name", name}, {"controller", name}},
      adds_(registry.counter("workqueue_adds_total", "Keys that were added.", labels_)),
      retries_(registry.counter("workqueue_retries_total", "Keys that were added again with back-off.", labels_)),
      queue_seconds_(registry.histogram("workqueue_queue_duration_seconds",
                                        "Seconds that keys waited for a worker after they were due.", labels_,
                                        decades)),
      work_seconds_(registry.histogram("workqueue_work_duration_seconds", "Seconds that the processing of a key took.",
                                       labels_, decades)),
      unfinished_(registry.gauge("workqueue_unfinished_work_seconds",
                                 "Seconds that the keys in progress have been processed so far, in total.", labels_)),
      longest_(registry.gauge("workqueue_longest_running_processor_seconds",
                              "Seconds that the longest running key in progress has been processed so far.", labels_)) {
  depths_.emplace(0, depth_of("0"));
}

Gauge QueueMetrics::depth_of(const std::string& priority) {
  Labels labels = labels_;
  labels["priority"] = priority;
  return registry_.gauge("workqueue_depth", "Keys that are due and wait for a worker.", labels);
}

void QueueMetrics::ready(int priority, int difference) {
  auto depth = depths_.find(priority);
  if (depth == depths_.end()) {
    if (depths_.size() >= max_priorities) {
      if (!other_depths_.exists()) other_depths_ = depth_of("exceeded_cardinality_limit");
      other_depths_.add(difference);
      return;
    }
    depth = depths_.emplace(priority, depth_of(std::to_string(priority))).first;
  }
  depth->second.add(difference);
}

}  // namespace pintle
