// SPDX-License-Identifier: Apache-2.0
// The times, the results and the traces of reconciles, in each pattern.
#include <stdexcept>

#include "test_support.hpp"

namespace pintle::every_pattern {
namespace {

using namespace std::chrono_literals;

// A key is never processed twice at the same time; a hundred events during a reconcile cause exactly one more (TX-01).
TEST_P(EveryPattern, EventsDuringAReconcileCauseExactlyOneMore) {
  int reconciles = 0;
  int inside = 0;
  bool first_may_end = false;
  std::string last;
  run({.reconcile = [&](const ObjectKey&, const std::string& text, Context& ctx) -> Outcome {
         EXPECT_EQ(++inside, 1);
         ++reconciles;
         last = text;
         while (!first_may_end) ctx.executor().sleep_for(10ms);
         --inside;
         return done;
       },
       .workers = 4});
  stage.create("a");
  ASSERT_TRUE(simulation.wait_until([&] { return reconciles == 1; }));
  for (int i = 1; i <= 100; ++i) stage.set_text("a", std::to_string(i));
  simulation.executor().sleep_for(1s);
  first_may_end = true;
  simulation.executor().sleep_for(10s);
  EXPECT_EQ(reconciles, 2);
  EXPECT_EQ(last, "100");
}

// Several workers process different keys concurrently (TX-02).
TEST_P(EveryPattern, DifferentKeysRunAtOnceWithSeveralWorkers) {
  int inside = 0;
  int most = 0;
  run({.reconcile = [&](const ObjectKey&, const std::string&, Context& ctx) -> Outcome {
         most = std::max(most, ++inside);
         ctx.executor().sleep_for(1s);
         --inside;
         return done;
       },
       .workers = 3});
  for (int i = 0; i < 6; ++i) stage.create("w" + std::to_string(i));
  simulation.executor().sleep_for(20s);
  EXPECT_EQ(most, 3);
}

// Failures back off as the pattern defines, even if each failure is written to the status. A success resets the
// back-off (TX-03).
TEST_P(EveryPattern, FailuresBackOffUntilDone) {
  const std::vector<Duration>& waits = GetParam().first_waits;
  std::vector<Instant> at;
  std::size_t failures = 0;
  run({.reconcile = [&](const ObjectKey&, const std::string&, Context& ctx) -> Outcome {
    at.push_back(ctx.executor().now());
    if (failures == 0) return done;
    --failures;
    // Each attempt writes another text, and fails with another text.
    const std::string attempt = "attempt " + std::to_string(at.size());
    ctx.status().set("/seen", attempt);
    return failed(make_error(ErrorCode::unavailable, "not now: " + attempt));
  }});
  create_and_wait("a");
  for (const char* text : {"fails", "fails again"}) {
    at.clear();
    failures = waits.size();
    stage.set_text("a", text);
    simulation.executor().sleep_for(2min);
    ASSERT_EQ(at.size(), waits.size() + 1);
    for (std::size_t i = 0; i < waits.size(); ++i) {
      EXPECT_GE(at[i + 1] - at[i], waits[i]) << i;
      EXPECT_LE(at[i + 1] - at[i], waits[i] * 3 / 2 + 1ms) << i;
    }
  }
}

// A change before the requested time causes one reconcile and leaves no additional one (TX-04).
TEST_P(EveryPattern, AChangePullsADelayedReconcileForward) {
  int reconciles = 0;
  run({.reconcile = [&](const ObjectKey&, const std::string& text, Context&) -> Outcome {
    ++reconciles;
    if (text == "wait") return requeue_after(1min);
    return done;
  }});
  create_and_wait("a");
  reconciles = 0;
  stage.set_text("a", "wait");
  ASSERT_TRUE(simulation.wait_until([&] { return reconciles == 1; }));
  stage.set_text("a", "go");
  simulation.executor().sleep_for(4min);
  EXPECT_EQ(reconciles, 2);
}

// A terminal error is counted and visible. Neither time nor new watches and lists cause another attempt; a change by
// another client causes one (TX-05).
TEST_P(EveryPattern, ATerminalErrorIsCountedAndNotRetried) {
  const Pattern& pattern = GetParam();
  int reconciles = 0;
  run({.reconcile = [&](const ObjectKey& key, const std::string&, Context&) -> Outcome {
         if (key.name == "b") return done;
         return failed(make_error(ErrorCode::invalid, "never " + std::to_string(++reconciles) + ".").terminal());
       },
       .reports = true});
  instance->transport().set_faults(
      {{.effect = http::TruncateBody{.after = 1min}, .only = http::is_watch},
       {.effect = http::ErrorResponse{.status = 410, .reason = "Expired"}, .only = http::is_watch, .every = 5}});
  const auto readiness_of = [&](const std::string& name) {
    const auto widget = simulation.user().get(widget_kind, {"default", name});
    EXPECT_TRUE(widget);
    return widget ? pattern.readiness(*widget) : Readiness();
  };
  const auto expect_attempts = [&](int count) {
    EXPECT_EQ(reconciles, count);
    const std::string message = "never " + std::to_string(count) + ".";
    EXPECT_FALSE(readiness_of("a").is_ready);
    EXPECT_NE(readiness_of("a").failure.find(message), std::string::npos) << readiness_of("a").failure;
    EXPECT_EQ(stage.log->count(message), 1U);
    EXPECT_EQ(counted("controller_runtime_terminal_reconcile_errors_total"),
              pattern.counts_terminal_errors ? count : 0);
  };
  stage.create("a");
  stage.create("b");
  simulation.executor().sleep_for(1h);
  EXPECT_GE(instance->transport().injected_faults(), 40U);
  expect_attempts(1);
  EXPECT_TRUE(readiness_of("b").is_ready);
  stage.set_text("a", "2");
  simulation.executor().sleep_for(30min);
  if (pattern.has_final_phase) {
    expect_attempts(1);
    ASSERT_TRUE(simulation.user().patch(widget_kind, {"default", "a"},
                                        json::Value{{"status", {{"phase", "Deploying"}}}}, {.subresource = "status"}));
    simulation.executor().sleep_for(30min);
  }
  expect_attempts(2);
}

// An exception is counted once, logged with its text and the key, and backs off like a failure. The worker continues
// with other keys (TX-06).
TEST_P(EveryPattern, AnExceptionIsAFailureAndTheWorkerContinues) {
  const Pattern& pattern = GetParam();
  std::vector<Instant> thrown;
  std::string seen_of_b;
  run({.reconcile = [&](const ObjectKey& key, const std::string& text, Context& ctx) -> Outcome {
    if (key.name == "b") {
      seen_of_b = text;
      return done;
    }
    if (text == "fine") return done;
    thrown.push_back(ctx.executor().now());
    throw std::runtime_error("oops " + std::to_string(thrown.size()) + ".");
  }});
  stage.create("b");
  stage.create("a");
  for (int minute = 1; minute <= 60; ++minute) {
    stage.set_text("b", std::to_string(minute));
    simulation.executor().sleep_for(1min);
    EXPECT_EQ(seen_of_b, std::to_string(minute));
  }
  EXPECT_EQ(thrown.size(), failures_of_an_hour(pattern));
  EXPECT_EQ(counted("controller_runtime_reconcile_panics_total"), thrown.size());
  for (std::size_t i = 0; i + 1 < thrown.size(); ++i) {
    const Duration wait = Backoff{.base = pattern.first_waits.front()}.delay(static_cast<unsigned>(i));
    EXPECT_GE(thrown[i + 1] - thrown[i], wait) << i;
    EXPECT_LE(thrown[i + 1] - thrown[i], wait * 3 / 2 + 1ms) << i;
  }
  for (std::size_t i = 1; i <= thrown.size(); ++i) {
    const std::string text = "oops " + std::to_string(i) + ".";
    const std::vector<std::string> lines = stage.log->lines();
    EXPECT_EQ(std::count_if(lines.begin(), lines.end(),
                            [&](const std::string& line) {
                              return line.find(text) != std::string::npos &&
                                     line.find("key=default/a") != std::string::npos;
                            }),
              1)
        << text;
  }
  const std::size_t count = thrown.size();
  stage.set_text("a", "fine");
  simulation.executor().sleep_for(1h);
  EXPECT_EQ(thrown.size(), count);
}

// The same for a clean-up; the object stays until the clean-up succeeds (TX-06).
TEST_P(EveryPattern, AnExceptionOfACleanupIsAFailure) {
  int calls = 0;
  int cleanups = 0;
  run({.reconcile = [&](const ObjectKey&, const std::string&, Context&) -> Outcome {
         ++calls;
         return done;
       },
       .clean_up = [&](const ObjectKey&, Context&) -> Outcome {
         if (++cleanups > 3) return done;
         throw std::runtime_error("oops " + std::to_string(cleanups) + ".");
       }});
  create_and_wait("a");
  EXPECT_GE(calls, 1);
  stage.remove("a");
  ASSERT_TRUE(simulation.wait_until([&] { return cleanups == 3; }, 5min));
  EXPECT_TRUE(stage.there().contains("a"));
  simulation.executor().sleep_for(1h);
  EXPECT_EQ(cleanups, 4);
  EXPECT_FALSE(stage.there().contains("a"));
  EXPECT_EQ(counted("controller_runtime_reconcile_panics_total"), 3);
  for (const char* text : {"oops 1.", "oops 2.", "oops 3."}) EXPECT_TRUE(stage.log->has(text)) << text;
}

// A stop ends running reconciles and waits for them; no new reconcile begins (TX-07).
TEST_P(EveryPattern, StopCancelsRunningReconcilesAndBeginsNone) {
  int begun = 0;
  int ended = 0;
  run({.reconcile = [&](const ObjectKey&, const std::string&, Context& ctx) -> Outcome {
    ++begun;
    ctx.executor().sleep_for(1h, ctx.stop_token());
    ++ended;
    return done;
  }});
  for (const char* name : {"a", "b", "c"}) stage.create(name);
  ASSERT_TRUE(simulation.wait_until([&] { return begun == 1; }));
  const Instant before = simulation.executor().now();
  instance->stop();
  EXPECT_EQ(begun, 1);
  EXPECT_EQ(ended, 1);
  EXPECT_LT(simulation.executor().now() - before, 5s);
}

// A cached object that the operator keeps does not change when later versions are handed out (TX-14).
TEST_P(EveryPattern, AKeptSnapshotDoesNotChange) {
  std::map<std::string, Object> kept;
  run({.reconcile = [&](const ObjectKey& key, const std::string& text, Context& ctx) -> Outcome {
    auto snapshot = ctx.get(widget_kind, key);
    if (snapshot) kept.emplace(text, std::move(*snapshot));
    return done;
  }});
  stage.create("a", "first");
  simulation.executor().sleep_for(10s);
  stage.set_text("a", "second");
  simulation.executor().sleep_for(10s);
  stage.remove("a");
  simulation.executor().sleep_for(10s);
  ASSERT_EQ(kept.size(), 2U);
  for (const auto& [text, snapshot] : kept) EXPECT_EQ(snapshot["/spec/text"], text);
}

// The sum over all results is the number of reconciles, each outcome is counted under its own result, and no reconcile
// stays active. The names are those of controller-runtime (TX-16).
TEST_P(EveryPattern, MetricsAddUpToTheReconciles) {
  std::map<std::string, int> calls;
  int failures = 0;
  int delays = 0;
  double max_active = 0;
  run({.reconcile = [&](const ObjectKey& key, const std::string&, Context&) -> Outcome {
         max_active = std::max(max_active, counted("controller_runtime_active_workers"));
         const int call = ++calls[key.name];
         if (key.name == "fails" && call <= 2) {
           ++failures;
           return outage();
         }
         if (key.name == "later" && call <= 3) {
           ++delays;
           return requeue_after(1s);
         }
         return done;
       },
       .workers = 2});
  for (const char* name : {"fails", "later", "fine"}) stage.create(name);
  simulation.executor().sleep_for(4min);
  const int all = calls["fails"] + calls["later"] + calls["fine"];
  EXPECT_EQ(failures, 2);
  EXPECT_EQ(delays, 3);
  EXPECT_GE(calls["fine"], 1);
  const std::string total = "controller_runtime_reconcile_total";
  EXPECT_GE(counted(total), all);
  EXPECT_LE(counted(total), 3 * all) << "a pattern may add a few reconciles";
  EXPECT_EQ(counted(total), counted("controller_runtime_reconcile_time_seconds_count"));
  EXPECT_EQ(counted(total, "result=\"error\""), failures);
  EXPECT_EQ(counted("controller_runtime_reconcile_errors_total"), failures);
  EXPECT_GE(counted(total, "result=\"requeue_after\""), delays);
  EXPECT_GE(counted(total, "result=\"success\""), 3);
  EXPECT_GE(max_active, 1);
  EXPECT_LE(max_active, 2);
  EXPECT_EQ(counted("controller_runtime_active_workers"), 0);
  EXPECT_EQ(counted("controller_runtime_max_concurrent_reconciles"), 2);
  EXPECT_EQ(counted("workqueue_depth"), 0);
}

// Nothing is kept for objects that are gone (TX-17). The tests of the queue and of the pending_events use a million
// keys.
TEST_P(EveryPattern, NothingIsKeptOfDeletedObjects) {
  const int count = testkit::is_sanitized ? 50 : 400;
  std::set<std::string> seen;
  std::set<std::string> cleaned;
  run({.reconcile = [&](const ObjectKey& key, const std::string&, Context&) -> Outcome {
         seen.insert(key.name);
         return done;
       },
       .clean_up = [&](const ObjectKey& key, Context&) -> Outcome {
         cleaned.insert(key.name);
         return done;
       },
       .workers = 4});
  for (int i = 0; i < count; ++i) stage.create("w" + std::to_string(i));
  simulation.executor().sleep_for(30s);
  EXPECT_EQ(seen.size(), static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) stage.remove("w" + std::to_string(i));
  simulation.executor().sleep_for(30s);
  EXPECT_EQ(cleaned.size(), static_cast<std::size_t>(count));
  EXPECT_TRUE(stage.there().empty());
  EXPECT_EQ(counted("workqueue_depth"), 0);
  EXPECT_EQ(counted("informer_queued_items"), 0);
  EXPECT_TRUE(instance->manager().is_idle());
  const double reconciles = counted("controller_runtime_reconcile_total");
  simulation.executor().sleep_for(1h);
  EXPECT_EQ(counted("controller_runtime_reconcile_total"), reconciles) << "no missing object is reconciled";
}

// While nothing changes, nothing is sent except watches that end and begin again, and nothing is done. The next change
// is processed as before (TX-18).
TEST_P(EveryPattern, NothingIsSentWhileNothingChanges) {
  int calls = 0;
  std::string last;
  run({.reconcile = [&](const ObjectKey&, const std::string& text, Context&) -> Outcome {
         ++calls;
         last = text;
         return done;
       },
       .clean_up = [](const ObjectKey&, Context&) -> Outcome { return done; }});
  stage.create("a", "1");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_GE(calls, 1);
  calls = 0;
  int others = 0;
  int watches = 0;
  instance->transport().set_faults({{.effect = http::Delay{}, .only = [&](const http::Request& request) {
                                       ++(http::is_watch(request) ? watches : others);
                                       return false;
                                     }}});
  const std::uint64_t writes = simulation.server().writes();
  simulation.executor().sleep_for(1h);
  EXPECT_EQ(calls, 0);
  EXPECT_EQ(others, 0);
  EXPECT_GE(watches, 1);
  EXPECT_LE(watches, 60) << "a few for each kind that is watched";
  EXPECT_EQ(simulation.server().writes(), writes);
  stage.set_text("a", "2");
  simulation.executor().sleep_for(10s);
  EXPECT_EQ(last, "2");
}

// If Events cannot be recorded, outcomes do not change (TX-20).
TEST_P(EveryPattern, AnOutageOfEventsChangesNoOutcome) {
  int reconciles = 0;
  run({.reconcile = [&](const ObjectKey&, const std::string& text, Context& ctx) -> Outcome {
    ++reconciles;
    ctx.event(EventType::normal, text == "new" ? "LookedAnew" : "Looked", "a look");
    return done;
  }});
  create_and_wait("a");
  reconciles = 0;
  instance->transport().set_faults({{.effect = http::ErrorResponse{}, .only = [](const http::Request& request) {
                                       return request.target.find("/events") != std::string::npos;
                                     }}});
  stage.set_text("a", "new");
  simulation.executor().sleep_for(2min);
  EXPECT_EQ(reconciles, 1);
  EXPECT_EQ(counted("controller_runtime_reconcile_errors_total"), 0);
  EXPECT_GE(instance->transport().injected_faults(), 1U);
}

INSTANTIATE_TEST_SUITE_P(All, EveryPattern, ::testing::ValuesIn(patterns()), name_of);

}  // namespace
}  // namespace pintle::every_pattern
