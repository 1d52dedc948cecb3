// SPDX-License-Identifier: Apache-2.0
// The documents below /openapi.
#include <set>

#include "../registry/table/table.hpp"
#include "../test_server.hpp"

namespace pintle::apiserver {
namespace {

constexpr const char* protobuf = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";
constexpr const char* widgets_page = "/openapi/v3/apis/open.conf.dev/v1";

class OpenApi : public ServerTest {
 protected:
  // The path of a group and version in the index, with its hash; "" if there is none.
  std::string place(const std::string& path) {
    const auto index = get("/openapi/v3");
    const json::Value* entry = json::find(index.json, "/paths")->as_object().if_contains(path);
    return entry == nullptr ? "" : std::string(entry->at("serverRelativeURL").as_string());
  }
  http::Headers tagged(const std::string& tag) { return {{"If-None-Match", tag}}; }
};

void collect_references(const json::Value& value, std::set<std::string>& out) {
  if (const json::array* list = value.if_array()) {
    for (const json::Value& item : *list) collect_references(item, out);
  }
  if (!value.is_object()) return;
  for (const auto& [name, member] : value.get_object()) {
    if (name == "$ref" && member.is_string()) out.emplace(member.get_string());
    collect_references(member, out);
  }
}

// The references of a document that have no target.
std::string dangling(const json::Value& document, const std::string& place) {
  std::set<std::string> references;
  collect_references(document, references);
  EXPECT_FALSE(references.empty());
  const json::object& schemas = json::find(document, place)->as_object();
  std::string out;
  for (const std::string& reference : references) {
    const std::string head = "#" + place + "/";
    if (!reference.starts_with(head) || !schemas.contains(reference.substr(head.size()))) out += reference + " ";
  }
  return out;
}

TEST_F(OpenApi, DescribesBuiltInKindsInBothVersions) {
  const auto old = get("/openapi/v2");
  const auto core = get("/openapi/v3/api/v1");

  const std::string pod_spec = "/definitions/io.k8s.api.core.v1.PodSpec";
  EXPECT_EQ(old.at("/swagger"), "2.0");
  EXPECT_EQ(old.at(pod_spec + "/required"), R"(["containers"])");
  EXPECT_EQ(old.at(pod_spec + "/properties/containers"),
            R"({"type":"array","items":{"$ref":"#/definitions/io.k8s.api.core.v1.Container"},)"
            R"("x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["name"],)"
            R"("x-kubernetes-patch-strategy":"merge","x-kubernetes-patch-merge-key":"name"})");
  EXPECT_EQ(old.at(pod_spec + "/properties/volumes/x-kubernetes-patch-strategy"), "merge,retainKeys");
  EXPECT_EQ(old.at("/definitions/io.k8s.apimachinery.pkg.util.intstr.IntOrString"),
            R"({"type":"string","format":"int-or-string"})");

