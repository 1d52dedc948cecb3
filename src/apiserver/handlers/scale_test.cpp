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

TEST_F(Scales, HaveAtLeastZeroReplicas) {
  EXPECT_EQ(merge(scaled_deployments + "/d/scale", R"({"spec":{"replicas":-1}})").at("/message"),
            "Scale.autoscaling \"d\" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0");
}

class CustomScales : public Scales {
 protected:
  void SetUp() override {
    post(definitions, R"({"metadata":{"name":"ships.sc.dev"},"spec":{"group":"sc.dev","scope":"Namespaced",
        "names":{"plural":"ships","kind":"Ship"},"versions":[{"name":"v1","served":true,"storage":true,
        "subresources":{"scale":{"specReplicasPath":".spec.count","statusReplicasPath":".status.count",
          "labelSelectorPath":".status.selector"}},
        "additionalPrinterColumns":[{"name":"Whole","type":"integer","jsonPath":".spec.real"},
          {"name":"Text","type":"string","jsonPath":".spec.real"},{"name":"Map","type":"string","jsonPath":".spec.map"},
          {"name":"When","type":"date","jsonPath":".spec.text"},{"name":"Number","type":"number","jsonPath":".spec.text"}],
        "schema":{"openAPIV3Schema":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}]}})");
    run_until_idle();
  }
  TestReply make(const std::string& name, const std::string& spec) {
    return post(ships, R"({"apiVersion":"sc.dev/v1","kind":"Ship","metadata":{"name":")" + name + R"("},"spec":{)" +
                           spec + "}}");
  }
  const std::string ships = "/apis/sc.dev/v1/namespaces/default/ships";
  const std::string as_table = "application/json;as=Table;v=v1;g=meta.k8s.io";
};

TEST_F(CustomScales, RefuseReplicasThatAScaleCannotContain) {
  const std::string prefix = "Ship.sc.dev \"a\" is invalid: ";
  EXPECT_EQ(make("a", R"("count":-1)").at("/message"),
            prefix + ".spec.count: Invalid value: -1: should be a non-negative integer");
  EXPECT_EQ(make("a", R"("count":2147483648)").at("/message"),
            prefix + ".spec.count: Invalid value: 2147483648: should be less than or equal to 2147483647");
  EXPECT_EQ(
      make("a", R"("count":"two")").at("/message"),
      prefix + ".spec.count: Invalid value: 0: .spec.count accessor error: two is of the type string, expected int64");
  EXPECT_EQ(make("a", R"("count":2147483647)").status, 201);
  EXPECT_EQ(merge(ships + "/a/scale", R"({"spec":{"replicas":-1}})").at("/message"),
            prefix + ".spec.count: Invalid value: -1: should be a non-negative integer");
}

TEST_F(CustomScales, APatchSetsReplicasThatAreMissing) {
  make("a", "");
  EXPECT_EQ(get(ships + "/a/scale").at("/spec/replicas"), "0");
  EXPECT_EQ(merge(ships + "/a/scale", R"({"metadata":{"labels":{}}})").at("/message"),
            "the spec replicas field \".spec.count\" cannot be empty");
  EXPECT_EQ(merge(ships + "/a/scale", R"({"spec":{"replicas":3}})").at("/spec/replicas"), "3");
}

TEST_F(CustomScales, AreTables) {
  make("a", R"("count":3)");
  const auto table = get(ships + "/a/scale", as_table);
  EXPECT_EQ(table.at("/kind"), "Table") << table.body;
  EXPECT_EQ(table.at("/columnDefinitions/1/name") + " " + table.at("/columnDefinitions/2/name"), "Desired Available");
  EXPECT_EQ(table.at("/rows/0/cells/0") + " " + table.at("/rows/0/cells/1") + " " + table.at("/rows/0/cells/2"),
            "a 3 0");
}

TEST_F(CustomScales, ColumnsPrintValuesOfOtherTypes) {
  make("a", R"("real":1234567.5,"map":{"b":1,"a":[true]},"text":"soon")");
  make("b", R"("real":2.5,"text":"")");
  const auto table = get(ships, as_table);
  EXPECT_EQ(table.at("/rows/0/cells"), R"(["a",1234567,"1.2345675e+06","{\"a\":[true],\"b\":1}","<invalid>",null])");
  EXPECT_EQ(table.at("/rows/1/cells"), R"(["b",2,"2.5",null,"<unknown>",null])");
  EXPECT_EQ(table.at("/columnDefinitions/1/description"),
            "Custom resource definition column (in JSONPath format): .spec.real");
}

}  // namespace
}  // namespace pintle
