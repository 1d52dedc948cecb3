// SPDX-License-Identifier: Apache-2.0
// The lock, the task, and the writes around them.
#include <pintle/patterns/guard/provider_controller.hpp>

#include <stdexcept>

#include "test_support.hpp"

namespace pintle::guard {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using enum ConditionStatus;

// guard() locks, runs the task, and writes its result (T0-01).
TEST_F(GuardTest, LocksThenRunsTheTaskThenWritesTheResult) {
  run_in_reconcile([&](ProviderController& controller) {
    const auto done = controller.guard("make the tunnel", done_as(created, "tunnel-1", [&] {
                                         EXPECT_EQ(condition(), "Locked: make the tunnel");
                                         story.push_back("task");
                                       }));
    EXPECT_TRUE(done) << done.error().to_string();
    EXPECT_EQ(controller.condition().status, created);
  });
  EXPECT_THAT(story,
              ElementsAre("write Tunneling Locked: make the tunnel", "task", "write Tunneling Created: tunnel-1"));
  const auto written = condition_of(stored(), tunneling);
  ASSERT_TRUE(written);
  EXPECT_FALSE(written->lock) << "the lock is removed with the status Locked";
  EXPECT_EQ(written->observed_generation, 1);
}

TEST_F(GuardTest, TheLockContainsItsHolderAndTime) {
  std::optional<Condition> seen;
  run_in_reconcile([&](ProviderController& controller) {
    EXPECT_TRUE(controller.guard("r", done_as(created, "", [&] { seen = condition_of(stored(), tunneling); })));
  });
  ASSERT_TRUE(seen && seen->lock);
  EXPECT_EQ(seen->lock->holder, locks.holder("op/site"));
  EXPECT_THAT(seen->lock->holder, StartsWith("op/site:"));
  EXPECT_EQ(seen->lock->since, seen->last_transition_time);
  EXPECT_EQ(condition(), "Created: Created") << "a reason is never empty";
}

// An outdated object is not locked (T0-02).
TEST_F(GuardTest, AnOutdatedWorkspaceIsNotLocked) {
  prepare_site({{"conditions", condition_value(waiting, "for it")}});
  run_in_reconcile([&](ProviderController& controller) {
    ASSERT_TRUE(simulation.user().patch(Site::type, key, json::Value{{"spec", {{"host", "b"}}}}));
    const auto refused = controller.guard("r", done_as(created, "", [] { FAIL() << "the task was called"; }));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::conflict);
    EXPECT_EQ(controller.condition().status, waiting);
  });
  EXPECT_EQ(condition(), "Waiting: for it");
}

TEST_F(GuardTest, AMissingWorkspaceIsNotLocked) {
  prepare_site();
  run_in_reconcile([&](ProviderController& controller) {
    delete_site();
    const auto refused = controller.guard("r", done_as(created, "", [] { FAIL() << "the task was called"; }));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::not_found);
  });
}

// The error of the task becomes the condition and is returned (T0-03).
TEST_F(GuardTest, AnErrorOfTheTaskIsWrittenAndReturned) {
  run_in_reconcile([&](ProviderController& controller) {
    const auto failed = controller.guard("r", [] { return fail(ErrorCode::unknown, "boom"); });
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().to_string(), "boom");
    EXPECT_EQ(controller.condition().status, ConditionStatus::error);
  });
  EXPECT_EQ(condition(), "Error: boom");
}

// The error of the task is returned even if it cannot be written (T0-04).
TEST_F(GuardTest, AnErrorThatCannotBeWrittenIsReturned) {
  run_in_reconcile(
      [&](ProviderController& controller) {
        const auto failed = controller.guard("r", [] { return fail(ErrorCode::unknown, "boom"); });
        ASSERT_FALSE(failed);
        EXPECT_EQ(failed.error().to_string(), "boom");
      },
      {at_status_write(2, http::ErrorResponse{})});
  EXPECT_EQ(log->count("a task failed, and its condition could not be set to Error"), 1U);
  EXPECT_GE(log->errors(), 1);
  EXPECT_EQ(condition(), "Locked: r");
}

