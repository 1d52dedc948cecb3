// SPDX-License-Identifier: Apache-2.0
// Server-side apply and patches in cases without a recording.
#include "apiserver/test_server.hpp"

namespace pintle {
namespace {

const std::string last_applied = "kubectl.kubernetes.io~1last-applied-configuration";

class Apply : public ServerTest {
 protected:
  TestReply strategic(const std::string& target, const std::string& body) {
    return call("PATCH", target, body, "application/strategic-merge-patch+json");
  }
  // As `kubectl apply` stores an object.
  void apply_on_the_client(const std::string& data) {
    const std::string text =
        R"({\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\"},\"data\":)" + quoted(data) + "}";
    const auto made =
        post(config_maps + "?fieldManager=kubectl-client-side-apply",
             R"({"metadata":{"name":"a","annotations":{"kubectl.kubernetes.io/last-applied-configuration":")" + text +
                 R"("}},"data":)" + data + "}");
    ASSERT_EQ(made.status, 201) << made.body;
  }
  static std::string quoted(const std::string& json) {
    std::string out;
    for (const char c : json) out += c == '"' ? std::string("\\\"") : std::string(1, c);
    return out;
  }
  static std::string configuration(const std::string& data) {
    return R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":)" + data + "}";
  }
};

// server-facts 3
TEST_F(Apply, OfKubectlTakesOverTheFieldsOfItsClientSideApply) {
  apply_on_the_client(R"({"k":"1"})");
  EXPECT_EQ(apply(config_maps + "/a?fieldManager=other", configuration(R"({"k":"2"})")).status, 409);

  const auto taken = apply(config_maps + "/a?fieldManager=kubectl", configuration(R"({"k":"2"})"));
  EXPECT_EQ(taken.status, 200) << taken.body;
  EXPECT_EQ(taken.at("/data/k"), "2");
  EXPECT_EQ(taken.at("/metadata/annotations/" + last_applied),
            R"({"apiVersion":"v1","data":{"k":"2"},"kind":"ConfigMap","metadata":{"name":"a"}})"
            "\n");
}

TEST_F(Apply, OfKubectlConflictsIfTheFieldHasChangedSinceItsClientSideApply) {
  apply_on_the_client(R"({"k":"1","l":"1"})");
  merge(config_maps + "/a?fieldManager=editor", R"({"data":{"l":"3"}})");
  const auto refused = apply(config_maps + "/a?fieldManager=kubectl", configuration(R"({"k":"2","l":"2"})"));
  EXPECT_EQ(refused.status, 409);
  EXPECT_NE(refused.body.find("editor"), std::string::npos) << refused.body;
}

TEST_F(Apply, IsForcedUnlessTheParameterIsFalse) {
  post(config_maps + "?fieldManager=maker", R"({"metadata":{"name":"a"},"data":{"k":"1"}})");
  const std::string target = config_maps + "/a?fieldManager=other&force";
  EXPECT_EQ(apply(target + "=False", configuration(R"({"k":"2"})")).status, 409);
  EXPECT_EQ(apply(target + "=True", configuration(R"({"k":"2"})")).status, 200);
}

// server-facts 8
TEST_F(Apply, RefusesFieldsThatAreNotInTheSchema) {
  const std::string config = R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","namespace":"default",
      "lables":{}},"data":{}})";
  for (const char* validation : {"Strict", "Warn", "Ignore"}) {
    const auto refused = apply(config_maps + "/a?fieldManager=m&fieldValidation=" + validation, config);
    EXPECT_EQ(refused.status, 500);
    EXPECT_EQ(refused.at("/message"),
              "failed to create typed patch object (default/a; /v1, Kind=ConfigMap): .metadata.lables: field not "
              "declared in schema");
    EXPECT_EQ(refused.at("/reason"), "");
  }
}

TEST_F(Apply, NamesTheFirstHundredFieldsThatAreNotInTheSchema) {
  std::string unknown;
  for (int i = 0; i < 150; ++i) unknown += "\"u" + std::to_string(i) + "\":1,";
  const auto refused = apply(config_maps + "/a?fieldManager=m",
                             "{" + unknown + R"("apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}})");
  const std::string message = refused.at("/message");
  EXPECT_NE(message.find(".u99: field not declared in schema"), std::string::npos) << message;
  EXPECT_EQ(message.find(".u100:"), std::string::npos) << message;
}

TEST_F(Apply, NamesEachItemAndTypeThatDoesNotFit) {
  const auto refused = apply("/apis/apps/v1/namespaces/default/deployments/d?fieldManager=m",
                             R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"d"},"spec":{
      "replicas":"two","template":{"spec":{"containers":[{"name":"c","imagge":"i"}]}}}})");
  EXPECT_EQ(refused.at("/message"),
            "failed to create typed patch object (/d; apps/v1, Kind=Deployment): errors:\n"
            "  .spec.replicas: expected numeric (int or float), got \"two\"\n"
            "  .spec.template.spec.containers[name=\"c\"].imagge: field not declared in schema");
}

