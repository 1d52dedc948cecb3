// What belongs to a workspace: finalizers, children, events.
#include <pintle/patterns/guard/provider_controller.hpp>

#include "test_support.hpp"

namespace pintle::guard {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using enum ConditionStatus;

constexpr const char* ours = "test.pintle.dev/tunnel";
constexpr const char* theirs = "other.dev/hold";

// T0-16 K
TEST_F(GuardTest, AFinalizerIsSetOnceAndRemovedOnce) {
  prepare_site();
  in_pass([&](ProviderController& controller) {
    EXPECT_EQ(controller.set_finalizer(ours), FinalizerState::added);
    EXPECT_EQ(requests, 1);
    EXPECT_EQ(controller.set_finalizer(ours), FinalizerState::present);
    EXPECT_EQ(requests, 1);
    EXPECT_TRUE(controller.remove_finalizer("test.pintle.dev/none"));
    EXPECT_EQ(requests, 1);
    EXPECT_TRUE(controller.guard("r", done_as(created, "done"))) << "no conflict with ourselves";
    EXPECT_TRUE(controller.remove_finalizer(ours));
    EXPECT_TRUE(controller.update_condition(completed, "done")) << "nor after the removal";
  });
  EXPECT_TRUE(stored().finalizers().empty());
  EXPECT_EQ(condition(), "Completed: done");
}

// T0-17 F: the request was sent, and refused.
TEST_F(GuardTest, AnObjectThatIsBeingDeletedIsGivenNoFinalizer) {
  prepare_site(json::object(), {theirs});
  delete_site();
  in_pass([&](ProviderController& controller) {
    EXPECT_EQ(controller.set_finalizer(ours), FinalizerState::deleting);
    EXPECT_EQ(controller.set_finalizer(theirs), FinalizerState::present);
    EXPECT_EQ(requests, 0);
  });
}

TEST_F(GuardTest, AFinalizerNeedsADomain) {
  in_pass([&](ProviderController& controller) {
    const auto refused = controller.set_finalizer("cleanup");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::invalid);
  });
}

// Somebody else's change comes along with the answer to ours.
TEST_F(GuardTest, AFinalizerThatMetAChangeMakesThePassOutdated) {
  prepare_site();
  in_pass([&](ProviderController& controller) {
    ASSERT_TRUE(simulation.user().patch(Site::type, key, json::Value{{"spec", {{"host", "b"}}}}));
    EXPECT_EQ(controller.set_finalizer(ours), FinalizerState::added);
    const auto refused = controller.guard("r", done_as(created, "", [] { FAIL() << "the task was called"; }));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::conflict);
  });
}

// T0-22 F: the closing write found nothing, which was an error, which could not be written either.
TEST_F(GuardTest, AWorkspaceThatWentWithItsFinalizerIsDone) {
  prepare_site(json::object(), {ours});
  delete_site();
  in_pass([&](ProviderController& controller) {
    const auto done = controller.guard("delete the tunnel", done_as(terminated, "gone", [&] {
                                         EXPECT_TRUE(controller.remove_finalizer(ours));
                                         EXPECT_FALSE(stored());
                                       }));
    EXPECT_TRUE(done) << done.error().to_string();
    EXPECT_EQ(controller.condition().status, terminated);
  });
}

TEST_F(GuardTest, AWorkspaceThatWentUnexpectedlyIsAnError) {
  prepare_site();
  in_pass([&](ProviderController& controller) {
    const auto gone = controller.guard("r", done_as(created, "tunnel-1", [&] { delete_site(); }));
    ASSERT_FALSE(gone);
    EXPECT_EQ(gone.error().code, ErrorCode::not_found);
  });
}

TEST_F(GuardTest, GuardThenRemoveFinalizerSaysFirstThatAllIsDone) {
  prepare_site(json::object(), {theirs, ours});
  delete_site();
  in_pass([&](ProviderController& controller) {
    EXPECT_TRUE(controller.guard_then_remove_finalizer("delete the tunnel", ours, done_as(terminated, "gone")));
  });
  EXPECT_EQ(condition(), "Terminated: gone");
  EXPECT_THAT(stored().finalizers().print(), R"(["other.dev/hold"])");
}

TEST_F(GuardTest, GuardThenRemoveFinalizerGoesOnWhereItWasCutOff) {
  prepare_site({{"conditions", condition_value(terminated, "gone")}}, {theirs, ours});
  delete_site();
  in_pass([&](ProviderController& controller) {
    EXPECT_TRUE(controller.guard_then_remove_finalizer(
        "delete the tunnel", ours, done_as(terminated, "", [] { FAIL() << "the task was called again"; })));
  });
  EXPECT_THAT(stored().finalizers().print(), R"(["other.dev/hold"])");
}

