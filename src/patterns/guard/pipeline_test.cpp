// SPDX-License-Identifier: Apache-2.0
// The order of providers, and the phases of a workspace.
#include <pintle/patterns/guard/pipeline.hpp>

#include <stdexcept>

#include <pintle/testing/call_recorder.hpp>

#include "test_support.hpp"

namespace pintle::guard {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using enum ConditionStatus;

class GuardPipeline : public GuardTest {
 protected:
  // A provider whose calls are added to the story, and whose steps return the results that a test sets.
  Provider<Site> provider(const std::string& type, std::function<StepResult(ProviderController&)> reconcile,
                          std::function<StepResult(ProviderController&)> terminate = {}) {
    Provider<Site> made{.condition = type,
                        .reconcile = [this, type, reconcile](const Site&, ProviderController& controller) {
                          story.push_back(type);
                          return reconcile(controller);
                        }};
    if (terminate) {
      made.terminate = [this, type, terminate](const Site&, ProviderController& controller) {
        story.push_back("end " + type);
        return terminate(controller);
      };
    }
    return made;
  }
  static StepResult next(ProviderController&) { return next_step; }
  // Starts a pipeline with these providers, and waits until the simulation is idle.
  void run(std::vector<Provider<Site>> providers, http::FaultPlan errors = {}) {
    start({.providers = std::move(providers)}, std::move(errors));
    if (!is_prepared) create_site();
    simulation.run_until_idle();
  }
  // Runs one reconcile of the site in its current state. Returns the outcome.
  Outcome run_one_reconcile(std::vector<Provider<Site>> providers) {
    const auto made = controller(simulation.executor(), Pipeline<Site>{.providers = std::move(providers)});
    return testkit::in_reconcile(simulation, stored(), [&](const Object& site, Context& context) {
      return erase_type(made).reconcile(site, context);
    });
  }
  [[nodiscard]] double reconciles(const std::string& result) {
    return instance->manager()
        .metrics()
        .counter("controller_runtime_reconcile_total", "", {{"controller", "site"}, {"result", result}})
        .value();
  }
  // Records each write of the status.
  static http::Fault note_writes(testkit::CallRecorder& writes) {
    return {.effect = http::Delay{}, .only = [&writes](const http::Request& request) {
              if (request.method == "PATCH" && request.target.find("/sites/a/status") != std::string::npos) {
                (void)writes.call("write", "", request.body);
              }
              return false;
            }};
  }
  [[nodiscard]] std::vector<std::string> steps() const {
    std::vector<std::string> called;
    for (const std::string& line : story) {
      if (!line.starts_with("write")) called.push_back(line);
    }
    return called;
  }
};

// A step that returns next_step is followed by the next step (T0-23). A pipeline that ignores results fails the next
// test; a pipeline that always ends at the first step fails this one.
TEST_F(GuardPipeline, ContinuesWithTheNextStep) {
  prepare_site({{"phase", "Deploying"}});
  const Outcome outcome = run_one_reconcile({provider("A", next), provider("B", next), provider("C", next)});
  EXPECT_TRUE(outcome.is_done());
  EXPECT_THAT(steps(), ElementsAre("A", "B", "C"));
}

// A step that returns an outcome ends the reconcile (T0-23).
TEST_F(GuardPipeline, AnOutcomeEndsTheReconcile) {
  prepare_site({{"phase", "Deploying"}});
  const auto ending = [](Outcome end) { return [end](ProviderController&) -> StepResult { return end; }; };
  const Outcome later =
      run_one_reconcile({provider("A", next), provider("B", ending(requeue_after(10s))), provider("C", next)});
  ASSERT_NE(later.as_requeue_after(), nullptr) << "the reconcile returns the outcome of the step";
  EXPECT_EQ(later.as_requeue_after()->delay, 10s);
  EXPECT_THAT(steps(), ElementsAre("A", "B"));
  story.clear();
  EXPECT_TRUE(run_one_reconcile({provider("A", ending(done)), provider("B", next)}).is_done());
  EXPECT_THAT(steps(), ElementsAre("A")) << "done ends the reconcile too; only next_step continues";
  story.clear();
  EXPECT_TRUE(run_one_reconcile({provider("A", ending(requeue)), provider("B", next)}).is_requeue());
  EXPECT_THAT(steps(), ElementsAre("A"));
  EXPECT_EQ(phase(), "Deploying");
}

// The server reports the conflict, because the write was for a version that is outdated (T0-23).
TEST_F(GuardPipeline, RequeuesAfterAConflictOfTheServer) {
  prepare_site({{"phase", "Deploying"}, {"conditions", condition_value(waiting, "for it")}});
  int tasks = 0;
  const auto guarding = provider(tunneling, [&](ProviderController& controller) -> StepResult {
    set_status({{"tunnel", "theirs"}});
    return controller.guard("r", done_as(completed, "done", [&] { ++tasks; }));
  });
  const Outcome outcome = run_one_reconcile({guarding, provider("B", next)});
  ASSERT_NE(outcome.as_requeue_after(), nullptr);
  EXPECT_EQ(outcome.as_requeue_after()->delay, 1s);
  EXPECT_EQ(tasks, 0);
  EXPECT_THAT(steps(), ElementsAre(tunneling)) << "the next step is not run";
  EXPECT_EQ(phase(), "Deploying");
  EXPECT_EQ(condition(), "Waiting: for it");
  EXPECT_EQ(simulation.server().objects("events").size(), 0U);
}

// A conflict of the API that concerns another object counts as well.
TEST_F(GuardPipeline, RequeuesAfterAConflictOfAStepWithTheServer) {
  prepare_site({{"phase", "Deploying"}});
  ASSERT_TRUE(simulation.user().create(ConfigMap{.metadata = {.name = "m", .namespace_ = "default"}}));
  const Outcome outcome = run_one_reconcile({provider("A", [](ProviderController& controller) -> StepResult {
    return controller.context().client().patch(ConfigMap::type, {"default", "m"},
                                               json::Value{{"metadata", {{"resourceVersion", "1"}}}});
  })});
  ASSERT_NE(outcome.as_requeue_after(), nullptr);
  EXPECT_EQ(outcome.as_requeue_after()->delay, 1s);
  EXPECT_EQ(phase(), "Deploying");
}

// A conflict of another system must not be treated as one of the API, which is repeated each second without an error.
TEST_F(GuardPipeline, AConflictOfAnotherSystemFailsTheWorkspace) {
  const auto fail_with_conflict = [] { return fail(ErrorCode::conflict, "the cloud has another tunnel of this name"); };
  const std::vector<std::function<StepResult(ProviderController&)>> ways{
      [&](ProviderController& controller) -> StepResult { return controller.guard("r", fail_with_conflict); },
      [&](ProviderController&) -> StepResult { return fail_with_conflict(); }};
  for (const auto& way : ways) {
    if (stored()) delete_site();
    prepare_site({{"phase", "Deploying"}});
    EXPECT_TRUE(run_one_reconcile({provider(tunneling, way)}).is_done());
    EXPECT_EQ(phase(), "Error");
  }
  ASSERT_EQ(simulation.server().objects("events").size(), 2U);
  EXPECT_EQ(simulation.server().objects("events")[0]["/message"], "the cloud has another tunnel of this name");
}

// A task that writes to the API can get conflicts, which are temporary errors; the back-off bounds how often it runs.
TEST_F(GuardPipeline, AConflictOfATaskWithTheServerBacksOff) {
  prepare_site({{"phase", "Deploying"}});
  ASSERT_TRUE(simulation.user().create(ConfigMap{.metadata = {.name = "m", .namespace_ = "default"}}));
  const Outcome outcome = run_one_reconcile({provider(tunneling, [](ProviderController& controller) -> StepResult {
    return controller.guard("r", [&]() -> Result<TaskResult> {
      auto patched = controller.context().client().patch(ConfigMap::type, {"default", "m"},
                                                         json::Value{{"metadata", {{"resourceVersion", "1"}}}});
      return fail(patched.error());
    });
  })});
  ASSERT_NE(outcome.as_failed(), nullptr);
  EXPECT_FALSE(outcome.as_failed()->is_terminal);
  EXPECT_EQ(phase(), "Deploying");
}

TEST_F(GuardPipeline, TheFirstWriteSetsThePhase) {
  run({provider(tunneling, [&](ProviderController& controller) -> StepResult {
    if (controller.condition().status != initialized) return next_step;
    return controller.guard("r", done_as(created, "done", [&] { EXPECT_EQ(phase(), "Deploying"); }));
  })});
  EXPECT_THAT(story,
              ElementsAre("Tunneling", "write Tunneling Locked: r", "write Tunneling Created: done", "Tunneling"));
}

// The write at the end of a reconcile must not replace a lock that another process has taken in the meantime; otherwise
// both would run the task.
TEST_F(GuardPipeline, AnInitializedConditionDoesNotReplaceALock) {
  prepare_site({{"phase", "Deploying"}});
  const auto theirs = condition_value(locked, "theirs", Lock{.holder = "other"});
  const Outcome outcome = run_one_reconcile({provider(tunneling,
                                                      [&](ProviderController&) -> StepResult {
                                                        set_status({{"conditions", theirs}});
                                                        return next_step;
                                                      }),
                                             provider("B", [](ProviderController& controller) -> StepResult {
                                               controller.status().set("/tunnel", "t-1");
                                               return next_step;
                                             })});
  EXPECT_TRUE(outcome.is_done());
  EXPECT_EQ(condition(), "Locked: theirs");
  EXPECT_EQ(stored()["/status/tunnel"], "t-1") << "the other changes are written";
}

// The steps of a workspace in the phase Error are not called (T0-25).
TEST_F(GuardPipeline, AWorkspaceInErrorRunsNoStep) {
  prepare_site({{"phase", "Error"}});
  run({provider("A", next)});
  EXPECT_THAT(story, IsEmpty());
  EXPECT_EQ(requests, 0);
  EXPECT_EQ(reconciles("success"), 1);
}

TEST_F(GuardPipeline, AnErrorOfAStepFailsTheWorkspacePermanently) {
  run({provider("A", [](ProviderController&) -> StepResult { return fail(ErrorCode::unknown, "boom"); }),
       provider("B", next)});
  EXPECT_THAT(steps(), ElementsAre("A"));
  EXPECT_EQ(phase(), "Error");
  const auto events = simulation.server().objects("events");
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0]["/reason"], "Error");
  EXPECT_EQ(events[0]["/type"], "Warning");
  EXPECT_EQ(events[0]["/message"], "boom");
  EXPECT_EQ(reconciles("error"), 0);
}

