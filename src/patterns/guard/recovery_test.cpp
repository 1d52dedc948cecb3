// SPDX-License-Identifier: Apache-2.0
// Locks that a process has left behind.
#include <pintle/patterns/guard/lock_registry.hpp>

#include <pintle/testing/call_recorder.hpp>

#include "test_support.hpp"

namespace pintle::guard {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using enum ConditionStatus;

class LockRecovery : public GuardTest {
 protected:
  // One provider, which creates the tunnel if it does not exist.
  Pipeline<Site> pipeline() {
    return {.providers = {Provider<Site>{
                .condition = tunneling, .reconcile = [this](const Site&, ProviderController& controller) -> StepResult {
                  ++steps;
                  if (controller.condition().status == created) return next_step;
                  return controller.guard("make the tunnel", done_as(created, "done", [this] { ++tasks; }));
                }}}};
  }
  static Provider<Site> with(Pipeline<Site> pipeline, const std::function<void(Provider<Site>&)>& change) {
    Provider<Site> provider = pipeline.providers.front();
    change(provider);
    return provider;
  }
  json::Value locked_by(const std::string& holder, Duration age = {}) {
    return {{"phase", "Deploying"},
            {"conditions", condition_value(locked, "make the tunnel",
                                           Lock{.holder = holder, .since = simulation.executor().wall_now() - age})}};
  }

  int steps = 0;
  int tasks = 0;
};

// In the original, a lock whose holder had terminated was never removed (T0-07).
TEST_F(LockRecovery, CallsRecoverForTheLockOfADeadHolder) {
  bool dies = true;
  std::vector<std::string> recoveries;
  const auto provider = with(pipeline(), [&](Provider<Site>& one) {
    one.reconcile = [&](const Site&, ProviderController& controller) -> StepResult {
      if (controller.condition().status == created) return next_step;
      return controller.guard("make the tunnel", done_as(created, "done", [&] {
                                ++tasks;
                                if (std::exchange(dies, false)) instance->transport().crash();
                              }));
    };
    one.recover = [&](const Site&, ProviderController& controller) -> Result<TaskResult> {
      recoveries.push_back(controller.condition().reason);
      EXPECT_EQ(condition(), "Locked: make the tunnel") << "locked by the current process";
      EXPECT_EQ(condition_of(stored(), tunneling)->lock, controller.condition().lock);
      return TaskResult{.status = created, .reason = "it is there"};
    };
  });
  start({.providers = {provider}});
  create_site();
  ASSERT_TRUE(simulation.wait_until([&] { return instance->transport().is_crashed(); }));
  instance->crash();
  EXPECT_EQ(condition(), "Locked: make the tunnel");

  start({.providers = {provider}});
  EXPECT_FALSE(simulation.wait_until([&] { return condition() != "Locked: make the tunnel"; }, 14s));
  EXPECT_TRUE(recoveries.empty());
  ASSERT_TRUE(simulation.wait_until([&] { return condition() == "Created: it is there"; }, 5s));
  EXPECT_THAT(recoveries, ElementsAre("make the tunnel"));
  EXPECT_EQ(tasks, 1) << "the task does not run twice";
}

// The original could not distinguish a live holder from a terminated one (T0-08).
TEST_F(LockRecovery, DoesNotRecoverTheLockOfALiveHolder) {
  prepare_site(locked_by("other"));
  start(pipeline());
  const int before = requests;
  EXPECT_FALSE(simulation.wait_until([&] { return steps != 0; }, 10s));
  EXPECT_EQ(requests, before);
  EXPECT_EQ(
      instance->manager()
          .metrics()
          .counter("controller_runtime_reconcile_total", "", {{"controller", "site"}, {"result", "requeue_after"}})
          .value(),
      11)
      << "once a second";
  set_status({{"conditions", condition_value(waiting, "free")}});
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(tasks, 1);
}

TEST_F(LockRecovery, RunsTheStepAgainWithoutARecoverFunction) {
  prepare_site(locked_by("other", 5min));
  start(pipeline());
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(story, ElementsAre("write Tunneling Unknown: LockRecovered", "write Tunneling Locked: make the tunnel",
                                 "write Tunneling Created: done"));
  EXPECT_EQ(tasks, 1);
  const auto events = simulation.server().objects("events");
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0]["/reason"], "LockRecovered");
  EXPECT_THAT(std::string(events[0]["/message"].text()), HasSubstr("locked by other since"));
}

