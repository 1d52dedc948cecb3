// SPDX-License-Identifier: Apache-2.0
// One reconcile: its timeout, its slots, and the rules by which it waits, is paused and is retried.
#include <set>

#include <gmock/gmock.h>

#include <pintle/base/stop.hpp>
#include <pintle/testing/seeds.hpp>

#include "runner_test_support.hpp"
#include "test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

using ReconcileTest = OperatorTest;

TEST_F(ReconcileTest, ATimeoutCancelsItsCallsAndFailsIt) {
  Instant deadline{};
  std::vector<Duration> took;
  run({.reconcile = [&](const Note&, Context& ctx) -> Outcome {
         const Instant begun = ctx.executor().now();
         deadline = ctx.deadline();
         EXPECT_EQ(deadline, begun + 30s);
         if (took.size() == 2) return done;
         ctx.executor().sleep_for(1h, ctx.stop_token());
         took.push_back(ctx.executor().now() - begun);
         return failed(make_error(ErrorCode::cancelled, "slept"));
       },
       .timeout = 30s});
  create(note("a"));
  ASSERT_TRUE(simulation.run_until_idle(2min));
  EXPECT_THAT(took, ElementsAre(30s, 30s));
  EXPECT_EQ(metric("controller_runtime_reconcile_timeouts_total"), 2);
  EXPECT_EQ(metric("controller_runtime_reconcile_total", {{"result", "error"}}), 2);
  EXPECT_EQ(metric("controller_runtime_reconcile_total", {{"result", "success"}}), 1);
  EXPECT_TRUE(log->has("the reconcile exceeded its timeout of 30s: slept"));
}

TEST_F(ReconcileTest, AReconcileThatIgnoresItsTimeoutIsReported) {
  bool has_ended = false;
  run({.reconcile = [&](const Note&, Context& ctx) -> Outcome {
         ctx.executor().sleep_for(10min);  // without the stop token
         has_ended = true;
         return done;
       },
       .timeout = 30s});
  const auto overdue = [&] {
    return instance->manager().metrics().gauge("pintle_overdue_reconciles", "", {{"controller", "note"}}).value();
  };
  create(note("a"));
  simulation.executor().sleep_for(35s);
  EXPECT_EQ(log->count("still runs after its timeout"), 0U);
  simulation.executor().sleep_for(10s);
  EXPECT_FALSE(has_ended);
  EXPECT_TRUE(log->has("still runs after its timeout"));
  EXPECT_TRUE(log->has("running_for=40s"));
  EXPECT_TRUE(log->has("key=default/a"));
  EXPECT_EQ(overdue(), 1);
  simulation.executor().sleep_for(20min);
  EXPECT_TRUE(has_ended);
  EXPECT_EQ(overdue(), 0);
  EXPECT_EQ(log->count("still runs after its timeout"), 6U);  // 10 s after it, then each time after twice as long
}

// The callback runs at the deadline and is code of users, so it must not block the thread that serves the sockets.
TEST_F(ReconcileTest, ABlockingStopCallbackDelaysNoOtherReconcile) {
  bool has_seen_other = false;
  bool called_back = false;
  run({.reconcile = [&](const Note& one, Context& ctx) -> Outcome {
         has_seen_other = has_seen_other || one.metadata.name == "other";
         if (called_back || one.metadata.name == "other") return done;
         const StopCallback wait(ctx.executor(), ctx.stop_token(), [&] {
           EXPECT_TRUE(ctx.executor().may_block()) << "on " << ctx.executor().thread_name();
           ctx.executor().sleep_for(1min);
           called_back = true;
         });
         ctx.executor().sleep_for(1h, ctx.stop_token());
         return failed(make_error(ErrorCode::cancelled, "slept"));
       },
       .workers = 2,
       .timeout = 30s});
  create(note("a"));
  simulation.executor().sleep_for(35s);
  create(note("other"));
  simulation.executor().sleep_for(20s);
  EXPECT_TRUE(has_seen_other) << "the watch continues";
  EXPECT_FALSE(called_back);
  ASSERT_TRUE(simulation.run_until_idle(2min));
  EXPECT_TRUE(called_back);
}

