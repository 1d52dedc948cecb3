// SPDX-License-Identifier: Apache-2.0
// What a ControllerRunner notes and reports about its reconciles.
#include <algorithm>
#include <utility>

#include <pintle/base/text.hpp>

#include "controller/disputes/field_owner.hpp"
#include "controller_runner.hpp"

namespace pintle {
namespace {

// The debug API has the same name for an outcome as metrics, except one.
std::string name_of(const Outcome& outcome) {
  return outcome.as_requeue_after() != nullptr ? "requeueAfter" : std::string(metric_label(outcome));
}

}  // namespace

// Runs one step, and collects its parts for the history if there is one.
Outcome ControllerRunner::run_noted(const Object& object, const Queue::Item& item, const Step& step, Noted& noted) {
  if (around_.history == nullptr) return steps_.run(object, item, step);
  const auto collecting_writes = writes_->collect(noted.writes);
  if (around_.spans == nullptr) return steps_.run(object, item, step);
  noted.spans = std::make_shared<NotedSpans::Collected>(executor_);
  NotedSpans::Collector into = noted.spans;
  const auto collecting_spans = around_.spans->collect(into);
  return steps_.run(object, item, step);
}

void ControllerRunner::note_end(const Queue::Item& item, Instant begun, const Outcome& outcome, Noted noted) {
  const Duration took = executor_.now() - begun;
  metrics_.count(outcome, took);
  if (log_.enabled(LogLevel::debug)) {
    steps_.log_for(item.key).debug(
        "reconciled",
        {{"outcome", metric_label(outcome)}, {"took", format_duration(took)}, {"causes", to_string(item.causes)}});
  }
  if (around_.history != nullptr) {
    ReconcileRecord record = record_of(item, took, outcome);
    record.writes = std::move(noted.writes.writes);
    record.writes_dropped = noted.writes.dropped;
    if (noted.spans != nullptr) noted.spans->move_to(record);
    around_.history->add(std::move(record));
  }
  const Error* error = outcome.as_failed();
  const MutexLock lock(mutex_);
  ++reconciles_[metric_label(outcome)];
  last_outcome_ = outcome;
  if (error != nullptr) {
    last_error_ = {.key = item.key, .message = error->to_string(), .at = executor_.wall_now()};
  }
}

ReconcileRecord ControllerRunner::record_of(const Queue::Item& item, Duration took, const Outcome& outcome) const {
  const Instant now = executor_.now();
  const WallTime wall_now = executor_.wall_now();
  ReconcileRecord record{.controller = spec_.name,
                         .key = item.key,
                         .begun = wall_now - took,
                         .took = took,
                         .outcome = name_of(outcome),
                         .error = outcome.as_failed() == nullptr ? "" : outcome.as_failed()->to_string()};
  if (const RequeueAfter* again = outcome.as_requeue_after()) record.delay = again->delay;
  Instant due = now - took;
  for (const ReconcileCause& cause : item.causes) {
    due = std::min(due, std::max(cause.due, cause.enqueued_at));
    if (record.causes.size() == ReconcileRecord::max_causes) continue;
    record.causes.push_back(
        {.source = cause.source, .text = cause.to_string(), .queued_at = wall_now - (now - cause.enqueued_at)});
  }
  record.queued = now - took - due;
  record.causes_dropped = item.causes.size() - record.causes.size() + item.causes_dropped;
  const Span* span = tracing_ == nullptr ? nullptr : tracing_->current();
  if (span != nullptr && span->context().is_valid()) record.trace_id = span->context().trace_id_text();
  return record;
}

// Whether the server no longer has an object of the cache. Then its children are deleted because of that.
bool ControllerRunner::is_gone(const Object& cached) const {
  if (!cached) return true;
  const auto live = client_.get(cached.group_version_kind(), cached.key(), stop_.get_token());
  return live ? live->uid() != cached.uid() : live.error().code == ErrorCode::not_found;
}

void ControllerRunner::report_dispute(const ObjectKey& key) {
  const auto disputed = own_writes_.take_disputed(key);
  if (!disputed || is_gone(find(key))) return;
  const auto live = client_.get(disputed->kind, disputed->object, stop_.get_token());
  // An object of another cluster may have the same name.
  const bool is_it = live && (disputed->pointer.empty() || live->uid() == disputed->uid);
  std::string other = is_it ? other_field_manager(*live, disputed->pointer, {field_manager_, around_.manager}) : "";
  if (other.empty()) other = "an unknown client, or another process of this operator";
  const std::string field = disputed->kind.kind + " " + disputed->object.to_string() +
                            (disputed->pointer.empty() ? "" : " " + disputed->pointer);
  log_.warning(
      "another client and this controller overwrite a field in turn; reconciles for such changes are delayed, by up to "
      "five minutes",
      {{"key", key.to_string()}, {"field", field}, {"other", other}, {"own", field_manager_}});
  events_.record(find(key), EventType::warning, "Reconcile", "FieldDisputed",
                 field + " is overwritten in turn by " + field_manager_ + " and " + other +
                     ". Further changes of it are reconciled after a delay of up to five minutes; let only one of the "
                     "two write it.");
}

void ControllerRunner::report(const ObjectKey& key, const Outcome* outcome) const {
  if (!around_.on_reconcile) return;
  around_.on_reconcile(
      {.controller = spec_.name, .cluster = spec_.cluster, .kind = spec_.watch.kind, .key = key, .outcome = outcome});
}

}  // namespace pintle
