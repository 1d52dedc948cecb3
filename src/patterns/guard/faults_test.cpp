// SPDX-License-Identifier: Apache-2.0
// A pipeline under faults: tasks of two processes that may fail, writes that fail in every way, watches that are cut,
// crashes, and workspaces that are deleted and created again.
#include <map>

#include <pintle/base/random.hpp>
#include <pintle/testing/call_recorder.hpp>
#include <pintle/testing/seeds.hpp>

#include "test_support.hpp"

namespace pintle::guard {
namespace {

using namespace std::chrono_literals;
using enum ConditionStatus;

class GuardRecreation : public GuardTest {
 protected:
  // Replaces the workspace by a new one of the same name.
  void recreate_site() {
    delete_site();
    create_site();
  }
  // A step that creates the tunnel under its lock. `during` runs in the first task.
  Pipeline<Site> pipeline(const std::function<void()>& with_operation) {
    return {.providers = {
                {.condition = tunneling,
                 .reconcile = [this, with_operation](const Site& site, ProviderController& controller) -> StepResult {
                   if (controller.condition().status == created) return next_step;
                   return controller.guard("make it", [&]() -> Result<TaskResult> {
                     const std::string uid = site.metadata.uid;
                     tasks.push_back(uid);
                     controller.status().set("/tunnel", "t-" + std::to_string(tasks.size()));
                     if (tasks.size() == 1) with_operation();
                     return TaskResult{.status = created, .reason = "of " + uid};
                   });
                 }}}};
  }
  void expect_each_has_its_own() {
    ASSERT_TRUE(simulation.run_until_idle());
    ASSERT_EQ(tasks.size(), 2U);
    EXPECT_NE(tasks[0], tasks[1]);
    EXPECT_EQ(std::string(stored().uid()), tasks[1]);
    EXPECT_EQ(condition(), "Created: of " + tasks[1]);
    EXPECT_EQ(stored()["/status/tunnel"], "t-2");
    for (const std::string& line : story) EXPECT_EQ(line.find("Error"), std::string::npos) << line;
  }

  std::vector<std::string> tasks;  // the uid of the workspace of each task
};

TEST_F(GuardRecreation, TheResultOfATaskIsNotWrittenToTheNewWorkspace) {
  prepare_site({{"phase", "Deploying"}});
  start(pipeline([this] { recreate_site(); }));
  expect_each_has_its_own();
}

TEST_F(GuardRecreation, RenewalsOfATaskDoNotLockTheNewWorkspace) {
  prepare_site({{"phase", "Deploying"}});
  start(pipeline([this] {
    recreate_site();
    simulation.executor().sleep_for(1min);
    EXPECT_EQ(condition(), "") << "the new workspace has no condition";
  }));
  simulation.executor().sleep_for(2min);
  expect_each_has_its_own();
}

TEST_F(GuardRecreation, PendingWritesOfTheOldWorkspaceDoNotReachTheNewOne) {
  prepare_site({{"phase", "Deploying"}});
  start(pipeline([] {}), {at_status_write(2, http::ErrorResponse{.status = 503, .reason = "ServiceUnavailable"}, 4)});
  ASSERT_TRUE(simulation.wait_until([&] { return tasks.size() == 1; }));
  ASSERT_EQ(condition(), "Locked: make it");
  recreate_site();
  expect_each_has_its_own();
}

// Two processes without leader election run one pipeline of two steps, with faults for ten minutes.
struct FaultyWorld {
  explicit FaultyWorld(std::uint64_t seed) : simulation({.seed = seed}), random(seed) {}

  Pipeline<Site> pipeline(const std::string& who) { return {.providers = {step("Tunnel", who), step("Name", who)}}; }
  Provider<Site> step(const std::string& type, const std::string& who) {
    return {.condition = type,
            .reconcile = [this, type, who](const Site&, ProviderController& controller) -> StepResult {
              if (controller.condition().status == created) return next_step;
              return controller.guard("make " + type, [&]() -> Result<TaskResult> {
                auto& at_work = working[type];
                EXPECT_TRUE(at_work.empty()) << who << " began " << type << " while " << at_work << " was at it";
                at_work = who;
                ++calls[type];
                const auto stop = controller.context().stop_token();
                const bool ended = simulation.executor().sleep_for(std::chrono::seconds(random.below(40)), stop);
                if (at_work == who) at_work.clear();
                if (!ended) return fail(ErrorCode::cancelled, "asked to stop");
                if (is_bad && random.below(4) == 0) {
                  return fail(ErrorCode::unavailable, "request " + std::to_string(calls[type]));
                }
                return TaskResult{.status = created, .reason = "by " + who};
              });
            }};
  }
  std::unique_ptr<testkit::Instance> process(const std::string& who) {
    auto made = std::make_unique<testkit::Instance>(
        simulation, ManagerOptions{.name = "op", .log_level = LogLevel::off},
        [this, who](Manager& manager) { manager.add(controller(manager.executor(), pipeline(who))); });
    made->start();
    EXPECT_TRUE(simulation.wait_until([&] { return made->manager().is_ready(); }));
    return made;
  }
  [[nodiscard]] http::FaultPlan faults() {
    const auto write = [](const http::Request& request) { return http::is_write(request); };
    return {
        {.effect = http::conflict_response(), .only = write, .probability = 0.1},
        {.effect = http::ErrorResponse{.status = 500, .reason = "InternalError"}, .only = write, .probability = 0.1},
        {.effect = http::Drop{}, .only = write, .probability = 0.05},
        {.effect = http::Drop{.after_commit = true}, .only = write, .probability = 0.1},
        {.effect = http::Delay{.duration = 7s, .after_commit = true}, .only = write, .probability = 0.05},
        {.effect = http::TruncateBody{.after = 20s}, .only = http::is_watch}};
  }

