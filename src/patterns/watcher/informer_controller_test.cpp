#include <pintle/patterns/watcher/informer_controller.hpp>

#include <stdexcept>

#include <gmock/gmock.h>

#include "test_support.hpp"

namespace pintle::watcher {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class InformerControllerTest : public WatcherTest {
 protected:
  Outcome answer_failing() { return failed(outage()); }
  std::vector<std::string> messages() {
    std::vector<std::string> all;
    for (const Error& error : controller->errors()) all.push_back(error.message);
    return all;
  }
  double metric(const std::string& name, const Labels& labels) {
    return instance->manager().metrics().counter(name, "", labels).value();
  }
  double gauge(const std::string& name, const Labels& labels) {
    return instance->manager().metrics().gauge(name, "", labels).value();
  }
};

// ---- Handlers and informers ----

// T4-01 K
TEST_F(InformerControllerTest, NullAndEmptyArgumentsAreNamedInTheOrderTheyCame) {
  controller->add_informer(std::shared_ptr<Informer>(), "");
  controller->add_watcher(nullptr, "");
  controller->add_reconciler(nullptr, "Note");
  controller->add_watcher(watcher(), "");
  controller->add_informer(KubernetesBasedInformer::of<Note>(), "");
  EXPECT_THAT(messages(), ElementsAre("informer cannot be nil", "watcher cannot be nil", "reconciler cannot be nil",
                                      "resourceKind cannot be empty", "resourceKind cannot be empty"));
}

TEST_F(InformerControllerTest, AHandlerOfOnesOwnIsChecked) {
  class Wrong final : public ResourceWatcher {
   public:
    Outcome added(const Object&, Context&) override { return settled; }
    Outcome updated(const Object&, const Object&, Context&) override { return settled; }
    Outcome deleted(const Object&, Context&) override { return settled; }
    [[nodiscard]] Result<void> check() const override { return fail(ErrorCode::invalid, "made wrong"); }
  };
  controller->add_watcher(std::make_shared<Wrong>(), "Note");
  EXPECT_THAT(messages(), ElementsAre("made wrong"));
}

TEST_F(InformerControllerTest, WhatIsWrongIsAnsweredAsTheManagerStarts) {
  controller->add_watcher(nullptr, "Note");
  Manager manager{{.log_sink = log, .runtime = &simulation.runtime()}};
  controller->add_to(manager);
  const auto started = manager.start();
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().message, "watcher cannot be nil");
}

// T4-01 K
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
  let_pass(1s);
  EXPECT_THAT(told, ElementsAre("b add x=1", "d add x=1", "r created x=1"));
}

// T4-01 K
TEST_F(InformerControllerTest, RemovingAllOfAKindLeavesTheOthers) {
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
  let_pass(1s);
  EXPECT_THAT(told, ::testing::UnorderedElementsAre("r created x=1", "c add x=1", "s created x=1"));
  told.clear();
  controller->remove_all_reconcilers_for_resource("Other");
  set_text("x", "2");
  let_pass(1s);
  EXPECT_THAT(told, ::testing::UnorderedElementsAre("r updated x=2", "c update x=1>2"));
}

TEST_F(InformerControllerTest, OneInstanceThatWasAddedTwiceIsRemovedOnce) {
  const auto twice = watcher("a");
  controller->add_watcher(twice, "Note");
  controller->add_watcher(twice, "Note");
  controller->remove_watcher(twice, "Note");
  run();
  create(note("x"));
  let_pass(1s);
  EXPECT_THAT(told, ElementsAre("a add x=1"));
}

// T4-02 K
TEST_F(InformerControllerTest, WatchersAreToldBeforeReconcilersAndAFailureStopsNobody) {
  controller->add_reconciler(reconciler("r"), "Note");
  controller->add_watcher(watcher("a", {answer_failing()}), "Note");
  controller->add_watcher(watcher("b"), "Note");
  controller->add_reconciler(reconciler("s"), "Note");
  run();
  create(note("x"));
  let_pass(1s);
  EXPECT_THAT(told, ElementsAre("a add x=1", "b add x=1", "r created x=1", "s created x=1"));
}

TEST_F(InformerControllerTest, TellsUpdatesAndDeletes) {
  controller->add_watcher(watcher(), "Note");
  controller->add_reconciler(reconciler(), "Note");
  run();
  create(note("x"));
  let_pass(1s);
  set_text("x", "2");
  let_pass(1s);
  remove("x");
  let_pass(1s);
  EXPECT_THAT(told, ElementsAre("add x=1", "created x=1", "update x=1>2", "updated x=2", "delete x=2", "deleted x=2"));
  EXPECT_EQ(controller->waiting(), 0U);
}