// In the original, the lock stayed if the write that unlocks met a conflict (T0-05).
TEST_F(GuardTest, TheClosingWriteIsRepeatedAfterAConflict) {
  int calls = 0;
  run_in_reconcile([&](ProviderController& controller) {
    const auto done = controller.guard("r", [&]() -> Result<TaskResult> {
      ++calls;
      controller.status().set("/tunnel", "t-1");
      set_status({{"phase", "Theirs"}});
      return TaskResult{.status = created, .reason = "done"};
    });
    EXPECT_TRUE(done) << done.error().to_string();
  });
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(condition(), "Created: done");
  EXPECT_EQ(stored()["/status/tunnel"], "t-1") << "the value that the task has set";
  EXPECT_EQ(phase(), "Theirs");
}

// The write that unlocks is based on a newer version than the caller has.
TEST_F(GuardTest, AWorkspaceChangedDuringATaskIsNotLockedAgain) {
  run_in_reconcile([&](ProviderController& controller) {
    EXPECT_TRUE(controller.guard("r", done_as(created, "", [&] { set_status({{"phase", "Theirs"}}); })));
    const auto refused = controller.guard("again", done_as(created, "", [] { FAIL() << "the task was called"; }));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::conflict);
  });
}

TEST_F(GuardTest, ALockTakenByAnotherProcessIsKept) {
  run_in_reconcile([&](ProviderController& controller) {
    const auto lost =
        controller.guard("r", done_as(created, "late", [&] {
                           controller.status().set("/tunnel", "late");
                           set_status({{"conditions", condition_value(locked, "theirs", Lock{"other", {}})}});
                         }));
    ASSERT_FALSE(lost);
    EXPECT_EQ(lost.error().code, ErrorCode::conflict);
  });
  EXPECT_EQ(condition(), "Locked: theirs");
  EXPECT_EQ(stored()["/status/tunnel"].text(), "") << "no change of the task is written";
}

// The result of a task is written even if another client has replaced the whole status.
TEST_F(GuardTest, ARemovedConditionIsWrittenAgain) {
  run_in_reconcile([&](ProviderController& controller) {
    EXPECT_TRUE(controller.guard("r", done_as(created, "done", [&] { set_status({{"conditions", nullptr}}); })));
  });
  EXPECT_EQ(condition(), "Created: done");
}

// In the original, an exception left the condition locked (T0-06).
TEST_F(GuardTest, AnExceptionOfATaskIsItsError) {
  run_in_reconcile([&](ProviderController& controller) {
    const auto failed = controller.guard("r", []() -> Result<TaskResult> { throw std::runtime_error("no luck"); });
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().to_string(), "the task threw std::runtime_error: no luck");
    EXPECT_FALSE(controller.is_locked());
    EXPECT_TRUE(controller.guard("again", done_as(created, "done")));
  });
  EXPECT_THAT(story, ElementsAre("write Tunneling Locked: r",
                                 "write Tunneling Error: the task threw std::runtime_error: no luck",
                                 "write Tunneling Locked: again", "write Tunneling Created: done"));
}

// In the original, a reason beyond the limit of the schema was rejected, and the lock stayed (T0-09).
TEST_F(GuardTest, AReasonIsCutToTheLimitOfTheSchema) {
  run_in_reconcile([&](ProviderController& controller) {
    EXPECT_FALSE(controller.guard("r", [] { return fail(ErrorCode::unknown, std::string(5000, 'x')); }));
  });
  EXPECT_EQ(condition(), "Error: " + std::string(1024, 'x'));
}

TEST_F(GuardTest, AnErrorWithoutTextHasItsCodeAsReason) {
  run_in_reconcile([&](ProviderController& controller) {
    EXPECT_FALSE(controller.guard("r", [] { return fail(ErrorCode::timeout, ""); }));
  });
  EXPECT_EQ(condition(), "Error: timeout");
}

// In the original, the end of the inner guard unlocked the outer one (T0-10).
TEST_F(GuardTest, AGuardInAGuardOfTheSameConditionIsRefused) {
  run_in_reconcile([&](ProviderController& controller) {
    const auto outer = controller.guard("outer", done_as(created, "done", [&] {
                                          const auto inner = controller.guard("inner", done_as(completed, "no"));
                                          ASSERT_FALSE(inner);
                                          EXPECT_THAT(inner.error().message, HasSubstr("already locked by this call"));
                                          auto second = make_controller(controller.context());
                                          EXPECT_FALSE(second->guard("inner", done_as(completed, "no")));
                                          EXPECT_FALSE(controller.update_condition(waiting, "no"));
                                        }));
    EXPECT_TRUE(outer) << outer.error().to_string();
  });
  EXPECT_THAT(story, ElementsAre("write Tunneling Locked: outer", "write Tunneling Created: done"));
}

