// SPDX-License-Identifier: Apache-2.0
// ReconcileSteps and PhaseSteps: run a K8sReconciler and its phases for one object, in the order that StdK8sReconciler
// defines.
#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/controller/standard_reconcile.hpp>
#include <pintle/patterns/phased/reconciler.hpp>

namespace pintle::phased {

/// The order of the steps of a phase, independent of their types.
class PINTLE_EXPORT PhaseSteps {
 public:
  virtual ~PhaseSteps() = default;

  [[nodiscard]] virtual std::string name() const = 0;
  Outcome run();
  virtual ErrorDecision on_error(const Error& error) = 0;

 private:
  virtual Outcome configure() = 0;
  virtual Outcome read() = 0;
  virtual K8sDiffOutcome diff() = 0;
  virtual Outcome create() = 0;
  virtual Outcome update() = 0;
  virtual Outcome remove() = 0;
  virtual Outcome on_success(K8sDiff diff) = 0;
};

/// The order of the phases and of the steps around them.
class PINTLE_EXPORT ReconcileSteps : public StandardReconcile {
 public:
  using StandardReconcile::StandardReconcile;

 private:
  virtual Outcome configure() = 0;
  virtual Outcome read() = 0;
  // Null after the last phase.
  virtual std::unique_ptr<PhaseSteps> next_phase() = 0;
  virtual Outcome on_success() = 0;

  Outcome prepare() final;
  Outcome change() final;
  Outcome not_begun(const Error& error) final { return verdict(error).outcome(); }
  void report(const std::string& phase, const Outcome& outcome);
  ErrorDecision verdict_of(PhaseSteps& phase, const std::string& name, const Error& error);
};

using PhaseName = std::function<std::string()>;
/// Returns the validation errors of a list of phases. `names` contains the name of each phase as a function, which is
/// empty for a null phase. With `reports_ready` each name is also the type of a condition and must be valid as such.
[[nodiscard]] PINTLE_EXPORT std::vector<Error> validate_phases(const std::vector<PhaseName>& names, bool reports_ready);

template <class R>
concept IsK8sReconciler = std::derived_from<R, K8sReconciler<typename R::Resource, typename R::Data>>;
template <class R>
concept IsK8sPhaseReconciler = std::derived_from<R, K8sPhaseReconciler<typename R::Resource, typename R::Data>>;

/// The PhaseSteps of a K8sPhaseReconciler R.
template <IsK8sPhaseReconciler R>
class PhaseStepsOf final : public PhaseSteps {
 public:
  PhaseStepsOf(R& reconciler, const typename R::Resource& object, Context& context)
      : reconciler_(reconciler), object_(object), context_(context) {}

  std::string name() const override { return reconciler_.name(); }
  ErrorDecision on_error(const Error& error) override { return reconciler_.on_error(object_, context_, data_, error); }

 private:
  Outcome configure() override { return reconciler_.configure(object_, context_); }
  Outcome read() override { return reconciler_.read(object_, context_, data_); }
  K8sDiffOutcome diff() override { return reconciler_.diff(object_, context_, data_); }
  Outcome create() override { return reconciler_.create(object_, context_, data_); }
  Outcome update() override { return reconciler_.update(object_, context_, data_); }
  Outcome remove() override { return reconciler_.remove(object_, context_, data_); }
  Outcome on_success(K8sDiff diff) override {
    return reconciler_.on_success(object_, context_, data_, std::move(diff));
  }

  R& reconciler_;
  const typename R::Resource& object_;
  Context& context_;
  typename R::Data data_{};
};

/// A handle on a K8sPhaseReconciler with any Data, made from a shared_ptr to it.
template <Watchable T>
class Phase {
 public:
  template <IsK8sPhaseReconciler R>
    requires std::same_as<typename R::Resource, T>
  Phase(std::shared_ptr<R> reconciler) {  // NOLINT(google-explicit-constructor)
    if (reconciler == nullptr) return;
    name_ = [reconciler] { return reconciler->name(); };
    begin_ = [reconciler = std::move(reconciler)](const T& object, Context& context) {
      return std::make_unique<PhaseStepsOf<R>>(*reconciler, object, context);
    };
  }

  [[nodiscard]] bool is_null() const noexcept { return !begin_; }
  /// Empty if is_null().
  [[nodiscard]] const PhaseName& name() const noexcept { return name_; }
  /// Requires !is_null().
  [[nodiscard]] std::unique_ptr<PhaseSteps> begin(const T& object, Context& context) const {
    return begin_(object, context);
  }

 private:
  PhaseName name_;
  std::function<std::unique_ptr<PhaseSteps>(const T&, Context&)> begin_;
};

/// The ReconcileSteps of a K8sReconciler R.
template <IsK8sReconciler R>
class ReconcileStepsOf final : public ReconcileSteps {
 public:
  using Resource = typename R::Resource;

  ReconcileStepsOf(R& reconciler, const std::vector<Phase<Resource>>& phases, Context& context, bool reports_ready)
      : ReconcileSteps(context, reports_ready), reconciler_(reconciler), phases_(phases) {}

  ReconcileStepsOf& over(const Resource& object) {
    object_ = &object;
    return *this;
  }

 private:
  bool is_deleting() const override { return StandardReconcile::is_deleting(*object_); }
  Outcome configure() override { return reconciler_.configure(*object_, context()); }
  Outcome read() override { return reconciler_.read(*object_, context(), data_); }
  Outcome remove() override { return reconciler_.remove(*object_, context(), data_); }
  ErrorDecision on_error(const Error& error) override {
    return reconciler_.on_error(*object_, context(), data_, error);
  }
  Outcome on_success() override { return reconciler_.on_success(*object_, context(), data_); }
  std::unique_ptr<PhaseSteps> next_phase() override {
    return next_ == phases_.size() ? nullptr : phases_[next_++].begin(*object_, context());
  }

  R& reconciler_;
  const std::vector<Phase<Resource>>& phases_;
  const Resource* object_ = nullptr;
  typename R::Data data_{};
  std::size_t next_ = 0;
};

}  // namespace pintle::phased
