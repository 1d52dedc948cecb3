// Providers in their order, and what a workspace goes through.
#include <pintle/patterns/guard/pipeline.hpp>

#include <stdexcept>

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
  // Steps that say in the story that they were called, and come to what a test wants.
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
  // Starts with these, and waits until nothing happens.
  void run(std::vector<Provider<Site>> providers, http::FaultPlan faults = {}) {
    start({.providers = std::move(providers)}, std::move(faults));
    if (!is_prepared) create_site();
    simulation.settle();
  }
  [[nodiscard]] double passes(const std::string& result) {
    return instance->manager()
        .metrics()
        .counter("controller_runtime_reconcile_total", "", {{"controller", "site"}, {"result", result}})
        .value();
  }
  [[nodiscard]] std::vector<std::string> steps() const {
    std::vector<std::string> called;
    for (const std::string& line : story) {
      if (!line.starts_with("write")) called.push_back(line);
    }
    return called;
  }
};

// T0-23 K
TEST_F(GuardPipeline, GoesOnToTheNextStep) {
  prepare_site({{"phase", "Deploying"}});
  run({provider("A", next), provider("B", next)});
  EXPECT_THAT(steps(), ElementsAre("A", "B", "A", "B")) << "and once more for what the first pass wrote";
}

// T0-23 K
TEST_F(GuardPipeline, EndsWithAResult) {
  int n = 0;
  prepare_site({{"phase", "Deploying"}});
  run({provider("A",
                [&](ProviderController&) -> StepResult {
                  if (++n < 3) return look_again_in(10s);
                  return settled;
                }),
       provider("B", next)});
  EXPECT_THAT(steps(), ElementsAre("A", "A", "A"));
}

// T0-23 K
TEST_F(GuardPipeline, LooksAgainAfterAConflict) {
  prepare_site({{"phase", "Deploying"}, {"conditions", condition_value(waiting, "for it")}});
  std::vector<Instant> at;
  run({provider(tunneling,
                [&](ProviderController& controller) -> StepResult {
                  at.push_back(simulation.runtime().now());
                  if (at.size() == 1) return fail(ErrorCode::conflict, "too late");
                  if (controller.condition().status == completed) return next_step;
                  return controller.guard("r", done_as(completed, "done", [&] { EXPECT_EQ(phase(), "Deploying"); }));
                }),
       provider("B", next)});
  ASSERT_GE(at.size(), 2U);
  EXPECT_EQ(at[1] - at[0], 1s);
  EXPECT_EQ(phase(), "Deploying");
  EXPECT_EQ(passes("error"), 0);
  EXPECT_EQ(simulation.server().objects("events").size(), 0U);
}

TEST_F(GuardPipeline, SaysWhereItBeginsInTheFirstWrite) {
  run({provider(tunneling, [&](ProviderController& controller) -> StepResult {
    if (controller.condition().status != initialized) return next_step;
    return controller.guard("r", done_as(created, "done", [&] { EXPECT_EQ(phase(), "Deploying"); }));
  })});
  EXPECT_THAT(story,
              ElementsAre("Tunneling", "write Tunneling Locked: r", "write Tunneling Created: done", "Tunneling"));
}

// T0-25 K
TEST_F(GuardPipeline, AWorkspaceInErrorIsLeftAlone) {
  prepare_site({{"phase", "Error"}});
  run({provider("A", next)});
  EXPECT_THAT(story, IsEmpty());
  EXPECT_EQ(requests, 0);
  EXPECT_EQ(passes("success"), 1);
}

TEST_F(GuardPipeline, AnErrorOfAStepFailsTheWorkspaceForGood) {
  run({provider("A", [](ProviderController&) -> StepResult { return fail(ErrorCode::unknown, "boom"); }),
       provider("B", next)});
  EXPECT_THAT(steps(), ElementsAre("A"));
  EXPECT_EQ(phase(), "Error");
  const auto events = simulation.server().objects("events");
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0]["/reason"], "Error");
  EXPECT_EQ(events[0]["/type"], "Warning");
  EXPECT_EQ(events[0]["/message"], "boom");
  EXPECT_EQ(passes("error"), 0);
}

// The cluster was silent: that is no fault of the workspace.
TEST_F(GuardPipeline, AClusterThatFailsDoesNotFailTheWorkspace) {
  prepare_site({{"phase", "Deploying"}});
  run({provider(tunneling,
                [](ProviderController& controller) -> StepResult {
                  if (controller.condition().status == created) return next_step;
                  return controller.guard("r", done_as(created, "done"));
                })},
      {at_status_write(1, http::AnswerError{.status = 503, .reason = "ServiceUnavailable"}, 2)});
  EXPECT_EQ(phase(), "Deploying");
  EXPECT_EQ(condition(), "Created: done");
  EXPECT_EQ(passes("error"), 1);
}

