// OpinionatedReconciler: a reconciler that knows what is new from what is there again, and misses no deletion.
#pragma once

#include <memory>
#include <string>

#include <pintle/controller/finalizers.hpp>
#include <pintle/patterns/watcher/reconciler.hpp>

namespace pintle::watcher {

// In the state of a request: the object was handled, and only its finalizer is still to be put on or taken off.
inline constexpr const char* create_patch_state = "grafana-app-sdk-opinionated-reconciler-create-patch-status";
inline constexpr const char* delete_patch_state = "grafana-app-sdk-opinionated-reconciler-delete-patch-status";

struct OpinionatedReconcilerOptions {
  // As that of an OpinionatedWatcher.
  FinalizerPolicy policy = FinalizerPolicy::add_after_success;
};

// Calls another reconciler:
// - as resynced for an object that appears and has the finalizer: it was handled before a restart;
// - as created for one that appears without it; on success without a time, the finalizer is put on. The same when such
//   an object is resynced, and when it is updated before a creation has succeeded;
// - as deleted for one that is being deleted and has it, until that succeeds, and then the finalizer is taken off. One
//   without it is told as deleted only if a creation was begun, whether that succeeded or not; the same holds for one
//   that is gone. It is told until that succeeds once, as by an OpinionatedWatcher;
// - not for an update of one that lacks it although its creation succeeded, which puts it on; the update by that write
// is
//   told;
// - as it is for all else.
// A patch that fails is tried again without another call. Without a reconciler every call is success. Thread-safe, but
// for wrap().
class OpinionatedReconciler final : public Reconciler {
 public:
  explicit OpinionatedReconciler(std::string finalizer, std::shared_ptr<Reconciler> reconciler = nullptr,
                                 OpinionatedReconcilerOptions options = {});

  // Before it is added to a controller.
  void wrap(std::shared_ptr<Reconciler> reconciler) { reconciler_ = std::move(reconciler); }

  [[nodiscard]] const std::string& finalizer() const noexcept { return finalizer_; }
  // Error: invalid, "finalizer cannot be empty", or for a name that none can have.
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
