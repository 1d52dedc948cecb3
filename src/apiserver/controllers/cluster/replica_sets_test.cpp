// SPDX-License-Identifier: Apache-2.0
#include "test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

class ReplicaSetTest : public ClusterTest {
 protected:
  TestReply read() { return get(replica_sets + "/r"); }
};

TEST_F(ReplicaSetTest, CreatesItsPodsAndReportsThem) {
  post(replica_sets, workload("r", 3, pod_template("ready after 5s")));
  pass(1s);
  EXPECT_EQ(count("pods"), 3U);
  EXPECT_EQ(read().at("/status/replicas"), "3");
  EXPECT_EQ(read().at("/status/readyReplicas"), "");
  pass(5s);
  EXPECT_EQ(read().at("/status/readyReplicas"), "3");
  EXPECT_EQ(read().at("/status/availableReplicas"), "3");
  EXPECT_EQ(read().at("/status/fullyLabeledReplicas"), "3");
  EXPECT_EQ(read().at("/status/observedGeneration"), "1");
  const Object pod = server_.objects("pods").front();
  EXPECT_EQ(pod["/metadata/ownerReferences/0/kind"], "ReplicaSet");
  EXPECT_EQ(pod["/metadata/ownerReferences/0/controller"], true);
  EXPECT_EQ(pod.name().substr(0, 2), "r-");
  run_until_idle();
}

TEST_F(ReplicaSetTest, ReplacesPodsThatEndOrAreDeleted) {
  post(replica_sets, workload("r", 2, pod_template()));
  pass(1s);
  const std::string gone(server_.objects("pods").front().name());
  remove(cluster_pods + "/" + gone);
  pass(1s);
  EXPECT_EQ(count("pods"), 2U);
  EXPECT_EQ(get(cluster_pods + "/" + gone).status, 404);
  merge(cluster_pods + "/" + std::string(server_.objects("pods").front().name()) + "/status",
        R"({"status":{"phase":"Failed"}})");
  pass(1s);
  EXPECT_EQ(count("pods"), 3U) << "the failed Pod remains, and is replaced";
  EXPECT_EQ(read().at("/status/replicas"), "2");
}

TEST_F(ReplicaSetTest, ScalesDownThePodsThatAreNotReadyFirst) {
  post(replica_sets, workload("r", 2, pod_template()));
  pass(1s);
  std::string ready;
  for (const Object& pod : server_.objects("pods")) ready += std::string(pod.name()) + " ";
  merge(replica_sets + "/r",
        R"({"spec":{"replicas":4,"template":{"metadata":{"annotations":{"pintle.dev/pod":"never ready"}}}}})");
  pass(1s);
  EXPECT_EQ(count("pods"), 4U);
  EXPECT_EQ(ready_pods(), 2U);
  merge(replica_sets + "/r", R"({"spec":{"replicas":2}})");
  pass(1s);
  EXPECT_EQ(names("pods") + " ", ready);
}

TEST_F(ReplicaSetTest, CountsAPodAsAvailableAfterMinReadySeconds) {
  post(replica_sets, workload("r", 1, pod_template(), R"(,"minReadySeconds":10)"));
  pass(5s);
  EXPECT_EQ(read().at("/status/readyReplicas"), "1");
  EXPECT_EQ(read().at("/status/availableReplicas"), "");
  pass(6s);
  EXPECT_EQ(read().at("/status/availableReplicas"), "1");
}

TEST_F(ReplicaSetTest, LosesItsPodsWhenItIsDeleted) {
  post(replica_sets, workload("r", 3, pod_template()));
  pass(1s);
  remove(replica_sets + "/r");
  pass(2s);
  EXPECT_EQ(count("pods"), 0U);
  run_until_idle();
}

class BusyReplicaSetTest : public ClusterTest {
 protected:
  BusyReplicaSetTest() : ClusterTest({.watch_history_size = 16, .controllers = true}) {}
};

TEST_F(BusyReplicaSetTest, ManyPodsAreCreatedBeyondTheWatchWindow) {
  post(replica_sets, workload("r", 700, pod_template()));
  pass(5s);
  EXPECT_EQ(get(replica_sets + "/r").at("/status/availableReplicas"), "700");
  merge(replica_sets + "/r", R"({"spec":{"replicas":0}})");
  pass(5s);
  EXPECT_EQ(count("pods"), 0U);
  run_until_idle();
}

}  // namespace
}  // namespace pintle
