// SPDX-License-Identifier: Apache-2.0
#include "reconcile_span.hpp"

namespace pintle {

ReconcileSpan::ReconcileSpan(Tracing* tracing, const AnyController& controller,
                             const QueueItem<ObjectKey, ReconcileCause>& item) {
  if (tracing == nullptr) return;
  span_ = tracing->tracer().start({.name = "reconcile " + controller.name,
                                   .attributes = {{"pintle.controller", controller.name},
                                                  {"pintle.retry", item.failures},
                                                  {"k8s.object.api_version", controller.watch.kind.api_version()},
                                                  {"k8s.object.kind", controller.watch.kind.kind},
                                                  {"k8s.object.name", item.key.name}}});
  if (!item.key.namespace_.empty()) span_->set_attribute({"k8s.namespace.name", item.key.namespace_});
  // Only for a sampled span, because building the text compares objects.
  if (span_->context().sampled) span_->set_attribute({"pintle.causes", to_string(item.causes)});
  binding_.emplace(tracing->spans(), *span_);
}

void ReconcileSpan::set_outcome(const Outcome& outcome) {
  if (span_ == nullptr) return;
  const Error* error = outcome.as_failed();
  const bool is_cancelled = error != nullptr && error->code == ErrorCode::cancelled;
  span_->set_attribute({"pintle.outcome", is_cancelled ? to_string(error->code) : metric_label(outcome)});
  if (error == nullptr || is_cancelled) return;
  note_error(*span_, *error);
}

}  // namespace pintle