TEST_F(GuardPipeline, ATemporaryErrorIsRetried) {
  prepare_site({{"phase", "Deploying"}});
  run({provider("A", [&](ProviderController&) -> StepResult {
    if (steps().size() < 4) return fail(ErrorCode::unavailable, "not now");
    return next_step;
  })});
  EXPECT_EQ(reconciles("error"), 3);
  EXPECT_EQ(phase(), "Deploying");
}

// The error of a task becomes final only when the condition contains it.
TEST_F(GuardPipeline, AnErrorThatCouldNotBeWrittenIsWrittenLater) {
  prepare_site({{"phase", "Deploying"}});
  run({provider(tunneling,
                [](ProviderController& controller) -> StepResult {
                  return controller.guard("r", [] { return fail(ErrorCode::unknown, "boom"); });
                })},
      {at_status_write(2, http::ErrorResponse{})});
  EXPECT_THAT(story, ElementsAre("Tunneling", "write Tunneling Locked: r", "write Tunneling Error: boom",
                                 "write Tunneling Error: boom", "write"))
      << "the write is retried, but not the task";
  EXPECT_EQ(phase(), "Error");
}

// The same for a terminal error: the pending write is retried by the queue, because no event of a write causes a
// reconcile.
TEST_F(GuardPipeline, ATerminalErrorThatCouldNotBeWrittenIsWrittenLater) {
  prepare_site({{"phase", "Deploying"}});
  const auto boom = provider(tunneling, [](ProviderController& controller) -> StepResult {
    return controller.guard("r", [] { return fail(make_error(ErrorCode::invalid, "boom").terminal()); });
  });
  start(
      [&](Manager& manager) {
        auto made = controller(manager, Pipeline<Site>{.providers = {boom}});
        made.predicate = generation_changed();
        manager.add(std::move(made));
      },
      {at_status_write(2, http::ErrorResponse{})});
  simulation.run_until_idle();
  EXPECT_EQ(condition(), "Error: boom");
  EXPECT_EQ(phase(), "Error");
}

