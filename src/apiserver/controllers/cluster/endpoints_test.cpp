// SPDX-License-Identifier: Apache-2.0
#include "test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

class EndpointsTest : public ClusterTest {
 protected:
  static inline const std::string services = "/api/v1/namespaces/default/services";

  void SetUp() override {
    ASSERT_EQ(post(services, R"({"metadata":{"name":"s","labels":{"l":"1"}},"spec":{"selector":{"app":"x"},
                               "ports":[{"name":"http","port":80,"targetPort":"web"}]}})")
                  .status,
              201);
  }
  void run(const std::string& name, const std::string& script, int port = 8080) {
    ASSERT_EQ(post(cluster_pods, R"({"metadata":{"name":")" + name + R"(","labels":{"app":"x"},
                     "annotations":{"pintle.dev/pod":")" +
                                     script + R"("}},"spec":{"containers":[{"name":"c","image":"i",
                     "ports":[{"name":"web","containerPort":)" +
                                     std::to_string(port) + "}]}]}}")
                  .status,
              201);
  }
  TestReply endpoints() { return get("/api/v1/namespaces/default/endpoints/s"); }
  TestReply slices() {
    return get(
        "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices?labelSelector=kubernetes.io/service-name=s");
  }
};

TEST_F(EndpointsTest, ContainThePodsThatAreReady) {
  run("a", "ready after 0s");
  run("b", "ready after 5s");
  pass(1s);
  const auto before = endpoints();
  EXPECT_EQ(before.at("/subsets/0/addresses/0/targetRef/name"), "a");
  EXPECT_EQ(before.at("/subsets/0/addresses/0/ip"), get(cluster_pods + "/a").at("/status/podIP"));
  EXPECT_EQ(before.at("/subsets/0/notReadyAddresses/0/targetRef/name"), "b");
  EXPECT_EQ(before.at("/subsets/0/ports"), R"([{"name":"http","port":8080,"protocol":"TCP"}])");
  EXPECT_EQ(before.at("/metadata/labels/l"), "1");
  EXPECT_EQ(slices().at("/items/0/endpoints/1/conditions/ready"), "false");
  pass(5s);
  EXPECT_EQ(endpoints().at("/subsets/0/addresses/1/targetRef/name"), "b");
  EXPECT_EQ(slices().at("/items/0/endpoints/1/conditions/ready"), "true");
  EXPECT_EQ(slices().at("/items/0/ports/0/port"), "8080");
  EXPECT_EQ(slices().at("/items/0/addressType"), "IPv4");
  run_until_idle();
}

TEST_F(EndpointsTest, FollowTheLabelsAndTheDeletionOfPods) {
  run("a", "");
  run("b", "");
  pass(1s);
  merge(cluster_pods + "/a", R"({"metadata":{"labels":{"app":"other"}}})");
  remove(cluster_pods + "/b");
  pass(1s);
  EXPECT_EQ(endpoints().at("/subsets"), "");
  EXPECT_EQ(slices().at("/items"), "[]");
}

TEST_F(EndpointsTest, AreGroupedByTheNumbersOfTheirPorts) {
  run("a", "", 8080);
  run("b", "", 9090);
  pass(1s);
  EXPECT_EQ(endpoints().at("/subsets/0/ports/0/port"), "8080");
  EXPECT_EQ(endpoints().at("/subsets/1/ports/0/port"), "9090");
  EXPECT_EQ(slices().at("/items/1/endpoints/0/addresses").substr(0, 5), "[\"10.");
}

TEST_F(EndpointsTest, EndWithTheService) {
  run("a", "");
  pass(1s);
  remove(services + "/s");
  pass(2s);
  EXPECT_EQ(endpoints().status, 404);
  EXPECT_EQ(slices().at("/items"), "[]");
}

TEST_F(EndpointsTest, OfAServiceWithoutASelectorBelongToTheClient) {
  post(services, R"({"metadata":{"name":"mine"},"spec":{"ports":[{"port":80}]}})");
  pass(1s);
  EXPECT_EQ(get("/api/v1/namespaces/default/endpoints/mine").status, 404);
}

}  // namespace
}  // namespace pintle
