// SPDX-License-Identifier: Apache-2.0
// The finalizers, children and Events of a workspace.
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

// A finalizer is added once and removed once (T0-16).
TEST_F(GuardTest, AFinalizerIsAddedOnceAndRemovedOnce) {
  prepare_site();
  run_in_reconcile([&](ProviderController& controller) {
    EXPECT_EQ(controller.set_finalizer(ours), FinalizerState::added);
    EXPECT_EQ(requests, 1);
    EXPECT_EQ(controller.set_finalizer(ours), FinalizerState::present);
    EXPECT_EQ(requests, 1);
    EXPECT_TRUE(controller.remove_finalizer("test.pintle.dev/none"));
    EXPECT_EQ(requests, 1);
    EXPECT_TRUE(controller.guard("r", done_as(created, "done"))) << "no conflict with an own write";
    EXPECT_TRUE(controller.remove_finalizer(ours));
    EXPECT_TRUE(controller.update_condition(completed, "done")) << "no conflict after the removal either";
  });
  EXPECT_TRUE(stored().finalizers().empty());
  EXPECT_EQ(condition(), "Completed: done");
}

// The original sent the request, which the server rejected (T0-17).
TEST_F(GuardTest, NoFinalizerIsAddedDuringDeletion) {
  prepare_site(json::object(), {theirs});
  delete_site();
  run_in_reconcile([&](ProviderController& controller) {
    EXPECT_EQ(controller.set_finalizer(ours), FinalizerState::deleting);
    EXPECT_EQ(controller.set_finalizer(theirs), FinalizerState::present);
    EXPECT_EQ(requests, 0);
  });
}

TEST_F(GuardTest, AFinalizerNeedsADomain) {
  run_in_reconcile([&](ProviderController& controller) {
    const auto refused = controller.set_finalizer("cleanup");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::invalid);
  });
}

// The response to our write contains the change of another client.
TEST_F(GuardTest, AForeignChangeFoundByAFinalizerWriteCausesAConflict) {
  prepare_site();
  run_in_reconcile([&](ProviderController& controller) {
    ASSERT_TRUE(simulation.user().patch(Site::type, key, json::Value{{"spec", {{"host", "b"}}}}));
    EXPECT_EQ(controller.set_finalizer(ours), FinalizerState::added);
    const auto refused = controller.guard("r", done_as(created, "", [] { FAIL() << "the task was called"; }));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::conflict);
  });
}

// In the original, the write that unlocks found no object. This was an error, which could not be written either
// (T0-22).
TEST_F(GuardTest, AWorkspaceDeletedWithItsFinalizerIsDone) {
  prepare_site(json::object(), {ours});
  delete_site();
  run_in_reconcile([&](ProviderController& controller) {
    const auto done = controller.guard("delete the tunnel", done_as(terminated, "gone", [&] {
                                         EXPECT_TRUE(controller.remove_finalizer(ours));
                                         EXPECT_FALSE(stored());
                                       }));
    EXPECT_TRUE(done) << done.error().to_string();
    EXPECT_EQ(controller.condition().status, terminated);
  });
}

TEST_F(GuardTest, AWorkspaceDeletedUnexpectedlyIsAnError) {
  prepare_site();
  run_in_reconcile([&](ProviderController& controller) {
    const auto gone = controller.guard("r", done_as(created, "tunnel-1", [&] { delete_site(); }));
    ASSERT_FALSE(gone);
    EXPECT_EQ(gone.error().code, ErrorCode::not_found);
  });
}

TEST_F(GuardTest, GuardThenRemoveFinalizerWritesTheResultFirst) {
  prepare_site(json::object(), {theirs, ours});
  delete_site();
  run_in_reconcile([&](ProviderController& controller) {
    EXPECT_TRUE(controller.guard_then_remove_finalizer("delete the tunnel", ours, done_as(terminated, "gone")));
  });
  EXPECT_EQ(condition(), "Terminated: gone");
  EXPECT_THAT(stored().finalizers().print(), R"(["other.dev/hold"])");
}

