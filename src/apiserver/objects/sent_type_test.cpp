// SPDX-License-Identifier: Apache-2.0
// Bodies that cannot be decoded as the kind of their path.
#include "../test_server.hpp"
#include "../test_widgets.hpp"

namespace pintle {
namespace {

const std::string decoded_widgets = "/apis/dec.dev/v1/namespaces/default/widgets";
const std::string decoded_deployments = "/apis/apps/v1/namespaces/default/deployments";

class SentTypes : public ServerTest {
 protected:
  void SetUp() override {
    post(definitions, widget_definition("dec.dev"));
    run_until_idle();
    ASSERT_EQ(post(decoded_widgets, widget("dec.dev", config_map("w"))).status, 201);
    ASSERT_EQ(post(config_maps, config_map("a")).status, 201);
  }
  static std::string message(const TestReply& reply) {
    return std::to_string(reply.status) + " " + reply.at("/message");
  }
  std::string posted(const std::string& body, const std::string& query = "") {
    return message(post(decoded_widgets + query, body));
  }
  std::string patched(const std::string& target, const std::string& body) { return message(merge(target, body)); }
};

TEST_F(SentTypes, OfACustomResourceAreNeeded) {
  const std::string body = R"({"metadata":{"name":"x","labels":{"a":"b"}}})";
  const std::string missing = "Object 'Kind' is missing in '" + body + "'";
  const std::string refused = "400 the object provided is unrecognized (must be of type Widget): " + missing +
                              R"( ({"metadata":{"name":"x","label ...))";
  EXPECT_EQ(posted(body), refused);
  EXPECT_EQ(posted(body, "?fieldValidation=Ignore"),
            "400 Widget in version \"v1\" cannot be handled as a Widget: " + missing);
  EXPECT_EQ(message(put(decoded_widgets + "/x", body)), refused);
  EXPECT_EQ(posted(R"({"kind":"Widget","metadata":{"name":"x"}})"),
            "400 the API version in the data () does not match the expected API version (dec.dev/v1)");
  EXPECT_EQ(posted(R"({"kind":"Widget","apiVersion":"dec.dev/v2","metadata":{"name":"x"}})"),
            "400 the API version in the data (dec.dev/v2) does not match the expected API version (dec.dev/v1)");
  EXPECT_EQ(posted("null"),
            "400 the object provided is unrecognized (must be of type Widget): Object 'Kind' is missing in "
            "'null' (6e756c6c)");
}

TEST_F(SentTypes, OfACustomResourceAreValidated) {
  const std::string other = R"({"kind":"Gadget","apiVersion":"dec.dev/v1","metadata":{"name":"w"}})";
  const std::string refused = R"(422 Gadget.dec.dev "w" is invalid: kind: Invalid value: "Gadget": must be Widget)";
  EXPECT_EQ(posted(other), refused);
  EXPECT_EQ(message(put(decoded_widgets + "/w", other)), refused);
  EXPECT_EQ(patched(decoded_widgets + "/w", R"({"kind":"Gadget"})"), refused);
  EXPECT_EQ(patched(decoded_widgets + "/w", R"({"apiVersion":"dec.dev/v2"})"),
            R"(422 Widget.dec.dev "w" is invalid: apiVersion: Invalid value: "dec.dev/v2": must be dec.dev/v1)");
  const std::string without = patched(decoded_widgets + "/w", R"({"kind":null})");
  EXPECT_TRUE(without.starts_with(R"(422  "" is invalid: patch: Invalid value: "{)")) << without;
  EXPECT_NE(without.find(": Object 'Kind' is missing in '{"), std::string::npos) << without;
  EXPECT_EQ(patched(decoded_widgets + "/w", R"({"apiVersion":null})"),
            "500 Internal error occurred: Object 'apiVersion' is missing in 'unstructured object has no version'");
}

TEST_F(SentTypes, OfABuiltInKindAreThoseOfThePathUnlessTheyAreNamed) {
  const auto made = [&](const std::string& type) {
    return message(post(config_maps, "{" + type + R"(,"metadata":{"name":"b"}})"));
  };
  EXPECT_EQ(made(R"("kind":"ConfigMap")").substr(0, 3), "201");
  EXPECT_EQ(
      made(R"("kind":"Secret","apiVersion":"v1")"),
      "400 Secret in version \"v1\" cannot be handled as a ConfigMap: converting (v1.Secret) to (core.ConfigMap): "
      "unknown conversion");
  EXPECT_EQ(made(R"("kind":"Secret")"), made(R"("kind":"Secret","apiVersion":"v1")"));
  EXPECT_EQ(made(R"("kind":"ConfigMap","apiVersion":"v2")"),
            "400 ConfigMap in version \"v2\" cannot be handled as a ConfigMap: no kind \"ConfigMap\" is registered for "
            "version \"v2\" in scheme \"pkg/api/legacyscheme/scheme.go:30\"");
  EXPECT_EQ(
      made(R"("apiVersion":"a/b/c")"),
      "400 the object provided is unrecognized (must be of type ConfigMap): unexpected GroupVersion string: a/b/c "
      R"(({"apiVersion":"a/b/c","metadat ...))");
  const std::string parse =
      "400 the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse "
      "error: ";
  EXPECT_EQ(made(R"("kind":5)"), parse +
                                     "json: cannot unmarshal number into Go struct field .kind of type string "
                                     R"(({"kind":5,"metadata":{"name":" ...))");
}