  testkit::Simulation simulation;
  Random random;
  bool is_bad = true;
  std::map<std::string, std::string> working;  // the process that runs the task of each step
  std::map<std::string, int> calls;
};

TEST(GuardUnderFaults, TwoProcessesNeverOverlapAndCompleteTheWork) {
  for (const std::uint64_t seed : testkit::seeds({.usual = 40, .sanitized = 4})) {
    SCOPED_TRACE(seed);
    FaultyWorld world(seed);
    ASSERT_TRUE(world.simulation.install<Site>());
    auto a = world.process("a");
    auto b = world.process("b");
    a->transport().set_faults(world.faults());
    b->transport().set_faults(world.faults());
    const ObjectKey key{"default", "a"};
    ASSERT_TRUE(world.simulation.user().create(Site{.metadata = {.name = key.name, .namespace_ = key.namespace_}}));
    for (int minute = 0; minute < 10; ++minute) {
      world.simulation.executor().sleep_for(1min);
      if (world.random.below(3) != 0) continue;
      // The crash also ends its tasks.
      auto& dying = world.random.below(2) == 0 ? a : b;
      const std::string who = &dying == &a ? "a" : "b";
      dying->crash();
      for (auto& [type, at_work] : world.working) {
        if (at_work == who) at_work.clear();
      }
      dying->start();
      ASSERT_TRUE(world.simulation.wait_until([&] { return dying->manager().is_ready(); }));
      dying->transport().set_faults(world.faults());
    }
    world.is_bad = false;
    a->transport().set_faults({});
    b->transport().set_faults({});
    const auto is_done = [&] {
      const Object site = world.simulation.user().get(Site::type, key).value_or(Object());
      const auto tunnel = condition_of(site, "Tunnel");
      const auto name = condition_of(site, "Name");
      return tunnel && name && tunnel->status == created && name->status == created;
    };
    EXPECT_TRUE(world.simulation.wait_until(is_done, 1h));
    for (const auto& [type, count] : world.calls) EXPECT_LE(count, 30) << type;
    a.reset();
    b.reset();
    if (::testing::Test::HasFailure()) return;
  }
}

// The process crashes at each of its calls, and the next process completes the work.
TEST(GuardUnderFaults, TheWorkIsCompletedAfterACrashAtAnyCall) {
  for (std::uint64_t call = 1; call <= 24; call += testkit::is_sanitized ? 7 : 1) {
    SCOPED_TRACE(call);
    FaultyWorld world(call);
    world.is_bad = false;
    ASSERT_TRUE(world.simulation.install<Site>());
    const ObjectKey key{"default", "a"};
    ASSERT_TRUE(world.simulation.user().create(Site{.metadata = {.name = key.name, .namespace_ = key.namespace_}}));
    testkit::Instance first(
        world.simulation, {.name = "op", .log_level = LogLevel::off},
        [&](Manager& manager) { manager.add(controller(manager.executor(), world.pipeline("a"))); },
        {{.effect = http::Crash{.after_commit = call % 2 == 0}, .first = (call + 1) / 2, .times = 1}});
    first.start();
    (void)world.simulation.wait_until([&] { return first.transport().is_crashed(); }, 3min);
    first.crash();
    world.working.clear();
    auto second = world.process("b");
    const auto is_done = [&] {
      const Object site = world.simulation.user().get(Site::type, key).value_or(Object());
      const auto name = condition_of(site, "Name");
      return name && name->status == created;
    };
    EXPECT_TRUE(world.simulation.wait_until(is_done, 10min));
    for (const auto& [type, count] : world.calls) EXPECT_LE(count, 2) << type;
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace pintle::guard
