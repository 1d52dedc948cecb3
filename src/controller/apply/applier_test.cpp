// SPDX-License-Identifier: Apache-2.0
#include "applier.hpp"

#include <gmock/gmock.h>

#include "controller/reconcile_state.hpp"
#include "controller/test_support.hpp"

namespace pintle {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

// Gives access to the applier of a context.
struct AppliedBy : Context {
  static Applier& applier(Context& context) { return (context.*&AppliedBy::cluster_)->applier; }
};

class ApplyTest : public OperatorTest {
 protected:
  // Applies a child "c" for every note and stores the result.
  Controller<Note> child_of_each(ApplyOptions options = {}) {
    return {.owns = {ConfigMap::type}, .reconcile = [this, options](const Note& n, Context& ctx) -> Outcome {
              ++reconciles;
              ConfigMap child{.metadata = owned_by(n)};
              child.metadata.name = "c";
              if (n.spec.text != "nothing") child.data = {{"text", n.spec.text}};
              last = ctx.apply(child, options);
              return last;
            }};
  }
  Object child() { return simulation.server().objects("configmaps").at(0); }

  int reconciles = 0;
  Result<ConfigMap> last;
};

TEST_F(ApplyTest, UsesTheFieldManagerOfTheController) {
  run(child_of_each());
  create(note("a", "1"));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(child()["/metadata/ownerReferences/0/name"], "a");
  EXPECT_EQ(child()["/metadata/ownerReferences/0/controller"], true);
  EXPECT_EQ(child()["/metadata/managedFields/0/manager"], "test-operator/note");
  EXPECT_EQ(child()["/metadata/managedFields/0/operation"], "Apply");
}

TEST_F(ApplyTest, FieldsThatLeaveTheIntentAreRemoved) {
  run(child_of_each());
  create(note("a", "1"));
  ASSERT_TRUE(simulation.run_until_idle());
  ASSERT_EQ(child()["/data/text"], "1");
  set_text("a", "nothing");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_FALSE(child()["/data/text"].exists());
}

TEST_F(ApplyTest, ForeignChangesOfOurFieldsAreUndoneAndOtherFieldsKept) {
  run(child_of_each());
  create(note("a", "ours"));
  ASSERT_TRUE(simulation.run_until_idle());
  ASSERT_TRUE(simulation.user().patch(ConfigMap::type, {"default", "c"},
                                      json::Value{{"data", {{"text", "theirs"}, {"other", "kept"}}}}));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(child()["/data/text"], "ours");
  EXPECT_EQ(child()["/data/other"], "kept");
}

TEST_F(ApplyTest, AForeignObjectIsRefusedByName) {
  ASSERT_TRUE(simulation.user().create(
      ConfigMap{.metadata = {.name = "c", .namespace_ = "default"}, .data = {{"text", "mine"}}}));
  run(child_of_each());
  create(note("a"));
  ASSERT_TRUE(simulation.wait_until([&] { return reconciles >= 3; }));
  EXPECT_EQ(last.error().code, ErrorCode::not_owned);
  EXPECT_NE(last.error().to_string().find("ConfigMap default/c (uid "), std::string::npos);
  EXPECT_EQ(child()["/data/text"], "mine");
}

// The owner was deleted and created again, and the garbage collector has not yet deleted the child of the first one.
TEST_F(ApplyTest, AChildOfAnEarlierOwnerIsAwaited) {
  json::object metadata{{"name", "c"}, {"namespace", "default"}, {"finalizers", json::array{"test.pintle.dev/hold"}}};
  metadata["ownerReferences"] = json::array{json::object{{"apiVersion", "test.pintle.dev/v1"},
                                                         {"kind", "Note"},
                                                         {"name", "a"},
                                                         {"uid", "an-earlier-uid"},
                                                         {"controller", true}}};
  ASSERT_TRUE(
      simulation.user().create(json::Value{{"apiVersion", "v1"}, {"kind", "ConfigMap"}, {"metadata", metadata}}));
  run(child_of_each());
  create(note("a", "ours"));
  ASSERT_TRUE(simulation.wait_until([&] { return reconciles >= 3; }));
  EXPECT_EQ(last.error().code, ErrorCode::unavailable) << last.error().to_string();
  EXPECT_NE(last.error().to_string().find("ConfigMap default/c (uid "), std::string::npos);
  ASSERT_TRUE(simulation.user().patch(ConfigMap::type, {"default", "c"},
                                      json::Value{{"metadata", {{"finalizers", json::array()}}}}));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(child()["/data/text"], "ours");
}

// The garbage collector has deleted both, and the cache still contains the owner.
TEST_F(ApplyTest, AMissingChildOfAnOwnerThatIsGoneIsNotCreatedAgain) {
  run(child_of_each());
  create(note("a", "ours"));
  ASSERT_TRUE(simulation.run_until_idle());
  const auto lists_or_watches_notes = [](const http::Request& request) {
    return request.method == "GET" && request.target.find("/notes?") != std::string::npos;
  };
  instance->transport().set_faults({{.effect = http::Drop{}, .only = lists_or_watches_notes}});
  simulation.executor().sleep_for(std::chrono::minutes(30));  // the watch has ended
  last = ConfigMap();
  ASSERT_TRUE(simulation.user().remove(Note::type, {"default", "a"}));
  ASSERT_TRUE(simulation.wait_until([&] { return !last; }));
  EXPECT_EQ(last.error().code, ErrorCode::not_found) << last.error().to_string();
  EXPECT_TRUE(simulation.server().objects("configmaps").empty());
}

TEST_F(ApplyTest, AForeignObjectIsAdoptedIfEnabled) {
  ASSERT_TRUE(simulation.user().create(
      ConfigMap{.metadata = {.name = "c", .namespace_ = "default"}, .data = {{"text", "mine"}}}));
  run(child_of_each({.adopt = true}));
  create(note("a", "ours"));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(child()["/data/text"], "ours");
  EXPECT_EQ(child()["/metadata/ownerReferences/0/name"], "a");
}

TEST_F(ApplyTest, AChildOfAnotherControllerIsRefusedByName) {
  run(child_of_each());
  create(note("first"));
  ASSERT_TRUE(simulation.run_until_idle());
  create(note("second"));
  ASSERT_TRUE(simulation.wait_until([&] { return !last && last.error().code == ErrorCode::not_owned; }));
  EXPECT_NE(last.error().to_string().find("it is controlled by Note first"), std::string::npos)
      << last.error().to_string();
}

TEST_F(ApplyTest, AnIntentWithoutANameIsRefusedBeforeItIsSent) {
  Result<Object> refused;
  run({.reconcile = [&](const Note&, Context& ctx) -> Outcome {
    refused = ctx.apply(json::Value{{"apiVersion", "v1"}, {"kind", "ConfigMap"}});
    return done;
  }});
  create(note("a"));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_NE(refused.error().message.find("metadata.name"), std::string::npos);
}

// An owner in another namespace and a second controller are refused before a request is sent (trap 78).
TEST_F(ApplyTest, InvalidOwnersAreRefusedBeforeARequest) {
  std::vector<Result<Object>> errors;
  run({.reconcile = [&](const Note& n, Context& ctx) -> Outcome {
    ConfigMap elsewhere{.metadata = owned_by(n)};
    elsewhere.metadata.namespace_ = "kube-system";
    ConfigMap of_two{.metadata = owned_by(n)};
    of_two.metadata.owner_references.push_back(of_two.metadata.owner_references[0]);
    of_two.metadata.owner_references[1].uid = "another";
    for (const ConfigMap& child : {elsewhere, of_two}) {
      errors.push_back(ctx.apply(encode(child)));
      errors.push_back(ctx.create(encode(child)));
    }
    return done;
  }});
  create(note("a"));
  const std::uint64_t version = simulation.server().resource_version();
  ASSERT_TRUE(simulation.run_until_idle());

  ASSERT_EQ(errors.size(), 4U);
  const std::string other_place = "its owner Note default/a is in another namespace; set ";
  EXPECT_THAT(errors[0].error().to_string(), StartsWith("apply v1 ConfigMap kube-system/a: " + other_place));
  EXPECT_THAT(errors[1].error().to_string(), StartsWith("create v1 ConfigMap kube-system/a: " + other_place));
  EXPECT_THAT(errors[2].error().to_string(), HasSubstr("names two controllers"));
  EXPECT_THAT(errors[3].error().to_string(), HasSubstr("names two controllers"));
  EXPECT_EQ(simulation.server().resource_version(), version);
}

// The garbage collector does not find the owner of an object without a namespace if the owner has one.
TEST_F(ApplyTest, AChildWithoutANamespaceOfAnOwnerWithOneIsRefused) {
  std::vector<Result<Object>> errors;
  run({.reconcile = [&](const Note& n, Context& ctx) -> Outcome {
    json::Value role = encode(ConfigMap{.metadata = owned_by(n)});
    role.as_object()["apiVersion"] = "rbac.authorization.k8s.io/v1";
    role.as_object()["kind"] = "ClusterRole";
    for (const char* namespace_ : {"default", ""}) {
      role.at("metadata").as_object()["namespace"] = namespace_;
      errors.push_back(ctx.apply(role));
      errors.push_back(ctx.create(role));
    }
    return done;
  }});
  create(note("a"));
  const std::uint64_t version = simulation.server().resource_version();
  ASSERT_TRUE(simulation.run_until_idle());

  ASSERT_EQ(errors.size(), 4U);
  for (const Result<Object>& refused : errors) {
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().to_string(), HasSubstr("a ClusterRole has no namespace, but its owner Note default/a"));
    EXPECT_TRUE(refused.error().is_terminal);
  }
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
  ASSERT_TRUE(simulation.run_until_idle());
  const auto made = simulation.user().get(ConfigMap::type, {"default", "team"});
  ASSERT_TRUE(made) << made.error().to_string();
  EXPECT_EQ(controller_of(*made)->kind, "Namespace");
}

