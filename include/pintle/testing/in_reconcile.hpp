// SPDX-License-Identifier: Apache-2.0
// in_reconcile: calls a function with a Context against the server of a simulation, without a Manager.
#pragma once

#include <concepts>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include <pintle/base/annotations.hpp>
#include <pintle/controller/controller.hpp>
#include <pintle/controller/reconcile_once.hpp>
#include <pintle/object/schema/crd.hpp>
#include <pintle/sim/fault_plan.hpp>
#include <pintle/testing/simulation.hpp>

namespace pintle::testkit {

struct InReconcileOptions {
  std::string manager = "operator";
  std::string controller = "reconcile";  ///< the field manager is "<manager>/<controller>"
  Log log{};                             ///< default: drops everything
  std::stop_token stop{};                ///< returned by Context::stop_token()
  http::FaultPlan faults{};              ///< between the function and the server
};

using CallInReconcile = std::function<Outcome(Context&, const Object& snapshot)>;
/// The part of in_reconcile() that does not depend on types. An object without a uid is read from the server first.
PINTLE_EXPORT Outcome call_in_reconcile(Simulation& simulation, const Object& object, const CallInReconcile& call,
                                        const InReconcileOptions& options);

template <class R>
[[nodiscard]] Outcome outcome_of(const R& returned) {
  if constexpr (std::same_as<R, Outcome>) {
    return returned;
  } else {
    return returned ? Outcome(done) : failed(returned.error());
  }
}
template <class R>
inline constexpr bool is_result = false;
template <class T>
inline constexpr bool is_result<Result<T>> = true;

/// Calls `function(context)` or `function(object, context)` once, on this thread, as one reconcile of `object`, and
/// returns its result. Reads, writes, status, Events and finalizers work and are complete when it returns; the status
/// is written after the function, as in a controller. If that write fails, its error is merged into an Outcome,
/// replaces the value of a Result<T>, and is dropped for other result types. An exception becomes the failure of an
/// Outcome or a Result<T>, and propagates for other result types. Nothing is cached: each read is a request.
///
/// If `object` has a uid, the function receives it unchanged, even if it is outdated. Otherwise the object is read from
/// the server by its kind and key; if it does not exist there, the function receives it unchanged.
///
///   testkit::Simulation simulation({.seed = 1});
///   const ConfigMap map{.metadata = {.name = "a", .namespace_ = "default"}, .data = {{"in", "x"}}};
///   ASSERT_TRUE(simulation.user().create(map));
///   const Outcome outcome = testkit::in_reconcile(simulation, map, copy);  // Outcome copy(const ConfigMap&, Context&)
///   EXPECT_TRUE(outcome.is_done());
template <Watchable T, class F>
auto in_reconcile(Simulation& simulation, const T& object, F function, const InReconcileOptions& options = {}) {
  const auto call = [&](Context& context, const Object& snapshot) {
    if constexpr (requires(F f) { f(context); }) {
      return function(context);
    } else if constexpr (std::same_as<T, Object>) {
      return function(snapshot, context);
    } else {
      const auto decoded = decode<T>(snapshot);
      return function(decoded ? *decoded : object, context);
    }
  };
  using R = decltype(call(std::declval<Context&>(), std::declval<const Object&>()));
  Object given;
  if constexpr (std::same_as<T, Object>) {
    given = object;
  } else {
    given = Object(encode(object));
  }
  if constexpr (std::is_void_v<R>) {
    (void)call_in_reconcile(
        simulation, given,
        [&](Context& context, const Object& snapshot) -> Outcome {
          call(context, snapshot);
          return done;
        },
        options);
  } else {
    std::optional<R> returned;
    Outcome outcome = call_in_reconcile(
        simulation, given,
        [&](Context& context, const Object& snapshot) -> Outcome {
          constexpr bool can_fail = std::same_as<R, Outcome> || is_result<R>;
          if constexpr (can_fail) {
            try {
              returned.emplace(call(context, snapshot));
            } catch (...) {
              returned.emplace(fail(context.current_exception_error("the function")));
            }
            return outcome_of(*returned);
          } else {
            returned.emplace(call(context, snapshot));
            return done;
          }
        },
        options);
    if constexpr (std::same_as<R, Outcome>) {
      return outcome;
    } else {
      if constexpr (is_result<R>) {
        if (const Error* error = outcome.as_failed()) return R(fail(Error(*error)));
      }
      return *std::move(returned);
    }
  }
}

}  // namespace pintle::testkit