TEST_F(GuardTest, GuardThenRemoveFinalizerKeepsItAfterAnError) {
  prepare_site(json::object(), {ours});
  delete_site();
  in_pass([&](ProviderController& controller) {
    EXPECT_FALSE(controller.guard_then_remove_finalizer("delete the tunnel", ours,
                                                        [] { return fail(ErrorCode::unknown, "boom"); }));
  });
  EXPECT_THAT(stored().finalizers().print(), R"(["test.pintle.dev/tunnel"])");
}

// T0-18 F: children got neither owner nor label, and were leaked.
TEST_F(GuardTest, AChildBelongsToItsWorkspace) {
  in_pass([&](ProviderController& controller) {
    ConfigMap map{.metadata = {.name = "m", .labels = {{"app", "x"}}}};
    map.metadata.owner_references = {{.api_version = "v1", .kind = "Node", .name = "n", .uid = "n-1"}};
    const auto made = controller.create(map);
    ASSERT_TRUE(made) << made.error().to_string();
    const Metadata& metadata = made->metadata;
    EXPECT_EQ(metadata.namespace_, "default");
    EXPECT_THAT(metadata.labels, ElementsAre(std::pair("app", "x"), std::pair("pintle.dev/instance", "a")));
    ASSERT_EQ(metadata.owner_references.size(), 2U) << "other owners stay";
    EXPECT_EQ(
        metadata.owner_references[1],
        (OwnerReference{
            .api_version = "test.pintle.dev/v1", .kind = "Site", .name = "a", .uid = std::string(stored().uid())}));
    const auto controlled = controller.create(ConfigMap{.metadata = {.name = "n"}}, {.controller = true});
    ASSERT_TRUE(controlled) << controlled.error().to_string();
    EXPECT_TRUE(controlled->metadata.owner_references[0].controller);
    EXPECT_EQ(controller.create(ConfigMap{.metadata = {.name = "n"}}).error().code, ErrorCode::already_exists);
  });
}

// T0-19 F: the namespace was overwritten without a word.
TEST_F(GuardTest, AChildInAnotherNamespaceIsRefused) {
  in_pass([&](ProviderController& controller) {
    const std::uint64_t calls = instance->transport().calls();
    const auto refused = controller.create(ConfigMap{.metadata = {.name = "m", .namespace_ = "elsewhere"}});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::invalid);
    EXPECT_THAT(refused.error().message, HasSubstr("leave metadata.namespace out"));
    EXPECT_EQ(instance->transport().calls(), calls);
  });
}

TEST_F(GuardTest, ReadsAndRemovesWhatItLikes) {
  in_pass([&](ProviderController& controller) {
    const ConfigMap map{.metadata = {.name = "m", .namespace_ = "default"}};
    ASSERT_TRUE(controller.create(map));
    EXPECT_TRUE(controller.get<ConfigMap>({"default", "m"}));
    EXPECT_TRUE(controller.get(ConfigMap::type, {"default", "m"}));
    EXPECT_EQ(controller.list<ConfigMap>({.namespace_ = "default"})->size(), 1U);
    EXPECT_EQ(controller.list(ConfigMap::type, {.namespace_ = "default"})->size(), 1U);
    EXPECT_EQ(controller.remove(map), true);
    EXPECT_EQ(controller.remove(map), false) << "it was gone";
    EXPECT_EQ(controller.namespace_(), "default");
    EXPECT_EQ(controller.workspace().key(), key);
  });
}

// T0-20 K
TEST_F(GuardTest, AnEventIsAboutTheWorkspace) {
  in_pass([&](ProviderController& controller) { controller.event(EventType::warning, "Late", "tunnel 1 is late"); });
  const auto events = simulation.server().objects("events");
  ASSERT_EQ(events.size(), 1U);
  const json::View about = events[0]["/involvedObject"];
  EXPECT_EQ(about.member("kind"), "Site");
  EXPECT_EQ(about.member("namespace"), "default");
  EXPECT_EQ(about.member("name"), "a");
  EXPECT_EQ(about.member("uid"), stored().uid());
  EXPECT_EQ(events[0]["/reason"], "Late");
  EXPECT_EQ(events[0]["/type"], "Warning");
}

TEST_F(GuardTest, LinkedObjectsWakeTheWorkspaceThatTheyName) {
  int passes = 0;
  start([&](Manager& manager) {
    manager.add(
        Controller<Site>{.watches = {linked(ConfigMap::type)}, .reconcile = [&](const Site&, Context&) -> Outcome {
                           ++passes;
                           return settled;
                         }});
  });
  create_site();
  ASSERT_TRUE(simulation.settle());
  EXPECT_EQ(passes, 1);
  ASSERT_TRUE(simulation.user().create(ConfigMap{.metadata = {.name = "none", .namespace_ = "default"}}));
  ASSERT_TRUE(simulation.user().create(ConfigMap{
      .metadata = {.name = "m", .namespace_ = "default", .labels = {{std::string(default_instance_label), "a"}}}}));
  ASSERT_TRUE(simulation.settle());
  EXPECT_EQ(passes, 2);
}

}  // namespace
}  // namespace pintle::guard
