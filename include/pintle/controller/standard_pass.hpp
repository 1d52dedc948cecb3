// StandardPass: what patterns with a finalizer, an error hook, and Events about both have in common.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <pintle/controller/controller.hpp>
#include <pintle/controller/error_verdict.hpp>

namespace pintle {

// One reconcile of one object, on its thread: it prepares, then changes or removes. A failure of a step goes to the
// error hook exactly once; so does an exception, as the error "a step threw …". Errors caused by the stop of the
// operator do not. Events are recorded for the finalizer ("Added", "Adding finalizer") and for failed removals
// ("Failed"). With `reports_ready` the status is kept as ReadyStatus describes and each error is an Event too:
// condition Ready is False after each failure, also one that the hook has handled ("Failed"), and while a step requeues
// ("Waiting", or "Deleting" during a removal).
class StandardPass {
 public:
  StandardPass(Context& context, bool reports_ready) : context_(context), reports_ready_(reports_ready) {}
  virtual ~StandardPass() = default;
  StandardPass(const StandardPass&) = delete;
  StandardPass& operator=(const StandardPass&) = delete;

  Outcome reconcile();
  // In its place while an object with our finalizer is being deleted. A removal whose error was handled has not
  // happened, so it does not settle.
  Outcome finalize();
  // For Controller::finalizer_written.
  Outcome finalizer_written(FinalizerStep step, const Result<void>& written);

 protected:
  [[nodiscard]] virtual bool is_deleting() const = 0;
  virtual Outcome prepare() = 0;
  // Unless the object is being deleted.
  virtual Outcome change() = 0;
  virtual Outcome remove() = 0;
  virtual ErrorVerdict on_error(const Error& error) = 0;
  // The finalizer could not be put on, and nothing has been prepared. Default: the pass fails.
  virtual Outcome not_begun(const Error& error);

  [[nodiscard]] Context& context() const noexcept { return context_; }
  [[nodiscard]] bool reports_ready() const noexcept { return reports_ready_; }
  // Calls steps of the author; an exception becomes a failure and is counted.
  Outcome caught(const std::function<Outcome()>& steps);
  // Calls on_error(), with condition Ready set to False before.
  ErrorVerdict verdict(const Error& error);
  // The same with another hook. If the hook throws, its exception is joined to the error, which is propagated.
  ErrorVerdict verdict_by(const Error& error, const std::function<ErrorVerdict(const Error&)>& hook);
  // The end of change(): sets condition Ready to True unless `outcome` is a failure or look_again, or not_ready() was
  // called. An outcome that names a time is a success that is checked again.
  Outcome ready(Outcome outcome);
  // Sets condition Ready to False with this error, if readiness is reported.
  void not_ready(const Error& error);

 private:
  Outcome prepared();
  void not_ready_yet(const Outcome& outcome, std::string_view reason);

  Context& context_;
  const bool reports_ready_;
  bool has_reported_ = false;  // condition Ready is set for this reconcile
};

// The controller whose passes `begin` makes, P being a StandardPass with P& over(const T&), called before its steps.
// The finalizer may be empty: none.
template <Watchable T, class P>
[[nodiscard]] Controller<T> controller_of(WatchedKind<T> watch, std::string finalizer,
                                          std::function<std::shared_ptr<P>(Context&)> begin) {
  Controller<T> controller{.watch = std::move(watch), .reconcile = [begin](const T& object, Context& context) {
                             return begin(context)->over(object).reconcile();
                           }};
  if (finalizer.empty()) return controller;
  controller.finalizer = std::move(finalizer);
  controller.finalizer_policy = FinalizerPolicy::add_then_stop;
  controller.finalize = [begin](const T& object, Context& context) {
    auto& pass = context.slot<std::shared_ptr<P>>() = begin(context);
    return pass->over(object).finalize();
  };
  controller.finalizer_written = [begin](const T& object, Context& context, FinalizerStep step,
                                         const Result<void>& written) {
    auto& pass = context.slot<std::shared_ptr<P>>();
    if (pass == nullptr) pass = begin(context);
    return pass->over(object).finalizer_written(step, written);
  };
  return controller;
}

}  // namespace pintle
