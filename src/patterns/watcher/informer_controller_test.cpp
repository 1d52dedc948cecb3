// SPDX-License-Identifier: Apache-2.0
// Handlers and informers, and the events that handlers receive.
#include <pintle/patterns/watcher/informer_controller.hpp>

#include <gmock/gmock.h>

#include "test_support.hpp"

namespace pintle::watcher {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Null and empty arguments are reported in the order of the calls (T4-01).
TEST_F(InformerControllerTest, NullAndEmptyArgumentsAreReportedInOrder) {
  controller->add_informer(std::shared_ptr<Informer>(), "");
  controller->add_watcher(nullptr, "");
  controller->add_reconciler(nullptr, "Note");
  controller->add_watcher(watcher(), "");
  controller->add_informer(KubernetesBasedInformer::of<Note>(), "");
  EXPECT_THAT(messages(), ElementsAre("informer cannot be nil", "watcher cannot be nil", "reconciler cannot be nil",
                                      "resourceKind cannot be empty", "resourceKind cannot be empty"));
}

TEST_F(InformerControllerTest, ACustomHandlerIsChecked) {
  class Wrong final : public ResourceWatcher {
   public:
    Outcome added(const Object&, Context&) override { return done; }
    Outcome updated(const Object&, const Object&, Context&) override { return done; }
    Outcome deleted(const Object&, Context&) override { return done; }
    [[nodiscard]] Result<void> check() const override { return fail(ErrorCode::invalid, "made wrong"); }
  };
  controller->add_watcher(std::make_shared<Wrong>(), "Note");
  EXPECT_THAT(messages(), ElementsAre("made wrong"));
}

TEST_F(InformerControllerTest, ErrorsAreReportedAtStart) {
  controller->add_watcher(nullptr, "Note");
  Manager manager{{.log_sink = log, .executor = &simulation.executor()}};
  controller->add_to(manager);
  const auto started = manager.start();
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().message, "watcher cannot be nil");
}

// One of them would remove the finalizer while the clean-up of the other one is pending (B19).
TEST_F(InformerControllerTest, TwoOpinionatedHandlersOfAKindNeedDifferentFinalizers) {
  const GroupVersionKind kind = Note::type;
  const auto first = std::make_shared<OpinionatedWatcher>(kind);
  const std::string refusal = "two Opinionated handlers of Note have the finalizer \"" + first->finalizer() +
                              "\": give each of them its own finalizer";
  controller->add_watcher(first, "Note");
  controller->add_reconciler(std::make_shared<OpinionatedReconciler>("test.pintle.dev/other"), "Note");
  controller->add_watcher(std::make_shared<OpinionatedWatcher>(kind), "Other");
  controller->remove_watcher(first, "Note");
  controller->add_watcher(first, "Note");
  EXPECT_THAT(messages(), IsEmpty());
  controller->add_watcher(std::make_shared<OpinionatedWatcher>(kind), "Note");
  controller->add_reconciler(std::make_shared<OpinionatedReconciler>(first->finalizer()), "Note");
  EXPECT_THAT(messages(), ElementsAre(refusal, refusal));
  Manager manager{{.log_sink = log, .executor = &simulation.executor()}};
  controller->add_to(manager);
  const auto started = manager.start();
  ASSERT_FALSE(started);
  EXPECT_THAT(started.error().message, HasSubstr(refusal));
}

// The order of handlers does not change when handlers are removed (T4-01).
TEST_F(InformerControllerTest, TheOrderStaysWhenHandlersAreRemoved) {
  std::vector<std::shared_ptr<SimpleWatcher>> watchers;
  for (const char* name : {"a", "b", "c", "d", "e"}) watchers.push_back(watcher(name));
  for (const auto& one : watchers) controller->add_watcher(one, "Note");
  const auto last = reconciler("r");
  controller->add_reconciler(last, "Note");
  controller->remove_watcher(watchers[2], "Note");
  controller->remove_watcher(watchers[0], "Note");
  controller->remove_watcher(watchers[4], "Note");
  controller->remove_watcher(watchers[4], "Note");
  controller->remove_watcher(nullptr, "Note");
  controller->remove_watcher(watchers[1], "Other");
  controller->remove_reconciler(reconciler(), "Note");
  controller->remove_reconciler(nullptr, "Note");
  run();
  create(note("x"));
  advance_time(1s);
  EXPECT_THAT(calls, ElementsAre("b add x=1", "d add x=1", "r created x=1"));
}

