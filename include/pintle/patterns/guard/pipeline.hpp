// Pipeline: providers in their order, as a controller.
//
//   manager.add(guard::controller(manager, guard::Pipeline<Site>{.providers = {tunneling(), dns()}}));
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pintle/manager/manager.hpp>
#include <pintle/patterns/guard/linked.hpp>
#include <pintle/patterns/guard/locks.hpp>
#include <pintle/patterns/guard/provider.hpp>

namespace pintle::guard {

// What status.phase says in words of the pattern; others are the author's.
inline constexpr std::string_view phase_deploying = "Deploying";      // from the first pass on
inline constexpr std::string_view phase_terminating = "Terminating";  // while it is being deleted
inline constexpr std::string_view phase_error = "Error";  // a step failed; nothing is done until it is deleted

// Options.
//
// A pass calls `reconcile` of the providers in their order, and `terminate` in the reverse order once the workspace is
// being deleted, until one of them ends it. A step whose condition is Locked is not called: the lock is recovered if
// its holder has gone, else the pass looks again after Provider::when_locked.
//
// An error of a step sets the phase Error, with an Event, and is final: a person resets it. Three kinds are not final:
// - a conflict of the API, whose Error::reason is "Conflict": the pass is repeated after `after_conflict`. If that one
//   meets a conflict too, or if a task returned it, it is a failure that is tried again with back-off, the former never
//   sooner than after `after_conflict`. A conflict of another system has no such reason, and is an error as any other.
// - an error while terminating: tried again with back-off.
// - one that says "not now" (unavailable, unreachable, timeout, too_many_requests, cancelled), as it says nothing about
//   the workspace: tried again with back-off.
// A step that is called while its condition is Error is called to try again.
//
// What a pass says in the status is written with the next lock, or when it ends; what it does not change is not sent.
template <Workspace T>
struct Pipeline {
  WatchedKind<T> watch{};                // has to be named for plain objects
  std::vector<Provider<T>> providers{};  // at least one
  LockOptions locks{};
  Duration after_conflict = std::chrono::seconds(1);  // the first wait, and the shortest
  std::string instance_label{default_instance_label};
};

// A pipeline with its type erased.
struct PipelineSpec {
  std::vector<ProviderSpec> providers{};
  LockOptions locks{};
  Duration after_conflict{};
  std::string instance_label{};

  // Everything that is wrong with it.
  [[nodiscard]] std::vector<Error> errors() const;
  // One pass over the object of the context. The runtime outlives it.
  [[nodiscard]] std::function<Outcome(Context&)> reconcile(Runtime& runtime) const;
};

// A controller that runs the pipeline; what else a controller may be told is up to the caller, but for a finalizer,
// which its providers set. The runtime is that of its manager. With leader election use the overload for a Manager.
template <Workspace T>
[[nodiscard]] Controller<T> controller(Runtime& runtime, Pipeline<T> pipeline) {
  PipelineSpec spec{.locks = std::move(pipeline.locks),
                    .after_conflict = pipeline.after_conflict,
                    .instance_label = std::move(pipeline.instance_label)};
  for (const Provider<T>& provider : pipeline.providers) spec.providers.push_back(erase_type(provider));
  return {.watch = std::move(pipeline.watch),
          .reconcile = [run = spec.reconcile(runtime)](const T&, Context& context) { return run(context); },
          .faults = spec.errors()};
}

// The same for this manager. With leader election, the lock of a former leader of the same operator is recovered at
// once: it has ended before another leads.
template <Workspace T>
[[nodiscard]] Controller<T> controller(Manager& manager, Pipeline<T> pipeline) {
  if (!pipeline.locks.is_elected) {
    pipeline.locks.is_elected = [&manager] { return manager.options().leader_election.has_value(); };
  }
  return controller(manager.runtime(), std::move(pipeline));
}

}  // namespace pintle::guard
