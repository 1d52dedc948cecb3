// SPDX-License-Identifier: Apache-2.0
// The taints of Nodes.
#include <chrono>

#include "../test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

class TaintsTest : public ClusterTest {
 protected:
  void add_node(const std::string& name, const std::string& taints = "") {
    const auto made =
        post("/api/v1/nodes", R"({"metadata":{"name":")" + name + R"("},"spec":{"taints":[)" + taints + "]}}");
    ASSERT_EQ(made.status, 201) << made.body;
  }
  void taint(const std::string& name, const std::string& taints) {
    EXPECT_EQ(merge("/api/v1/nodes/" + name, R"({"spec":{"taints":[)" + taints + "]}}").status, 200);
  }
  static std::string taint_of(const std::string& effect, const std::string& key = "k") {
    return R"({"key":")" + key + R"(","value":"v","effect":")" + effect + "\"}";
  }
  void make_pod(const std::string& name, const std::string& toleration = "") {
    post(cluster_pods, R"({"metadata":{"name":")" + name + R"("},"spec":{"tolerations":[)" + toleration +
                           R"(],"containers":[{"name":"c","image":"i"}]}})");
  }
  std::string node_of(const std::string& name) { return get(cluster_pods + "/" + name).at("/spec/nodeName"); }
};

TEST_F(TaintsTest, APodIsOnlyAssignedToANodeWhoseTaintsItTolerates) {
  add_node("n1", taint_of("NoSchedule"));
  make_pod("a");
  make_pod("b", R"({"key":"k","value":"v","effect":"NoSchedule"})");
  make_pod("c", R"({"key":"k","value":"other"})");
  make_pod("d", R"({"operator":"Exists"})");
  make_pod("e", R"({"key":"k","operator":"Exists","effect":"NoExecute"})");
  pass(1s);
  EXPECT_EQ(node_of("a"), "");
  EXPECT_EQ(condition(get(cluster_pods + "/a"), "PodScheduled", "reason"), "Unschedulable");
  EXPECT_EQ(node_of("b"), "n1");
  EXPECT_EQ(node_of("c"), "");
  EXPECT_EQ(node_of("d"), "n1");
  EXPECT_EQ(node_of("e"), "");
  taint("n1", "");
  pass(1s);
  EXPECT_EQ(node_of("a"), "n1");
}

TEST_F(TaintsTest, NoExecuteEndsPodsAfterTheirTolerationSeconds) {
  add_node("n1");
  make_pod("a");
  make_pod("b", R"({"key":"k","operator":"Exists","effect":"NoExecute","tolerationSeconds":30})");
  make_pod("c", R"({"key":"k","operator":"Exists","effect":"NoExecute"})");
  pass(1s);
  taint("n1", taint_of("NoSchedule"));
  pass(60s);
  EXPECT_EQ(names("pods"), "a b c");
  taint("n1", taint_of("NoExecute"));
  pass(5s);
  EXPECT_EQ(names("pods"), "b c");
  pass(30s);
  EXPECT_EQ(names("pods"), "c");
  run_until_idle();
}

TEST_F(TaintsTest, ARemovedTaintEndsNoPod) {
  add_node("n1");
  make_pod("b", R"({"key":"k","operator":"Exists","effect":"NoExecute","tolerationSeconds":30})");
  pass(1s);
  taint("n1", taint_of("NoExecute"));
  pass(20s);
  taint("n1", "");
  pass(60s);
  EXPECT_EQ(names("pods"), "b");
  taint("n1", taint_of("NoExecute"));
  pass(20s);
  EXPECT_EQ(names("pods"), "b") << "its time begins again";
  pass(15s);
  EXPECT_EQ(names("pods"), "");
}

TEST_F(TaintsTest, ANodeIsReadyUntilAClientSaysOtherwise) {
  add_node("n1");
  make_pod("a");
  run_until_idle();
  EXPECT_EQ(condition(get("/api/v1/nodes/n1"), "Ready"), "True");
  EXPECT_EQ(get("/api/v1/nodes/n1").at("/spec/taints"), "");
  merge("/api/v1/nodes/n1/status", R"({"status":{"conditions":[{"type":"Ready","status":"Unknown"}]}})");
  pass(1s);
  EXPECT_EQ(get("/api/v1/nodes/n1").at("/spec/taints/1/key"), "node.kubernetes.io/unreachable");
  EXPECT_EQ(get("/api/v1/nodes/n1").at("/spec/taints/1/effect"), "NoExecute");
  pass(290s);
  EXPECT_EQ(names("pods"), "a") << "Pods tolerate this for 300 seconds";
  pass(20s);
  EXPECT_EQ(names("pods"), "");
  merge("/api/v1/nodes/n1/status", R"({"status":{"conditions":[{"type":"Ready","status":"True"}]}})");
  merge("/api/v1/nodes/n1", R"({"spec":{"unschedulable":true}})");
  run_until_idle();
  EXPECT_EQ(get("/api/v1/nodes/n1").at("/spec/taints/0/key"), "node.kubernetes.io/unschedulable");
  EXPECT_EQ(get("/api/v1/nodes/n1").at("/spec/taints/1"), "");
}

TEST_F(TaintsTest, ADaemonSetStartsPodsWhereTheyTolerateTheTaints) {
  add_node("n1");
  add_node("n2", taint_of("NoSchedule"));
  add_node("n3");
  post(
      "/apis/apps/v1/namespaces/default/daemonsets",
      R"({"metadata":{"name":"d"},"spec":{"selector":{"matchLabels":{"app":"x"}},"template":)" + pod_template() + "}}");
  pass(1s);
  const auto nodes = [&] {
    std::set<std::string> all;
    for (const Object& pod : server_.objects("pods")) all.emplace(pod["/spec/nodeName"].text());
    return all;
  };
  EXPECT_EQ(nodes(), (std::set<std::string>{"n1", "n3"}));
  merge("/api/v1/nodes/n3/status", R"({"status":{"conditions":[{"type":"Ready","status":"False"}]}})");
  taint("n1", taint_of("NoSchedule"));
  pass(2s);
  EXPECT_EQ(nodes(), (std::set<std::string>{"n1", "n3"})) << "a running Pod stays";
  const auto set = get("/apis/apps/v1/namespaces/default/daemonsets/d");
  EXPECT_EQ(set.at("/status/desiredNumberScheduled"), "0");
  EXPECT_EQ(set.at("/status/numberMisscheduled"), "2");
  taint("n1", taint_of("NoExecute"));
  pass(2s);
  EXPECT_EQ(nodes(), (std::set<std::string>{"n3"}));
}

}  // namespace
}  // namespace pintle
