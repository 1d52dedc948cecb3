#include "applier.hpp"

#include <gmock/gmock.h>

#include "test_support.hpp"

namespace pintle {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

bool contains(const char* there, const char* intent) {
  const auto a = json::Document::parse(there);
  const auto b = json::Document::parse(intent);
  return pintle::contains(a->root(), b->root());
}

TEST(Contains, ComparesWhatTheIntentNamesAndNothingElse) {
  EXPECT_TRUE(contains(R"({"data":{"a":"1","b":"2"},"x":1})", R"({"data":{"a":"1"}})"));
  EXPECT_FALSE(contains(R"({"data":{"a":"2"}})", R"({"data":{"a":"1"}})"));
  EXPECT_FALSE(contains(R"({})", R"({"data":{"a":"1"}})"));
  EXPECT_FALSE(contains(R"({"data":"a"})", R"({"data":{"a":"1"}})"));
  EXPECT_FALSE(contains(R"({"list":[1,2]})", R"({"list":[1]})")) << "a list is compared whole";
  EXPECT_TRUE(
      contains(R"({"ownerReferences":[{"uid":"x"},{"uid":"y","name":"n"}]})", R"({"ownerReferences":[{"uid":"y"}]})"));
  EXPECT_FALSE(contains(R"({"ownerReferences":[{"uid":"x"}]})", R"({"ownerReferences":[{"uid":"y"}]})"));
}

class ApplyTest : public OperatorTest {
 protected:
  // Applies a child "c" for every note and keeps what came of it.
  Controller<Note> child_of_each(ApplyOptions options = {}) {
    return {.owns = {ConfigMap::type}, .reconcile = [this, options](const Note& n, Context& ctx) -> Outcome {
              ++passes;
              ConfigMap child{.metadata = owned_by(n)};
              child.metadata.name = "c";
              if (n.spec.text != "nothing") child.data = {{"text", n.spec.text}};
              last = ctx.apply(child, options);
              return last;
            }};
  }
  Object child() { return simulation.server().objects("configmaps").at(0); }

