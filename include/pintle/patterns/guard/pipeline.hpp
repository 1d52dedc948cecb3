// SPDX-License-Identifier: Apache-2.0
// Pipeline: an ordered list of providers, run as a controller.
//
//   manager.add(guard::controller(manager, guard::Pipeline<Site>{.providers = {tunneling(), dns()}}));
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/manager/manager.hpp>
#include <pintle/patterns/guard/linked.hpp>
#include <pintle/patterns/guard/lock_registry.hpp>
#include <pintle/patterns/guard/provider.hpp>

namespace pintle::guard {

/// The values of status.phase that the pattern sets; the author may set others.
inline constexpr std::string_view phase_deploying = "Deploying";      ///< from the first reconcile on
inline constexpr std::string_view phase_terminating = "Terminating";  ///< while the workspace is being deleted
inline constexpr std::string_view phase_error = "Error";  ///< a step failed; no step runs until a reset or the deletion

/// Options of a pipeline.
///
/// A reconcile calls `reconcile` of the providers in order or, if the workspace is being deleted, `terminate` in the
/// reverse order, until one of them ends the reconcile. If the condition of a step is Locked and the holder of the lock
/// is gone, the lock is recovered, and then the step is called. While the holder is alive, the step is not called, and
/// the workspace is requeued after Provider::locked_requeue_after. If a write of a step finds that the workspace is
/// being deleted meanwhile, no further `reconcile` is called; the event of the deletion causes the reconcile that
/// terminates.
///
/// An error of a step sets the phase to Error, records an Event, and is final: no step runs until a person resets the
/// phase or deletes the workspace. These errors are not final:
/// - A conflict of the API, which has the Error::reason "Conflict": the reconcile is repeated after
///   `conflict_requeue_after`. A conflict in the repeated reconcile, or a conflict that a task returned, is a failure
///   that is retried with back-off. For a repeated conflict the back-off is never shorter than
///   `conflict_requeue_after`. A conflict of another system does not have this reason and is treated like any other
///   error.
/// - An error that does not concern the workspace and may be temporary (unavailable, unreachable, timeout,
///   too_many_requests or cancelled, and not terminal): it is retried with back-off.
/// - An error of a step whose condition stays Locked, because the result of its task could not be written or
///   determined: it is retried with back-off.
/// - Any other error during the termination: an Event is recorded, and the error is retried with back-off unless it is
///   terminal.
///
/// A step that is called while its condition is Error should try again.
///
/// The changes that a reconcile makes to the status are written when the reconcile ends, and before that as
/// ProviderController::status() describes; unchanged members are not sent.
template <Workspace T>
struct Pipeline {
  WatchedKind<T> watch{};                ///< required if T is Object
  std::vector<Provider<T>> providers{};  ///< at least one
  LockOptions locks{};
  Duration conflict_requeue_after = std::chrono::seconds(1);  ///< the first delay, and the minimum of the further ones
  std::string instance_label{default_instance_label};
};

/// A pipeline with its type erased.
struct PINTLE_EXPORT AnyPipeline {
  std::vector<AnyProvider> providers{};
  LockOptions locks{};
  Duration conflict_requeue_after{};
  std::string instance_label{};

  /// All validation errors.
  [[nodiscard]] std::vector<Error> validate() const;
  /// Returns Controller::requires_lease for this pipeline.
  [[nodiscard]] std::string requires_lease() const;
  /// Returns a function that runs one reconcile of the object of its context. `executor` must outlive it.
  [[nodiscard]] std::function<Outcome(Context&)> reconcile(Executor& executor) const;
};

/// A controller that runs the pipeline. The caller may set its other options, except the finalizer: providers set
/// finalizers. `executor` is that of the manager. With leader election, use the overload for a Manager.
template <Workspace T>
[[nodiscard]] Controller<T> controller(Executor& executor, Pipeline<T> pipeline) {
  AnyPipeline spec{.locks = std::move(pipeline.locks),
                   .conflict_requeue_after = pipeline.conflict_requeue_after,
                   .instance_label = std::move(pipeline.instance_label)};
  for (const Provider<T>& provider : pipeline.providers) spec.providers.push_back(erase_type(provider));
  return {.watch = std::move(pipeline.watch),
          .reconcile = [run = spec.reconcile(executor)](const T&, Context& context) { return run(context); },
          .errors = spec.validate(),
          .requires_lease = spec.requires_lease()};
}

/// The same for this manager. With leader election, a lock of a former leader of the same operator is recovered at
/// once, because that leader has ended before another one leads. Such a controller must not run in every instance
/// (Controller::leadership); otherwise Manager::start() returns an error.
template <Workspace T>
[[nodiscard]] Controller<T> controller(Manager& manager, Pipeline<T> pipeline) {
  if (!pipeline.locks.is_elected) {
    // With leader election, a reconcile runs only while the process holds the lease.
    pipeline.locks.is_elected = [&manager] { return manager.options().leader_election.has_value(); };
  }
  return controller(manager.executor(), std::move(pipeline));
}

}  // namespace pintle::guard
