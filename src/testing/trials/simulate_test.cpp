// SPDX-License-Identifier: Apache-2.0
#include <pintle/testing/simulate.hpp>

#include <cstdlib>
#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

#include <gmock/gmock.h>

#include <pintle/object/owner.hpp>

#include "simulate_test_support.hpp"

namespace pintle::testkit {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

// A kind whose objects own objects of another kind that the operator reconciles too.
struct Chandelier {
  static constexpr Type type{"test.pintle.dev/v1", "Chandelier"};
  struct Spec {
    std::int64_t watts = 1;
    static constexpr auto fields() { return pintle::fields(field("watts", &Spec::watts).minimum(1).maximum(9)); }
  };
  Metadata metadata{};
  Spec spec{};
};
// The server refuses random objects of this kind.
struct Coded {
  static constexpr Type type{"test.pintle.dev/v1", "Coded"};
  struct Spec {
    std::string code;
    static constexpr auto fields() { return pintle::fields(field("code", &Spec::code).pattern("^[0-9]+$").required()); }
  };
  Metadata metadata{};
  Spec spec{};
};

TEST(Simulate, ACorrectOperatorPasses) {
  const auto report = simulate({.name = "lamp", .seeds = 20}, operator_with(light));
  EXPECT_TRUE(report);
  EXPECT_EQ(report.trials, 20U);
  EXPECT_GE(report.schedules, 20U);
  EXPECT_GT(report.faults.size(), 5U);
  for (const auto& [kind, count] : report.faults) {
    EXPECT_EQ(class_of_fault(kind).has_value(), kind != "deleted-child" && kind != "foreign-metadata") << kind;
  }
}

// The second controller writes its finalizer to all fittings, also to those that no chandelier owns.
TEST(Simulate, AnOperatorMayReconcileItsChildren) {
  const auto report = simulate({.name = "chandelier", .seeds = 5}, [](Subject& subject) {
    subject.add_controllers = [](Manager& manager) {
      manager.add(Controller<Chandelier>{
          .owns = {Fitting::type}, .reconcile = [](const Chandelier& chandelier, Context& ctx) -> Outcome {
            Fitting fitting{.metadata = owned_by(chandelier), .spec = {.watts = chandelier.spec.watts}};
            fitting.metadata.name += "-fitting";
            return ctx.apply(fitting);
          }});
      manager.add(Controller<Fitting>{.reconcile = [](const Fitting&, Context&) -> Outcome { return done; },
                                      .finalize = [](const Fitting&, Context&) -> Outcome { return done; },
                                      .finalizer = "test.pintle.dev/fitting"});
    };
  });
  EXPECT_TRUE(report);
}

TEST(Simulate, TheSameSeedsGiveTheSameTraceInOtherProcesses) {
  const SimulateOptions options{.name = "lamp", .seeds = 6};
  const auto once = simulate(options, operator_with(light));
  const auto again = simulate(options, operator_with(light));
  SimulateOptions alone = options;
  alone.processes = 1;
  const auto in_one_process = simulate(alone, operator_with(light));
  EXPECT_NE(once.trace_hash, 0U);
  EXPECT_EQ(once.trace_hash, again.trace_hash);
  EXPECT_EQ(once.trace_hash, in_one_process.trace_hash);
  SimulateOptions others = options;
  others.first_seed = 7;
  EXPECT_NE(simulate(others, operator_with(light)).trace_hash, once.trace_hash);
}

TEST(Simulate, AHotLoopIsFoundWithoutAnyEvent) {
  const auto report =
      simulate({.name = "loop", .seeds = 3, .max_time_to_idle = 2min},
               operator_with([](const Bulb& lamp, Context& ctx) -> Outcome {
                 ctx.status().edit<Bulb::Status>([&](Bulb::Status& status) { status.count = lamp.status.count + 1; });
                 return requeue_after(1s);
               }));
  ASSERT_TRUE(report.failure);
  EXPECT_EQ(report.failure->oracle, Oracle::becomes_idle);
  EXPECT_TRUE(report.failure->events.empty());
  EXPECT_THAT(report.failure->timeline, HasSubstr("patch bulbs.test.pintle.dev default/a/status -> 200"));
}

// Writes that fail count, and the message distinguishes them from a loop of changes.
TEST(Simulate, AnOperatorThatRepeatsAWriteThatFailsIsToldSo) {
  const auto report = simulate(
      {.name = "refused", .seeds = 1, .max_time_to_idle = 2min},
      operator_with([](const Bulb&, Context& ctx) -> Outcome {
        (void)ctx.client().create(json::Value{
            {"apiVersion", "v1"}, {"kind", "ConfigMap"}, {"metadata", {{"name", "No"}, {"namespace", "default"}}}});
        return requeue_after(10s);
      }));
  ASSERT_TRUE(report.failure);
  EXPECT_EQ(report.failure->oracle, Oracle::becomes_idle);
  EXPECT_THAT(report.failure->message, HasSubstr("all of these writes failed, the last one: create configmaps "));
  EXPECT_THAT(report.failure->message, HasSubstr(" -> 422"));
}

// An hour of it would take minutes.
TEST(Simulate, AFastLoopEndsItsTrialEarly) {
  if (is_sanitized) GTEST_SKIP() << too_long_for_a_sanitizer;
  const auto report =
      simulate({.name = "loop", .seeds = 1}, operator_with([](const Bulb& lamp, Context& ctx) -> Outcome {
                 ctx.status().edit<Bulb::Status>([&](Bulb::Status& status) { status.count = lamp.status.count + 1; });
                 return requeue_after(10ms);
               }));
  ASSERT_TRUE(report.failure);
  EXPECT_EQ(report.failure->oracle, Oracle::becomes_idle);
  EXPECT_EQ(report.failure->message, "the operator writes more than 10000 times");
}

// Reads and reconciles that never pause, although they write nothing.
TEST(Simulate, AnIdleOperatorMayPollButNotSpin) {
  if (is_sanitized) GTEST_SKIP() << too_long_for_a_sanitizer;
  const auto polling = [](Duration pause, bool sends) {
    return operator_with([pause, sends](const Bulb&, Context& ctx) -> Outcome {
      if (sends) (void)ctx.live().find(ConfigMap::type, {"default", "missing"});
      return requeue_after(pause);
    });
  };
  const SimulateOptions options{.name = "poll", .seeds = 1};
  EXPECT_TRUE(simulate(options, polling(1s, true)));
  for (const bool sends : {true, false}) {
    const auto report = simulate(options, polling(100ms, sends));
    ASSERT_TRUE(report.failure) << sends;
    EXPECT_EQ(report.failure->oracle, Oracle::bounded_work);
    EXPECT_THAT(report.failure->message,
                HasSubstr(sends ? " requests in 30s in which" : " reconciles in 30s in which"));
  }
}

TEST(Simulate, AFailureIsShrunkAndCanBeReplayed) {
  const SimulateOptions options{.name = "once", .seeds = 100};
  // Without faults the operator is wrong in the same way, and only some trials compare it with new objects.
  const SubjectSetup setup = [](Subject& subject) {
    operator_with(light_once)(subject);
    subject.invariants = {{.name = "the child follows", .check = [](Client& user) -> Result<void> {
                             for (const char* name : {"a", "b"}) {
                               const auto lamp = user.get<Bulb>({"default", name});
                               const auto map = user.get<ConfigMap>({"default", name});
                               if (!lamp || !map || map->data.at("watts") == std::to_string(lamp->spec.watts)) continue;
                               return fail(ErrorCode::invalid, std::string(name) + " is not followed");
                             }
                             return {};
                           }}};
  };
  const auto report = simulate(options, setup);
  ASSERT_TRUE(report.failure);
  EXPECT_EQ(report.failure->oracle, Oracle::invariants);
  EXPECT_EQ(report.failure->events.size(), 1U) << report.text();
  EXPECT_GE(report.failure->events_before, 1U);
  EXPECT_THAT(report.failure->message, HasSubstr("is not followed"));

  const ReplayVariable replay(variable_in(report.failure->replay));
  const auto replayed = simulate(options, setup);
  EXPECT_EQ(replayed.trials, 1U);
  ASSERT_TRUE(replayed.failure);
  EXPECT_EQ(replayed.failure->timeline, report.failure->timeline);
  EXPECT_EQ(replayed.failure->events, report.failure->events);
  // The variable names another simulation.
  EXPECT_EQ(simulate({.name = "lamp", .seeds = 2}, operator_with(light)).trials, 2U);
}

TEST(Simulate, AnOperatorThatIgnoresAChangeIsComparedWithNewObjects) {
  const auto report = simulate({.name = "once", .seeds = 200, .faults = {}},
                               operator_with([](const Bulb& bulb, Context& ctx) -> Outcome {
                                 const auto found = ctx.find(ConfigMap::type, bulb.metadata.key());
                                 if (!found) return failed(found.error());
                                 return *found ? Outcome(done) : light(bulb, ctx);
                               }));
  ASSERT_TRUE(report.failure);
  EXPECT_EQ(report.failure->oracle, Oracle::matches_spec) << report.text();
  EXPECT_THAT(report.failure->message, HasSubstr("configmaps default/"));
}

// An edit of a subject may promise to change specs only.
TEST(Simulate, EditsOfSpecsAreComparedWithNewObjects) {
  const auto failure = [](bool changes_specs_only) {
    const auto report = simulate({.name = "once", .seeds = 1, .faults = {}}, [=](Subject& subject) {
      operator_with(light_once)(subject);
      subject.random_edits = false;
      subject.objects = {encode(Bulb{.metadata = {.name = "a", .namespace_ = "default"}})};
      subject.edits = {{.at = 20s,
                        .what = "changes a",
                        .act = [](Client& user) -> Result<void> {
                          const auto done = user.patch(Bulb::type, {"default", "a"}, {{"spec", {{"watts", 2}}}});
                          return done ? Result<void>() : Result<void>(fail(done.error()));
                        },
                        .changes_specs_only = changes_specs_only}};
    });
    return report.failure;
  };
  EXPECT_FALSE(failure(false));
  const auto found = failure(true);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->oracle, Oracle::matches_spec) << found->message;
}