TEST_F(Apply, NamesEachItemWithoutAKeyOfItsOwn) {
  const auto containers = [&](const std::string& items) {
    const std::string body =
        R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"d"},"spec":{"template":{"spec":{)"
        R"("containers":[)" +
        items + "]}}}}";
    return apply("/apis/apps/v1/namespaces/default/deployments/d?fieldManager=one", body).at("/message");
  };
  const std::string place = "failed to create typed patch object (/d; apps/v1, Kind=Deployment): .spec.template.spec.";
  EXPECT_EQ(containers(R"({"name":"c","image":"i"},{"name":"c","image":"j"})"),
            place + R"(containers: duplicate entries for key [name="c"])");
  EXPECT_EQ(containers(R"({"name":"c","ports":[{"containerPort":80},{"containerPort":80,"protocol":"TCP"}]})"),
            place + R"(containers[name="c"].ports: duplicate entries for key [containerPort=80,protocol="TCP"])");
  EXPECT_EQ(containers(R"("c")"),
            place + "containers: element 0: associative list with keys may not have non-map elements");
}

TEST_F(Apply, RefusesUnknownFieldsOfCustomKinds) {
  post(definitions, widget_definition("un.dev"));
  run_until_idle();
  for (const char* validation : {"", "&fieldValidation=Ignore", "&fieldValidation=Warn", "&fieldValidation=Strict"}) {
    const auto refused = apply("/apis/un.dev/v1/namespaces/default/widgets/w?fieldManager=m" + std::string(validation),
                               R"({"apiVersion":"un.dev/v1","kind":"Widget","metadata":{"name":"w"},"spec":{"x":1}})");
    EXPECT_EQ(refused.status, 500) << validation;
    EXPECT_EQ(refused.at("/message"),
              "failed to create typed patch object (/w; un.dev/v1, Kind=Widget): .spec.x: field not declared in "
              "schema");
  }
  EXPECT_EQ(names("widgets.un.dev"), "");
}

TEST_F(Apply, AStrictPatchOfACustomKindWithAnUnknownFieldIsInvalid) {
  post(definitions, widget_definition("st.dev"));
  run_until_idle();
  const std::string widgets = "/apis/st.dev/v1/namespaces/default/widgets";
  post(widgets, R"({"apiVersion":"st.dev/v1","kind":"Widget","metadata":{"name":"w"}})");
  const auto strict = merge(widgets + "/w?fieldValidation=Strict", R"({"spec":{"x":1}})");
  EXPECT_EQ(strict.status, 422);
  EXPECT_EQ(strict.causes(), "FieldValueInvalid@patch") << strict.body;
  const auto warned = merge(widgets + "/w", R"({"spec":{"x":1}})");
  EXPECT_EQ(warned.status, 200);
  EXPECT_EQ(warned.headers.get("Warning"), R"(299 - "unknown field \"spec.x\"")");
  EXPECT_EQ(warned.at("/spec/x"), "");
}

TEST_F(Apply, AStrictPatchWithAnUnknownFieldIsInvalid) {
  post(config_maps, config_map("a"));
  const auto merged = merge(config_maps + "/a?fieldValidation=Strict", R"({"x":1})");
  EXPECT_EQ(merged.status, 422);
  EXPECT_EQ(merged.causes(), "FieldValueInvalid@patch");
  EXPECT_TRUE(merged.at("/message").starts_with(" \"\" is invalid: patch: Invalid value: \"{")) << merged.body;
  EXPECT_TRUE(merged.at("/message").ends_with("strict decoding error: unknown field \"x\"")) << merged.body;

  const auto strategic_merge = strategic(config_maps + "/a?fieldValidation=Strict", R"({"x":1,"data":{"k":"v"}})");
  EXPECT_EQ(
      strategic_merge.at("/message"),
      R"( "" is invalid: patch: Invalid value: "map[data:map[k:v] x:1]": strict decoding error: unknown field "x")");
}

// server-facts 21
TEST_F(Apply, APatchWithANumberInsteadOfATextIsInvalid) {
  post(config_maps, config_map("a"));
  EXPECT_EQ(strategic(config_maps + "/a", R"({"data":{"k":1}})").at("/message"),
            R"( "" is invalid: patch: Invalid value: "map[data:map[k:1]]": cannot convert int64 to string)");
  EXPECT_EQ(merge(config_maps + "/a", R"({"data":{"k":1}})").causes(), "FieldValueInvalid@patch");
}

TEST_F(Apply, ACustomKindTakesNoStrategicPatch) {
  post(definitions, widget_definition("sp.dev"));
  run_until_idle();
  const auto refused = strategic("/apis/sp.dev/v1/namespaces/default/widgets/w", "{}");
  EXPECT_EQ(refused.status, 415);
  EXPECT_TRUE(
      refused.at("/message")
          .ends_with("application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml"));
}

}  // namespace
}  // namespace pintle
