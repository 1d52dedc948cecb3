// SPDX-License-Identifier: Apache-2.0
#include "replicas.hpp"

#include <gmock/gmock.h>

#include <pintle/testing/simulation.hpp>

#include "debug_values.hpp"

namespace pintle {
namespace {

using ::testing::ElementsAre;

// The pods of a simulated cluster, as the page of the pod "op-1-a" shows them.
class ReplicasTest : public ::testing::Test {
 protected:
  void create_pod(const std::string& name, json::object labels, json::object status = {}) {
    const json::Value pod{
        {"apiVersion", "v1"},
        {"kind", "Pod"},
        {"metadata", {{"name", name}, {"namespace", "default"}, {"labels", std::move(labels)}}},
        {"spec", {{"nodeName", "node"}, {"containers", json::array{json::object{{"name", "c"}, {"image", "i"}}}}}}};
    ASSERT_TRUE(simulation_.user().create(pod));
    if (status.empty()) return;
    ASSERT_TRUE(simulation_.user().patch({"v1", "Pod"}, {"default", name}, json::Value{{"status", std::move(status)}},
                                         {.subresource = "status"}));
  }
  std::vector<std::string> names() {
    std::vector<std::string> found;
    const auto listed = replicas_.list();
    EXPECT_TRUE(listed) << listed.error().to_string();
    if (!listed) return found;
    for (const Replica& one : *listed) found.push_back(one.name);
    return found;
  }

  testkit::Simulation simulation_{{}};
  std::shared_ptr<http::InProcessTransport> transport_ = simulation_.connect();
  Replicas replicas_{
      simulation_.executor(),
      std::make_unique<Client>(ClientOptions{.transport = transport_, .cluster = simulation_.user().cluster()}),
      {.own = {"default", "op-1-a"},
       .pages = [](const std::string& address) { return "http://" + address + ":8080"; }}};
};

TEST_F(ReplicasTest, ArePodsWithTheLabelsOfThisOneWhateverTheirRevision) {
  create_pod("op-2-b", {{"app", "op"}, {"tier", "x"}, {"pod-template-hash", "2"}});
  create_pod("op-1-a", {{"app", "op"}, {"tier", "x"}, {"pod-template-hash", "1"}});
  create_pod("other", {{"app", "other"}, {"tier", "x"}, {"pod-template-hash", "1"}});
  create_pod("part", {{"app", "op"}, {"pod-template-hash", "1"}});
  EXPECT_THAT(names(), ElementsAre("op-1-a", "op-2-b"));
}

TEST_F(ReplicasTest, HaveTheStateOfTheirPods) {
  create_pod("op-1-a", {{"app", "op"}},
             {{"podIP", "10.0.0.7"},
              {"startTime", "2026-01-02T03:04:05Z"},
              {"conditions", json::array{json::object{{"type", "Ready"}, {"status", "True"}}}}});
  create_pod("op-1-b", {{"app", "op"}});
  const auto listed = replicas_.list();
  ASSERT_TRUE(listed) << listed.error().to_string();
  ASSERT_EQ(listed->size(), 2U);
  EXPECT_EQ(json::print(replica_value((*listed)[0], "op-1-a_0123")),
            R"({"name":"op-1-a","ready":true,"deleting":false,"leading":true,"thisInstance":true,"node":"node",)"
            R"("startedAt":"2026-01-02T03:04:05Z","pages":"http://10.0.0.7:8080"})");
  EXPECT_EQ(json::print(replica_value((*listed)[1], "op-1-a_0123")),
            R"({"name":"op-1-b","ready":false,"deleting":false,"leading":false,"thisInstance":false,"node":"node"})");
}

TEST_F(ReplicasTest, APodThatHasEndedIsNotReady) {
  create_pod("op-1-a", {{"app", "op"}}, {{"phase", "Succeeded"}});
  const auto listed = replicas_.list();
  ASSERT_TRUE(listed) << listed.error().to_string();
  EXPECT_FALSE(listed->front().ready);
}

TEST_F(ReplicasTest, OfAPodWithoutLabelsAreThisOneAlone) {
  create_pod("op-1-a", {{"pod-template-hash", "1"}});
  create_pod("other", {});
  EXPECT_THAT(names(), ElementsAre("op-1-a"));
}

TEST_F(ReplicasTest, AreRequestedAtMostOnceInFiveSeconds) {
  create_pod("op-1-a", {{"app", "op"}});
  EXPECT_THAT(names(), ElementsAre("op-1-a"));
  create_pod("op-1-b", {{"app", "op"}});
  const auto calls = transport_->calls();
  for (int i = 0; i < 10; ++i) EXPECT_THAT(names(), ElementsAre("op-1-a"));
  EXPECT_EQ(transport_->calls(), calls);
  const Instant later = simulation_.executor().now() + Replicas::age;
  simulation_.wait_until([&] { return simulation_.executor().now() >= later; });
  EXPECT_THAT(names(), ElementsAre("op-1-a", "op-1-b"));
}

TEST_F(ReplicasTest, OfAProcessThatIsNotInAPodAreUnknown) {
  const auto code = [&] {
    const auto listed = replicas_.list();
    return listed ? ErrorCode::unknown : listed.error().code;
  };
  EXPECT_EQ(code(), ErrorCode::not_found);
  const auto calls = transport_->calls();
  EXPECT_EQ(code(), ErrorCode::not_found);
  EXPECT_EQ(transport_->calls(), calls);  // failures are kept for five seconds too
}

TEST(ReplicaValue, OnlyTheNameOfThePodIsTheLeader) {
  const Replica replica{.name = "op-1"};
  const auto leads = [&](std::string_view leader) { return replica_value(replica, leader).at("leading").as_bool(); };
  EXPECT_TRUE(leads("op-1"));
  EXPECT_TRUE(leads("op-1_00aa"));
  EXPECT_FALSE(leads("op-11_00aa"));
  EXPECT_FALSE(leads(""));
}

}  // namespace
}  // namespace pintle
