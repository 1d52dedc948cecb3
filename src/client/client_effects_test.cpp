// SPDX-License-Identifier: Apache-2.0
// The effects of the verbs of the client on the embedded API server.
#include <pintle/client/client.hpp>

#include <chrono>
#include <string>
#include <vector>

#include <pintle/client/scale.hpp>
#include <pintle/client/table.hpp>
#include <pintle/testing/simulation.hpp>

#include "client_test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

const GroupVersionKind pod{"v1", "Pod"};
const GroupVersionKind deployment{"apps/v1", "Deployment"};

class VerbsTest : public ::testing::Test {
 protected:
  void create_pods(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      const auto made =
          client.create({{"apiVersion", "v1"},
                         {"kind", "Pod"},
                         {"metadata", {{"name", name}, {"namespace", "default"}, {"labels", {{"app", "web"}}}}},
                         {"spec", {{"containers", json::array{json::object{{"name", "c"}, {"image", "i"}}}}}}});
      ASSERT_TRUE(made) << made.error().to_string();
    }
  }
  std::vector<std::string> pods() {
    std::vector<std::string> names;
    const auto read = client.for_each(pod, {.namespace_ = "default"}, [&](const Object& object) {
      EXPECT_EQ(object.group_version_kind(), pod);
      names.emplace_back(object.name());
      return true;
    });
    EXPECT_TRUE(read) << read.error().to_string();
    return names;
  }

  testkit::Simulation simulation{{.seed = 1}};
  Client& client = simulation.user();
};

TEST_F(VerbsTest, AListGoesOnAfterTheServerDroppedItsVersion) {
  create_pods({"a", "b", "c", "d", "e"});
  std::vector<std::string> names;
  const auto read = client.for_each(pod, {.namespace_ = "default", .limit = 2}, [&](const Object& object) {
    names.emplace_back(object.name());
    if (object.name() == "b") {
      EXPECT_TRUE(*client.remove(pod, {"default", "a"}, {.grace_period = 0s}));
      simulation.server().compact();
    }
    return true;
  });

  ASSERT_TRUE(read) << read.error().to_string();
  EXPECT_THAT(names, ElementsAre("a", "b", "c", "d", "e"));
}

TEST_F(VerbsTest, RemoveAllDeletesTheSelectedObjects) {
  create_pods({"a", "b"});
  ASSERT_TRUE(client.patch(pod, {"default", "b"}, json::Value{{"metadata", {{"labels", {{"app", "other"}}}}}}));

  ASSERT_TRUE(client.remove_all(pod, {.namespace_ = "default", .label_selector = "app=web"}, {.dry_run = true}));
  EXPECT_THAT(pods(), ElementsAre("a", "b"));
  ASSERT_TRUE(client.remove_all(pod, {.namespace_ = "default", .label_selector = "app=web"}, {.grace_period = 0s}));
  EXPECT_THAT(pods(), ElementsAre("b"));
  EXPECT_EQ(client.remove_all(pod, {}).error().code, ErrorCode::invalid) << "a namespaced kind needs a namespace";
}

TEST_F(VerbsTest, ScalesAnyKindWithAScale) {
  const json::Value labels{{"app", "web"}};
  const auto made =
      client.create({{"apiVersion", "apps/v1"},
                     {"kind", "Deployment"},
                     {"metadata", {{"name", "web"}, {"namespace", "default"}}},
                     {"spec",
                      {{"replicas", 2},
                       {"selector", {{"matchLabels", labels}}},
                       {"template",
                        {{"metadata", {{"labels", labels}}},
                         {"spec", {{"containers", json::array{json::object{{"name", "c"}, {"image", "i"}}}}}}}}}}});
  ASSERT_TRUE(made) << made.error().to_string();
  const ObjectKey web{"default", "web"};

  auto scale = client.get_scale(deployment, web);
  ASSERT_TRUE(scale) << scale.error().to_string();
  EXPECT_EQ(scale->spec.replicas, 2);
  EXPECT_EQ(scale->status.selector, "app=web");
  EXPECT_EQ(client.set_replicas(deployment, web, 5)->spec.replicas, 5);

  scale->spec.replicas = 7;
  EXPECT_EQ(client.replace_scale(deployment, *scale).error().code, ErrorCode::conflict);
  scale->metadata.resource_version.clear();
  EXPECT_TRUE(client.replace_scale(deployment, *scale, {.dry_run = true}));
  EXPECT_EQ(client.replace_scale(deployment, *scale)->spec.replicas, 7);
  EXPECT_EQ(client.get(deployment, web)->root()["/spec/replicas"], 7);
  EXPECT_EQ(client.set_replicas(config_map, web, 1).error().reason, no_subresource);
}