TEST_F(GuardTest, GuardThenRemoveFinalizerResumesAfterAnInterruption) {
  prepare_site({{"conditions", condition_value(terminated, "gone")}}, {theirs, ours});
  delete_site();
  run_in_reconcile([&](ProviderController& controller) {
    EXPECT_TRUE(controller.guard_then_remove_finalizer(
        "delete the tunnel", ours, done_as(terminated, "", [] { FAIL() << "the task was called again"; })));
  });
  EXPECT_THAT(stored().finalizers().print(), R"(["other.dev/hold"])");
}

TEST_F(GuardTest, GuardThenRemoveFinalizerKeepsItUntilTerminated) {
  prepare_site(json::object(), {ours});
  delete_site();
  run_in_reconcile([&](ProviderController& controller) {
    EXPECT_TRUE(controller.guard_then_remove_finalizer("delete the tunnel", ours, done_as(waiting, "for its end")));
    EXPECT_FALSE(controller.guard_then_remove_finalizer("delete the tunnel", ours,
                                                        [] { return fail(ErrorCode::unknown, "boom"); }));
  });
  EXPECT_THAT(stored().finalizers().print(), R"(["test.pintle.dev/tunnel"])");
}

// In the original, children got neither owner nor label, and were never deleted (T0-18).
TEST_F(GuardTest, AChildHasTheOwnerAndTheLabelOfItsWorkspace) {
  run_in_reconcile([&](ProviderController& controller) {
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
  });
}

// A child that the process created before it terminated must not be an error; otherwise the workspace would end in the
// phase Error after the recovery.
TEST_F(GuardTest, AnExistingOwnChildCountsAsCreated) {
  run_in_reconcile([&](ProviderController& controller) {
    const auto first = controller.create(ConfigMap{.metadata = {.name = "n"}, .data = {{"by", "the first"}}});
    ASSERT_TRUE(first) << first.error().to_string();
    const auto again = controller.create(ConfigMap{.metadata = {.name = "n"}, .data = {{"by", "the second"}}});
    ASSERT_TRUE(again) << again.error().to_string();
    EXPECT_EQ(again->metadata.uid, first->metadata.uid);
    EXPECT_EQ(again->data.at("by"), "the first") << "the existing object is returned unchanged";
  });
}

TEST_F(GuardTest, AForeignChildIsAnErrorThatNamesIt) {
  const auto make = [&](const std::string& name, std::map<std::string, std::string> labels,
                        std::vector<OwnerReference> owners) {
    ASSERT_TRUE(simulation.user().create(ConfigMap{.metadata = {.name = name,
                                                                .namespace_ = "default",
                                                                .labels = std::move(labels),
                                                                .owner_references = std::move(owners)}}));
  };
  prepare_site();
  const std::string uid(stored().uid());
  const OwnerReference is_ours{.api_version = "test.pintle.dev/v1", .kind = "Site", .name = "a", .uid = uid};
  const std::map<std::string, std::string> label{{std::string(default_instance_label), "a"}};
  make("foreign", {}, {});
  make("label-alone", label, {});
  make("owner-alone", {}, {is_ours});
  run_in_reconcile([&](ProviderController& controller) {
    for (const char* name : {"foreign", "label-alone", "owner-alone"}) {
      const auto refused = controller.create(ConfigMap{.metadata = {.name = name}});
      ASSERT_FALSE(refused) << name;
      EXPECT_EQ(refused.error().code, ErrorCode::already_exists);
      EXPECT_THAT(refused.error().to_string(), HasSubstr("ConfigMap default/" + std::string(name)));
      EXPECT_THAT(refused.error().to_string(), HasSubstr("is not a child of Site default/a"));
    }
  });
}

