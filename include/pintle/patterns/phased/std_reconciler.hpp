// StdK8sReconciler: makes the children of an object phase after phase, in an order that is always the same.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <pintle/base/required.hpp>
#include <pintle/patterns/phased/pass.hpp>
#include <pintle/patterns/phased/reconciler.hpp>

namespace pintle::phased {

// A pass: the finalizer is put on, in a pass of its own; then configure and read, each phase from its configure to its
// on_success, and on_success. Of an object that is being deleted: configure, read, remove, and the finalizer is taken
// off; its phases have no part in that. A plain value; its copies share the reconcilers. Thread-safe, as far as these
// are.
//
//   Controller<Site> controller = StdK8sReconciler<Sites>{.reconciler = std::make_shared<Sites>(),
//                                                         .phases = {std::make_shared<Volumes>(),
//                                                                    std::make_shared<Servers>()}}.controller();
//   controller.owns = {PersistentVolumeClaim::type, Deployment::type};
//   manager.add(std::move(controller));
template <IsK8sReconciler R>
struct StdK8sReconciler {
  using Resource = typename R::Resource;

  std::string finalizer{};  // default: none, and `remove` is never called
  Required<std::shared_ptr<R>> reconciler;
  std::vector<Phase<Resource>> phases{};  // no two of the same name
  bool reports_ready = false;             // keeps the status as ReadyStatus has it, and tells of errors by Events

  // What a manager runs; the rest of its options are for you to set. Plain objects need the kind to be named.
  [[nodiscard]] Controller<Resource> controller(WatchedKind<Resource> watch = {}) const {
    const auto shared = std::make_shared<const StdK8sReconciler>(*this);
    auto controller = controller_of<Resource, PassOf<R>>(std::move(watch), finalizer,
                                                         [shared](Context& context) { return shared->begin(context); });
    if (reconciler.value() == nullptr) {
      controller.faults.push_back(
          make_error(ErrorCode::invalid, "reconciler can't be nil: make one for StdK8sReconciler"));
    }
    std::vector<PhaseName> names;
    for (const Phase<Resource>& phase : phases) names.push_back(phase.name());
    for (Error& fault : phase_faults(names, reports_ready)) controller.faults.push_back(std::move(fault));
    return controller;
  }

  // One pass without the finalizer, for whoever sees to that himself: `finalize` while an object that has it is being
  // deleted, else `reconcile`.
  Outcome reconcile(const Resource& object, Context& context) const { return begin(context)->over(object).reconcile(); }
  Outcome finalize(const Resource& object, Context& context) const { return begin(context)->over(object).finalize(); }

 private:
  // Looks at our phases, so it is not to outlive us.
  std::shared_ptr<PassOf<R>> begin(Context& context) const {
    return std::make_shared<PassOf<R>>(*reconciler.value(), phases, context, reports_ready);
  }
};

}  // namespace pintle::phased
