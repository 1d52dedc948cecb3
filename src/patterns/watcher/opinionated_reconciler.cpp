// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/watcher/opinionated_reconciler.hpp>

#include <utility>

#include <pintle/patterns/watcher/resource_watcher.hpp>

#include "cleanup_ledger.hpp"
#include "finalizer_rules.hpp"

namespace pintle::watcher {
namespace {

using Action = ReconcileAction;

// Only the patch is to be retried. The state of the reconciler is kept.
ReconcileResult patch_failed(Error error, const State& before, const ReconcileResult& result, const char* key) {
  ReconcileResult next = failed(std::move(error));
  next.state = result.state ? *result.state : before;
  next.state->insert_or_assign(key, true);
  return next;
}

bool is_done(const ReconcileResult& result) { return !result.error && !result.requeue_after; }

}  // namespace

OpinionatedReconciler::OpinionatedReconciler(std::string finalizer, std::shared_ptr<Reconciler> reconciler,
                                             OpinionatedReconcilerOptions options)
    : finalizer_(std::move(finalizer)), reconciler_(std::move(reconciler)), policy_(options.policy) {}

Result<void> OpinionatedReconciler::check() const {
  if (auto good = check_finalizer_name(finalizer_, policy_); !good) return good;
  return reconciler_ == nullptr ? Result<void>() : reconciler_->check();
}

ReconcileResult OpinionatedReconciler::delegate(const ReconcileRequest& request, Context& context) const {
  return reconciler_ == nullptr ? ReconcileResult() : reconciler_->reconcile(request, context);
}

ReconcileResult OpinionatedReconciler::reconcile(const ReconcileRequest& request, Context& context) {
  if (!request.object) return failed(nil_object_error());
  Finalizers ours(context.client(), finalizer_);
  CleanupRecord record(context, request.object, finalizer_);
  if (request.action == Action::deleted) {
    // If the last state has our finalizer, release() has cleaned up, or the object exists and only left the selection
    // of the informer.
    const bool is_owed =
        record.needs_cleanup() && (record.progress() == CleanupProgress::owed || !ours.is_present(request.object));
    ReconcileResult result = is_owed ? clean_up(request, context) : ReconcileResult();
    if (is_done(result)) record.erase();
    return result;
  }
  if (request.object.is_deleting()) return release(request, ours, context);
  ReconcileRequest forwarded = request;
  if (ours.is_complete(request.object) && !record.awaits_success()) {
    record.erase();
    if (request.action == Action::created) forwarded.action = Action::resynced;
    return delegate(forwarded, context);
  }
  // An update of an object that was not handled yet belongs to its creation. If the object was handled, only the
  // finalizer is added; the update that this write causes is delivered.
  const bool is_handled = record.progress() == CleanupProgress::none || record.progress() == CleanupProgress::handled;
  if (request.action == Action::updated && !ours.is_present(request.object) && is_handled) {
    auto added = ours.add(request.object, context.stop_token());
    if (added && (!added->object.is_deleting() || ours.is_present(added->object))) return {};
    const bool is_gone = !added && added.error().code == ErrorCode::not_found;
    if (!added && !is_gone) return failed(error_adding_finalizer(std::move(added.error())));
    return record.needs_cleanup() ? clean_up(request, context) : ReconcileResult();
  }
  return create(std::move(forwarded), ours, context);
}

ReconcileResult OpinionatedReconciler::create(ReconcileRequest request, Finalizers& finalizers, Context& context) {
  CleanupRecord record(context, request.object, finalizer_);
  if (record.progress() == CleanupProgress::cleaned) return {};  // the event is older than the deletion
  if (record.progress() == CleanupProgress::owed) return clean_up(std::move(request), context);
  request.action = Action::created;
  ReconcileResult result;
  if (!request.state.contains(create_patch_state) && record.progress() != CleanupProgress::handled) {
    if (policy_ == FinalizerPolicy::wip_then_real) {
      if (record.progress() == CleanupProgress::none) record.set(CleanupProgress::due, request.object);
      auto begun = finalizers.add_wip(request.object, context.stop_token());
      const bool is_gone = !begun && begun.error().code == ErrorCode::not_found;
      if (is_gone) return record.needs_cleanup() ? clean_up(std::move(request), context) : ReconcileResult();
      if (!begun) return failed(error_adding_finalizer(std::move(begun.error())));
      request.object = std::move(begun->object);
      if (request.object.is_deleting()) return release(std::move(request), finalizers, context);
    }
    record.set(CleanupProgress::begun, request.object);
    result = delegate(request, context);
    if (!is_done(result)) return result;
    record.set(CleanupProgress::handled, request.object);
  }
  auto completed = finalizers.add(request.object, context.stop_token());
  const bool is_gone = !completed && completed.error().code == ErrorCode::not_found;
  if (!completed && !is_gone) {
    return patch_failed(error_adding_finalizer(std::move(completed.error())), request.state, result,
                        create_patch_state);
  }
  // The object was deleted in the meantime, because the finalizer did not protect it yet.
  if (is_gone || (completed->object.is_deleting() && !finalizers.is_present(completed->object))) {
    if (!is_gone) request.object = std::move(completed->object);
    return clean_up(std::move(request), context);
  }
  return result;
}

ReconcileResult OpinionatedReconciler::release(ReconcileRequest request, Finalizers& finalizers, Context& context) {
  const CleanupRecord record(context, request.object, finalizer_);
  if (!finalizers.is_present(request.object)) {
    return record.needs_cleanup() ? clean_up(std::move(request), context) : ReconcileResult();
  }
  ReconcileResult result;
  if (!request.state.contains(delete_patch_state) && record.progress() != CleanupProgress::cleaned) {
    result = clean_up(request, context);
    if (!is_done(result)) return result;
  }
  auto removed = finalizers.remove(request.object, context.stop_token());
  if (removed) return result;
  return patch_failed(std::move(removed.error()), request.state, result, delete_patch_state);
}

ReconcileResult OpinionatedReconciler::clean_up(ReconcileRequest request, Context& context) {
  CleanupRecord record(context, request.object, finalizer_);
  record.set(CleanupProgress::owed, request.object);
  request.action = Action::deleted;
  request.state.erase(create_patch_state);
  ReconcileResult result = delegate(request, context);
  if (is_done(result)) record.set(CleanupProgress::cleaned, request.object);
  return result;
}

}  // namespace pintle::watcher
