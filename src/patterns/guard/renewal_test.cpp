// SPDX-License-Identifier: Apache-2.0
// Locks whose tasks run longer than the limit, and the ways in which such tasks end.
#include <pintle/patterns/guard/lock_registry.hpp>

#include <pintle/testing/call_recorder.hpp>

#include "test_support.hpp"

namespace pintle::guard {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using enum ConditionStatus;

class LockRenewal : public GuardTest {
 protected:
  static constexpr Duration limit = 15s;

  // A task that takes this long, unless its stop is requested. The recorder contains its begin and its end.
  Task work(ProviderController& controller, Duration takes, const std::string& who = "a") {
    return [&, takes, who]() -> Result<TaskResult> {
      (void)calls.call("begin", who);
      const bool is_done = simulation.executor().sleep_for(takes, controller.context().stop_token());
      (void)calls.call(is_done ? "end" : "stopped", who);
      if (!is_done) return fail(ErrorCode::cancelled, "asked to stop");
      return TaskResult{.status = created, .reason = "by " + who};
    };
  }
  // A pipeline with one such task.
  Pipeline<Site> pipeline(Duration takes, const std::string& who = "a") {
    Pipeline<Site> made{.providers = {Provider<Site>{
                            .condition = tunneling,
                            .reconcile = [this, takes, who](const Site&, ProviderController& controller) -> StepResult {
                              if (controller.condition().status == created) return next_step;
                              return controller.guard("make the tunnel", work(controller, takes, who));
                            }}}};
    made.locks.lock_timeout = limit;
    return made;
  }
  std::unique_ptr<testkit::Instance> begin(Pipeline<Site> with, ManagerOptions options = {}) {
    options.name = "op";
    options.log_level = LogLevel::debug;
    options.log_sink = log;
    auto made = std::make_unique<testkit::Instance>(simulation, std::move(options), [&](Manager& manager) {
      manager.add(controller(manager.executor(), std::move(with)));
    });
    made->start();
    EXPECT_TRUE(simulation.wait_until([&] { return made->manager().is_ready(); }));
    return made;
  }
  // The time of the nth call of this name.
  [[nodiscard]] Duration at(std::string_view what, std::size_t nth = 0) const {
    const auto of = calls.of(what);
    return nth < of.size() ? of[nth].at : Duration::max();
  }