// Removing all handlers of a type keeps the handlers of the other type (T4-01).
TEST_F(InformerControllerTest, RemovingAllOfAKindKeepsTheOthers) {
  controller->add_watcher(watcher("a"), "Note");
  controller->add_watcher(watcher("b"), "Note");
  controller->add_reconciler(reconciler("r"), "Note");
  controller->add_watcher(watcher("c"), "Other");
  controller->add_reconciler(reconciler("s"), "Other");
  controller->add_informer(KubernetesBasedInformer::of<Note>(), "Other");
  controller->remove_all_watchers_for_resource("Note");
  controller->remove_all_watchers_for_resource("None");
  run();
  create(note("x"));
  advance_time(1s);
  EXPECT_THAT(calls, ::testing::UnorderedElementsAre("r created x=1", "c add x=1", "s created x=1"));
  calls.clear();
  controller->remove_all_reconcilers_for_resource("Other");
  set_text("x", "2");
  advance_time(1s);
  EXPECT_THAT(calls, ::testing::UnorderedElementsAre("r updated x=2", "c update x=1>2"));
}

TEST_F(InformerControllerTest, OneInstanceThatWasAddedTwiceIsRemovedOnce) {
  const auto twice = watcher("a");
  controller->add_watcher(twice, "Note");
  controller->add_watcher(twice, "Note");
  controller->remove_watcher(twice, "Note");
  run();
  create(note("x"));
  advance_time(1s);
  EXPECT_THAT(calls, ElementsAre("a add x=1"));
}

// Watchers are called before reconcilers, and a failure does not prevent the other calls (T4-02).
TEST_F(InformerControllerTest, WatchersRunBeforeReconcilersAndFailuresStopNoCall) {
  controller->add_reconciler(reconciler("r"), "Note");
  controller->add_watcher(watcher("a", {failing()}), "Note");
  controller->add_watcher(watcher("b"), "Note");
  controller->add_reconciler(reconciler("s"), "Note");
  run();
  create(note("x"));
  advance_time(1s);
  EXPECT_THAT(calls, ElementsAre("a add x=1", "b add x=1", "r created x=1", "s created x=1"));
}

TEST_F(InformerControllerTest, DeliversAddsUpdatesAndDeletes) {
  controller->add_watcher(watcher(), "Note");
  controller->add_reconciler(reconciler(), "Note");
  run();
  create(note("x"));
  advance_time(1s);
  set_text("x", "2");
  advance_time(1s);
  remove("x");
  advance_time(1s);
  EXPECT_THAT(calls, ElementsAre("add x=1", "created x=1", "update x=1>2", "updated x=2", "delete x=2", "deleted x=2"));
  EXPECT_EQ(controller->waiting(), 0U);
}

// Each of two informers of a kind delivers to all handlers (T4-04).
TEST_F(InformerControllerTest, EachInformerOfAKindDeliversToAllHandlers) {
  controller->add_watcher(watcher("a"), "Note");
  controller->add_watcher(watcher("b"), "Note");
  controller->add_informer(KubernetesBasedInformer::of<Note>({.label_filters = {"team=x"}}), "Note");
  controller->add_informer(KubernetesBasedInformer::of<Note>({.label_filters = {"team=y"}}), "Note");
  Note x = note("x");
  x.metadata.labels = {{"team", "x"}};
  Note y = note("y");
  y.metadata.labels = {{"team", "y"}};
  create(x);
  create(y);
  create(note("z"));
  start();
  advance_time(1s);
  EXPECT_THAT(calls, ::testing::UnorderedElementsAre("a add x=1", "b add x=1", "a add y=1", "b add y=1"));
}