TEST_F(ReconcileTest, AReconcileWithoutATimeoutHasNoDeadline) {
  bool seen = false;
  run({.reconcile = [&](const Note&, Context& ctx) -> Outcome {
    seen = ctx.deadline() == Instant::max();
    return done;
  }});
  create(note("a"));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_TRUE(seen);
}

TEST_F(ReconcileTest, UsesTheFieldManagerOfItsController) {
  std::string name;
  run({.reconcile = [&](const Note&, Context& ctx) -> Outcome {
    name = ctx.field_manager();
    return done;
  }});
  create(note("a"));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(name, "test-operator/note");
}

TEST_F(ReconcileTest, ASlotKeepsAValueForOneReconcile) {
  std::vector<int> found;
  run({.reconcile = [&](const Note&, Context& ctx) -> Outcome {
    found.push_back(ctx.slot<int>());
    ctx.slot<int>() = 7;
    ctx.slot<std::string>() = "text";
    found.push_back(ctx.slot<int>());
    return done;
  }});
  create(note("a"));
  ASSERT_TRUE(simulation.run_until_idle());
  set_text("a", "again");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(found, ElementsAre(0, 7, 0, 7));
}

class PauseTest : public OperatorTest {
 protected:
  void pause(bool paused) {
    const json::Value value = paused ? json::Value("true") : json::Value(nullptr);
    ASSERT_TRUE(simulation.user().patch(
        Note::type, {"default", "a"},
        json::Value(
            json::object{{"metadata", json::object{{"annotations", json::object{{"pintle.dev/paused", value}}}}}})));
  }
  Controller<Note> counting(bool pause_deletion) {
    return {.reconcile = [this](const Note&, Context&) -> Outcome { return ++reconciles, done; },
            .finalize = [this](const Note&, Context&) -> Outcome { return ++finalized, done; },
            .finalizer = "example.com/count",
            .pause_deletion = pause_deletion};
  }
  int reconciles = 0;
  int finalized = 0;
};

TEST_F(PauseTest, APausedObjectIsReconciledOnlyAfterThePause) {
  run(counting(false));
  create(note("a"));
  ASSERT_TRUE(simulation.run_until_idle());
  pause(true);
  ASSERT_TRUE(simulation.run_until_idle());
  const int before = reconciles;
  set_text("a", "new");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(reconciles, before);
  pause(false);
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(reconciles, before + 1);
}

// The end of a pause does not change the generation, but the deferred reconcile is due.
TEST_F(PauseTest, ADeferredReconcileRunsWhateverThePredicate) {
  run({.predicate = generation_changed() && object_matches([](const Object& note) { return note.name() == "a"; }),
       .reconcile = [this](const Note&, Context&) -> Outcome { return ++reconciles, done; }});
  create(note("a"));
  ASSERT_TRUE(simulation.run_until_idle());
  ASSERT_EQ(reconciles, 1);
  pause(true);
  set_text("a", "new");
  ASSERT_TRUE(simulation.run_until_idle());
  ASSERT_EQ(reconciles, 1);
  pause(false);
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(reconciles, 2);
  pause(true);
  ASSERT_TRUE(simulation.run_until_idle());
  pause(false);
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(reconciles, 2) << "no reconcile was deferred";
}

TEST_F(PauseTest, DeletionContinuesUnlessItIsPausedToo) {
  for (const bool pause_deletion : {false, true}) {
    finalized = 0;
    instance.reset();
    run(counting(pause_deletion));
    create(note("a"));
    ASSERT_TRUE(simulation.run_until_idle());
    pause(true);
    ASSERT_TRUE(simulation.user().remove(Note::type, {"default", "a"}));
    ASSERT_TRUE(simulation.run_until_idle());
    EXPECT_EQ(finalized, pause_deletion ? 0 : 1);
    if (pause_deletion) pause(false);
    ASSERT_TRUE(simulation.run_until_idle());
    EXPECT_EQ(finalized, 1);
    EXPECT_FALSE(simulation.user().get(Note::type, {"default", "a"}));
  }
}

