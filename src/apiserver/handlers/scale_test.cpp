// SPDX-License-Identifier: Apache-2.0
// Patches of the subresource scale (server-facts 6).
#include "../test_server.hpp"

namespace pintle {
namespace {

const std::string scaled_deployments = "/apis/apps/v1/namespaces/default/deployments";

class Scales : public ServerTest {
 protected:
  void SetUp() override {
    post(scaled_deployments + "?fieldManager=maker", R"({"metadata":{"name":"d"},"spec":{"replicas":2,"selector":
        {"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":
        [{"name":"c","image":"i"}]}}}})");
  }
  static std::string scale(int replicas) {
    return R"({"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"d"},"spec":{"replicas":)" +
           std::to_string(replicas) + "}}";
  }
};

TEST_F(Scales, TakeAStrategicMergePatch) {
  const auto scaled = call("PATCH", scaled_deployments + "/d/scale", R"({"spec":{"replicas":4}})",
                           "application/strategic-merge-patch+json");
  EXPECT_EQ(scaled.at("/spec/replicas"), "4") << scaled.body;
  EXPECT_EQ(get(scaled_deployments + "/d").at("/spec/replicas"), "4");
}

TEST_F(Scales, AnApplyOwnsTheReplicas) {
  const std::string target = scaled_deployments + "/d/scale?fieldManager=scaler";
  const auto refused = apply(target, scale(5));
  EXPECT_EQ(refused.status, 409) << refused.body;
  EXPECT_EQ(refused.causes(), "FieldManagerConflict@.spec.replicas");

  EXPECT_EQ(apply(target + "&force=true", scale(5)).at("/spec/replicas"), "5");
  const auto owned = get(scaled_deployments + "/d");
  EXPECT_EQ(owned.at("/spec/replicas"), "5");
  EXPECT_EQ(owned.at("/metadata/managedFields/0/manager"), "scaler");
  EXPECT_EQ(owned.at("/metadata/managedFields/0/operation"), "Apply");
  EXPECT_EQ(owned.at("/metadata/managedFields/0/apiVersion"), "apps/v1");
  EXPECT_EQ(owned.at("/metadata/managedFields/0/subresource"), "scale");
  EXPECT_EQ(owned.at("/metadata/managedFields/0/fieldsV1"), R"({"f:spec":{"f:replicas":{}}})");
  EXPECT_EQ(apply(scaled_deployments + "/d/scale", scale(5)).status, 422);  // without a field manager
  EXPECT_EQ(apply(target, R"({"spec":{"replicas":5}})").status, 400);
}

TEST_F(Scales, AreForTheObjectInTheirPath) {
  const std::string target = scaled_deployments + "/d/scale";
  for (const char* body :
       {"{}", "[]", R"({"metadata":{"name":"e"},"spec":{"replicas":5}})",
        R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"d"},"spec":{"replicas":5}})",
        R"({"kind":"Deployment","metadata":{"name":"d"},"spec":{"replicas":5}})",
        R"({"metadata":{"name":"d","namespace":"other"},"spec":{"replicas":5}})",
        R"({"metadata":{"name":"d"},"spec":{"replicas":"5"}})"}) {
    EXPECT_EQ(put(target, body).status, 400) << body;
  }
  EXPECT_EQ(put(target, "{}").at("/message"),
            "the name of the object (d based on URL) was undeterminable: name must be provided");
  EXPECT_EQ(call("PATCH", target, R"([{"op":"replace","path":"","value":[]}])", "application/json-patch+json").status,
            400);
  EXPECT_EQ(merge(target, R"({"metadata":{"name":"e"},"spec":{"replicas":5}})").status, 400);
  EXPECT_EQ(get(target).at("/spec/replicas"), "2");
  EXPECT_EQ(put(target, scale(5)).at("/spec/replicas"), "5");
}

TEST_F(Scales, OfCustomKindsTakeNoStrategicMergePatch) {
  post(definitions, widget_definition("sc.dev", R"("subresources":{"scale":{"specReplicasPath":".spec.replicas",
      "statusReplicasPath":".status.replicas"}},)"));
  run_until_idle();
  const std::string widgets = "/apis/sc.dev/v1/namespaces/default/widgets";
  post(widgets, R"({"apiVersion":"sc.dev/v1","kind":"Widget","metadata":{"name":"d"},"spec":{"replicas":1}})");
  EXPECT_EQ(call("PATCH", widgets + "/d/scale", "{}", "application/strategic-merge-patch+json").status, 415);
  EXPECT_EQ(apply(widgets + "/d/scale?fieldManager=m&force=1", scale(3)).at("/spec/replicas"), "3");
}

}  // namespace
}  // namespace pintle