// Both objects will disappear soon, so the error is temporary.
TEST_F(GuardTest, AChildThatIsBeingDeletedIsAwaited) {
  prepare_site();
  const std::map<std::string, std::string> label{{std::string(default_instance_label), "a"}};
  OwnerReference former{.api_version = "test.pintle.dev/v1", .kind = "Site", .name = "a", .uid = "a-former-life"};
  run_in_reconcile([&](ProviderController& controller) {
    ASSERT_TRUE(controller.create(ConfigMap{.metadata = {.name = "going", .finalizers = {"test.pintle.dev/hold"}}}));
    ASSERT_TRUE(controller.remove(ConfigMap::type, {"default", "going"}));
    EXPECT_EQ(controller.create(ConfigMap{.metadata = {.name = "going"}}).error().code, ErrorCode::unavailable);
    // The server runs no garbage collector during this call, so the former child still exists.
    ASSERT_TRUE(simulation.user().create(ConfigMap{.metadata = {.name = "former",
                                                                .namespace_ = "default",
                                                                .labels = label,
                                                                .finalizers = {"test.pintle.dev/hold"},
                                                                .owner_references = {former}}}));
    EXPECT_EQ(controller.create(ConfigMap{.metadata = {.name = "former"}}).error().code, ErrorCode::unavailable);
  });
}

// The name is not a valid label value.
TEST_F(GuardTest, AChildOfAWorkspaceWithALongNameIsRefused) {
  run_in_reconcile([&](ProviderController& controller) {
    const std::string name(64, 'a');
    ASSERT_TRUE(simulation.user().create(Site{.metadata = {.name = name, .namespace_ = "default"}}));
    const Object named = *simulation.user().get(Site::type, {"default", name});
    const auto refused = testkit::in_reconcile(simulation, named, [&](Context& context) -> Result<Object> {
      auto of_it = ProviderController::make({.type = tunneling}, context, locks);
      return of_it->create(encode(ConfigMap{.metadata = {.name = "m"}}));
    });
    (void)controller;
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::invalid);
    EXPECT_THAT(refused.error().message,
                HasSubstr("the label pintle.dev/instance is the name of the workspace, which"));
  });
}

// The original overwrote the namespace without an error (T0-19).
TEST_F(GuardTest, AChildInAnotherNamespaceIsRefused) {
  run_in_reconcile([&](ProviderController& controller) {
    const std::uint64_t calls = instance->transport().calls();
    const auto refused = controller.create(ConfigMap{.metadata = {.name = "m", .namespace_ = "elsewhere"}});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::invalid);
    EXPECT_THAT(refused.error().message, HasSubstr("omit metadata.namespace"));
    EXPECT_EQ(instance->transport().calls(), calls);
  });
}

TEST_F(GuardTest, ReadsAndRemovesAnyObject) {
  const auto body = [&](ProviderController& controller) {
    const ConfigMap map{.metadata = {.name = "m", .namespace_ = "default"}};
    ASSERT_TRUE(controller.create(map));
    EXPECT_TRUE(controller.get<ConfigMap>({"default", "m"}));
    EXPECT_TRUE(controller.get(ConfigMap::type, {"default", "m"}));
    EXPECT_EQ(controller.list<ConfigMap>({.namespace_ = "default"})->size(), 1U);
    EXPECT_EQ(controller.list(ConfigMap::type, {.namespace_ = "default"})->size(), 1U);
    EXPECT_EQ(controller.remove(map), true);
    EXPECT_EQ(controller.remove(map), false) << "the object was already deleted";
    EXPECT_EQ(controller.namespace_(), "default");
    EXPECT_EQ(controller.workspace().key(), key);
  };
  run_in_reconcile(body, {}, {ConfigMap::type});
}