// ---- foreign objects with the name of the child ----

class ObstacleTest : public ApplyTest {
 protected:
  // Uses a back-off of one day, so that no retry hides what wakes the object.
  void run_patient(http::FaultPlan faults = {}) {
    Controller<Note> controller = child_of_each();
    controller.backoff = {.base = std::chrono::hours(24), .factor = 1, .cap = std::chrono::hours(24)};
    instance = std::make_unique<testkit::Instance>(
        simulation, ManagerOptions{.name = "test-operator", .log_level = LogLevel::off},
        [&](Manager& manager) { manager.add(std::move(controller)); }, std::move(faults));
    instance->start();
    ASSERT_TRUE(simulation.wait_until([&] { return instance->manager().is_ready(); }));
  }
  Object obstacle(json::Value metadata = json::object()) {
    metadata.as_object()["name"] = "c";
    metadata.as_object()["namespace"] = "default";
    const auto made = simulation.user().create(
        json::Value{{"apiVersion", "v1"}, {"kind", "ConfigMap"}, {"metadata", std::move(metadata)}});
    EXPECT_TRUE(made) << made.error().to_string();
    return *made;
  }
  static json::Value controlled_by(std::string_view name, std::string_view uid) {
    return json::object{
        {"ownerReferences",
         json::array{json::object{
             {"apiVersion", "v1"}, {"kind", "Secret"}, {"name", name}, {"uid", uid}, {"controller", true}}}}};
  }
};

