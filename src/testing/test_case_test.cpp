// SPDX-License-Identifier: Apache-2.0
#include <pintle/testing/test_case.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <pintle/api/everyday.hpp>

namespace pintle::testkit {
namespace {

using namespace std::chrono_literals;
using Step = TestStep<ConfigMap>;
using ::testing::ElementsAre;

std::string text(const Result<void>& result) { return result ? "passed" : result.error().to_string(); }

// An operator that copies "in" of each ConfigMap to "out" one second later.
class TestCaseTest : public ::testing::Test {
 protected:
  TestCaseTest() { instance.start(); }

  static Outcome copy(const ConfigMap& map, Context& context) {
    if (map.data.contains("out") || !context.executor().sleep_for(1s, context.stop_token())) return done;
    return context.patch(map, json::Value{{"data", json::object{{"out", map.data.at("in")}}}});
  }
  static Result<void> create(Simulation& simulation, const std::optional<ConfigMap>& map) {
    if (map) return fail(ErrorCode::already_exists, "it is there before the first step");
    return without_value(
        simulation.user().create(ConfigMap{.metadata = {.name = "a", .namespace_ = "default"}, .data = {{"in", "x"}}}));
  }
  static Result<void> remove(Simulation& simulation, const std::optional<ConfigMap>& map) {
    if (!map) return fail(ErrorCode::not_found, "nothing to remove");
    return without_value(simulation.user().remove(GroupVersionKind(ConfigMap::type), map->metadata.key()));
  }
  template <class T>
  static Result<void> without_value(const Result<T>& result) {
    if (!result) return fail(result.error());
    return {};
  }
  Step::Function note(const std::string& what) {
    return [this, what](Simulation&, const std::optional<ConfigMap>& map) -> Result<void> {
      seen.push_back(what + (!map ? ": none" : map->data.contains("out") ? ": out" : ": in"));
      return {};
    };
  }

  Simulation simulation{{.seed = 1}};
  Instance instance{simulation, {.name = "op", .log_level = LogLevel::off}, [](Manager& manager) {
                      manager.add(Controller<ConfigMap>{.reconcile = copy});
                    }};
  std::vector<std::string> seen;
};

TEST_F(TestCaseTest, TheOperatorRunsBetweenAStepAndItsCheck) {
  const TestCase<ConfigMap> life{.key = {"default", "a"},
                                 .pre_test = [this](Simulation&) -> Result<void> {
                                   seen.emplace_back("pre_test");
                                   return {};
                                 },
                                 .steps = {{.name = "look", .act = note("act"), .check = note("check")},
                                           {.name = "create", .act = create, .check = note("created")},
                                           {.name = "remove",
                                            .pre = [this](Simulation&) -> Result<void> {
                                              seen.emplace_back("pre");
                                              return {};
                                            },
                                            .act = remove,
                                            .check = note("removed")}}};
  EXPECT_EQ(text(life.run(simulation)), "passed");
  EXPECT_THAT(seen, ElementsAre("pre_test", "act: none", "check: none", "created: out", "pre", "removed: none"));
}

TEST_F(TestCaseTest, WaitsForTheGivenTime) {
  const TestCase<ConfigMap> early{.key = {"default", "a"},
                                  .steps = {{.name = "create", .act = create, .check = note("early"), .wait = 500ms},
                                            {.name = "look", .check = note("late"), .wait = 2s}}};
  EXPECT_EQ(text(early.run(simulation)), "passed");
  EXPECT_THAT(seen, ElementsAre("early: in", "late: out"));
}

TEST_F(TestCaseTest, TheFirstErrorEndsItAndNamesTheStep) {
  const auto run = [&](std::vector<Step> steps) {
    return text(TestCase<ConfigMap>{.key = {"default", "a"}, .steps = std::move(steps)}.run(simulation));
  };
  EXPECT_EQ(run({{.name = "one", .act = remove}, {.name = "two", .act = note("two")}}),
            "step one: act: nothing to remove");
  EXPECT_EQ(run({{.name = "one", .check = remove}, {.name = "two", .act = note("two")}}),
            "step one: check: nothing to remove");
  EXPECT_EQ(run({{.name = "one", .pre = [](Simulation&) -> Result<void> { return fail(ErrorCode::invalid, "no"); }}}),
            "step one: pre: no");
  EXPECT_TRUE(seen.empty());
}

}  // namespace
}  // namespace pintle::testkit
