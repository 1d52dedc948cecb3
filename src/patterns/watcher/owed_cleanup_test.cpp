// SPDX-License-Identifier: Apache-2.0
// The clean-up for objects that disappear before they have the finalizer of an Opinionated handler.
#include <set>

#include <gmock/gmock.h>

#include "opinionated_test_support.hpp"

namespace pintle::watcher {
namespace {

constexpr int always = 1'000'000;

// Each test runs with an OpinionatedWatcher and with an OpinionatedReconciler. `added` creates a resource outside the
// cluster, even if it fails, and takes some time; `deleted` removes this resource.
class OwedCleanup : public OpinionatedTest, public ::testing::WithParamInterface<const char*> {
 protected:
  void add_handler(FinalizerPolicy policy = FinalizerPolicy::add_after_success) {
    const auto add = [this](const Object& object, Context&) { return on_added(object); };
    const auto clean = [this](const Object& object, Context&) { return on_deleted(object); };
    if (std::string_view(GetParam()) == "watcher") {
      controller->add_watcher(std::make_shared<OpinionatedWatcher>(
                                  GroupVersionKind(Note::type),
                                  OpinionatedFunctions{.added = add,
                                                       .updated =
                                                           [this](const Object&, const Object& o, Context&) {
                                                             text_handled = text_of(o);
                                                             return done;
                                                           },
                                                       .deleted = clean},
                                  OpinionatedWatcherOptions{.policy = policy}),
                              "Note");
      return;
    }
    const auto inner = std::make_shared<SimpleReconciler>(
        [this, add, clean](const ReconcileRequest& request, Context& context) -> ReconcileResult {
          if (request.action == ReconcileAction::created) return add(request.object, context);
          if (request.action == ReconcileAction::deleted) return clean(request.object, context);
          text_handled = text_of(request.object);
          return done;
        });
    controller->add_reconciler(
        std::make_shared<OpinionatedReconciler>(ours, inner, OpinionatedReconcilerOptions{.policy = policy}), "Note");
  }
  void run_with_handler(FinalizerPolicy policy = FinalizerPolicy::add_after_success) {
    add_handler(policy);
    run();
  }
  // The object is deleted while `added` runs.
  void create_and_remove_during_added(const std::vector<std::string>& finalizers = {}) {
    Note made = note("x");
    made.metadata.finalizers = finalizers;
    create(made);
    advance_time(1s);
    ASSERT_EQ(adds, 1);
    remove("x");
  }
  Outcome on_added(const Object& object) {
    ++adds;
    things.insert(std::string(object.uid()));
    text_handled = text_of(object);
    simulation.executor().sleep_for(2s);
    if (adds <= failing_adds) return failed(outage("added"));
    return done;
  }
  Outcome on_deleted(const Object& object) {
    ++cleanups;
    if (cleanups <= failing_cleanups) return failed(is_terminal ? outage("deleted").terminal() : outage("deleted"));
    ++cleaned;
    things.erase(std::string(object.uid()));
    return done;
  }

