// SPDX-License-Identifier: Apache-2.0
// OpinionatedReconciler: a reconciler that distinguishes new objects from objects of an earlier process. If an object
// has its finalizer, it also receives a deletion that began while no process ran.
#pragma once

#include <memory>
#include <string>

#include <pintle/base/annotations.hpp>
#include <pintle/controller/finalizers.hpp>
#include <pintle/patterns/watcher/reconciler.hpp>

namespace pintle::watcher {

/// Keys in the state of a request: the object was handled, and only its finalizer still has to be added or removed.
inline constexpr const char* create_patch_state = "grafana-app-sdk-opinionated-reconciler-create-patch-status";
inline constexpr const char* delete_patch_state = "grafana-app-sdk-opinionated-reconciler-delete-patch-status";

struct OpinionatedReconcilerOptions {
  /// As OpinionatedWatcherOptions::policy.
  FinalizerPolicy policy = FinalizerPolicy::add_after_success;
};

/// Calls another reconciler. The action of the call depends on the object and its finalizer:
/// - resynced: this is the first event of the object in this process, and the object has the finalizer, so an earlier
///   process has handled it.
/// - created: this is the first event of the object in this process, and the object does not have the finalizer. If the
///   call succeeds without a requeue_after, the finalizer is added. The action is the same when such an object is
///   resynced, and when it is updated before a call with `created` has succeeded, even if another client has added the
///   finalizer.
/// - deleted: the object is being deleted and has the finalizer. The call is repeated until it succeeds, and then the
///   finalizer is removed. If the object does not have the finalizer, or is gone, the reconciler is called only if it
///   was called with `created` before, whether that call succeeded or not. As for an OpinionatedWatcher, the call is
///   repeated until it succeeds once.
/// - no call: the object is updated and lacks the finalizer, although it was handled before. Then only the finalizer is
///   added; the update that this write causes is delivered.
/// - the action of the request, in all other cases.
///
/// If the patch of a finalizer fails, it is retried without another call of the reconciler. Without a reconciler every
/// call succeeds. Each handler of an object needs its own finalizer, see InformerController::add_watcher().
/// Thread-safe, except wrap().
class PINTLE_EXPORT OpinionatedReconciler final : public Reconciler {
 public:
  explicit OpinionatedReconciler(std::string finalizer, std::shared_ptr<Reconciler> reconciler = nullptr,
                                 OpinionatedReconcilerOptions options = {});

  /// Sets the reconciler. Call it before this reconciler is added to a controller.
  void wrap(std::shared_ptr<Reconciler> reconciler) { reconciler_ = std::move(reconciler); }

  [[nodiscard]] const std::string& finalizer() const noexcept { return finalizer_; }
  /// Errors: `invalid`, for an empty name ("finalizer cannot be empty"), for an unsupported policy, for a name that no
  /// finalizer can have, and for a name of more than 63 characters; those of the reconciler that is called.
  [[nodiscard]] Result<void> check() const override;

  ReconcileResult reconcile(const ReconcileRequest& request, Context& context) override;

 private:
  ReconcileResult create(ReconcileRequest request, Finalizers& finalizers, Context& context);
  ReconcileResult release(ReconcileRequest request, Finalizers& finalizers, Context& context);
  ReconcileResult clean_up(ReconcileRequest request, Context& context);
  ReconcileResult delegate(const ReconcileRequest& request, Context& context) const;

  const std::string finalizer_;
  std::shared_ptr<Reconciler> reconciler_;
  const FinalizerPolicy policy_;
};

}  // namespace pintle::watcher
