// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "test_support.hpp"

namespace pintle::phased {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Phases run one after the other (T1-30).
TEST_F(PhasedReconcilerTest, PhasesRunOneAfterTheOther) {
  b->needed = {.need_create = true};
  run_over_one();
  EXPECT_THAT(script.calls, ElementsAre("configure", "read", "A.configure", "A.read", "A.diff", "A.on_success",
                                        "B.configure", "B.read", "B.diff", "B.create", "B.on_success", "C.configure",
                                        "C.read", "C.diff", "C.on_success", "on_success"));
  EXPECT_TRUE(outcomes.front().is_done());
}

// If a step of a phase requeues, the reconcile ends (T1-31).
TEST_F(PhasedReconcilerTest, APhaseThatRequeuesEndsTheReconcile) {
  for (const std::string step : {"configure", "read", "diff", "create", "on_success"}) {
    script.calls.clear();
    outcomes.clear();
    b->needed = {.need_create = true};
    script.on = {{"B." + step, waiting(2s)}};
    run_over_one();
    EXPECT_EQ(delay_of(outcomes.front()), 2s) << step;
    EXPECT_EQ(script.calls.back(), "B." + step);
    instance.reset();
    erase("x");
  }
}

// After a handled error, the next phase runs (T1-32).
TEST_F(PhasedReconcilerTest, AfterAHandledErrorThePhasesContinue) {
  b->needed = {.need_create = true};
  script.on["B.create"] = failing("no room");
  script.verdicts["B"] = [](const Error&) -> ErrorDecision { return handled_continue; };
  run_over_one();
  EXPECT_THAT(script.errors, ElementsAre("B.on_error: no room"));
  EXPECT_THAT(script.calls, Contains("C.on_success"));
  EXPECT_EQ(script.calls.back(), "on_success");
  EXPECT_TRUE(outcomes.front().is_done());
}

// The hook decides whether the next phase runs (B9).
TEST_F(PhasedReconcilerTest, AHandledErrorCanEndTheReconcile) {
  script.on["B.read"] = failing("no room");
  script.verdicts["B"] = [](const Error&) { return handled_stop(); };
  run_over_one();
  EXPECT_EQ(script.calls.back(), "B.read");
  EXPECT_TRUE(outcomes.front().is_done());
  EXPECT_THAT(script.errors, ElementsAre("B.on_error: no room"));
}

// An error that a phase propagates is passed to the error hook of the K8sReconciler (T1-33).
TEST_F(PhasedReconcilerTest, AnErrorThatAPhasePropagatesReachesTheParent) {
  script.on["B.read"] = failing("no room");
  script.verdicts["B"] = [](const Error&) { return propagate(make_error(ErrorCode::invalid, "the disk is full")); };
  script.verdicts["parent"] = [](const Error&) { return propagate(make_error(ErrorCode::invalid, "of the parent")); };
  run_over_one();
  EXPECT_THAT(script.errors, ElementsAre("B.on_error: no room", "on_error: Error when run phase B: the disk is full"));
  EXPECT_EQ(outcomes.front().as_failed()->message, "of the parent");
  EXPECT_EQ(script.calls.back(), "B.read");
}

// The error hook of the K8sReconciler determines the outcome (T1-34).
TEST_F(PhasedReconcilerTest, TheHookOfTheParentDeterminesTheOutcome) {
  script.on["B.read"] = failing("no room");
  script.verdicts["parent"] = [](const Error&) { return handled_stop(requeue_after(10s)); };
  run(with().controller());
  create("x");
  const Instant begun = simulation.executor().now();
  ASSERT_TRUE(simulation.wait_until([this] { return outcomes.size() == 4; }));
  EXPECT_EQ(delay_of(outcomes.front()), 10s);
  EXPECT_EQ(std::chrono::round<std::chrono::seconds>(simulation.executor().now() - begun), 30s) << "no back-off";
  EXPECT_EQ(reconciles("error"), 0);
}

// If the diff requires all three, create, update and remove are called in this order (T1-35).
TEST_F(PhasedReconcilerTest, ADiffWithAllThreeCreatesUpdatesAndDeletes) {
  b->needed = {.need_create = true, .need_update = true, .need_delete = true, .diff = "a lot"};
  script.on["B.update"] = [](Context&) -> Outcome { return done; };
  run_over_one();
  const auto first = std::find(script.calls.begin(), script.calls.end(), "B.diff");
  EXPECT_THAT((Calls{first, first + 5}), ElementsAre("B.diff", "B.create", "B.update", "B.remove", "B.on_success"));
  EXPECT_TRUE(b->last_diff.need_create && b->last_diff.need_update && b->last_diff.need_delete);
  EXPECT_EQ(b->last_diff.diff, "a lot and more");
}

TEST_F(PhasedReconcilerTest, TheShortestDelayOfTheStepsIsKept) {
  b->needed = {.need_create = true, .need_update = true, .need_delete = true};
  script.on = {{"B.create", waiting(9s)}, {"B.update", waiting(5s)}};
  run_over_one();
  EXPECT_EQ(delay_of(outcomes.front()), 5s);
  EXPECT_EQ(script.calls.back(), "B.remove");
}

TEST_F(PhasedReconcilerTest, AFailedStepEndsThePhase) {
  b->needed = {.need_create = true, .need_update = true, .need_delete = true};
  script.on["B.create"] = failing("no room");
  run_over_one();
  EXPECT_EQ(script.calls.back(), "B.create");
  b->needed.need_create = false;
  script.on["B.update"] = failing("no room");
  touch("x");
  ASSERT_TRUE(simulation.wait_until([this] { return outcomes.size() == 2; }));
  EXPECT_EQ(script.calls.back(), "B.update");
}

// A deletion calls remove() and then removes the finalizer, without the phases (T1-36).
TEST_F(PhasedReconcilerTest, ADeletionCallsRemoveWithoutThePhases) {
  run_over_one(with(finalizer).controller());
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(events(), ElementsAre("Normal Added Object finalizer is added"));
  script.calls.clear();
  erase("x");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(script.calls, ElementsAre("configure", "read", "remove"));
  EXPECT_FALSE(stored("x"));
}

TEST_F(PhasedReconcilerTest, WithoutAFinalizerADeletionCallsNoPhase) {
  run(with().controller());
  create("x", {"test.pintle.dev/of-others"});
  ASSERT_TRUE(simulation.run_until_idle());
  script.calls.clear();
  erase("x");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(script.calls, ElementsAre("configure", "read"));
}

TEST_F(PhasedReconcilerTest, AFailedRemovalIsReportedAndKeepsTheFinalizer) {
  run_over_one(with(finalizer).controller());
  script.on["remove"] = failing("still mounted");
  erase("x");
  ASSERT_TRUE(simulation.wait_until([this] { return reconciles("error") == 1 && events().size() == 2; }));
  EXPECT_THAT(events(), Contains("Warning Failed Failed to delete resource: still mounted"));
  EXPECT_THAT(script.errors, Contains("on_error: still mounted"));
  EXPECT_TRUE(stored("x"));
}

TEST_F(PhasedReconcilerTest, AFailureToAddTheFinalizerCallsTheHookOfTheParent) {
  script.verdicts["parent"] = [](const Error&) { return handled_stop(requeue_after(1h)); };
  run(with(finalizer).controller());
  set_faults({{.effect = http::ErrorResponse{.status = 403, .reason = "Forbidden"}, .only = is_object_write}});
  create("x");
  ASSERT_TRUE(simulation.wait_until([this] { return !events().empty(); }));
  EXPECT_THAT(script.errors, ElementsAre(HasSubstr("on_error: add finalizer test.pintle.dev/cleanup")));
  EXPECT_EQ(reconciles("requeue_after"), 1);
  EXPECT_THAT(script.calls, IsEmpty());
}

// Each phase and each reconcile has its own data (T1-37).
TEST_F(PhasedReconcilerTest, EachPhaseAndEachReconcileHaveSeparateData) {
  run_over_one();
  touch("x");
  ASSERT_TRUE(simulation.wait_until([this] { return outcomes.size() == 2; }));
  EXPECT_THAT(script.leftovers, IsEmpty());
}

// If read() requeues, the removal is deferred (T1-38).
TEST_F(PhasedReconcilerTest, AReadThatRequeuesDefersTheRemoval) {
  run_over_one(with(finalizer).controller());
  script.calls.clear();
  script.on["read"] = waiting(5s);
  erase("x");
  ASSERT_TRUE(simulation.wait_until([this] { return delay_of(outcomes.back()) == 5s; }));
  EXPECT_THAT(script.calls, ElementsAre("configure", "read"));
  EXPECT_TRUE(stored("x"));
  script.on.clear();
  ASSERT_TRUE(simulation.wait_until([this] { return !stored("x"); }, 6s));
}

// In the original, each reconcile began with a delay of one second (T1-39).
TEST_F(PhasedReconcilerTest, AReconcileBeginsWithoutADelay) {
  Duration from_change{};
  script.on["on_success"] = [&](Context& context) -> Outcome {
    from_change = context.executor().now() - context.causes().front().enqueued_at;
    return done;
  };
  run_over_one();
  EXPECT_EQ(script.calls.back(), "on_success");
  EXPECT_LT(from_change, 50ms);
}

// In the original, on_success could not change the text of a diff, and the process crashed (T1-40).
TEST_F(PhasedReconcilerTest, OnSuccessMayChangeTheDiff) {
  b->needed = {.need_update = true, .diff = "size: 1 -> 2"};
  run_over_one();
  EXPECT_EQ(b->last_diff.diff, "size: 1 -> 2 and more");
  EXPECT_EQ(b->needed.diff, "size: 1 -> 2");
}

TEST_F(PhasedReconcilerTest, AnErrorOfTheParentCallsItsHookOnce) {
  for (const std::string step : {"configure", "read", "on_success"}) {
    script.errors.clear();
    outcomes.clear();
    script.on = {{step, failing(step + " broke")}};
    run_over_one();
    EXPECT_THAT(script.errors, ElementsAre("on_error: " + step + " broke"));
    EXPECT_EQ(outcomes.front().as_failed()->message, step + " broke");
    instance.reset();
    erase("x");
  }
}

TEST_F(PhasedReconcilerTest, ReportsPhasesIfEnabled) {
  auto reconciler = with();
  reconciler.reports_ready = true;
  script.on["B.read"] = [is_first = true](Context&) mutable -> Outcome {
    if (std::exchange(is_first, false)) return fail(ErrorCode::unavailable, "no room");
    return done;
  };
  script.on["A.read"] = [this](Context&) -> Outcome {
    if (outcomes.size() != 1) return done;
    EXPECT_EQ(stored("x")["/status/phase"], "B");
    EXPECT_EQ(stored("x")["/status/lastErrorMessage"], "Error when run phase B: no room");
    EXPECT_TRUE(is_condition_true(stored("x"), "A"));
    EXPECT_FALSE(is_condition_true(stored("x"), "B"));
    return done;
  };
  run(reconciler.controller());
  create("x");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(stored("x")["/status/phase"], "running");
  for (const char* type : {"A", "B", "C", "Ready"}) EXPECT_TRUE(is_condition_true(stored("x"), type)) << type;
  EXPECT_THAT(events(),
              ::testing::UnorderedElementsAre("Warning ReconcilerStepActionError no room",
                                              "Warning ReconcilerActionError Error when run phase B: no room"));
}

TEST_F(PhasedReconcilerTest, AReconcileCanBeCalledDirectly) {
  const auto reconciler = with();
  run({.reconcile = [&](const Bucket& bucket, Context& context) { return reconciler.reconcile(bucket, context); },
       .finalize = [&](const Bucket& bucket, Context& context) { return reconciler.finalize(bucket, context); },
       .finalizer = finalizer,
       .finalizer_policy = FinalizerPolicy::add_then_stop});
  create("x");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(script.calls.back(), "on_success");
  erase("x");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(script.calls.back(), "remove");
  EXPECT_FALSE(stored("x"));
}

TEST_F(PhasedReconcilerTest, ANullPhaseIsRefusedAtStart) {
  b = nullptr;
  start(with().controller());
  instance->join();
  ASSERT_FALSE(instance->started());
  EXPECT_THAT(instance->started().error().to_string(), HasSubstr("phase 2 can't be nil"));
}

template <class R>
concept MayLeaveOutReconciler = requires { StdK8sReconciler<R>{.finalizer = ""}; };
static_assert(!MayLeaveOutReconciler<Parent>);

// The value of a Result<K8sDiff> stays a difference and does not become `done`.
TEST(K8sDiffOutcome, IsADifferenceOrAnOutcome) {
  EXPECT_TRUE(K8sDiffOutcome(Result<K8sDiff>(K8sDiff{.need_delete = true})).diff().need_delete);
  EXPECT_NE(K8sDiffOutcome(Result<K8sDiff>(fail(ErrorCode::invalid, "bad"))).outcome().as_failed(), nullptr);
  EXPECT_EQ(delay_of(K8sDiffOutcome(requeue_after(3s)).outcome()), 3s);
  EXPECT_TRUE(K8sDiffOutcome(K8sDiff{}).outcome().is_done());
}

}  // namespace
}  // namespace pintle::phased
