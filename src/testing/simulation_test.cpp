// SPDX-License-Identifier: Apache-2.0
#include <pintle/testing/simulation.hpp>

#include <gtest/gtest.h>

#include <pintle/api/everyday.hpp>

namespace pintle::testkit {
namespace {

using namespace std::chrono_literals;

Outcome nothing(const Object&, Context&) { return done; }

// Returns numbers that differ if the runs differ.
std::pair<std::uint64_t, std::uint64_t> fingerprint(std::uint64_t seed) {
  Simulation simulation({.seed = seed});
  Instance instance(simulation, {.name = "op", .log_level = LogLevel::off}, [](Manager& manager) {
    manager.add(Controller<Object>{.watch = {"v1", "ConfigMap"}, .reconcile = nothing});
  });
  instance.start();
  for (const char* name : {"a", "b"}) {
    EXPECT_TRUE(simulation.user().create(ConfigMap{.metadata = {.name = name, .namespace_ = "default"}}));
  }
  simulation.run_until_idle();
  return {simulation.executor().steps(), simulation.server().resource_version()};
}

TEST(Simulation, TheSameSeedGivesTheSameRun) {
  std::set<std::uint64_t> steps;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const auto first = fingerprint(seed);
    EXPECT_EQ(first, fingerprint(seed));
    steps.insert(first.first);
  }
  EXPECT_GT(steps.size(), 2U) << "different seeds have different results";
}

TEST(Simulation, AfterACrashNothingReachesTheServer) {
  Simulation simulation({.seed = 4});
  int reconciles = 0;
  Instance instance(simulation, {.name = "op", .log_level = LogLevel::off}, [&](Manager& manager) {
    manager.add(Controller<Object>{.watch = {"v1", "ConfigMap"},
                                   .reconcile = [&](const Object& object, Context& ctx) -> Outcome {
                                     ++reconciles;
                                     return ctx.patch(object, {{"data", {{"reconcile", std::to_string(reconciles)}}}});
                                   }});
  });
  instance.start();
  ASSERT_TRUE(simulation.wait_until([&] { return instance.manager().is_ready(); }));
  instance.crash();
  const std::uint64_t writes = simulation.server().writes();
  ASSERT_TRUE(simulation.user().create(ConfigMap{.metadata = {.name = "a", .namespace_ = "default"}}));
  simulation.executor().sleep_for(1h);
  EXPECT_EQ(simulation.server().writes(), writes + 1);
  EXPECT_EQ(reconciles, 0);
}

// A start after a crash or a stop is the next process of the same program.
TEST(Simulation, AnInstanceMayStartAgainAfterACrashAndAfterAStop) {
  Simulation simulation({.seed = 4});
  int reconciles = 0;
  Instance instance(simulation, {.name = "op", .log_level = LogLevel::off},
                    [&](Manager& manager) {
                      manager.add(Controller<Object>{.watch = {"v1", "ConfigMap"},
                                                     .reconcile = [&](const Object&, Context&) -> Outcome {
                                                       ++reconciles;
                                                       return done;
                                                     }});
                    },
                    {{.effect = http::Crash{}, .only = http::is_watch, .times = 1}});
  ASSERT_TRUE(simulation.user().create(ConfigMap{.metadata = {.name = "a", .namespace_ = "default"}}));
  instance.start();
  ASSERT_TRUE(simulation.wait_until([&] { return instance.transport().is_crashed(); }));
  instance.crash();
  for (int life = 0; life < 2; ++life) {
    const int before = reconciles;
    instance.start();
    ASSERT_TRUE(simulation.wait_until([&] { return instance.manager().is_ready(); }));
    ASSERT_TRUE(simulation.wait_until([&] { return reconciles == before + 1; }));
    EXPECT_TRUE(instance.started()) << instance.started().error().to_string();
    instance.stop();
  }
}

TEST(Simulation, ARestartedServerIsEmptyAndItsVersionsAreAboveAllEarlierOnes) {
  Simulation simulation({.seed = 4});
  for (int restart = 0; restart < 3; ++restart) {
    for (int i = 0; i < 9; ++i) {
      ASSERT_TRUE(
          simulation.user().create(ConfigMap{.metadata = {.name = "a" + std::to_string(i), .namespace_ = "default"}}));
    }
    const std::string version = std::to_string(simulation.server().resource_version());
    simulation.restart_server();
    EXPECT_TRUE(simulation.server().objects("configmaps").empty());
    EXPECT_EQ(*compare_resource_versions(std::to_string(simulation.server().resource_version()), version),
              std::strong_ordering::greater);
    const auto old = simulation.user().watch({"v1", "ConfigMap"}, {.resource_version = version},
                                             [](const WatchEvent&) { return false; });
    ASSERT_FALSE(old);
    EXPECT_EQ(old.error().code, ErrorCode::expired);
  }
}

TEST(Simulation, AnInstanceCrashesAtTheCallOfItsPlan) {
  Simulation simulation({.seed = 4});
  bool has_crashed = false;
  Instance instance(simulation, {.name = "op", .log_level = LogLevel::off},
                    [](Manager& manager) {
                      manager.add(Controller<Object>{.watch = {"v1", "ConfigMap"}, .reconcile = nothing});
                    },
                    {{.effect = http::Crash{.then = [&] { has_crashed = true; }}, .only = http::is_watch}});
  instance.start();
  ASSERT_TRUE(simulation.wait_until([&] { return instance.transport().is_crashed(); }));
  EXPECT_TRUE(has_crashed);
  EXPECT_GE(instance.transport().calls(), 2U) << "discovery, the list and the watch";
  instance.crash();
}

}  // namespace
}  // namespace pintle::testkit
