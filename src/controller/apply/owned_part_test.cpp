// SPDX-License-Identifier: Apache-2.0
#include "owned_part.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <pintle/base/random.hpp>
#include <pintle/json/pointer.hpp>
#include <pintle/object/merge/managed_fields.hpp>
#include <pintle/testing/seeds.hpp>
#include <pintle/testing/simulation.hpp>

namespace pintle {
namespace {

std::uint64_t digest(std::string_view object, std::string_view intent) {
  return owned_part_digest(json::Document::parse(object)->root(), json::Document::parse(intent)->root());
}

TEST(OwnedPart, CoversOnlyTheIntent) {
  const char* intent = R"({"apiVersion":"v1","kind":"ConfigMap","data":{"a":"1","none":null}})";
  const std::uint64_t before = digest(R"({"data":{"a":"1"}})", intent);
  EXPECT_EQ(digest(R"({"x":1,"data":{"b":"2","none":"x","a":"1"}})", intent), before);
  for (const char* changed :
       {R"({"data":{"a":"2"}})", R"({"data":{"b":"1"}})", R"({"data":{}})", R"({"data":"a"})", "{}"}) {
    EXPECT_NE(digest(changed, intent), before) << changed;
  }
}

TEST(OwnedPart, ElementsOfAListMapAreFoundByTheirKeys) {
  const char* intent =
      R"({"apiVersion":"v1","kind":"Service","spec":{"ports":[{"port":80},{"port":53,"protocol":"UDP"}]}})";
  const char* kept = R"({"spec":{"ports":[{"port":80,"protocol":"TCP"},{"port":53,"protocol":"UDP"}]}})";
  const char* with_another =
      R"({"spec":{"ports":[{"port":80,"protocol":"TCP"},{"port":53,"protocol":"TCP"},{"port":53,"protocol":"UDP"}]}})";
  EXPECT_EQ(digest(kept, intent), digest(with_another, intent));
  const char* without_one = R"({"spec":{"ports":[{"port":80,"protocol":"TCP"},{"port":53,"protocol":"TCP"}]}})";
  EXPECT_NE(digest(kept, intent), digest(without_one, intent));
  const char* other_order = R"({"spec":{"ports":[{"port":53,"protocol":"UDP"},{"port":80,"protocol":"TCP"}]}})";
  EXPECT_NE(digest(kept, intent), digest(other_order, intent));
}

TEST(OwnedPart, AtomicListsAndMapsAreComparedAsAWhole) {
  const char* intent =
      R"({"apiVersion":"v1","kind":"Service","spec":{"selector":{"a":"b"},"externalIPs":["1.2.3.4"]}})";
  const std::uint64_t before = digest(R"({"spec":{"selector":{"a":"b"},"externalIPs":["1.2.3.4"]}})", intent);
  EXPECT_NE(digest(R"({"spec":{"selector":{"a":"b","c":"d"},"externalIPs":["1.2.3.4"]}})", intent), before);
  EXPECT_NE(digest(R"({"spec":{"selector":{"a":"b"},"externalIPs":["1.2.3.4","5.6.7.8"]}})", intent), before);
}

TEST(OwnedPart, OwnersAndFinalizersOfAnyKindAreMerged) {
  const char* intent =
      R"({"apiVersion":"x.dev/v1","kind":"X","metadata":{"finalizers":["a"],"ownerReferences":[{"uid":"u","name":"n"}]}})";
  const std::uint64_t before =
      digest(R"({"metadata":{"finalizers":["a"],"ownerReferences":[{"uid":"u","name":"n"}]}})", intent);
  EXPECT_EQ(
      digest(R"({"metadata":{"finalizers":["b","a"],"ownerReferences":[{"uid":"v"},{"uid":"u","name":"n"}]}})", intent),
      before);
  EXPECT_NE(digest(R"({"metadata":{"finalizers":["b"],"ownerReferences":[{"uid":"u","name":"n"}]}})", intent), before);
  EXPECT_NE(digest(R"({"metadata":{"finalizers":["a"],"ownerReferences":[{"uid":"v"}]}})", intent), before);
}

TEST(OwnedPart, TextsOfASecretAreComparedWithItsData) {
  const char* intent = R"({"apiVersion":"v1","kind":"Secret","stringData":{"a":"b"}})";
  const std::uint64_t before = digest(R"({"data":{"a":"Yg==","x":"eA=="}})", intent);
  EXPECT_EQ(digest(R"({"data":{"a":"Yg=="}})", intent), before);
  EXPECT_NE(digest(R"({"data":{"a":"Yw=="}})", intent), before);
  EXPECT_NE(digest(R"({"data":{}})", intent), before);
  const char* custom = R"({"apiVersion":"x.dev/v1","kind":"Secret","stringData":{"a":"b"}})";
  EXPECT_NE(digest(R"({"stringData":{"a":"b"}})", custom), digest(R"({"stringData":{"a":"c"}})", custom));
}

TEST(OwnedPart, StatusAndFieldsOfTheServerAreNotOurs) {
  const char* intent =
      R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","generation":1,"resourceVersion":"1"},"status":{"phase":"x"}})";
  EXPECT_EQ(digest(R"({"metadata":{"name":"a","generation":1,"resourceVersion":"1"},"status":{"phase":"x"}})", intent),
            digest(R"({"metadata":{"name":"a","generation":2,"resourceVersion":"2"}})", intent));
  const char* custom = R"({"apiVersion":"x.dev/v1","kind":"X","status":{"phase":"x"}})";
  EXPECT_NE(digest(R"({"status":{"phase":"x"}})", custom), digest(R"({"status":{"phase":"y"}})", custom));
}

// ---- against the schemas of every built-in kind ----

struct BuiltIn {
  std::string kind;
  std::string api_version;
  json::Value schema;  // with references resolved
};

class OwnedPartOfBuiltInKinds : public ::testing::Test {
 protected:
  void SetUp() override {
    const json::Value index = get("/openapi/v3");
    for (const auto& path : index.at("paths").as_object()) {
      const std::string name(path.key());
      if (!name.ends_with("/v1") && !name.ends_with("/v2")) continue;
      schemas_ = get("/openapi/v3/" + name).at("components").at("schemas").as_object();
      for (const auto& entry : schemas_) add(entry.value());
    }
    ASSERT_GT(kinds.size(), 50U);
  }