TEST_F(SentTypes, OfABuiltInKindMayBeInAnotherVersion) {
  const std::string scalers = "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers";
  EXPECT_EQ(
      message(post(scalers, R"({"kind":"HorizontalPodAutoscaler","apiVersion":"autoscaling/v1"})")),
      "400 the API version in the data (autoscaling/v1) does not match the expected API version (autoscaling/v2)");
}

TEST_F(SentTypes, OfABuiltInKindStayInAPatch) {
  const std::string refused = patched(config_maps + "/a", R"({"kind":"Secret"})");
  EXPECT_TRUE(refused.starts_with(R"(422  "" is invalid: patch: Invalid value: "{)")) << refused;
  EXPECT_TRUE(refused.ends_with("converting (v1.Secret) to (core.ConfigMap): unknown conversion")) << refused;
  EXPECT_EQ(merge(config_maps + "/a", R"({"kind":null})").status, 200);
  const auto strategic = call("PATCH", config_maps + "/a", R"({"kind":"Secret","apiVersion":"v2"})",
                              "application/strategic-merge-patch+json");
  EXPECT_EQ(strategic.status, 200) << "kube-apiserver does not read the type of the result";
  EXPECT_EQ(strategic.at("/kind"), "ConfigMap");
}

TEST_F(SentTypes, OfABodyThatIsNoObjectAreUnknown) {
  const auto made = [&](const std::string& body) { return message(call("POST", config_maps, body)); };
  const std::string parse =
      "400 the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse "
      "error: ";
  EXPECT_EQ(made(""), parse + "unexpected end of JSON input (<empty>)");
  EXPECT_EQ(made("x"), parse + "invalid character 'x' looking for beginning of value (78)");
  EXPECT_EQ(made("{} x"), parse + "invalid character 'x' after top-level value ({} x)");
  EXPECT_EQ(made("[]"), parse +
                            "json: cannot unmarshal array into Go value of type struct { APIVersion string "
                            R"("json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" } (5b5d))");
  EXPECT_EQ(made("null"),
            "422 ConfigMap \"\" is invalid: metadata.name: Required value: name or generateName is required");
}

TEST_F(SentTypes, AreReadBeforeTheObjectIsFound) {
  const std::string wrong = R"({"metadata":{"name":"none"},"data":{"k":1}})";
  const std::string refused =
      "400 ConfigMap in version \"v1\" cannot be handled as a ConfigMap: json: cannot unmarshal "
      "number into Go struct field ConfigMap.data of type string";
  EXPECT_EQ(message(put(config_maps + "/none", wrong)), refused);
  EXPECT_EQ(message(put(config_maps + "/other", wrong)), refused);
  EXPECT_EQ(message(post("/api/v1/namespaces/missing/configmaps", wrong)), refused);
  EXPECT_EQ(message(put(config_maps + "/a", R"({"metadata":{"name":"a","resourceVersion":"1"},"data":{"k":1}})")),
            refused);
  EXPECT_EQ(message(put(config_maps + "/none", config_map("none"))), "404 configmaps \"none\" not found");
  EXPECT_EQ(message(put(config_maps + "/a", config_map("b"))),
            "400 the name of the object (b) does not match the name on the URL (a)");
  EXPECT_EQ(message(put(config_maps + "/a", R"({"metadata":{}})")),
            "400 the name of the object (a based on URL) was undeterminable: name must be provided");
  EXPECT_EQ(message(put(config_maps + "/a", R"({"metadata":{"name":"b","namespace":"other"}})")),
            "400 the namespace of the provided object does not match the namespace sent on the request");
}

// The server sets these members itself, but it decodes them first.
TEST_F(SentTypes, IncludeThoseOfMetadataThatTheServerSets) {
  struct Case {
    const char* member;
    const char* error;
  };
  const Case each[] = {
      {R"("generation":"x")", "string into Go struct field ObjectMeta.%generation of type int64"},
      {R"("creationTimestamp":5)", "number into Go struct field ObjectMeta.%creationTimestamp of type string"},
      {R"("deletionTimestamp":{})", "object into Go struct field ObjectMeta.%deletionTimestamp of type string"},
      {R"("uid":5)", "number into Go struct field ObjectMeta.%uid of type types.UID"},
      {R"("resourceVersion":5)", "number into Go struct field ObjectMeta.%resourceVersion of type string"},
      {R"("selfLink":[])", "array into Go struct field ObjectMeta.%selfLink of type string"},
      {R"("ownerReferences":{})",
       "object into Go struct field ObjectMeta.%ownerReferences of type []v1.OwnerReference"},
      {R"("ownerReferences":[{"controller":"yes"}])",
       "string into Go struct field OwnerReference.%ownerReferences.controller of type bool"},
      {R"("managedFields":"x")",
       "string into Go struct field ObjectMeta.%managedFields of type []v1.ManagedFieldsEntry"},
      {R"("finalizers":["f",1])", "number into Go struct field ObjectMeta.%finalizers of type string"},
  };
  const auto error = [](std::string text, const std::string& path) {
    return "json: cannot unmarshal " + text.replace(text.find('%'), 1, path);
  };
  for (const Case& one : each) {
    const std::string object = R"({"metadata":{"name":"a",)" + std::string(one.member) + "}}";
    const std::string of_map = "400 ConfigMap in version \"v1\" cannot be handled as a ConfigMap: ";
    EXPECT_EQ(message(post(config_maps, object)), of_map + error(one.error, "metadata."));
    EXPECT_EQ(message(put(config_maps + "/a", object)), of_map + error(one.error, "metadata."));
    EXPECT_EQ(posted(widget("dec.dev", object)),
              "400 Widget in version \"v1\" cannot be handled as a Widget: " + error(one.error, ""));
  }
}

TEST_F(SentTypes, IncludeThatOfMetadata) {
  EXPECT_EQ(
      message(post(config_maps, R"({"metadata":"x"})")),
      "400 ConfigMap in version \"v1\" cannot be handled as a ConfigMap: json: cannot unmarshal string into Go struct "
      "field ConfigMap.metadata of type v1.ObjectMeta");
  EXPECT_EQ(
      posted(R"({"apiVersion":"dec.dev/v1","kind":"Widget","metadata":"x"})"),
      "400 Widget in version \"v1\" cannot be handled as a Widget: json: cannot unmarshal string into Go value of type "
      "v1.ObjectMeta");
  // The metadata of a custom resource is read by name.
  EXPECT_TRUE(posted(R"({"apiVersion":"dec.dev/v1","kind":"Widget","metadata":{"uid":1,"name":2}})")
                  .ends_with("number into Go struct field ObjectMeta.name of type string"));
}

TEST_F(SentTypes, OfANullInAMapIsTheEmptyValue) {
  const auto made = post(config_maps, R"({"metadata":{"name":"n","labels":{"l":null}},"data":{"k":null}})");
  EXPECT_EQ(made.at("/data"), R"({"k":""})");
  EXPECT_EQ(made.at("/metadata/labels"), R"({"l":""})");
}

}  // namespace
}  // namespace pintle
