// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/watcher/opinionated_reconciler.hpp>

#include <gmock/gmock.h>

#include "opinionated_test_support.hpp"

namespace pintle::watcher {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Action = ReconcileAction;

class OpinionatedReconcilerTest : public OpinionatedTest {
 protected:
  OpinionatedReconciler opinionated(OpinionatedReconcilerOptions options = {}) {
    return OpinionatedReconciler(ours, inner(), options);
  }
  std::shared_ptr<Reconciler> inner() {
    return std::make_shared<SimpleReconciler>([this](const ReconcileRequest& request, Context&) {
      calls.push_back(std::string(to_string(request.action)) + " " + text_of(request.object));
      if (!results.empty()) {
        ReconcileResult result = results.front();
        results.erase(results.begin());
        return result;
      }
      return ReconcileResult();
    });
  }
  ReconcileResult call(Action action, const Object& object, State state = {}) {
    ReconcileResult result;
    auto reconciler = opinionated();
    play([&](Context& context) {
      if (refused_patches != 0) refuse_patches(refused_patches);
      result = reconciler.reconcile({.action = action, .object = object, .state = std::move(state)}, context);
    });
    return result;
  }

  const OpinionatedReconcilerOptions with_wip{.policy = FinalizerPolicy::wip_then_real};
  std::vector<ReconcileResult> results;
  std::uint64_t refused_patches = 0;
};

// An object that has the finalizer at the start is delivered as resynced (T4-22).
TEST_F(OpinionatedReconcilerTest, AKnownObjectIsResyncedAtStart) {
  const auto result = call(Action::created, make({ours}));
  EXPECT_FALSE(result.error);
  EXPECT_THAT(calls, ElementsAre("resynced 1"));
  EXPECT_EQ(patches, 0);
}

// A new object is delivered as created, and then gets the finalizer (T4-22).
TEST_F(OpinionatedReconcilerTest, ANewObjectIsCreatedAndThenGetsTheFinalizer) {
  ReconcileResult given;
  given.state = State{{"k", 1}};
  results = {given};
  const auto result = call(Action::created, make({theirs}));
  EXPECT_TRUE(result.state->contains("k")) << "the result comes from the reconciler";
  EXPECT_THAT(calls, ElementsAre("created 1"));
  EXPECT_THAT(finalizers_of("x"), ElementsAre(theirs, ours));
}

// The finalizer is added only after a success (T4-22).
TEST_F(OpinionatedReconcilerTest, NoFinalizerIsAddedBeforeASuccess) {
  const Object object = make();
  results = {failed(outage("no luck")), requeue_after(5s)};
  EXPECT_EQ(call(Action::created, object).error->message, "no luck");
  EXPECT_EQ(call(Action::created, object).requeue_after, 5s);
  EXPECT_EQ(patches, 0);
}

// If only the patch fails, only the patch is retried (T4-22).
TEST_F(OpinionatedReconcilerTest, OnlyAFailedPatchIsRetried) {
  const Object object = make();
  ReconcileResult given;
  given.state = State{{"k", 1}};
  results = {given};
  refused_patches = 1;
  const auto result = call(Action::created, object);
  ASSERT_TRUE(result.error);
  EXPECT_THAT(result.error->to_string(), HasSubstr("error adding finalizer"));
  EXPECT_TRUE(result.state->contains("k"));
  EXPECT_TRUE(result.state->contains(create_patch_state));
  refused_patches = 0;
  EXPECT_FALSE(call(Action::created, object, *result.state).error);
  EXPECT_THAT(calls, ElementsAre("created 1"));
  EXPECT_THAT(finalizers_of("x"), ElementsAre(ours));
}

// An update is passed on unchanged (T4-22).
TEST_F(OpinionatedReconcilerTest, AnUpdateIsPassedOnUnchanged) {
  EXPECT_FALSE(call(Action::updated, make({ours})).error);
  EXPECT_THAT(calls, ElementsAre("updated 1"));
  EXPECT_EQ(patches, 0);
}

// An update of a handled object without the finalizer only adds the finalizer (T4-22).
TEST_F(OpinionatedReconcilerTest, AnUpdateWithoutTheFinalizerOnlyAddsIt) {
  EXPECT_FALSE(call(Action::updated, make()).error);
  EXPECT_THAT(calls, IsEmpty());
  EXPECT_THAT(finalizers_of("x"), ElementsAre(ours));
}

// The original removed the finalizer before any handler had received the deletion (T4-23).
TEST_F(OpinionatedReconcilerTest, ADeletingObjectIsCleanedUpOnceAndThenReleased) {
  for (const Action action : {Action::updated, Action::created, Action::resynced}) {
    calls.clear();
    EXPECT_FALSE(call(action, make_deleting({ours, theirs})).error);
    EXPECT_THAT(calls, ElementsAre("deleted 1"));
    EXPECT_THAT(finalizers_of("x"), ElementsAre(theirs));
    set_finalizers({});
  }
}

// If the clean-up fails, the finalizer stays (T4-23).
TEST_F(OpinionatedReconcilerTest, AFailedDeletionKeepsTheFinalizer) {
  const Object object = make_deleting({ours});
  results = {failed(outage("no luck")), requeue_after(5s)};
  EXPECT_EQ(call(Action::updated, object).error->message, "no luck");
  EXPECT_EQ(call(Action::updated, object).requeue_after, 5s);
  EXPECT_EQ(patches, 0);
}

// If only the removal of the finalizer fails, only the removal is retried (T4-23).
TEST_F(OpinionatedReconcilerTest, OnlyAFailedRemovalIsRetried) {
  const Object object = make_deleting({ours});
  refused_patches = 1;
  const auto result = call(Action::updated, object);
  ASSERT_TRUE(result.error);
  EXPECT_TRUE(result.state->contains(delete_patch_state));
  refused_patches = 0;
  EXPECT_FALSE(call(Action::updated, object, *result.state).error);
  EXPECT_THAT(calls, ElementsAre("deleted 1"));
  EXPECT_FALSE(stored("x"));
}

// The original added its finalizer to objects that were being deleted, which servers reject (T4-23).
TEST_F(OpinionatedReconcilerTest, DeletionsWithoutOurFinalizerAreIgnored) {
  const Object object = make_deleting({theirs});
  for (const Action action : {Action::created, Action::updated, Action::resynced, Action::deleted}) {
    EXPECT_FALSE(call(action, object).error);
  }
  EXPECT_THAT(calls, IsEmpty());
  EXPECT_EQ(patches, 0);
}

// If the process terminates before the finalizer is removed, the deletion is delivered again (T4-23).
TEST_F(OpinionatedReconcilerTest, ACrashBeforeTheRemovalRepeatsTheDeletion) {
  make({ours});
  controller->add_reconciler(std::make_shared<OpinionatedReconciler>(ours, inner()), "Note");
  run();
  advance_time(1s);
  instance->transport().set_faults(
      {{.effect = http::Crash{}, .only = http::requests("PATCH", "/apis/test.pintle.dev"), .times = 1}});
  remove("x");
  ASSERT_TRUE(simulation.wait_until([&] { return instance->transport().is_crashed(); }));
  instance->crash();
  EXPECT_THAT(calls, ElementsAre("resynced 1", "deleted 1"));
  EXPECT_TRUE(stored("x"));

  remake({});
  controller->add_reconciler(std::make_shared<OpinionatedReconciler>(ours, inner()), "Note");
  run();
  advance_time(1s);
  EXPECT_THAT(calls, ElementsAre("resynced 1", "deleted 1", "deleted 1"));
  EXPECT_FALSE(stored("x"));
}

TEST_F(OpinionatedReconcilerTest, AnObjectDeletedBeforeItsFinalizerIsCleanedUpAtOnce) {
  const Object gone = make();
  remove("x");
  EXPECT_FALSE(call(Action::created, gone).error);
  EXPECT_THAT(calls, ElementsAre("created 1", "deleted 1"));
  calls.clear();
  const Object held = make({theirs});
  remove("x");
  EXPECT_FALSE(call(Action::created, held).error);
  EXPECT_THAT(calls, ElementsAre("created 1", "deleted 1"));
  EXPECT_THAT(finalizers_of("x"), ElementsAre(theirs));
}

TEST_F(OpinionatedReconcilerTest, AnObjectIsCreatedUpdatedAndDeleted) {
  controller->add_reconciler(std::make_shared<OpinionatedReconciler>(ours, inner()), "Note");
  run();
  create(note("x"));
  advance_time(1s);
  set_text("x", "2");
  advance_time(1s);
  remove("x");
  advance_time(1s);
  EXPECT_THAT(calls, ElementsAre("created 1", "updated 1", "updated 2", "deleted 2"));
  EXPECT_FALSE(stored("x"));
  EXPECT_EQ(controller->waiting(), 0U);
}

// The update replaces the retry. It must not add the finalizer without another call.
TEST_F(OpinionatedReconcilerTest, AnUpdateAfterAFailedCreationIsDeliveredAsCreated) {
  for (const json::Value& change :
       {json::Value{{"spec", {{"text", "2"}}}}, json::Value{{"metadata", {{"labels", {{"a", "b"}}}}}}}) {
    SCOPED_TRACE(change.as_object().contains("spec") ? "spec" : "labels");
    calls.clear();
    remake({});
    controller->add_reconciler(std::make_shared<OpinionatedReconciler>(ours, inner()), "Note");
    results = {failed(outage("no luck")), failed(outage("no luck"))};
    run();
    create(note("x"));
    advance_time(1s);
    patch("x", change);
    advance_time(1s);
    EXPECT_THAT(finalizers_of("x"), IsEmpty()) << "it has no success yet";
    advance_time(1min);
    const std::string text = text_of(stored("x"));
    EXPECT_THAT(calls, ElementsAre("created 1", "created " + text, "created " + text, "updated " + text));
    EXPECT_THAT(finalizers_of("x"), ElementsAre(ours));
    remove("x");
    advance_time(1min);
    instance.reset();
  }
}

// No call was made, because the work-in-progress finalizer could not be added. The update replaces the retry.
TEST_F(OpinionatedReconcilerTest, WithWipThenRealAnUpdateBeforeTheFirstCallIsDeliveredAsCreated) {
  for (const Duration outage : {1s, 3600s}) {
    SCOPED_TRACE(format_duration(outage));
    calls.clear();
    patches = 0;
    remake({});
    controller->add_reconciler(std::make_shared<OpinionatedReconciler>(ours, inner(), with_wip), "Note");
    run();
    const auto is_ours = [this](const http::Request& request) {
      if (request.method != "PATCH" || request.target.find("/notes/x") == std::string::npos) return false;
      ++patches;
      return true;
    };
    instance->transport().set_faults({{.effect = http::ErrorResponse{.status = 500}, .only = is_ours}});
    create(note("x"));
    advance_time(1s);
    set_text("x", "2");
    advance_time(outage);
    EXPECT_THAT(calls, IsEmpty()) << "the object is not protected yet";
    EXPECT_GE(patches, 2);
    EXPECT_LE(patches, 2 * 7) << "each event has at most six retries";
    instance->transport().set_faults({});
    set_text("x", "3");
    advance_time(1min);
    EXPECT_THAT(calls, ElementsAre("created 3", "updated 3"));
    EXPECT_THAT(finalizers_of("x"), ElementsAre(ours));
    remove("x");
    advance_time(1min);
    EXPECT_EQ(calls.back(), "deleted 3");
    EXPECT_FALSE(stored("x"));
    instance.reset();
  }
}

TEST_F(OpinionatedReconcilerTest, WithWipThenRealAnObjectThatLosesItsFinalizerIsNotCreatedAgain) {
  controller->add_reconciler(std::make_shared<OpinionatedReconciler>(ours, inner(), with_wip), "Note");
  run();
  create(note("x"));
  advance_time(1min);
  calls.clear();
  set_finalizers({});
  advance_time(1min);
  EXPECT_THAT(calls, ElementsAre("updated 1")) << "the event of the finalizer";
  EXPECT_THAT(finalizers_of("x"), ElementsAre(ours));
}

// The reconciler was never called for the object, so there is nothing to clean up.
TEST_F(OpinionatedReconcilerTest, WithWipThenRealADeletionBeforeTheFirstCallIsNotDelivered) {
  for (const bool is_held : {false, true}) {
    SCOPED_TRACE(is_held);
    remake({});
    controller->add_reconciler(std::make_shared<OpinionatedReconciler>(ours, inner(), with_wip), "Note");
    run();
    refuse_patches(1, {.status = 500});
    make(is_held ? std::vector<std::string>{theirs} : std::vector<std::string>{});
    advance_time(1s);
    remove("x");
    advance_time(1min);
    if (is_held) set_finalizers({});
    advance_time(1min);
    EXPECT_THAT(calls, IsEmpty());
    EXPECT_FALSE(stored("x"));
    EXPECT_EQ(controller->waiting(), 0U);
    instance.reset();
  }
}

TEST_F(OpinionatedReconcilerTest, AnAbandonedCreationIsRepeatedByTheNextUpdate) {
  remake({.retry_policy = {}});
  controller->add_reconciler(std::make_shared<OpinionatedReconciler>(ours, inner()), "Note");
  results = {failed(outage("no luck"))};
  run();
  create(note("x"));
  advance_time(1h);
  EXPECT_THAT(calls, ElementsAre("created 1"));
  set_text("x", "2");
  advance_time(1h);
  EXPECT_THAT(calls, ElementsAre("created 1", "created 2", "updated 2"));
}

// The creation succeeded, and only the finalizer was missing.
TEST_F(OpinionatedReconcilerTest, AnUpdateDoesNotRepeatASuccessfulCreation) {
  controller->add_reconciler(std::make_shared<OpinionatedReconciler>(ours, inner()), "Note");
  run();
  instance->transport().set_faults(
      {{.effect = http::ErrorResponse{.status = 500}, .only = http::requests("PATCH", "/apis/test"), .times = 1}});
  create(note("x"));
  advance_time(1s);
  EXPECT_THAT(finalizers_of("x"), IsEmpty());
  set_text("x", "2");
  advance_time(1min);
  EXPECT_THAT(calls, ElementsAre("created 1", "updated 2"));
  EXPECT_THAT(finalizers_of("x"), ElementsAre(ours));
}

// The resync of an object whose creation never succeeded is delivered as its creation (B4).
TEST_F(OpinionatedReconcilerTest, AResyncWithoutTheFinalizerIsACreation) {
  EXPECT_FALSE(call(Action::resynced, make()).error);
  EXPECT_THAT(calls, ElementsAre("created 1"));
  EXPECT_THAT(finalizers_of("x"), ElementsAre(ours));
}

TEST_F(OpinionatedReconcilerTest, WithWipThenRealADeletionDuringCreationIsDelivered) {
  const auto never_created =
      std::make_shared<SimpleReconciler>([this](const ReconcileRequest& request, Context&) -> ReconcileResult {
        calls.push_back(std::string(to_string(request.action)) + " " + text_of(request.object));
        if (request.action == Action::created) return requeue_after(1h);
        return done;
      });
  controller->add_reconciler(
      std::make_shared<OpinionatedReconciler>(ours, never_created,
                                              OpinionatedReconcilerOptions{.policy = FinalizerPolicy::wip_then_real}),
      "Note");
  run();
  create(note("x"));
  advance_time(1s);
  EXPECT_THAT(finalizers_of("x"), ElementsAre(ours + "-wip"));
  remove("x");
  advance_time(1s);
  EXPECT_EQ(calls.back(), "deleted 1");
  EXPECT_FALSE(stored("x"));
}

TEST_F(OpinionatedReconcilerTest, WithoutAReconcilerItOnlyHandlesTheFinalizer) {
  OpinionatedReconciler alone(ours);
  EXPECT_TRUE(alone.check());
  EXPECT_EQ(OpinionatedReconciler("").check().error().message, "finalizer cannot be empty");
  const Object object = make();
  play([&](Context& context) {
    EXPECT_FALSE(alone.reconcile({.action = Action::created, .object = object}, context).error);
    EXPECT_EQ(alone.reconcile({.action = Action::created}, context).error->message, "object cannot be nil");
    alone.wrap(inner());
    EXPECT_FALSE(alone.reconcile({.action = Action::updated, .object = stored("x")}, context).error);
  });
  EXPECT_THAT(calls, ElementsAre("updated 1"));
}

}  // namespace
}  // namespace pintle::watcher
