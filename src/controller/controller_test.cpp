// SPDX-License-Identifier: Apache-2.0
#include <pintle/controller/controller.hpp>

#include <map>
#include <set>
#include <stdexcept>

#include "test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

using ControllerTest = OperatorTest;

TEST_F(ControllerTest, ReconcilesNewAndChangedObjects) {
  std::vector<std::string> seen;
  run({.reconcile = [&](const Note& n, Context&) -> Outcome {
    seen.push_back(n.metadata.name + "=" + n.spec.text);
    return done;
  }});
  create(note("a", "1"));
  ASSERT_TRUE(simulation.run_until_idle());
  set_text("a", "2");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(seen, (std::vector<std::string>{"a=1", "a=2"}));
}

// Errors that a pattern finds in its own options prevent the start, like other errors of a declaration.
TEST_F(ControllerTest, ErrorsOfAPatternAreReportedAtStart) {
  start([](Manager& manager) {
    manager.add(Controller<Note>{.reconcile = [](const Note&, Context&) -> Outcome { return done; },
                                 .errors = {make_error(ErrorCode::invalid, "recorder can't be nil")}});
  });
  instance->join();
  ASSERT_FALSE(instance->started());
  EXPECT_NE(instance->started().error().to_string().find("controller note: recorder can't be nil"), std::string::npos)
      << instance->started().error().to_string();
}

// It waits for the owner of the finalizer in its spec, which may be this controller.
TEST_F(ControllerTest, ANamespaceThatAFinalizerOfItsSpecHoldsIsReconciled) {
  const GroupVersionKind kind("v1", "Namespace");
  std::map<std::string, int> while_deleting;
  start([&](Manager& manager) {
    manager.add(Controller<Object>{
        .name = "spaces", .watch = kind, .reconcile = [&](const Object& object, Context&) -> Outcome {
          if (object.is_deleting()) ++while_deleting[std::string(object.name())];
          return done;
        }});
  });
  ASSERT_TRUE(simulation.wait_until([&] { return instance->manager().is_ready(); }));
  for (const char* name : {"held", "plain"}) {
    json::array finalizers{"kubernetes"};
    if (name == std::string("held")) finalizers.emplace_back("test.pintle.dev/held");
    ASSERT_TRUE(simulation.user().create(json::Value{{"apiVersion", "v1"},
                                                     {"kind", "Namespace"},
                                                     {"metadata", {{"name", name}}},
                                                     {"spec", {{"finalizers", finalizers}}}}));
    ASSERT_TRUE(simulation.run_until_idle());
    ASSERT_TRUE(simulation.user().remove(kind, {"", name}));
    ASSERT_TRUE(simulation.run_until_idle());
  }
  EXPECT_TRUE(simulation.user().get(kind, {"", "held"}));
  EXPECT_GT(while_deleting["held"], 0);
  EXPECT_EQ(while_deleting["plain"], 0) << "the cluster deletes its content";
}

struct Crowded {
  static constexpr Type type{"test.pintle.dev/v1", "Crowded"};
  struct Spec {
    std::int32_t seats = 9;
    static constexpr auto fields() { return pintle::fields(field("seats", &Spec::seats).maximum(5)); }
  };
  Metadata metadata{};
  Spec spec{};
};

TEST_F(ControllerTest, ContradictingRulesOfAKindAreReportedAtStart) {
  start([](Manager& manager) {
    manager.add(Controller<Crowded>{.reconcile = [](const Crowded&, Context&) -> Outcome { return done; }});
  });
  instance->join();
  ASSERT_FALSE(instance->started());
  const std::string message = instance->started().error().to_string();
  EXPECT_NE(message.find("the CRD crowdeds.test.pintle.dev is not valid"), std::string::npos) << message;
  EXPECT_NE(message.find("properties[seats].default: Invalid value: 9"), std::string::npos) << message;
}