TEST_F(ReconcileTest, PaceAppliesToEachKeyAndRateToAll) {
  std::map<std::string, std::vector<Instant>> begun;
  run({.reconcile = [&](const Note& n, Context& ctx) -> Outcome {
         begun[n.metadata.name].push_back(ctx.executor().now());
         return requeue_after(1ms);
       },
       .queue = {.min_interval = 10s}});
  create(note("a"));
  create(note("b"));
  simulation.executor().sleep_for(95s);
  for (const char* name : {"a", "b"}) {
    ASSERT_GE(begun[name].size(), 9U);
    ASSERT_LE(begun[name].size(), 10U);
    for (std::size_t i = 1; i < begun[name].size(); ++i) EXPECT_EQ(begun[name][i] - begun[name][i - 1], 10s);
  }
}

// A limit that is too small loses no object: rejected keys are reconciled once there is room.
TEST_F(ReconcileTest, AFullQueueLosesNoObject) {
  std::set<std::string> seen;
  run({.reconcile = [&](const Note& n, Context& ctx) -> Outcome {
         ctx.executor().sleep_for(1s);
         seen.insert(n.metadata.name);
         return done;
       },
       .queue = {.max_keys = 3}});
  for (int i = 0; i < 40; ++i) create(note("n" + std::to_string(i)));
  ASSERT_TRUE(simulation.run_until_idle(2min));
  EXPECT_EQ(seen.size(), 40U);
  EXPECT_TRUE(log->has("the queue is full; all objects will be reconciled once no key is due"));
}

// One object always waits for its next attempt.
TEST_F(ReconcileTest, AFullQueueLosesNoObjectIfOneAlwaysFails) {
  std::set<std::string> seen;
  run({.reconcile = [&](const Note& n, Context& ctx) -> Outcome {
         ctx.executor().sleep_for(1s);
         seen.insert(n.metadata.name);
         if (n.metadata.name == "n0") return failed(make_error(ErrorCode::unreachable, "never"));
         return done;
       },
       .queue = {.max_keys = 3}});
  for (int i = 0; i < 40; ++i) create(note("n" + std::to_string(i)));
  ASSERT_TRUE(simulation.run_until_idle(2min));
  EXPECT_EQ(seen.size(), 40U);
}

// Each object waits for its next periodic reconcile.
TEST_F(ReconcileTest, AFullQueueLosesNoObjectWithAResyncPeriod) {
  std::set<std::string> seen;
  run({.reconcile = [&](const Note& n, Context& ctx) -> Outcome {
         ctx.executor().sleep_for(1s);
         seen.insert(n.metadata.name);
         return done;
       },
       .queue = {.max_keys = 3},
       .resync_period = 10min});
  for (int i = 0; i < 40; ++i) create(note("n" + std::to_string(i)));
  ASSERT_TRUE(simulation.run_until_idle(2min));
  EXPECT_EQ(seen.size(), 40U);
}

TEST_F(ReconcileTest, AClosedQueueIsNotReportedAsFull) {
  RunnerSurroundings around(simulation, Log());
  const auto nothing = [](const Note&, Context&) -> Outcome { return done; };
  ControllerRunner runner(erase_type(Controller<Note>{.name = "note", .reconcile = nothing}), around.get(),
                          Log(log, simulation.executor()));
  runner.request_stop();
  EXPECT_FALSE(runner.wake({"default", "a"}, {}));
  EXPECT_FALSE(log->has("the queue is full"));
}

