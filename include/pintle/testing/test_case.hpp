// SPDX-License-Identifier: Apache-2.0
// TestCase: a test as a table of steps: actions of a user on an object, with checks of their results.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <pintle/object/codec.hpp>
#include <pintle/testing/simulation.hpp>

namespace pintle::testkit {

/// All functions are optional. `object` is the current object on the server, or nothing if it does not exist.
template <Described T>
struct TestStep {
  using Function = std::function<Result<void>(Simulation&, const std::optional<T>& object)>;

  std::string name{};
  std::function<Result<void>(Simulation&)> pre{};  ///< called before the object is read
  Function act{};                                  ///< the action of the user
  Function check{};                                ///< called after the operator has reacted
  Duration wait{};  ///< time between `act` and `check`; default: until the simulation is idle
};

/// Tests an operator that runs in a simulation. The first error ends the test.
///
///   TestCase<Bucket> life{.key = {"default", "a"},
///                         .steps = {{.name = "create", .act = create, .check = is_ready},
///                                   {.name = "delete", .act = remove, .check = is_gone}}};
///   const auto passed = life.run(simulation);
///   EXPECT_TRUE(passed) << passed.error().to_string();
template <Described T>
struct TestCase {
  ObjectKey key{};
  std::function<Result<void>(Simulation&)> pre_test{};  ///< before the first step
  std::vector<TestStep<T>> steps{};

  /// Runs all steps. Error: the error of a function, with its step: "step delete: check: …".
  [[nodiscard]] Result<void> run(Simulation& simulation) const {
    if (pre_test) {
      if (auto done = pre_test(simulation).with_operation("pre_test"); !done) return done;
    }
    for (const TestStep<T>& step : steps) {
      if (auto done = run(simulation, step).with_operation("step " + step.name); !done) return done;
    }
    return {};
  }

 private:
  Result<void> run(Simulation& simulation, const TestStep<T>& step) const {
    if (step.pre) {
      if (auto done = step.pre(simulation).with_operation("pre"); !done) return done;
    }
    if (auto done = call(simulation, step.act).with_operation("act"); !done) return done;
    if (step.wait > Duration::zero()) {
      simulation.executor().sleep_for(step.wait);
    } else if (!simulation.run_until_idle()) {
      return fail(ErrorCode::timeout, "the cluster did not become idle within 1 hour of virtual time; set .wait");
    }
    return call(simulation, step.check).with_operation("check");
  }

  Result<void> call(Simulation& simulation, const typename TestStep<T>::Function& function) const {
    if (!function) return {};
    auto object = simulation.user().template get<T>(key);
    if (!object && object.error().code != ErrorCode::not_found) return fail(std::move(object.error()));
    return function(simulation, object ? std::optional<T>(std::move(*object)) : std::nullopt);
  }
};

}  // namespace pintle::testkit