  testkit::CallRecorder calls{simulation.executor()};
};

// Two processes must not run one task at the same time, even if it takes longer than the limit.
TEST_F(LockRenewal, ATaskOfTenTimesTheLimitRunsOnce) {
  prepare_site({{"phase", "Deploying"}});
  const auto a = begin(pipeline(10 * limit, "a"));
  const auto b = begin(pipeline(10 * limit, "b"));
  ASSERT_TRUE(simulation.wait_until([&] { return condition().starts_with("Created"); }, 20min));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(calls.of("begin").size(), 1U);
  EXPECT_EQ(calls.of("end").size(), 1U);
}

// A crash must not delay the work longer than the limit.
TEST_F(LockRenewal, TheLockOfADeadHolderIsRecoveredWithinTheLimit) {
  prepare_site({{"phase", "Deploying"}});
  auto with = pipeline(10 * limit, "a");
  with.locks = {};  // the default
  auto a = begin(std::move(with));
  ASSERT_TRUE(simulation.wait_until([&] { return calls.size() == 1; }));
  auto second = pipeline(1s, "b");
  second.locks = {};
  const auto b = begin(std::move(second));
  simulation.executor().sleep_for(1min);
  EXPECT_EQ(calls.size(), 1U) << "it is renewed";
  const Instant died = simulation.executor().now();
  a->crash();
  ASSERT_TRUE(simulation.wait_until([&] { return condition() == "Created: by b"; }));
  EXPECT_LE(simulation.executor().now() - died, limit + 3s);
  EXPECT_GE(simulation.executor().now() - died, limit / 2);
}

// Its renewals fail, so another process may take the lock over; the task has to end before that.
TEST_F(LockRenewal, ACutOffHolderStopsBeforeAnotherBegins) {
  for (const bool is_silent : {false, true}) {
    SCOPED_TRACE(is_silent);
    if (stored()) delete_site();
    prepare_site({{"phase", "Deploying"}});
    calls.clear();
    auto a = begin(pipeline(1h, "a"));
    ASSERT_TRUE(simulation.wait_until([&] { return calls.size() == 1; }));
    auto b = begin(pipeline(1s, "b"));
    simulation.executor().sleep_for(20s);
    a->transport().set_faults(
        {is_silent ? http::Fault{.effect = http::Delay{.duration = 10min}} : http::Fault{.effect = http::Drop{}}});
    ASSERT_TRUE(simulation.wait_until([&] { return condition() == "Created: by b"; }, 1min));
    ASSERT_EQ(calls.of("stopped").size(), 1U);
    EXPECT_LT(at("stopped"), at("begin", 1)) << "by the time that b begins, a has stopped";
    a->transport().set_faults({});
    ASSERT_TRUE(simulation.run_until_idle());
    EXPECT_EQ(condition(), "Created: by b") << "the last write of a does not replace it";
    EXPECT_EQ(calls.of("begin").size(), 2U);
    a.reset();
    b.reset();
  }
}

TEST_F(LockRenewal, ALockTakenByAnotherProcessEndsTheTask) {
  prepare_site({{"phase", "Deploying"}});
  const auto a = begin(pipeline(1h, "a"));
  ASSERT_TRUE(simulation.wait_until([&] { return calls.size() == 1; }));
  const auto theirs = Lock{.holder = "other", .since = simulation.executor().wall_now()};
  set_status({{"conditions", condition_value(locked, "theirs", theirs)}});
  ASSERT_TRUE(simulation.wait_until([&] { return calls.of("stopped").size() == 1; }, limit / 2));
  simulation.executor().sleep_for(2s);
  EXPECT_EQ(condition(), "Locked: theirs");
}

// The lease of a leader has ended before another process leads, so no other task can be running.
TEST_F(LockRenewal, ANewLeaderDoesNotWaitForTheLockOfADeadOne) {
  const auto candidate = [&](const std::string& who) {
    Pipeline<Site> with = pipeline(who == "a" ? Duration(1h) : Duration(1s), who);
    with.locks.lock_timeout = 5min;
    return std::make_unique<testkit::Instance>(
        simulation,
        ManagerOptions{.name = "op",
                       .leader_election = LeaderElectionOptions{.namespace_ = "default", .identity = who},
                       .log_level = LogLevel::off},
        [&](Manager& manager) { manager.add(controller(manager, std::move(with))); });
  };
  prepare_site({{"phase", "Deploying"}});
  auto a = candidate("a");
  a->start();
  ASSERT_TRUE(simulation.wait_until([&] { return calls.size() == 1; }));
  auto b = candidate("b");
  b->start();
  simulation.executor().sleep_for(10s);
  a->crash();
  ASSERT_TRUE(simulation.wait_until([&] { return b->manager().is_leading(); }));
  EXPECT_TRUE(simulation.wait_until([&] { return condition() == "Created: by b"; }, 5s));
}

// Two instances with leader election whose pipeline runs in both.
class GuardInEveryInstance : public LockRenewal {
 protected:
  using Make = std::function<Controller<Site>(Manager&, Pipeline<Site>)>;
  std::unique_ptr<testkit::Instance> candidate(const std::string& who, const Make& make) {
    return std::make_unique<testkit::Instance>(
        simulation,
        ManagerOptions{.name = "op",
                       .leader_election = LeaderElectionOptions{.namespace_ = "default", .identity = who},
                       .log_level = LogLevel::off},
        [&](Manager& manager) {
          Controller<Site> made = make(manager, pipeline(1min, who));
          made.leadership = Leadership::every_instance;
          manager.add(std::move(made));
        });
  }
};

// Each instance would take the locks of the tasks that run in the others.
TEST_F(GuardInEveryInstance, APipelineThatReliesOnTheLeaseIsRefused) {
  const auto refused =
      candidate("a", [](Manager& manager, Pipeline<Site> with) { return controller(manager, std::move(with)); });
  refused->start();
  refused->join();
  const Result<void> started = refused->started();
  ASSERT_FALSE(started);
  EXPECT_THAT(started.error().to_string(),
              HasSubstr("controller site has .leadership = Leadership::every_instance, but its pipeline recovers"));
  EXPECT_THAT(started.error().to_string(), HasSubstr("remove .leadership, or create the controller with"));
}

TEST_F(GuardInEveryInstance, APipelineThatDoesNotRelyOnItRunsItsTaskOnce) {
  prepare_site({{"phase", "Deploying"}});
  const Make make = [](Manager& manager, Pipeline<Site> with) {
    return controller(manager.executor(), std::move(with));
  };
  const auto a = candidate("a", make);
  const auto b = candidate("b", make);
  a->start();
  b->start();
  ASSERT_TRUE(simulation.wait_until([&] { return condition().starts_with("Created"); }, 5min));
  simulation.executor().sleep_for(1min);
  EXPECT_EQ(calls.of("begin").size(), 1U);
  EXPECT_EQ(calls.of("end").size(), 1U);
}

// An operator with another name may be running its task.
TEST_F(LockRenewal, ALeaderWaitsForTheLockOfAnotherOperator) {
  prepare_site({{"phase", "Deploying"},
                {"conditions", condition_value(locked, "theirs",
                                               Lock{.holder = "other/site:x",
                                                    .since = simulation.executor().wall_now(),
                                                    .renewed = simulation.executor().wall_now()})}});
  testkit::Instance leader(
      simulation,
      {.name = "op", .leader_election = LeaderElectionOptions{.namespace_ = "default"}, .log_level = LogLevel::off},
      [&](Manager& manager) { manager.add(controller(manager, pipeline(1s))); });
  leader.start();
  ASSERT_TRUE(simulation.wait_until([&] { return leader.manager().is_leading(); }));
  EXPECT_FALSE(simulation.wait_until([&] { return calls.size() != 0; }, limit - 1s));
  EXPECT_TRUE(simulation.wait_until([&] { return calls.size() != 0; }, 5s));
}

// A renewal is an own write: it does not make the object outdated.
TEST_F(LockRenewal, ARenewalCausesNoConflict) {
  run_in_reconcile([&](ProviderController& controller) {
    EXPECT_TRUE(controller.guard("first", [&]() -> Result<TaskResult> {
      simulation.executor().sleep_for(2 * limit);
      const auto updated = controller.update(Site::Status{.tunnel = "t-1"});
      EXPECT_TRUE(updated) << updated.error().to_string();
      simulation.executor().sleep_for(limit);
      auto other = ProviderController::make({.type = "DNS"}, controller.context(), locks);
      const auto nested =
          other->guard("inner", done_as(completed, "done", [&] { simulation.executor().sleep_for(limit); }));
      EXPECT_TRUE(nested) << nested.error().to_string();
      return TaskResult{.status = created, .reason = "done"};
    }));
    const auto second = controller.guard("second", done_as(completed, "done"));
    EXPECT_TRUE(second) << second.error().to_string();
  });
  EXPECT_EQ(condition(), "Completed: done");
  EXPECT_EQ(condition("DNS"), "Completed: done");
  EXPECT_EQ(stored()["/status/tunnel"], "t-1");
}

TEST_F(LockRenewal, AForeignChangeDuringALongTaskCausesAConflict) {
  run_in_reconcile([&](ProviderController& controller) {
    EXPECT_TRUE(controller.guard("first", done_as(created, "", [&] {
                                   simulation.executor().sleep_for(limit);
                                   set_status({{"phase", "Theirs"}});
                                   simulation.executor().sleep_for(limit);
                                 })));
    const auto refused = controller.guard("second", done_as(created, "", [] { FAIL() << "the task was called"; }));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::conflict);
  });
  EXPECT_EQ(phase(), "Theirs");
}

