// SPDX-License-Identifier: Apache-2.0
#include "debug_values.hpp"

#include <chrono>
#include <string>

namespace pintle {
namespace {

std::string_view name_of(QueueEntry::State state) {
  switch (state) {
    case QueueEntry::State::working: return "working";
    case QueueEntry::State::waiting: return "waiting";
    case QueueEntry::State::delayed: return "delayed";
  }
  return "";
}

json::object write_value(const WriteRecord& write) {
  json::object value{{"verb", write.verb}, {"kind", kind_value(write.kind)}, {"key", write.key.to_string()}};
  set_text(value, "version", write.version);
  json::array changes;
  for (const WrittenChange& change : write.changes) {
    json::object one{{"path", change.pointer}};
    set_text(one, "before", change.before);
    set_text(one, "after", change.after);
    changes.emplace_back(std::move(one));
  }
  if (!changes.empty()) value["changes"] = std::move(changes);
  if (write.changes_dropped != 0) value["changesDropped"] = write.changes_dropped;
  return value;
}

}  // namespace

double seconds_of(Duration duration) { return std::chrono::duration<double>(duration).count(); }

void set_text(json::object& value, std::string_view name, std::string_view text) {
  if (!text.empty()) value[name] = text;
}

void set_readiness(json::object& value, const Readiness& readiness) {
  value["readiness"] = to_string(readiness.state);
  set_text(value, "reason", readiness.reason);
  set_text(value, "message", readiness.message);
}

json::object kind_value(const GroupVersionKind& kind) {
  return {{"group", kind.group}, {"version", kind.version}, {"kind", kind.kind}};
}

json::object controller_value(const ControllerRunner& controller) {
  const ControllerCounts counts = controller.counts();
  const auto number_of = [&](const char* outcome) {
    const auto found = counts.reconciles.find(outcome);
    return found == counts.reconciles.end() ? std::uint64_t{0} : found->second;
  };
  const AnyController& spec = controller.spec();
  json::object value{
      {"name", spec.name},
      {"kind", kind_value(spec.watch.kind)},
      {"cluster", spec.cluster == home_cluster ? "" : std::string_view(spec.cluster)},
      {"workers", counts.workers},
      {"working", counts.working},
      {"waiting", counts.waiting},
      {"delayed", counts.delayed},
      {"objects", counts.objects},
      {"reconciles",
       {{"success", number_of("success")},
        {"requeue", number_of("requeue")},
        {"requeueAfter", number_of("requeue_after")},
        {"error", number_of("error")}}},
      {"handlers", {{"waitingChanges", counts.handlers.waiting}, {"behindSeconds", seconds_of(counts.handlers.lag)}}}};
  if (const auto& error = counts.last_error) {
    value["lastError"] = {
        {"key", error->key.to_string()}, {"message", error->message}, {"at", format_micro_time(error->at)}};
  }
  return value;
}

json::object entry_value(const QueueEntry& entry, const Moment& moment) {
  json::object value{{"key", entry.key.to_string()}, {"state", name_of(entry.state)}};
  if (entry.due) value["due"] = moment.text_of(*entry.due);
  if (entry.state == QueueEntry::State::working) value["since"] = moment.text_of(entry.since);
  if (entry.overdue > Duration::zero()) value["overdueSeconds"] = seconds_of(entry.overdue);
  value["priority"] = entry.priority;
  value["failures"] = entry.failures;
  json::array causes;
  for (const ReconcileCause& cause : entry.causes) {
    causes.emplace_back(json::object{{"source", to_string(cause.source)},
                                     {"text", cause.to_string()},
                                     {"queuedAt", moment.text_of(cause.enqueued_at)}});
  }
  value["causes"] = std::move(causes);
  return value;
}

json::object reconcile_value(const ReconcileRecord& record) {
  json::object value{{"id", record.id},
                     {"controller", record.controller},
                     {"key", record.key.to_string()},
                     {"begun", format_micro_time(record.begun)},
                     {"seconds", seconds_of(record.took)},
                     {"queuedSeconds", seconds_of(record.queued)},
                     {"outcome", record.outcome}};
  if (record.outcome == "requeueAfter") value["delaySeconds"] = seconds_of(record.delay);
  set_text(value, "error", record.error);
  json::array causes;
  for (const CauseRecord& cause : record.causes) {
    causes.emplace_back(json::object{
        {"source", to_string(cause.source)}, {"text", cause.text}, {"queuedAt", format_micro_time(cause.queued_at)}});
  }
  value["causes"] = std::move(causes);
  if (record.causes_dropped != 0) value["causesDropped"] = record.causes_dropped;
  json::array writes;
  for (const WriteRecord& write : record.writes) writes.emplace_back(write_value(write));
  value["writes"] = std::move(writes);
  if (record.writes_dropped != 0) value["writesDropped"] = record.writes_dropped;
  if (!record.spans.empty()) {
    json::array spans;
    for (const SpanRecord& span : record.spans) {
      json::object one{
          {"name", span.name}, {"afterSeconds", seconds_of(span.after)}, {"seconds", seconds_of(span.took)}};
      set_text(one, "error", span.error);
      spans.emplace_back(std::move(one));
    }
    value["spans"] = std::move(spans);
  }
  if (record.spans_dropped != 0) value["spansDropped"] = record.spans_dropped;
  set_text(value, "traceId", record.trace_id);
  return value;
}

json::object cache_value(const CacheHealth::Cache& cache, const Moment& moment) {
  const Informer& informer = *cache.source.informer;
  const InformerStatus status = informer.status();
  const std::string& namespace_ = informer.options().namespace_;
  json::object value{{"kind", kind_value(informer.resource().kind)},
                     {"title", informer.title() + (namespace_.empty() ? "" : " in " + namespace_)},
                     {"cluster", cache.cluster == home_cluster ? "" : std::string_view(cache.cluster)},
                     {"state", to_string(status.state)}};
  set_text(value, "detail", status.detail);
  value["objects"] = status.objects;
  value["bytes"] = status.bytes;
  if (status.last_response) value["silentSeconds"] = seconds_of(moment.now - *status.last_response);
  return value;
}

json::object replica_value(const Replica& replica, std::string_view leader) {
  // Without --leader-elect-identity, the identity of an instance is the name of its pod, "_" and random text.
  const bool is_leader = leader == replica.name || leader.starts_with(replica.name + "_");
  json::object value{{"name", replica.name},
                     {"ready", replica.ready},
                     {"deleting", replica.deleting},
                     {"leading", is_leader},
                     {"thisInstance", replica.is_this}};
  set_text(value, "node", replica.node);
  set_text(value, "startedAt", replica.started);
  set_text(value, "pages", replica.pages);
  return value;
}

json::object line_value(const LogLine& line) {
  return {{"id", line.id},
          {"time", format_micro_time(line.time)},
          {"level", to_string(line.level)},
          {"message", line.message},
          {"fields", line.fields}};
}

}  // namespace pintle
