// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

class DeploymentTest : public ClusterTest {
 protected:
  TestReply read() { return get(deployments + "/d"); }
  void set_template(const std::string& pod_template) {
    ASSERT_EQ(merge(deployments + "/d", R"({"spec":{"template":)" + pod_template + "}}").status, 200);
  }
  std::string status(const char* member) { return read().at(std::string("/status/") + member); }
  // "revision:replicas" of each ReplicaSet, in the order of their revisions.
  std::string revisions() {
    std::vector<std::string> all;
    for (const Object& one : server_.objects("replicasets.apps")) {
      all.push_back(std::string(one.annotation("deployment.kubernetes.io/revision")) + ":" +
                    one["/spec/replicas"].print());
    }
    std::sort(all.begin(), all.end());
    std::string out;
    for (const std::string& one : all) out += (out.empty() ? "" : " ") + one;
    return out;
  }
};

TEST_F(DeploymentTest, CreatesAReplicaSetAndReportsItsPods) {
  post(deployments, workload("d", 3, pod_template("ready after 5s")));
  pass(1s);
  EXPECT_EQ(condition(read(), "Available"), "False");
  EXPECT_EQ(condition(read(), "Progressing", "reason"), "ReplicaSetUpdated");
  EXPECT_EQ(status("unavailableReplicas"), "3");
  pass(5s);
  run_until_idle();
  EXPECT_EQ(condition(read(), "Available", "reason"), "MinimumReplicasAvailable");
  EXPECT_EQ(condition(read(), "Progressing", "reason"), "NewReplicaSetAvailable");
  EXPECT_EQ(read().at("/metadata/annotations"), R"({"deployment.kubernetes.io/revision":"1"})");
  for (const char* name : {"replicas", "updatedReplicas", "readyReplicas", "availableReplicas"})
    EXPECT_EQ(status(name), "3") << name;
  EXPECT_EQ(status("unavailableReplicas"), "");
  EXPECT_EQ(status("observedGeneration"), "1");
  const Object replica_set = server_.objects("replicasets.apps").front();
  const std::string hash(replica_set.label("pod-template-hash"));
  EXPECT_EQ(replica_set.name(), "d-" + hash);
  EXPECT_EQ(server_.objects("pods").front().label("pod-template-hash"), hash);
  EXPECT_EQ(replica_set["/spec/selector/matchLabels/pod-template-hash"], hash);
}

TEST_F(DeploymentTest, RollsWithinItsLimits) {
  post(deployments, workload("d", 4, pod_template("ready after 5s"),
                             R"(,"strategy":{"rollingUpdate":{"maxSurge":1,"maxUnavailable":1}})"));
  pass(6s);
  ASSERT_EQ(ready_pods(), 4U);
  set_template(pod_template("ready after 5s", "new"));
  std::size_t steps = 0;
  for (int i = 0; i < 300; ++i) {
    pass(100ms);
    std::size_t active = 0;
    for (const Object& pod : server_.objects("pods")) active += pod.is_deleting() ? 0 : 1;
    EXPECT_LE(active, 5U);
    EXPECT_GE(ready_pods(), 3U);
    if (status("updatedReplicas") != "4") ++steps;
  }
  EXPECT_GT(steps, 40U) << "there are two steps of five seconds";
  EXPECT_EQ(status("updatedReplicas"), "4");
  EXPECT_EQ(status("replicas"), "4");
  EXPECT_EQ(revisions(), "1:0 2:4");
  for (const Object& pod : server_.objects("pods")) EXPECT_EQ(pod["/spec/containers/0/image"], "new");
  run_until_idle();
}

TEST_F(DeploymentTest, AStuckRolloutKeepsTheOldPodsAndMissesItsDeadline) {
  post(deployments, workload("d", 4, pod_template(), R"(,"progressDeadlineSeconds":60)"));
  pass(1s);
  set_template(pod_template("never ready"));
  pass(50s);
  EXPECT_EQ(condition(read(), "Progressing"), "True");
  EXPECT_EQ(ready_pods(), 3U) << "25% may be unavailable";
  pass(20s);
  EXPECT_EQ(condition(read(), "Progressing", "reason"), "ProgressDeadlineExceeded");
  EXPECT_EQ(condition(read(), "Available"), "True");
  EXPECT_EQ(status("availableReplicas"), "3");
  run_until_idle();
  set_template(pod_template("ready after 1s"));
  pass(10s);
  EXPECT_EQ(condition(read(), "Progressing", "reason"), "NewReplicaSetAvailable");
  EXPECT_EQ(status("availableReplicas"), "4");
}

TEST_F(DeploymentTest, ARollbackMakesTheOldRevisionTheNewest) {
  post(deployments, workload("d", 2, pod_template("", "one")));
  pass(1s);
  set_template(pod_template("", "two"));
  pass(2s);
  EXPECT_EQ(revisions(), "1:0 2:2");
  set_template(pod_template("", "one"));
  pass(2s);
  EXPECT_EQ(revisions(), "2:0 3:2");
  EXPECT_EQ(read().at("/metadata/annotations/deployment.kubernetes.io~1revision"), "3");
  EXPECT_EQ(count("replicasets.apps"), 2U);
}

