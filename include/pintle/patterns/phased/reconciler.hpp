// K8sReconciler and K8sPhaseReconciler: what an author writes about an object and the phases in which its children are
// made.
#pragma once

#include <concepts>
#include <string>

#include <pintle/controller/controller.hpp>
#include <pintle/controller/error_verdict.hpp>
#include <pintle/controller/scratch.hpp>
#include <pintle/patterns/phased/diff.hpp>

namespace pintle::phased {

// What comes before, between and after the phases of a pass over an object T. Data is what its steps find out and hand
// on; each pass begins with an empty one, and no phase sees it. A step that fails or wants to look again ends the pass.
// Called on workers, for several objects at a time when the controller has several; an exception of a step is an error
// like any other, "a step threw …".
template <Watchable T, std::default_initializable Data_ = Scratch>
class K8sReconciler {
 public:
  using Resource = T;
  using Data = Data_;

  K8sReconciler() = default;
  virtual ~K8sReconciler() = default;
  K8sReconciler(const K8sReconciler&) = delete;
  K8sReconciler& operator=(const K8sReconciler&) = delete;

  // Default: settled.
  virtual Outcome configure(const T& object, Context& context) {
    (void)object, (void)context;
    return settled;
  }
  // Also before a removal, which it can put off. Default: settled.
  virtual Outcome read(const T& object, Context& context, Data& data) {
    (void)object, (void)context, (void)data;
    return settled;
  }
  // In place of the phases, for an object with our finalizer that is being deleted; called in pass after pass until it
  // settles. The cluster collects what the object owns, so this is for anything else. Default: settled.
  virtual Outcome remove(const T& object, Context& context, Data& data) {
    (void)object, (void)context, (void)data;
    return settled;
  }
  // Called exactly once for each error of any of the others, of the finalizer, and for one that a phase passed on,
  // which is "Error when run phase NAME: …"; not when the stop of the operator ended the step. Set the status here; it
  // is written afterwards, and with `reports_ready` condition Ready is False already. An error that is handled ends the
  // pass all the same, and the object stays not ready. An exception of this function is joined to the error, which is
  // then passed on. Default: it is passed on, and the pass fails.
  virtual ErrorVerdict on_error(const T& object, Context& context, Data& data, const Error& error) {
    (void)object, (void)context, (void)data;
    return propagate(error);
  }
  // After the last phase. Default: settled.
  virtual Outcome on_success(const T& object, Context& context, Data& data) {
    (void)object, (void)context, (void)data;
    return settled;
  }
};

// One phase, with Data of its own. A step that fails or wants to look again ends the phase, and with it the pass.
template <Watchable T, std::default_initializable Data_ = Scratch>
class K8sPhaseReconciler {
 public:
  using Resource = T;
  using Data = Data_;

  K8sPhaseReconciler() = default;
  virtual ~K8sPhaseReconciler() = default;
  K8sPhaseReconciler(const K8sPhaseReconciler&) = delete;
  K8sPhaseReconciler& operator=(const K8sPhaseReconciler&) = delete;

  // Of the phase, for messages, its condition in the status and the label of what a ListPhase makes: "Services". Always
  // the same, not empty, and no two phases of one StdK8sReconciler have the same name. With `reports_ready` it has to
  // be valid as the type of a condition, other than "Ready"; Manager::start() returns an error otherwise.
  [[nodiscard]] virtual std::string name() const = 0;

  // Default: settled.
  virtual Outcome configure(const T& object, Context& context) {
    (void)object, (void)context;
    return settled;
  }
  // Finds out what there is and what there should be, and puts that into `data`.
  virtual Outcome read(const T& object, Context& context, Data& data) = 0;
  virtual K8sDiffOutcome diff(const T& object, Context& context, Data& data) = 0;
  // When the diff says so, in this order. The others are done also when one wants to look again, but not when it
  // failed.
  virtual Outcome create(const T& object, Context& context, Data& data) = 0;
  virtual Outcome update(const T& object, Context& context, Data& data) = 0;
  virtual Outcome remove(const T& object, Context& context, Data& data) = 0;
  // Called exactly once for each error of any of the others: handled_continue goes on with the next phase. With
  // `reports_ready` the conditions of the phase and of the object are False already, and stay so also when the error is
  // handled. Default: it is passed on to the K8sReconciler.
  virtual ErrorVerdict on_error(const T& object, Context& context, Data& data, const Error& error) {
    (void)object, (void)context, (void)data;
    return propagate(error);
  }
  // When all is as wanted. Default: settled.
  virtual Outcome on_success(const T& object, Context& context, Data& data, K8sDiff diff) {
    (void)object, (void)context, (void)data, (void)diff;
    return settled;
  }
};

}  // namespace pintle::phased
