// SPDX-License-Identifier: Apache-2.0
// CustomResourceDefinitions, tested through the server.
#include "../test_server.hpp"
#include "../test_widgets.hpp"

namespace pintle {
namespace {

class Definitions : public ServerTest {
 protected:
  void install(const std::string& definition) {
    const auto made = post(definitions, definition);
    ASSERT_EQ(made.status, 201) << made.body;
    run_until_idle();
  }
  const std::string widgets_ = "/apis/a.dev/v1/namespaces/default/widgets";
};

TEST_F(Definitions, AnEstablishedCrdIsServed) {
  auto stream = watch(definitions + "?watch=1");
  post(definitions, widget_definition("a.dev"));
  while (true) {
    const json::Value event = stream.take();
    ASSERT_FALSE(event.is_null());
    const json::Value* condition = json::find(event, "/object/status/conditions/1");
    if (condition == nullptr) continue;
    EXPECT_EQ(condition->at("type").as_string(), "Established");
    // A client that reads this condition may use the resource at once.
    EXPECT_EQ(get(widgets_).status, 200);
    break;
  }
}

TEST_F(Definitions, ObjectsAreValidatedPrunedAndDefaulted) {
  install(widget_definition("a.dev"));
  const auto made = post(widgets_, widget("a.dev", R"({"metadata":{"name":"w"},"spec":{"replicas":1,"bogus":2}})"));
  EXPECT_EQ(made.at("/spec"), R"({"replicas":1,"image":"nginx"})");
  EXPECT_EQ(post(widgets_, widget("a.dev", R"({"metadata":{"name":"x"},"spec":{"replicas":-1}})")).causes(),
            "FieldValueInvalid@spec.replicas");
}

TEST_F(Definitions, WithoutAStatusSubresourceStatusIsPartOfTheObject) {
  install(widget_definition("a.dev"));
  post(widgets_, widget("a.dev", config_map("w")));
  const auto changed = merge(widgets_ + "/w", R"({"status":{"phase":"Up"}})");
  EXPECT_EQ(changed.at("/status/phase"), "Up");
  EXPECT_EQ(changed.at("/metadata/generation"), "2");
  EXPECT_EQ(get(widgets_ + "/w/status").status, 404);
}

TEST_F(Definitions, DeletionRemovesItsObjectsAndEndsItsWatches) {
  install(widget_definition("a.dev"));
  post(widgets_, widget("a.dev", config_map("w")));
  auto stream = watch(widgets_ + "?watch=1");
  EXPECT_EQ(stream.next(), "ADDED w");
  remove(definitions + "/widgets.a.dev");
  run_until_idle();
  EXPECT_EQ(stream.next(2), "DELETED w, (nothing)");
  EXPECT_TRUE(stream.ended);
  EXPECT_EQ(get(widgets_).status, 404);
  EXPECT_EQ(get(definitions + "/widgets.a.dev").status, 404);
}

TEST_F(Definitions, DeletionWaitsForFinalizersAndRefusesNewObjects) {
  install(widget_definition("a.dev"));
  post(widgets_, widget("a.dev", config_map("w", R"("finalizers":["x.dev/f"])")));
  remove(definitions + "/widgets.a.dev");
  run_until_idle();
  EXPECT_EQ(get(definitions + "/widgets.a.dev").at("/status/conditions/2/type"), "Terminating");
  EXPECT_EQ(post(widgets_, widget("a.dev", config_map("x"))).status, 405);
  merge(widgets_ + "/w", R"({"metadata":{"finalizers":null}})");
  run_until_idle();
  EXPECT_EQ(get(definitions + "/widgets.a.dev").status, 404);
}

TEST_F(Definitions, ADeletedCrdCanBeInstalledAgain) {
  install(widget_definition("a.dev"));
  post(widgets_, widget("a.dev", config_map("w")));
  remove(definitions + "/widgets.a.dev");
  run_until_idle();
  install(widget_definition("a.dev"));
  EXPECT_EQ(get(widgets_).at("/items"), "[]");
  EXPECT_EQ(watch(widgets_ + "?watch=1").next(), "(nothing)");
}

TEST_F(Definitions, AVersionThatIsNotServedAnyMoreEndsItsWatches) {
  json::Value definition = json::parse(widget_definition("a.dev")).value();
  json::array& versions = definition.at_pointer("/spec/versions").as_array();
  versions.push_back(versions.front());
  versions.back().as_object()["name"] = "v2";
  versions.back().as_object()["storage"] = false;
  install(json::print(definition));
  post(widgets_, widget("a.dev", config_map("w")));
  auto v1 = watch(widgets_ + "?watch=1");
  auto v2 = watch("/apis/a.dev/v2/namespaces/default/widgets?watch=1");
  EXPECT_EQ(v1.next(), "ADDED w");
  EXPECT_EQ(v2.next(), "ADDED w");
  merge(definitions + "/widgets.a.dev", R"({"metadata":{"labels":{"a":"b"}}})");
  run_until_idle();
  EXPECT_EQ(v2.next(), "(nothing)");
  EXPECT_FALSE(v2.ended);

  json::Value unserved = json::parse(get(definitions + "/widgets.a.dev").body).value();
  unserved.at_pointer("/spec/versions/1/served") = false;
  ASSERT_EQ(put(definitions + "/widgets.a.dev", json::print(unserved)).status, 200);
  run_until_idle();
  EXPECT_EQ(v2.next(), "(nothing)");
  EXPECT_TRUE(v2.ended);
  EXPECT_EQ(get("/apis/a.dev/v2/namespaces/default/widgets").status, 404);
  EXPECT_EQ(get(widgets_).status, 200);
}

TEST_F(Definitions, DeletionRemovesObjectsOfACrdThatServesNoVersion) {
  install(widget_definition("a.dev"));
  post(widgets_, widget("a.dev", config_map("w")));
  json::Value unserved = json::parse(get(definitions + "/widgets.a.dev").body).value();
  unserved.at_pointer("/spec/versions/0/served") = false;
  ASSERT_EQ(put(definitions + "/widgets.a.dev", json::print(unserved)).status, 200);
  run_until_idle();
  ASSERT_EQ(get(widgets_).status, 404);
  remove(definitions + "/widgets.a.dev");
  run_until_idle();
  ASSERT_EQ(get(definitions + "/widgets.a.dev").status, 404);
  install(widget_definition("a.dev"));
  EXPECT_EQ(get(widgets_).at("/items"), "[]");
}

TEST_F(Definitions, ANameInUseIsNotAcceptedUntilItIsFree) {
  install(widget_definition("a.dev"));
  const std::string rival = R"({"metadata":{"name":"gadgets.a.dev"},"spec":{"group":"a.dev","scope":"Namespaced",
      "names":{"plural":"gadgets","kind":"Gadget","shortNames":["wg"]},"versions":[{"name":"v1","served":true,"storage":true,
      "schema":{"openAPIV3Schema":{"type":"object"}}}]}})";
  install(rival);
  const auto refused = get(definitions + "/gadgets.a.dev");
  EXPECT_EQ(refused.at("/status/conditions/0/status"), "False");
  EXPECT_EQ(refused.at("/status/conditions/0/reason"), "ShortNamesConflict");
  EXPECT_EQ(refused.at("/status/conditions/1/status"), "False");
  EXPECT_EQ(get("/apis/a.dev/v1/gadgets").status, 404);
  remove(definitions + "/widgets.a.dev");
  run_until_idle();
  EXPECT_EQ(get("/apis/a.dev/v1/gadgets").status, 200);
}

