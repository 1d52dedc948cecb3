// SPDX-License-Identifier: Apache-2.0
// StdK8sReconciler: creates the children of an object phase by phase, with a fixed order of steps.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <pintle/base/required.hpp>
#include <pintle/patterns/phased/reconcile_steps.hpp>
#include <pintle/patterns/phased/reconciler.hpp>

namespace pintle::phased {

/// If `finalizer` is set, the first reconcile of an object only adds the finalizer. The following reconciles call
/// configure() and read(), then each phase from its configure() to its on_success(), and finally on_success() of the
/// reconciler. If the object is being deleted, they call configure(), read() and remove(), and then the finalizer is
/// removed; the phases are not called. A value type; copies share the reconcilers. Thread-safe if the reconcilers are.
///
///   Controller<Site> controller = StdK8sReconciler<Sites>{.reconciler = std::make_shared<Sites>(),
///                                                         .phases = {std::make_shared<Volumes>(),
///                                                                    std::make_shared<Servers>()}}.controller();
///   controller.owns = {PersistentVolumeClaim::type, Deployment::type};
///   manager.add(std::move(controller));
template <IsK8sReconciler R>
struct StdK8sReconciler {
  using Resource = typename R::Resource;

  std::string finalizer{};  ///< default: none, and `remove` is never called
  Required<std::shared_ptr<R>> reconciler;
  std::vector<Phase<Resource>> phases{};  ///< with unique names
  /// Maintains the members of ReadyStatus in the status, and records errors as Events. The status of a struct must
  /// declare these members.
  bool reports_ready = false;

  /// The controller to add to a manager; its other options can be set freely. `watch` is required if Resource is
  /// Object.
  [[nodiscard]] Controller<Resource> controller(WatchedKind<Resource> watch = {}) const {
    const auto shared = std::make_shared<const StdK8sReconciler>(*this);
    auto controller = controller_of<Resource, ReconcileStepsOf<R>>(
        std::move(watch), finalizer, [shared](Context& context) { return shared->begin(context); });
    if (auto valid = reports_ready ? validate_ready_status<Resource>(true) : Result<void>(); !valid) {
      controller.errors.push_back(std::move(valid.error()));
    }
    if (reconciler.value() == nullptr) {
      controller.errors.push_back(
          make_error(ErrorCode::invalid, "reconciler can't be nil: set .reconciler of StdK8sReconciler"));
    }
    std::vector<PhaseName> names;
    for (const Phase<Resource>& phase : phases) names.push_back(phase.name());
    for (Error& error : validate_phases(names, reports_ready)) controller.errors.push_back(std::move(error));
    return controller;
  }

  /// One reconcile without the finalizer, for callers that manage the finalizer themselves: call `finalize` while an
  /// object with the finalizer is being deleted, otherwise `reconcile`.
  Outcome reconcile(const Resource& object, Context& context) const { return begin(context)->over(object).reconcile(); }
  Outcome finalize(const Resource& object, Context& context) const { return begin(context)->over(object).finalize(); }

 private:
  // The result refers to `phases`, so it must not outlive this object.
  std::shared_ptr<ReconcileStepsOf<R>> begin(Context& context) const {
    return std::make_shared<ReconcileStepsOf<R>>(*reconciler.value(), phases, context, reports_ready);
  }
};

}  // namespace pintle::phased