// The server did not respond, which is not a failure of the workspace.
TEST_F(GuardPipeline, AnUnavailableServerDoesNotFailTheWorkspace) {
  prepare_site({{"phase", "Deploying"}});
  run({provider(tunneling,
                [](ProviderController& controller) -> StepResult {
                  if (controller.condition().status == created) return next_step;
                  return controller.guard("r", done_as(created, "done"));
                })},
      {at_status_write(1, http::ErrorResponse{.status = 503, .reason = "ServiceUnavailable"}, 2)});
  EXPECT_EQ(phase(), "Deploying");
  EXPECT_EQ(condition(), "Created: done");
  EXPECT_EQ(reconciles("error"), 1);
}

TEST_F(GuardPipeline, TerminatesInReverseOrderWithoutReconciling) {
  prepare_site({{"phase", "Deploying"}}, {"test.pintle.dev/a", "test.pintle.dev/c"});
  delete_site();
  const auto release = [](const std::string& finalizer) {
    return [finalizer](ProviderController& controller) -> StepResult { return controller.remove_finalizer(finalizer); };
  };
  run({provider("A", next, release("test.pintle.dev/a")), provider("B", next),
       provider("C", next, release("test.pintle.dev/c"))});
  EXPECT_THAT(steps(), ElementsAre("end C", "end A"));
  EXPECT_FALSE(stored());
  const auto events = simulation.server().objects("events");
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0]["/reason"], "Terminating");
  EXPECT_EQ(events[0]["/message"], "Waiting for external dependencies to be cleaned up");
}

