// SPDX-License-Identifier: Apache-2.0
// ReconcileSteps: runs a Reconciler for one object, in the order that StdReconciler defines.
#pragma once

#include <utility>

#include <pintle/base/annotations.hpp>
#include <pintle/controller/standard_reconcile.hpp>
#include <pintle/patterns/external/reconciler.hpp>

namespace pintle::external {

/// The order of the steps, independent of their types.
class PINTLE_EXPORT ReconcileSteps : public StandardReconcile {
 public:
  using StandardReconcile::StandardReconcile;

 protected:
  virtual Result<void> configure() = 0;
  virtual Outcome read() = 0;
  virtual Result<Diff> diff() = 0;
  virtual Outcome create() = 0;
  virtual Outcome update() = 0;
  virtual Outcome on_success(const Diff& diff) = 0;

 private:
  Outcome prepare() final;
  Outcome change() final;
};

/// The ReconcileSteps of a Reconciler R.
template <class R>
class ReconcileStepsOf final : public ReconcileSteps {
 public:
  using Resource = typename R::Resource;

  ReconcileStepsOf(R& reconciler, Context& context, bool reports_ready)
      : ReconcileSteps(context, reports_ready), reconciler_(reconciler) {}

  ReconcileStepsOf& over(const Resource& object) {
    object_ = &object;
    return *this;
  }

 private:
  bool is_deleting() const override { return StandardReconcile::is_deleting(*object_); }
  Result<void> configure() override {
    auto made = reconciler_.configure(*object_, context());
    if (!made) return fail(std::move(made.error()));
    meta_ = std::move(*made);
    return {};
  }
  Outcome read() override { return reconciler_.read(*object_, context(), data_, meta_); }
  Result<Diff> diff() override { return reconciler_.diff(*object_, context(), data_, meta_); }
  Outcome create() override { return reconciler_.create(*object_, context(), data_, meta_); }
  Outcome update() override { return reconciler_.update(*object_, context(), data_, meta_); }
  Outcome remove() override { return reconciler_.remove(*object_, context(), data_, meta_); }
  ErrorDecision on_error(const Error& error) override {
    return reconciler_.on_error(*object_, context(), data_, meta_, error);
  }
  Outcome on_success(const Diff& diff) override {
    return reconciler_.on_success(*object_, context(), data_, meta_, diff);
  }

  R& reconciler_;
  const Resource* object_ = nullptr;
  typename R::Meta meta_{};
  typename R::Data data_{};
};

}  // namespace pintle::external