// T4-04 K
TEST_F(InformerControllerTest, EachOfTwoInformersOfAKindTellsAllHandlers) {
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
  let_pass(1s);
  EXPECT_THAT(told, ::testing::UnorderedElementsAre("a add x=1", "b add x=1", "a add y=1", "b add y=1"));
}

// T4-31 K
TEST_F(InformerControllerTest, FiltersAreAllToBeMetAndNoNamespaceIsAll) {
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
  let_pass(1s);
  EXPECT_THAT(told, ::testing::UnorderedElementsAre("add a=1", "add d=1"));
  EXPECT_EQ(KubernetesBasedInformer::of<Note>().schema, GroupVersionKind(Note::type));
}

TEST_F(InformerControllerTest, AHandlerMayRemoveItselfAndAddAnother) {
  auto second = watcher("second");
  std::shared_ptr<SimpleWatcher> first;
  first = std::make_shared<SimpleWatcher>(WatcherFunctions{.added = [&](const Object&, Context&) -> Outcome {
    told.push_back("first");
    controller->remove_watcher(first, "Note");
    controller->add_watcher(second, "Note");
    return failed(outage());
  }});
  controller->add_watcher(first, "Note");
  run();
  create(note("a"));
  let_pass(1min);
  create(note("b"));
  let_pass(1min);
  EXPECT_THAT(told, ElementsAre("first", "second add b=1"));
  EXPECT_EQ(controller->waiting(), 0U) << "its retry went with it";
}

// ---- Retries ----

// T4-05 K
TEST_F(InformerControllerTest, APolicyOfOneRetryGivesTwoCalls) {
  remake({.retry_policy = linear_retry_policy(1s, 0)});
  controller->add_watcher(watcher("", {answer_failing()}), "Note");
  run();
  create(note("x"));
  let_pass(1min);
  EXPECT_THAT(told, ElementsAre("add x=1", "add x=1"));
}

// T4-05 K
TEST_F(InformerControllerTest, ASuccessEndsTheRetries) {
  controller->add_watcher(watcher("", {answer_failing(), answer_failing(), settled}), "Note");
  run();
  create(note("x"));
  let_pass(10min);
  EXPECT_EQ(told.size(), 3U);
  EXPECT_EQ(controller->waiting(), 0U);
}

// T4-06 K
TEST_F(InformerControllerTest, TheDefaultPolicyGivesSevenCallsInFiveMinutes) {
  std::vector<Duration> at;
  controller->add_watcher(
      std::make_shared<SimpleWatcher>(WatcherFunctions{.added = [&](const Object&, Context&) -> Outcome {
        at.push_back(simulation.runtime().now().time_since_epoch());
        return failed(outage());
      }}),
      "Note");
  run();
  create(note("x"));
  let_pass(1h);
  std::vector<Duration> between;
  for (std::size_t i = 1; i < at.size(); ++i) between.push_back(at[i] - at[i - 1]);
  EXPECT_THAT(between, ElementsAre(5s, 10s, 20s, 40s, 80s, 160s));
}

// T4-07 K
TEST_F(InformerControllerTest, AnUpdateTakesThePlaceOfTheRetriesOfAnAdd) {
  remake({.retry_policy = exponential_backoff_retry_policy(1s, 5)});
  controller->add_watcher(watcher("", {answer_failing()}, {answer_failing()}), "Note");
  run();
  create(note("x"));
  let_pass(10s);
  EXPECT_EQ(count("add x=1"), 4U);
  set_text("x", "2");
  let_pass(10s);
  EXPECT_EQ(count("add x=1"), 4U);
  EXPECT_EQ(count("update x=1>2"), 4U);
}

// T4-08 K
TEST_F(InformerControllerTest, WithoutADequeuePolicyAnUpdateStopsTheRetriesOfAnAdd) {
  remake({.retry_policy = linear_retry_policy(500ms, 1000)});
  controller->add_watcher(watcher("", {answer_failing()}), "Note");
  run();
  create(note("x"));
  let_pass(2200ms);
  EXPECT_EQ(count("add x=1"), 5U);
  set_text("x", "2");
  let_pass(10s);
  EXPECT_EQ(count("add x=1"), 5U);
  EXPECT_EQ(count("update x=1>2"), 1U);
}

// T4-08 F: in the original every resync, each 30 s, wiped the retries that waited longer.
TEST_F(InformerControllerTest, AResyncStopsNoRetry) {
  remake({.retry_policy = linear_retry_policy(70s, 0)});
  resync = 30s;
  controller->add_watcher(watcher("a", {answer_failing(), settled}), "Note");
  controller->add_watcher(watcher("b"), "Note");
  run();
  create(note("x"));
  let_pass(71s);
  EXPECT_EQ(count("a add x=1"), 2U);
  EXPECT_EQ(count("a update x=1>1"), 0U) << "its retry tells it more";
  EXPECT_EQ(count("b update x=1>1"), 2U) << "the others are told";
}