// An object must match all filters. An empty namespace selects all namespaces (T4-31).
TEST_F(InformerControllerTest, AllFiltersMustMatchAndNoNamespaceMeansAll) {
  controller->add_watcher(watcher(), "Note");
  controller->add_informer(KubernetesBasedInformer::of<Note>(
                               {.label_filters = {"team=x", "tier!=back"}, .field_selectors = {"metadata.name!=c"}}),
                           "Note");
  ASSERT_TRUE(simulation.user().create(
      json::Value{{"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", {{"name", "other"}}}}));
  const auto labelled = [](const std::string& name, const std::string& tier, const std::string& where) {
    Note made = note(name);
    made.metadata.namespace_ = where;
    made.metadata.labels = {{"team", "x"}, {"tier", tier}};
    return made;
  };
  create(labelled("a", "front", "default"));
  create(labelled("b", "back", "default"));
  create(labelled("c", "front", "default"));
  create(labelled("d", "front", "other"));
  std::vector<std::string> lists;
  start();
  advance_time(1s);
  EXPECT_THAT(calls, ::testing::UnorderedElementsAre("add a=1", "add d=1"));
  EXPECT_EQ(KubernetesBasedInformer::of<Note>().schema, GroupVersionKind(Note::type));
}

TEST_F(InformerControllerTest, AHandlerMayRemoveItselfAndAddAnother) {
  auto second = watcher("second");
  std::shared_ptr<SimpleWatcher> first;
  first = std::make_shared<SimpleWatcher>(WatcherFunctions{.added = [&](const Object&, Context&) -> Outcome {
    calls.push_back("first");
    controller->remove_watcher(first, "Note");
    controller->add_watcher(second, "Note");
    return failed(outage());
  }});
  controller->add_watcher(first, "Note");
  run();
  create(note("a"));
  advance_time(1min);
  create(note("b"));
  advance_time(1min);
  EXPECT_THAT(calls, ElementsAre("first", "second add b=1"));
  EXPECT_EQ(controller->waiting(), 0U) << "its retry was dropped";
}

// The original dropped a deletion for which the informer had only the last known state (T4-30).
TEST_F(InformerControllerTest, AMissedDeletionIsDeliveredWithTheLastState) {
  controller->add_watcher(watcher(), "Note");
  controller->add_reconciler(reconciler(), "Note");
  run();
  create(note("x"));
  create(note("y"));
  advance_time(1s);
  calls.clear();
  cut_off();
  remove("x");
  remove("y");
  create(note("y", "2"));
  reconnect();
  advance_time(2min);
  EXPECT_EQ(count("delete x=1"), 1U);
  EXPECT_EQ(count("deleted x=1"), 1U);
  const auto first = std::find(calls.begin(), calls.end(), "delete y=1");
  EXPECT_NE(std::find(first, calls.end(), "add y=2"), calls.end());
  EXPECT_EQ(controller->waiting(), 0U);
}

TEST_F(InformerControllerTest, ADeleteIsRetriedBeforeANewObjectIsDelivered) {
  controller->add_watcher(watcher("", {}, {}, {failing(), done}), "Note");
  run();
  create(note("x"));
  advance_time(1s);
  remove("x");
  advance_time(1s);
  create(note("x", "2"));
  advance_time(1min);
  EXPECT_THAT(calls, ElementsAre("add x=1", "delete x=1", "delete x=1", "add x=2"));
  EXPECT_EQ(controller->waiting(), 0U);
}

TEST_F(InformerControllerTest, AnAbandonedDeleteIsDropped) {
  remake({.retry_policy = linear_retry_policy(1s, 0)});
  resync = 30s;
  controller->add_watcher(watcher("", {failing()}, {}, {failing()}), "Note");
  run();
  create(note("x"));
  advance_time(10s);
  remove("x");
  advance_time(10min);
  EXPECT_EQ(count("delete x=1"), 2U);
  EXPECT_EQ(controller->waiting(), 0U);
}