TEST_F(GuardTest, AGuardInAGuardOfAnotherConditionIsAllowed) {
  run_in_reconcile([&](ProviderController& controller) {
    auto other = ProviderController::make({.type = "DNS"}, controller.context(), locks);
    ASSERT_TRUE(other);
    EXPECT_TRUE(controller.guard(
        "outer", done_as(created, "done", [&] { EXPECT_TRUE(other->guard("inner", done_as(completed, "done"))); })));
  });
  EXPECT_EQ(condition(), "Created: done");
  EXPECT_EQ(condition("DNS"), "Completed: done");
}

TEST_F(GuardTest, OnlyGuardMaySetLocked) {
  run_in_reconcile([&](ProviderController& controller) {
    EXPECT_EQ(controller.update_condition(locked, "r").error().code, ErrorCode::invalid);
    const auto refused = controller.guard("r", done_as(locked, "for ever"));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::invalid);
    EXPECT_EQ(controller.guard("r", {}).error().code, ErrorCode::invalid) << "an empty task";
  });
  EXPECT_THAT(condition(), StartsWith("Error: the task returned the status Locked"));
}

TEST_F(GuardTest, AnErrorOfTheStatusIsFoundBeforeTheTask) {
  run_in_reconcile([&](ProviderController& controller) {
    controller.status().set("no pointer", 1);
    const auto refused = controller.guard("r", done_as(created, "", [] { FAIL() << "the task was called"; }));
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr("no pointer"));
  });
  EXPECT_EQ(condition(), "");
}

TEST_F(GuardTest, AResultThatTheSchemaRefusesReleasesTheLock) {
  run_in_reconcile([&](ProviderController& controller) {
    const auto refused = controller.guard(
        "r", done_as(created, "done", [&] { controller.status().set("/tunnel", "longer than twenty characters"); }));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::invalid);
  });
  EXPECT_THAT(condition(), StartsWith("Error: the result of the task is not stored: "));
  EXPECT_EQ(stored()["/status/tunnel"].text(), "");
}

TEST_F(GuardTest, AControllerNeedsTheTypeOfItsCondition) {
  run_in_reconcile([&](ProviderController& controller) {
    const auto refused = ProviderController::make({.type = ""}, controller.context(), locks);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::invalid);
  });
}

// The transition time does not change while the status is the same (T0-12).
TEST_F(GuardTest, TheTransitionTimeStaysWhileTheStatusIsTheSame) {
  run_in_reconcile([&](ProviderController& controller) {
    ASSERT_TRUE(controller.update_condition(waiting, "one"));
    const WallTime since = controller.condition().last_transition_time;
    simulation.executor().sleep_for(10s);
    ASSERT_TRUE(controller.update_condition(waiting, "two"));
    EXPECT_EQ(controller.condition().last_transition_time, since);
    EXPECT_EQ(controller.condition().reason, "two");
  });
  EXPECT_EQ(condition(), "Waiting: two");
}

// The transition time changes with the status (T0-13).
TEST_F(GuardTest, TheTransitionTimeChangesWithTheStatus) {
  run_in_reconcile([&](ProviderController& controller) {
    ASSERT_TRUE(controller.update_condition(waiting, "one"));
    const WallTime since = controller.condition().last_transition_time;
    simulation.executor().sleep_for(10s);
    ASSERT_TRUE(controller.update_condition(healthy, "one"));
    EXPECT_GE(controller.condition().last_transition_time, since + 10s);
    EXPECT_EQ(controller.condition(), condition_of(stored(), tunneling));
  });
}

// The original changed its memory before the write, so condition() was wrong after a failure (T0-26).
TEST_F(GuardTest, AFailedWriteDoesNotChangeTheConditionInMemory) {
  prepare_site({{"conditions", condition_value(waiting, "for it")}});
  run_in_reconcile(
      [&](ProviderController& controller) {
        const Condition before = controller.condition();
        const json::Value status = controller.status().value();
        const auto failed = controller.update_condition(healthy, "no");
        ASSERT_FALSE(failed);
        EXPECT_EQ(failed.error().http_status, 500);
        EXPECT_EQ(controller.condition(), before);
        EXPECT_EQ(controller.status().value(), status);
      },
      {at_status_write(1, http::ErrorResponse{})});
  EXPECT_EQ(condition(), "Waiting: for it") << "the end of the reconcile does not write it either";
}