using Made = std::set<std::string>;

// A subject whose invariant fails for some sets of its edits "a", "b" and "c", and whose objects remain for others.
SubjectSetup edits_that_fail(std::function<bool(const Made&)> fails, std::function<bool(const Made&)> keeps = {}) {
  return [fails = std::move(fails), keeps = std::move(keeps)](Subject& subject) {
    const auto made = std::make_shared<Made>();
    subject.add_controllers = [made, keeps](Manager& manager) {
      manager.add(Controller<Bulb>{.reconcile = [](const Bulb&, Context&) -> Outcome { return done; },
                                   .finalize = [made, keeps](const Bulb&, Context&) -> Outcome {
                                     return keeps && keeps(*made) ? Outcome(requeue_after(10min)) : Outcome(done);
                                   },
                                   .finalizer = "test.pintle.dev/bulb"});
    };
    subject.random_edits = false;
    for (const char* name : {"a", "b", "c"}) {
      subject.edits.push_back({.at = 1s, .what = name, .act = [made, name](Client&) -> Result<void> {
                                 made->insert(name);
                                 return {};
                               }});
    }
    subject.invariants = {{.name = "no mistake", .check = [made, fails](Client&) -> Result<void> {
                             return fails(*made) ? fail(ErrorCode::invalid, "a mistake") : Result<void>();
                           }}};
  };
}