// The write that unlocks reads the newest version of the workspace, so the reconcile notices the deletion (B9).
TEST_F(GuardPipeline, NoStepReconcilesAWorkspaceDeletedDuringATask) {
  prepare_site({{"phase", "Deploying"}}, {"test.pintle.dev/a"});
  const auto make = [this](ProviderController& controller) -> StepResult {
    if (controller.condition().status == created) return next_step;
    return controller.guard("r", done_as(created, "done", [this] { delete_site(); }));
  };
  const auto release = [this](ProviderController& controller) -> StepResult {
    EXPECT_EQ(condition("A"), "Created: done") << "the result of the task is stored";
    EXPECT_EQ(condition("B"), "") << "the next step has not begun";
    return controller.remove_finalizer("test.pintle.dev/a");
  };
  run({provider("A", make, release), provider("B", next, next)});
  EXPECT_THAT(steps(), ElementsAre("A", "end B", "end A"));
  EXPECT_FALSE(stored());
}

TEST_F(GuardPipeline, NoStepReconcilesAWorkspaceDeletedDuringARecovery) {
  prepare_site(
      {{"phase", "Deploying"},
       {"conditions",
        condition_value(locked, "r", Lock{.holder = "other", .since = simulation.executor().wall_now() - 5min})}},
      {"test.pintle.dev/a"});
  auto first = provider(tunneling, next, [](ProviderController& controller) -> StepResult {
    return controller.remove_finalizer("test.pintle.dev/a");
  });
  first.recover = [this](const Site&, ProviderController&) -> Result<TaskResult> {
    story.push_back("recover");
    delete_site();
    return TaskResult{.status = created, .reason = "it is there"};
  };
  run({first, provider("B", next, next)});
  EXPECT_THAT(steps(), ElementsAre("recover", "end B", "end Tunneling"));
  EXPECT_FALSE(stored());
}

