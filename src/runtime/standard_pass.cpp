#include <pintle/runtime/standard_pass.hpp>

#include <utility>

#include <pintle/runtime/ready_status.hpp>

namespace pintle {

Outcome StandardPass::reconcile() {
  Outcome outcome = prepared();
  // Without a finalizer of ours its deletion is nothing to us.
  if (outcome.is_settled() && !is_deleting()) outcome = change();
  if (const Error* error = outcome.as_failed()) return verdict(*error).outcome();
  return outcome;
}

Outcome StandardPass::finalize() {
  Outcome outcome = prepared();
  if (outcome.is_settled()) {
    outcome = remove();
    if (const Error* error = outcome.as_failed()) {
      context_.event(EventType::warning, "Failed", "Error when delete resource: " + error->to_string());
    }
  }
  if (const Error* error = outcome.as_failed()) return verdict(*error).outcome_of_cleanup();
  return outcome;
}

Outcome StandardPass::finalizer_written(FinalizerStep step, const Result<void>& written) {
  const bool is_added = step == FinalizerStep::add;
  if (written) {
    if (is_added) context_.event(EventType::normal, "Added", "Object finalizer is added");
    return settled;
  }
  const Error& error = written.error();
  if (is_added) {
    context_.event(EventType::warning, "Adding finalizer", "Failed to add finalizer: " + error.to_string());
    return not_begun(error);
  }
  context_.event(EventType::warning, "Failed", "Error when remove finalizer: " + error.to_string());
  return verdict(error).outcome_of_cleanup();
}

ErrorVerdict StandardPass::verdict(const Error& error) {
  return verdict_on(error, context_, [this](const Error& asked) {
    if (reports_ready_) {
      report_failed(context_.status(), asked);
      context_.event(EventType::warning, "ReconcilerActionError", asked.to_string());
    }
    return on_error(asked);
  });
}

Outcome StandardPass::ready(Outcome outcome) {
  if (reports_ready_ && outcome.as_failed() == nullptr) report_ready(context_.status());
  return outcome;
}

Outcome StandardPass::prepared() {
  if (reports_ready_) report_begun(context_.status());
  return prepare();
}

}  // namespace pintle
