// SPDX-License-Identifier: Apache-2.0
#include "election/elector.hpp"

#include <gtest/gtest.h>

#include "controller/test_support.hpp"
#include "health.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

class ElectorTest : public ::testing::Test {
 protected:
  ~ElectorTest() override {
    elector.reset();
    transport->stop();
  }

  std::unique_ptr<Client> client() {
    return std::make_unique<Client>(
        ClientOptions{.transport = transport, .cluster = {.endpoint = std::make_shared<http::Endpoint>()}});
  }
  void start() {
    elector = std::make_unique<Elector>(client(), options, fence, Log(), metrics,
                                        LeadershipCallbacks{.begin = [this] { ++begun; },
                                                            .lost =
                                                                [this](const Error& why) {
                                                                  ++lost;
                                                                  lost_at = simulation.executor().now();
                                                                  EXPECT_FALSE(fence.check()) << why.to_string();
                                                                }});
    elector->start();
  }
  bool leads() {
    return simulation.wait_until([&] { return elector->leads(); }, 10s);
  }
  Object lease() { return simulation.server().objects("leases.coordination.k8s.io").at(0); }
  double master() { return metrics.gauge("leader_election_master_status", "", {{"name", "op"}}).value(); }

  testkit::Simulation simulation{{.seed = 3}};
  FallibleServer gate{simulation.server()};
  std::shared_ptr<http::InProcessTransport> transport =
      std::make_shared<http::InProcessTransport>(simulation.executor(), gate);
  LeaderElectionOptions options{.name = "op", .namespace_ = "default", .identity = "a"};
  Fence fence{simulation.executor(), "default/op"};
  MetricsRegistry metrics;
  int begun = 0;
  int lost = 0;
  Instant lost_at{};
  std::unique_ptr<Elector> elector;
};

TEST_F(ElectorTest, LeadsRenewsAndGivesTheLeaseBack) {
  start();
  ASSERT_TRUE(leads());
  EXPECT_EQ(begun, 1);
  EXPECT_EQ(master(), 1);
  EXPECT_TRUE(fence.check());
  const std::string renewed(lease()["/spec/renewTime"].text());
  simulation.executor().sleep_for(1min);
  EXPECT_TRUE(elector->leads());
  EXPECT_NE(lease()["/spec/renewTime"], renewed);

  elector->resign();
  EXPECT_EQ(lease()["/spec/holderIdentity"], "");
  EXPECT_EQ(master(), 0);
  EXPECT_FALSE(fence.check());
  EXPECT_EQ(begun, 1);
  EXPECT_EQ(lost, 0);
}

TEST_F(ElectorTest, ALeaderThatWithdrawsRenewsUntilItsWorkHasEnded) {
  start();
  ASSERT_TRUE(leads());
  elector->withdraw();
  simulation.executor().sleep_for(5min);
  EXPECT_TRUE(elector->leads());
  EXPECT_TRUE(fence.check());
  EXPECT_EQ(lease()["/spec/holderIdentity"], "a");
}

// A request without a response does not delay the loss either (trap 57).
TEST_F(ElectorTest, ALeaderWithASilentServerLosesTheLeaseInTime) {
  start();
  ASSERT_TRUE(leads());
  const Instant ends = fence.ends();
  gate.silent = true;
  ASSERT_TRUE(simulation.wait_until([&] { return lost == 1; }, 30s));
  EXPECT_LE(lost_at, ends + 2s - 4s + 1ms) << "at the latest one renewal later; 4 s before its end";
  EXPECT_EQ(master(), 0);
  EXPECT_FALSE(elector->leads());
}

