// SPDX-License-Identifier: Apache-2.0
// Reconciler: the functions that an author writes for a resource outside the cluster.
#pragma once

#include <concepts>
#include <variant>

#include <pintle/controller/controller.hpp>
#include <pintle/controller/error_decision.hpp>
#include <pintle/controller/scratch.hpp>
#include <pintle/patterns/external/diff.hpp>

namespace pintle::external {

/// The steps of the reconcile of an object of type T, in the order in which StdReconciler calls them. Meta is what the
/// steps need to reach the resource, for example a client of its API; configure() creates it. Data passes results from
/// one step to the next; each reconcile begins with a new one. Both can be any type with a default constructor.
///
/// A step that fails ends the reconcile. If read() requeues, no further step is called; if create() or update()
/// requeues, on_success() is not called. The functions run on workers, for several objects concurrently if the
/// controller has several workers. An exception of a step becomes the error "a step threw …".
template <Watchable T, std::default_initializable Meta_ = std::monostate, std::default_initializable Data_ = Scratch>
class Reconciler {
 public:
  using Resource = T;
  using Meta = Meta_;
  using Data = Data_;

  Reconciler() = default;
  virtual ~Reconciler() = default;
  Reconciler(const Reconciler&) = delete;
  Reconciler& operator=(const Reconciler&) = delete;

  /// Default: returns Meta{}.
  virtual Result<Meta> configure(const T& object, Context& context) {
    (void)object, (void)context;
    return Meta{};
  }
  /// Reads the current state of the resource into `data`. Also called before remove().
  virtual Outcome read(const T& object, Context& context, Data& data, Meta& meta) = 0;
  virtual Result<Diff> diff(const T& object, Context& context, Data& data, Meta& meta) = 0;
  /// Called if the diff requires it. Before the call, the object is read from the server: if the cache does not show
  /// its deletion yet, a resource that is created now would never be removed. If the object is gone, the reconcile is
  /// done; if it is being deleted, the reconcile requeues.
  virtual Outcome create(const T& object, Context& context, Data& data, Meta& meta) = 0;
  virtual Outcome update(const T& object, Context& context, Data& data, Meta& meta) = 0;
  /// Called instead of diff(), create(), update() and on_success() if the object is being deleted and has the finalizer
  /// of StdReconciler. Repeated in further reconciles until it returns `done`; the finalizer is then removed. Must be
  /// idempotent: treat a missing resource as removed.
  virtual Outcome remove(const T& object, Context& context, Data& data, Meta& meta) = 0;
  /// Called exactly once for each error of any other function, if the object could not be read before create(), and if
  /// the finalizer could not be removed. Not called if the finalizer could not be added, or if the stop of the operator
  /// ended the step. `meta` is Meta{} if configure() failed. This function can set the status, which is written
  /// afterwards; with `reports_ready`, condition Ready is already False. Even if the error is handled, it ends the
  /// reconcile and the object stays not ready. If this function throws, its exception is combined with the error, which
  /// is then propagated. Default: propagates the error, so that the reconcile fails.
  virtual ErrorDecision on_error(const T& object, Context& context, Data& data, Meta& meta, const Error& error) {
    (void)object, (void)context, (void)data, (void)meta;
    return propagate(error);
  }
  /// Called when the resource is in the desired state. Default: returns `done`.
  virtual Outcome on_success(const T& object, Context& context, Data& data, Meta& meta, const Diff& diff) {
    (void)object, (void)context, (void)data, (void)meta, (void)diff;
    return done;
  }
};

}  // namespace pintle::external