// A key is never with two workers at once, and 100 events during its reconcile cause exactly one more (TX-01).
TEST_F(ControllerTest, EventsDuringAReconcileCauseExactlyOneMore) {
  int reconciles = 0;
  int inside = 0;
  bool first_may_end = false;
  run({.reconcile = [&](const Note&, Context& ctx) -> Outcome {
         EXPECT_EQ(++inside, 1);
         ++reconciles;
         while (!first_may_end) ctx.executor().sleep_for(10ms);
         --inside;
         return done;
       },
       .workers = 4});
  create(note("a"));
  ASSERT_TRUE(simulation.wait_until([&] { return reconciles == 1; }));
  for (int i = 0; i < 100; ++i) set_text("a", std::to_string(i));
  simulation.executor().sleep_for(1s);
  first_may_end = true;
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(reconciles, 2);
}

// A slow key does not delay the others while a worker is free (TX-02).
TEST_F(ControllerTest, DifferentKeysRunAtOnceWithSeveralWorkers) {
  int inside = 0;
  int most = 0;
  run({.reconcile = [&](const Note&, Context& ctx) -> Outcome {
         most = std::max(most, ++inside);
         ctx.executor().sleep_for(1s);
         --inside;
         return done;
       },
       .workers = 3});
  for (const char* name : {"a", "b", "c", "d", "e"}) create(note(name));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(most, 3);
}

// The back-off is 5, 10, 20 ms and so on, and a success resets it (TX-03, R3, R4).
TEST_F(ControllerTest, FailuresBackOffUntilDone) {
  std::vector<Instant> times;
  int failures_left = 4;
  run({.reconcile = [&](const Note&, Context& ctx) -> Outcome {
    times.push_back(ctx.executor().now());
    if (failures_left-- > 0) return failed(make_error(ErrorCode::unavailable, "not yet"));
    return done;
  }});
  create(note("a"));
  ASSERT_TRUE(simulation.run_until_idle());
  ASSERT_EQ(times.size(), 5U);
  const std::vector<Duration> expected{5ms, 10ms, 20ms, 40ms};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(times[i + 1] - times[i], expected[i]);
  failures_left = 1;
  times.clear();
  set_text("a", "again");
  ASSERT_TRUE(simulation.run_until_idle());
  ASSERT_EQ(times.size(), 2U);
  EXPECT_EQ(times[1] - times[0], 5ms) << "the success before reset the back-off";
  EXPECT_EQ(metric("controller_runtime_reconcile_errors_total"), 5);
}

// A requeue backs off like a failure, and a requeue after a delay resets the back-off (R3.3).
TEST_F(ControllerTest, RequeueBacksOffAndRequeueAfterResetsTheBackOff) {
  std::vector<Instant> times;
  const std::vector<Outcome> script{requeue, requeue, requeue_after(1s), requeue, done};
  run({.reconcile = [&](const Note&, Context& ctx) -> Outcome {
    times.push_back(ctx.executor().now());
    return times.size() <= script.size() ? script[times.size() - 1] : Outcome(done);
  }});
  create(note("a"));
  ASSERT_TRUE(simulation.run_until_idle());
  ASSERT_EQ(times.size(), 5U);
  const std::vector<Duration> expected{5ms, 10ms, 1s, 5ms};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(times[i + 1] - times[i], expected[i]) << i;
}

// A change before the due time causes one reconcile at once, and no other follows at the old time (TX-04).
TEST_F(ControllerTest, AChangePullsADelayedReconcileForward) {
  int reconciles = 0;
  run({.reconcile = [&](const Note& n, Context&) -> Outcome {
    ++reconciles;
    if (n.spec.text == "wait") return requeue_after(1min);
    return done;
  }});
  create(note("a", "wait"));
  ASSERT_TRUE(simulation.wait_until([&] { return reconciles == 1; }));
  set_text("a", "go");
  simulation.executor().sleep_for(10min);
  EXPECT_EQ(reconciles, 2);
}

// A retry of a terminal error cannot succeed (TX-05).
TEST_F(ControllerTest, ATerminalErrorIsCountedAndNotRetried) {
  int reconciles = 0;
  run({.reconcile = [&](const Note&, Context&) -> Outcome {
    ++reconciles;
    return failed(make_error(ErrorCode::invalid, "never").terminal());
  }});
  create(note("a"));
  simulation.executor().sleep_for(1h);
  EXPECT_EQ(reconciles, 1);
  EXPECT_EQ(metric("controller_runtime_terminal_reconcile_errors_total"), 1);
  EXPECT_EQ(metric("controller_runtime_reconcile_errors_total"), 1);
}