// The original passed pointers to the objects of its cache (T4-32).
TEST_F(InformerControllerTest, AHandlerCannotChangeTheObjectsOfOthers) {
  static_assert(!std::is_assignable_v<decltype(std::declval<Object&>()["/spec/text"]), const char*>,
                "an object can only be read");
  static_assert(
      std::is_same_v<decltype(std::declval<const TypedReconcileRequest<Note>&>().object.spec.text), std::string>);
  std::vector<std::string> seen;
  const auto see = [&](const std::string& who, const std::string& text) { seen.push_back(who + " " + text); };
  int calls = 0;
  // Each call has its own struct: changes do not affect other handlers, later calls or the cache.
  const auto meddle = [&](const TypedReconcileRequest<Note>& request, Context&) -> ReconcileResult {
    see("meddler", request.object.spec.text);
    const_cast<Note&>(request.object).spec.text = "mine";  // legal, because the object itself is not const
    return ++calls == 1 ? ReconcileResult(failed(outage())) : ReconcileResult();
  };
  const auto read = [&](const TypedReconcileRequest<Note>& request, Context& context) -> ReconcileResult {
    see("other", request.object.spec.text);
    see("cache", text_of(*context.get(Note::type, request.object.metadata.key())));
    return done;
  };
  // A json::Value that is made from an object is a copy.
  controller->add_watcher(
      std::make_shared<SimpleWatcher>(WatcherFunctions{.added =
                                                           [](const Object& object, Context&) {
                                                             json::Value copy = object.to_value();
                                                             copy.at("spec").as_object()["text"] = "mine";
                                                             EXPECT_EQ(text_of(Object(copy)), "mine");
                                                             return done;
                                                           }}),
      "Note");
  controller->add_reconciler(std::make_shared<TypedReconciler<Note>>(meddle), "Note");
  controller->add_reconciler(std::make_shared<TypedReconciler<Note>>(read), "Note");
  run();
  create(note("x"));
  advance_time(1min);
  EXPECT_THAT(seen, ElementsAre("meddler 1", "other 1", "cache 1", "meddler 1"));
  seen.clear();
  patch("x", {{"metadata", {{"labels", {{"a", "b"}}}}}});
  advance_time(1min);
  EXPECT_THAT(seen, ElementsAre("meddler 1", "other 1", "cache 1"));
  EXPECT_EQ(text_of(stored("x")), "1");
}

// Ten objects are handled concurrently, and the events of one object in order (T4-37).
TEST_F(InformerControllerTest, TenObjectsRunConcurrentlyAndEventsOfOneInOrder) {
  std::map<std::string, std::string> order;
  int running = 0;
  int most = 0;
  const auto call = [&](const Object& object) -> Outcome {
    most = std::max(most, ++running);
    simulation.executor().sleep_for(1s);
    --running;
    order[std::string(object.name())] += text_of(object);
    return done;
  };
  controller->add_watcher(std::make_shared<SimpleWatcher>(WatcherFunctions{
                              .added = [&](const Object& object, Context&) { return call(object); },
                              .updated = [&](const Object&, const Object& object, Context&) { return call(object); }}),
                          "Note");
  run();
  for (int i = 0; i < 20; ++i) create(note("n" + std::to_string(i)));
  for (const char* text : {"2", "3"}) {
    advance_time(3s);
    for (int i = 0; i < 20; ++i) set_text("n" + std::to_string(i), text);
  }
  advance_time(1min);
  EXPECT_EQ(most, 10);
  for (const auto& [name, texts] : order) EXPECT_EQ(texts, "123") << name;
}