std::vector<std::string> shrunk_events(const SubjectSetup& setup) {
  const auto report = simulate({.name = "shrunk", .seeds = 1, .faults = {}}, setup);
  return report.failure ? report.failure->events : std::vector<std::string>{"no failure"};
}

// When an event is left out, one that was necessary before may no longer be.
TEST(Simulate, AFailureIsShrunkUntilEachEventIsNecessary) {
  // Without "c" it fails only if "b" is left out too, which is tried later.
  EXPECT_THAT(shrunk_events(edits_that_fail(
                  [](const Made& made) { return made.contains("a") && (!made.contains("b") || made.contains("c")); })),
              ::testing::ElementsAre("a"));
  EXPECT_THAT(shrunk_events(edits_that_fail([](const Made& made) { return made.contains("a") && made.contains("c"); })),
              ::testing::ElementsAre("a", "c"));
  EXPECT_THAT(shrunk_events(edits_that_fail([](const Made&) { return true; })), ::testing::IsEmpty());
}

// Another failure is not the one that was found.
TEST(Simulate, AShrunkFailureViolatesTheSameOracle) {
  EXPECT_THAT(
      shrunk_events(edits_that_fail([](const Made& made) { return made.contains("b"); },
                                    [](const Made& made) { return made.contains("a") && !made.contains("b"); })),
      ::testing::ElementsAre("b"));
}