TEST_F(GuardPipeline, NoConditionIsInitializedDuringTermination) {
  prepare_site({{"phase", "Deploying"}}, {"test.pintle.dev/hold"});
  delete_site();
  EXPECT_TRUE(run_one_reconcile({provider("A", next, next)}).is_done());
  EXPECT_THAT(steps(), ElementsAre("end A"));
  EXPECT_EQ(condition("A"), "");
  EXPECT_EQ(phase(), "Terminating");
}

TEST_F(GuardPipeline, AWorkspaceInErrorCanBeDeleted) {
  prepare_site({{"phase", "Error"}}, {"test.pintle.dev/a"});
  delete_site();
  run({provider("A", next, [](ProviderController& controller) -> StepResult {
    return controller.guard_then_remove_finalizer("end it", "test.pintle.dev/a", done_as(terminated, "gone"));
  })});
  EXPECT_FALSE(stored());
}

// In the original, the phase alternated between Terminating and Error without a delay (T0-24).
TEST_F(GuardPipeline, AnErrorDuringTerminationBacksOff) {
  prepare_site({{"phase", "Deploying"}}, {"test.pintle.dev/a"});
  delete_site();
  start({.providers = {
             provider("A", next, [](ProviderController&) -> StepResult { return fail(ErrorCode::unknown, "boom"); })}});
  simulation.executor().sleep_for(10min);
  EXPECT_EQ(phase(), "Terminating");
  const auto writes =
      std::count_if(story.begin(), story.end(), [](const auto& line) { return line.starts_with("write"); });
  EXPECT_EQ(writes, 1) << "the phase";
  EXPECT_LE(steps().size(), 20U);
  EXPECT_GE(steps().size(), 10U);
  EXPECT_EQ(reconciles("error"), static_cast<double>(steps().size()));
}

// In the phase Error nothing is called or written, whatever the condition is.
TEST_F(GuardPipeline, ATaskThatFailsPermanentlyRunsOnce) {
  testkit::CallRecorder calls(simulation.executor());
  testkit::CallRecorder writes(simulation.executor());
  start({.providers = {provider(tunneling,
                                [&](ProviderController& controller) -> StepResult {
                                  return controller.guard("r", [&]() -> Result<TaskResult> {
                                    (void)calls.call("create");
                                    return fail(ErrorCode::unknown,
                                                "request " + std::to_string(calls.size()) + " failed");
                                  });
                                })}},
        {note_writes(writes)});
  create_site();
  simulation.executor().sleep_for(2h);
  EXPECT_EQ(phase(), "Error");
  EXPECT_TRUE(calls.at_most(1, 2h));
  EXPECT_TRUE(writes.at_most(3, 2h)) << "the lock, the error, the phase";
}

TEST_F(GuardPipeline, AStepThatDoesNotApplyHasNoCondition) {
  auto dns = provider("DNS", next);
  dns.applies = [](const Site& site) { return site.spec.host.empty(); };
  run({dns, provider("B", next)});
  EXPECT_EQ(condition("DNS"), "");
  EXPECT_EQ(condition("B"), "Initialized: Initialized");
  EXPECT_THAT(steps(), ElementsAre("B", "B"));
}

TEST_F(GuardPipeline, EachStepReadsTheWritesOfEarlierSteps) {
  std::string seen;
  auto second = Provider<Site>{.condition = "B", .reconcile = [&](const Site& site, ProviderController&) -> StepResult {
                                 seen = site.status.tunnel;
                                 return next_step;
                               }};
  run({provider("A",
                [](ProviderController& controller) -> StepResult {
                  if (controller.condition().status == created) return next_step;
                  return controller.guard("r",
                                          done_as(created, "done", [&] { controller.status().set("/tunnel", "t-1"); }));
                }),
       second});
  EXPECT_EQ(seen, "t-1");
}