// In the original, a status that was built from scratch removed the lock (T0-21).
TEST_F(GuardTest, AStatusWithoutConditionsKeepsThem) {
  run_in_reconcile([&](ProviderController& controller) {
    EXPECT_TRUE(controller.guard("r", done_as(created, "done", [&] {
                                   const auto updated = controller.update(Site::Status{.tunnel = "t-1"});
                                   EXPECT_TRUE(updated) << updated.error().to_string();
                                   EXPECT_EQ(condition(), "Locked: r");
                                   EXPECT_TRUE(controller.update(json::Value{{"tunnel", "t-2"}}));
                                   EXPECT_EQ(condition(), "Locked: r");
                                   EXPECT_EQ(stored()["/status/tunnel"], "t-2");
                                   EXPECT_FALSE(stored()["/status/phase"].exists()) << "the value was replaced";
                                 })));
  });
  EXPECT_EQ(condition(), "Created: done");
}

// The caller has a copy of the conditions from before the lock.
TEST_F(GuardTest, AStatusWithOldConditionsDoesNotUnlock) {
  prepare_site({{"conditions", condition_value(waiting, "for it")}});
  run_in_reconcile([&](ProviderController& controller) {
    auto status = controller.status().as<Site::Status>();
    const json::Value as_json = controller.status().value();
    ASSERT_TRUE(status);
    status->tunnel = "t-1";
    status->conditions.push_back({.type = "DNS", .status = healthy, .reason = "new"});
    EXPECT_TRUE(controller.guard("r", done_as(created, "done", [&] {
                                   EXPECT_TRUE(controller.update(*status));
                                   EXPECT_EQ(condition(), "Locked: r");
                                   EXPECT_EQ(condition("DNS"), "Healthy: new") << "a different value is applied";
                                   EXPECT_TRUE(controller.update(as_json));
                                   EXPECT_EQ(condition(), "Locked: r");
                                 })));
  });
  EXPECT_EQ(condition("DNS"), "Healthy: new");
}

TEST_F(GuardTest, AFailedStatusWriteInATaskIsRepeatedAfterIt) {
  run_in_reconcile(
      [&](ProviderController& controller) {
        EXPECT_TRUE(controller.guard(
            "r", done_as(created, "done", [&] { EXPECT_FALSE(controller.update(Site::Status{.tunnel = "t-1"})); })));
      },
      {at_status_write(2, http::ErrorResponse{})});
  EXPECT_EQ(stored()["/status/tunnel"], "t-1");
  EXPECT_EQ(condition(), "Created: done");
}

// Only one of two processes runs the task (T0-11).
TEST(GuardsOfTwoProcesses, RunOneTask) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    testkit::Simulation simulation({.seed = seed});
    int tasks = 0;
    int refused = 0;
    const auto guarded = [&](LockRegistry& locks) {
      return [&, begun = false](const Site&, Context& context) mutable -> Outcome {
        if (std::exchange(begun, true)) return done;
        auto controller = ProviderController::make({.type = "Tunneling"}, context, locks);
        const auto done = controller->guard("r", done_as(ConditionStatus::created, "", [&] {
                                              ++tasks;
                                              simulation.executor().sleep_for(1s);
                                            }));
        if (!done && done.error().code == ErrorCode::conflict) ++refused;
        return done;
      };
    };
    LockRegistry locks_a(simulation.executor());
    LockRegistry locks_b(simulation.executor());
    const auto instance = [&](LockRegistry& locks) {
      return std::make_unique<testkit::Instance>(
          simulation, ManagerOptions{.name = "op", .log_level = LogLevel::off},
          [&](Manager& manager) { manager.add(Controller<Site>{.reconcile = guarded(locks)}); });
    };
    auto a = instance(locks_a);
    auto b = instance(locks_b);
    a->start();
    b->start();
    ASSERT_TRUE(simulation.wait_until([&] { return a->manager().is_ready() && b->manager().is_ready(); }));
    ASSERT_TRUE(simulation.user().create(Site{.metadata = {.name = "a", .namespace_ = "default"}}));
    ASSERT_TRUE(simulation.run_until_idle());
    EXPECT_EQ(tasks, 1);
    EXPECT_EQ(refused, 1);
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace pintle::guard