// User code may throw anything, and a worker that ended would be missing for ever (TX-06, R6).
TEST_F(ControllerTest, AnExceptionIsAFailureAndTheWorkerContinues) {
  int reconciles = 0;
  run({.reconcile = [&](const Note& n, Context&) -> Outcome {
    if (n.metadata.name == "bad" && ++reconciles <= 2) {
      if (reconciles == 1) throw std::out_of_range("too far");
      throw 42;
    }
    return done;
  }});
  create(note("bad"));
  create(note("good"));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(reconciles, 3);
  EXPECT_EQ(metric("controller_runtime_reconcile_panics_total"), 2);
  EXPECT_TRUE(log->has("std::out_of_range: too far"));
  EXPECT_TRUE(log->has("not a std::exception"));
}

// The stop cancels running reconciles and waits for them, and no other reconcile begins (TX-07, R8).
TEST_F(ControllerTest, StopCancelsRunningReconcilesAndBeginsNone) {
  int begun = 0;
  int ended = 0;
  run({.reconcile = [&](const Note&, Context& ctx) -> Outcome {
    ++begun;
    ctx.executor().sleep_for(1h, ctx.stop_token());
    ++ended;
    return done;
  }});
  for (const char* name : {"a", "b", "c"}) create(note(name));
  ASSERT_TRUE(simulation.wait_until([&] { return begun == 1; }));
  const Instant before = simulation.executor().now();
  instance->stop();
  EXPECT_EQ(begun, 1);
  EXPECT_EQ(ended, 1);
  EXPECT_LT(simulation.executor().now() - before, 5s);
}

TEST_F(ControllerTest, ACallCancelledByTheStopIsNeitherSuccessNorFailure) {
  int begun = 0;
  Result<Object> result;
  run({.reconcile = [&](const Note&, Context& ctx) -> Outcome {
    ++begun;
    ctx.executor().sleep_for(1h, ctx.stop_token());
    result = ctx.client().get(Note::type, {"default", "a"}, ctx.stop_token());
    return result;
  }});
  create(note("a"));
  ASSERT_TRUE(simulation.wait_until([&] { return begun == 1; }));
  auto& metrics = instance->manager().metrics();
  const Counter errors =
      metrics.counter("controller_runtime_reconcile_total", "", {{"controller", "note"}, {"result", "error"}});
  instance->manager().stop();
  EXPECT_EQ(result.error().code, ErrorCode::cancelled);
  EXPECT_EQ(errors.value(), 0);
}

// The context contains every cause of its reconcile, also of those that were merged.
TEST_F(ControllerTest, TheContextListsTheCausesOfAReconcile) {
  std::vector<std::string> causes;
  int reconciles = 0;
  run({.owns = {ConfigMap::type}, .reconcile = [&](const Note& n, Context& ctx) -> Outcome {
         for (const ReconcileCause& cause : ctx.causes()) causes.push_back(cause.to_string());
         if (++reconciles == 1) return failed(make_error(ErrorCode::unavailable, "once"));
         return ctx.apply(ConfigMap{.metadata = owned_by(n), .data = {{"text", n.spec.text}}});
       }});
  create(note("a"));
  ASSERT_TRUE(simulation.run_until_idle());
  ASSERT_GE(causes.size(), 3U);
  EXPECT_TRUE(causes[0].starts_with("change test.pintle.dev/v1 Note default/a added (version ")) << causes[0];
  EXPECT_EQ(causes[1], "retry 1");
  EXPECT_TRUE(causes[2].starts_with("owned v1 ConfigMap default/a added")) << causes[2];
}

TEST_F(ControllerTest, ADeletedChildCausesAReconcileOfItsOwner) {
  run({.owns = {ConfigMap::type}, .reconcile = [&](const Note& n, Context& ctx) -> Outcome {
         return ctx.apply(ConfigMap{.metadata = owned_by(n), .data = {{"text", n.spec.text}}});
       }});
  create(note("a", "kept"));
  ASSERT_TRUE(simulation.run_until_idle());
  ASSERT_TRUE(simulation.user().remove(ConfigMap::type, {"default", "a"}));
  ASSERT_TRUE(simulation.run_until_idle());
  const auto children = simulation.server().objects("configmaps");
  ASSERT_EQ(children.size(), 1U);
  EXPECT_EQ(children[0]["/data/text"], "kept");
}