// The lock is renewed at each third of the limit, and only while the task runs.
TEST_F(LockRenewal, RenewsAtEachThirdOfTheLimitWhileTheTaskRuns) {
  run_in_reconcile([&](ProviderController& controller) {
    const auto since = [&] { return condition_of(stored(), tunneling)->lock; };
    EXPECT_TRUE(controller.guard("r", done_as(created, "done", [&] {
                                   const auto begun = since();
                                   EXPECT_EQ(begun->since, begun->renewed);
                                   simulation.executor().sleep_for(limit - 1s);
                                   EXPECT_EQ(since()->since, begun->since);
                                   EXPECT_GE(since()->renewed, begun->since + 2 * limit / 3);
                                 })));
    simulation.executor().sleep_for(1min);
  });
  EXPECT_EQ(story.size(), 4U) << "the lock, two renewals, and the end";
  EXPECT_EQ(condition(), "Created: done");
}

// The schema of an older CRD drops the time of the renewal.
TEST_F(LockRenewal, ALockWithoutRenewalsIsRecoveredLater) {
  json::Value crd = crd_of<Site>();
  ASSERT_TRUE(json::erase(crd,
                          "/spec/versions/0/schema/openAPIV3Schema/properties/status/properties/conditions/items/"
                          "properties/lock"));
  ASSERT_TRUE(simulation.user().create(crd));
  const auto a = begin(pipeline(2min, "a"));
  const auto b = begin(pipeline(2min, "b"));
  create_site();
  ASSERT_TRUE(simulation.wait_until([&] { return condition().starts_with("Created"); }, 10min));
  EXPECT_EQ(calls.of("begin").size(), 1U);
}