  int failing_adds = 0;
  int failing_cleanups = 0;
  bool is_terminal = false;
  int adds = 0;
  int cleanups = 0;
  int cleaned = 0;
  std::string text_handled;
  std::set<std::string> things;
};

TEST_P(OwedCleanup, IsRetriedUntilItSucceedsOnce) {
  for (const int failures : {0, 1, 2, 5, 20}) {
    SCOPED_TRACE(failures);
    remake({});
    adds = cleanups = cleaned = 0;
    failing_cleanups = failures;
    run_with_handler();
    create_and_remove_during_added();
    advance_time(3h);
    EXPECT_THAT(things, ::testing::IsEmpty());
    EXPECT_EQ(adds, 1);
    EXPECT_EQ(cleanups, failures + 1);
    EXPECT_EQ(cleaned, 1);
    EXPECT_EQ(controller->waiting(), 0U);
    instance.reset();
  }
}

TEST_P(OwedCleanup, IsRetriedAFewTimesAnHourWhileItFails) {
  failing_cleanups = always;
  run_with_handler();
  create_and_remove_during_added();
  advance_time(1h);
  EXPECT_GE(cleanups, 10) << "the clean-up is retried after the retry policy has ended";
  EXPECT_LE(cleanups, 20);
  EXPECT_EQ(adds, 1);
  cleanups = 0;
  advance_time(5h);
  EXPECT_LE(cleanups, 5 * 12);
  failing_cleanups = 0;
  advance_time(10min);
  EXPECT_EQ(cleaned, 1);
  EXPECT_EQ(controller->waiting(), 0U);
}

TEST_P(OwedCleanup, IsNotRetriedMoreOftenByAResync) {
  resync = 30s;
  failing_cleanups = always;
  run_with_handler();
  create_and_remove_during_added();
  advance_time(1h);
  EXPECT_GE(cleanups, 10);
  EXPECT_LE(cleanups, 20);
}

TEST_P(OwedCleanup, ContinuesWithoutARetryPolicy) {
  remake({.retry_policy = {}});
  failing_cleanups = 4;
  run_with_handler();
  create_and_remove_during_added();
  advance_time(1h);
  EXPECT_EQ(cleaned, 1);
  EXPECT_EQ(cleanups, 5);
}

TEST_P(OwedCleanup, IsGivenUpAfterATerminalError) {
  failing_cleanups = always;
  is_terminal = true;
  run_with_handler();
  create_and_remove_during_added();
  advance_time(5h);
  EXPECT_LE(cleanups, 2) << "one when the object is found missing, one for its deletion";
  EXPECT_EQ(controller->waiting(), 0U);
}

TEST_P(OwedCleanup, FollowsAnAddThatFailsAfterTheDeletion) {
  failing_adds = always;
  failing_cleanups = 1;
  run_with_handler();
  create_and_remove_during_added();
  advance_time(1h);
  EXPECT_THAT(things, ::testing::IsEmpty());
  EXPECT_EQ(adds, 1);
  EXPECT_EQ(cleanups, 2);
  EXPECT_EQ(cleaned, 1);
}

TEST_P(OwedCleanup, FollowsAnAddThatFailedBeforeTheDeletion) {
  failing_adds = always;
  failing_cleanups = 1;
  run_with_handler();
  create(note("x"));
  advance_time(4s);
  ASSERT_EQ(adds, 1);
  remove("x");
  advance_time(1h);
  EXPECT_THAT(things, ::testing::IsEmpty());
  EXPECT_EQ(adds, 1);
  EXPECT_EQ(cleaned, 1);
}

// The retry finds that the object is gone before the event of its deletion has arrived.
TEST_P(OwedCleanup, DoesNotRepeatAnAddBeforeTheDeletionEvent) {
  failing_cleanups = 1;
  create(note("w"));
  const auto stalled = [](const http::Request& request) {
    return http::is_watch(request) && request.target.find("/notes") != std::string::npos;
  };
  add_handler();
  controller->add_informer(KubernetesBasedInformer::of<Note>({.resync = 0s}), "Note");
  start();
  advance_time(5s);
  ASSERT_EQ(adds, 1);
  adds = 0;
  instance->transport().set_faults({{.effect = http::Drop{}, .only = stalled}});
  advance_time(30min);  // the watch of the operator has ended, and the next one follows a list
  create(note("y"));
  instance->transport().set_faults({{.effect = http::StallEvents{.nth = 1, .duration = 1min}, .only = stalled}});
  ASSERT_TRUE(simulation.wait_until([&] { return adds == 1; }));
  advance_time(1s);
  remove("y");
  advance_time(20s);
  EXPECT_EQ(cleaned, 1);
  advance_time(1h);
  EXPECT_EQ(adds, 1);
  EXPECT_EQ(cleanups, 2);
  EXPECT_EQ(cleaned, 1);
  EXPECT_EQ(things.size(), 1U) << "the external object of the remaining object";
}

// The finalizer of another owner delays the deletion of the object, and ours cannot be added any more.
TEST_P(OwedCleanup, RunsOnceWhileAForeignFinalizerKeepsTheObject) {
  for (const int failures : {0, 1, 3}) {
    SCOPED_TRACE(failures);
    remake({});
    adds = cleanups = cleaned = 0;
    failing_cleanups = failures;
    run_with_handler();
    create_and_remove_during_added({theirs});
    advance_time(1min);
    EXPECT_EQ(cleaned, 1);
    EXPECT_EQ(cleanups, failures + 1);
    patch("x", {{"metadata", {{"labels", {{"a", "b"}}}}}});
    advance_time(1min);
    set_finalizers({});
    advance_time(1h);
    EXPECT_FALSE(stored("x"));
    EXPECT_EQ(adds, 1);
    EXPECT_EQ(cleanups, failures + 1);
    EXPECT_THAT(things, ::testing::IsEmpty());
    instance.reset();
  }
}

TEST_P(OwedCleanup, IsNotRepeatedWhenOnlyTheRemovalOfTheFinalizerFails) {
  run_with_handler();
  create(note("x"));
  advance_time(1min);
  ASSERT_THAT(finalizers_of("x"), ::testing::ElementsAre(ours));
  instance->transport().set_faults(
      {{.effect = http::ErrorResponse{.status = 500}, .only = http::requests("PATCH", "/apis/test"), .times = 2}});
  remove("x");
  advance_time(1h);
  EXPECT_FALSE(stored("x"));
  EXPECT_EQ(cleanups, 1);
}

// With wip_then_real, the object has a finalizer before the first call, so a new process can detect the pending work.
TEST_P(OwedCleanup, SurvivesACrashWithWipThenReal) {
  failing_cleanups = 3;
  run_with_handler(FinalizerPolicy::wip_then_real);
  create(note("x"));
  advance_time(1s);
  ASSERT_EQ(adds, 1);
  instance->crash();
  remove("x");
  instance.reset();
  remake({});
  run_with_handler(FinalizerPolicy::wip_then_real);
  advance_time(1h);
  EXPECT_THAT(things, ::testing::IsEmpty());
  EXPECT_EQ(cleaned, 1);
  EXPECT_EQ(adds, 1);
  EXPECT_FALSE(stored("x"));
}

// Without wip_then_real, the next process adds an existing object again, and so cleans up when the object is deleted.
TEST_P(OwedCleanup, OfAnExistingObjectSurvivesACrash) {
  failing_cleanups = 1;
  run_with_handler();
  create(note("x"));
  advance_time(1s);
  instance->crash();
  instance.reset();
  remake({});
  run_with_handler();
  advance_time(1s);
  ASSERT_EQ(adds, 2);
  remove("x");
  advance_time(1h);
  EXPECT_THAT(things, ::testing::IsEmpty());
  EXPECT_EQ(cleaned, 1);
}

TEST_P(OwedCleanup, OfOneObjectIsNotThatOfItsSuccessor) {
  failing_cleanups = 3;
  run_with_handler();
  create_and_remove_during_added();
  create(note("x", "2"));
  advance_time(1h);
  EXPECT_EQ(cleaned, 1);
  EXPECT_EQ(adds, 2);
  EXPECT_EQ(things, std::set<std::string>{std::string(stored("x").uid())});
}

// ---- changes of an object while `added` runs, without a deletion ----

TEST_P(OwedCleanup, AMetadataChangeDuringAddedDoesNotRepeatIt) {
  run_with_handler();
  create(note("x"));
  advance_time(1s);
  patch("x", {{"metadata", {{"labels", {{"a", "b"}}}}}});
  advance_time(1h);
  EXPECT_EQ(adds, 1);
  EXPECT_THAT(finalizers_of("x"), ::testing::ElementsAre(ours));
}

TEST_P(OwedCleanup, AChangeOfTheSpecDuringAddedIsNotLost) {
  for (const Duration at : {500ms, 1500ms, 2000ms, 2001ms}) {
    SCOPED_TRACE(format_duration(at));
    remake({});
    adds = 0;
    run_with_handler();
    create(note("x"));
    advance_time(at);
    set_text("x", "2");
    advance_time(1h);
    EXPECT_EQ(text_handled, "2");
    EXPECT_LE(adds, 2);
    remove("x");
    advance_time(1min);
    EXPECT_FALSE(stored("x"));
    instance.reset();
  }
}

// ---- a finalizer that another client adds before `added` has succeeded ----

// Such a client is, for example, another handler with the same finalizer in another InformerController.
TEST_P(OwedCleanup, AFinalizerOfAnotherClientDoesNotReplaceAFailedAdd) {
  for (const RetryDequeuePolicy& policy :
       {RetryDequeuePolicy(), RetryDequeuePolicy(opinionated_retry_dequeue_policy)}) {
    for (const int failures : {1, 2, always}) {
      SCOPED_TRACE(std::string(policy ? "opinionated" : "default") + " policy, " + std::to_string(failures));
      remake({.retry_dequeue_policy = policy});
      adds = cleanups = cleaned = 0;
      failing_adds = failures;
      run_with_handler();
      create(note("x"));
      advance_time(3s);
      ASSERT_EQ(adds, 1);
      set_finalizers({ours});
      advance_time(1h);
      EXPECT_GE(adds, failures == always ? 1 + 6 : failures + 1) << "the policy has six retries";
      EXPECT_LE(adds, failures == always ? 1 + 2 * 6 : failures + 1) << "for `created` and for the update";
      remove("x");
      advance_time(1min);
      EXPECT_FALSE(stored("x"));
      EXPECT_EQ(cleaned, 1);
      EXPECT_THAT(things, ::testing::IsEmpty());
      EXPECT_EQ(controller->waiting(), 0U);
      instance.reset();
    }
  }
}

// The first call waits for the work-in-progress finalizer, which could not be added.
TEST_P(OwedCleanup, AFinalizerOfAnotherClientDoesNotReplaceAnAddThatIsDue) {
  run_with_handler(FinalizerPolicy::wip_then_real);
  refuse_patches(1, {.status = 500});
  create(note("x"));
  advance_time(1s);
  ASSERT_EQ(adds, 0);
  set_finalizers({ours});
  advance_time(1h);
  EXPECT_EQ(adds, 1);
  EXPECT_THAT(finalizers_of("x"), ::testing::ElementsAre(ours));
  remove("x");
  advance_time(1min);
  EXPECT_FALSE(stored("x"));
  EXPECT_EQ(cleaned, 1);
}

INSTANTIATE_TEST_SUITE_P(Opinionated, OwedCleanup, ::testing::Values("watcher", "reconciler"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace pintle::watcher
