// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/watcher/reconciler.hpp>

namespace pintle::watcher {

ReconcileResult::ReconcileResult(const Outcome& outcome, int) {
  if (const RequeueAfter* again = outcome.as_requeue_after()) requeue_after = again->delay;
  if (outcome.as_failed() != nullptr) error = *outcome.as_failed();
  if (outcome.is_requeue()) error = make_error(ErrorCode::unknown, "the handler requested a retry");
}

ReconcileResult SimpleReconciler::reconcile(const ReconcileRequest& request, Context& context) {
  return function_ ? function_(request, context) : ReconcileResult();
}

CannotCastError::CannotCastError(const Object& object) : namespace_(object.namespace_()), name(object.name()) {
  GroupVersionKind its = object.group_version_kind();
  group = std::move(its.group);
  kind = std::move(its.kind);
}

std::string CannotCastError::message() const {
  return "cannot cast " + group + ":" + kind + " (" + namespace_ + "/" + name + ") into type";
}

Error CannotCastError::to_error() const {
  Error error = make_error(ErrorCode::invalid, message()).terminal();
  error.reason = "CannotCast";
  return error;
}

}  // namespace pintle::watcher