// B4: what was given up is tried again at the next resync.
TEST_F(InformerControllerTest, AResyncGivesWhatWasGivenUpAnotherChance) {
  remake({.retry_policy = {}});
  resync = 30s;
  controller->add_watcher(watcher("", {answer_failing(), answer_failing(), settled}), "Note");
  controller->add_reconciler(reconciler("r", {answer_failing(), settled}), "Note");
  run();
  create(note("x"));
  let_pass(100s);
  EXPECT_EQ(count("add x=1"), 3U);
  EXPECT_EQ(count("update x=1>1"), 1U) << "from then on nothing is wrong";
  EXPECT_EQ(count("r created x=1"), 2U);
  EXPECT_EQ(count("r resynced x=1"), 2U);
  EXPECT_EQ(controller->waiting(), 0U);
}

// An update that could not be handled begins where the last one that could ended.
TEST_F(InformerControllerTest, AnUpdateBeginsWhereTheDroppedRetryDid) {
  controller->add_watcher(watcher("", {}, {answer_failing(), settled}), "Note");
  run();
  create(note("x"));
  let_pass(1s);
  set_text("x", "2");
  let_pass(1s);
  set_text("x", "3");
  let_pass(1min);
  EXPECT_THAT(told, ElementsAre("add x=1", "update x=1>2", "update x=1>3"));
}

State with(const std::string& text) { return {{"retry", text}}; }
std::string text_in(const State& state) {
  const auto found = state.find("retry");
  return found == state.end() ? "" : std::any_cast<std::string>(found->second);
}

// T4-09 K, and F: in the original later retries saw the state of the first call for ever.
TEST_F(InformerControllerTest, EachCallSeesTheStateThatTheLastReturned) {
  std::vector<std::string> states;
  std::vector<Instant> at;
  controller->add_reconciler(
      std::make_shared<SimpleReconciler>([&](const ReconcileRequest& request, Context&) -> ReconcileResult {
        states.push_back(text_in(request.state));
        at.push_back(simulation.runtime().now());
        if (states.size() == 4) return settled;
        ReconcileResult result = look_again_in(100ms);
        if (states.size() != 3) result.state = with("after " + std::to_string(states.size()));
        return result;
      }),
      "Note");
  run();
  create(note("x"));
  let_pass(10s);
  EXPECT_THAT(states, ElementsAre("", "after 1", "after 2", "after 2"));
  EXPECT_EQ(at[1] - at[0], 100ms);
  EXPECT_EQ(controller->waiting(), 0U);
}

// T4-09 F: the state outlives an event, as long as it is about the same generation.
TEST_F(InformerControllerTest, TheStateGoesOnUntilTheGenerationChanges) {
  std::vector<std::string> seen;
  controller->add_reconciler(
      std::make_shared<SimpleReconciler>([&](const ReconcileRequest& request, Context&) -> ReconcileResult {
        seen.push_back(std::string(to_string(request.action)) + ":" + text_in(request.state));
        ReconcileResult result = look_again_in(1h);
        result.state = with(std::to_string(seen.size()));
        return result;
      }),
      "Note");
  run();
  create(note("x"));
  let_pass(1s);
  patch("x", {{"metadata", {{"labels", {{"a", "b"}}}}}});
  let_pass(1s);
  set_text("x", "2");
  let_pass(1s);
  EXPECT_THAT(seen, ElementsAre("created:", "updated:1", "updated:"));
}

// T4-10 K
TEST_F(InformerControllerTest, ADelayWinsOverAnErrorAndCostsNoAttempt) {
  remake({.retry_policy = linear_retry_policy(1s, 0)});
  std::vector<Instant> at;
  controller->add_reconciler(std::make_shared<SimpleReconciler>([&](const ReconcileRequest&, Context&) {
                               at.push_back(simulation.runtime().now());
                               ReconcileResult result = failed(outage());
                               if (at.size() <= 3) result.requeue_after = 10s;
                               return result;
                             }),
                             "Note");
  run();
  create(note("x"));
  let_pass(10min);
  // The retry after the last of them is attempt 1, which the policy refuses.
  ASSERT_EQ(at.size(), 4U);
  EXPECT_EQ(at[3] - at[0], 30s);
}

// T4-10 K
TEST_F(InformerControllerTest, ADelayOfZeroIsAtOnce) {
  std::vector<Instant> at;
  controller->add_reconciler(
      std::make_shared<SimpleReconciler>([&](const ReconcileRequest&, Context&) -> ReconcileResult {
        at.push_back(simulation.runtime().now());
        if (at.size() == 2) return settled;
        return look_again_in(0s);
      }),
      "Note");
  run();
  create(note("x"));
  let_pass(1min);
  ASSERT_EQ(at.size(), 2U);
  EXPECT_EQ(at[0], at[1]);
}

