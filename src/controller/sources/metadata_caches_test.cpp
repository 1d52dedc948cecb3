// SPDX-License-Identifier: Apache-2.0
// Caches of metadata, kinds that are only read, and field selectors of owned kinds.
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>

#include <pintle/manager/manager_cache.hpp>

#include "controller/test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

Outcome read_nothing(const Note&, Context&) { return done; }

constexpr std::string_view metadata_type = "PartialObjectMetadata";

class MetadataCaches : public OperatorTest {
 protected:
  void SetUp() override {
    ASSERT_TRUE(simulation.user().create(
        ConfigMap{.metadata = {.name = "m", .namespace_ = "default", .labels = {{"app", "x"}}}, .data = {{"k", "v"}}}));
  }
  // Runs a controller whose reconciles read the ConfigMap, and records the requests for ConfigMaps.
  void run_reading(Controller<Note> controller, ManagerOptions options = {}) {
    controller.reconcile = [this](const Note&, Context& ctx) -> Outcome {
      const auto map = ctx.get(config_map, {"default", "m"});
      if (!map) return map.error();
      const auto all = ctx.list(config_map, {.namespace_ = "default"});
      if (!all) return all.error();
      got = std::string((*map)["/data/k"].text());
      listed = std::string(all->front()["/data/k"].text());
      label = std::string(map->label("app"));
      ++reconciles;
      return done;
    };
    options.name = "test-operator";
    options.log_sink = log;
    const http::FaultPlan recorder{{.effect = http::Delay{}, .only = [this](const http::Request& request) {
                                      if (request.target.find("/configmaps") == std::string::npos) return false;
                                      accepted.emplace_back(request.headers.get("Accept").value_or(""));
                                      targets.push_back(request.target);
                                      return false;
                                    }}};
    instance = std::make_unique<testkit::Instance>(
        simulation, std::move(options), [&](Manager& manager) { manager.add(std::move(controller)); }, recorder);
    instance->start();
    ASSERT_TRUE(simulation.wait_until([&] { return instance->manager().is_ready(); }));
    create(note("n"));
    ASSERT_TRUE(simulation.run_until_idle());
  }
  static Watches read_only(bool metadata_only) {
    return {.kind = config_map, .metadata_only = metadata_only, .only_read = true};
  }

  std::string got, listed, label;
  std::vector<std::string> accepted;  // by requests for ConfigMaps
  std::vector<std::string> targets;
  int reconciles = 0;
};

TEST_F(MetadataCaches, AnOwnedKind) {
  run_reading({.owns = {Owns{ConfigMap::type, {.metadata_only = true}}}, .reconcile = read_nothing});
  EXPECT_EQ(label, "x");
  EXPECT_EQ(got, "");
  EXPECT_EQ(listed, "");
  EXPECT_THAT(accepted, Not(IsEmpty()));
  EXPECT_THAT(accepted, Each(HasSubstr(metadata_type)));
}

TEST_F(MetadataCaches, AKindThatIsOnlyRead) {
  run_reading({.watches = {read_only(true)}, .reconcile = read_nothing});
  EXPECT_EQ(label, "x");
  EXPECT_EQ(got, "");
  EXPECT_THAT(accepted, Each(HasSubstr(metadata_type)));
  const int before = reconciles;
  ASSERT_TRUE(
      simulation.user().patch(config_map, {"default", "m"}, json::Value{{"metadata", {{"labels", {{"app", "y"}}}}}}));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(reconciles, before) << "its changes enqueue nothing";
  set_text("n", "again");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(label, "y");
}

TEST_F(MetadataCaches, TheOptionOfTheManagerAppliesToEachCacheOfTheKind) {
  run_reading({.owns = {Owns{ConfigMap::type}}, .reconcile = read_nothing},
              {.cache_projections = {{config_map, {.metadata_only = true}}}});
  EXPECT_EQ(label, "x");
  EXPECT_EQ(got, "");
  EXPECT_THAT(accepted, Each(HasSubstr(metadata_type)));
}

TEST_F(MetadataCaches, WholeObjectsTakePrecedence) {
  run_reading({.owns = {Owns{ConfigMap::type, {.metadata_only = true}}},
               .watches = {read_only(false)},
               .reconcile = read_nothing});
  EXPECT_EQ(got, "v");
  EXPECT_EQ(listed, "v");
  EXPECT_THAT(accepted, ::testing::Contains(Not(HasSubstr(metadata_type))));
  EXPECT_THAT(accepted, ::testing::Contains(HasSubstr(metadata_type)));
}

TEST_F(MetadataCaches, ANamespaceSelectorKeepsTheForm) {
  ASSERT_TRUE(simulation.user().patch(GroupVersionKind("v1", "Namespace"), {"", "default"},
                                      json::Value{{"metadata", {{"labels", {{"team", "one"}}}}}}));
  run_reading({.owns = {Owns{ConfigMap::type, {.metadata_only = true}}}, .reconcile = read_nothing},
              {.namespace_selector = "team=one"});
  EXPECT_EQ(label, "x");
  EXPECT_EQ(got, "");
  EXPECT_THAT(accepted, Each(HasSubstr(metadata_type)));
}

TEST_F(MetadataCaches, AnOwnedKindMayHaveAFieldSelector) {
  ASSERT_TRUE(simulation.user().create(ConfigMap{.metadata = {.name = "other", .namespace_ = "default"}}));
  std::vector<std::string> names;
  run({.owns = {Owns{ConfigMap::type, {.field_selector = "metadata.name=m"}}},
       .reconcile = [&](const Note&, Context& ctx) -> Outcome {
         const std::uint64_t before = instance->transport().calls();
         const auto all = ctx.list(config_map, {.field_selector = "metadata.name=m"});
         if (!all) return all.error();
         EXPECT_EQ(instance->transport().calls(), before);
         names.clear();
         for (const Object& object : *all) names.emplace_back(object.name());
         return done;
       }});
  create(note("n"));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(names, ElementsAre("m"));
  EXPECT_EQ(instance->manager().cache()->list(config_map).error().code, ErrorCode::invalid) << "it has only a part";
}

TEST_F(MetadataCaches, WrongDeclarationsAreNamed) {
  const auto error_of = [](Controller<Note> controller) {
    controller.name = "note";
    std::string text;
    for (const Error& error : validate(erase_type(std::move(controller)))) text += error.to_string() + "\n";
    return text;
  };
  EXPECT_EQ(error_of({.watches = {read_only(true)}, .reconcile = read_nothing}), "");
  Watches both = read_only(false);
  both.map = [](const Object&) { return std::vector<ObjectKey>(); };
  EXPECT_THAT(error_of({.watches = {both}, .reconcile = read_nothing}),
              HasSubstr("has a .watches of ConfigMap with .only_read and a map; remove one of the two"));
  EXPECT_THAT(error_of({.owns = {Owns{ConfigMap::type, {.field_selector = "status"}}}, .reconcile = read_nothing}),
              HasSubstr("controller note: owns ConfigMap: field_selector \"status\""));
}

}  // namespace
}  // namespace pintle