TEST_F(ControllerTest, ErrorsOfASpecAreReportedAtStart) {
  AnyController spec = erase_type(Controller<Note>{.reconcile = [](const Note&, Context&) -> Outcome { return done; }});
  spec.errors = {make_error(ErrorCode::invalid, "there is no ink")};
  start([&](Manager& manager) { manager.add(spec); });
  instance->join();
  ASSERT_FALSE(instance->started());
  EXPECT_EQ(instance->started().error().message, "there is no ink");
}

// An object that cannot be decoded fails terminally, with the path of the field in the error. Other objects are
// reconciled.
TEST_F(ControllerTest, AnUndecodableObjectDoesNotAffectOthers) {
  std::set<std::string> seen;
  run({.reconcile = [&](const Note& n, Context&) -> Outcome {
    seen.insert(n.metadata.name);
    return done;
  }});
  // A schema that accepts everything, as an older CRD may have.
  const GroupVersionKind crd("apiextensions.k8s.io/v1", "CustomResourceDefinition");
  ASSERT_TRUE(simulation.user().patch(
      crd, {.name = "notes.test.pintle.dev"},
      json::Patch{}.replace("/spec/versions/0/schema/openAPIV3Schema",
                            json::Value{{"type", "object"}, {"x-kubernetes-preserve-unknown-fields", true}})));
  simulation.executor().sleep_for(1s);
  json::Value bad = encode(note("bad"));
  bad.at("spec").at("text") = 7;
  const auto made = simulation.user().create(bad);
  ASSERT_TRUE(made) << made.error().to_string();
  create(note("good"));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(seen, std::set<std::string>{"good"});
  EXPECT_TRUE(log->has("spec.text"));
  EXPECT_EQ(metric("controller_runtime_terminal_reconcile_errors_total"), 1);
}

// The sum of the results is the number of reconciles, and no worker counts as active in the end (TX-16).
TEST_F(ControllerTest, MetricsAddUpToTheReconciles) {
  int reconciles = 0;
  run({.reconcile = [&](const Note& n, Context&) -> Outcome {
         ++reconciles;
         if (n.spec.text == "fail" && reconciles % 2 == 0) return failed(make_error(ErrorCode::unavailable, "odd"));
         if (n.spec.text == "later" && reconciles < 20) return requeue_after(1s);
         return done;
       },
       .workers = 2});
  for (const char* text : {"fail", "later", "ok"}) create(note(text, text));
  ASSERT_TRUE(simulation.run_until_idle());
  double sum = 0;
  for (const char* result : {"success", "error", "requeue", "requeue_after"}) {
    sum += metric("controller_runtime_reconcile_total", {{"result", result}});
  }
  EXPECT_EQ(sum, reconciles);
  EXPECT_EQ(
      instance->manager().metrics().gauge("controller_runtime_active_workers", "", {{"controller", "note"}}).value(),
      0);
}

// Without a change the operator sends nothing but its watches (TX-18).
TEST_F(ControllerTest, NothingIsSentWhileNothingChanges) {
  int reconciles = 0;
  run({.owns = {ConfigMap::type},
       .reconcile = [&](const Note& n, Context& ctx) -> Outcome {
         ++reconciles;
         return ctx.apply(ConfigMap{.metadata = owned_by(n), .data = {{"text", n.spec.text}}});
       },
       .resync_period = 0s});
  create(note("a"));
  ASSERT_TRUE(simulation.run_until_idle());
  const int before = reconciles;
  const auto patches = [&] { return instance->manager().metrics().text().find("method=\"PATCH\""); };
  ASSERT_NE(patches(), std::string::npos);
  const std::string text_before = instance->manager().metrics().text();
  const std::uint64_t writes = simulation.server().writes();
  simulation.executor().sleep_for(10h);
  EXPECT_EQ(reconciles, before);
  EXPECT_EQ(simulation.server().writes(), writes);
}

}  // namespace
}  // namespace pintle
