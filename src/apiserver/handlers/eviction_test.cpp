// SPDX-License-Identifier: Apache-2.0
// Evictions are counted in the status of the disruption budget (server-facts 5).
#include "../test_server.hpp"

namespace pintle {
namespace {

const std::string evicted_pods = "/api/v1/namespaces/default/pods";
const std::string disruption_budgets = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";

class Evictions : public ServerTest {
 protected:
  void make_running(const std::string& name, const std::string& ready = "True") {
    post(evicted_pods, R"({"metadata":{"name":")" + name +
                           R"(","labels":{"app":"web"}},"spec":{"containers":[{"name":"c","image":"i"}]}})");
    merge(evicted_pods + "/" + name + "/status",
          R"({"status":{"phase":"Running","conditions":[{"type":"Ready","status":")" + ready + R"("}]}})");
  }
  void make_budget(const std::string& name, const std::string& status, const std::string& spec = "") {
    post(disruption_budgets, R"({"metadata":{"name":")" + name + R"("},"spec":{"minAvailable":1,)" + spec +
                                 R"("selector":{"matchLabels":{"app":"web"}}}})");
    merge(disruption_budgets + "/" + name + "/status", R"({"status":{"observedGeneration":1,)" + status + "}}");
  }
  TestReply evict(const std::string& name, const std::string& query = "") {
    return post(evicted_pods + "/" + name + "/eviction" + query, R"({"metadata":{"name":")" + name + "\"}}");
  }
};

TEST_F(Evictions, UseUpTheDisruptionsThatABudgetAllows) {
  for (const char* name : {"a", "b", "c"}) make_running(name);
  make_budget("web", R"("disruptionsAllowed":1,"desiredHealthy":2,"currentHealthy":3,
      "conditions":[{"type":"DisruptionAllowed","status":"True","reason":"SufficientPods","message":"",
                     "lastTransitionTime":"2020-01-01T00:00:00Z"}])");
  EXPECT_EQ(evict("a", "?dryRun=All").status, 201);
  EXPECT_EQ(get(disruption_budgets + "/web").at("/status/disruptionsAllowed"), "1");

  EXPECT_EQ(evict("a").status, 201);
  EXPECT_EQ(evict("b").status, 429);
  const auto refused = evict("c");
  EXPECT_EQ(refused.at("/details/causes/0/message"),
            "The disruption budget web needs 2 healthy pods and has 3 currently");
  EXPECT_EQ(names("pods"), "b c");
  const auto budget = get(disruption_budgets + "/web");
  EXPECT_EQ(budget.at("/status/disruptionsAllowed"), "0");
  EXPECT_NE(budget.at("/status/disruptedPods/a"), "");
  EXPECT_EQ(budget.at("/status/conditions/0/status"), "False");
  EXPECT_EQ(budget.at("/status/conditions/0/reason"), "InsufficientPods");
}

TEST_F(Evictions, WaitForABudgetThatNoControllerHasProcessed) {
  make_running("a");
  post(disruption_budgets, R"({"metadata":{"name":"web"},"spec":{"selector":{"matchLabels":{"app":"web"}}}})");
  const auto refused = evict("a");
  EXPECT_EQ(refused.status, 429);
  EXPECT_EQ(refused.at("/details/causes/0/message"),
            "The disruption budget web is still being processed by the server.");
  EXPECT_EQ(refused.headers.get("Retry-After"), "10");
}

TEST_F(Evictions, OfAPodThatIsNotReadyNeedNoDisruptionIfTheBudgetIsHealthy) {
  make_running("a", "False");
  make_running("b", "False");
  make_budget("web", R"("disruptionsAllowed":0,"desiredHealthy":1,"currentHealthy":0)");
  EXPECT_EQ(evict("a").status, 429);
  merge(disruption_budgets + "/web/status", R"({"status":{"currentHealthy":1}})");
  EXPECT_EQ(evict("a").status, 201);
  merge(disruption_budgets + "/web/status", R"({"status":{"currentHealthy":0}})");
  merge(disruption_budgets + "/web", R"({"spec":{"unhealthyPodEvictionPolicy":"AlwaysAllow"}})");
  EXPECT_EQ(evict("b").status, 201);
}

TEST_F(Evictions, OfAPodWithTwoBudgetsFail) {
  make_running("a");
  make_budget("one", R"("disruptionsAllowed":1)");
  make_budget("two", R"("disruptionsAllowed":1)");
  const auto refused = evict("a");
  EXPECT_EQ(refused.status, 500);
  EXPECT_EQ(refused.at("/message"),
            "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.");
}

}  // namespace
}  // namespace pintle