// An exception outside of a task is a failure of the reconcile, as in every controller.
TEST_F(GuardPipeline, AStepThatThrowsIsRetried) {
  int n = 0;
  run({provider("A", [&](ProviderController&) -> StepResult {
    if (++n == 1) throw std::runtime_error("no luck");
    return next_step;
  })});
  EXPECT_GE(n, 2);
  EXPECT_EQ(reconciles("error"), 1);
  EXPECT_EQ(phase(), "Deploying");
}

TEST_F(GuardPipeline, WorksOnPlainObjects) {
  prepare_site();
  start([](Manager& manager) {
    manager.add(controller(
        manager.executor(),
        Pipeline<Object>{.watch = {"test.pintle.dev/v1", "Site"},
                         .providers = {Provider<Object>{
                             .condition = tunneling,
                             .reconcile = [](const Object& site, ProviderController& controller) -> StepResult {
                               if (controller.condition().status == created) return next_step;
                               return controller.guard("r", done_as(created, std::string(site["/spec/host"].text())));
                             }}}}));
  });
  simulation.run_until_idle();
  EXPECT_EQ(condition(), "Created: example.com");
}

// Missing members of a kind, and missing options, are compile errors.
struct Mute {
  static constexpr Type type{"test.pintle.dev/v1", "Mute"};
  struct Status {
    static constexpr auto fields() { return pintle::fields(); }
  };
  Metadata metadata{};
  Status status{};
};
static_assert(Workspace<Site> && Workspace<Object> && !Workspace<Mute> && !Workspace<ConfigMap>);
template <class T>
concept MayLeaveOutReconcile = requires { Provider<T>{.condition = std::string("A")}; };
template <class T>
concept MayLeaveOutCondition = requires(ProviderFunction<T> f) { Provider<T>{.reconcile = f}; };
template <class T>
concept MayLeaveOutWatch = requires(std::vector<Provider<T>> providers) { Pipeline<T>{.providers = providers}; };
static_assert(!MayLeaveOutReconcile<Site> && !MayLeaveOutCondition<Site>);
static_assert(MayLeaveOutWatch<Site>);
static_assert(!std::is_convertible_v<Result<bool>, StepResult>);
static_assert(std::is_convertible_v<Result<void>, StepResult> && std::is_convertible_v<RequeueAfter, StepResult>);

TEST_F(GuardPipeline, ErrorsOfThePipelineAreReportedAtStart) {
  const auto errors_of = [&](Pipeline<Site> pipeline) {
    auto made =
        make_instance([&](Manager& manager) { manager.add(controller(manager.executor(), std::move(pipeline))); });
    made->start();
    made->join();
    return made->started() ? std::string() : made->started().error().to_string();
  };
  EXPECT_THAT(errors_of({.providers = {}}), HasSubstr("the pipeline has no providers"));
  EXPECT_THAT(errors_of({.providers = {provider("", next)}}), HasSubstr("the condition type \"\""));
  EXPECT_THAT(errors_of({.providers = {provider("A", next), provider("A", next)}}),
              HasSubstr("two providers have the condition \"A\""));
  EXPECT_THAT(errors_of({.providers = {Provider<Site>{.condition = "A", .reconcile = ProviderFunction<Site>()}}}),
              HasSubstr("condition \"A\" has an empty .reconcile"));
  EXPECT_THAT(errors_of({.providers = {provider("A", next)}, .conflict_requeue_after = -1s}),
              HasSubstr("negative .conflict_requeue_after"));
  EXPECT_THAT(errors_of({.providers = {provider("A", next)}, .instance_label = "not a label"}),
              HasSubstr("the instance label \"not a label\""));
  EXPECT_THAT(errors_of({.providers = {provider("A", next)}, .locks = {.lock_timeout = 1s}}),
              HasSubstr("less than 3s"));
  EXPECT_THAT(errors_of({.providers = {provider("A", next)}, .locks = {.lock_timeout_without_renewal = -1s}}),
              HasSubstr("negative"));
}

}  // namespace
}  // namespace pintle::guard
