// SPDX-License-Identifier: Apache-2.0
#include "controller_runner.hpp"

namespace pintle {

namespace {

constexpr std::size_t max_entries = 1000;  // maximum number of queue entries on the page; further ones are only counted

json::array texts_of(const std::vector<ReconcileCause>& causes) {
  json::array texts;
  for (const ReconcileCause& cause : causes) texts.emplace_back(cause.to_string());
  return texts;
}

json::object value_of(const ReconcileRecord& record) {
  json::object value{{"key", record.key.to_string()},
                     {"begun", format_micro_time(record.begun)},
                     {"took", format_duration(record.took)},
                     {"outcome", record.outcome},
                     {"causes", texts_of(record.causes)}};
  if (!record.error.empty()) value["error"] = record.error;
  return value;
}

}  // namespace

json::Value ControllerRunner::debug() const {
  const Instant now = executor_.now();
  // The entries are copied under the lock of the queue and printed after it is released.
  struct Entry {
    ObjectKey key;
    bool waiting;
    bool processing;
    Instant due;
    Instant taken;
    int priority;
    unsigned failures;
    std::vector<ReconcileCause> causes;
  };
  std::vector<Entry> entries;
  std::size_t known = 0;
  queue_.visit([&](const auto& seen) {
    if (++known > max_entries) return;
    entries.push_back(
        {seen.key, seen.waiting, seen.processing, seen.due, seen.taken, seen.priority, seen.failures, seen.causes});
  });
  json::array queue;
  for (const Entry& entry : entries) {
    json::object value{{"key", entry.key.to_string()},
                       {"priority", entry.priority},
                       {"failures", entry.failures},
                       {"causes", texts_of(entry.causes)}};
    if (entry.processing) value["in_work_for"] = format_duration(now - entry.taken);
    if (entry.processing && steps_.timeout() > Duration::zero() && now - entry.taken > steps_.timeout()) {
      value["past_steps_.timeout()by"] = format_duration(now - entry.taken - steps_.timeout());
    }
    if (entry.waiting) value["due_in"] = format_duration(std::max(Duration::zero(), Duration(entry.due - now)));
    queue.emplace_back(std::move(value));
  }
  const Dispatcher::Backlog handlers = sources_.backlog();
  json::array reconciles;
  for (const ReconcileRecord& record : records()) reconciles.emplace_back(value_of(record));
  return json::object{{"name", spec_.name},
                      {"kind", spec_.watch.kind.to_string()},
                      {"workers", workers_count_},
                      {"objects", sources_.primary() == nullptr ? 0 : sources_.primary()->size()},
                      {"changes_waiting", handlers.waiting},
                      {"handlers_behind_by", format_duration(handlers.lag)},
                      {"queue_entries", known},
                      {"queue", std::move(queue)},
                      {"reconciles", std::move(reconciles)}};
}

void ControllerRunner::measure() const {
  queue_.measure();
  const Dispatcher::Backlog handlers = sources_.backlog();
  metrics_.handlers(handlers.waiting, handlers.lag);
}

}  // namespace pintle