TEST_F(ObstacleTest, IsNamedWithItsUidAndThatOfItsController) {
  const auto secret = simulation.user().create(Secret{.metadata = {.name = "s", .namespace_ = "default"}});
  const Object owner = secret->metadata.snapshot();
  const Object there = obstacle(controlled_by("s", owner.uid()));
  run_patient();
  create(note("a"));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(last.error().code, ErrorCode::not_owned);
  EXPECT_THAT(last.error().to_string(), HasSubstr("(uid " + std::string(there.uid()) + ")"));
  EXPECT_THAT(last.error().to_string(), HasSubstr("Secret s (uid " + std::string(owner.uid()) + ")"));
}

TEST_F(ObstacleTest, ItsDeletionCausesAReconcile) {
  obstacle();
  run_patient();
  create(note("a", "ours"));
  ASSERT_TRUE(simulation.run_until_idle());
  ASSERT_EQ(reconciles, 1);
  ASSERT_TRUE(simulation.user().patch(ConfigMap::type, {"default", "c"}, json::Value{{"data", {{"text", "still"}}}}));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(reconciles, 1) << "a change that keeps the obstacle causes no reconcile";
  ASSERT_TRUE(simulation.user().remove(ConfigMap::type, {"default", "c"}));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(child()["/data/text"], "ours");
  EXPECT_TRUE(last) << last.error().to_string();
}