  std::vector<BuiltIn> kinds;

 private:
  json::Value get(const std::string& target) {
    http::Response response = simulation_.server().handle({.method = "GET", .target = target});
    http::read_full_body(response);
    EXPECT_EQ(response.status, 200) << target;
    return json::parse(response.body).value();
  }

  // Adds the schema if it belongs to a kind of objects, not to a list or a nested type.
  void add(const json::Value& schema) {
    const json::Value* of = json::find(schema, "/x-kubernetes-group-version-kind");
    const json::Value* metadata = json::find(schema, "/properties/metadata");
    if (of == nullptr || of->as_array().size() != 1 || metadata == nullptr) return;
    const std::string kind(of->at(0).at("kind").as_string());
    if (kind.ends_with("List") || !seen_.insert(kind + std::string(of->at(0).at("group").as_string())).second) return;
    const std::string group(of->at(0).at("group").as_string());
    const std::string version(of->at(0).at("version").as_string());
    std::vector<std::string> way;
    kinds.push_back({kind, group.empty() ? version : group + "/" + version, resolved(schema, way)});
  }

  // A type that contains itself is resolved twice and ends as an empty object.
  json::Value resolved(const json::Value& schema, std::vector<std::string>& way) {
    if (const json::Value* all = json::find(schema, "/allOf")) return resolved(all->at(0), way);
    if (const json::Value* reference = json::find(schema, "/$ref")) {
      const std::string name(
          std::string_view(reference->as_string()).substr(std::string_view("#/components/schemas/").size()));
      if (std::count(way.begin(), way.end(), name) > 1) return json::object();
      way.push_back(name);
      json::Value found = resolved(schemas_.at(name), way);
      way.pop_back();
      return found;
    }
    json::Value out = schema;
    if (json::Value* properties = out.as_object().if_contains("properties")) {
      for (auto& property : properties->as_object()) {
        json::Value below = resolved(property.value(), way);
        // Extensions beside the reference apply too.
        for (const auto& word : property.value().as_object()) {
          if (word.key().starts_with("x-")) below.as_object()[word.key()] = word.value();
        }
        property.value() = std::move(below);
      }
    }
    for (const char* name : {"items", "additionalProperties"}) {
      if (json::Value* below = out.as_object().if_contains(name); below != nullptr && below->is_object()) {
        *below = resolved(*below, way);
      }
    }
    return out;
  }

  testkit::Simulation simulation_{{.seed = 1}};
  json::object schemas_;
  std::set<std::string> seen_;
};

std::string word(const json::Value& schema, const char* name) {
  const json::Value* found = schema.as_object().if_contains(name);
  return found != nullptr && found->is_string() ? std::string(found->as_string()) : std::string();
}

// Compares the rules with a schema, from the root down to the atomic parts.
void check_rules(const BuiltIn& of, const json::Value& schema, const std::string& at, const std::string& parent,
                 const std::string& name) {
  const std::string where = of.kind + at;
  if (const std::string type = word(schema, "x-kubernetes-list-type"); word(schema, "type") == "array") {
    const ListRule* rule = list_rule(of.kind, parent, name);
    EXPECT_EQ(rule != nullptr, type == "map" || type == "set") << where << " is " << type;
    if (rule == nullptr) return;
    EXPECT_EQ(rule->keys[0].empty(), type == "set") << where;
    std::vector<std::string> keys;
    if (type == "map") {
      for (const json::Value& key : schema.at("x-kubernetes-list-map-keys").as_array())
        keys.emplace_back(key.as_string());
      keys.resize(2);
      EXPECT_EQ(keys, (std::vector<std::string>{std::string(rule->keys[0]), std::string(rule->keys[1])})) << where;
    }
    check_rules(of, schema.at("items"), at + "[]", name, name);
    return;
  }
  const json::Value* properties = schema.as_object().if_contains("properties");
  const bool is_atomic = word(schema, "x-kubernetes-map-type") == "atomic";
  const bool can_gain = properties == nullptr || properties->as_object().size() > 1;
  const bool is_map = properties != nullptr || is_atomic;
  // This member is atomic in autoscaling/v1 only.
  const bool is_known = of.kind == "HorizontalPodAutoscaler" && name == "scaleTargetRef";
  if (is_map && !is_known && !at.ends_with("[]") && is_atomic != is_atomic_map(name) && (can_gain || !is_atomic)) {
    ADD_FAILURE() << where << (is_atomic ? " is atomic" : " is not atomic");
  }
  if (is_atomic || properties == nullptr) return;
  for (const auto& property : properties->as_object()) {
    if (at.empty() && property.key() == "status") continue;
    check_rules(of, property.value(), at + "." + std::string(property.key()), name, std::string(property.key()));
  }
}

TEST_F(OwnedPartOfBuiltInKinds, ListsAndMapsAreMergedLikeOnTheServer) {
  for (const BuiltIn& kind : kinds) {
    // These kinds cannot be applied.
    if (kind.kind == "Binding" || kind.kind == "ComponentStatus" || kind.kind.ends_with("Review")) continue;
    check_rules(kind, kind.schema, "", "", "");
  }
}

// Returns values that a schema allows: a different value for each scalar, and two elements in each list.
class Sample {
 public:
  explicit Sample(std::int64_t first) : next_(first) {}

