// StdReconciler: keeps a resource outside the cluster as an object says, in an order that is always the same.
#pragma once

#include <concepts>
#include <memory>
#include <string>
#include <utility>

#include <pintle/base/required.hpp>
#include <pintle/patterns/external/pass.hpp>
#include <pintle/patterns/external/reconciler.hpp>

namespace pintle::external {

template <class R>
concept IsReconciler = std::derived_from<R, Reconciler<typename R::Resource, typename R::Meta, typename R::Data>>;

// A pass: the finalizer is put on, in a pass of its own; then configure, read, diff, create, update, on_success. Of an
// object that is being deleted: configure, read, remove, and the finalizer is taken off. A plain value; its copies
// share the reconciler. Thread-safe, as far as the reconciler is.
//
//   Controller<Bucket> controller = StdReconciler<Buckets>{.finalizer = "example.com/bucket",
//                                                          .reconciler = std::make_shared<Buckets>()}.controller();
//   controller.every = std::chrono::minutes(10);
//   manager.add(std::move(controller));
template <IsReconciler R>
struct StdReconciler {
  using Resource = typename R::Resource;

  std::string finalizer{};  // default: none, and `remove` is never called
  Required<std::shared_ptr<R>> reconciler;
  bool reports_ready = false;  // keeps the status as ReadyStatus has it, and tells of errors by Events

  // What a manager runs; the rest of its options are for you to set. Plain objects need the kind to be named.
  [[nodiscard]] Controller<Resource> controller(WatchedKind<Resource> watch = {}) const {
    auto controller = controller_of<Resource, PassOf<R>>(
        std::move(watch), finalizer, [self = *this](Context& context) { return self.begin(context); });
    if (reconciler.value() == nullptr) {
      controller.faults.push_back(
          make_error(ErrorCode::invalid, "reconciler can't be nil: make one for StdReconciler"));
    }
    return controller;
  }

  // One pass without the finalizer, for whoever sees to that himself: `finalize` while an object that has it is being
  // deleted, else `reconcile`.
  Outcome reconcile(const Resource& object, Context& context) const { return begin(context)->over(object).reconcile(); }
  Outcome finalize(const Resource& object, Context& context) const { return begin(context)->over(object).finalize(); }

 private:
  std::shared_ptr<PassOf<R>> begin(Context& context) const {
    return std::make_shared<PassOf<R>>(*reconciler.value(), context, reports_ready);
  }
};

}  // namespace pintle::external
