// SPDX-License-Identifier: Apache-2.0
// The life of Pods.
#include "test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

class PodLife : public ClusterTest {
 protected:
  void run(const std::string& name, const std::string& script, const std::string& policy = "Always",
           const std::string& spec = "") {
    const std::string annotations = script.empty() ? "" : R"(,"annotations":{"pintle.dev/pod":")" + script + R"("})";
    const auto made =
        post(cluster_pods, R"({"metadata":{"name":")" + name + "\"" + annotations + R"(},"spec":{"restartPolicy":")" +
                               policy + "\"," + spec + R"("containers":[{"name":"c","image":"i"}]}})");
    ASSERT_EQ(made.status, 201) << made.body;
  }
  std::string node(const std::string& pod) { return get(cluster_pods + "/" + pod).at("/spec/nodeName"); }
  void add_node(const std::string& name, const std::string& more = "") {
    ASSERT_EQ(post("/api/v1/nodes",
                   R"({"metadata":{"name":")" + name + R"(","labels":{"disk":")" + name + R"("}})" + more + "}")
                  .status,
              201);
  }
};

TEST_F(PodLife, WithoutAScriptIsReadyAtOnceAndForever) {
  run("a", "");
  pass(100ms);
  EXPECT_EQ(state("a"), "Running/True");
  const auto pod = get(cluster_pods + "/a");
  EXPECT_EQ(pod.at("/spec/nodeName"), "pintle");
  EXPECT_EQ(condition(pod, "PodScheduled"), "True");
  EXPECT_EQ(pod.at("/status/podIP").substr(0, 3), "10.");
  EXPECT_EQ(pod.at("/status/containerStatuses/0/ready"), "true");
  EXPECT_EQ(pod.at("/status/containerStatuses/0/state/running/startedAt"), "2026-01-01T00:00:00Z");
  run_until_idle();
}

TEST_F(PodLife, FollowsTheScript) {
  run("a", "ready after 2s; fail after 10s with 3", "Never");
  pass(1900ms);
  EXPECT_EQ(state("a"), "Running/False");
  pass(200ms);
  EXPECT_EQ(state("a"), "Running/True");
  pass(7800ms);
  EXPECT_EQ(state("a"), "Running/True");
  pass(200ms);
  EXPECT_EQ(state("a"), "Failed/False");
  const auto pod = get(cluster_pods + "/a");
  EXPECT_EQ(pod.at("/status/containerStatuses/0/state/terminated/exitCode"), "3");
  EXPECT_EQ(pod.at("/status/containerStatuses/0/state/terminated/finishedAt"), "2026-01-01T00:00:10Z");
  EXPECT_EQ(condition(pod, "Ready", "reason"), "PodFailed");
  run_until_idle();
}

TEST_F(PodLife, OfATaskSucceeds) {
  run("a", "", "OnFailure");
  pass(500ms);
  EXPECT_EQ(state("a"), "Running/True");
  pass(1s);
  EXPECT_EQ(state("a"), "Succeeded/False");
}

TEST_F(PodLife, ContinuesAfterARestartWithABackOff) {
  run("a", "fail after 5s");
  pass(5100ms);
  auto pod = get(cluster_pods + "/a");
  EXPECT_EQ(pod.at("/status/phase"), "Running");
  EXPECT_EQ(pod.at("/status/containerStatuses/0/state/waiting/reason"), "CrashLoopBackOff");
  EXPECT_EQ(pod.at("/status/containerStatuses/0/lastState/terminated/exitCode"), "1");
  EXPECT_EQ(pod.at("/status/containerStatuses/0/restartCount"), "1");
  pass(10s);
  EXPECT_EQ(state("a"), "Running/True");
  pass(5s);
  EXPECT_EQ(get(cluster_pods + "/a").at("/status/containerStatuses/0/restartCount"), "2");
  pass(19s);
  EXPECT_EQ(state("a"), "Running/False") << "the second back-off is twice as long";
  pass(2s);
  EXPECT_EQ(state("a"), "Running/True");
}

TEST_F(PodLife, KeepsTheStatusOfAClientUntilTheNextState) {
  run("a", "ready after 10s");
  pass(100ms);
  merge(cluster_pods + "/a/status", R"({"status":{"phase":"Unknown","reason":"mine"}})");
  pass(5s);
  EXPECT_EQ(get(cluster_pods + "/a").at("/status/phase"), "Unknown");
  pass(5s);
  EXPECT_EQ(state("a"), "Running/True");
  EXPECT_EQ(get(cluster_pods + "/a").at("/status/reason"), "mine");
}

TEST_F(PodLife, ReportsAMistakeInTheScript) {
  run("a", "explode");
  pass(100ms);
  const auto pod = get(cluster_pods + "/a");
  EXPECT_EQ(pod.at("/status/phase"), "Pending");
  EXPECT_EQ(pod.at("/status/reason"), "InvalidScript");
  EXPECT_EQ(pod.at("/status/message").substr(0, 37), "annotation pintle.dev/pod: \"explode\":");
  run_until_idle();
}

TEST_F(PodLife, RunsOnANodeThatFits) {
  add_node("n1", R"(,"spec":{"unschedulable":true})");
  run("a", "");
  pass(100ms);
  EXPECT_EQ(node("a"), "");
  EXPECT_EQ(condition(get(cluster_pods + "/a"), "PodScheduled", "reason"), "Unschedulable");
  add_node("n2");
  pass(100ms);
  EXPECT_EQ(node("a"), "n2");
  EXPECT_EQ(state("a"), "Running/True");
  add_node("n3");
  run("b", "", "Always", R"("nodeSelector":{"disk":"n3"},)");
  run("other", "", "Always", R"("schedulerName":"mine",)");
  pass(100ms);
  EXPECT_EQ(node("b"), "n3");
  EXPECT_EQ(node("other"), "") << "another scheduler assigns it";
}

TEST_F(PodLife, IsReadyWhenItsGatesAreOpen) {
  run("a", "", "Always", R"("readinessGates":[{"conditionType":"mine"}],)");
  pass(100ms);
  EXPECT_EQ(state("a"), "Running/False");
  EXPECT_EQ(condition(get(cluster_pods + "/a"), "ContainersReady"), "True");
  call("PATCH", cluster_pods + "/a/status", R"({"status":{"conditions":[{"type":"mine","status":"True"}]}})",
       "application/strategic-merge-patch+json");
  pass(100ms);
  EXPECT_EQ(state("a"), "Running/True");
  EXPECT_EQ(condition(get(cluster_pods + "/a"), "mine"), "True");
}

TEST_F(PodLife, EndsWithItsDeletion) {
  run("a", "succeed after 1h", "Never");
  pass(100ms);
  remove(cluster_pods + "/a");
  pass(1s);
  EXPECT_EQ(get(cluster_pods + "/a").status, 404);
  run_until_idle();
}

class WithoutControllers : public ServerTest {};

TEST_F(WithoutControllers, PodsDoNotRun) {
  post(cluster_pods, R"({"metadata":{"name":"a"},"spec":{"containers":[{"name":"c","image":"i"}]}})");
  run_until_idle();
  EXPECT_EQ(get(cluster_pods + "/a").at("/status/phase"), "Pending");
}

}  // namespace
}  // namespace pintle
