// SPDX-License-Identifier: Apache-2.0
#include "test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

const std::string stateful_sets = "/apis/apps/v1/namespaces/default/statefulsets";

class StatefulSetTest : public ClusterTest {
 protected:
  void start(int replicas, const std::string& pod_template, const std::string& more = "") {
    const auto made = post(stateful_sets, workload("s", replicas, pod_template, R"(,"serviceName":"svc")" + more));
    ASSERT_EQ(made.status, 201) << made.body;
  }
  TestReply read() { return get(stateful_sets + "/s"); }
  std::string status(const char* member) { return read().at(std::string("/status/") + member); }
  void set_template(const std::string& pod_template) {
    ASSERT_EQ(merge(stateful_sets + "/s", R"({"spec":{"template":)" + pod_template + "}}").status, 200);
  }
  std::string images() {
    std::string out;
    for (const Object& pod : server_.objects("pods")) {
      out += (out.empty() ? "" : " ") + std::string(pod["/spec/containers/0/image"].text());
    }
    return out;
  }
};

TEST_F(StatefulSetTest, StartsItsPodsInOrder) {
  start(3, pod_template("ready after 5s"));
  pass(1s);
  EXPECT_EQ(names("pods"), "s-0");
  pass(5s);
  EXPECT_EQ(names("pods"), "s-0 s-1");
  EXPECT_EQ(status("readyReplicas"), "1");
  pass(10s);
  EXPECT_EQ(names("pods"), "s-0 s-1 s-2");
  run_until_idle();
  for (const char* name : {"replicas", "readyReplicas", "availableReplicas", "currentReplicas", "updatedReplicas"})
    EXPECT_EQ(status(name), "3") << name;
  EXPECT_EQ(status("currentRevision"), status("updateRevision"));
  const auto pod = get(cluster_pods + "/s-1");
  EXPECT_EQ(pod.at("/metadata/labels/apps.kubernetes.io~1pod-index"), "1");
  EXPECT_EQ(pod.at("/metadata/labels/controller-revision-hash"), status("updateRevision"));
  EXPECT_EQ(pod.at("/spec/hostname"), "s-1");
  EXPECT_EQ(pod.at("/spec/subdomain"), "svc");
}

TEST_F(StatefulSetTest, ScalesDownFromTheHighestNumber) {
  start(3, pod_template());
  pass(3s);
  merge(stateful_sets + "/s", R"({"spec":{"replicas":1}})");
  pass(100ms);
  EXPECT_EQ(names("pods"), "s-0 s-1 s-2") << "the last Pod is being deleted";
  EXPECT_EQ(get(cluster_pods + "/s-1").at("/metadata/deletionTimestamp"), "");
  pass(2s);
  EXPECT_EQ(names("pods"), "s-0");
}

TEST_F(StatefulSetTest, StartsAllPodsAtOnceIfItIsParallel) {
  start(3, pod_template("ready after 5s"), R"(,"podManagementPolicy":"Parallel")");
  pass(1s);
  EXPECT_EQ(names("pods"), "s-0 s-1 s-2");
}

TEST_F(StatefulSetTest, UpdatesFromTheHighestNumberDownToThePartition) {
  start(3, pod_template("", "one"), R"(,"updateStrategy":{"rollingUpdate":{"partition":1}})");
  pass(3s);
  const std::string before = status("updateRevision");
  set_template(pod_template("ready after 5s", "two"));
  pass(1s);
  EXPECT_EQ(images(), "one one two");
  pass(4s);
  EXPECT_EQ(images(), "one one two");
  pass(3s);
  EXPECT_EQ(images(), "one two two");
  pass(30s);
  EXPECT_EQ(images(), "one two two");
  EXPECT_EQ(status("currentRevision"), before);
  EXPECT_EQ(status("updatedReplicas"), "2");
  remove(cluster_pods + "/s-0");
  pass(2s);
  EXPECT_EQ(images(), "one two two") << "below the partition, the old template is used";
  merge(stateful_sets + "/s", R"({"spec":{"updateStrategy":{"rollingUpdate":{"partition":0}}}})");
  pass(10s);
  EXPECT_EQ(images(), "two two two");
  EXPECT_EQ(status("currentRevision"), status("updateRevision"));
  EXPECT_EQ(count("controllerrevisions.apps"), 2U);
  run_until_idle();
}

TEST_F(StatefulSetTest, RepairsAPodThatDoesNotBecomeReady) {
  start(2, pod_template("never ready", "bad"));
  pass(60s);
  EXPECT_EQ(names("pods"), "s-0");
  set_template(pod_template("ready after 0s", "good"));
  pass(5s);
  EXPECT_EQ(images(), "good good");
}

TEST_F(StatefulSetTest, ReplacesAPodThatFailed) {
  start(2, pod_template());
  pass(2s);
  merge(cluster_pods + "/s-0/status", R"({"status":{"phase":"Failed"}})");
  pass(2s);
  EXPECT_EQ(state("s-0"), "Running/True");
}

TEST_F(StatefulSetTest, CreatesAClaimForEachPodAndKeepsIt) {
  start(2, pod_template(), R"(,"volumeClaimTemplates":[{"metadata":{"name":"data"},"spec":{
    "accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}}}])");
  pass(2s);
  EXPECT_EQ(names("persistentvolumeclaims"), "data-s-0 data-s-1");
  EXPECT_EQ(get(cluster_pods + "/s-1").at("/spec/volumes/0/persistentVolumeClaim/claimName"), "data-s-1");
  merge(stateful_sets + "/s", R"({"spec":{"replicas":0}})");
  pass(3s);
  EXPECT_EQ(count("pods"), 0U);
  EXPECT_EQ(names("persistentvolumeclaims"), "data-s-0 data-s-1");
}

}  // namespace
}  // namespace pintle
