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

// The server goes on, and the instance does what it has missed afterwards.
TEST(Simulation, AFrozenInstanceDoesNothing) {
  Simulation simulation({.seed = 6});
  int reconciles = 0;
  Instance instance(simulation, {.name = "op", .log_level = LogLevel::off}, [&](Manager& manager) {
    manager.add(Controller<Object>{.watch = {"v1", "ConfigMap"}, .reconcile = [&](const Object&, Context&) -> Outcome {
                                     ++reconciles;
                                     return done;
                                   }});
  });
  instance.start();
  ASSERT_TRUE(simulation.wait_until([&] { return instance.manager().is_ready(); }));
  const std::uint64_t calls = instance.transport().calls();
  instance.freeze(1min);
  for (const char* name : {"a", "b"}) {
    ASSERT_TRUE(simulation.user().create(ConfigMap{.metadata = {.name = name, .namespace_ = "default"}}));
  }
  simulation.executor().sleep_for(59s);
  EXPECT_EQ(reconciles, 0);
  EXPECT_EQ(instance.transport().calls(), calls);
  simulation.executor().sleep_for(2s);
  EXPECT_EQ(reconciles, 2);
  instance.freeze(1h);
  const Instant crashed = simulation.executor().now();
  instance.crash();
  EXPECT_LT(simulation.executor().now(), crashed + 1min);
}

// A leader that was frozen for longer than its Lease lasts ends, and does not write before that.
TEST(Simulation, AFrozenLeaderLosesItsLease) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    bool is_frozen = false;
    std::vector<int> writers;
    Simulation simulation({.seed = seed,
                           .scheduling = {.strategy = Scheduling::Strategy::priorities},
                           .on_send = [&](int instance, const http::Request& request) {
                             if (is_frozen && http::is_write(request) &&
                                 request.target.find("configmaps") != std::string::npos) {
                               writers.push_back(instance);
                             }
                           }});
    const auto add = [](Manager& manager) {
      manager.add(Controller<Object>{.watch = {"v1", "ConfigMap"},
                                     .reconcile = [](const Object& object, Context& ctx) -> Outcome {
                                       if (object["/data/seen"] == object["/data/text"]) return done;
                                       (void)ctx.executor().sleep_for(2s);
                                       return ctx.patch(object, {{"data", {{"seen", object["/data/text"].text()}}}});
                                     }});
    };
    const ManagerOptions options{
        .name = "op", .leader_election = LeaderElectionOptions{.namespace_ = "default"}, .log_level = LogLevel::off};
    Instance first(simulation, options, add);
    first.start();
    ASSERT_TRUE(simulation.wait_until([&] { return first.manager().is_leading(); }));
    Instance second(simulation, options, add);
    second.start();
    ASSERT_TRUE(simulation.user().create(
        ConfigMap{.metadata = {.name = "a", .namespace_ = "default"}, .data = {{"text", "new"}}}));
    simulation.executor().sleep_for(1s);  // the first instance is in the middle of a reconcile
    is_frozen = true;
    first.freeze(1min);
    simulation.executor().sleep_for(2min);
    EXPECT_TRUE(first.has_ended());
    EXPECT_TRUE(second.manager().is_leading());
    EXPECT_EQ(writers, std::vector<int>{2}) << "seed " << seed;
  }
}

}  // namespace
}  // namespace pintle::testkit
