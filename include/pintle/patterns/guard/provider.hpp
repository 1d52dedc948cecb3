// Provider: one step of a pipeline, with a condition of its own.
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

// A kind that says in its status how far it is: `phase`, a text, and `conditions`, a list of guard::Condition. Of a
// plain Object its definition has to say so.
template <class T>
concept Workspace = std::same_as<T, Object> || (Described<T> && requires(T object) {
                      { object.status.phase } -> std::same_as<std::string&>;
                      { object.status.conditions } -> std::same_as<std::vector<Condition>&>;
                    });

struct NextStep {};
// This step has nothing to do, or nothing more: go on with the next one.
inline constexpr NextStep next_step{};

// What a step comes to: `next_step`; an Outcome, which ends the pass; an error, which fails the workspace. The value of
// a Result<T> is next_step, so that `return controller.guard(…)` says what it should. Not made from Result<bool>, where
// the value says something that would be lost.
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

  // What the pass comes to; none: the next step.
  [[nodiscard]] const std::optional<Outcome>& end() const noexcept { return end_; }

 private:
  std::optional<Outcome> end_;
};

// What a provider is called with: the workspace as it is at this moment, and the controller of its condition.
template <Workspace T>
using ProviderFunction = std::function<StepResult(const T& workspace, ProviderController& controller)>;

// Options. The functions run on a worker, never twice at once for one object; they may block. What they throw outside
// of a task ends the pass as a failure with back-off.
template <Workspace T>
struct Provider {
  Required<std::string> condition;  // the type of its condition: "Tunneling"
  Required<ProviderFunction<T>> reconcile;
  // Called in place of `reconcile` while the workspace is being deleted, also if that was never called; what is gone
  // already counts as removed.
  ProviderFunction<T> terminate{};
  // What became of a task whose process died, or whose lock reached its limit: controller.condition() is the lock, its
  // reason says what was being done. Runs under the same lock; what it answers is the condition from then on, and the
  // step goes on with that. Default: the condition becomes Unknown, "LockRecovered".
  std::function<Result<TaskResult>(const T& workspace, ProviderController& controller)> recover{};
  // Asked as long as the workspace does not have the condition: whether there is anything to do for it. Default: yes.
  std::function<bool(const T& workspace)> applies{};
  // False: without `recover`, a lost lock of `reconcile` fails the workspace, and a person has to look.
  bool idempotent = true;
  Duration when_locked = std::chrono::seconds(1);  // look again, when somebody else holds the lock
};

// A provider with its type erased.
struct ProviderSpec {
  std::string condition{};
  ProviderFunction<Object> reconcile{};
  ProviderFunction<Object> terminate{};
  std::function<Result<TaskResult>(const Object&, ProviderController&)> recover{};
  std::function<bool(const Object&)> applies{};
  bool idempotent = true;
  Duration when_locked{};
};

// The same function of plain objects.
template <Workspace T, class R>
[[nodiscard]] std::function<R(const Object&, ProviderController&)> decoding(
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
[[nodiscard]] ProviderSpec erase_type(Provider<T> provider) {
  ProviderSpec spec{.condition = provider.condition.value(),
                    .reconcile = guard::decoding<T>(provider.reconcile.value()),
                    .terminate = guard::decoding<T>(std::move(provider.terminate)),
                    .recover = guard::decoding<T>(std::move(provider.recover)),
                    .idempotent = provider.idempotent,
                    .when_locked = provider.when_locked};
  if constexpr (std::same_as<T, Object>) {
    spec.applies = std::move(provider.applies);
  } else if (provider.applies) {
    // One that does not decode is left to the step, which says so.
    spec.applies = [applies = std::move(provider.applies)](const Object& object) {
      const auto decoded = decode<T>(object);
      return !decoded || applies(*decoded);
    };
  }
  return spec;
}

}  // namespace pintle::guard