// T4-12 K
TEST_F(InformerControllerTest, TheOpinionatedPolicyKeepsRetriesOfAnotherAction) {
  remake({.retry_policy = linear_retry_policy(5s, 0), .retry_dequeue_policy = opinionated_retry_dequeue_policy});
  controller->add_watcher(watcher("", {answer_failing(), settled}, {answer_failing(), settled}), "Note");
  run();
  create(note("x"));
  let_pass(1s);
  set_text("x", "2");
  let_pass(1min);
  // The retry of the add has the newest object: none is told of an older one after a newer.
  EXPECT_THAT(told, ElementsAre("add x=1", "update x=1>2", "add x=2", "update x=1>2"));
}

// T4-13 F: in the original a retry that failed was queued again behind the event that had replaced it.
TEST_F(InformerControllerTest, NoCallHasAnOlderObjectThanOneBeforeIt) {
  remake({.retry_policy = linear_retry_policy(1s, 1000)});
  int running = 0;
  bool overlapped = false;
  const auto call = [&](const std::string& what) -> Outcome {
    overlapped = overlapped || running != 0;
    ++running;
    simulation.runtime().sleep_for(4s);
    --running;
    told.push_back(what);
    return failed(outage());
  };
  controller->add_watcher(
      std::make_shared<SimpleWatcher>(WatcherFunctions{
          .added = [&](const Object& object, Context&) { return call("add " + text_of(object)); },
          .updated = [&](const Object&, const Object& object, Context&) { return call("update " + text_of(object)); }}),
      "Note");
  run();
  create(note("x"));
  let_pass(7s);  // within the first retry
  set_text("x", "2");
  let_pass(12s);
  EXPECT_FALSE(overlapped);
  EXPECT_THAT(told, ElementsAre("add 1", "add 1", "update 2", "update 2"));
}

// T4-14 F: the original made all retries on one thread.
TEST_F(InformerControllerTest, ASlowRetryHoldsUpNobodyElse) {
  remake({.retry_policy = linear_retry_policy(1s, 0)});
  std::map<std::string, std::vector<Instant>> at;
  controller->add_watcher(
      std::make_shared<SimpleWatcher>(WatcherFunctions{.added = [&](const Object& object, Context&) -> Outcome {
        auto& calls = at[std::string(object.name())];
        calls.push_back(simulation.runtime().now());
        if (calls.size() == 1) return failed(outage());
        if (object.name() == "slow") simulation.runtime().sleep_for(10s);
        return settled;
      }}),
      "Note");
  run();
  create(note("slow"));
  let_pass(500ms);
  create(note("quick"));
  let_pass(20s);
  ASSERT_EQ(at["quick"].size(), 2U);
  EXPECT_EQ(at["quick"][1] - at["quick"][0], 1s);
}

// T4-15 F: the original kept a list and a lock for every object it had ever seen.
TEST_F(InformerControllerTest, NothingIsKeptOfObjectsForWhichNothingWaits) {
  controller->add_watcher(watcher("", {answer_failing(), settled}), "Note");
  controller->add_reconciler(reconciler(), "Note");
  run();
  for (int i = 0; i < 200; ++i) create(note("n" + std::to_string(i)));
  let_pass(1min);
  EXPECT_EQ(controller->waiting(), 0U);
  for (int i = 0; i < 200; ++i) remove("n" + std::to_string(i));
  let_pass(1min);
  EXPECT_EQ(controller->waiting(), 0U);
  EXPECT_EQ(gauge("retry_processor_pending_total", {}), 0);
}

// T4-16 F: in the original the retries of a handler that was removed went to the one that took its place.
TEST_F(InformerControllerTest, ARemovedHandlerTakesItsRetriesWithIt) {
  const auto first = watcher("a", {answer_failing()});
  controller->add_watcher(first, "Note");
  controller->add_watcher(watcher("b", {answer_failing()}), "Note");
  controller->add_watcher(watcher("c"), "Note");
  run();
  create(note("x"));
  let_pass(1s);
  EXPECT_EQ(gauge("retry_processor_pending_total", {}), 2);
  controller->remove_watcher(first, "Note");
  EXPECT_EQ(gauge("retry_processor_pending_total", {}), 1);
  let_pass(5s);
  EXPECT_THAT(told, ElementsAre("a add x=1", "b add x=1", "c add x=1", "b add x=1"));
}