TEST_F(ReconcileTest, AFinalizerKeepsTheObjectUntilFinalizeIsDone) {
  int tries = 0;
  std::vector<std::string> order;
  run({.reconcile = [&](const Note& n, Context&) -> Outcome {
         order.push_back("reconcile " + n.metadata.name);
         return done;
       },
       .finalize = [&](const Note& n, Context&) -> Outcome {
         order.push_back("finalize " + n.metadata.name);
         if (++tries < 3) return failed(make_error(ErrorCode::unreachable, "not yet"));
         return done;
       },
       .finalizer = "example.com/cleanup"});
  create(note("a"));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_TRUE(simulation.user().get(Note::type, {"default", "a"})->finalizers().size() == 1);
  order.clear();
  ASSERT_TRUE(simulation.user().remove(Note::type, {"default", "a"}));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(order, ElementsAre("finalize a", "finalize a", "finalize a"));
  EXPECT_FALSE(simulation.user().get(Note::type, {"default", "a"}));
}

// Objects of the first list wait behind changed ones (trap 42).
TEST_F(ReconcileTest, AChangeOvertakesTheInitialList) {
  run({.reconcile = [](const Note&, Context&) -> Outcome { return done; }});
  for (int i = 0; i < 6; ++i) create(note("n" + std::to_string(i)));
  ASSERT_TRUE(simulation.run_until_idle());
  instance->stop();

  std::vector<std::string> order;
  const auto slow = [&](const Note& n, Context& ctx) -> Outcome {
    order.push_back(n.metadata.name);
    ctx.executor().sleep_for(1s);
    return done;
  };
  run({.reconcile = slow});
  ASSERT_TRUE(simulation.wait_until([&] { return order.size() == 2; }));
  set_text("n5", "changed");
  ASSERT_TRUE(simulation.run_until_idle());
  ASSERT_EQ(order.size(), 6U);
  EXPECT_EQ(order[2], "n5");
}

// A requested delay clears the failures before the key is added again, so that the next failure waits the shortest time
// (trap 40).
TEST_F(ReconcileTest, ARequestedDelayClearsTheFailures) {
  std::vector<Instant> begun;
  run({.reconcile = [&](const Note&, Context& ctx) -> Outcome {
    begun.push_back(ctx.executor().now());
    if (begun.size() == 4) return requeue_after(1s);
    if (begun.size() == 6) return done;
    return failed(make_error(ErrorCode::unavailable, "not yet"));
  }});
  create(note("a"));
  ASSERT_TRUE(simulation.run_until_idle());
  ASSERT_EQ(begun.size(), 6U);
  EXPECT_EQ(begun[3] - begun[2], 20ms);
  EXPECT_EQ(begun[4] - begun[3], 1s);
  EXPECT_EQ(begun[5] - begun[4], 5ms);
}

// Many keys that fail and recover leave nothing in the queue. Sanitizers run a tenth of them.
TEST_F(ReconcileTest, TenThousandRecoveredKeysLeaveNoEntries) {
  constexpr int count = testkit::is_sanitized ? 1'000 : 10'000;
  std::map<std::string, int> tries;
  int good = 0;
  run({.reconcile = [&](const Note& n, Context&) -> Outcome {
         if (++tries[n.metadata.name] <= 3) return failed(make_error(ErrorCode::unavailable, "not yet"));
         ++good;
         return done;
       },
       .workers = 2},
      {.log_level = LogLevel::off});
  for (int i = 0; i < count; ++i) create(note("n" + std::to_string(i)));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(good, count);
  const std::string text = instance->manager().metrics().text();
  EXPECT_THAT(text, HasSubstr(R"(workqueue_depth{controller="note",name="note",priority="0"} 0)"));
  EXPECT_THAT(text,
              HasSubstr(R"(workqueue_retries_total{controller="note",name="note"} )" + std::to_string(3 * count)));
  EXPECT_THAT(text, HasSubstr(R"(controller_runtime_active_workers{controller="note"} 0)"));
}

}  // namespace
}  // namespace pintle