  EXPECT_EQ(core.at("/openapi"), "3.0.0");
  EXPECT_EQ(core.at("/components/schemas/io.k8s.api.core.v1.Pod/x-kubernetes-group-version-kind"),
            R"([{"group":"","kind":"Pod","version":"v1"}])");
  EXPECT_EQ(core.at("/components/schemas/io.k8s.api.core.v1.Pod/properties/spec"),
            R"({"allOf":[{"$ref":"#/components/schemas/io.k8s.api.core.v1.PodSpec"}],"default":{}})");
  EXPECT_EQ(core.at("/components/schemas/io.k8s.api.core.v1.ContainerPort/properties/containerPort"),
            R"({"type":"integer","format":"int32","default":0})");
  EXPECT_EQ(core.at("/components/schemas/io.k8s.api.core.v1.PodList/properties/items/type"), "array");
}

TEST_F(OpenApi, NamesEveryKindOfTheTable) {
  const auto old = get("/openapi/v2");
  std::set<std::string> named;
  for (const auto& [name, schema] : json::find(old.json, "/definitions")->as_object()) {
    if (const json::Value* kind = schema.as_object().if_contains("x-kubernetes-group-version-kind")) {
      named.insert(json::print(*kind));
    }
  }

  for (const KindFacts& facts : builtin_kinds()) {
    const json::Value kind =
        json::array{json::object{{"group", facts.group}, {"kind", facts.kind}, {"version", facts.version}}};
    EXPECT_TRUE(named.contains(json::print(kind))) << facts.kind;
  }
}

TEST_F(OpenApi, EveryReferenceHasATarget) {
  ASSERT_EQ(post(definitions, widget_definition("open.conf.dev")).status, 201);
  run_until_idle();

  const auto old = get("/openapi/v2");
  EXPECT_EQ(dangling(old.json, "/definitions"), "");
  const auto index = get("/openapi/v3");
  for (const auto& [path, entry] : json::find(index.json, "/paths")->as_object()) {
    const auto page = get(std::string(entry.at("serverRelativeURL").as_string()));
    EXPECT_EQ(page.status, 200) << path;
    EXPECT_EQ(dangling(page.json, "/components/schemas"), "") << path;
  }
}

// kubectl reads there whether the server supports ?dryRun and ?fieldValidation.
TEST_F(OpenApi, PathsListTheParametersOfWrites) {
  const std::string path = "/paths/~1apis~1apps~1v1~1namespaces~1{namespace}~1deployments~1{name}";
  const auto page = get("/openapi/v3/apis/apps/v1");
  const auto old = get("/openapi/v2");

  EXPECT_EQ(page.at(path + "/patch/x-kubernetes-action"), "patch");
  EXPECT_EQ(page.at(path + "/patch/x-kubernetes-group-version-kind"),
            R"({"group":"apps","kind":"Deployment","version":"v1"})");
  EXPECT_EQ(page.at(path + "/patch/parameters/0"), R"({"name":"dryRun","in":"query","schema":{"type":"string"}})");
  EXPECT_EQ(old.at(path + "/patch/parameters/0"), R"({"name":"dryRun","in":"query","type":"string"})");
  EXPECT_EQ(old.at(path + "/patch/parameters/2/name"), "fieldValidation");
  EXPECT_EQ(old.at(path + "/post"), "");
  EXPECT_EQ(page.at(path + "~1scale/get/x-kubernetes-group-version-kind/kind"), "Scale");
  EXPECT_EQ(old.at("/paths/~1api~1v1~1pods/get/x-kubernetes-action"), "list");
  EXPECT_EQ(old.at("/paths/~1api~1v1~1pods/post"), "");
}

TEST_F(OpenApi, APageChangesOnlyWithItsCrd) {
  const std::string apps = place("apis/apps/v1");
  const auto v2 = get("/openapi/v2");
  const auto compact = get("/openapi/v2", protobuf);
  ASSERT_EQ(place("apis/open.conf.dev/v1"), "");

  ASSERT_EQ(post(definitions, widget_definition("open.conf.dev")).status, 201);
  run_until_idle();
  const std::string made = place("apis/open.conf.dev/v1");
  ASSERT_NE(made, "");
  EXPECT_EQ(place("apis/apps/v1"), apps);
  const auto next = get("/openapi/v2");
  EXPECT_NE(next.headers.get("Etag"), v2.headers.get("Etag"));
  EXPECT_NE(get("/openapi/v2", protobuf).headers.get("Etag"), compact.headers.get("Etag"));
  EXPECT_EQ(next.at("/definitions/dev.conf.open.v1.Widget/properties/spec/properties/replicas/type"), "integer");

  ASSERT_EQ(merge(definitions + "/widgets.open.conf.dev",
                  R"({"spec":{"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":)"
                  R"({"type":"object","properties":{"spec":{"type":"string"}}}}}]}})")
                .status,
            200);
  run_until_idle();
  EXPECT_NE(place("apis/open.conf.dev/v1"), made);
  EXPECT_EQ(get(widgets_page).at("/components/schemas/dev.conf.open.v1.Widget/properties/spec"),
            R"({"type":"string"})");

  ASSERT_EQ(remove(definitions + "/widgets.open.conf.dev").status, 200);
  run_until_idle();
  EXPECT_EQ(place("apis/open.conf.dev/v1"), "");
  EXPECT_EQ(get(widgets_page).status, 404);
  EXPECT_EQ(get("/openapi/v2").headers.get("Etag"), v2.headers.get("Etag"));
}

TEST_F(OpenApi, VersionThreeKeepsRulesThatVersionTwoCannotExpress) {
  ASSERT_EQ(post(definitions, widget_definition("open.conf.dev")).status, 201);
  ASSERT_EQ(merge(definitions + "/widgets.open.conf.dev",
                  R"({"spec":{"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":
                      {"type":"object","properties":{"spec":{"type":"object",
                       "x-kubernetes-validations":[{"rule":"self.a > 0"}],
                       "oneOf":[{"required":["a"]}],
                       "properties":{"a":{"type":"integer","nullable":true},
                         "any":{"type":"object","x-kubernetes-preserve-unknown-fields":true,
                                "properties":{"b":{"type":"string"}}},
                         "port":{"x-kubernetes-int-or-string":true}}}}}}}]}})")
                .status,
            200);
  run_until_idle();

  const auto page = get(widgets_page);
  const auto old = get("/openapi/v2");
  const std::string inside = "dev.conf.open.v1.Widget/properties/spec";
  EXPECT_EQ(page.at("/components/schemas/" + inside + "/oneOf"), R"([{"required":["a"]}])");
  EXPECT_EQ(page.at("/components/schemas/" + inside + "/x-kubernetes-validations"), R"([{"rule":"self.a > 0"}])");
  EXPECT_EQ(page.at("/components/schemas/" + inside + "/properties/a"), R"({"type":"integer","nullable":true})");
  EXPECT_EQ(page.at("/components/schemas/dev.conf.open.v1.Widget/properties/metadata"),
            R"({"allOf":[{"$ref":"#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"}]})");
  EXPECT_EQ(old.at("/definitions/" + inside + "/oneOf"), "");
  EXPECT_EQ(old.at("/definitions/" + inside + "/properties/a"), "{}");
  EXPECT_EQ(old.at("/definitions/" + inside + "/properties/any"),
            R"({"type":"object","x-kubernetes-preserve-unknown-fields":true})");
  EXPECT_EQ(old.at("/definitions/" + inside + "/properties/port"), R"({"x-kubernetes-int-or-string":true})");
}

