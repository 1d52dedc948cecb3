// SPDX-License-Identifier: Apache-2.0
#include "test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

const std::string daemon_sets = "/apis/apps/v1/namespaces/default/daemonsets";

class DaemonSetTest : public ClusterTest {
 protected:
  void add_node(const std::string& name, const std::string& disk = "ssd") {
    post("/api/v1/nodes", R"({"metadata":{"name":")" + name + R"(","labels":{"disk":")" + disk + R"("}}})");
  }
  void start(const std::string& pod_template) {
    const auto made =
        post(daemon_sets, R"({"metadata":{"name":"d"},"spec":{"selector":{"matchLabels":{"app":"x"}},"template":)" +
                              pod_template + "}}");
    ASSERT_EQ(made.status, 201) << made.body;
  }
  TestReply read() { return get(daemon_sets + "/d"); }
  std::string status(const char* member) { return read().at(std::string("/status/") + member); }
  std::string nodes() {
    std::set<std::string> all;
    for (const Object& pod : server_.objects("pods")) all.emplace(pod["/spec/nodeName"].text());
    std::string out;
    for (const std::string& node : all) out += (out.empty() ? "" : " ") + node;
    return out;
  }
};

TEST_F(DaemonSetTest, RunsOnePodOnEachNode) {
  add_node("n1");
  add_node("n2");
  start(pod_template());
  pass(1s);
  EXPECT_EQ(nodes(), "n1 n2");
  EXPECT_EQ(count("pods"), 2U);
  for (const char* name :
       {"currentNumberScheduled", "desiredNumberScheduled", "numberReady", "numberAvailable", "updatedNumberScheduled"})
    EXPECT_EQ(status(name), "2") << name;
  EXPECT_EQ(status("numberMisscheduled"), "0");
  EXPECT_EQ(status("observedGeneration"), "1");
  run_until_idle();
}

TEST_F(DaemonSetTest, FollowsTheNodes) {
  add_node("n1");
  start(pod_template("", "i", R"("nodeSelector":{"disk":"ssd"},)"));
  add_node("n2");
  add_node("n3", "hdd");
  pass(1s);
  EXPECT_EQ(nodes(), "n1 n2");
  merge("/api/v1/nodes/n3", R"({"metadata":{"labels":{"disk":"ssd"}}})");
  remove("/api/v1/nodes/n1");
  pass(1s);
  EXPECT_EQ(nodes(), "n2 n3");
  EXPECT_EQ(status("desiredNumberScheduled"), "2");
}

TEST_F(DaemonSetTest, ReplacesOnePodAtATime) {
  for (const char* node : {"n1", "n2", "n3"}) add_node(node);
  start(pod_template("ready after 5s", "one"));
  pass(6s);
  merge(daemon_sets + "/d", R"({"spec":{"template":)" + pod_template("ready after 5s", "two") + "}}");
  for (int i = 0; i < 250; ++i) {
    pass(100ms);
    EXPECT_GE(ready_pods(), 2U);
  }
  for (const Object& pod : server_.objects("pods")) EXPECT_EQ(pod["/spec/containers/0/image"], "two");
  EXPECT_EQ(status("updatedNumberScheduled"), "3");
  EXPECT_EQ(status("numberAvailable"), "3");
  run_until_idle();
}

TEST_F(DaemonSetTest, ReplacesAPodThatFailed) {
  add_node("n1");
  start(pod_template());
  pass(1s);
  merge(cluster_pods + "/" + names("pods") + "/status", R"({"status":{"phase":"Failed"}})");
  pass(2s);
  EXPECT_EQ(ready_pods(), 1U);
  EXPECT_EQ(count("pods"), 1U);
}

}  // namespace
}  // namespace pintle
