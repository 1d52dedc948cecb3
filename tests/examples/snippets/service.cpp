// SPDX-License-Identifier: Apache-2.0
// The code of docs/patterns/service.md that is in no example.
#include <gtest/gtest.h>

#include <pintle/patterns/service.hpp>
#include <pintle/pintle.hpp>
#include <pintle/testing/access_granter.hpp>
#include <pintle/testing/simulation.hpp>

namespace {

using namespace std::chrono_literals;
namespace service = pintle::service;

TEST(ServicePage, AManagerObtainsTheOnboardingClusterAtItsStart) {
  pintle::testkit::Simulation simulation({.seed = 1});
  pintle::testkit::SimulatedCluster& onboarding = simulation.add_cluster("onboarding");
  pintle::testkit::AccessGranter granter(simulation, {.clusters = {{"onboarding", &onboarding}}});
  ASSERT_TRUE(granter.start());

  // [onboarding]
  pintle::ManagerOptions options{.name = "op"};
  options.clusters = {{.name = "onboarding",
                       .finder = std::make_shared<service::OperatorClusterFinder>(
                           service::RequestedClusterOptions{.controller_name = "greeting", .namespace_ = "default"})}};
  // [/onboarding]
  options.log_level = pintle::LogLevel::off;
  std::vector<std::string> seen;
  pintle::testkit::Instance instance(simulation, std::move(options), [&](pintle::Manager& manager) {
    manager.add(pintle::Controller<pintle::ConfigMap>{
        .cluster = "onboarding", .reconcile = [&](const pintle::ConfigMap& map, pintle::Context&) -> pintle::Outcome {
          seen.push_back(map.metadata.name);
          return pintle::done;
        }});
  });
  instance.start();
  ASSERT_TRUE(simulation.wait_until([&] { return instance.manager().is_ready(); }));
  ASSERT_TRUE(onboarding.user().create(pintle::ConfigMap{.metadata = {.name = "a", .namespace_ = "default"}}));
  ASSERT_TRUE(simulation.run_until_idle());

  EXPECT_EQ(seen, std::vector<std::string>{"a"});
  const pintle::ObjectKey request{"default", "greeting--onboarding"};
  EXPECT_TRUE(simulation.user().get<service::ClusterRequest>(request));
  EXPECT_TRUE(simulation.user().get<service::AccessRequest>(request));
}

TEST(ServicePage, AGranterGrantsARequestAfterItsDelay) {
  // [granter]
  pintle::testkit::Simulation simulation({.seed = 1});
  pintle::testkit::SimulatedCluster& platform = simulation.add_cluster("platform");
  pintle::testkit::SimulatedCluster& mcp = simulation.add_cluster("mcp");
  pintle::testkit::AccessGranter granter(simulation, platform, {.clusters = {{"mcp", &mcp}}, .delay = 10s});
  ASSERT_TRUE(granter.start());
  // [/granter]
  const pintle::ObjectKey key{"default", "a"};
  ASSERT_TRUE(platform.user().create(service::ClusterRequest{
      .metadata = {.name = key.name, .namespace_ = key.namespace_}, .spec = {.purpose = "mcp"}}));
  const auto phase = [&] { return platform.user().get<service::ClusterRequest>(key).value().status.phase; };

  simulation.executor().sleep_for(9s);
  EXPECT_EQ(phase(), "");
  ASSERT_TRUE(simulation.run_until_idle(5s));
  EXPECT_EQ(phase(), service::request_granted);
}

}  // namespace