// The Event refers to the workspace (T0-20).
TEST_F(GuardTest, AnEventRefersToTheWorkspace) {
  run_in_reconcile(
      [&](ProviderController& controller) { controller.event(EventType::warning, "Late", "tunnel 1 is late"); });
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

// The pipeline creates a child for its workspace, and counts its reconciles.
class GuardChildren : public GuardTest {
 protected:
  template <class T>
  Controller<T> making(ConfigMap child, CreateOptions options = {}) {
    return controller(simulation.executor(),
                      Pipeline<T>{.providers = {Provider<T>{
                                      .condition = tunneling,
                                      .reconcile = [this, child, options](const T&, ProviderController& controller) {
                                        ++reconciles;
                                        return StepResult(controller.create(child, options));
                                      }}}});
  }
  // The number of reconciles that a change of the child causes.
  int reconciles_for_a_change(const ObjectKey& child) {
    simulation.run_until_idle();
    const int before = reconciles;
    EXPECT_TRUE(simulation.user().patch(ConfigMap::type, child, json::Value{{"data", {{"changed", "x"}}}}));
    simulation.run_until_idle();
    return reconciles - before;
  }

  int reconciles = 0;
};

// `owns` uses controller references. Without one from create(), a change of the child would enqueue nothing.
TEST_F(GuardChildren, AChangeOfAChildReconcilesItsWorkspaceThroughOwns) {
  for (const OwnerMatch match : {OwnerMatch::controller, OwnerMatch::any}) {
    SCOPED_TRACE(static_cast<int>(match));
    auto made = making<Site>({.metadata = {.name = match == OwnerMatch::any ? "any" : "controller"}});
    made.owns = {Owns{ConfigMap::type, {.match = match}}};
    start([&](Manager& manager) { manager.add(std::move(made)); });
    if (!stored()) create_site();
    EXPECT_EQ(reconciles_for_a_change({"default", match == OwnerMatch::any ? "any" : "controller"}), 1);
    instance.reset();
  }
  EXPECT_TRUE(simulation.user().get<ConfigMap>({"default", "controller"})->metadata.owner_references[0].controller);
  EXPECT_FALSE(simulation.user().get<ConfigMap>({"default", "any"})->metadata.owner_references[0].controller)
      << "only OwnerMatch::controller sets the field";
}

TEST_F(GuardChildren, AChildWithAnotherControllerKeepsIt) {
  auto made = making<Site>(
      {.metadata = {
           .name = "m",
           .owner_references = {
               {.api_version = "apps/v1", .kind = "Deployment", .name = "d", .uid = "d-1", .controller = true}}}});
  made.owns = {ConfigMap::type};
  start([&](Manager& manager) { manager.add(std::move(made)); });
  create_site();
  ASSERT_TRUE(simulation.wait_until([&] { return reconciles != 0; }));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_NE(phase(), "Error");
}

struct World {
  static constexpr Type type{"test.pintle.dev/v1", "World"};
  static constexpr Scope scope = Scope::cluster;
  using Status = Site::Status;
  Metadata metadata{};
  Status status{};
};

// The workspace is cluster-scoped, so its key has no namespace.
TEST_F(GuardChildren, LinkedObjectsReconcileAClusterScopedWorkspace) {
  auto made = making<World>({.metadata = {.name = "m", .namespace_ = "default"}});
  made.watches = {watch_linked(ConfigMap::type)};
  start([&](Manager& manager) { manager.add(std::move(made)); });
  ASSERT_TRUE(simulation.user().create(World{.metadata = {.name = "w"}}));
  EXPECT_EQ(reconciles_for_a_change({"default", "m"}), 1);
}

TEST_F(GuardChildren, OwnedObjectsReconcileAClusterScopedWorkspace) {
  auto made = making<World>({.metadata = {.name = "m", .namespace_ = "default"}});
  made.owns = {ConfigMap::type};
  start([&](Manager& manager) { manager.add(std::move(made)); });
  ASSERT_TRUE(simulation.user().create(World{.metadata = {.name = "w"}}));
  EXPECT_EQ(reconciles_for_a_change({"default", "m"}), 1);
}

TEST_F(GuardTest, LinkedObjectsReconcileTheWorkspaceOfTheirLabel) {
  int reconciles = 0;
  start([&](Manager& manager) {
    manager.add(Controller<Site>{.watches = {watch_linked(ConfigMap::type)},
                                 .reconcile = [&](const Site&, Context&) -> Outcome {
                                   ++reconciles;
                                   return done;
                                 }});
  });
  create_site();
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(reconciles, 1);
  ASSERT_TRUE(simulation.user().create(ConfigMap{.metadata = {.name = "none", .namespace_ = "default"}}));
  ASSERT_TRUE(simulation.user().create(ConfigMap{
      .metadata = {.name = "m", .namespace_ = "default", .labels = {{std::string(default_instance_label), "a"}}}}));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(reconciles, 2);
}

}  // namespace
}  // namespace pintle::guard