// A resync is `resynced` for reconcilers, and an update for watchers (T4-38).
TEST_F(InformerControllerTest, AResyncIsResyncedForReconcilersAndAnUpdateForWatchers) {
  resync = 30s;
  controller->add_watcher(watcher(), "Note");
  controller->add_reconciler(reconciler(), "Note");
  run();
  create(note("x"));
  advance_time(65s);
  EXPECT_THAT(calls,
              ElementsAre("add x=1", "created x=1", "update x=1>1", "resynced x=1", "update x=1>1", "resynced x=1"));
}

TEST_F(InformerControllerTest, AChangedChildResyncsItsOwner) {
  const auto typed = std::make_shared<TypedReconciler<Note>>(
      [&](const TypedReconcileRequest<Note>& request, Context& context) -> ReconcileResult {
        calls.emplace_back(to_string(request.action));
        return context.apply(ConfigMap{.metadata = owned_by(request.object), .data = {{"text", "1"}}});
      });
  controller->add_reconciler(typed, "Note");
  controller->add_informer(KubernetesBasedInformer::of<Note>({.owns = {ConfigMap::type}, .resync = 0s}), "Note");
  start();
  create(note("x"));
  advance_time(1s);
  calls.clear();
  ASSERT_TRUE(simulation.user().patch(ConfigMap::type, {"default", "x"}, json::Value{{"data", {{"text", "2"}}}}));
  advance_time(1s);
  EXPECT_THAT(calls, ::testing::Contains("resynced"));
  EXPECT_EQ(simulation.user().get<ConfigMap>({"default", "x"})->data.at("text"), "1");
}

// The change of a child does not wait for the end of the delay that the handler requested.
TEST_F(InformerControllerTest, AChangedChildBringsForwardARequestedCall) {
  controller->add_reconciler(
      std::make_shared<TypedReconciler<Note>>([&](const TypedReconcileRequest<Note>& request,
                                                  Context& context) -> ReconcileResult {
        calls.emplace_back(to_string(request.action));
        const auto applied = context.apply(ConfigMap{.metadata = owned_by(request.object), .data = {{"text", "1"}}});
        if (!applied) return failed(applied.error());
        return requeue_after(10min);
      }),
      "Note");
  controller->add_informer(KubernetesBasedInformer::of<Note>({.owns = {ConfigMap::type}, .resync = 0s}), "Note");
  start();
  create(note("x"));
  advance_time(1s);
  calls.clear();
  for (const std::size_t changes : {1U, 2U}) {
    ASSERT_TRUE(simulation.user().patch(ConfigMap::type, {"default", "x"}, json::Value{{"data", {{"text", "2"}}}}));
    advance_time(1s);
    EXPECT_EQ(calls.size(), changes);
    EXPECT_EQ(simulation.user().get<ConfigMap>({"default", "x"})->data.at("text"), "1");
  }
  advance_time(9min);
  EXPECT_EQ(calls.size(), 2U) << "the delay begins again with each call";
  advance_time(1min);
  EXPECT_EQ(calls.size(), 3U);
}

TEST_F(InformerControllerTest, AChangedChildIsDeliveredAlthoughAnotherHandlerHasUsedUpItsRetries) {
  remake({.retry_policy = {}});
  controller->add_watcher(watcher("w", {failing(), done}), "Note");
  controller->add_reconciler(
      std::make_shared<TypedReconciler<Note>>(
          [&](const TypedReconcileRequest<Note>& request, Context& context) -> ReconcileResult {
            calls.emplace_back(to_string(request.action));
            return context.apply(ConfigMap{.metadata = owned_by(request.object), .data = {{"text", "1"}}});
          }),
      "Note");
  controller->add_informer(KubernetesBasedInformer::of<Note>({.owns = {ConfigMap::type}, .resync = 0s}), "Note");
  start();
  create(note("x"));
  advance_time(1s);
  ASSERT_EQ(count("w add x=1"), 1U);
  ASSERT_EQ(controller->waiting(), 1U);
  calls.clear();
  ASSERT_TRUE(simulation.user().patch(ConfigMap::type, {"default", "x"}, json::Value{{"data", {{"text", "2"}}}}));
  advance_time(1s);
  EXPECT_EQ(count("w add x=1"), 1U) << "its failed call is repeated";
  EXPECT_THAT(calls, ::testing::Contains("resynced"));
  EXPECT_EQ(simulation.user().get<ConfigMap>({"default", "x"})->data.at("text"), "1");
}