// The trials of a process share the run without faults with which they are compared. Here each run ends with other
// objects, so that the result would show whose seed that run has.
TEST(Simulate, TheRunWithoutFaultsDoesNotDependOnTheTrial) {
  const SimulateOptions options{.name = "dice",
                                .seeds = 4,
                                .processes = 1,
                                .faults = {},
                                .without = {{Oracle::returns, "it compares the final objects too"}}};
  const SubjectSetup set_up = [](Subject& subject) {
    const std::string drawn = std::to_string(subject.simulation.random().next());
    operator_with([drawn](const Bulb& bulb, Context& ctx) -> Outcome {
      return ctx.apply(ConfigMap{.metadata = owned_by(bulb), .data = {{"drawn", drawn}}});
    })(subject);
    subject.random_edits = false;
  };
  const auto report = simulate(options, set_up);
  ASSERT_TRUE(report.failure);
  EXPECT_EQ(report.failure->oracle, Oracle::same_state) << report.text();

  const ReplayVariable replay(variable_in(report.failure->replay));
  const auto replayed = simulate(options, set_up);
  ASSERT_TRUE(replayed.failure);
  EXPECT_EQ(replayed.failure->message, report.failure->message);
}

TEST(Simulate, AWriteThatChangesNothingIsNoWork) {
  const auto report =
      simulate({.name = "again", .seeds = 5, .faults = {FaultClass::restart}},
               operator_with([](const Bulb& bulb, Context& ctx) -> Outcome {
                 const json::Value patch{{"status", {{"count", 1}}}};
                 return ctx.client().patch(Bulb::type, bulb.metadata.key(), patch, {.subresource = "status"});
               }));
  EXPECT_TRUE(report);
}

TEST(Simulate, AProcessThatDiesIsAFailureWithItsOutput) {
  const auto report = simulate({.name = "abort", .seeds = 4}, operator_with([](const Bulb&, Context&) -> Outcome {
                                 std::fputs("the lamp explodes\n", stderr);
                                 std::abort();
                               }));
  ASSERT_TRUE(report.failure);
  EXPECT_EQ(report.failure->oracle, Oracle::runs);
  EXPECT_THAT(report.failure->message, HasSubstr("signal 6"));
  EXPECT_THAT(report.failure->message, HasSubstr("the lamp explodes"));
}

TEST(Simulate, AnOperatorThatEndsItsProcessWithoutAnErrorIsAFailure) {
  const auto report =
      simulate({.name = "exit", .seeds = 4}, operator_with([](const Bulb&, Context&) -> Outcome { std::_Exit(0); }));
  ASSERT_TRUE(report.failure);
  EXPECT_EQ(report.failure->oracle, Oracle::runs);
  EXPECT_THAT(report.failure->message, HasSubstr("ends with exit code 0"));
}

TEST(Simulate, AnOperatorThatDoesNotStartIsAFailure) {
  const auto report = simulate({.name = "bad", .seeds = 1}, [](Subject& subject) {
    subject.add_controllers = [](Manager& manager) {
      manager.add_error(make_error(ErrorCode::invalid, "the controller is not complete"));
    };
  });
  ASSERT_TRUE(report.failure);
  EXPECT_EQ(report.failure->oracle, Oracle::runs);
  EXPECT_THAT(report.failure->message, HasSubstr("the controller is not complete"));
}

// At the end of a trial, when its objects are deleted.
TEST(Simulate, AnExceptionInTheLastReconcileIsAFailure) {
  const auto report = simulate({.name = "last", .seeds = 1, .faults = {}}, [](Subject& subject) {
    subject.random_edits = false;
    const auto has_thrown = std::make_shared<bool>(false);
    subject.add_controllers = [has_thrown](Manager& manager) {
      manager.add(Controller<Bulb>{.reconcile = [](const Bulb&, Context&) -> Outcome { return done; },
                                   .finalize = [has_thrown](const Bulb&, Context&) -> Outcome {
                                     if (!std::exchange(*has_thrown, true)) throw std::runtime_error("no");
                                     return done;
                                   },
                                   .finalizer = "test.pintle.dev/bulb"});
    };
  });
  ASSERT_TRUE(report.failure);
  EXPECT_EQ(report.failure->oracle, Oracle::runs);
  EXPECT_THAT(report.failure->message, HasSubstr("threw an exception"));
}