TEST_F(VerbsTest, EvictsAPodUnlessABudgetForbidsIt) {
  create_pods({"a"});
  const ObjectKey a{"default", "a"};
  ASSERT_TRUE(client.patch(pod, a, json::Value{{"status", {{"phase", "Running"}}}}, {.subresource = "status"}));
  ASSERT_TRUE(client.create({{"apiVersion", "policy/v1"},
                             {"kind", "PodDisruptionBudget"},
                             {"metadata", {{"name", "b"}, {"namespace", "default"}}},
                             {"spec", {{"minAvailable", 1}, {"selector", {{"matchLabels", {{"app", "web"}}}}}}}}));
  const GroupVersionKind budget{"policy/v1", "PodDisruptionBudget"};
  // As the controller of budgets does, without which the server waits for it.
  ASSERT_TRUE(client.patch(budget, {"default", "b"}, json::Value{{"status", {{"observedGeneration", 1}}}},
                           {.subresource = "status"}));
  const Instant begun = simulation.executor().now();

  const auto refused = client.evict(a);

  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::too_many_requests);
  EXPECT_EQ(refused.error().retry_after, 5s);
  EXPECT_EQ(refused.error().causes.at(0).reason, "DisruptionBudget");
  EXPECT_LT(simulation.executor().now() - begun, 1s) << "the caller decides when to try again";
  ASSERT_TRUE(client.patch(budget, {"default", "b"}, json::Value{{"status", {{"disruptionsAllowed", 1}}}},
                           {.subresource = "status"}));
  EXPECT_TRUE(*client.evict(a, {.dry_run = true}));
  EXPECT_THAT(pods(), ElementsAre("a"));
  EXPECT_TRUE(*client.evict(a, {.grace_period = 0s}));
  EXPECT_FALSE(*client.evict(a));
}

TEST_F(VerbsTest, PatchesListsByKey) {
  create_pods({"a"});
  const json::Value patch{{"spec", {{"containers", json::array{json::object{{"name", "c"}, {"image", "new"}}}}}}};

  const auto patched = client.strategic_patch(pod, {"default", "a"}, patch);

  ASSERT_TRUE(patched) << patched.error().to_string();
  EXPECT_EQ(patched->root()["/spec/containers/0/image"], "new");
  EXPECT_EQ(patched->root()["/spec/containers/0/imagePullPolicy"].text(), "Always") << "the container is merged";
}

TEST_F(VerbsTest, ReadsTables) {
  create_pods({"a", "b"});

  const auto table = client.table(pod, {.namespace_ = "default", .limit = 1});

  ASSERT_TRUE(table) << table.error().to_string();
  ASSERT_FALSE(table->columns.empty());
  EXPECT_EQ(table->columns[0].name, "Name");
  EXPECT_EQ(table->columns[0].format, "name");
  ASSERT_THAT(table->rows, SizeIs(1));
  EXPECT_EQ(table->rows[0].cells.size(), table->columns.size());
  EXPECT_EQ(table->rows[0].cells[0], json::Value("a"));
  EXPECT_EQ(table->rows[0].object.name(), "a");
  EXPECT_FALSE(table->continue_.empty());
}

TEST_F(VerbsTest, ReadsMetadataAlone) {
  create_pods({"a"});

  const auto object = client.get(pod, {"default", "a"}, {.metadata_only = true});

  ASSERT_TRUE(object) << object.error().to_string();
  EXPECT_EQ(object->group_version_kind(), pod);
  EXPECT_EQ(object->label("app"), "web");
  EXPECT_FALSE(object->root().member("spec").exists());
}

TEST_F(VerbsTest, StrictValidationNamesTheUnknownFields) {
  const auto create = [&](FieldValidation validation) {
    return client.create({{"apiVersion", "v1"},
                          {"kind", "ConfigMap"},
                          {"metadata", {{"name", "a"}, {"namespace", "default"}}},
                          {"dota", {{"k", "v"}}}},
                         {.field_validation = validation});
  };

  const auto refused = create(FieldValidation::strict);

  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::invalid);
  EXPECT_THAT(refused.error().message, HasSubstr(R"(unknown field "dota")"));
  EXPECT_TRUE(create(FieldValidation::warn));
}

TEST_F(VerbsTest, SubresourcesOfOtherKindsAreReadAndWritten) {
  create_pods({"a"});

  const auto bound = client.create(
      pod, {"default", "a"},
      {{"apiVersion", "v1"}, {"kind", "Binding"}, {"metadata", {{"name", "a"}}}, {"target", {{"name", "n1"}}}},
      {.subresource = "binding"});
  ASSERT_TRUE(bound) << bound.error().to_string();
  EXPECT_EQ(client.get(pod, {"default", "a"})->root()["/spec/nodeName"], "n1");
  EXPECT_EQ(client.get(pod, {"default", "a"}, {.subresource = "status"})->name(), "a");
  EXPECT_THAT(client.create(pod, {"default", "a"}, json::Value(json::object()), {}).error().message,
              HasSubstr("set WriteOptions::subresource"));
}

}  // namespace
}  // namespace pintle