TEST_F(LockRecovery, ATaskThatIsNotIdempotentIsNeverRepeated) {
  prepare_site(locked_by("other", 5min));
  start({.providers = {with(pipeline(), [](Provider<Site>& one) { one.idempotent = false; })}});
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(steps, 0);
  EXPECT_THAT(condition(), "Error: LockRecovered: the result of this task is unknown: make the tunnel");
  EXPECT_EQ(phase(), "Error");
}

TEST_F(LockRecovery, DoesNotDelayADeletion) {
  prepare_site(locked_by("other", 5min), {"test.pintle.dev/tunnel"});
  delete_site();
  start({.providers = {with(pipeline(), [](Provider<Site>& one) {
           one.idempotent = false;
           one.terminate = [](const Site&, ProviderController& controller) -> StepResult {
             return controller.guard_then_remove_finalizer("delete it", "test.pintle.dev/tunnel",
                                                           done_as(terminated, "gone"));
           };
         })}});
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_FALSE(stored());
  EXPECT_THAT(story, ElementsAre("write Tunneling Unknown: LockRecovered", "write Tunneling Locked: delete it",
                                 "write Tunneling Terminated: gone"));
}

TEST_F(LockRecovery, ALockWithoutAHolderCountsFromItsTransition) {
  prepare_site({{"conditions", condition_value(locked, "of an older operator")}});
  start(pipeline());
  EXPECT_FALSE(simulation.wait_until([&] { return steps != 0; }, 4min));
  EXPECT_TRUE(simulation.wait_until([&] { return tasks != 0; }, 2min));
}

// The CRD of an older operator, whose schema does not contain the lock.
TEST_F(LockRecovery, ALockThatTheSchemaDropsIsReleased) {
  json::Value crd = crd_of<Site>();
  ASSERT_TRUE(json::erase(crd,
                          "/spec/versions/0/schema/openAPIV3Schema/properties/status/properties/conditions/items/"
                          "properties/lock"));
  ASSERT_TRUE(simulation.user().create(crd));
  start(pipeline(), {at_status_write(2, http::conflict_response())});
  create_site();
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(condition(), "Created: done");
  EXPECT_EQ(tasks, 1);
}

TEST_F(LockRecovery, WithATimeoutOfZeroALockIsRecoveredAtOnce) {
  prepare_site(locked_by("other"));
  Pipeline<Site> alone = pipeline();
  alone.locks.lock_timeout = 0s;
  start(std::move(alone));
  EXPECT_TRUE(simulation.wait_until([&] { return tasks != 0; }, 10s));
}

// If the write after the task fails, it is retried, and the values that the task has set are kept (B3).
TEST_F(LockRecovery, AResultThatCouldNotBeWrittenIsWrittenLater) {
  const auto provider = with(pipeline(), [&](Provider<Site>& one) {
    one.idempotent = false;
    one.reconcile = [&](const Site&, ProviderController& controller) -> StepResult {
      if (controller.condition().status == created) return next_step;
      return controller.guard("make the tunnel", done_as(created, "done", [&] {
                                ++tasks;
                                controller.status().set("/tunnel", "t-1");
                              }));
    };
  });
  start({.providers = {provider}},
        {at_status_write(2, http::ErrorResponse{.status = 503, .reason = "ServiceUnavailable"}, 3)});
  create_site();
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(tasks, 1);
  EXPECT_EQ(condition(), "Created: done");
  EXPECT_EQ(stored()["/status/tunnel"], "t-1");
  EXPECT_EQ(phase(), "Deploying") << "a cluster without a response does not change the phase";
}

