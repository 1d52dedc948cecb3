// SPDX-License-Identifier: Apache-2.0
#include <pintle/controller/standard_reconcile.hpp>

#include <algorithm>
#include <utility>

#include <pintle/controller/ready_status.hpp>

namespace pintle {

Result<void> internal::validate_ready_status(const GroupVersionKind& kind, const Layout& layout, bool with_phase) {
  const auto status = std::find_if(layout.members.begin(), layout.members.end(),
                                   [](const Member& member) { return member.name == "status"; });
  if (status == layout.members.end()) {
    return fail(ErrorCode::invalid, "reports_ready requires a status, and " + kind.kind +
                                        " has no status: add the member `ReadyStatus status{}` to its struct");
  }
  const json::object schema = status->type->schema();
  if (schema.contains("x-kubernetes-preserve-unknown-fields")) return {};
  const json::Value* properties = schema.if_contains("properties");
  const json::object* there = properties == nullptr ? nullptr : properties->if_object();
  std::string missing;
  for (const std::string_view name : {"conditions", "phase", "isOnError", "lastErrorMessage", "observedGeneration"}) {
    const bool is_needed = name != "phase" || with_phase;
    if (!is_needed || (there != nullptr && there->contains(name))) continue;
    missing += (missing.empty() ? "" : ", ") + std::string(name);
  }
  if (missing.empty()) return {};
  return fail(ErrorCode::invalid, "reports_ready requires these members in the status of " + kind.kind + ": " +
                                      missing + "; add them as in ReadyStatus, or use ReadyStatus as the status");
}

Outcome StandardReconcile::reconcile() {
  Outcome outcome = caught([this]() -> Outcome {
    Outcome begun = prepared();
    // An object without the finalizer of this controller needs no cleanup when it is deleted.
    return begun.is_done() && !is_deleting() ? change() : begun;
  });
  if (const Error* error = outcome.as_failed()) return verdict(*error).outcome();
  not_ready_yet(outcome, "Waiting");
  if (outcome.is_done() && is_deleting()) waiting("Deleting");
  return outcome;
}

Outcome StandardReconcile::finalize() {
  Outcome outcome = caught([this]() -> Outcome {
    Outcome begun = prepared();
    if (!begun.is_done()) return begun;
    Outcome removed = caught([this] { return remove(); });
    if (const Error* error = removed.as_failed(); error != nullptr && !was_interrupted(*error, context_)) {
      context_.event(EventType::warning, "Failed", "Failed to delete resource: " + error->to_string());
    }
    return removed;
  });
  if (const Error* error = outcome.as_failed()) return verdict(*error).cleanup_outcome();
  not_ready_yet(outcome, "Deleting");
  // No later reconcile reports anything. Without another finalizer, the object disappears with the last write.
  if (outcome.is_done() && context_.status().object().finalizers().size() > 1) waiting("Deleted");
  return outcome;
}

Outcome StandardReconcile::on_finalizer_write(FinalizerStep step, const Result<void>& written) {
  const bool is_added = step == FinalizerStep::add;
  if (written) {
    if (is_added) context_.event(EventType::normal, "Added", "Object finalizer is added");
    return done;
  }
  const Error& error = written.error();
  if (was_interrupted(error, context_)) return failed(error);
  if (is_added) {
    context_.event(EventType::warning, "Adding finalizer", "Failed to add finalizer: " + error.to_string());
    return not_begun(error);
  }
  context_.event(EventType::warning, "Failed", "Failed to remove finalizer: " + error.to_string());
  return verdict(error).cleanup_outcome();
}

Outcome StandardReconcile::not_begun(const Error& error) {
  not_ready(error);
  return failed(error);
}

Outcome StandardReconcile::caught(const std::function<Outcome()>& steps) {
  try {
    return steps();
  } catch (...) {
    return failed(context_.current_exception_error("a step"));
  }
}

ErrorDecision StandardReconcile::verdict(const Error& error) {
  return verdict_by(error, [this](const Error& failure) {
    not_ready(failure);
    if (reports_ready_) context_.event(EventType::warning, "ReconcilerActionError", failure.to_string());
    return on_error(failure);
  });
}

ErrorDecision StandardReconcile::verdict_by(const Error& error,
                                            const std::function<ErrorDecision(const Error&)>& hook) {
  return decide_on_error(error, context_, [&](const Error& failure) -> ErrorDecision {
    try {
      return hook(failure);
    } catch (...) {
      return propagate(*merge(failed(failure), failed(context_.current_exception_error("on_error"))).as_failed());
    }
  });
}

Outcome StandardReconcile::ready(Outcome outcome) {
  if (reports_ready_ && !has_reported_ && outcome.as_failed() == nullptr && !outcome.is_requeue()) {
    report_ready(context_.status());
    has_reported_ = true;
  }
  return outcome;
}

void StandardReconcile::not_ready(const Error& error) {
  if (!reports_ready_) return;
  report_failed(context_.status(), error);
  has_reported_ = true;
}

void StandardReconcile::not_ready_yet(const Outcome& outcome, std::string_view reason) {
  if (!outcome.is_done()) waiting(reason);
}

void StandardReconcile::waiting(std::string_view reason) {
  if (reports_ready_ && !has_reported_) report_waiting(context_.status(), reason);
}

Outcome StandardReconcile::prepared() {
  if (reports_ready_) report_started(context_.status());
  return prepare();
}

}  // namespace pintle
