// Pipeline: providers in their order, as a controller.
//
//   manager.add(guard::controller(manager.runtime(), guard::Pipeline<Site>{.providers = {tunneling(), dns()}}));
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

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
// An error of a step sets the phase Error, which is told in an Event and is final: a person resets it. But a conflict
// is looked at again after `after_conflict`; an error while terminating is tried again with back-off, and the phase
// stays; and so is one where the cluster did not answer, which says nothing about the workspace.
//
// What a pass says in the status is written with the next lock, or when it ends; what it does not change is not sent.
template <Workspace T>
struct Pipeline {
  WatchedKind<T> watch{};  // has to be named for plain objects
  Required<std::vector<Provider<T>>> providers;
  LockOptions locks{};
  Duration after_conflict = std::chrono::seconds(1);
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
// which its providers set. The runtime is that of its manager.
template <Workspace T>
[[nodiscard]] Controller<T> controller(Runtime& runtime, Pipeline<T> pipeline) {
  PipelineSpec spec{.locks = std::move(pipeline.locks),
                    .after_conflict = pipeline.after_conflict,
                    .instance_label = std::move(pipeline.instance_label)};
  for (const Provider<T>& provider : pipeline.providers.value()) spec.providers.push_back(erase_type(provider));
  return {.watch = std::move(pipeline.watch),
          .reconcile = [run = spec.reconcile(runtime)](const T&, Context& context) { return run(context); },
          .faults = spec.errors()};
}

}  // namespace pintle::guard