// The result of a failed task is kept like that of a successful one; otherwise the task would run again after the
// write.
TEST_F(LockRecovery, AnUnwrittenFailureIsWrittenLaterWithoutRepeatingTheTask) {
  for (const bool is_idempotent : {true, false}) {
    SCOPED_TRACE(is_idempotent);
    tasks = 0;
    instance.reset();
    if (stored()) delete_site();
    prepare_site({{"phase", "Deploying"}});
    const auto provider = with(pipeline(), [&](Provider<Site>& one) {
      one.idempotent = is_idempotent;
      one.reconcile = [&](const Site&, ProviderController& controller) -> StepResult {
        return controller.guard("make the tunnel", [&]() -> Result<TaskResult> {
          controller.status().set("/tunnel", "t-1");
          return fail(ErrorCode::unknown, "attempt " + std::to_string(++tasks) + " failed");
        });
      };
    });
    start({.providers = {provider}},
          {at_status_write(2, http::ErrorResponse{.status = 503, .reason = "ServiceUnavailable"}, 5)});
    ASSERT_TRUE(simulation.run_until_idle());
    EXPECT_EQ(tasks, 1);
    EXPECT_EQ(condition(), "Error: attempt 1 failed");
    EXPECT_EQ(stored()["/status/tunnel"], "t-1");
    EXPECT_EQ(phase(), "Error");
  }
  const auto events = simulation.server().objects("events");
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[0]["/message"].text(), "attempt 1 failed");
}

// A temporary error is retried after the write, as it would have been without the outage.
TEST_F(LockRecovery, AnUnwrittenTemporaryErrorIsRetried) {
  prepare_site({{"phase", "Deploying"}});
  start({.providers = {with(pipeline(),
                            [&](Provider<Site>& one) {
                              one.reconcile = [&](const Site&, ProviderController& controller) -> StepResult {
                                if (controller.condition().status == created) return next_step;
                                return controller.guard("make the tunnel", [&]() -> Result<TaskResult> {
                                  if (++tasks == 1) return fail(ErrorCode::unavailable, "the cloud is away");
                                  return TaskResult{.status = created, .reason = "done"};
                                });
                              };
                            })}},
        {at_status_write(2, http::ErrorResponse{.status = 503, .reason = "ServiceUnavailable"}, 2)});
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(tasks, 2);
  EXPECT_EQ(condition(), "Created: done");
  EXPECT_EQ(phase(), "Deploying");
}

// The failure of a task of `reconcile` does not delay a deletion.
TEST_F(LockRecovery, AnUnwrittenFailureDoesNotDelayADeletion) {
  prepare_site({{"phase", "Deploying"}}, {"test.pintle.dev/tunnel"});
  int removals = 0;
  start({.providers = {with(pipeline(),
                            [&](Provider<Site>& one) {
                              one.reconcile = [&](const Site&, ProviderController& controller) -> StepResult {
                                return controller.guard("make the tunnel", [&]() -> Result<TaskResult> {
                                  ++tasks;
                                  delete_site();
                                  return fail(ErrorCode::unknown, "boom");
                                });
                              };
                              one.terminate = [&](const Site&, ProviderController& controller) -> StepResult {
                                return controller.guard_then_remove_finalizer(
                                    "delete it", "test.pintle.dev/tunnel",
                                    done_as(terminated, "gone", [&] { ++removals; }));
                              };
                            })}},
        {at_status_write(2, http::ErrorResponse{.status = 503, .reason = "ServiceUnavailable"}, 3)});
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(tasks, 1);
  EXPECT_EQ(removals, 1);
  EXPECT_FALSE(stored());
}

// A rejected write of the result does not fail the workspace.
TEST_F(LockRecovery, ARefusedWriteOfAKeptResultIsRepeated) {
  prepare_site({{"phase", "Deploying"}});
  start(pipeline(), {at_status_write(2, http::ErrorResponse{.status = 403, .reason = "Forbidden"}, 2)});
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(tasks, 1);
  EXPECT_EQ(condition(), "Created: done");
  EXPECT_EQ(phase(), "Deploying");
}

