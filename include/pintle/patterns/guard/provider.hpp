// SPDX-License-Identifier: Apache-2.0
// Provider: one step of a pipeline, with its own condition.
#pragma once

#include <chrono>
#include <concepts>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <pintle/base/required.hpp>
#include <pintle/controller/controller.hpp>
#include <pintle/patterns/guard/provider_controller.hpp>

namespace pintle::guard {

/// A kind with two members in its status: `phase`, a string, and `conditions`, a list of guard::Condition. For plain
/// objects the CRD must define them.
template <class T>
concept Workspace = std::same_as<T, Object> || (Described<T> && requires(T object) {
                      { object.status.phase } -> std::same_as<std::string&>;
                      { object.status.conditions } -> std::same_as<std::vector<Condition>&>;
                    });

struct NextStep {};
/// The step has nothing to do, or nothing more to do: continue with the next step.
inline constexpr NextStep next_step{};

/// The result of a step: next_step; an Outcome, which ends the reconcile; or an error, which fails the workspace. A
/// Result<T> with a value is next_step, so that a step can end with `return controller.guard(…)`. Result<bool> does not
/// convert, because its value would be lost.
class [[nodiscard]] StepResult {
 public:
  StepResult(NextStep) noexcept {}  // NOLINT(google-explicit-constructor)
  template <class T>
    requires(!std::same_as<T, bool> && !std::same_as<T, Outcome>)
  StepResult(Result<T> done) {  // NOLINT(google-explicit-constructor)
    if (!done) end_ = failed(std::move(done.error()));
  }
  template <std::convertible_to<Outcome> O>
  StepResult(O end) : end_(std::move(end)) {}  // NOLINT(google-explicit-constructor)

  /// The outcome that ends the reconcile; empty: continue with the next step.
  [[nodiscard]] const std::optional<Outcome>& end() const noexcept { return end_; }

 private:
  std::optional<Outcome> end_;
};

/// A function of a provider. Its arguments are the current workspace and the ProviderController of the condition.
template <Workspace T>
using ProviderFunction = std::function<StepResult(const T& workspace, ProviderController& controller)>;

/// Options of a provider. The functions run on a worker, never concurrently for one object; they may block. An
/// exception outside of a task ends the reconcile as a failure with back-off.
template <Workspace T>
struct Provider {
  Required<std::string> condition;  ///< type of the condition, for example "Tunneling"
  Required<ProviderFunction<T>> reconcile;
  /// Called instead of `reconcile` while the workspace is being deleted, even if `reconcile` was never called. Must be
  /// idempotent: treat missing resources as removed.
  ProviderFunction<T> terminate{};
  /// Determines the result of a task whose process terminated or whose lock was not renewed in time (see LockOptions).
  /// controller.condition() is the locked condition; its reason describes what the task was doing. Runs under the same
  /// lock. The returned result becomes the condition; `reconcile` or `terminate` is then called in the same
  /// reconcile, unless a deletion of the workspace is found meanwhile.
  /// Default: the condition becomes Unknown with the reason "LockRecovered".
  std::function<Result<TaskResult>(const T& workspace, ProviderController& controller)> recover{};
  /// Called as long as the workspace does not have the condition: returns whether there is anything to do for this
  /// workspace. Default: returns true.
  std::function<bool(const T& workspace)> applies{};
  /// Whether a task of `reconcile` may run again if its result was lost. If false and `recover` is empty, such a loss
  /// fails the workspace, and a person has to inspect the workspace.
  bool idempotent = true;
  Duration locked_requeue_after = std::chrono::seconds(1);  ///< requeue delay while another process holds the lock
};

/// A provider with its type erased.
struct AnyProvider {
  std::string condition{};
  ProviderFunction<Object> reconcile{};
  ProviderFunction<Object> terminate{};
  std::function<Result<TaskResult>(const Object&, ProviderController&)> recover{};
  std::function<bool(const Object&)> applies{};
  bool idempotent = true;
  Duration locked_requeue_after{};
};

/// Converts a function of T to a function of Object, which decodes the object first.
template <Workspace T, class R>
[[nodiscard]] std::function<R(const Object&, ProviderController&)> decode_argument(
    std::function<R(const T&, ProviderController&)> function) {
  if constexpr (std::same_as<T, Object>) {
    return function;
  } else {
    if (!function) return {};
    return [function = std::move(function)](const Object& object, ProviderController& controller) -> R {
      const auto decoded = decode<T>(object);
      if (!decoded) return fail(decoded.error().terminal());
      return function(*decoded, controller);
    };
  }
}

template <Workspace T>
[[nodiscard]] AnyProvider erase_type(Provider<T> provider) {
  AnyProvider spec{.condition = provider.condition.value(),
                   .reconcile = guard::decode_argument<T>(provider.reconcile.value()),
                   .terminate = guard::decode_argument<T>(std::move(provider.terminate)),
                   .recover = guard::decode_argument<T>(std::move(provider.recover)),
                   .idempotent = provider.idempotent,
                   .locked_requeue_after = provider.locked_requeue_after};
  if constexpr (std::same_as<T, Object>) {
    spec.applies = std::move(provider.applies);
  } else if (provider.applies) {
    // An object that does not decode is left to the step, which returns the error.
    spec.applies = [applies = std::move(provider.applies)](const Object& object) {
      const auto decoded = decode<T>(object);
      return !decoded || applies(*decoded);
    };
  }
  return spec;
}

}  // namespace pintle::guard
