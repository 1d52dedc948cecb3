// SPDX-License-Identifier: Apache-2.0
// The retries of the handlers of an InformerController.
#include <pintle/patterns/watcher/informer_controller.hpp>

#include <stdexcept>

#include <gmock/gmock.h>

#include "test_support.hpp"

namespace pintle::watcher {
namespace {

using ::testing::ElementsAre;

// A policy of one retry results in two calls (T4-05).
TEST_F(InformerControllerTest, APolicyOfOneRetryGivesTwoCalls) {
  remake({.retry_policy = linear_retry_policy(1s, 0)});
  controller->add_watcher(watcher("", {failing()}), "Note");
  run();
  create(note("x"));
  advance_time(1min);
  EXPECT_THAT(calls, ElementsAre("add x=1", "add x=1"));
}

// A success ends the retries (T4-05).
TEST_F(InformerControllerTest, ASuccessEndsTheRetries) {
  controller->add_watcher(watcher("", {failing(), failing(), done}), "Note");
  run();
  create(note("x"));
  advance_time(10min);
  EXPECT_EQ(calls.size(), 3U);
  EXPECT_EQ(controller->waiting(), 0U);
}

// The default policy results in seven calls in about five minutes (T4-06).
TEST_F(InformerControllerTest, TheDefaultPolicyGivesSevenCallsInFiveMinutes) {
  std::vector<Duration> at;
  controller->add_watcher(
      std::make_shared<SimpleWatcher>(WatcherFunctions{.added = [&](const Object&, Context&) -> Outcome {
        at.push_back(simulation.executor().now().time_since_epoch());
        return failed(outage());
      }}),
      "Note");
  run();
  create(note("x"));
  advance_time(1h);
  std::vector<Duration> between;
  for (std::size_t i = 1; i < at.size(); ++i) between.push_back(at[i] - at[i - 1]);
  EXPECT_THAT(between, ElementsAre(5s, 10s, 20s, 40s, 80s, 160s));
}

// An update replaces the retries of an add (T4-07).
TEST_F(InformerControllerTest, AnUpdateReplacesTheRetriesOfAnAdd) {
  remake({.retry_policy = exponential_backoff_retry_policy(1s, 5)});
  controller->add_watcher(watcher("", {failing()}, {failing()}), "Note");
  run();
  create(note("x"));
  advance_time(10s);
  EXPECT_EQ(count("add x=1"), 4U);
  set_text("x", "2");
  advance_time(10s);
  EXPECT_EQ(count("add x=1"), 4U);
  EXPECT_EQ(count("update x=1>2"), 4U);
}

// Without a dequeue policy, an update drops the retries of an add (T4-08).
TEST_F(InformerControllerTest, WithoutADequeuePolicyAnUpdateDropsTheRetriesOfAnAdd) {
  remake({.retry_policy = linear_retry_policy(500ms, 1000)});
  controller->add_watcher(watcher("", {failing()}), "Note");
  run();
  create(note("x"));
  advance_time(2200ms);
  EXPECT_EQ(count("add x=1"), 5U);
  set_text("x", "2");
  advance_time(10s);
  EXPECT_EQ(count("add x=1"), 5U);
  EXPECT_EQ(count("update x=1>2"), 1U);
}

// In the original, every resync dropped the retries that waited longer than its period of 30 s (T4-08).
TEST_F(InformerControllerTest, AResyncDropsNoRetry) {
  remake({.retry_policy = linear_retry_policy(70s, 0)});
  resync = 30s;
  controller->add_watcher(watcher("a", {failing(), done}), "Note");
  controller->add_watcher(watcher("b"), "Note");
  run();
  create(note("x"));
  advance_time(71s);
  EXPECT_EQ(count("a add x=1"), 2U);
  EXPECT_EQ(count("a update x=1>1"), 0U) << "its retry includes the change";
  EXPECT_EQ(count("b update x=1>1"), 2U) << "the other handlers are called";
}

// A call whose last retry failed is repeated at the next resync (B4).
TEST_F(InformerControllerTest, AResyncRepeatsAbandonedCalls) {
  remake({.retry_policy = {}});
  resync = 30s;
  controller->add_watcher(watcher("", {failing(), failing(), done}), "Note");
  controller->add_reconciler(reconciler("r", {failing(), done}), "Note");
  run();
  create(note("x"));
  advance_time(100s);
  EXPECT_EQ(count("add x=1"), 3U);
  EXPECT_EQ(count("update x=1>1"), 1U) << "from then on no call is pending";
  EXPECT_EQ(count("r created x=1"), 2U);
  EXPECT_EQ(count("r resynced x=1"), 2U);
  EXPECT_EQ(controller->waiting(), 0U);
}

// An update after a failed update has the old object of the failed one.
TEST_F(InformerControllerTest, AnUpdateHasTheOldObjectOfTheDroppedRetry) {
  controller->add_watcher(watcher("", {}, {failing(), done}), "Note");
  run();
  create(note("x"));
  advance_time(1s);
  set_text("x", "2");
  advance_time(1s);
  set_text("x", "3");
  advance_time(1min);
  EXPECT_THAT(calls, ElementsAre("add x=1", "update x=1>2", "update x=1>3"));
}

State with(const std::string& text) { return {{"retry", text}}; }
std::string text_in(const State& state) {
  const auto found = state.find("retry");
  return found == state.end() ? "" : std::any_cast<std::string>(found->second);
}

// Each call receives the state that the previous call returned. In the original, later retries received the state of
// the first call (T4-09).
TEST_F(InformerControllerTest, EachCallReceivesTheStateOfThePreviousOne) {
  std::vector<std::string> states;
  std::vector<Instant> at;
  controller->add_reconciler(
      std::make_shared<SimpleReconciler>([&](const ReconcileRequest& request, Context&) -> ReconcileResult {
        states.push_back(text_in(request.state));
        at.push_back(simulation.executor().now());
        if (states.size() == 4) return done;
        ReconcileResult result = requeue_after(100ms);
        if (states.size() != 3) result.state = with("after " + std::to_string(states.size()));
        return result;
      }),
      "Note");
  run();
  create(note("x"));
  advance_time(10s);
  EXPECT_THAT(states, ElementsAre("", "after 1", "after 2", "after 2"));
  EXPECT_EQ(at[1] - at[0], 100ms);
  EXPECT_EQ(controller->waiting(), 0U);
}

// The state is passed on to a newer event as long as the generation is the same (T4-09).
TEST_F(InformerControllerTest, TheStateIsPassedOnUntilTheGenerationChanges) {
  std::vector<std::string> seen;
  controller->add_reconciler(
      std::make_shared<SimpleReconciler>([&](const ReconcileRequest& request, Context&) -> ReconcileResult {
        seen.push_back(std::string(to_string(request.action)) + ":" + text_in(request.state));
        ReconcileResult result = requeue_after(1h);
        result.state = with(std::to_string(seen.size()));
        return result;
      }),
      "Note");
  run();
  create(note("x"));
  advance_time(1s);
  patch("x", {{"metadata", {{"labels", {{"a", "b"}}}}}});
  advance_time(1s);
  set_text("x", "2");
  advance_time(1s);
  EXPECT_THAT(seen, ElementsAre("created:", "updated:1", "updated:"));
}

// A requested delay takes precedence over an error, and does not count as an attempt (T4-10).
TEST_F(InformerControllerTest, ADelayPrecedesAnErrorAndIsNoAttempt) {
  remake({.retry_policy = linear_retry_policy(1s, 0)});
  std::vector<Instant> at;
  controller->add_reconciler(std::make_shared<SimpleReconciler>([&](const ReconcileRequest&, Context&) {
                               at.push_back(simulation.executor().now());
                               ReconcileResult result = failed(outage());
                               if (at.size() <= 3) result.requeue_after = 10s;
                               return result;
                             }),
                             "Note");
  run();
  create(note("x"));
  advance_time(10min);
  // The retry after the last delay is attempt 1, for which the policy returns no delay.
  ASSERT_EQ(at.size(), 4U);
  EXPECT_EQ(at[3] - at[0], 30s);
}

// A requested delay of zero is a call at once (T4-10).
TEST_F(InformerControllerTest, ADelayOfZeroCausesACallAtOnce) {
  std::vector<Instant> at;
  controller->add_reconciler(
      std::make_shared<SimpleReconciler>([&](const ReconcileRequest&, Context&) -> ReconcileResult {
        at.push_back(simulation.executor().now());
        if (at.size() == 2) return done;
        return requeue_after(0s);
      }),
      "Note");
  run();
  create(note("x"));
  advance_time(1min);
  ASSERT_EQ(at.size(), 2U);
  EXPECT_EQ(at[0], at[1]);
}

// The opinionated policy keeps retries of another action (T4-12).
TEST_F(InformerControllerTest, TheOpinionatedPolicyKeepsRetriesOfAnotherAction) {
  remake({.retry_policy = linear_retry_policy(5s, 0), .retry_dequeue_policy = opinionated_retry_dequeue_policy});
  controller->add_watcher(watcher("", {failing(), done}, {failing(), done}), "Note");
  run();
  create(note("x"));
  advance_time(1s);
  set_text("x", "2");
  advance_time(1min);
  // The retry of the add has the newest object: no call has an older object than an earlier call.
  EXPECT_THAT(calls, ElementsAre("add x=1", "update x=1>2", "add x=2", "update x=1>2"));
}

// In the original, a retry that failed was queued again after the event that had replaced it (T4-13).
TEST_F(InformerControllerTest, NoCallHasAnOlderObjectThanAnEarlierCall) {
  remake({.retry_policy = linear_retry_policy(1s, 1000)});
  int running = 0;
  bool overlapped = false;
  const auto call = [&](const std::string& what) -> Outcome {
    overlapped = overlapped || running != 0;
    ++running;
    simulation.executor().sleep_for(4s);
    --running;
    calls.push_back(what);
    return failed(outage());
  };
  controller->add_watcher(
      std::make_shared<SimpleWatcher>(WatcherFunctions{
          .added = [&](const Object& object, Context&) { return call("add " + text_of(object)); },
          .updated = [&](const Object&, const Object& object, Context&) { return call("update " + text_of(object)); }}),
      "Note");
  run();
  create(note("x"));
  advance_time(7s);  // during the first retry
  set_text("x", "2");
  advance_time(12s);
  EXPECT_FALSE(overlapped);
  EXPECT_THAT(calls, ElementsAre("add 1", "add 1", "update 2", "update 2"));
  instance.reset();  // its calls use variables of this function
}

// The original made all retries on one thread (T4-14).
TEST_F(InformerControllerTest, ASlowRetryDelaysNoOtherObject) {
  remake({.retry_policy = linear_retry_policy(1s, 0)});
  std::map<std::string, std::vector<Instant>> at;
  controller->add_watcher(
      std::make_shared<SimpleWatcher>(WatcherFunctions{.added = [&](const Object& object, Context&) -> Outcome {
        auto& calls = at[std::string(object.name())];
        calls.push_back(simulation.executor().now());
        if (calls.size() == 1) return failed(outage());
        if (object.name() == "slow") simulation.executor().sleep_for(10s);
        return done;
      }}),
      "Note");
  run();
  create(note("slow"));
  advance_time(500ms);
  create(note("quick"));
  advance_time(20s);
  ASSERT_EQ(at["quick"].size(), 2U);
  EXPECT_EQ(at["quick"][1] - at["quick"][0], 1s);
}

// The original kept a list and a lock for every object that it had ever received (T4-15).
TEST_F(InformerControllerTest, NothingIsKeptOfObjectsWithoutPendingWork) {
  controller->add_watcher(watcher("", {failing(), done}), "Note");
  controller->add_reconciler(reconciler(), "Note");
  run();
  for (int i = 0; i < 200; ++i) create(note("n" + std::to_string(i)));
  advance_time(1min);
  EXPECT_EQ(controller->waiting(), 0U);
  for (int i = 0; i < 200; ++i) remove("n" + std::to_string(i));
  advance_time(1min);
  EXPECT_EQ(controller->waiting(), 0U);
  EXPECT_EQ(gauge("retry_processor_pending_total", {}), 0);
}

// In the original, the retries of a removed handler were passed to the handler that took its index (T4-16).
TEST_F(InformerControllerTest, RemovingAHandlerDropsItsRetries) {
  const auto first = watcher("a", {failing()});
  controller->add_watcher(first, "Note");
  controller->add_watcher(watcher("b", {failing()}), "Note");
  controller->add_watcher(watcher("c"), "Note");
  run();
  create(note("x"));
  advance_time(1s);
  EXPECT_EQ(gauge("retry_processor_pending_total", {}), 2);
  controller->remove_watcher(first, "Note");
  EXPECT_EQ(gauge("retry_processor_pending_total", {}), 1);
  advance_time(5s);
  EXPECT_THAT(calls, ElementsAre("a add x=1", "b add x=1", "c add x=1", "b add x=1"));
}

// The original reported neither failures of reconcilers nor failures of retries (T4-17).
TEST_F(InformerControllerTest, TheErrorHandlerReceivesEachFailure) {
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
  advance_time(1min);
  EXPECT_THAT(failures,
              ElementsAre("of w Note created x 0", "of r Note created x 0", "of w Note created x 1",
                          "of r Note created x 1", "of w Note created x 2 final", "of r Note created x 2 final"));
  EXPECT_TRUE(log->has("component=InformerController kind=Note action=created"));
  EXPECT_TRUE(log->has("watcher 1 of Note, created, retry 2, no further retry: of w"));
}

TEST_F(InformerControllerTest, ATerminalErrorIsNotRetried) {
  controller->add_watcher(watcher("", {failed(outage().terminal())}), "Note");
  run();
  create(note("x"));
  advance_time(10min);
  EXPECT_EQ(calls.size(), 1U);
  EXPECT_TRUE(log->has("no further retry"));
}

TEST_F(InformerControllerTest, AnExceptionIsAFailureOfItsHandlerOnly) {
  int attempts = 0;
  controller->add_watcher(
      std::make_shared<SimpleWatcher>(WatcherFunctions{.added = [&](const Object&, Context&) -> Outcome {
        if (++attempts == 1) throw std::runtime_error("oops");
        return done;
      }}),
      "Note");
  controller->add_reconciler(reconciler(), "Note");
  run();
  create(note("x"));
  advance_time(1min);
  EXPECT_EQ(attempts, 2);
  EXPECT_THAT(calls, ElementsAre("created x=1"));
  EXPECT_TRUE(log->has("oops"));
}

TEST_F(InformerControllerTest, APolicyThatThrowsEndsTheRetries) {
  const auto throwing = [](auto&&...) -> bool { throw std::runtime_error("no policy"); };
  remake(
      {.retry_policy = [&](const Error&, unsigned) -> std::optional<Duration> { throw std::runtime_error("no retry"); },
       .retry_dequeue_policy = throwing});
  controller->add_watcher(watcher("", {failing()}), "Note");
  run();
  create(note("x"));
  advance_time(1min);
  set_text("x", "2");
  advance_time(1min);
  EXPECT_THAT(calls, ElementsAre("add x=1", "update x=1>2"));
  EXPECT_TRUE(log->has("no retry"));
  EXPECT_TRUE(log->has("no policy"));
}

// A call that the stop of the operator ends is not a failure of the handler.
TEST_F(InformerControllerTest, ACallThatTheStopEndsIsNoFailure) {
  int failures = 0;
  remake({.error_handler = [&](const Failure&, Context&) { ++failures; }});
  controller->add_watcher(
      std::make_shared<SimpleWatcher>(WatcherFunctions{.added = [&](const Object&, Context& context) -> Outcome {
        calls.emplace_back("add");
        context.executor().sleep_for(1h, context.stop_token());
        return failed(make_error(ErrorCode::cancelled, "asked to stop"));
      }}),
      "Note");
  run();
  create(note("x"));
  advance_time(1s);
  ASSERT_THAT(calls, ElementsAre("add"));
  instance->stop();
  EXPECT_EQ(failures, 0);
  EXPECT_FALSE(log->has("asked to stop"));
}

// The same error while the operator runs is an ordinary failure.
TEST_F(InformerControllerTest, ACancelledErrorOfTheHandlerIsRetried) {
  controller->add_watcher(watcher("", {failed(make_error(ErrorCode::cancelled, "by the handler")), done}), "Note");
  run();
  create(note("x"));
  advance_time(1min);
  EXPECT_THAT(calls, ElementsAre("add x=1", "add x=1"));
}

TEST_F(InformerControllerTest, APermanentFailureIsRetriedALimitedNumberOfTimesAnHour) {
  resync = 30s;
  controller->add_watcher(watcher("", {failing()}, {failing()}), "Note");
  controller->add_reconciler(reconciler("r", {failing()}), "Note");
  run();
  create(note("x"));
  advance_time(1h);
  // Seven calls in 315 s; then the next resync begins another series.
  EXPECT_GE(calls.size(), 2U * 60);
  EXPECT_LE(calls.size(), 2U * 80);
  calls.clear();
  set_text("x", "2");
  advance_time(1h);
  EXPECT_LE(calls.size(), 2U * 80);
}

// The change may be a write of the handler itself about its failure.
TEST_F(InformerControllerTest, AChangeOfTheSameGenerationDoesNotResetTheBackOff) {
  std::vector<Duration> at;
  const auto fail_at = [&]() -> Outcome {
    at.push_back(simulation.executor().now().time_since_epoch());
    return failed(outage());
  };
  controller->add_watcher(std::make_shared<SimpleWatcher>(WatcherFunctions{
                              .added = [&](const Object&, Context&) { return fail_at(); },
                              .updated = [&](const Object&, const Object&, Context&) { return fail_at(); }}),
                          "Note");
  run();
  create(note("x"));
  advance_time(1s);
  patch("x", {{"metadata", {{"labels", {{"a", "b"}}}}}});
  advance_time(1min);
  set_text("x", "2");
  advance_time(1h);
  ASSERT_GE(at.size(), 6U);
  EXPECT_EQ(at[2] - at[1], 10s) << "the second wait";
  EXPECT_EQ(at[3] - at[2], 20s);
  EXPECT_EQ(at[5] - at[4], 5s) << "the back-off of a new generation begins again";
  EXPECT_EQ(at.size(), 4U + 7U);
}

// The event of the write arrives while the call is running.
TEST_F(InformerControllerTest, AWriteOfAHandlerIsDeliveredInTheNextReconcile) {
  struct Calls {
    int count = 0;
  };
  int most = 0;
  int calls = 0;
  controller->add_watcher(
      std::make_shared<SimpleWatcher>(
          WatcherFunctions{.updated = [&](const Object&, const Object& object, Context& context) -> Outcome {
            most = std::max(most, ++context.slot<Calls>().count);
            if (++calls > 5) return done;
            patch(std::string(object.name()), {{"metadata", {{"labels", {{"call", std::to_string(calls)}}}}}});
            simulation.executor().sleep_for(1s);
            return done;
          }}),
      "Note");
  run();
  create(note("x"));
  advance_time(1s);
  set_text("x", "2");
  advance_time(10min);
  EXPECT_EQ(calls, 6);
  EXPECT_EQ(most, 1);
}

TEST_F(InformerControllerTest, AHandlerThatAlwaysRequestsZeroDelayIsLimited) {
  for (const bool fails : {false, true}) {
    SCOPED_TRACE(fails ? "with an error" : "without");
    remake({});
    int calls = 0;
    controller->add_reconciler(
        std::make_shared<SimpleReconciler>([&](const ReconcileRequest&, Context&) -> ReconcileResult {
          ReconcileResult result;
          if (fails) result.error = outage();
          if (++calls < 10'000) result.requeue_after = Duration::zero();
          return result;
        }),
        "Note");
    run();
    create(note("x"));
    advance_time(1s);
    EXPECT_GE(calls, 50);
    EXPECT_LE(calls, 102);
    instance.reset();
    remove("x");
  }
}

TEST_F(InformerControllerTest, ARetryWaitsAtLeastForRetryAfter) {
  std::vector<Duration> at;
  controller->add_watcher(
      std::make_shared<SimpleWatcher>(WatcherFunctions{.added = [&](const Object&, Context&) -> Outcome {
        at.push_back(simulation.executor().now().time_since_epoch());
        if (at.size() > 2) return done;
        Error error = outage();
        error.retry_after = at.size() == 1 ? Duration(1min) : Duration(1s);
        return failed(std::move(error));
      }}),
      "Note");
  run();
  create(note("x"));
  advance_time(1h);
  ASSERT_EQ(at.size(), 3U);
  EXPECT_EQ(at[1] - at[0], 1min);
  EXPECT_EQ(at[2] - at[1], 10s) << "the policy allows more calls";
}

}  // namespace
}  // namespace pintle::watcher