// T4-17 F: the original told of no failure of a reconciler, and of no retry.
TEST_F(InformerControllerTest, TheErrorHandlerIsToldOfEachFailureAndOfTheLast) {
  std::vector<std::string> failures;
  remake({.error_handler =
              [&](const Failure& failure, Context& context) {
                default_error_handler(failure, context);
                failures.push_back(failure.error.message + " " + std::string(failure.resource_kind) + " " +
                                   std::string(to_string(failure.action)) + " " + std::string(failure.object.name()) +
                                   " " + std::to_string(failure.attempt) + (failure.is_final ? " final" : ""));
              },
          .retry_policy = linear_retry_policy(1s, 1)});
  controller->add_watcher(watcher("w", {failed(outage("of w"))}), "Note");
  controller->add_reconciler(reconciler("r", {failed(outage("of r"))}), "Note");
  run();
  create(note("x"));
  let_pass(1min);
  EXPECT_THAT(failures,
              ElementsAre("of w Note created x 0", "of r Note created x 0", "of w Note created x 1",
                          "of r Note created x 1", "of w Note created x 2 final", "of r Note created x 2 final"));
  EXPECT_TRUE(log->has("component=InformerController kind=Note action=created"));
  EXPECT_TRUE(log->has("watcher 1 of Note, created, retry 2, given up: of w"));
}

TEST_F(InformerControllerTest, AnErrorThatNoRetryMendsIsGivenUpAtOnce) {
  controller->add_watcher(watcher("", {failed(outage().terminal())}), "Note");
  run();
  create(note("x"));
  let_pass(10min);
  EXPECT_EQ(told.size(), 1U);
  EXPECT_TRUE(log->has("given up"));
}

TEST_F(InformerControllerTest, AnExceptionIsAFailureOfItsHandlerAlone) {
  int calls = 0;
  controller->add_watcher(
      std::make_shared<SimpleWatcher>(WatcherFunctions{.added = [&](const Object&, Context&) -> Outcome {
        if (++calls == 1) throw std::runtime_error("oops");
        return settled;
      }}),
      "Note");
  controller->add_reconciler(reconciler(), "Note");
  run();
  create(note("x"));
  let_pass(1min);
  EXPECT_EQ(calls, 2);
  EXPECT_THAT(told, ElementsAre("created x=1"));
  EXPECT_TRUE(log->has("oops"));
}

TEST_F(InformerControllerTest, PoliciesThatThrowGiveUp) {
  const auto throwing = [](auto&&...) -> bool { throw std::runtime_error("no policy"); };
  remake(
      {.retry_policy = [&](const Error&, unsigned) -> std::optional<Duration> { throw std::runtime_error("no retry"); },
       .retry_dequeue_policy = throwing});
  controller->add_watcher(watcher("", {answer_failing()}), "Note");
  run();
  create(note("x"));
  let_pass(1min);
  set_text("x", "2");
  let_pass(1min);
  EXPECT_THAT(told, ElementsAre("add x=1", "update x=1>2"));
  EXPECT_TRUE(log->has("no retry"));
  EXPECT_TRUE(log->has("no policy"));
}

// ---- What happens to objects ----

// T4-30 F: the original dropped what the informer only knew by its last state.
TEST_F(InformerControllerTest, ADeleteThatTheWatchMissedIsToldWithTheLastState) {
  controller->add_watcher(watcher(), "Note");
  controller->add_reconciler(reconciler(), "Note");
  run();
  create(note("x"));
  create(note("y"));
  let_pass(1s);
  told.clear();
  cut_off();
  remove("x");
  remove("y");
  create(note("y", "2"));
  reconnect();
  let_pass(2min);
  EXPECT_EQ(count("delete x=1"), 1U);
  EXPECT_EQ(count("deleted x=1"), 1U);
  const auto first = std::find(told.begin(), told.end(), "delete y=1");
  EXPECT_NE(std::find(first, told.end(), "add y=2"), told.end());
  EXPECT_EQ(controller->waiting(), 0U);
}

TEST_F(InformerControllerTest, ADeleteIsRetriedBeforeANewObjectOfTheNameIsTold) {
  controller->add_watcher(watcher("", {}, {}, {answer_failing(), settled}), "Note");
  run();
  create(note("x"));
  let_pass(1s);
  remove("x");
  let_pass(1s);
  create(note("x", "2"));
  let_pass(1min);
  EXPECT_THAT(told, ElementsAre("add x=1", "delete x=1", "delete x=1", "add x=2"));
  EXPECT_EQ(controller->waiting(), 0U);
}

TEST_F(InformerControllerTest, ADeleteThatIsGivenUpIsForgotten) {
  remake({.retry_policy = linear_retry_policy(1s, 0)});
  resync = 30s;
  controller->add_watcher(watcher("", {answer_failing()}, {}, {answer_failing()}), "Note");
  run();
  create(note("x"));
  let_pass(10s);
  remove("x");
  let_pass(10min);
  EXPECT_EQ(count("delete x=1"), 2U);
  EXPECT_EQ(controller->waiting(), 0U);
}