// A candidate that never led has nothing to lose (trap 58).
TEST_F(ElectorTest, StoppingACandidateReportsNoLoss) {
  ASSERT_TRUE(simulation.user().create(
      json::Value{{"apiVersion", "coordination.k8s.io/v1"},
                  {"kind", "Lease"},
                  {"metadata", {{"name", "op"}, {"namespace", "default"}}},
                  {"spec", json::object{{"holderIdentity", "z"}, {"leaseDurationSeconds", 3600}}}}));
  start();
  simulation.executor().sleep_for(1min);
  const std::uint64_t writes = simulation.server().writes();
  const Instant started_at = simulation.executor().now();
  elector->resign();
  EXPECT_EQ(simulation.executor().now(), started_at);
  EXPECT_EQ(simulation.server().writes(), writes);
  EXPECT_EQ(begun, 0);
  EXPECT_EQ(lost, 0);
}

// Giving back the lease must not hang (trap 59).
TEST_F(ElectorTest, GivingBackToASilentServerEndsWithTheRenewDeadline) {
  start();
  ASSERT_TRUE(leads());
  simulation.executor().sleep_for(500ms);
  gate.silent = true;
  const Instant started_at = simulation.executor().now();
  elector->resign();
  EXPECT_GT(simulation.executor().now(), started_at);
  EXPECT_LE(simulation.executor().now() - started_at, 10s);
  EXPECT_EQ(lost, 0);
}

// Only a restart ends work that ignores every stop request (trap 61).
TEST_F(ElectorTest, WorkLongAfterTheLeaseIsUnhealthy) {
  Health health(metrics, {.is_ready = [] { return true; }, .check_alive = [this] { return elector->check_health(); }});
  start();
  ASSERT_TRUE(leads());
  gate.silent = true;
  ASSERT_TRUE(simulation.wait_until([&] { return lost == 1; }, 30s));
  simulation.executor().sleep_for(20s);
  EXPECT_EQ(health.handle({.target = "/healthz"}).status, 200) << "a short delay is tolerated";

  simulation.executor().sleep_for(5s);

  const auto unhealthy = health.handle({.target = "/healthz"});
  EXPECT_EQ(unhealthy.status, 500);
  EXPECT_NE(unhealthy.body.find("default/op"), std::string::npos) << unhealthy.body;
  elector->resign();
  EXPECT_EQ(health.handle({.target = "/healthz"}).status, 200) << "the elector has resigned";
}

TEST_F(ElectorTest, RenewalsThatReadTheLeaseAreCounted) {
  start();
  ASSERT_TRUE(leads());
  ASSERT_TRUE(simulation.user().patch(lease_type, {"default", "op"},
                                      json::Value{{"metadata", {{"labels", json::object{{"team", "x"}}}}}}));
  simulation.executor().sleep_for(10s);
  EXPECT_EQ(metrics.counter("leader_election_slowpath_total", "", {{"name", "op"}}).value(), 1);
  EXPECT_TRUE(elector->leads());
  EXPECT_EQ(lease()["/metadata/labels/team"], "x");
}

TEST_F(ElectorTest, LeadershipDoesNotBeginAfterWithdrawing) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    testkit::Simulation world({.seed = seed});
    const auto way = world.connect();
    int began = 0;
    {
      Fence own(world.executor(), "default/op");
      Elector candidate(std::make_unique<Client>(ClientOptions{
                            .transport = way, .cluster = {.endpoint = std::make_shared<http::Endpoint>()}}),
                        options, own, Log(), metrics, {.begin = [&] { ++began; }, .lost = [](const Error&) {}});
      candidate.start();
      for (std::uint64_t i = 0; i < seed % 40; ++i) world.executor().yield();
      candidate.withdraw();
      const int before = began;
      for (int i = 0; i < 50; ++i) world.executor().yield();
      EXPECT_EQ(began, before) << seed;
      candidate.resign();
    }
    const auto leases = world.server().objects("leases.coordination.k8s.io");
    EXPECT_TRUE(leases.empty() || leases.at(0)["/spec/holderIdentity"] == "") << seed;
    way->stop();
  }
}

}  // namespace
}  // namespace pintle