  json::Value of(const json::Value& schema) {
    const std::string type = word(schema, "type");
    if (type == "array") return json::array{of(schema.at("items")), of(schema.at("items"))};
    if (const json::Value* properties = schema.as_object().if_contains("properties")) {
      json::object out;
      for (const auto& property : properties->as_object()) out[property.key()] = of(property.value());
      return out;
    }
    if (const json::Value* more = schema.as_object().if_contains("additionalProperties");
        more != nullptr && more->is_object()) {
      return json::object{{"key-" + std::to_string(++next_), of(*more)}};
    }
    if (type == "object") return json::object{{"any", ++next_}};
    if (type == "integer" || type == "number") return ++next_;
    if (type == "boolean") return true;
    return json::Value("text-" + std::to_string(++next_));
  }

 private:
  std::int64_t next_;
};

json::Value intent_of(const BuiltIn& kind, std::int64_t first) {
  json::Value intent = Sample(first).of(kind.schema);
  json::object& root = intent.as_object();
  root.erase("status");
  root["apiVersion"] = kind.api_version;
  root["kind"] = kind.kind;
  root["metadata"] =
      json::object{{"name", "x"}, {"labels", json::object{{"l", "v"}}}, {"finalizers", json::array{"f"}}};
  return intent;
}

// Appends the pointers of all scalars.
void leaves(const json::Value& value, const std::string& at, std::vector<std::string>& out) {
  if (value.is_object()) {
    for (const auto& member : value.as_object())
      leaves(member.value(), at + "/" + json::escape_token(member.key()), out);
  } else if (value.is_array()) {
    for (std::size_t i = 0; i < value.as_array().size(); ++i) leaves(value.at(i), at + "/" + std::to_string(i), out);
  } else {
    out.push_back(at);
  }
}

TEST_F(OwnedPartOfBuiltInKinds, DetectsChangesOfAppliedValuesOnly) {
  constexpr int changes = testkit::is_sanitized ? 4 : 40;
  Random random(7);
  for (const BuiltIn& kind : kinds) {
    const json::Document schema(kind.schema);
    const json::Value intent = intent_of(kind, 0);
    const json::Document wanted(intent);
    const auto applied =
        apply_configuration(json::Value(), intent, schema.root(), {.name = "ours", .api_version = "v1"}, {});
    ASSERT_TRUE(applied) << kind.kind << ": " << applied.error().to_string();
    const std::uint64_t before = owned_part_digest(json::Document(*applied).root(), wanted.root());

    json::Value touched = *applied;
    touched.as_object()["metadata"].as_object()["annotations"] = json::object{{"somebody", "touched"}};
    touched.as_object()["metadata"].as_object()["finalizers"].as_array().emplace_back("theirs");
    touched.as_object()["status"] = json::object{{"phase", "x"}};
    EXPECT_EQ(owned_part_digest(json::Document(touched).root(), wanted.root()), before) << kind.kind;

    std::vector<std::string> places;
    for (const auto& member : intent.as_object()) {
      if (member.key() == "apiVersion" || member.key() == "kind" || member.key() == "metadata") continue;
      leaves(member.value(), "/" + std::string(member.key()), places);
    }
    for (int i = 0; i < changes && !places.empty(); ++i) {
      const std::string& place = places[random.below(places.size())];
      json::Value changed = *applied;
      const std::string at = kind.kind == "Secret" && place.starts_with("/stringData/") ? "/data" : place;
      ASSERT_TRUE(json::set(changed, at, json::object{{"somebody", "else's"}})) << kind.kind << at;
      EXPECT_NE(owned_part_digest(json::Document(changed).root(), wanted.root()), before) << kind.kind << at;
    }
  }
}

}  // namespace
}  // namespace pintle