TEST_F(Definitions, TheLastConflictIsReportedAndTheOtherNamesAreAccepted) {
  install(widget_definition("a.dev"));
  const auto rival = [](const std::string& plural) {
    return R"({"metadata":{"name":")" + plural +
           R"(.a.dev"},"spec":{"group":"a.dev","scope":"Namespaced","names":{"plural":")" + plural +
           R"(","kind":"Widget","categories":["all"]},"versions":[{"name":"v1","served":true,"storage":true,
      "schema":{"openAPIV3Schema":{"type":"object"}}}]}})";
  };
  install(rival("gadgets"));
  const auto refused = get(definitions + "/gadgets.a.dev");
  EXPECT_EQ(refused.at("/status/conditions/0/reason"), "ListKindConflict");
  EXPECT_EQ(refused.at("/status/conditions/0/message"), R"("WidgetList" is already in use)");
  EXPECT_EQ(refused.at("/status/acceptedNames"), R"({"plural":"gadgets","kind":"","categories":["all"]})");
  EXPECT_EQ(get("/apis/a.dev/v1/gadgets").status, 404);

  remove(definitions + "/widgets.a.dev");
  run_until_idle();
  EXPECT_EQ(get(definitions + "/gadgets.a.dev").at("/status/acceptedNames/kind"), "Widget");
  EXPECT_EQ(get("/apis/a.dev/v1/gadgets").status, 200);
}

