// SPDX-License-Identifier: Apache-2.0
#include <pintle/testing/simulate.hpp>

#include <cstdlib>
#include <memory>
#include <string>

#include <gmock/gmock.h>

#include <pintle/webhook/admission.hpp>

#include "simulate_test_support.hpp"

namespace pintle::testkit {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

TEST(Simulate, AnExhaustiveExplorationReachesItsBound) {
  if (is_sanitized) GTEST_SKIP() << too_long_for_a_sanitizer;
  const SimulateOptions options{
      .name = "all", .active = 1s, .exhaustive = ExplorationBound{.deviations = 1, .decisions = 40}};
  const auto report = simulate(options, operator_with(light));
  EXPECT_TRUE(report);
  ASSERT_TRUE(report.explored);
  EXPECT_GT(report.trials, 40U);
  EXPECT_THAT(report.text(), HasSubstr("all schedules with at most 1 deviations in their first 40 decisions"));
  SimulateOptions alone = options;
  alone.processes = 1;
  EXPECT_EQ(simulate(alone, operator_with(light)).trials, report.trials);
}

// A thread that fails if it runs exactly between two steps of another one, which random schedules do not find.
void add_racing_threads(Manager& manager, bool& has_failed) {
  int step = 0;
  const auto steps = [&manager](int count, const std::function<void(int)>& act) {
    for (int i = 0; i < count; ++i) {
      act(i);
      manager.executor().yield();
    }
  };
  Thread counter = manager.executor().spawn({.name = "counter"}, [&] { steps(20, [&](int i) { step = i; }); });
  Thread other = manager.executor().spawn({.name = "other"}, [&] { steps(3, [](int) {}); });
  Thread racer = manager.executor().spawn({.name = "racer"}, [&] { has_failed = has_failed || step == 10; });
  counter.join();
  other.join();
  racer.join();
}

TEST(Simulate, AFailureOfAnExplorationIsShrunkAndCanBeReplayed) {
  if (is_sanitized) GTEST_SKIP() << too_long_for_a_sanitizer;
  const SimulateOptions options{
      .name = "race", .processes = 1, .active = 1s, .exhaustive = ExplorationBound{.deviations = 2, .decisions = 80}};
  const SubjectSetup set_up = [](Subject& subject) {
    const auto has_failed = std::make_shared<bool>(false);
    subject.add_controllers = [has_failed](Manager& manager) {
      add_racing_threads(manager, *has_failed);
      manager.add(Controller<Bulb>{.owns = {ConfigMap::type}, .reconcile = light});
    };
    subject.edits = {{.what = "does nothing", .act = [](Client&) -> Result<void> { return {}; }}};
    subject.invariants = {{.name = "no race", .check = [has_failed](Client&) -> Result<void> {
                             return *has_failed ? fail(ErrorCode::invalid, "a race") : Result<void>();
                           }}};
  };
  const auto report = simulate(options, set_up);
  ASSERT_TRUE(report.failure);
  EXPECT_EQ(report.failure->oracle, Oracle::invariants) << report.text();
  EXPECT_TRUE(report.failure->events.empty());
  EXPECT_EQ(report.failure->events_before, 1U);
  ASSERT_TRUE(report.failure->deviations);
  EXPECT_EQ(report.failure->deviations->size(), 1U) << report.text();

  const ReplayVariable replay(variable_in(report.failure->replay));
  const auto replayed = simulate(options, set_up);
  EXPECT_EQ(replayed.trials, 1U);
  ASSERT_TRUE(replayed.failure);
  EXPECT_EQ(replayed.failure->timeline, report.failure->timeline);
  EXPECT_EQ(replayed.failure->deviations, report.failure->deviations);
}

// The process terminates before it can send the result of the schedule.
TEST(Simulate, AScheduleWithACrashIsShrunkToo) {
  SimulateOptions options{
      .name = "crash", .active = 1s, .exhaustive = ExplorationBound{.deviations = 1, .decisions = 9}};
  const auto report = simulate(options, operator_with([](const Bulb& bulb, Context&) -> Outcome {
                                 if (bulb.spec.watts == 1) std::abort();
                                 return done;
                               }));
  ASSERT_TRUE(report.failure);
  EXPECT_EQ(report.failure->oracle, Oracle::runs);
  ASSERT_TRUE(report.failure->deviations);
  EXPECT_TRUE(report.failure->deviations->empty());
}

TEST(Simulate, ReplicasHoldTheLease) {
  if (is_sanitized) GTEST_SKIP() << too_long_for_a_sanitizer;
  const auto report = simulate({.name = "replicas", .seeds = 12}, [](Subject& subject) {
    operator_with(light)(subject);
    subject.manager.leader_election = LeaderElectionOptions{};
    subject.instances = 2;
  });
  EXPECT_TRUE(report);
}

TEST(Simulate, SomeTrialsHaveThreeReplicas) {
  const auto report = simulate({.name = "three", .seeds = 2, .processes = 1, .faults = {}}, [](Subject& subject) {
    const auto processes = std::make_shared<int>(0);
    subject.manager.leader_election = LeaderElectionOptions{};
    subject.random_edits = false;
    subject.add_controllers = [processes](Manager& manager) {
      ++*processes;
      manager.add(Controller<Bulb>{.owns = {ConfigMap::type}, .reconcile = light});
    };
    subject.invariants = {{.name = "there are two processes",
                           .check = [processes](Client&) -> Result<void> {
                             if (*processes == 2) return {};
                             return fail(ErrorCode::invalid, "there are " + std::to_string(*processes));
                           },
                           .needs_objects = true}};
  });
  ASSERT_TRUE(report.failure);
  EXPECT_EQ(report.failure->seed, 2U);
  EXPECT_THAT(report.failure->message, HasSubstr("there are 3"));
}

TEST(Simulate, ACrashSweepEndsTheProcessAtEachWriteOnce) {
  const auto report = simulate({.name = "sweep", .seeds = 40, .faults = {FaultClass::crash}}, operator_with(light));
  EXPECT_TRUE(report);
  EXPECT_EQ(report.faults.at("sweep-before-write"), 4U);
  EXPECT_EQ(report.faults.at("sweep-after-write"), 4U);

  // Seed 5 is a sweep.
  const auto once = simulate({.name = "sweep", .seeds = 1, .first_seed = 5}, [](Subject& subject) {
    const auto processes = std::make_shared<int>(0);
    subject.add_controllers = [processes](Manager& manager) {
      ++*processes;
      manager.add(Controller<Bulb>{.owns = {ConfigMap::type}, .reconcile = light});
    };
    subject.invariants = {{.name = "one process has crashed",
                           .check = [processes](Client&) -> Result<void> {
                             if (*processes <= 2) return {};
                             return fail(ErrorCode::invalid, "there were " + std::to_string(*processes));
                           },
                           .needs_objects = true}};
  });
  EXPECT_TRUE(once);
}

// The instances write the Secret with the certificates of the webhooks before one of them holds the Lease.
TEST(Simulate, ReplicasMayHaveWebhooks) {
  const auto report = simulate({.name = "doors", .seeds = 4, .faults = {FaultClass::restart}}, [](Subject& subject) {
    subject.manager.leader_election = LeaderElectionOptions{};
    subject.manager.webhooks.listen = "0.0.0.0:9443";
    subject.add_controllers = [](Manager& manager) {
      manager.add(Controller<Bulb>{.owns = {ConfigMap::type}, .reconcile = light});
      manager.add(Admission<Bulb>{.validate = [](const Bulb&, const AdmissionContext&) { return admitted(); }});
    };
  });
  EXPECT_TRUE(report);
}

// The failure is not shrunk, because the plan of the trial needs the survey, which takes too much real time too.
TEST(Simulate, EndsATrialThatTakesTooMuchRealTime) {
  SimulateOptions options{.name = "slow", .seeds = 2, .max_trial_time = std::chrono::milliseconds(1)};
  const auto report = simulate(options, [](Subject& subject) {
    subject.add_controllers = [](Manager& manager) {
      volatile bool is_over = false;
      while (!is_over) {}
      manager.add(Controller<Bulb>{.reconcile = light});
    };
  });
  ASSERT_TRUE(report.failure);
  EXPECT_EQ(report.failure->oracle, Oracle::runs);
  EXPECT_THAT(report.failure->message, HasSubstr("takes longer than 1ms of real time"));
}

}  // namespace
}  // namespace pintle::testkit