TEST_F(ObstacleTest, ANewOwnerCausesAReconcile) {
  obstacle();
  run_patient();
  create(note("a", "ours"));
  ASSERT_TRUE(simulation.run_until_idle());
  ASSERT_EQ(reconciles, 1);
  const auto owner = simulation.user().get<Note>({"default", "a"});
  const json::Value reference{{"apiVersion", "test.pintle.dev/v1"},
                              {"kind", "Note"},
                              {"name", "a"},
                              {"uid", owner->metadata.uid},
                              {"controller", true}};
  ASSERT_TRUE(simulation.user().patch(ConfigMap::type, {"default", "c"},
                                      json::Value{{"metadata", {{"ownerReferences", json::array{reference}}}}}));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(child()["/data/text"], "ours");
}

TEST_F(ObstacleTest, IsIgnoredIfItExistsOnlyInTheCache) {
  obstacle();
  last = fail(ErrorCode::unknown, "nothing yet");
  // The watch delivers no event for an hour after the list.
  run_patient({{.effect = http::StallEvents{.nth = 1, .duration = std::chrono::hours(1)},
                .only = [](const http::Request& request) {
                  return http::is_watch(request) && request.target.find("/configmaps") != std::string::npos;
                }}});
  ASSERT_TRUE(simulation.user().remove(ConfigMap::type, {"default", "c"}));
  create(note("a", "ours"));
  const auto is_decided = [&] { return last || last.error().code == ErrorCode::not_owned; };
  ASSERT_TRUE(simulation.wait_until(is_decided, std::chrono::minutes(1)));
  EXPECT_TRUE(last) << last.error().to_string();
  EXPECT_EQ(child()["/data/text"], "ours");
}

// ---- the memory that a child takes ----

TEST_F(ApplyTest, AChildCostsAFewBytesHoweverLongItIs) {
  Applier* applier = nullptr;
  run({.owns = {ConfigMap::type}, .reconcile = [&](const Note& n, Context& ctx) -> Outcome {
         for (int i = 0; i < 100; ++i) {
           ConfigMap one{.metadata = owned_by(n, std::to_string(i)), .data = {{"text", std::string(5000, 'x')}}};
           if (auto applied = ctx.apply(one); !applied) return applied;
         }
         applier = &AppliedBy::applier(ctx);
         return done;
       }});
  create(note("a"));
  ASSERT_TRUE(simulation.run_until_idle());
  ASSERT_NE(applier, nullptr);
  EXPECT_GT(applier->bytes(), 100 * 32);
  EXPECT_LT(applier->bytes(), 100 * 64);
}

// ---- children that this operator removes ----

TEST_F(ApplyTest, AChildThatTheControllerRemovedIsNotDrift) {
  std::vector<std::string> drifted;
  run({.owns = {ConfigMap::type}, .reconcile = [&](const Note& n, Context& ctx) -> Outcome {
         if (n.spec.text == "remove") return ctx.remove(ConfigMap::type, {"default", "c"});
         ChildSet children;
         children.add(ConfigMap{.metadata = {.name = "c", .namespace_ = "default"}});
         const AppliedChildren applied = ctx.apply(children);
         drifted.insert(drifted.end(), applied.drifted.begin(), applied.drifted.end());
         return applied;
       }});
  create(note("a", "1"));
  ASSERT_TRUE(simulation.run_until_idle());
  set_text("a", "remove");
  ASSERT_TRUE(simulation.run_until_idle());
  ASSERT_TRUE(simulation.server().objects("configmaps").empty());
  set_text("a", "2");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(simulation.server().objects("configmaps").size(), 1U);
  EXPECT_THAT(drifted, ::testing::IsEmpty());
}

}  // namespace
}  // namespace pintle
