#include <pintle/patterns/watcher/opinionated_reconciler.hpp>

#include <utility>

#include <pintle/patterns/watcher/resource_watcher.hpp>

#include "finalizer_rules.hpp"

namespace pintle::watcher {
namespace {

using Action = ReconcileAction;

// The patch alone is to be tried again; what the reconciler keeps stays.
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
  if (!request.object) return failed(nil_object());
  if (request.action == Action::deleted) return {};
  Finalizers ours(context.client(), finalizer_);
  if (request.object.is_deleting()) {
    return ours.is_on(request.object) ? release(request, ours, context) : ReconcileResult();
  }
  ReconcileRequest passed_on = request;
  if (ours.is_complete(request.object)) {
    if (request.action == Action::created) passed_on.action = Action::resynced;
    return delegate(passed_on, context);
  }
  // An update of an object whose creation is still in work is a part of that.
  if (request.action == Action::updated && !ours.is_on(request.object)) {
    auto added = ours.ensure(request.object, context.stop_token());
    if (added || added.error().code == ErrorCode::not_found) return {};
    return failed(error_adding_finalizer(std::move(added.error())));
  }
  return create(std::move(passed_on), ours, context);
}

ReconcileResult OpinionatedReconciler::create(ReconcileRequest request, Finalizers& finalizers, Context& context) {
  request.action = Action::created;
  ReconcileResult result;
  if (!request.state.contains(create_patch_state)) {
    if (policy_ == FinalizerPolicy::wip_then_real) {
      auto begun = finalizers.ensure_wip(request.object, context.stop_token());
      if (!begun && begun.error().code == ErrorCode::not_found) return {};  // gone before anybody saw it
      if (!begun) return failed(error_adding_finalizer(std::move(begun.error())));
      request.object = std::move(begun->object);
      if (request.object.is_deleting()) return release(std::move(request), finalizers, context);
    }
    result = delegate(request, context);
    if (!is_done(result)) return result;
  }
  auto completed = finalizers.ensure(request.object, context.stop_token());
  const bool is_gone = !completed && completed.error().code == ErrorCode::not_found;
  if (!completed && !is_gone) {
    return patch_failed(error_adding_finalizer(std::move(completed.error())), request.state, result,
                        create_patch_state);
  }
  // Deleted meanwhile, so that nothing will ask for what has to follow.
  if (is_gone || (completed->object.is_deleting() && !finalizers.is_on(completed->object))) {
    if (!is_gone) request.object = std::move(completed->object);
    request.action = Action::deleted;
    request.state.erase(create_patch_state);
    return delegate(request, context);
  }
  return result;
}

ReconcileResult OpinionatedReconciler::release(ReconcileRequest request, Finalizers& finalizers, Context& context) {
  request.action = Action::deleted;
  ReconcileResult result;
  if (!request.state.contains(delete_patch_state)) {
    result = delegate(request, context);
    if (!is_done(result)) return result;
  }
  auto removed = finalizers.remove(request.object, context.stop_token());
  if (removed) return result;
  return patch_failed(std::move(removed.error()), request.state, result, delete_patch_state);
}

}  // namespace pintle::watcher