// T4-32 F: the original handed out the pointers of its cache.
TEST_F(InformerControllerTest, AHandlerCannotChangeWhatOthersSee) {
  const auto meddler = std::make_shared<SimpleWatcher>(WatcherFunctions{.added = [](const Object& object, Context&) {
    json::Value copy = object.to_value();
    copy.at("spec").as_object()["text"] = "mine";
    Object mine(std::move(copy));
    EXPECT_EQ(text_of(mine), "mine");
    return settled;
  }});
  controller->add_watcher(meddler, "Note");
  controller->add_watcher(
      std::make_shared<SimpleWatcher>(WatcherFunctions{.added = [&](const Object& object, Context& context) -> Outcome {
        told.push_back(text_of(object));
        told.push_back(text_of(*context.get(Note::type, object.key())));
        return settled;
      }}),
      "Note");
  run();
  create(note("x"));
  let_pass(1s);
  EXPECT_THAT(told, ElementsAre("1", "1"));
}

// T4-37 K
TEST_F(InformerControllerTest, TenObjectsAreHandledAtOnceAndThoseOfOneInOrder) {
  std::map<std::string, std::string> order;
  int running = 0;
  int most = 0;
  const auto call = [&](const Object& object) -> Outcome {
    most = std::max(most, ++running);
    simulation.runtime().sleep_for(1s);
    --running;
    order[std::string(object.name())] += text_of(object);
    return settled;
  };
  controller->add_watcher(std::make_shared<SimpleWatcher>(WatcherFunctions{
                              .added = [&](const Object& object, Context&) { return call(object); },
                              .updated = [&](const Object&, const Object& object, Context&) { return call(object); }}),
                          "Note");
  run();
  for (int i = 0; i < 20; ++i) create(note("n" + std::to_string(i)));
  for (const char* text : {"2", "3"}) {
    let_pass(3s);
    for (int i = 0; i < 20; ++i) set_text("n" + std::to_string(i), text);
  }
  let_pass(1min);
  EXPECT_EQ(most, 10);
  for (const auto& [name, texts] : order) EXPECT_EQ(texts, "123") << name;
}

// T4-38 K
TEST_F(InformerControllerTest, AResyncIsResyncedForReconcilersAndAnUpdateForWatchers) {
  resync = 30s;
  controller->add_watcher(watcher(), "Note");
  controller->add_reconciler(reconciler(), "Note");
  run();
  create(note("x"));
  let_pass(65s);
  EXPECT_THAT(told,
              ElementsAre("add x=1", "created x=1", "update x=1>1", "resynced x=1", "update x=1>1", "resynced x=1"));
}

TEST_F(InformerControllerTest, AChildThatChangesHasItsOwnerToldAgain) {
  const auto told_by = std::make_shared<TypedReconciler<Note>>(
      [&](const TypedReconcileRequest<Note>& request, Context& context) -> ReconcileResult {
        told.emplace_back(to_string(request.action));
        return context.apply(ConfigMap{.metadata = owned_by(request.object), .data = {{"text", "1"}}});
      });
  controller->add_reconciler(told_by, "Note");
  controller->add_informer(KubernetesBasedInformer::of<Note>({.owns = {ConfigMap::type}, .resync = 0s}), "Note");
  start();
  create(note("x"));
  let_pass(1s);
  told.clear();
  ASSERT_TRUE(simulation.user().patch(ConfigMap::type, {"default", "x"}, json::Value{{"data", {{"text", "2"}}}}));
  let_pass(1s);
  EXPECT_THAT(told, ::testing::Contains("resynced"));
  EXPECT_EQ(simulation.user().get<ConfigMap>({"default", "x"})->data.at("text"), "1");
}

TEST_F(InformerControllerTest, EventsMergeWhileAnObjectWaits) {
  bool first = true;
  controller->add_watcher(std::make_shared<SimpleWatcher>(WatcherFunctions{
                              .added = [&](const Object&, Context&) -> Outcome {
                                if (std::exchange(first, false)) simulation.runtime().sleep_for(10s);
                                return settled;
                              },
                              .updated = [&](const Object& old, const Object& current, Context&) -> Outcome {
                                told.push_back(text_of(old) + ">" + text_of(current));
                                return settled;
                              }}),
                          "Note");
  run();
  create(note("x"));
  let_pass(1s);
  for (const char* text : {"2", "3", "4"}) {
    set_text("x", text);
    let_pass(1s);
  }
  let_pass(1min);
  EXPECT_THAT(told, ElementsAre("1>4"));
}

TEST_F(InformerControllerTest, WhatIsThereAtTheStartIsCreatedAgain) {
  create(note("x"));
  controller->add_reconciler(reconciler(), "Note");
  run();
  let_pass(1s);
  EXPECT_THAT(told, ElementsAre("created x=1"));
}

// ---- What is measured and traced ----

