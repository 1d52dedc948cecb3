// Reconciler: what an author writes about a resource outside the cluster.
#pragma once

#include <concepts>
#include <variant>

#include <pintle/controller/controller.hpp>
#include <pintle/controller/error_verdict.hpp>
#include <pintle/controller/scratch.hpp>
#include <pintle/patterns/external/diff.hpp>

namespace pintle::external {

// The steps of a pass over an object T, called in this order by StdReconciler. Meta is what they reach the resource
// with, a client of its API; configure makes it. Data is what they find out and hand on; each pass begins with an empty
// one. Both may be any type with a default. A step that fails ends the pass, and so does a read, create or update that
// wants to look again. Called on workers, for several objects at a time when the controller has several; an exception
// of a step is an error like any other, "a step threw …".
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

  // Default: a Meta{}.
  virtual Result<Meta> configure(const T& object, Context& context) {
    (void)object, (void)context;
    return Meta{};
  }
  // Finds out how the resource is, and puts that into `data`. Also before a removal.
  virtual Outcome read(const T& object, Context& context, Data& data, Meta& meta) = 0;
  virtual Result<Diff> diff(const T& object, Context& context, Data& data, Meta& meta) = 0;
  // When the diff says so.
  virtual Outcome create(const T& object, Context& context, Data& data, Meta& meta) = 0;
  virtual Outcome update(const T& object, Context& context, Data& data, Meta& meta) = 0;
  // In place of these, for an object with our finalizer that is being deleted; called in pass after pass until it
  // settles, and then the object may go. What is not there is removed.
  virtual Outcome remove(const T& object, Context& context, Data& data, Meta& meta) = 0;
  // Called exactly once for each error of any of the others, and for a finalizer that could not be taken off; not for
  // one that could not be put on, and not when the stop of the operator ended the step. `meta` is a Meta{} when
  // configure failed. Set the status here; it is written afterwards, and with `reports_ready` condition Ready is False
  // already. An error that is handled ends the pass all the same, and the object stays not ready. An exception of this
  // function is joined to the error, which is then passed on. Default: it is passed on, and the pass fails.
  virtual ErrorVerdict on_error(const T& object, Context& context, Data& data, Meta& meta, const Error& error) {
    (void)object, (void)context, (void)data, (void)meta;
    return propagate(error);
  }
  // When all is as wanted. Default: settled.
  virtual Outcome on_success(const T& object, Context& context, Data& data, Meta& meta, const Diff& diff) {
    (void)object, (void)context, (void)data, (void)meta, (void)diff;
    return settled;
  }
};

}  // namespace pintle::external