// The schema rejects the values of the task, and the write of this error fails too.
TEST_F(LockRecovery, AnUnstorableResultIsReportedLaterWithoutRepeatingTheTask) {
  prepare_site({{"phase", "Deploying"}});
  start({.providers = {with(pipeline(),
                            [&](Provider<Site>& one) {
                              one.reconcile = [&](const Site&, ProviderController& controller) -> StepResult {
                                if (controller.condition().status == created) return next_step;
                                return controller.guard("make the tunnel", done_as(created, "done", [&] {
                                                          ++tasks;
                                                          controller.status().set("/tunnel", std::string(21, 'x'));
                                                        }));
                              };
                            })}},
        {at_status_write(3, http::ErrorResponse{.status = 503, .reason = "ServiceUnavailable"}, 3)});
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(tasks, 1);
  EXPECT_THAT(condition(), StartsWith("Error: the result of the task is not stored: "));
  EXPECT_EQ(phase(), "Error");
}

// After a crash the result of the task is unknown: the task runs once more, unless it is declared not idempotent.
TEST_F(LockRecovery, ACrashBeforeTheResultIsWrittenRunsTheTaskOnceMore) {
  prepare_site({{"phase", "Deploying"}});
  const auto failing = with(pipeline(), [&](Provider<Site>& one) {
    one.reconcile = [&](const Site&, ProviderController& controller) -> StepResult {
      return controller.guard("make the tunnel", [&]() -> Result<TaskResult> {
        return fail(ErrorCode::unknown, "attempt " + std::to_string(++tasks) + " failed");
      });
    };
  });
  start({.providers = {failing}},
        {at_status_write(2, http::ErrorResponse{.status = 503, .reason = "ServiceUnavailable"}, 1'000)});
  simulation.executor().sleep_for(1min);
  ASSERT_EQ(tasks, 1);
  instance->crash();
  start({.providers = {failing}});
  ASSERT_TRUE(simulation.run_until_idle());
  simulation.executor().sleep_for(1h);
  EXPECT_EQ(tasks, 2);
  EXPECT_EQ(condition(), "Error: attempt 2 failed");
}

TEST_F(LockRecovery, ALockWithALostResponseIsGivenBack) {
  for (const bool is_resent : {true, false}) {
    SCOPED_TRACE(is_resent);
    tasks = 0;
    story.clear();
    if (stored()) delete_site();
    prepare_site({{"phase", "Deploying"}, {"conditions", condition_value(waiting, "for it")}});
    start({.providers = {with(pipeline(), [](Provider<Site>& one) { one.idempotent = false; })}},
          {at_status_write(1, http::Drop{.after_commit = true}, is_resent ? 1 : 1'000)});
    simulation.executor().sleep_for(10s);
    instance->transport().set_faults({});
    ASSERT_TRUE(simulation.run_until_idle());
    EXPECT_EQ(tasks, 1) << "for the first time, since no task ran under the lost lock";
    EXPECT_EQ(condition(), "Created: done");
    instance.reset();
  }
}

TEST_F(LockRecovery, ARecoveryWithALostResponseIsRepeated) {
  prepare_site(locked_by("other", 5min));
  int recoveries = 0;
  start({.providers = {with(pipeline(),
                            [&](Provider<Site>& one) {
                              one.recover = [&](const Site&, ProviderController& controller) -> Result<TaskResult> {
                                ++recoveries;
                                EXPECT_EQ(controller.condition().reason, "make the tunnel");
                                return TaskResult{.status = created, .reason = "it is there"};
                              };
                            })}},
        {at_status_write(1, http::Drop{.after_commit = true})});
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(recoveries, 1);
  EXPECT_EQ(condition(), "Created: it is there");
}

TEST_F(LockRecovery, ARecoveryThatFailsLeavesNoLock) {
  prepare_site(locked_by("other", 5min));
  start({.providers = {with(pipeline(), [](Provider<Site>& one) {
           one.recover = [](const Site&, ProviderController&) -> Result<TaskResult> {
             return fail(ErrorCode::unknown, "cannot tell");
           };
         })}});
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(condition(), "Error: cannot tell");
  EXPECT_EQ(phase(), "Error");
  EXPECT_EQ(steps, 0);
}

// The result of the task is still unknown, so the step must not run again; `recover` is called again.
TEST_F(LockRecovery, ARecoveryWithATemporaryErrorKeepsTheLock) {
  prepare_site(locked_by("other", 5min));
  testkit::CallRecorder recoveries(simulation.executor());
  recoveries.fail_next(make_error(ErrorCode::unavailable, "the cloud is away"), 3);
  start({.providers = {with(pipeline(), [&](Provider<Site>& one) {
           one.idempotent = false;
           one.recover = [&](const Site&, ProviderController& controller) -> Result<TaskResult> {
             EXPECT_EQ(controller.condition().reason, "make the tunnel");
             if (auto call = recoveries.call("list"); !call) return fail(call.error());
             return TaskResult{.status = created, .reason = "it is there"};
           };
         })}});
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(recoveries.size(), 4U);
  EXPECT_EQ(tasks, 0);
  EXPECT_EQ(condition(), "Created: it is there");
  EXPECT_EQ(phase(), "Deploying");
}

TEST_F(LockRecovery, IsRefusedWhileTheHolderIsAlive) {
  prepare_site(locked_by("other"));
  run_in_reconcile([&](ProviderController& controller) {
    EXPECT_TRUE(controller.is_locked());
    EXPECT_FALSE(controller.is_recoverable());
    const auto refused = controller.recover();
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::conflict);
    EXPECT_THAT(refused.error().message, HasSubstr("locked by other since"));
    EXPECT_EQ(controller.guard("r", done_as(created, "")).error().code, ErrorCode::conflict);
    EXPECT_EQ(controller.update_condition(waiting, "r").error().code, ErrorCode::conflict);
  });
  EXPECT_EQ(condition(), "Locked: make the tunnel");
}

TEST_F(LockRecovery, DoesNothingWithoutALock) {
  run_in_reconcile([&](ProviderController& controller) {
    EXPECT_FALSE(controller.is_locked());
    EXPECT_FALSE(controller.is_recoverable());
    EXPECT_TRUE(controller.recover());
  });
  EXPECT_TRUE(story.empty());
}

TEST(GuardLocks, KeepTheNewestResults) {
  SimulatedExecutor executor;
  LockRegistry locks(executor);
  const auto result_of = [&](int number) {
    const json::Value object{{"metadata", {{"uid", std::to_string(number)}}}};
    return StatusDraft(Object(object), executor);
  };
  const auto uid = [&](int number) { return result_of(number).object(); };
  for (int i = 0; i <= 1000; ++i) locks.keep("A", result_of(i));
  EXPECT_FALSE(locks.take(uid(0), "A")) << "the oldest entry was dropped";
  EXPECT_FALSE(locks.take(uid(1), "B"));
  EXPECT_TRUE(locks.take(uid(1), "A"));
  EXPECT_FALSE(locks.take(uid(1), "A")) << "once";
  EXPECT_TRUE(locks.take(uid(1000), "A"));
}

// A kept result belongs to one object, identified by its uid, in all its versions.
TEST(GuardLocks, KeepAResultByTheUidOfItsWorkspace) {
  SimulatedExecutor executor;
  LockRegistry locks(executor);
  const auto site = [](const char* uid, const char* version) {
    return Object(json::Value{{"metadata", {{"uid", uid}, {"resourceVersion", version}}}});
  };
  locks.keep("A", StatusDraft(site("u", "1"), executor));
  EXPECT_FALSE(locks.take(site("v", "1"), "A"));
  EXPECT_TRUE(locks.take(site("u", "2"), "A"));
}

// The workspace was deleted and restored from a backup, with its lock.
TEST(GuardLocks, TheTimeoutOfALockIsCountedForEachUid) {
  SimulatedExecutor executor;
  LockRegistry locks(executor, {.lock_timeout = 15s});
  const auto site = [](const char* uid) {
    return Object(json::Value{{"metadata", {{"namespace", "default"}, {"name", "a"}, {"uid", uid}}}});
  };
  const Condition lock{.type = "A",
                       .status = ConditionStatus::locked,
                       .lock = Lock{.holder = "other", .since = executor.wall_now(), .renewed = executor.wall_now()}};
  EXPECT_FALSE(locks.is_recoverable(site("u"), lock, "op/site:x"));
  executor.sleep_for(15s);
  EXPECT_FALSE(locks.is_recoverable(site("v"), lock, "op/site:x"));
  EXPECT_TRUE(locks.is_recoverable(site("u"), lock, "op/site:x"));
}

TEST(GuardLocks, EachRenewalRestartsTheTimeout) {
  SimulatedExecutor executor;
  LockRegistry locks(executor, {.lock_timeout = 15s});
  const Object site{json::Value{{"metadata", {{"uid", "u"}}}}};
  Condition lock{.type = "A",
                 .status = ConditionStatus::locked,
                 .lock = Lock{.holder = "other", .since = executor.wall_now(), .renewed = executor.wall_now()}};
  const auto is_dead = [&] { return locks.is_recoverable(site, lock, "op/site:x"); };
  EXPECT_FALSE(is_dead());
  executor.sleep_for(14s);
  EXPECT_FALSE(is_dead());
  lock.lock->renewed += 5s;
  EXPECT_FALSE(is_dead());
  executor.sleep_for(14s);
  EXPECT_FALSE(is_dead());
  executor.sleep_for(1s);
  EXPECT_TRUE(is_dead());
  Condition of_another_type = lock;
  of_another_type.type = "B";
  EXPECT_FALSE(locks.is_recoverable(site, of_another_type, "op/site:x"));
}

// A difference between the clocks does not make a live holder appear terminated.
TEST(GuardLocks, TheClockOfTheHolderDoesNotCount) {
  SimulatedExecutor executor;
  LockRegistry locks(executor, {.lock_timeout = 15s});
  for (const Duration ahead : {Duration(-1h), Duration(1h)}) {
    const Object site{json::Value{{"metadata", {{"uid", std::to_string(ahead.count())}}}}};
    const WallTime theirs = executor.wall_now() + ahead;
    const Condition lock{.type = "A",
                         .status = ConditionStatus::locked,
                         .lock = Lock{.holder = "other", .since = theirs, .renewed = theirs}};
    EXPECT_FALSE(locks.is_recoverable(site, lock, "op/site:x"));
    executor.sleep_for(15s);
    EXPECT_TRUE(locks.is_recoverable(site, lock, "op/site:x"));
  }
}

// A pod of a StatefulSet whose instance is its name recognizes its own locks.
TEST(GuardLocks, OfTheSameInstanceAreRecoveredAtOnce) {
  SimulatedExecutor executor;
  LockRegistry locks(executor, {.instance = "pod-1"});
  const Object site{json::Value{{"metadata", {{"uid", "u"}}}}};
  const Condition lock{.type = "A",
                       .status = ConditionStatus::locked,
                       .lock = Lock{.holder = "op/site:pod-1", .renewed = executor.wall_now()}};
  EXPECT_TRUE(locks.is_recoverable(site, lock, locks.holder("op/site")));
  EXPECT_FALSE(locks.is_recoverable(site, lock, locks.holder("op/other")));
}

TEST(GuardLocks, DistinguishProcesses) {
  SimulatedExecutor executor;
  EXPECT_NE(LockRegistry(executor).holder("op/site"), LockRegistry(executor).holder("op/site"));
  EXPECT_EQ(LockRegistry(executor, {.instance = "pod-1"}).holder("op/site"), "op/site:pod-1");
}

}  // namespace
}  // namespace pintle::guard