TEST_F(GuardPipeline, TerminatesInTheReverseOrderAndTerminatesOnly) {
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

TEST_F(GuardPipeline, AWorkspaceInErrorCanBeDeleted) {
  prepare_site({{"phase", "Error"}}, {"test.pintle.dev/a"});
  delete_site();
  run({provider("A", next, [](ProviderController& controller) -> StepResult {
    return controller.guard_then_remove_finalizer("end it", "test.pintle.dev/a", done_as(terminated, "gone"));
  })});
  EXPECT_FALSE(stored());
}

// T0-24 F: the phase went from Terminating to Error and back as fast as it could be written.
TEST_F(GuardPipeline, AnErrorWhileTerminatingBacksOff) {
  prepare_site({{"phase", "Deploying"}}, {"test.pintle.dev/a"});
  delete_site();
  start({.providers = std::vector{
             provider("A", next, [](ProviderController&) -> StepResult { return fail(ErrorCode::unknown, "boom"); })}});
  simulation.runtime().sleep_for(10min);
  EXPECT_EQ(phase(), "Terminating");
  const auto writes =
      std::count_if(story.begin(), story.end(), [](const auto& line) { return line.starts_with("write"); });
  EXPECT_EQ(writes, 1) << "the phase";
  EXPECT_LE(steps().size(), 20U);
  EXPECT_GE(steps().size(), 10U);
  EXPECT_EQ(passes("error"), static_cast<double>(steps().size()));
}

TEST_F(GuardPipeline, AStepThatDoesNotApplyHasNoCondition) {
  auto dns = provider("DNS", next);
  dns.applies = [](const Site& site) { return site.spec.host.empty(); };
  run({dns, provider("B", next)});
  EXPECT_EQ(condition("DNS"), "");
  EXPECT_EQ(condition("B"), "Initialized: Initialized");
  EXPECT_THAT(steps(), ElementsAre("B", "B"));
}

TEST_F(GuardPipeline, EachStepSeesWhatThoseBeforeItWrote) {
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

// Of what is thrown outside of a task the worker makes a failure, as everywhere.
TEST_F(GuardPipeline, AStepThatThrowsIsTriedAgain) {
  int n = 0;
  run({provider("A", [&](ProviderController&) -> StepResult {
    if (++n == 1) throw std::runtime_error("no luck");
    return next_step;
  })});
  EXPECT_GE(n, 2);
  EXPECT_EQ(passes("error"), 1);
  EXPECT_EQ(phase(), "Deploying");
}

TEST_F(GuardPipeline, WorksOnPlainObjects) {
  prepare_site();
  start([](Manager& manager) {
    manager.add(controller(
        manager.runtime(),
        Pipeline<Object>{.watch = {"test.pintle.dev/v1", "Site"},
                         .providers = std::vector{Provider<Object>{
                             .condition = tunneling,
                             .reconcile = [](const Object& site, ProviderController& controller) -> StepResult {
                               if (controller.condition().status == created) return next_step;
                               return controller.guard("r", done_as(created, std::string(site["/spec/host"].text())));
                             }}}}));
  });
  simulation.settle();
  EXPECT_EQ(condition(), "Created: example.com");
}

// What a kind has to have, and what has to be given, is told by the compiler.
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
concept MayLeaveOutProviders = requires { Pipeline<T>{.instance_label = std::string("a")}; };
static_assert(!MayLeaveOutReconcile<Site> && !MayLeaveOutCondition<Site> && !MayLeaveOutProviders<Site>);
static_assert(!std::is_convertible_v<Result<bool>, StepResult>);
static_assert(std::is_convertible_v<Result<void>, StepResult> && std::is_convertible_v<LookAgainIn, StepResult>);

TEST_F(GuardPipeline, SaysAtTheStartWhatIsWrongWithIt) {
  const auto faults_of = [&](Pipeline<Site> pipeline) {
    auto made =
        make_instance([&](Manager& manager) { manager.add(controller(manager.runtime(), std::move(pipeline))); });
    made->start();
    made->join();
    return made->started() ? std::string() : made->started().error().to_string();
  };
  EXPECT_THAT(faults_of({.providers = std::vector<Provider<Site>>{}}), HasSubstr("the pipeline has no providers"));
  EXPECT_THAT(faults_of({.providers = std::vector{provider("", next)}}), HasSubstr("the condition type \"\""));
  EXPECT_THAT(faults_of({.providers = std::vector{provider("A", next), provider("A", next)}}),
              HasSubstr("two providers have the condition \"A\""));
  EXPECT_THAT(
      faults_of({.providers = std::vector{Provider<Site>{.condition = "A", .reconcile = ProviderFunction<Site>()}}}),
      HasSubstr("condition \"A\" has an empty .reconcile"));
  EXPECT_THAT(faults_of({.providers = std::vector{provider("A", next)}, .after_conflict = -1s}),
              HasSubstr("negative .after_conflict"));
  EXPECT_THAT(faults_of({.providers = std::vector{provider("A", next)}, .instance_label = "not a label"}),
              HasSubstr("the instance label \"not a label\""));
}

}  // namespace
}  // namespace pintle::guard
