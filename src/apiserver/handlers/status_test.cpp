// SPDX-License-Identifier: Apache-2.0
// The metadata in writes of the subresource status (server-facts 1).
#include "../test_server.hpp"

namespace pintle {
namespace {

const std::string metadata_patch =
    R"({"metadata":{"labels":{"l":"1"},"annotations":{"a":"1"},"finalizers":["a.dev/f"],
        "ownerReferences":[{"apiVersion":"v1","kind":"ConfigMap","name":"o","uid":"u"}]}})";
const std::string status_pod_spec = R"({"containers":[{"name":"c","image":"i"}]})";

class StatusWrites : public ServerTest {
 protected:
  // Returns the members of metadata that a write of the status changed: "labels annotations".
  std::string written(const std::string& collection, const std::string& object) {
    const auto made = post(collection, object);
    EXPECT_EQ(made.status, 201) << made.body;
    const auto reply = merge(collection + "/" + made.at("/metadata/name") + "/status", metadata_patch);
    EXPECT_EQ(reply.status, 200) << reply.body;
    std::string out;
    for (const auto& [name, pointer] :
         {std::pair("labels", "/metadata/labels/l"), std::pair("annotations", "/metadata/annotations/a"),
          std::pair("finalizers", "/metadata/finalizers/0"),
          std::pair("ownerReferences", "/metadata/ownerReferences/0")}) {
      if (!reply.at(pointer).empty()) out += (out.empty() ? "" : " ") + std::string(name);
    }
    return out;
  }
};

TEST_F(StatusWrites, KeepTheMetadataOfMostBuiltInKinds) {
  const std::string all = "labels annotations finalizers ownerReferences";
  const std::string set = R"({"metadata":{"name":"a"},"spec":{"selector":{"matchLabels":{"x":"y"}},"template":
      {"metadata":{"labels":{"x":"y"}},"spec":)" +
                          status_pod_spec + "}}}";
  EXPECT_EQ(written("/apis/apps/v1/namespaces/default/replicasets", set), all);
  EXPECT_EQ(written("/api/v1/nodes", R"({"metadata":{"name":"n"}})"), all);
  EXPECT_EQ(written("/api/v1/namespaces/default/resourcequotas", R"({"metadata":{"name":"q"}})"), all);
  EXPECT_EQ(written("/apis/policy/v1/namespaces/default/poddisruptionbudgets", R"({"metadata":{"name":"b"}})"), all);
  EXPECT_EQ(written(definitions, widget_definition("kept.dev")), all);
}

TEST_F(StatusWrites, DropTheLabelsOfDeploymentsAndTheOwnersOfPodsAndNamespaces) {
  const std::string deployment = R"({"metadata":{"name":"a"},"spec":{"selector":{"matchLabels":{"x":"y"}},"template":
      {"metadata":{"labels":{"x":"y"}},"spec":)" +
                                 status_pod_spec + "}}}";
  EXPECT_EQ(written("/apis/apps/v1/namespaces/default/deployments", deployment),
            "annotations finalizers ownerReferences");
  EXPECT_EQ(written("/api/v1/namespaces/default/pods", R"({"metadata":{"name":"p"},"spec":)" + status_pod_spec + "}"),
            "labels annotations finalizers");
  EXPECT_EQ(written("/api/v1/namespaces", R"({"metadata":{"name":"n"}})"), "labels annotations finalizers");
}

TEST_F(StatusWrites, DropAllMetadataOfSomeKinds) {
  EXPECT_EQ(written("/apis/storage.k8s.io/v1/volumeattachments",
                    R"({"metadata":{"name":"a"},"spec":{"attacher":"a","nodeName":"n","source":{}}})"),
            "");
  EXPECT_EQ(written("/apis/apiregistration.k8s.io/v1/apiservices",
                    R"({"metadata":{"name":"v1.x.dev"},"spec":{"group":"x.dev","version":"v1",
                        "groupPriorityMinimum":1000,"versionPriority":15}})"),
            "");
}

TEST_F(StatusWrites, DropAllMetadataOfCustomKinds) {
  post(definitions, widget_definition("st.dev", R"("subresources":{"status":{}},)"));
  run_until_idle();
  EXPECT_EQ(written("/apis/st.dev/v1/namespaces/default/widgets",
                    R"({"apiVersion":"st.dev/v1","kind":"Widget","metadata":{"name":"w"}})"),
            "");
}

TEST_F(StatusWrites, ReplaceAndApplyKeepAnnotations) {
  const std::string nodes = "/api/v1/nodes";
  post(nodes, R"({"metadata":{"name":"n"}})");
  put(nodes + "/n/status", R"({"metadata":{"name":"n","annotations":{"put":"1"}}})");
  EXPECT_EQ(get(nodes + "/n").at("/metadata/annotations/put"), "1");

  const auto applied = apply(nodes + "/n/status?fieldManager=m",
                             R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"n","labels":{"l":"1"}},
                                 "spec":{"unschedulable":true}})");
  EXPECT_EQ(applied.at("/metadata/labels/l"), "1") << applied.body;
  EXPECT_EQ(applied.at("/spec/unschedulable"), "");
  EXPECT_EQ(applied.at("/metadata/annotations/put"), "1");
}

TEST_F(StatusWrites, TheLastFinalizerMayBeRemovedByAStatusWrite) {
  const std::string quotas = "/api/v1/namespaces/default/resourcequotas";
  post(quotas, R"({"metadata":{"name":"q","finalizers":["a.dev/f"]}})");
  remove(quotas + "/q");
  EXPECT_EQ(get(quotas + "/q").status, 200);
  merge(quotas + "/q/status", R"({"metadata":{"finalizers":null}})");
  EXPECT_EQ(get(quotas + "/q").status, 404);
}

}  // namespace
}  // namespace pintle
