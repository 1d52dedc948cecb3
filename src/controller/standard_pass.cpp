#include <pintle/controller/standard_pass.hpp>

#include <utility>

#include <pintle/controller/ready_status.hpp>

namespace pintle {

Outcome StandardPass::reconcile() {
  const Outcome outcome = caught([this]() -> Outcome {
    Outcome begun = prepared();
    // An object without the finalizer of this controller needs no cleanup when it is deleted.
    return begun.is_settled() && !is_deleting() ? change() : begun;
  });
  if (const Error* error = outcome.as_failed()) return verdict(*error).outcome();
  not_ready_yet(outcome, "Waiting");
  return outcome;
}

Outcome StandardPass::finalize() {
  const Outcome outcome = caught([this]() -> Outcome {
    Outcome begun = prepared();
    if (!begun.is_settled()) return begun;
    Outcome removed = caught([this] { return remove(); });
    if (const Error* error = removed.as_failed(); error != nullptr && !was_cut_short(*error, context_)) {
      context_.event(EventType::warning, "Failed", "Failed to delete resource: " + error->to_string());
    }
    return removed;
  });
  if (const Error* error = outcome.as_failed()) return verdict(*error).outcome_of_cleanup();
  not_ready_yet(outcome, "Deleting");
  return outcome;
}

Outcome StandardPass::finalizer_written(FinalizerStep step, const Result<void>& written) {
  const bool is_added = step == FinalizerStep::add;
  if (written) {
    if (is_added) context_.event(EventType::normal, "Added", "Object finalizer is added");
    return settled;
  }
  const Error& error = written.error();
  if (was_cut_short(error, context_)) return failed(error);
  if (is_added) {
    context_.event(EventType::warning, "Adding finalizer", "Failed to add finalizer: " + error.to_string());
    return not_begun(error);
  }
  context_.event(EventType::warning, "Failed", "Failed to remove finalizer: " + error.to_string());
  return verdict(error).outcome_of_cleanup();
}

Outcome StandardPass::not_begun(const Error& error) {
  not_ready(error);
  return failed(error);
}

Outcome StandardPass::caught(const std::function<Outcome()>& steps) {
  try {
    return steps();
  } catch (...) {
    return failed(context_.thrown("a step"));
  }
}

ErrorVerdict StandardPass::verdict(const Error& error) {
  return verdict_by(error, [this](const Error& asked) {
    not_ready(asked);
    if (reports_ready_) context_.event(EventType::warning, "ReconcilerActionError", asked.to_string());
    return on_error(asked);
  });
}

ErrorVerdict StandardPass::verdict_by(const Error& error, const std::function<ErrorVerdict(const Error&)>& hook) {
  return verdict_on(error, context_, [&](const Error& asked) -> ErrorVerdict {
    try {
      return hook(asked);
    } catch (...) {
      return propagate(*merge(failed(asked), failed(context_.thrown("on_error"))).as_failed());
    }
  });
}

Outcome StandardPass::ready(Outcome outcome) {
  if (reports_ready_ && !has_reported_ && outcome.as_failed() == nullptr && !outcome.is_look_again()) {
    report_ready(context_.status());
    has_reported_ = true;
  }
  return outcome;
}

void StandardPass::not_ready(const Error& error) {
  if (!reports_ready_) return;
  report_failed(context_.status(), error);
  has_reported_ = true;
}

void StandardPass::not_ready_yet(const Outcome& outcome, std::string_view reason) {
  if (!reports_ready_ || has_reported_ || outcome.is_settled()) return;
  report_waiting(context_.status(), reason);
}

Outcome StandardPass::prepared() {
  if (reports_ready_) report_begun(context_.status());
  return prepare();
}

}  // namespace pintle
