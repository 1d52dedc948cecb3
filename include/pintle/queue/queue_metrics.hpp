// SPDX-License-Identifier: Apache-2.0
// QueueMetrics: the metrics of a work queue, with the names that existing dashboards use.
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include <pintle/base/annotations.hpp>
#include <pintle/base/metrics.hpp>
#include <pintle/base/time.hpp>

namespace pintle {

/// The metrics workqueue_{depth,adds_total,queue_duration_seconds,work_duration_seconds,unfinished_work_seconds,
/// longest_running_processor_seconds,retries_total} of one queue, with the labels of controller-runtime. Called under
/// the lock of the queue.
class PINTLE_EXPORT QueueMetrics {
 public:
  QueueMetrics(MetricsRegistry& registry, std::string name);

  void added() const { adds_.add(); }
  void retried() const { retries_.add(); }
  /// Changes the number of keys of this priority that are due and wait for a worker.
  void ready(int priority, int difference);
  void handed_out(Duration waited) const { queue_seconds_.observe(seconds(waited)); }
  void finished(Duration worked) const { work_seconds_.observe(seconds(worked)); }
  /// Records how long the keys in work have been processed so far: all of them together, and the longest.
  void processing(Duration together, Duration longest) const {
    unfinished_.set(seconds(together));
    longest_.set(seconds(longest));
  }

 private:
  static constexpr std::size_t max_priorities = 25;  // values of the label; further priorities share one value

  static double seconds(Duration duration) { return std::chrono::duration<double>(duration).count(); }
  [[nodiscard]] Gauge depth_of(const std::string& priority);

  MetricsRegistry& registry_;
  const Labels labels_;
  std::map<int, Gauge> depths_;
  Gauge other_depths_;
  Counter adds_;
  Counter retries_;
  Histogram queue_seconds_;
  Histogram work_seconds_;
  Gauge unfinished_;
  Gauge longest_;
};

}  // namespace pintle
