// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/crud/framework.hpp>

#include <stdexcept>

#include "test_support.hpp"

namespace pintle::crud {
namespace {

using namespace std::chrono_literals;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

using FrameworkTest = CrudTest;

// A declaration without a router, or without a kind to watch, must not compile.
template <class T>
concept MayLeaveOutRouter = requires { T{.name = "notes"}; };
static_assert(!MayLeaveOutRouter<FrameworkOptions>);
static_assert(!std::is_constructible_v<Framework, FrameworkOptions>);

TEST_F(FrameworkTest, CreatesUpdatesAndDeletes) {
  run({.name = "notes", .resource_router = router({plain("r")})});
  create(note("a"));
  ASSERT_TRUE(simulation.run_until_idle());
  set_text("a", "new");
  ASSERT_TRUE(simulation.run_until_idle());
  remove("a");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(calls, ElementsAre("r.created", "r.created", "r.deleted"));
  EXPECT_EQ(finalizers("a"), json::Value("gone"));
}

TEST_F(FrameworkTest, AnObjectThatNoSetHandlesIsIgnored) {
  const ResourceSet of_b(
      {.handles = [](const Object& object) { return object.name() == "b"; }, .resources = {plain("r")}});
  run({.name = "notes", .resource_router = ResourceRouter({.resource_sets = {of_b}})});
  create(note("a"));
  create(note("b"));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(calls, ElementsAre("r.created"));
  EXPECT_TRUE(log->has("no resource set handles Note default/a"));
  remove("a");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(finalizers("a"), json::Value("gone"));
}

TEST_F(FrameworkTest, AnObjectThatTwoSetsHandleFailsAndIsLogged) {
  const ResourceSet set({.handles = handles_all, .resources = {plain("r")}});
  run({.name = "notes", .resource_router = ResourceRouter({.resource_sets = {set, set}})});
  create(note("a"));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(calls, IsEmpty());
  EXPECT_TRUE(log->has("2 resource sets handle Note default/a"));
}

TEST_F(FrameworkTest, InvalidOptionsPreventTheStart) {
  framework.emplace(Framework::watching<Note>(
      {.name = "", .resource_router = ResourceRouter(ResourceRouterOptions{}), .rate_wait = -1s}));
  ASSERT_THAT(framework->validate(), SizeIs(3));
  EXPECT_THAT(framework->validate(), Each(::testing::Truly(is_invalid_config)));
  start([this](Manager& manager) { framework->boot(manager); });
  instance->join();
  ASSERT_FALSE(instance->started());
  EXPECT_THAT(instance->started().error().to_string(), HasSubstr(".resource_sets of a resource router is empty"));
}

// In the original, an error of init_ctx crashed the process when the object was created or changed (T2-15).
TEST_F(FrameworkTest, AnErrorOfInitCtxIsLoggedAndRetried) {
  int failures = 2;
  run({.name = "notes", .resource_router = router({plain("r")}, [&](const Object&, Context&) -> Result<void> {
                          if (failures-- > 0) return fail(ErrorCode::unavailable, "not prepared");
                          return {};
                        })});
  create(note("a"));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_TRUE(log->has("reconcile failed controller=notes key=default/a error=init_ctx: not prepared"));
  EXPECT_THAT(calls, ElementsAre("r.created"));
}

// The original waited for the next resync.
TEST_F(FrameworkTest, AFailureIsRetriedWithBackOff) {
  on["r.created"] = failing(3);
  run({.name = "notes", .resource_router = router({plain("r")})});
  create(note("a"));
  ASSERT_TRUE(simulation.wait_until([this] { return calls.size() == 4; }, 5s));
}

TEST_F(FrameworkTest, AResourceThatThrowsIsAFailure) {
  int left = 1;
  on["r.created"] = [&](Context&) -> Result<void> {
    if (left-- > 0) throw std::runtime_error("torn");
    return {};
  };
  run({.name = "notes", .resource_router = router({plain("r")})});
  create(note("a"));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(calls, ElementsAre("r.created", "r.created"));
  EXPECT_TRUE(log->has("torn"));
}

// Functions of one object never overlap. In the original, one mutex also serialised unrelated objects (T2-17).
TEST_F(FrameworkTest, OnlyFunctionsOfDifferentObjectsOverlap) {
  std::map<std::string, int> inside;
  int max_for_one_object = 0;
  int most = 0;
  const auto work = [&](const Object& object, Context& ctx) -> Result<void> {
    max_for_one_object = std::max(max_for_one_object, ++inside[std::string(object.name())]);
    int all = 0;
    for (const auto& [name, count] : inside) all += count;
    most = std::max(most, all);
    ctx.executor().sleep_for(1s);
    --inside[std::string(object.name())];
    return {};
  };
  const Resource slow = PlainResource<Object>{.name = "slow", .ensure_created = work, .ensure_deleted = work};
  run({.name = "notes", .resource_router = router({slow}), .controller = {.workers = 4}});
  for (const char* name : {"a", "b", "c"}) create(note(name));
  for (int i = 0; i < 20; ++i) {
    set_text("a", std::to_string(i));
    simulation.executor().sleep_for(300ms);
  }
  remove("a");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(max_for_one_object, 1);
  EXPECT_GE(most, 2);
  EXPECT_EQ(finalizers("a"), json::Value("gone"));
}

// Each event calls its function and is measured (T2-18).
TEST_F(FrameworkTest, EventsCallTheirFunctionsAndAreMeasured) {
  run({.name = "notes", .resource_router = router({plain("r")})});
  create(note("a"));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(calls, ElementsAre("r.created"));
  EXPECT_EQ(sample("operatorkit_framework_event_count{event=\"update\"}"), 1);
  EXPECT_EQ(sample("operatorkit_framework_event_count{event=\"delete\"}"), 0);
  remove("a");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(calls, ElementsAre("r.created", "r.deleted"));
  EXPECT_EQ(sample("operatorkit_framework_event_count{event=\"update\"}"), 1);
  EXPECT_EQ(sample("operatorkit_framework_event_count{event=\"delete\"}"), 1);
  instance->stop();
  create(note("b"));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(calls, SizeIs(2));
}

// The functions of a framework can be called without a controller (T2-18).
TEST_F(FrameworkTest, ItsFunctionsWorkWithoutAController) {
  const Framework alone(Note::type, {.name = "notes", .resource_router = router({plain("r")})});
  run_in_reconcile([&](const Object& object, Context& ctx) {
    EXPECT_TRUE(alone.update_func(object, ctx).is_done());
    EXPECT_TRUE(alone.delete_func(object, ctx).is_done());
    EXPECT_TRUE(alone.process_event(object, ctx).is_done());
    json::Value deleting = object.to_value();
    deleting.at("metadata").as_object()["deletionTimestamp"] = "2026-01-01T00:00:00Z";
    EXPECT_TRUE(alone.process_event(Object(deleting), ctx).is_done());
  });
  EXPECT_THAT(calls, ElementsAre("r.created", "r.deleted", "r.created", "r.deleted"));
}

// Only the first boot() has an effect (T2-21).
TEST_F(FrameworkTest, OnlyTheFirstBootHasAnEffect) {
  framework.emplace(Framework::watching<Note>({.name = "notes", .resource_router = router({plain("r")})}));
  start([this](Manager& manager) {
    framework->boot(manager);
    framework->boot(manager);
  });
  instance->join();
  ASSERT_TRUE(instance->started()) << instance->started().error().to_string();
  create(note("a"));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(calls, ElementsAre("r.created"));
}

// The finalizer is appended to those of other controllers, and removed from between them (T2-38).
TEST_F(FrameworkTest, TheFinalizerIsAppendedAndRemovedFromAnyIndex) {
  run({.name = "notes", .resource_router = router({plain("r")})});
  create(note("a"));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(finalizers("a"), (json::Value(json::array{"operatorkit.giantswarm.io/notes"})));

  Note other = note("b");
  other.metadata.finalizers = {"example.com/one", "example.com/two"};
  create(other);
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(finalizers("b"),
            (json::Value(json::array{"example.com/one", "example.com/two", "operatorkit.giantswarm.io/notes"})));
  set_finalizers("b", {"example.com/one", "operatorkit.giantswarm.io/notes", "example.com/two"});
  const auto before = simulation.user().get(GroupVersionKind(Note::type), {"default", "b"});
  ASSERT_TRUE(simulation.run_until_idle());
  const auto after = simulation.user().get(GroupVersionKind(Note::type), {"default", "b"});
  EXPECT_EQ(before->resource_version(), after->resource_version()) << "our finalizer existed already";
  remove("b");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(finalizers("b"), (json::Value(json::array{"example.com/one", "example.com/two"})));
}

// Adding the finalizer is a reconcile of its own, and an object that is being deleted gets none (T2-38).
TEST_F(FrameworkTest, TheFinalizerIsAddedInItsOwnReconcileAndNotDuringDeletion) {
  std::vector<json::Value> seen;
  const Resource resource =
      PlainResource<Object>{.name = "reader",
                            .ensure_created = [&](const Object& object, Context&) -> Result<void> {
                              seen.push_back(object.finalizers().to_value());
                              return {};
                            },
                            .ensure_deleted = [](const Object&, Context&) -> Result<void> { return {}; }};
  install();
  Note deleting = note("a");
  deleting.metadata.finalizers = {"example.com/other"};
  create(deleting);
  remove("a");
  run({.name = "notes", .resource_router = router({resource})});
  create(note("b"));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(finalizers("a"), (json::Value(json::array{"example.com/other"})));
  EXPECT_THAT(seen, ElementsAre(json::Value(json::array{"operatorkit.giantswarm.io/notes"})));
  EXPECT_FALSE(log->has("no new finalizers can be added"));
}

// In the original, a cancelled deletion counted as complete, and the finalizer was removed (T2-39).
TEST_F(FrameworkTest, ACanceledDeletionKeepsTheFinalizer) {
  on["r.deleted"] = cancel_reconciliation;
  run({.name = "notes", .resource_router = router({plain("r")}), .resync_period = 1min});
  create(note("a"));
  ASSERT_TRUE(simulation.wait_until([this] { return calls.size() == 1; }));
  remove("a");
  simulation.executor().sleep_for(90s);
  EXPECT_EQ(finalizers("a"), (json::Value(json::array{"operatorkit.giantswarm.io/notes"})));
  EXPECT_THAT(calls, ElementsAre("r.created", "r.deleted", "r.deleted")) << "each resync reconciles it";
  on.clear();
  simulation.executor().sleep_for(1min);
  EXPECT_EQ(finalizers("a"), json::Value("gone"));
}

// The flag finalizer_kept keeps the finalizer (T2-39).
TEST_F(FrameworkTest, TheFlagFinalizerKeptKeepsTheFinalizer) {
  on["r.deleted"] = [](Context& ctx) -> Result<void> {
    reconcile_flags(ctx).finalizer_kept.set();
    return {};
  };
  run({.name = "notes", .resource_router = router({plain("r"), plain("s")}), .resync_period = 1min});
  create(note("a"));
  ASSERT_TRUE(simulation.wait_until([this] { return calls.size() == 2; }));
  remove("a");
  simulation.executor().sleep_for(30s);
  EXPECT_THAT(calls, ElementsAre("r.created", "s.created", "r.deleted", "s.deleted"));
  EXPECT_EQ(finalizers("a"), (json::Value(json::array{"operatorkit.giantswarm.io/notes"})));
}

TEST_F(FrameworkTest, AResourceThatCancelsItselfKeepsNoFinalizer) {
  on["r.current"] = cancel_resource;
  run({.name = "notes", .resource_router = router({recording("r")})});
  create(note("a"));
  ASSERT_TRUE(simulation.run_until_idle());
  remove("a");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(finalizers("a"), json::Value("gone"));
}

TEST_F(FrameworkTest, AResourceCanRequestARequeue) {
  int calls_left = 2;
  on["r.created"] = [&](Context& ctx) -> Result<void> {
    if (--calls_left >= 0) request_requeue_after(ctx, 10s);
    if (calls_left >= 0) request_requeue_after(ctx, 20s);
    return {};
  };
  run({.name = "notes", .resource_router = router({plain("r")})});
  create(note("a"));
  simulation.executor().sleep_for(15s);
  EXPECT_THAT(calls, SizeIs(2));
  simulation.executor().sleep_for(1min);
  EXPECT_THAT(calls, SizeIs(3));
}

TEST_F(FrameworkTest, ARequeuedDeletionKeepsTheFinalizer) {
  for (const bool finalizer : {true, false}) {
    calls.clear();
    int left = 2;
    on["r.deleted"] = [&](Context& ctx) -> Result<void> {
      if (--left >= 0) request_requeue_after(ctx, 10s);
      return {};
    };
    run({.name = "notes", .resource_router = router({plain("r")}), .finalizer = finalizer});
    create(note("a"));
    ASSERT_TRUE(simulation.wait_until([this] { return calls.size() == 1; }));
    remove("a");
    simulation.executor().sleep_for(15s);
    EXPECT_EQ(finalizers("a") == json::Value("gone"), !finalizer);
    ASSERT_TRUE(simulation.run_until_idle());
    EXPECT_THAT(calls, ElementsAre("r.created", "r.deleted", "r.deleted", "r.deleted")) << finalizer;
    instance.reset();
  }
}

// Without a finalizer, an object whose deletion is cancelled each time would otherwise be stored without end.
TEST_F(FrameworkTest, ACanceledDeletionOfAMissingObjectIsNotRepeated) {
  on["r.deleted"] = cancel_reconciliation;
  run({.name = "notes", .resource_router = router({plain("r")}), .finalizer = false});
  create(note("a"));
  ASSERT_TRUE(simulation.wait_until([this] { return calls.size() == 1; }));
  remove("a");
  simulation.executor().sleep_for(1h);
  EXPECT_THAT(calls, ElementsAre("r.created", "r.deleted"));
}

TEST_F(FrameworkTest, AFailedDeletionOfAMissingObjectIsRetried) {
  on["r.deleted"] = failing(2);
  run({.name = "notes", .resource_router = router({plain("r")}), .finalizer = false});
  create(note("a"));
  ASSERT_TRUE(simulation.wait_until([this] { return calls.size() == 1; }));
  remove("a");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(calls, ElementsAre("r.created", "r.deleted", "r.deleted", "r.deleted"));
}

TEST_F(FrameworkTest, APausedObjectIsNotReconciled) {
  run({.name = "notes", .resource_router = router({plain("r")})});
  Note paused = note("a");
  paused.metadata.annotations = {{"operatorkit.giantswarm.io/paused", "true"}};
  create(paused);
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(calls, IsEmpty());
}

}  // namespace
}  // namespace pintle::crud