TEST_F(Definitions, AllVersionsReturnTheSameObject) {
  install(R"({"metadata":{"name":"widgets.a.dev"},"spec":{"group":"a.dev","scope":"Namespaced",
      "names":{"plural":"widgets","kind":"Widget"},"versions":[
        {"name":"v1beta1","served":true,"storage":false,"schema":{"openAPIV3Schema":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}},
        {"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}},
        {"name":"v2","served":false,"storage":false,"schema":{"openAPIV3Schema":{"type":"object"}}}]}})");
  EXPECT_EQ(get("/apis/a.dev").at("/preferredVersion/version"), "v1");
  EXPECT_EQ(get("/apis/a.dev/v2").status, 404);
  const auto made = post("/apis/a.dev/v1beta1/namespaces/default/widgets",
                         widget("a.dev", R"({"metadata":{"name":"w"},"spec":{"a":1}})", "v1beta1"));
  EXPECT_EQ(made.at("/apiVersion"), "a.dev/v1beta1");
  EXPECT_EQ(get(widgets_ + "/w").at("/apiVersion"), "a.dev/v1");
  EXPECT_EQ(server_.objects("widgets.a.dev")[0].api_version(), "a.dev/v1");
  EXPECT_EQ(watch("/apis/a.dev/v1beta1/widgets?watch=1").take().at_pointer("/object/apiVersion").as_string(),
            "a.dev/v1beta1");
}

TEST_F(Definitions, AChangedSchemaAppliesAtOnce) {
  install(widget_definition("a.dev"));
  post(widgets_, widget("a.dev", config_map("w")));
  auto changed = json::parse(get(definitions + "/widgets.a.dev").body).value();
  changed.at_pointer("/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties").as_object()["color"] =
      json::object{{"type", "string"}};
  EXPECT_EQ(put(definitions + "/widgets.a.dev", json::print(changed)).at("/metadata/generation"), "2");
  run_until_idle();
  EXPECT_EQ(merge(widgets_ + "/w", R"({"spec":{"color":"red"}})").at("/spec/color"), "red");
}

struct Broken {
  const char* name;
  const char* pointer;
  const char* value;
  const char* cause;
};

class InvalidCrd : public ServerTest, public testing::WithParamInterface<Broken> {};

TEST_P(InvalidCrd, IsRefused) {
  json::Value definition = json::parse(widget_definition("a.dev")).value();
  ASSERT_TRUE(json::set(definition, GetParam().pointer, json::parse(GetParam().value).value()));
  const auto refused = post(definitions, json::print(definition));
  EXPECT_EQ(refused.status, 422);
  EXPECT_NE(refused.causes().find(GetParam().cause), std::string::npos) << refused.body;
}

const Broken broken[] = {
    {"Name", "/metadata/name", R"("others.a.dev")", "FieldValueInvalid@metadata.name"},
    {"Scope", "/spec/scope", R"("Galaxy")", "FieldValueNotSupported@spec.scope"},
    {"Group", "/spec/group", R"("nodots")", "FieldValueInvalid@spec.group"},
    {"Kind", "/spec/names/kind", R"("")", "FieldValueRequired@spec.names.kind"},
    {"Storage", "/spec/versions/0/storage", "false", "FieldValueInvalid@spec.versions"},
    {"Schema", "/spec/versions/0/schema", "{}", "FieldValueRequired@spec.versions[0].schema.openAPIV3Schema"},
    {"SchemaType", "/spec/versions/0/schema/openAPIV3Schema/properties/spec", R"({"properties":{}})",
     "spec.validation.openAPIV3Schema.properties[spec]"},
    {"Column", "/spec/versions/0/additionalPrinterColumns", R"([{"name":"A","type":"color","jsonPath":".a"}])",
     "FieldValueInvalid@spec.additionalPrinterColumns[0].type"},
    {"Webhook", "/spec/conversion", R"({"strategy":"Webhook"})",
     "FieldValueRequired@spec.conversion.webhookClientConfig"},
};
INSTANTIATE_TEST_SUITE_P(All, InvalidCrd, testing::ValuesIn(broken),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace pintle
