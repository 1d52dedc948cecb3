// SPDX-License-Identifier: Apache-2.0
// The table of the built-in kinds, and the schemas made from it.
#include "schemas.hpp"

#include <algorithm>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "builtin.hpp"
#include "fit.hpp"
#include "table/table.hpp"
#include "words.hpp"

namespace pintle::apiserver {
namespace {

class SchemasTest : public testing::Test {
 protected:
  json::View at(std::string_view type, std::string_view pointer) const { return schemas_.of(type)[pointer]; }

  Schemas schemas_{};
};

TEST(Table, IsSortedAndNamesOnlyKnownTypes) {
  const std::set<std::string_view> words{"string", "int32",  "int64", "double",   "boolean",       "bytes",
                                         "time",   "object", "any",   "quantity", "int-or-string", "microtime"};
  const auto types = builtin_types();
  const auto has = [&](std::string_view name) {
    return std::any_of(types.begin(), types.end(), [&](const TypeFacts& one) { return one.name == name; });
  };

  EXPECT_TRUE(std::is_sorted(types.begin(), types.end(), [](const auto& a, const auto& b) { return a.name < b.name; }));
  for (const TypeFacts& type : types) {
    for (const std::string_view line : split(type.members, '\n')) {
      if (line == "atomic" || line == "opaque") continue;
      std::string_view word = split(line, ' ').at(1);
      while (word.starts_with("[]") || word.starts_with("{}")) word.remove_prefix(2);
      EXPECT_TRUE(words.contains(word) || has(word)) << type.name << ": " << line;
    }
  }
  for (const KindFacts& kind : builtin_kinds()) EXPECT_TRUE(has(kind.type)) << kind.kind;
}

TEST_F(SchemasTest, DefineHowListsAndMapsAreMerged) {
  const std::string spec = "/properties/spec/properties/template/properties/spec/properties";

  const json::View containers = at("apps.v1.Deployment", spec + "/containers");
  EXPECT_EQ(containers.member("x-kubernetes-list-type"), "map");
  EXPECT_EQ(containers["/x-kubernetes-list-map-keys/0"], "name");
  EXPECT_EQ(containers.member("x-kubernetes-patch-merge-key"), "name");
  EXPECT_EQ(containers["/items/properties/ports/items/properties/protocol/default"], "TCP");
  EXPECT_EQ(at("apps.v1.Deployment", spec + "/volumes/x-kubernetes-patch-strategy"), "merge,retainKeys");
  EXPECT_EQ(at("apps.v1.Deployment", spec + "/nodeSelector/x-kubernetes-map-type"), "atomic");
  EXPECT_EQ(at("apps.v1.Deployment", "/properties/spec/properties/selector/x-kubernetes-map-type"), "atomic");
  EXPECT_EQ(at("core.v1.Namespace", "/properties/metadata/properties/finalizers/x-kubernetes-list-type"), "set");
  EXPECT_EQ(at("core.v1.PersistentVolumeSpec", "/properties/claimRef/x-kubernetes-map-type"), "granular");
  EXPECT_EQ(at("apiregistration.v1.APIServiceSpec", "/properties/caBundle/x-kubernetes-list-type"), "atomic");
}

TEST_F(SchemasTest, ContainTheSizesOfIntegers) {
  EXPECT_EQ(at("apps.v1.DeploymentSpec", "/properties/replicas/format"), "int32");
  EXPECT_EQ(at("core.v1.PodSpec", "/properties/terminationGracePeriodSeconds/format"), "int64");
}

TEST_F(SchemasTest, AreMissingForUnknownNames) {
  EXPECT_TRUE(schemas_.of("core.v1.Pod").exists());
  EXPECT_FALSE(schemas_.of("core.v1.Pond").exists());
  EXPECT_FALSE(schemas_.of("").exists());
}

TEST_F(SchemasTest, FillInTheMembersThatAStructPrints) {
  json::Value set = json::parse(R"({"spec":{"template":{"spec":{"containers":[{"name":"c"}]}}}})").value();
  fill(set, schemas_.of("apps.v1.ReplicaSet"));
  EXPECT_EQ(json::print(set), R"({"spec":{"template":{"spec":{"containers":[{"name":"c","resources":{}}]},)"
                              R"("metadata":{}},"selector":null},"metadata":{},"status":{"replicas":0}})");

  json::Value role = json::parse(R"({"metadata":{},"rules":[]})").value();
  std::vector<std::string> unknown;
  ASSERT_TRUE(fit(role, schemas_.of("rbac.v1.Role"), unknown));
  fill(role, schemas_.of("rbac.v1.Role"));
  EXPECT_EQ(json::print(role), R"({"metadata":{},"rules":null})");
}

// Counts the structs in a schema whose x-pintle-fill differs from the list of members with a default.
int count_wrong_fills(json::View schema) {
  json::array with_default;
  int wrong = 0;
  for (const auto [name, member] : schema.member("properties").members()) {
    if (member.member("default").exists()) with_default.emplace_back(name);
    wrong += count_wrong_fills(member);
  }
  for (const char* below : {"items", "additionalProperties"}) {
    if (const json::View part = schema.member(below)) wrong += count_wrong_fills(part);
  }
  const json::View expected = schema.member("x-pintle-fill");
  return wrong + (json::print(with_default) == (expected.exists() ? expected.print() : "[]") ? 0 : 1);
}

TEST_F(SchemasTest, ListTheMembersThatHaveADefault) {
  for (const char* type : {"core.v1.Pod", "core.v1.Node", "apps.v1.StatefulSet", "rbac.v1.Role"}) {
    EXPECT_EQ(count_wrong_fills(schemas_.of(type)), 0) << type;
    EXPECT_TRUE(schemas_.of(type)["/x-pintle-fill/0"] == "metadata") << schemas_.of(type)["/x-pintle-fill"].print();
  }
}

TEST_F(SchemasTest, NormaliseQuantitiesAndCheckBytes) {
  const auto fitted = [&](std::string_view text, std::string_view type) {
    json::Value value = json::parse(text).value();
    std::vector<std::string> unknown;
    const auto done = fit(value, schemas_.of(type), unknown);
    return done ? json::print(value) : "refused " + std::to_string(done.error().code);
  };

  EXPECT_EQ(fitted(R"({"limits":{"cpu":0.5,"memory":"1024Mi"}})", "core.v1.ResourceRequirements"),
            R"({"limits":{"cpu":"500m","memory":"1Gi"}})");
  EXPECT_EQ(fitted(R"({"limits":{"cpu":"much"}})", "core.v1.ResourceRequirements"), "refused 400");
  EXPECT_EQ(fitted(R"({"data":{"a":"Yg=="}})", "core.v1.Secret"), R"({"data":{"a":"Yg=="}})");
  EXPECT_EQ(fitted(R"({"data":{"a":"b?"}})", "core.v1.Secret"), "refused 400");
  EXPECT_EQ(fitted(R"({"targetPort":"web","port":1})", "core.v1.ServicePort"), R"({"targetPort":"web","port":1})");
  EXPECT_EQ(fitted(R"({"targetPort":true,"port":1})", "core.v1.ServicePort"), "refused 400");
}

}  // namespace
}  // namespace pintle::apiserver