// T4-29 K
TEST_F(InformerControllerTest, MeasuresByTheNamesOfTheOriginal) {
  remake({.metrics_namespace = "app", .retry_policy = linear_retry_policy(1s, 0)});
  controller->add_watcher(watcher("", {answer_failing(), settled}), "Note");
  controller->add_reconciler(reconciler("", {answer_failing()}), "Note");
  run();
  create(note("x"));
  let_pass(1min);
  const Labels created{{"event_type", "CREATE"}, {"kind", "Note"}};
  EXPECT_EQ(metric("app_informer_events_total", created), 1);
  EXPECT_EQ(metric("app_watcher_errors_total", created), 1);
  EXPECT_EQ(metric("app_reconciler_errors_total", created), 2);
  EXPECT_EQ(metric("app_retry_processor_enqueued_total", {{"action", "CREATE"}}), 2);
  EXPECT_EQ(metric("app_retry_processor_executions_total", {{"action", "CREATE"}, {"result", "success"}}), 1);
  EXPECT_EQ(metric("app_retry_processor_executions_total", {{"action", "CREATE"}, {"result", "failed"}}), 1);
  EXPECT_EQ(gauge("app_retry_processor_pending_total", {}), 0);
  const std::string text = instance->manager().metrics().text();
  EXPECT_THAT(text,
              HasSubstr("app_informer_reconcile_duration_seconds_count{event_type=\"CREATE\",kind=\"Note\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("app_watcher_process_duration_seconds_count{event_type=\"CREATE\",kind=\"Note\"} 2\n"));
  EXPECT_THAT(text,
              HasSubstr("app_reconciler_process_duration_seconds_count{event_type=\"CREATE\",kind=\"Note\"} 2\n"));
  for (const char* bound :
       {"0.005", "0.01", "0.025", "0.05", "0.1", "0.25", "0.5", "1", "2.5", "5", "10", "25", "50", "100", "+Inf"}) {
    EXPECT_THAT(text,
                HasSubstr("app_watcher_process_duration_seconds_bucket{event_type=\"CREATE\",kind=\"Note\",le=\"" +
                          std::string(bound) + "\"}"));
  }
}

// T4-29 F: in the original the calls for a delete were counted as ongoing updates too.
TEST_F(InformerControllerTest, WhatIsOngoingIsCountedUnderItsEventAndEndsAlsoByAnException) {
  const auto ongoing = [&](const char* event, const char* what) {
    return gauge(std::string("ongoing_reconcile_") + what, {{"event_type", event}, {"kind", "Note"}});
  };
  std::vector<double> during;
  controller->add_watcher(
      std::make_shared<SimpleWatcher>(WatcherFunctions{.deleted = [&](const Object&, Context&) -> Outcome {
        for (const char* event : {"DELETE", "UPDATE", "CREATE"}) {
          during.push_back(ongoing(event, "processes"));
          during.push_back(ongoing(event, "events"));
        }
        throw std::runtime_error("oops");
      }}),
      "Note");
  run();
  create(note("x"));
  let_pass(1s);
  remove("x");
  let_pass(1s);
  EXPECT_THAT(during, ElementsAre(1, 1, 0, 0, 0, 0));
  for (const char* event : {"DELETE", "UPDATE", "CREATE", "RESYNC"}) {
    EXPECT_EQ(ongoing(event, "processes"), 0) << event;
    EXPECT_EQ(ongoing(event, "events"), 0) << event;
  }
}

// Keeps the names of the events of its spans.
class KeptEvents final : public Tracer {
 public:
  std::unique_ptr<Span> start(SpanStart) override { return std::make_unique<KeepingSpan>(events); }

  std::vector<std::string> events;

 private:
  class KeepingSpan final : public Span {
   public:
    explicit KeepingSpan(std::vector<std::string>& events) : events_(events) {}
    [[nodiscard]] const SpanContext& context() const noexcept override { return context_; }
    void set(SpanAttribute) override {}
    void add_event(std::string_view name, std::vector<SpanAttribute> attributes) override {
      events_.push_back(std::string(name) + ": " + std::get<std::string>(attributes.front().value));
    }
    void set_error(std::string_view what) override { events_.push_back("error: " + std::string(what)); }

   private:
    std::vector<std::string>& events_;
    const SpanContext context_{};
  };
};

TEST_F(InformerControllerTest, AFailureIsAnEventOfTheSpanOfItsPass) {
  const auto tracer = std::make_shared<KeptEvents>();
  controller->add_watcher(
      std::make_shared<SimpleWatcher>(WatcherFunctions{.added = [&](const Object&, Context& context) -> Outcome {
        context.span().add_event("mine", {{"what", "called"}});
        return failed(outage());
      }}),
      "Note");
  run({.tracer = tracer});
  create(note("x"));
  let_pass(1s);
  ASSERT_GE(tracer->events.size(), 3U);
  EXPECT_EQ(tracer->events[0], "mine: called");
  EXPECT_EQ(tracer->events[1], "handler failed: watcher 1 of Note");
  EXPECT_THAT(tracer->events[2], HasSubstr("error: watcher 1 of Note, created: not now"));
}

// ---- Informers of one's own ----

// Tells what the test has it tell.
class Script final : public Informer {
 public:
  explicit Script(Runtime& runtime) : runtime_(runtime) {}

  [[nodiscard]] GroupVersionKind schema() const override { return {"example.com/v1", "Thing"}; }
  void add_event_handler(std::shared_ptr<EventHandler> handler) override { events = std::move(handler); }
  Result<void> run(const std::stop_token& stop) override {
    ++runs;
    if (runs == 1 && fails_first) return fail(ErrorCode::unavailable, "no connection");
    runtime_.sleep_for(Duration::max(), stop);
    return {};
  }

  std::shared_ptr<EventHandler> events;
  int runs = 0;
  bool fails_first = false;

 private:
  Runtime& runtime_;
};

Object thing(const std::string& name, const std::string& text) {
  return Object(json::Value{{"apiVersion", "example.com/v1"},
                            {"kind", "Thing"},
                            {"metadata", {{"name", name}, {"namespace", "default"}, {"resourceVersion", text}}},
                            {"spec", {{"text", text}}}});
}

class OwnInformerTest : public InformerControllerTest {
 protected:
  void run_script() {
    controller->add_informer(script, "Thing");
    start();
  }
  std::shared_ptr<Script> script = std::make_shared<Script>(simulation.runtime());
};

TEST_F(OwnInformerTest, TellsHandlersOfWhatIsInNoCluster) {
  controller->add_watcher(watcher("", {answer_failing(), settled}), "Thing");
  controller->add_reconciler(reconciler(), "Thing");
  run_script();
  ASSERT_TRUE(script->events->added(thing("x", "1")));
  let_pass(1min);
  ASSERT_TRUE(script->events->updated(thing("x", "1"), thing("x", "2")));
  let_pass(1s);
  ASSERT_TRUE(script->events->deleted(thing("x", "2")));
  let_pass(1s);
  EXPECT_THAT(told, ElementsAre("add x=1", "created x=1", "add x=1", "update x=1>2", "updated x=2", "delete x=2",
                                "deleted x=2"));
  EXPECT_EQ(controller->waiting(), 0U);
}

TEST_F(OwnInformerTest, WhatItSawBeforeTheStartIsToldAndMerged) {
  controller->add_watcher(watcher(), "Thing");
  controller->add_informer(script, "Thing");
  Manager manager{
      {.name = "test-operator", .log_sink = log, .runtime = &simulation.runtime(), .transport = simulation.connect()}};
  controller->add_to(manager);
  ASSERT_TRUE(script->events->added(thing("x", "1")));
  ASSERT_TRUE(script->events->updated(thing("x", "1"), thing("x", "2")));
  ASSERT_TRUE(script->events->added(thing("y", "1")));
  ASSERT_TRUE(script->events->deleted(thing("y", "1")));
  ASSERT_TRUE(script->events->added(thing("y", "2")));
  ASSERT_TRUE(manager.start());
  let_pass(1s);
  EXPECT_THAT(told, ::testing::UnorderedElementsAre("add x=2", "delete y=1", "add y=2"));
  manager.stop();
}

// T4-03 K
TEST_F(OwnInformerTest, AnObjectThatIsNoneIsRefusedAndNobodyIsTold) {
  controller->add_watcher(watcher(), "Thing");
  run_script();
  for (const Result<void>& refused :
       {script->events->added({}), script->events->updated(thing("x", "1"), {}), script->events->deleted({})}) {
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message, "object cannot be nil");
    EXPECT_EQ(refused.error().to_string(), nil_object().to_string());
  }
  let_pass(1min);
  EXPECT_THAT(told, IsEmpty());
}

TEST_F(OwnInformerTest, OneThatFailsIsRunAgainAfterAMinute) {
  script->fails_first = true;
  run_script();
  let_pass(10s);
  EXPECT_EQ(script->runs, 1);
  EXPECT_TRUE(log->has("no connection"));
  let_pass(1min);
  EXPECT_EQ(script->runs, 2);
}

// T4-36 F: in the original an update without a version option read the current one and overwrote what it had not seen.
TEST_F(InformerControllerTest, AnUpdateIsOfTheVersionThatWasReadUnlessItIsTheNewest) {
  create(note("x"));
  const auto read = simulation.user().get<Note>({"default", "x"});
  ASSERT_TRUE(read);
  set_text("x", "theirs");
  Note mine = *read;
  mine.spec.text = "mine";
  const auto refused = simulation.user().update(*read, mine);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::conflict);
  EXPECT_EQ(text_of(stored("x")), "theirs");
}

}  // namespace
}  // namespace pintle::watcher