TEST_F(InformerControllerTest, AChildThatChangesOftenDoesNotEndTheBackOff) {
  controller->add_reconciler(reconciler("", {failing()}), "Note");
  controller->add_informer(KubernetesBasedInformer::of<Note>({.owns = {ConfigMap::type}, .resync = 0s}), "Note");
  start();
  create(note("x"));
  const auto owner = simulation.user().get<Note>({"default", "x"});
  ASSERT_TRUE(owner);
  ASSERT_TRUE(simulation.user().create(ConfigMap{.metadata = owned_by(*owner)}));
  for (int i = 0; i < 1'000; ++i) {
    ASSERT_TRUE(simulation.user().patch(ConfigMap::type, {"default", "x"},
                                        json::Value{{"data", {{"text", std::to_string(i)}}}}));
    advance_time(1s);
  }
  // Seven calls in 315 s; then the next change begins another series.
  EXPECT_GE(calls.size(), 14U);
  EXPECT_LE(calls.size(), 28U);
}

TEST_F(InformerControllerTest, EventsMergeWhileAnObjectWaits) {
  bool first = true;
  controller->add_watcher(std::make_shared<SimpleWatcher>(WatcherFunctions{
                              .added = [&](const Object&, Context&) -> Outcome {
                                if (std::exchange(first, false)) simulation.executor().sleep_for(10s);
                                return done;
                              },
                              .updated = [&](const Object& old, const Object& current, Context&) -> Outcome {
                                calls.push_back(text_of(old) + ">" + text_of(current));
                                return done;
                              }}),
                          "Note");
  run();
  create(note("x"));
  advance_time(1s);
  for (const char* text : {"2", "3", "4"}) {
    set_text("x", text);
    advance_time(1s);
  }
  advance_time(1min);
  EXPECT_THAT(calls, ElementsAre("1>4"));
}

TEST_F(InformerControllerTest, ExistingObjectsAreDeliveredAsCreatedAtStart) {
  create(note("x"));
  controller->add_reconciler(reconciler(), "Note");
  run();
  advance_time(1s);
  EXPECT_THAT(calls, ElementsAre("created x=1"));
}

// In the original, an update without a version option read the current version and replaced changes that the caller had
// not read (T4-36).
TEST_F(InformerControllerTest, AnUpdateOfAnOutdatedVersionIsAConflict) {
  create(note("x"));
  const auto read = simulation.user().get<Note>({"default", "x"});
  ASSERT_TRUE(read);
  set_text("x", "theirs");
  patch("x", {{"metadata", {{"labels", {{"team", "theirs"}}}}}});
  const Object before = stored("x");
  Note mine = *read;
  mine.spec.text = "mine";
  const auto refused = simulation.user().update(*read, mine);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::conflict);
  EXPECT_EQ(stored("x").resource_version(), before.resource_version()) << "there was no write";

  const auto newest = simulation.user().get<Note>({"default", "x"});
  ASSERT_TRUE(newest);
  Note next = *newest;
  next.spec.text = "mine";
  ASSERT_TRUE(simulation.user().update(*newest, next));
  EXPECT_EQ(text_of(stored("x")), "mine");
  EXPECT_EQ(stored("x")["/metadata/labels/team"], "theirs");

  remove("x");
  create(note("x", "another"));
  next.spec.text = "late";
  EXPECT_FALSE(simulation.user().update(*newest, next)) << "another object of the same name exists";
  EXPECT_EQ(text_of(stored("x")), "another");
}

}  // namespace
}  // namespace pintle::watcher