TEST_F(OpenApi, VersionThreeIsAlsoServedAsProtobuf) {
  const auto page = get("/openapi/v3/apis/apps/v1", "application/com.github.proto-openapi.spec.v3@v1.0+protobuf");
  EXPECT_EQ(page.status, 200);
  EXPECT_EQ(page.headers.get("Content-Type"), "application/com.github.proto-openapi.spec.v3.v1.0+protobuf");
  EXPECT_NE(page.body.find("io.k8s.api.apps.v1.Deployment"), std::string::npos);
  EXPECT_NE(page.body.front(), '{');
}

// server-facts 21
TEST_F(OpenApi, AKindThatKeepsAllFieldsIsAnObjectInVersionTwo) {
  post(definitions, widget_definition("all.conf.dev"));
  merge(definitions + "/widgets.all.conf.dev",
        R"({"spec":{"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":
            {"type":"object","x-kubernetes-preserve-unknown-fields":true}}}]}})");
  run_until_idle();
  const auto old = get("/openapi/v2");
  EXPECT_EQ(old.at("/definitions/dev.conf.all.v1.Widget/type"), "object");
  EXPECT_EQ(old.at("/definitions/dev.conf.all.v1.Widget/x-kubernetes-preserve-unknown-fields"), "");
  EXPECT_EQ(old.at("/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ManagedFieldsEntry/properties/fieldsV1/$ref"),
            "#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1");
}

TEST_F(OpenApi, PagesWithAHashAreCacheable) {
  const std::string url = place("apis/apps/v1");

  const auto named = get(url);
  EXPECT_EQ(named.status, 200);
  EXPECT_EQ(named.headers.get("Cache-Control"), "public, immutable");
  EXPECT_EQ(named.headers.get("Etag"), "\"" + url.substr(url.find("hash=") + 5) + "\"");
  EXPECT_EQ(get("/openapi/v3/apis/apps/v1").headers.get("Cache-Control"), "no-cache, private");

  const auto moved = get("/openapi/v3/apis/apps/v1?hash=OLD");
  EXPECT_EQ(moved.status, 301);
  EXPECT_EQ(moved.headers.get("Location"), url);
}

TEST_F(OpenApi, AMatchingEtagReturns304) {
  for (const std::string page : {"/openapi/v2", "/openapi/v3", "/openapi/v3/api/v1"}) {
    const auto first = get(page);
    ASSERT_EQ(first.status, 200) << page;
    const auto again = call("GET", page, "", "", tagged(std::string(first.headers.get("Etag").value_or(""))));
    EXPECT_EQ(again.status, 304) << page;
    EXPECT_EQ(again.body, "") << page;
    EXPECT_EQ(call("GET", page, "", "", tagged("\"other\"")).status, 200) << page;
  }
}

TEST_F(OpenApi, IsReturnedInTheRequestedForm) {
  const auto compact = get("/openapi/v2", protobuf);
  EXPECT_EQ(compact.status, 200);
  EXPECT_EQ(compact.headers.get("Content-Type"), "application/com.github.proto-openapi.spec.v2.v1.0+protobuf");
  EXPECT_TRUE(
      compact.body.starts_with("\x0a\x03"
                               "2.0"));
  EXPECT_EQ(get("/openapi/v2", "application/com.github.proto-openapi.spec.v2.v1.0+protobuf").body, compact.body);
  EXPECT_EQ(get("/openapi/v2", "application/json").headers.get("Content-Type"), "application/json");
  EXPECT_EQ(get("/openapi/v2", "text/html").at("/reason"), "NotAcceptable");
  EXPECT_EQ(get("/openapi/v3/api/v1", protobuf).at("/code"), "406");
  EXPECT_EQ(post("/openapi/v2", "{}").at("/reason"), "MethodNotAllowed");
  EXPECT_EQ(get("/openapi/v3", "text/html, */*").status, 200);
}

}  // namespace
}  // namespace pintle::apiserver
