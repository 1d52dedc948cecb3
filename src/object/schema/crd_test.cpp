// SPDX-License-Identifier: Apache-2.0
#include <pintle/object/schema/crd.hpp>

#include <gtest/gtest.h>

#include <pintle/json/pointer.hpp>
#include <pintle/object/condition.hpp>
#include <pintle/object/schema/structural.hpp>

#include "object/described_samples.hpp"

namespace pintle {
namespace {

using samples::Planet;
using samples::Widget;

std::string at(const json::Value& value, std::string_view pointer) {
  const json::Value* found = json::find(value, pointer);
  return found == nullptr ? "missing" : json::print(*found);
}

TEST(Schema, ContainsTypesRulesAndDefaults) {
  const json::Value schema = schema_of<Widget>();
  const struct {
    const char* field;
    const char* schema;
  } cases[] = {
      {"on", R"({"type":"boolean","default":true})"},
      {"replicas", R"({"type":"integer","format":"int32","description":"How many.","minimum":0,"maximum":10})"},
      {"percent", R"({"type":"integer","format":"int32","minimum":0,"maximum":255,"default":50})"},
      {"huge", R"({"type":"integer","format":"int64","minimum":0})"},
      {"ratio", R"({"type":"number","format":"double","minimum":0.25,"default":0.5})"},
      {"image",
       R"({"type":"string","description":"What to run.","minLength":1,"maxLength":256,"pattern":"^[a-z:.0-9/-]+$","default":"nginx"})"},
      {"note", R"({"type":"string","description":"Deprecated: use labels"})"},
      {"labels", R"({"type":"object","additionalProperties":{"type":"string"}})"},
      {"mode", R"({"type":"string","enum":["Fast","Slow"],"default":"Slow"})"},
      {"blob", R"({"type":"string","format":"byte"})"},
      {"extra", R"({"x-kubernetes-preserve-unknown-fields":true})"},
      {"limits",
       R"({"type":"object","properties":{"cpu":{"type":"integer","format":"int64","default":1},"memory":{"type":"integer","format":"int64"}}})"},
      {"rules",
       R"({"type":"array","items":{"type":"object","properties":{"host":{"type":"string","description":"Where to."},)"
       R"("port":{"type":"integer","format":"int32","minimum":1,"maximum":65535}},"required":["host"]}})"},
  };
  for (const auto& one : cases)
    EXPECT_EQ(at(schema, "/properties/spec/properties/" + std::string(one.field)), one.schema);
  EXPECT_EQ(at(schema, "/properties/spec/properties/wide/default"), R"({"cpu":4,"memory":0})");
  EXPECT_EQ(at(schema, "/properties/status/properties/lastSeen"), R"({"type":"string","format":"date-time"})");
  EXPECT_EQ(at(schema, "/properties/status/properties/phase"), R"({"type":"string","enum":["","Ready","Broken"]})");
  EXPECT_EQ(at(schema, "/description"), "\"Something to try things on.\"");
  EXPECT_EQ(at(schema, "/required"), "missing");
  EXPECT_EQ(at(schema_of<Planet>(), "/required"), R"(["spec"])");
  EXPECT_EQ(at(schema_of<samples::Rule>(), "/required"), R"(["host"])");
}

TEST(Schema, IsStructuralAndAcceptsEncodedObjects) {
  for (const json::Value& schema : {schema_of<Widget>(), schema_of<Planet>()}) {
    const json::Document document(schema);
    const auto structural = StructuralSchema::parse(document.root());
    EXPECT_TRUE(structural) << structural.error().message;
  }
  const json::Document document(schema_of<Widget>());
  const auto structural = StructuralSchema::parse(document.root());
  json::Value widget = encode(Widget{.metadata = {.name = "a"}});
  EXPECT_TRUE(structural->validate(json::Document(widget).root()).empty());
  EXPECT_TRUE(structural->prune(widget).empty());
}

// A missing member has the same value, whether the server applies defaults or not.
TEST(Schema, DefaultsAreTheInitializers) {
  const json::Document schema(schema_of<Widget>());
  json::Value object = *json::parse(
      R"({"apiVersion":"demo.pintle.dev/v1","kind":"Widget","metadata":{},"spec":{"limits":{}},"status":{}})");
  StructuralSchema::parse(schema.root())->apply_defaults(object);
  EXPECT_EQ(at(object, "/spec/wide/cpu"), "4");
  EXPECT_EQ(json::print(encode(*decode<Widget>(Object(object)))), json::print(encode(Widget{})));
}

TEST(Crd, ContainsNamesScopeSubresourcesAndColumns) {
  const json::Value crd = crd_of<Widget>();
  EXPECT_EQ(at(crd, "/metadata"), R"({"name":"widgets.demo.pintle.dev"})");
  EXPECT_EQ(at(crd, "/spec/names"),
            R"({"kind":"Widget","listKind":"WidgetList","plural":"widgets","singular":"widget","shortNames":["wg"]})");
  EXPECT_EQ(at(crd, "/spec/scope"), "\"Namespaced\"");
  EXPECT_EQ(at(crd, "/spec/versions/0/subresources"), R"({"status":{}})");
  EXPECT_EQ(
      at(crd, "/spec/versions/0/additionalPrinterColumns"),
      R"([{"name":"Replicas","type":"integer","jsonPath":".spec.replicas","description":"How many."},)"
      R"({"name":"Mode","type":"string","jsonPath":".spec.mode"},{"name":"Seen","type":"date","jsonPath":".status.lastSeen"},)"
      R"({"name":"Age","type":"date","jsonPath":".metadata.creationTimestamp"}])");

  const json::Value planet = crd_of<Planet>();
  EXPECT_EQ(at(planet, "/metadata/name"), "\"worlds.space.pintle.dev\"");
  EXPECT_EQ(at(planet, "/spec/scope"), "\"Cluster\"");
  EXPECT_EQ(at(planet, "/spec/names/categories"), R"(["all","space"])");
  EXPECT_EQ(at(planet, "/spec/versions/0/subresources"), "missing");
}

struct Door {
  static constexpr Type type{"demo.pintle.dev/v1", "Door"};
  struct Spec {
    std::vector<std::string> keys{};
    std::map<std::string, std::string> signs{};
    static constexpr auto fields() {
      return pintle::fields(field("keys", &Spec::keys).column("Keys"), field("signs", &Spec::signs).column("Signs"));
    }
  };
  struct Status {
    std::vector<StatusCondition> conditions{};
    static constexpr auto fields() {
      return pintle::fields(field("conditions", &Status::conditions, "What is so.").column("Ready"));
    }
  };
  Metadata metadata{};
  Spec spec{};
  Status status{};
};

TEST(Crd, AColumnOfConditionsSelectsTheType) {
  const json::Value crd = crd_of<Door>();
  const std::string columns = "/spec/versions/0/additionalPrinterColumns";
  EXPECT_EQ(
      at(crd, columns + "/2"),
      R"({"name":"Ready","type":"string","jsonPath":".status.conditions[?(@.type==\"Ready\")].status","description":"What is so."})");
}

// A server has no columns for lists and objects, and would refuse the CRD.
TEST(Crd, AColumnOfAListOrAMapIsText) {
  const json::Value crd = crd_of<Door>();
  const std::string columns = "/spec/versions/0/additionalPrinterColumns";
  EXPECT_EQ(at(crd, columns + "/0"), R"({"name":"Keys","type":"string","jsonPath":".spec.keys"})");
  EXPECT_EQ(at(crd, columns + "/1"), R"({"name":"Signs","type":"string","jsonPath":".spec.signs"})");
}

TEST(Crd, IsValid) {
  for (const json::Value& crd : {crd_of<Widget>(), crd_of<Planet>(), crd_of<Door>()}) {
    const auto sound = validate_crd(crd);
    EXPECT_TRUE(sound) << sound.error().message;
    const auto from_yaml = json::parse_yaml(json::print_yaml(crd));
    ASSERT_TRUE(from_yaml) << from_yaml.error().message;
    EXPECT_EQ(*from_yaml, crd);
  }
}

// The compiler cannot check keys of an element whose members only a source file lists. A controller checks its CRD at
// start.
struct Bell {
  static constexpr Type type{"demo.pintle.dev/v1", "Bell"};
  struct Status {
    std::vector<StatusCondition> conditions{};
    static constexpr auto fields() {
      return pintle::fields(field("conditions", &Status::conditions, "What is so.").list_map("nope"));
    }
  };
  Metadata metadata{};
  Status status{};
};

TEST(Crd, IsRefusedForAMissingKeyOfAListMap) {
  const auto sound = validate_crd(crd_of<Bell>());
  ASSERT_FALSE(sound);
  EXPECT_NE(sound.error().to_string().find("[\"nope\"]: entries must all be names of item properties"),
            std::string::npos)
      << sound.error().to_string();
}

TEST(CrdView, ReadsACrd) {
  const json::Document document(crd_of<Widget>());
  const CrdView crd(document.root());
  EXPECT_EQ(crd.name(), crd_name("widgets", "demo.pintle.dev"));
  EXPECT_EQ(crd.group(), "demo.pintle.dev");
  EXPECT_EQ(crd.kind(), "Widget");
  EXPECT_EQ(crd.plural(), "widgets");
  EXPECT_EQ(crd.scope(), Scope::namespaced);
  EXPECT_EQ(crd.served_versions(), std::vector<std::string>{"v1"});
  EXPECT_EQ(crd.stored_version(), "v1");
  EXPECT_TRUE(crd.has_status("v1"));
  EXPECT_FALSE(crd.has_status("v2"));
  EXPECT_TRUE(crd.serves(Widget::type, Scope::namespaced));
  EXPECT_FALSE(crd.serves(Widget::type, Scope::cluster));
  EXPECT_FALSE(crd.serves({"demo.pintle.dev/v2", "Widget"}, Scope::namespaced));
  EXPECT_FALSE(crd.serves({"demo.pintle.dev/v1", "Gadget"}, Scope::namespaced));
  EXPECT_FALSE(crd.is_established());
}

TEST(CrdView, IsEstablishedByItsCondition) {
  const json::Document yes = *json::Document::parse(
      R"({"status":{"conditions":[{"type":"NamesAccepted","status":"True"},{"type":"Established","status":"True"}]}})");
  const json::Document no =
      *json::Document::parse(R"({"status":{"conditions":[{"type":"Established","status":"False"}]}})");
  EXPECT_TRUE(CrdView(yes.root()).is_established());
  EXPECT_FALSE(CrdView(no.root()).is_established());
}

TEST(Crd, DistinguishesCustomFromBuiltInKinds) {
  for (const char* version : {"v1", "apps/v1", "batch/v1", "networking.k8s.io/v1", "rbac.authorization.k8s.io/v1"}) {
    EXPECT_FALSE(is_custom_kind({version, "X"})) << version;
  }
  for (const char* version : {"demo.pintle.dev/v1", "gateway.networking.k8s.io/v1", "example.com/v1"})
    EXPECT_TRUE(is_custom_kind({version, "X"})) << version;
}

}  // namespace
}  // namespace pintle
