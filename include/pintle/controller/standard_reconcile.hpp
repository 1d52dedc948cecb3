// SPDX-License-Identifier: Apache-2.0
// StandardReconcile: the common base of patterns with a finalizer, an error hook, and Events about both.
#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <pintle/base/annotations.hpp>
#include <pintle/controller/controller.hpp>
#include <pintle/controller/error_decision.hpp>
#include <pintle/object/described.hpp>

namespace pintle {

/// Runs one reconcile of one object: calls prepare(), then change() or remove(). Only the thread of the reconcile may
/// use a StandardReconcile. If a step fails, the error hook is called exactly once. An exception counts as a failure
/// with the error "a step threw …". The hook is not called for errors that the stop of the operator caused.
///
/// Events are recorded when the finalizer was added ("Added"), when it could not be added ("Adding finalizer"), and
/// when it or the resources could not be removed ("Failed").
///
/// With `reports_ready`, the status is maintained as ReadyStatus describes, and each error is recorded as an Event too.
/// Condition Ready is False after each failure, even if the hook handled it (reason "Failed"), and while a step
/// requeues (reason "Waiting", or "Deleting" during a removal). If the object is being deleted, it is also False after
/// a success: with the reason "Deleted" if the resources are removed and other finalizers keep the object, and with the
/// reason "Deleting" if the object does not have the finalizer of this controller, so that reconcile() was called.
class PINTLE_EXPORT StandardReconcile {
 public:
  StandardReconcile(Context& context, bool reports_ready) : context_(context), reports_ready_(reports_ready) {}
  virtual ~StandardReconcile() = default;
  StandardReconcile(const StandardReconcile&) = delete;
  StandardReconcile& operator=(const StandardReconcile&) = delete;

  /// Calls prepare() and then, unless the object is being deleted, change().
  Outcome reconcile();
  /// Called instead of reconcile() while an object with the finalizer is being deleted. If the removal failed, the
  /// outcome is not `done`, even if the hook handled the error.
  Outcome finalize();
  /// For Controller::on_finalizer_write.
  Outcome on_finalizer_write(FinalizerStep step, const Result<void>& written);

 protected:
  [[nodiscard]] virtual bool is_deleting() const = 0;
  /// For overrides of is_deleting().
  template <Watchable T>
  [[nodiscard]] static bool is_deleting(const T& object) {
    if constexpr (std::same_as<T, Object>) {
      return object.is_deleting();
    } else {
      return object.metadata.is_deleting();
    }
  }
  virtual Outcome prepare() = 0;
  /// Not called if the object is being deleted.
  virtual Outcome change() = 0;
  virtual Outcome remove() = 0;
  virtual ErrorDecision on_error(const Error& error) = 0;
  /// Called if the finalizer could not be added, before any step. Default: the reconcile fails.
  virtual Outcome not_begun(const Error& error);

  [[nodiscard]] Context& context() const noexcept { return context_; }
  [[nodiscard]] bool reports_ready() const noexcept { return reports_ready_; }
  /// Calls steps that the user wrote. An exception becomes a failure and is counted.
  Outcome caught(const std::function<Outcome()>& steps);
  /// Sets condition Ready to False, then calls on_error().
  ErrorDecision verdict(const Error& error);
  /// Calls another hook and does not change condition Ready. If the hook throws, its exception is combined with the
  /// error, and the result is propagated.
  ErrorDecision verdict_by(const Error& error, const std::function<ErrorDecision(const Error&)>& hook);
  /// Must be called at the end of change(). Sets condition Ready to True, unless `outcome` is a failure or `requeue`,
  /// or not_ready() was called. A requested delay counts as a success: the next reconcile only checks the state again.
  Outcome ready(Outcome outcome);
  /// Sets condition Ready to False with this error, if `reports_ready` is set.
  void not_ready(const Error& error);

 private:
  Outcome prepared();
  void not_ready_yet(const Outcome& outcome, std::string_view reason);
  void waiting(std::string_view reason);

  Context& context_;
  const bool reports_ready_;
  bool has_reported_ = false;  // condition Ready has been set in this reconcile
};

namespace internal {

[[nodiscard]] PINTLE_EXPORT Result<void> validate_ready_status(const GroupVersionKind& kind, const Layout& layout,
                                                               bool with_phase);

}  // namespace internal

/// Checks that the status of T can contain the members of ReadyStatus, so that `reports_ready` can be refused at the
/// start; the member `phase` only if `with_phase` is set. A server drops a member that the schema does not contain, and
/// it rejects each status write of a kind that has no status. The status of an Object is not checked. Error: invalid.
template <Watchable T>
[[nodiscard]] Result<void> validate_ready_status(bool with_phase = false) {
  if constexpr (Described<T>) {
    return internal::validate_ready_status(GroupVersionKind(T::type), internal::kind_layout_of<T>, with_phase);
  } else {
    return {};
  }
}

/// Returns a controller. For each reconcile, `begin` returns the object that runs it. `P` derives from
/// StandardReconcile and has the function `P& over(const T&)`, which is called before the steps. If `finalizer` is
/// empty, the controller has no finalizer.
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
    auto& steps = context.slot<std::shared_ptr<P>>() = begin(context);
    return steps->over(object).finalize();
  };
  controller.on_finalizer_write = [begin](const T& object, Context& context, FinalizerStep step,
                                          const Result<void>& written) {
    auto& steps = context.slot<std::shared_ptr<P>>();
    if (steps == nullptr) steps = begin(context);
    return steps->over(object).on_finalizer_write(step, written);
  };
  return controller;
}

}  // namespace pintle