// The stop that ends the task does not cancel the write that unlocks.
TEST_F(LockRenewal, UnlocksAlsoWhenTheOperatorStops) {
  prepare_site({{"phase", "Deploying"}});
  auto a = begin(pipeline(1h, "a"));
  ASSERT_TRUE(simulation.wait_until([&] { return calls.size() == 1; }));
  a->stop();
  EXPECT_EQ(calls.of("stopped").size(), 1U);
  EXPECT_EQ(condition(), "Error: asked to stop");
}

// A task that ends slowly keeps its lock until it has ended.
TEST_F(LockRenewal, IsRenewedWhileATaskEndsSlowly) {
  prepare_site({{"phase", "Deploying"}});
  auto slow = pipeline(1s, "a");
  slow.providers.front().reconcile = [&](const Site&, ProviderController& controller) -> StepResult {
    if (controller.condition().status == created) return next_step;
    return controller.guard("r", done_as(created, "by a", [&] {
                              (void)calls.call("begin", "a");
                              simulation.executor().sleep_for(20s);
                            }));
  };
  auto a = begin(std::move(slow));
  ASSERT_TRUE(simulation.wait_until([&] { return calls.size() == 1; }));
  const auto b = begin(pipeline(1s, "b"));
  a->stop();
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(condition(), "Created: by a");
  EXPECT_EQ(calls.of("begin").size(), 1U);
}

// No process can take over the lock of an object that is gone, if the task itself removed the last finalizer.
TEST_F(LockRenewal, ATaskThatRemovedTheFinalizerMayEnd) {
  prepare_site({{"phase", "Deploying"}}, {"test.pintle.dev/a"});
  delete_site();
  run_in_reconcile([&](ProviderController& controller) {
    const auto done = controller.guard("end it", [&]() -> Result<TaskResult> {
      EXPECT_TRUE(controller.remove_finalizer("test.pintle.dev/a"));
      return work(controller, limit)();
    });
    EXPECT_TRUE(done) << done.error().to_string();
  });
  EXPECT_EQ(calls.of("end").size(), 1U);
}

TEST_F(LockRenewal, ADeletedWorkspaceEndsTheTask) {
  prepare_site({{"phase", "Deploying"}});
  const auto a = begin(pipeline(1h, "a"));
  ASSERT_TRUE(simulation.wait_until([&] { return calls.size() == 1; }));
  delete_site();
  EXPECT_TRUE(simulation.wait_until([&] { return calls.of("stopped").size() == 1; }, limit / 2));
}

// The write of the lock took so long that another process may have the lock, so the task does not begin.
TEST_F(LockRenewal, ALateLockIsGivenBack) {
  prepare_site({{"phase", "Deploying"}, {"conditions", condition_value(waiting, "for it")}});
  start(pipeline(1s), {at_status_write(1, http::Delay{.duration = limit, .after_commit = true})});
  ASSERT_TRUE(simulation.wait_until([&] { return condition() == "Created: by a"; }));
  EXPECT_THAT(story, ElementsAre("write Tunneling Locked: make the tunnel", "write Tunneling Waiting: for it",
                                 "write Tunneling Locked: make the tunnel", "write Tunneling Created: by a"));
}

// The result of our task does not replace the lock of another process.
TEST_F(LockRenewal, AKeptResultDoesNotReplaceTheLockOfAnother) {
  prepare_site({{"phase", "Deploying"}});
  start(pipeline(1s), {at_status_write(2, http::ErrorResponse{.status = 503, .reason = "ServiceUnavailable"}, 1'000)});
  simulation.executor().sleep_for(10s);
  ASSERT_EQ(condition(), "Locked: make the tunnel");
  const auto theirs = Lock{.holder = "other", .since = simulation.executor().wall_now() - 10min};
  instance->transport().set_faults({});  // the next attempt of this process follows in seconds
  set_status({{"conditions", condition_value(locked, "theirs", theirs)}});
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(calls.of("begin").size(), 2U) << "the step ran again after the lock was recovered";
}

}  // namespace
}  // namespace pintle::guard
