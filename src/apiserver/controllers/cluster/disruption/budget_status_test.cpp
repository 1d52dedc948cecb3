// SPDX-License-Identifier: Apache-2.0
// The status of PodDisruptionBudgets, which decides evictions.
#include <chrono>

#include "../test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

const std::string budget_path = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";

class BudgetStatusTest : public ClusterTest {
 protected:
  void make_budget(const std::string& spec) {
    const auto made = post(
        budget_path, R"({"metadata":{"name":"b"},"spec":{)" + spec + R"(,"selector":{"matchLabels":{"app":"x"}}}})");
    ASSERT_EQ(made.status, 201) << made.body;
  }
  // "expectedPods/currentHealthy/desiredHealthy/disruptionsAllowed"
  std::string counts() {
    const auto budget = get(budget_path + "/b");
    std::string out;
    for (const char* name : {"expectedPods", "currentHealthy", "desiredHealthy", "disruptionsAllowed"}) {
      out += (out.empty() ? "" : "/") + budget.at(std::string("/status/") + name);
    }
    return out;
  }
  TestReply evict(const std::string& name) {
    return post(cluster_pods + "/" + name + "/eviction", R"({"metadata":{"name":")" + name + "\"}}");
  }
  std::string pod(std::size_t index) { return std::string(server_.objects("pods").at(index).name()); }
};

TEST_F(BudgetStatusTest, AnEvictionIsRefusedUntilAnotherPodIsHealthy) {
  post(deployments, workload("d", 3, pod_template("ready after 10s")));
  make_budget(R"("minAvailable":2)");
  pass(5s);
  EXPECT_EQ(counts(), "3/0/2/0");
  EXPECT_EQ(evict(pod(0)).status, 429) << "no Pod is ready";
  pass(10s);
  EXPECT_EQ(counts(), "3/3/2/1");
  EXPECT_EQ(condition(get(budget_path + "/b"), "DisruptionAllowed", "reason"), "SufficientPods");

  const std::string first = pod(0);
  const std::string second = pod(1);
  EXPECT_EQ(evict(first).status, 201);
  const auto refused = evict(second);
  EXPECT_EQ(refused.status, 429);
  EXPECT_EQ(refused.at("/message"), "Cannot evict pod as it would violate the pod's disruption budget.");
  pass(2s);
  EXPECT_EQ(counts(), "3/2/2/0");
  EXPECT_EQ(condition(get(budget_path + "/b"), "DisruptionAllowed", "reason"), "InsufficientPods");
  EXPECT_EQ(get(budget_path + "/b").at("/status/disruptedPods"), "") << "the Pod is gone";
  EXPECT_EQ(evict(second).at("/details/causes/0/message"),
            "The disruption budget b needs 2 healthy pods and has 2 currently");
  pass(10s);
  EXPECT_EQ(counts(), "3/3/2/1");
  EXPECT_EQ(evict(second).status, 201);
  pass(15s);
  run_until_idle();
}

TEST_F(BudgetStatusTest, PercentagesAndMaxUnavailableCountThePodsThatControllersWant) {
  post(deployments, workload("d", 3, pod_template()));
  make_budget(R"("maxUnavailable":1)");
  pass(2s);
  EXPECT_EQ(counts(), "3/3/2/1");
  remove(budget_path + "/b");
  make_budget(R"("minAvailable":"50%")");
  pass(2s);
  EXPECT_EQ(counts(), "3/3/2/1");
  merge(budget_path + "/b", R"({"spec":{"minAvailable":"100%"}})");
  pass(2s);
  EXPECT_EQ(counts(), "3/3/3/0");
  EXPECT_EQ(get(budget_path + "/b").at("/status/observedGeneration"), "2");
}

TEST_F(BudgetStatusTest, AControllerWithoutAScaleIsAnError) {
  post("/apis/batch/v1/namespaces/default/jobs",
       R"({"metadata":{"name":"j"},"spec":{"template":{"metadata":{"labels":{"app":"x"},"annotations":
          {"pintle.dev/pod":"succeed after 1h"}},"spec":{"restartPolicy":"Never","containers":[{"name":"c","image":"i"}]}}}})");
  make_budget(R"("maxUnavailable":1)");
  pass(2s);
  const auto budget = get(budget_path + "/b");
  EXPECT_EQ(condition(budget, "DisruptionAllowed", "reason"), "SyncFailed");
  EXPECT_EQ(condition(budget, "DisruptionAllowed", "message"), "found no controllers for pod \"" + pod(0) + "\"");
}

TEST_F(BudgetStatusTest, APodThatIsNotDeletedCountsAgainAfterTwoMinutes) {
  post(cluster_pods,
       R"({"metadata":{"name":"p","labels":{"app":"x"}},"spec":{"containers":[{"name":"c","image":"i"}]}})");
  make_budget(R"("minAvailable":0)");
  pass(2s);
  EXPECT_EQ(counts(), "1/1/0/1");
  const auto now = get(budget_path + "/b").at("/status/conditions/0/lastTransitionTime");
  merge(budget_path + "/b/status", R"({"status":{"disruptedPods":{"p":")" + now + R"("}}})");
  pass(10s);
  EXPECT_EQ(counts(), "1/0/0/0");
  pass(120s);
  EXPECT_EQ(counts(), "1/1/0/1");
  EXPECT_EQ(get(budget_path + "/b").at("/status/disruptedPods"), "");
}

}  // namespace
}  // namespace pintle