TEST_F(DeploymentTest, ScalesItsCurrentReplicaSet) {
  post(deployments, workload("d", 1, pod_template()));
  pass(1s);
  merge(deployments + "/d/scale", R"({"spec":{"replicas":5}})");
  pass(1s);
  EXPECT_EQ(status("availableReplicas"), "5");
  merge(deployments + "/d/scale", R"({"spec":{"replicas":0}})");
  pass(1s);
  EXPECT_EQ(status("replicas"), "");
  EXPECT_EQ(revisions(), "1:0");
  EXPECT_EQ(condition(read(), "Progressing", "reason"), "NewReplicaSetAvailable");
}

TEST_F(DeploymentTest, RecreateStartsNewPodsAfterTheOldOnesAreGone) {
  post(deployments, workload("d", 2, pod_template("", "one"), R"(,"strategy":{"type":"Recreate"})"));
  pass(1s);
  set_template(pod_template("", "two"));
  for (int i = 0; i < 20; ++i) {
    pass(50ms);
    std::set<std::string> images;
    for (const Object& pod : server_.objects("pods")) images.emplace(pod["/spec/containers/0/image"].text());
    EXPECT_LE(images.size(), 1U);
  }
  EXPECT_EQ(revisions(), "1:0 2:2");
  EXPECT_EQ(status("availableReplicas"), "2");
}

TEST_F(DeploymentTest, APausedOneOnlyScales) {
  post(deployments, workload("d", 2, pod_template("", "one")));
  pass(1s);
  merge(deployments + "/d", R"({"spec":{"paused":true,"replicas":3}})");
  pass(1s);
  EXPECT_EQ(revisions(), "1:3");
  set_template(pod_template("", "two"));
  pass(1s);
  EXPECT_EQ(revisions(), "1:3");
  merge(deployments + "/d", R"({"spec":{"paused":false}})");
  pass(2s);
  EXPECT_EQ(revisions(), "1:0 2:3");
}

TEST_F(DeploymentTest, APausedOneScalesItsOnlyReplicaSetAlsoIfItIsNotCurrent) {
  post(deployments, workload("d", 2, pod_template("", "one")));
  pass(1s);
  merge(deployments + "/d", R"({"spec":{"paused":true}})");
  set_template(pod_template("", "two"));
  pass(1s);
  merge(deployments + "/d/scale", R"({"spec":{"replicas":5}})");
  pass(1s);
  EXPECT_EQ(revisions(), "1:5");
  merge(deployments + "/d/scale", R"({"spec":{"replicas":0}})");
  pass(1s);
  EXPECT_EQ(revisions(), "1:0");
  merge(deployments + "/d/scale", R"({"spec":{"replicas":3}})");
  pass(1s);
  EXPECT_EQ(revisions(), "1:3");
}

TEST_F(DeploymentTest, OneThatIsPausedDuringARolloutScalesInProportion) {
  post(deployments,
       workload("d", 4, pod_template(), R"(,"strategy":{"rollingUpdate":{"maxSurge":1,"maxUnavailable":1}})"));
  pass(1s);
  set_template(pod_template("never ready"));
  pass(2s);
  ASSERT_EQ(revisions(), "1:3 2:2");
  const auto scale_to = [&](int replicas) {
    merge(deployments + "/d/scale", R"({"spec":{"replicas":)" + std::to_string(replicas) + "}}");
    pass(1s);
    return revisions();
  };
  merge(deployments + "/d", R"({"spec":{"paused":true}})");
  pass(1s);
  EXPECT_EQ(revisions(), "1:3 2:2") << "the rollout stops";
  EXPECT_EQ(scale_to(8), "1:5 2:4");
  EXPECT_EQ(scale_to(2), "1:2 2:1");
  EXPECT_EQ(scale_to(0), "1:0 2:0");
  EXPECT_EQ(scale_to(2), "1:0 2:2");
}

TEST_F(DeploymentTest, KeepsALimitedHistory) {
  post(deployments, workload("d", 1, pod_template("", "i0"), R"(,"revisionHistoryLimit":2)"));
  for (int i = 1; i <= 5; ++i) {
    pass(2s);
    set_template(pod_template("", "i" + std::to_string(i)));
  }
  pass(2s);
  EXPECT_EQ(revisions(), "4:0 5:0 6:1");
}

TEST_F(DeploymentTest, LosesEverythingWhenItIsDeleted) {
  post(deployments, workload("d", 2, pod_template()));
  pass(1s);
  remove(deployments + "/d");
  pass(2s);
  EXPECT_EQ(count("replicasets.apps"), 0U);
  EXPECT_EQ(count("pods"), 0U);
  run_until_idle();
}

}  // namespace
}  // namespace pintle
