// SPDX-License-Identifier: Apache-2.0
// K8sReconciler and K8sPhaseReconciler: the functions that an author writes for an object and for the phases that
// create its children.
#pragma once

#include <concepts>
#include <string>

#include <pintle/controller/controller.hpp>
#include <pintle/controller/error_decision.hpp>
#include <pintle/controller/scratch.hpp>
#include <pintle/patterns/phased/diff.hpp>

namespace pintle::phased {

/// The steps before and after the phases of the reconcile of an object of type T, and its error hook. Data passes
/// results from one step to the next; each reconcile begins with a new one, and phases have no access to it. A step
/// that fails or requeues ends the reconcile. The functions run on workers, for several objects concurrently if the
/// controller has several workers. An exception of a step becomes the error "a step threw …".
template <Watchable T, std::default_initializable Data_ = Scratch>
class K8sReconciler {
 public:
  using Resource = T;
  using Data = Data_;

  K8sReconciler() = default;
  virtual ~K8sReconciler() = default;
  K8sReconciler(const K8sReconciler&) = delete;
  K8sReconciler& operator=(const K8sReconciler&) = delete;

  /// Default: returns `done`.
  virtual Outcome configure(const T& object, Context& context) {
    (void)object, (void)context;
    return done;
  }
  /// Also called before remove(), which is deferred if read() requeues. Default: returns `done`.
  virtual Outcome read(const T& object, Context& context, Data& data) {
    (void)object, (void)context, (void)data;
    return done;
  }
  /// Called instead of the phases if the object is being deleted and has the finalizer of StdK8sReconciler. Repeated in
  /// further reconciles until it returns `done`. Kubernetes garbage-collects the objects that the object owns, so this
  /// function is for everything else. Default: returns `done`.
  virtual Outcome remove(const T& object, Context& context, Data& data) {
    (void)object, (void)context, (void)data;
    return done;
  }
  /// Called exactly once for each error of any other function, for each error of the finalizer, and for each error that
  /// a phase propagates, as "Error when run phase NAME: …". Not called if the stop of the operator ended the step. This
  /// function can set the status, which is written afterwards; with `reports_ready`, condition Ready is already False.
  /// Even if the error is handled, it ends the reconcile and the object stays not ready. If this function throws, its
  /// exception is combined with the error, which is then propagated. Default: propagates the error, so that the
  /// reconcile fails.
  virtual ErrorDecision on_error(const T& object, Context& context, Data& data, const Error& error) {
    (void)object, (void)context, (void)data;
    return propagate(error);
  }
  /// Called after the last phase. Default: returns `done`.
  virtual Outcome on_success(const T& object, Context& context, Data& data) {
    (void)object, (void)context, (void)data;
    return done;
  }
};

/// One phase, with its own Data. A step that fails or requeues ends the phase and the reconcile; after a failure,
/// on_error() can continue with the next phase.
template <Watchable T, std::default_initializable Data_ = Scratch>
class K8sPhaseReconciler {
 public:
  using Resource = T;
  using Data = Data_;

  K8sPhaseReconciler() = default;
  virtual ~K8sPhaseReconciler() = default;
  K8sPhaseReconciler(const K8sPhaseReconciler&) = delete;
  K8sPhaseReconciler& operator=(const K8sPhaseReconciler&) = delete;

  /// The name of the phase, for example "Services": used in messages, as the type of its condition in the status, and
  /// for the label of the objects that a ListPhase creates. It must not change, must not be empty, and must be unique
  /// in its StdK8sReconciler. With `reports_ready` it must be valid as the type of a condition, and not be "Ready".
  /// Manager::start() returns an error otherwise.
  [[nodiscard]] virtual std::string name() const = 0;

  /// Default: returns `done`.
  virtual Outcome configure(const T& object, Context& context) {
    (void)object, (void)context;
    return done;
  }
  /// Stores in `data` the objects that exist and the objects that should exist.
  virtual Outcome read(const T& object, Context& context, Data& data) = 0;
  virtual K8sDiffOutcome diff(const T& object, Context& context, Data& data) = 0;
  /// Called in this order, each if the diff requires it. If one of them requeues, the others are still called; if it
  /// fails, they are not.
  virtual Outcome create(const T& object, Context& context, Data& data) = 0;
  virtual Outcome update(const T& object, Context& context, Data& data) = 0;
  virtual Outcome remove(const T& object, Context& context, Data& data) = 0;
  /// Called exactly once for each error of any other function. If it returns handled_continue, the next phase runs.
  /// With `reports_ready` the conditions of the phase and of the object are already False, and stay False even if the
  /// error is handled. Default: propagates the error to the K8sReconciler.
  virtual ErrorDecision on_error(const T& object, Context& context, Data& data, const Error& error) {
    (void)object, (void)context, (void)data;
    return propagate(error);
  }
  /// Called when the objects of the phase are in the desired state. Default: returns `done`.
  virtual Outcome on_success(const T& object, Context& context, Data& data, K8sDiff diff) {
    (void)object, (void)context, (void)data, (void)diff;
    return done;
  }
};

}  // namespace pintle::phased
