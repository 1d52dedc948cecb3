// SPDX-License-Identifier: Apache-2.0
#include "final_state.hpp"

#include <gmock/gmock.h>

#include <pintle/testing/simulation.hpp>

namespace pintle::testkit {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class FinalStateTest : public ::testing::Test {
 protected:
  // Creates a ConfigMap with data and an annotation in a new cluster, after some other writes.
  static FinalState state(const json::Value& config_map, int writes_before = 0,
                          const std::set<StoredKey>& without = {}) {
    Simulation simulation({.seed = 1});
    for (int i = 0; i < writes_before; ++i) {
      EXPECT_TRUE(simulation.user().create(
          json::Value{{"apiVersion", "v1"},
                      {"kind", "Secret"},
                      {"metadata", {{"name", "s" + std::to_string(i)}, {"namespace", "default"}}}}));
    }
    simulation.executor().sleep_for(std::chrono::seconds(writes_before));
    const auto created = simulation.user().create(config_map);
    EXPECT_TRUE(created);
    return final_state(simulation.server(), {"configmaps"}, without);
  }
  static json::Value config_map(json::object metadata, json::object data = {}) {
    metadata["namespace"] = "default";
    return {{"apiVersion", "v1"}, {"kind", "ConfigMap"}, {"metadata", std::move(metadata)}, {"data", std::move(data)}};
  }
};

TEST_F(FinalStateTest, DoesNotDependOnVersionsUidsTimesAndGeneratedNames) {
  EXPECT_EQ(state(config_map({{"name", "a"}})), state(config_map({{"name", "a"}}), 7));
  EXPECT_EQ(state(config_map({{"generateName", "a-"}})), state(config_map({{"generateName", "a-"}}), 7));
  const auto at = [](const char* time) { return config_map({{"name", "a"}}, {{"at", time}}); };
  EXPECT_EQ(state(at("2026-01-02T03:04:05Z")), state(at("2026-01-02T03:04:06.5Z")));
}

// "pvc-UID", "a-FIRSTPART", and a child of such a child.
TEST_F(FinalStateTest, DoesNotDependOnUidsInNames) {
  const auto with_children = [&](int writes_before, std::size_t length) {
    Simulation simulation({.seed = 1});
    const auto create = [&](const std::string& name, json::object data = {}) {
      const auto created = simulation.user().create(config_map({{"name", name}}, std::move(data)));
      EXPECT_TRUE(created);
      return created ? std::string(created->uid()) : name;
    };
    for (int i = 0; i < writes_before; ++i) create("before");
    if (writes_before > 0) {
      EXPECT_TRUE(simulation.user().remove({"v1", "ConfigMap"}, {"default", "before"}));
    }
    const std::string uid = create("a");
    const std::string child = "child-" + uid.substr(0, length);
    const std::string grandchild = "grandchild-" + create(child, {{"of", uid}});
    create(grandchild, {{"of", child}});
    return final_state(simulation.server(), {"configmaps"}, {});
  };
  for (const std::size_t length : {8, 36}) EXPECT_EQ(with_children(0, length), with_children(1, length)) << length;
  EXPECT_EQ(first_difference(with_children(0, 8), with_children(1, 8)), "");
  EXPECT_NE(with_children(0, 8), with_children(0, 36));
}

TEST_F(FinalStateTest, DiffersIfTheContentDoes) {
  const FinalState expected = state(config_map({{"name", "a"}}, {{"k", "v"}}));
  EXPECT_EQ(first_difference(expected, expected), "");
  EXPECT_THAT(first_difference(expected, state(config_map({{"name", "a"}}, {{"k", "w"}}))),
              HasSubstr("configmaps default/a is "));
  EXPECT_THAT(first_difference(expected, {}), HasSubstr("configmaps default/a is missing"));
  EXPECT_THAT(first_difference({}, expected), HasSubstr("configmaps default/a exists, and it should not"));
}

// Two objects with generated names may be equal in everything else.
TEST_F(FinalStateTest, CountsObjectsWithGeneratedNames) {
  const auto with_objects = [&](int count) {
    Simulation simulation({.seed = 1});
    for (int i = 0; i < count; ++i) EXPECT_TRUE(simulation.user().create(config_map({{"generateName", "a-"}})));
    return final_state(simulation.server(), {"configmaps"}, {});
  };
  EXPECT_EQ(with_objects(2), with_objects(2));
  EXPECT_NE(with_objects(2), with_objects(1));
}

TEST_F(FinalStateTest, ComparesOnlyThePresenceOfAssignedValues) {
  const auto with_ticket = [&](json::object data) {
    Simulation simulation({.seed = 1});
    EXPECT_TRUE(simulation.user().create(config_map({{"name", "a"}}, std::move(data))));
    return final_state(simulation.server(), {"configmaps"}, {}, {"/data/ticket"});
  };
  const FinalState first = with_ticket({{"ticket", "1"}, {"title", "t"}});
  EXPECT_EQ(first, with_ticket({{"ticket", "3"}, {"title", "t"}}));
  EXPECT_NE(first, with_ticket({{"title", "t"}}));
  EXPECT_NE(first, with_ticket({{"ticket", "1"}, {"title", "u"}}));
}

TEST_F(FinalStateTest, LeavesOutWhatItIsTold) {
  EXPECT_TRUE(state(config_map({{"name", "a"}}), 0, {{.resource = "configmaps", .key = {"default", "a"}}}).empty());
}

TEST_F(FinalStateTest, ComparesObservedGenerationsWithTheirGenerationAndConditionsAsASet) {
  Simulation simulation({.seed = 1});
  const auto deployment = [&](std::int64_t observed, const char* first, const char* second) {
    const json::Value object{
        {"apiVersion", "apps/v1"},
        {"kind", "Deployment"},
        {"metadata", {{"name", "d"}, {"namespace", "default"}}},
        {"spec",
         {{"selector", {{"matchLabels", {{"a", "b"}}}}},
          {"template",
           {{"metadata", {{"labels", {{"a", "b"}}}}},
            {"spec", {{"containers", json::array{json::object{{"name", "c"}, {"image", "i"}}}}}}}}}}};
    EXPECT_TRUE(simulation.user().create(object));
    const auto condition = [](const char* type) { return json::object{{"type", type}, {"status", "True"}}; };
    EXPECT_TRUE(simulation.user().patch(
        {"apps/v1", "Deployment"}, {"default", "d"},
        json::Value{
            {"status",
             {{"observedGeneration", observed}, {"conditions", json::array{condition(first), condition(second)}}}}},
        {.subresource = "status"}));
    FinalState made = final_state(simulation.server(), {"deployments.apps"}, {});
    EXPECT_TRUE(simulation.user().remove({"apps/v1", "Deployment"}, {"default", "d"}));
    return made;
  };
  const FinalState current = deployment(1, "A", "B");
  EXPECT_EQ(current, deployment(1, "B", "A"));
  EXPECT_NE(current, deployment(0, "A", "B"));
}

}  // namespace
}  // namespace pintle::testkit
