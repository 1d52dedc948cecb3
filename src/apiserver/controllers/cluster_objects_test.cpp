// SPDX-License-Identifier: Apache-2.0
// The objects of a new cluster (server-facts 4).
#include "../test_server.hpp"

namespace pintle {
namespace {

class StartObjects : public ServerTest {
 protected:
  StartObjects() : ServerTest({.cluster_objects = true}) {}
};

TEST_F(StartObjects, AreThoseThatAKubeApiserverCreates) {
  EXPECT_EQ(get("/api/v1/namespaces/default/services/kubernetes").at("/spec/ports/0/name"), "https");
  EXPECT_EQ(get("/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes").at("/ports/0/port"), "6443");
  EXPECT_EQ(get("/api/v1/namespaces/default/endpoints/kubernetes").at("/subsets/0/ports/0/port"), "6443");
  EXPECT_EQ(get("/apis/networking.k8s.io/v1/servicecidrs/kubernetes").at("/spec/cidrs/0"), "10.96.0.0/12");
  EXPECT_EQ(get("/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication").status, 200);
  EXPECT_EQ(names("priorityclasses.scheduling.k8s.io"), "system-cluster-critical system-node-critical");
  EXPECT_EQ(names("prioritylevelconfigurations.flowcontrol.apiserver.k8s.io"),
            "catch-all exempt global-default leader-election node-high system workload-high workload-low");
  EXPECT_EQ(get("/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas/probes").at("/status/conditions/0/type"),
            "Dangling");
  const auto local = get("/apis/apiregistration.k8s.io/v1/apiservices/v2.autoscaling");
  EXPECT_EQ(local.at("/spec/versionPriority"), "30");
  EXPECT_EQ(local.at("/status/conditions/0/reason"), "Local");
  EXPECT_EQ(get("/apis/apiregistration.k8s.io/v1/apiservices/v1.").status, 200);
}

// Each could have been created by a request: a replacement by itself changes and refuses nothing.
TEST_F(StartObjects, HaveTheFormOfTheirKinds) {
  for (const char* collection :
       {"/api/v1/namespaces/default/services", "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices",
        "/api/v1/namespaces/default/endpoints", "/apis/networking.k8s.io/v1/servicecidrs",
        "/apis/networking.k8s.io/v1/ipaddresses", "/apis/scheduling.k8s.io/v1/priorityclasses",
        "/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas",
        "/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations",
        "/apis/apiregistration.k8s.io/v1/apiservices"}) {
    const auto list = get(collection);
    for (const json::Value& item : list.json.at("items").as_array()) {
      const std::string name(item.at_pointer("/metadata/name").as_string());
      const auto writes = server_.writes();
      const auto replaced = put(std::string(collection) + "/" + name + "?fieldValidation=Strict", json::print(item));
      EXPECT_EQ(replaced.status, 200) << replaced.body;
      EXPECT_EQ(server_.writes(), writes) << replaced.body << "\n" << json::print(item);
    }
  }
}

TEST_F(StartObjects, TheServiceOfTheServerReturnsAfterADeletion) {
  const std::string service = "/api/v1/namespaces/default/services/kubernetes";
  const std::string slice = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes";
  const std::string before = get(service).at("/metadata/uid");
  EXPECT_EQ(remove(service).status, 200);
  run_until_idle();
  const auto restored = get(service);
  EXPECT_EQ(restored.at("/spec/ports/0/name"), "https") << restored.body;
  EXPECT_NE(restored.at("/metadata/uid"), before);

  for (const std::string& path : {slice, std::string("/api/v1/namespaces/default/endpoints/kubernetes")}) {
    EXPECT_EQ(remove(path).status, 200);
    run_until_idle();
    EXPECT_EQ(get(path).status, 200) << path;
  }
}

TEST_F(StartObjects, TheServerReportsItsComponents) {
  const auto list = get("/api/v1/componentstatuses");
  EXPECT_EQ(list.at("/items/0/metadata/name"), "etcd-0");
  EXPECT_EQ(list.at("/items/0/conditions/0/status"), "True");
  EXPECT_EQ(get("/api/v1/componentstatuses/etcd-0").at("/conditions/0/message"), "ok");
  EXPECT_EQ(list.headers.get("Warning"), "299 - \"v1 ComponentStatus is deprecated in v1.19+\"");
}

class WithoutClusterObjects : public ServerTest {};

// server-facts 21
TEST_F(WithoutClusterObjects, AFlowSchemaWithoutItsLevelIsDangling) {
  const std::string group = "/apis/flowcontrol.apiserver.k8s.io/v1";
  post(group + "/flowschemas", R"({"metadata":{"name":"f"},"spec":{"matchingPrecedence":5,
      "priorityLevelConfiguration":{"name":"l"}}})");
  run_until_idle();
  EXPECT_EQ(get(group + "/flowschemas/f").at("/status/conditions/0/reason"), "NotFound");
  post(group + "/prioritylevelconfigurations", R"({"metadata":{"name":"l"},"spec":{"type":"Exempt"}})");
  run_until_idle();
  EXPECT_EQ(get(group + "/flowschemas/f").at("/status/conditions/0/reason"), "Found");
  EXPECT_EQ(get(group + "/flowschemas/f").at("/status/conditions/0/status"), "False");
}

TEST_F(WithoutClusterObjects, AServerHasOnlyNamespaces) {
  EXPECT_EQ(names("services") + names("apiservices.apiregistration.k8s.io"), "");
}

}  // namespace
}  // namespace pintle