TEST(Simulate, MistakesOfTheCallerAreNamed) {
  const auto failure_of = [](const SubjectSetup& setup) {
    const auto report = simulate({.name = "mistake", .seeds = 1}, setup);
    return report.failure ? report.failure->message : "none";
  };
  EXPECT_THAT(failure_of([](Subject&) {}), HasSubstr("Subject::add_controllers is missing"));
  EXPECT_THAT(failure_of([](Subject& subject) {
                operator_with(light)(subject);
                subject.instances = 2;
              }),
              HasSubstr("set manager.leader_election too"));
  EXPECT_THAT(
      failure_of([](Subject& subject) {
        subject.add_controllers = [](Manager& manager) {
          manager.add(Controller<ConfigMap>{.reconcile = [](const ConfigMap&, Context&) -> Outcome { return done; }});
        };
      }),
      HasSubstr("set Subject::objects or --objects"));
  EXPECT_THAT(failure_of([](Subject& subject) {
                subject.add_controllers = [](Manager& manager) {
                  manager.add(Controller<Coded>{.reconcile = [](const Coded&, Context&) -> Outcome { return done; }});
                };
              }),
              HasSubstr("; set Subject::objects or --objects to objects that the server accepts"));
  ::setenv("PINTLE_SEEDS", "many", 1);
  EXPECT_THAT(failure_of(operator_with(light)), HasSubstr("PINTLE_SEEDS is \"many\""));
  ::setenv("PINTLE_SEEDS", "0", 1);
  EXPECT_THAT(failure_of(operator_with(light)), HasSubstr("the number of seeds is 0"));
  ::unsetenv("PINTLE_SEEDS");
}

// Otherwise the trials pass without the seed that should be repeated.
TEST(Simulate, AReplayThatCannotBeReadIsAFailure) {
  const auto failure_of = [](const std::string& replay) {
    const ReplayVariable variable(replay);
    const auto report = simulate({.name = "lamp", .seeds = 1}, operator_with(light));
    return report.failure ? report.failure->message : "none";
  };
  EXPECT_THAT(failure_of("lamp:seventeen"), HasSubstr("PINTLE_SIMULATE is \"lamp:seventeen\""));
  EXPECT_THAT(failure_of("lamp:17:99"), HasSubstr("the replay names event 99, and the trial has "));
  EXPECT_THAT(failure_of("lamp:17~00000000"), HasSubstr("it is of another version of the program"));
  EXPECT_EQ(failure_of("lamp:17:"), "none");
  EXPECT_EQ(failure_of("another:seventeen"), "none");
}

TEST(Simulate, SeedsThatAreTooLargeAreAFailure) {
  const auto report = simulate({.name = "lamp", .seeds = 2, .first_seed = ~0ULL}, operator_with(light));
  ASSERT_TRUE(report.failure);
  EXPECT_EQ(report.failure->message, "the last seed is above 9223372036854775807");
}

TEST(Simulate, TooManyProcessesAreAFailure) {
  const auto report = simulate({.name = "lamp", .seeds = 2, .processes = 100'000}, operator_with(light));
  ASSERT_TRUE(report.failure);
  EXPECT_EQ(report.failure->message, "100000 processes are too many; the limit is 256");
  EXPECT_TRUE(simulate({.name = "lamp", .seeds = 3, .processes = 20}, operator_with(light)));
}

TEST(Simulate, AnInterruptionEndsTheTrialsWithAReport) {
  std::uint64_t trials = 0;
  SimulateOptions options{.name = "lamp", .seeds = 100'000, .processes = 1};
  options.on_trial = [&] { ++trials; };
  options.is_interrupted = [&] { return trials >= 3; };
  const auto report = simulate(options, operator_with(light));
  EXPECT_TRUE(report.is_interrupted);
  EXPECT_TRUE(report);
  EXPECT_GE(report.trials, 3U);
  EXPECT_LT(report.trials, 1'000U);
  EXPECT_THAT(report.text(), HasSubstr("interrupted before its end\nno failure so far\n"));
}

// The trial may never end.
TEST(Simulate, AnInterruptionEndsATrialThatHangs) {
  SimulateOptions options{.name = "hang", .seeds = 2};
  options.is_interrupted = [] { return true; };
  const auto report = simulate(options, [](Subject& subject) {
    subject.add_controllers = [](Manager&) {
      volatile bool is_over = false;
      while (!is_over) {}
    };
  });
  EXPECT_TRUE(report.is_interrupted);
  EXPECT_EQ(report.trials, 0U);
}

}  // namespace
}  // namespace pintle::testkit
