// SPDX-License-Identifier: Apache-2.0
// Workloads adopt Pods that they select, and release those that they no longer select.
#include <chrono>

#include "test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

const std::string replication_controllers = "/api/v1/namespaces/default/replicationcontrollers";

class ClaimsTest : public ClusterTest {
 protected:
  void make_pod(const std::string& name, const std::string& label = "x", const std::string& more = "") {
    post(cluster_pods, R"({"metadata":{"name":")" + name + R"(","labels":{"app":")" + label + "\"}" + more +
                           R"(},"spec":{"containers":[{"name":"c","image":"i"}]}})");
  }
  std::string owner_of(const std::string& path) { return get(path).at("/metadata/ownerReferences/0/name"); }
};

TEST_F(ClaimsTest, AReplicaSetAdoptsMatchingPods) {
  make_pod("orphan");
  make_pod("other", "y");
  post(replica_sets, workload("r", 2, pod_template()));
  pass(1s);
  EXPECT_EQ(owner_of(cluster_pods + "/orphan"), "r");
  EXPECT_EQ(get(cluster_pods + "/orphan").at("/metadata/ownerReferences/0/controller"), "true");
  EXPECT_EQ(owner_of(cluster_pods + "/other"), "");
  EXPECT_EQ(count("pods"), 3U) << "one of two Pods was there already";
  make_pod("late");
  pass(2s);
  EXPECT_EQ(count("pods"), 3U) << "a Pod that is adopted later is one too many";
  EXPECT_EQ(get(replica_sets + "/r").at("/status/replicas"), "2");
}

TEST_F(ClaimsTest, AReplicaSetReleasesPodsThatNoLongerMatch) {
  post(replica_sets, workload("r", 1, pod_template()));
  pass(1s);
  const std::string pod(server_.objects("pods").at(0).name());
  merge(cluster_pods + "/" + pod, R"({"metadata":{"labels":{"app":"debug"}}})");
  pass(1s);
  EXPECT_EQ(get(cluster_pods + "/" + pod).at("/metadata/ownerReferences"), "");
  EXPECT_EQ(count("pods"), 2U) << "it is replaced";
  merge(cluster_pods + "/" + pod, R"({"metadata":{"labels":{"app":"x"}}})");
  pass(2s);
  EXPECT_EQ(count("pods"), 1U) << "it is adopted again, and one is deleted";
  run_until_idle();
}

TEST_F(ClaimsTest, OneOfTwoReplicaSetsAdoptsAPod) {
  make_pod("orphan");
  post(replica_sets, workload("a", 1, pod_template()));
  post(replica_sets, workload("b", 1, pod_template()));
  pass(1s);
  EXPECT_EQ(owner_of(cluster_pods + "/orphan"), "a");
  EXPECT_EQ(get(cluster_pods + "/orphan").at("/metadata/ownerReferences/1"), "");
  EXPECT_EQ(count("pods"), 2U);
}

TEST_F(ClaimsTest, OtherWorkloadsAdoptToo) {
  make_pod("s-0");
  make_pod("other");
  post("/apis/apps/v1/namespaces/default/statefulsets", workload("s", 1, pod_template()));
  pass(1s);
  EXPECT_EQ(owner_of(cluster_pods + "/s-0"), "s");
  EXPECT_EQ(owner_of(cluster_pods + "/other"), "") << "its name is not one of the set";
}

TEST_F(ClaimsTest, ADeploymentAdoptsReplicaSets) {
  post(replica_sets, workload("r", 1, pod_template(), R"(,"minReadySeconds":0)"));
  merge(replica_sets + "/r", R"({"metadata":{"labels":{"app":"x"}}})");
  pass(1s);
  post(deployments, workload("d", 1, pod_template()));
  pass(2s);
  EXPECT_EQ(owner_of(replica_sets + "/r"), "d");
  EXPECT_EQ(count("replicasets.apps"), 1U) << "it has the template of the Deployment";
}

TEST_F(ClaimsTest, AReplicationControllerKeepsItsPods) {
  make_pod("orphan");
  post(replication_controllers,
       R"({"metadata":{"name":"c"},"spec":{"replicas":2,"selector":{"app":"x"},"template":)" + pod_template() + "}}");
  pass(1s);
  EXPECT_EQ(count("pods"), 2U);
  EXPECT_EQ(owner_of(cluster_pods + "/orphan"), "c");
  const auto read = get(replication_controllers + "/c");
  for (const char* name : {"replicas", "fullyLabeledReplicas", "readyReplicas", "availableReplicas"}) {
    EXPECT_EQ(read.at(std::string("/status/") + name), "2") << name;
  }
  merge(replication_controllers + "/c", R"({"spec":{"replicas":0}})");
  pass(2s);
  EXPECT_EQ(count("pods"), 0U);
  run_until_idle();
}

}  // namespace
}  // namespace pintle