  int passes = 0;
  Result<ConfigMap> last;
};

TEST_F(ApplyTest, OwnsTheChildAsTheControllersFieldManager) {
  run(child_of_each());
  create(note("a", "1"));
  ASSERT_TRUE(simulation.settle());
  EXPECT_EQ(child()["/metadata/ownerReferences/0/name"], "a");
  EXPECT_EQ(child()["/metadata/ownerReferences/0/controller"], true);
  EXPECT_EQ(child()["/metadata/managedFields/0/manager"], "test-operator/note");
  EXPECT_EQ(child()["/metadata/managedFields/0/operation"], "Apply");
}

TEST_F(ApplyTest, WhatTheIntentNoLongerNamesIsRemoved) {
  run(child_of_each());
  create(note("a", "1"));
  ASSERT_TRUE(simulation.settle());
  ASSERT_EQ(child()["/data/text"], "1");
  set_text("a", "nothing");
  ASSERT_TRUE(simulation.settle());
  EXPECT_FALSE(child()["/data/text"].exists());
}

TEST_F(ApplyTest, ChangesOfOthersToOurFieldsAreUndoneAndTheirOwnFieldsKept) {
  run(child_of_each());
  create(note("a", "ours"));
  ASSERT_TRUE(simulation.settle());
  ASSERT_TRUE(simulation.user().patch(ConfigMap::type, {"default", "c"},
                                      json::Value{{"data", {{"text", "theirs"}, {"other", "kept"}}}}));
  ASSERT_TRUE(simulation.settle());
  EXPECT_EQ(child()["/data/text"], "ours");
  EXPECT_EQ(child()["/data/other"], "kept");
}

TEST_F(ApplyTest, AForeignObjectIsRefusedByName) {
  ASSERT_TRUE(simulation.user().create(
      ConfigMap{.metadata = {.name = "c", .namespace_ = "default"}, .data = {{"text", "mine"}}}));
  run(child_of_each());
  create(note("a"));
  ASSERT_TRUE(simulation.wait_until([&] { return passes >= 3; }));
  EXPECT_EQ(last.error().code, ErrorCode::not_ours);
  EXPECT_NE(last.error().to_string().find("ConfigMap default/c exists and is not ours"), std::string::npos);
  EXPECT_EQ(child()["/data/text"], "mine");
}

TEST_F(ApplyTest, AForeignObjectIsTakenOverWhenAdopted) {
  ASSERT_TRUE(simulation.user().create(
      ConfigMap{.metadata = {.name = "c", .namespace_ = "default"}, .data = {{"text", "mine"}}}));
  run(child_of_each({.adopt = true}));
  create(note("a", "ours"));
  ASSERT_TRUE(simulation.settle());
  EXPECT_EQ(child()["/data/text"], "ours");
  EXPECT_EQ(child()["/metadata/ownerReferences/0/name"], "a");
}

TEST_F(ApplyTest, AChildOfAnotherControllerIsRefusedNamingIt) {
  run(child_of_each());
  create(note("first"));
  ASSERT_TRUE(simulation.settle());
  create(note("second"));
  ASSERT_TRUE(simulation.wait_until([&] { return !last && last.error().code == ErrorCode::not_ours; }));
  EXPECT_NE(last.error().to_string().find("it is controlled by Note first"), std::string::npos)
      << last.error().to_string();
}

TEST_F(ApplyTest, AnIntentWithoutANameIsRefusedBeforeItIsSent) {
  Result<Object> refused;
  run({.reconcile = [&](const Note&, Context& ctx) -> Outcome {
    refused = ctx.apply(json::Value{{"apiVersion", "v1"}, {"kind", "ConfigMap"}});
    return settled;
  }});
  create(note("a"));
  ASSERT_TRUE(simulation.settle());
  EXPECT_NE(refused.error().message.find("metadata.name"), std::string::npos);
}

// Trap 78: an owner in another namespace, or a second controller, is refused before anything is sent.
TEST_F(ApplyTest, OwnersThatCannotBeAreRefusedHere) {
  std::vector<Result<Object>> answers;
  run({.reconcile = [&](const Note& n, Context& ctx) -> Outcome {
    ConfigMap elsewhere{.metadata = owned_by(n)};
    elsewhere.metadata.namespace_ = "kube-system";
    ConfigMap of_two{.metadata = owned_by(n)};
    of_two.metadata.owner_references.push_back(of_two.metadata.owner_references[0]);
    of_two.metadata.owner_references[1].uid = "another";
    for (const ConfigMap& child : {elsewhere, of_two}) {
      answers.push_back(ctx.apply(encode(child)));
      answers.push_back(ctx.create(encode(child)));
    }
    return settled;
  }});
  create(note("a"));
  const std::uint64_t version = simulation.server().resource_version();
  ASSERT_TRUE(simulation.settle());

  ASSERT_EQ(answers.size(), 4U);
  const std::string other_place = "it cannot be owned by Note default/a, which is in another namespace: set ";
  EXPECT_THAT(answers[0].error().to_string(), StartsWith("apply v1 ConfigMap kube-system/a: " + other_place));
  EXPECT_THAT(answers[1].error().to_string(), StartsWith("create v1 ConfigMap kube-system/a: " + other_place));
  EXPECT_THAT(answers[2].error().to_string(), HasSubstr("names two controllers"));
  EXPECT_THAT(answers[3].error().to_string(), HasSubstr("names two controllers"));
  EXPECT_EQ(simulation.server().resource_version(), version);
}

TEST_F(ApplyTest, AnOwnerWithoutANamespaceOwnsAnywhere) {
  start([](Manager& manager) {
    manager.add(
        Controller<Object>{.watch = {"v1", "Namespace"}, .reconcile = [](const Object& owner, Context& ctx) -> Outcome {
                             ConfigMap child{.metadata = owned_by(owner)};
                             child.metadata.namespace_ = "default";
                             return ctx.apply(child);
                           }});
  });
  ASSERT_TRUE(simulation.user().create(
      json::Value{{"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", {{"name", "team"}}}}));
  ASSERT_TRUE(simulation.settle());
  const auto made = simulation.user().get(ConfigMap::type, {"default", "team"});
  ASSERT_TRUE(made) << made.error().to_string();
  EXPECT_EQ(controller_of(*made)->kind, "Namespace");
}

}  // namespace
}  // namespace pintle
