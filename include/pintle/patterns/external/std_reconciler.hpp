// SPDX-License-Identifier: Apache-2.0
// StdReconciler: keeps a resource outside the cluster in the state that an object describes, with a fixed order of
// steps.
#pragma once

#include <concepts>
#include <memory>
#include <string>
#include <utility>

#include <pintle/base/required.hpp>
#include <pintle/patterns/external/reconcile_steps.hpp>
#include <pintle/patterns/external/reconciler.hpp>

namespace pintle::external {

template <class R>
concept IsReconciler = std::derived_from<R, Reconciler<typename R::Resource, typename R::Meta, typename R::Data>>;

/// If `finalizer` is set, the first reconcile of an object only adds the finalizer. The following reconciles call
/// configure(), read(), diff(), create(), update() and on_success(). If the object is being deleted, they call
/// configure(), read() and remove(), and then the finalizer is removed. A value type; copies share the reconciler.
/// Thread-safe if the reconciler is.
///
///   Controller<Bucket> controller = StdReconciler<Buckets>{.finalizer = "example.com/bucket",
///                                                          .reconciler = std::make_shared<Buckets>()}.controller();
///   controller.resync_period = std::chrono::minutes(10);
///   manager.add(std::move(controller));
template <IsReconciler R>
struct StdReconciler {
  using Resource = typename R::Resource;

  std::string finalizer{};  ///< default: none, and `remove` is never called
  Required<std::shared_ptr<R>> reconciler;
  /// Maintains the members of ReadyStatus in the status, except `phase`, and records errors as Events. The status of a
  /// struct must declare these members.
  bool reports_ready = false;

  /// The controller to add to a manager; its other options can be set freely. `watch` is required if Resource is
  /// Object.
  [[nodiscard]] Controller<Resource> controller(WatchedKind<Resource> watch = {}) const {
    auto controller = controller_of<Resource, ReconcileStepsOf<R>>(
        std::move(watch), finalizer, [self = *this](Context& context) { return self.begin(context); });
    if (auto valid = reports_ready ? validate_ready_status<Resource>() : Result<void>(); !valid) {
      controller.errors.push_back(std::move(valid.error()));
    }
    if (reconciler.value() == nullptr) {
      controller.errors.push_back(
          make_error(ErrorCode::invalid, "reconciler can't be nil: set .reconciler of StdReconciler"));
    }
    return controller;
  }

  /// One reconcile without the finalizer, for callers that manage the finalizer themselves: call `finalize` while an
  /// object with the finalizer is being deleted, otherwise `reconcile`.
  Outcome reconcile(const Resource& object, Context& context) const { return begin(context)->over(object).reconcile(); }
  Outcome finalize(const Resource& object, Context& context) const { return begin(context)->over(object).finalize(); }

 private:
  std::shared_ptr<ReconcileStepsOf<R>> begin(Context& context) const {
    return std::make_shared<ReconcileStepsOf<R>>(*reconciler.value(), context, reports_ready);
  }
};

}  // namespace pintle::external
