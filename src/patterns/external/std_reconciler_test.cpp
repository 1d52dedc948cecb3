// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>

#include <gmock/gmock.h>

#include "test_support.hpp"

namespace pintle::external {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Nothing is done for an object that does not exist (T1-01).
TEST_F(ExternalReconcilerTest, AMissingObjectCausesNoStep) {
  const auto channel = std::make_shared<ChannelSource>(simulation.executor());
  auto controller = with(finalizer).controller();
  controller.channels = {channel};
  run(std::move(controller));
  ASSERT_TRUE(channel->send({"default", "nobody"}));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(buckets->calls, IsEmpty());
  EXPECT_THAT(events(), IsEmpty());
  EXPECT_EQ(reconciles("error"), 0);
  create("somebody");
  ASSERT_TRUE(simulation.run_until_idle());
  buckets->calls.clear();
  ASSERT_TRUE(channel->send({"default", "somebody"}));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(buckets->calls, ElementsAre("configure", "read", "diff", "on_success"))
      << "an existing object is reconciled";
}

// The object of a reconcile comes from the cache. It is read from the server only after a conflict, and that read can
// fail (T1-02).
TEST_F(ExternalReconcilerTest, AFailedReadOfTheObjectFailsWithoutTheErrorHook) {
  run(with(finalizer).controller());
  set_faults({{.effect = http::conflict_response(), .only = is_object_write},
              {.effect = http::ErrorResponse{.status = 500},
               .only = http::requests("GET", "/apis/test.pintle.dev/v1/namespaces")}});
  create("a");
  ASSERT_TRUE(simulation.wait_until([this] { return reconciles("error") > 0; }));
  EXPECT_TRUE(log->has("reconcile failed controller=bucket key=default/a error=add finalizer")) << log->lines().back();
  EXPECT_THAT(buckets->calls, IsEmpty());
}

// The reconcile that adds the finalizer calls no step (T1-03).
TEST_F(ExternalReconcilerTest, TheFinalizerIsAddedInItsOwnReconcile) {
  run(with(finalizer).controller());
  Calls seen;
  buckets->on["configure"] = [&](Context& context) -> Outcome {
    seen.push_back(context.causes().front().to_string());
    EXPECT_EQ(reconciles("requeue_after"), 1) << "the reconcile before added the finalizer and requested this one";
    return done;
  };
  set_faults({{.effect = http::Delay{}, .only = is_object_write}});
  create("a");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(seen.size(), 1U);
  EXPECT_EQ(instance->transport().injected_faults(), 1U) << "one write of its finalizer";
  EXPECT_EQ(stored("a").finalizers().element(0), finalizer);
  EXPECT_THAT(events(), ElementsAre("Normal Added Object finalizer is added"));
}

// If the finalizer cannot be added, the reconcile fails and records an Event (T1-04).
TEST_F(ExternalReconcilerTest, AFailureToAddTheFinalizerRecordsAnEvent) {
  run(with(finalizer).controller());
  set_faults({{.effect = http::ErrorResponse{.status = 403, .reason = "Forbidden"}, .only = is_object_write}});
  create("a");
  ASSERT_TRUE(simulation.wait_until([this] { return reconciles("error") > 0 && !events().empty(); }));
  EXPECT_THAT(events().front(), HasSubstr("Warning Adding finalizer Failed to add finalizer: add finalizer test"));
  EXPECT_THAT(buckets->calls, IsEmpty()) << "no step was called, so on_error is not called either";
}

// Without a finalizer in the declaration, none is added (T1-05).
TEST_F(ExternalReconcilerTest, WithoutAFinalizerNothingIsAdded) {
  run_over_one();
  EXPECT_THAT(buckets->calls, ElementsAre("configure", "read", "diff", "on_success"));
  EXPECT_EQ(stored("a").finalizers().size(), 0U);
  EXPECT_THAT(events(), IsEmpty());
}

// In the original, OnError was never called, because an inner variable shadowed the error (T1-06).
TEST_F(ExternalReconcilerTest, AnErrorOfEachStepCallsTheErrorHookOnceAndFails) {
  buckets->needed = {.need_create = true, .need_update = true};
  const Calls steps = {"configure", "read", "diff", "create", "update", "on_success"};
  run(with().controller());
  for (const std::string& step : steps) {
    buckets->on = {{step, failing_once(step + " broke")}, {"on_error", with_message("because " + step + " broke")}};
    buckets->errors.clear();
    outcomes.clear();
    create(step == "on_success" ? "success" : step);
    ASSERT_TRUE(simulation.run_until_idle());
    EXPECT_THAT(buckets->errors, ElementsAre(step + " broke"));
    ASSERT_FALSE(outcomes.empty());
    ASSERT_NE(outcomes.front().as_failed(), nullptr) << step;
    EXPECT_EQ(outcomes.front().as_failed()->message, step + " broke");
    const Object object = stored(step == "on_success" ? "success" : step);
    EXPECT_EQ(object["/status/lastErrorMessage"], "because " + step + " broke");
  }
  EXPECT_EQ(reconciles("error"), static_cast<double>(steps.size()));
}

// If read() requeues, the reconcile ends (T1-07).
TEST_F(ExternalReconcilerTest, AReadThatRequeuesEndsTheReconcile) {
  buckets->on["read"] = [](Context& context) -> Outcome {
    context.status().set("/phase", "waiting");
    return requeue_after(3s);
  };
  run(with().controller());
  create("a");
  ASSERT_TRUE(simulation.wait_until([this] { return outcomes.size() == 2; }, 4s));
  EXPECT_EQ(delay_of(outcomes[0]), 3s);
  EXPECT_THAT(buckets->calls, ElementsAre("configure", "read", "configure", "read"));
  EXPECT_EQ(stored("a")["/status/phase"], "waiting");
}

// A deletion calls configure(), read() and remove(), and then removes the finalizer (T1-08).
TEST_F(ExternalReconcilerTest, ADeletionReadsRemovesAndDropsTheFinalizer) {
  run(with(finalizer).controller());
  create("a");
  ASSERT_TRUE(simulation.run_until_idle());
  buckets->calls.clear();
  buckets->on["remove"] = [this](Context&) -> Outcome {
    EXPECT_EQ(stored("a").finalizers().size(), 1U) << "the finalizer remains until the removal is done";
    return done;
  };
  erase("a");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(buckets->calls, ElementsAre("configure", "read", "remove"));
  EXPECT_FALSE(stored("a"));
}

// If remove() fails, the finalizer stays. The original never called OnError (T1-09).
TEST_F(ExternalReconcilerTest, AFailedRemovalKeepsTheFinalizer) {
  run(with(finalizer).controller());
  create("a");
  ASSERT_TRUE(simulation.run_until_idle());
  buckets->on["remove"] = failing("bucket in use");
  erase("a");
  ASSERT_TRUE(simulation.wait_until([this] { return reconciles("error") > 0; }));
  EXPECT_EQ(buckets->errors.front(), "bucket in use");
  EXPECT_EQ(outcomes.back().as_failed()->message, "bucket in use");
  EXPECT_EQ(stored("a").finalizers().size(), 1U);
  ASSERT_TRUE(simulation.wait_until([this] { return events().size() == 2; }));
  EXPECT_THAT(events(), Contains("Warning Failed Failed to delete resource: bucket in use"));
}

// A slow removal can requeue instead of blocking (B10).
TEST_F(ExternalReconcilerTest, ARemovalKeepsTheFinalizerUntilDone) {
  run(with(finalizer).controller());
  create("a");
  ASSERT_TRUE(simulation.run_until_idle());
  buckets->on["remove"] = waiting(1min);
  erase("a");
  simulation.executor().sleep_for(150s);
  EXPECT_EQ(std::count(buckets->calls.begin(), buckets->calls.end(), "remove"), 3);
  EXPECT_TRUE(stored("a"));
  buckets->on.clear();
  ASSERT_TRUE(simulation.wait_until([this] { return !stored("a"); }, 2min));
}

TEST_F(ExternalReconcilerTest, ARemovalWithAHandledErrorIsRetried) {
  run(with(finalizer).controller());
  create("a");
  ASSERT_TRUE(simulation.run_until_idle());
  buckets->on["remove"] = failing_once("bucket in use");
  buckets->verdict = [](const Error&) -> ErrorDecision { return handled_continue; };
  erase("a");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(std::count(buckets->calls.begin(), buckets->calls.end(), "remove"), 2);
  EXPECT_EQ(reconciles("error"), 0);
  EXPECT_FALSE(stored("a"));
}

TEST_F(ExternalReconcilerTest, AFailureToRemoveTheFinalizerCallsTheErrorHook) {
  run(with(finalizer).controller());
  create("a");
  ASSERT_TRUE(simulation.run_until_idle());
  buckets->handed_on.clear();
  set_faults(
      {{.effect = http::ErrorResponse{.status = 403, .reason = "Forbidden"}, .only = is_object_write, .times = 1}});
  erase("a");
  ASSERT_TRUE(simulation.run_until_idle());
  ASSERT_EQ(buckets->errors.size(), 1U);
  EXPECT_TRUE(buckets->handed_on.contains("on_error driver a")) << "with the data of the steps of the same reconcile";
  EXPECT_THAT(events(), Contains(HasSubstr("Warning Failed Failed to remove finalizer: remove finalizer")));
  EXPECT_FALSE(stored("a")) << "the removal of the finalizer was retried";
}

// The original tried to add its finalizer to an object that is being deleted, which the server always rejects (T1-10).
TEST_F(ExternalReconcilerTest, ADeletionWithoutOurFinalizerIsIgnored) {
  run(with(finalizer).controller());
  create("a", {"test.pintle.dev/of-others"});
  ASSERT_TRUE(simulation.run_until_idle());
  erase("a");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(buckets->calls, Contains("remove"));
  ASSERT_EQ(stored("a").finalizers().element(0), "test.pintle.dev/of-others")
      << "our finalizer is removed, and the object remains";
  buckets->calls.clear();
  const double before = reconciles("success");
  const std::uint64_t writes = simulation.server().writes();
  touch("a");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(reconciles("success"), before + 1);
  EXPECT_EQ(simulation.server().writes(), writes + 1) << "only the write of the user";
  EXPECT_EQ(reconciles("error"), 0);
  EXPECT_THAT(buckets->calls, IsEmpty());
}

// Without a finalizer, remove() is never called (T1-11).
TEST_F(ExternalReconcilerTest, WithoutAFinalizerNothingIsRemoved) {
  run(with().controller());
  create("a", {"test.pintle.dev/of-others"});
  ASSERT_TRUE(simulation.run_until_idle());
  buckets->calls.clear();
  erase("a");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(buckets->calls, ElementsAre("configure", "read"));
  EXPECT_TRUE(outcomes.back().is_done());
}

// The diff decides which steps are called (T1-12).
TEST_F(ExternalReconcilerTest, TheDiffSelectsTheSteps) {
  const struct {
    bool create, update;
    Calls calls;
  } cases[] = {
      {true, false, {"configure", "read", "diff", "create", "on_success"}},
      {false, true, {"configure", "read", "diff", "update", "on_success"}},
      {true, true, {"configure", "read", "diff", "create", "update", "on_success"}},
      {false, false, {"configure", "read", "diff", "on_success"}},
  };
  run(with().controller());
  int number = 0;
  for (const auto& one : cases) {
    buckets->calls.clear();
    buckets->needed = {.need_create = one.create, .need_update = one.update, .diff = std::to_string(number)};
    create("a" + std::to_string(number));
    ASSERT_TRUE(simulation.run_until_idle());
    EXPECT_EQ(buckets->calls, one.calls);
    EXPECT_EQ(buckets->last_diff.diff, std::to_string(number++)) << "on_success receives the same difference";
    EXPECT_TRUE(outcomes.back().is_done());
  }
}

// In the original, the result of Update replaced the result of Create (T1-13).
TEST_F(ExternalReconcilerTest, ADelayOfCreateIsKeptWhenUpdateIsDone) {
  buckets->needed = {.need_create = true, .need_update = true};
  buckets->on["create"] = waiting(5s);
  run_over_one();
  EXPECT_EQ(delay_of(outcomes.front()), 5s);
  EXPECT_THAT((Calls{buckets->calls.begin(), buckets->calls.begin() + 5}),
              ElementsAre("configure", "read", "diff", "create", "update"));
}

TEST_F(ExternalReconcilerTest, OfTwoDelaysTheShorterCounts) {
  buckets->needed = {.need_create = true, .need_update = true};
  buckets->on = {{"create", waiting(50s)}, {"update", waiting(40s)}};
  run_over_one();
  EXPECT_EQ(delay_of(outcomes.front()), 40s);
}

TEST_F(ExternalReconcilerTest, AFailedCreateIsNotFollowedByAnUpdate) {
  buckets->needed = {.need_create = true, .need_update = true};
  buckets->on["create"] = failing("no room");
  auto controller = with().controller();
  controller.backoff = {.base = 1h, .cap = 1h};
  run(std::move(controller));
  create("a");
  ASSERT_TRUE(simulation.wait_until([this] { return reconciles("error") == 1; }));
  EXPECT_THAT(buckets->calls, ElementsAre("configure", "read", "diff", "create", "on_error"));
}

// If create() requeues, on_success() is not called (T1-14).
TEST_F(ExternalReconcilerTest, ACreateThatRequeuesIsNoSuccess) {
  buckets->needed = {.need_create = true};
  buckets->on["create"] = waiting(1h);
  run_over_one();
  EXPECT_EQ(delay_of(outcomes.front()), 1h);
  EXPECT_THAT(buckets->calls, ElementsAre("configure", "read", "diff", "create"));
}

// An error of on_success() fails the reconcile. The original never called OnError (T1-15).
TEST_F(ExternalReconcilerTest, AnErrorOfOnSuccessFailsTheReconcile) {
  buckets->on["on_success"] = failing_once("could not say so");
  run_over_one();
  EXPECT_EQ(outcomes.front().as_failed()->message, "could not say so");
  EXPECT_THAT(buckets->errors, ElementsAre("could not say so"));
}

// The status is written once if it has changed, and not at all otherwise (T1-16).
TEST_F(ExternalReconcilerTest, TheStatusIsWrittenOnceAndOnlyIfItChanged) {
  buckets->on["read"] = with_message("first");
  buckets->on["on_success"] = with_message("second");
  run_over_one();
  EXPECT_EQ(stored("a")["/status/lastErrorMessage"], "second");
  const std::uint64_t writes = simulation.server().writes();
  touch("a");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(simulation.server().writes(), writes + 1) << "only the write of the user";
  buckets->on["on_success"] = with_message("third");
  touch("a");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(simulation.server().writes(), writes + 3);
}

// The original logged a failed status write and counted the reconcile as a success, so the status was never written
// (T1-17).
TEST_F(ExternalReconcilerTest, AFailedStatusWriteFailsTheReconcile) {
  buckets->on["on_success"] = with_message("done");
  run(with().controller());
  set_faults({{.effect = http::ErrorResponse{.status = 500}, .only = is_status_write, .times = 1}});
  create("a");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(reconciles("error"), 1);
  EXPECT_TRUE(outcomes.front().is_done());
  EXPECT_EQ(stored("a")["/status/lastErrorMessage"], "done");
}

// The original logged an error if the status of an object that is gone could not be written (T1-18).
TEST_F(ExternalReconcilerTest, AStatusChangeDuringTheDeletionIsNoError) {
  buckets->on["remove"] = with_message("gone");
  run(with(finalizer).controller());
  create("a");
  ASSERT_TRUE(simulation.run_until_idle());
  erase("a");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_FALSE(stored("a"));
  EXPECT_EQ(reconciles("error"), 0);
  EXPECT_FALSE(log->has("error="));
}

// The results of configure() and read() reach all later steps (T1-19).
TEST_F(ExternalReconcilerTest, ResultsOfConfigureAndReadReachAllLaterSteps) {
  buckets->needed = {.need_create = true, .need_update = true};
  buckets->on["on_success"] = failing_once("once");
  run(with(finalizer).controller());
  create("a");
  ASSERT_TRUE(simulation.run_until_idle());
  erase("a");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(buckets->handed_on,
              ElementsAre("create driver a", "diff driver a", "on_error driver a", "on_success driver a",
                          "read driver a", "remove driver a", "update driver a"));
}

// A StdReconciler without a reconciler must not compile.
template <class R>
concept MayLeaveOutReconciler = requires { StdReconciler<R>{.finalizer = ""}; };

// The manager provides recorder, client and logger, so they cannot be missing. The reconciler can only be missing as a
// null pointer (T1-20).
TEST_F(ExternalReconcilerTest, AReconcilerCannotBeOmittedOrNull) {
  static_assert(!MayLeaveOutReconciler<Buckets>);
  buckets = nullptr;
  start(with(finalizer).controller());
  instance->join();
  ASSERT_FALSE(instance->started());
  EXPECT_THAT(instance->started().error().to_string(), HasSubstr("reconciler can't be nil"));
}

TEST_F(ExternalReconcilerTest, AnInvalidFinalizerIsRefusedAtStart) {
  start(with("cleanup").controller());
  instance->join();
  ASSERT_FALSE(instance->started());
  EXPECT_THAT(instance->started().error().to_string(), HasSubstr("the finalizer \"cleanup\" must have a domain"));
}

TEST_F(ExternalReconcilerTest, AHandledErrorEndsTheReconcileByItsDecision) {
  buckets->on["read"] = failing("quota");
  buckets->verdict = [](const Error&) { return handled_stop(requeue_after(1h)); };
  run_over_one();
  EXPECT_THAT(buckets->calls, ElementsAre("configure", "read", "on_error"));
  EXPECT_EQ(delay_of(outcomes.front()), 1h);
  EXPECT_EQ(reconciles("error"), 0);
  EXPECT_TRUE(log->has("error handled controller=bucket key=default/a error=quota"));
}

TEST_F(ExternalReconcilerTest, AStepThatThrowsFailsTheReconcileAndLeavesNoState) {
  buckets->on["read"] = [is_first = true](Context&) mutable -> Outcome {
    if (std::exchange(is_first, false)) throw std::runtime_error("driver bug");
    return done;
  };
  run_over_one();
  EXPECT_EQ(reconciles("error"), 1);
  EXPECT_THAT(buckets->calls, ElementsAre("configure", "read", "on_error", "configure", "read", "diff", "on_success"));
}

TEST_F(ExternalReconcilerTest, ReportsReadinessIfEnabled) {
  auto reconciler = with();
  reconciler.reports_ready = true;
  buckets->on["read"] = [this, attempt = 0](Context& context) mutable -> Outcome {
    const auto status = context.status().as<ReadyStatus>().value_or(ReadyStatus{});
    EXPECT_EQ(status.conditions.at(0).reason, std::vector<std::string>({"Initialize", "Failed", "Ready"}).at(attempt));
    if (attempt == 1) {
      EXPECT_EQ(stored("a")["/status/isOnError"], true);
    }
    if (attempt++ == 0) return fail(ErrorCode::unavailable, "quota");
    return done;
  };
  run(reconciler.controller());
  create("a");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_TRUE(is_condition_true(stored("a"), "Ready"));
  EXPECT_EQ(stored("a")["/status/isOnError"], false);
  EXPECT_THAT(events(), ElementsAre("Warning ReconcilerActionError quota"));
}

// A reconciler of plain objects, whose reconcile the test calls directly.
class Objects final : public Reconciler<Object> {
 public:
  Outcome read(const Object& object, Context&, Scratch&, std::monostate&) override {
    seen.push_back(object.key().to_string() + (object.is_deleting() ? " deleting" : ""));
    return done;
  }
  Result<Diff> diff(const Object&, Context&, Scratch&, std::monostate&) override { return Diff{.need_create = true}; }
  Outcome create(const Object&, Context&, Scratch&, std::monostate&) override { return done; }
  Outcome update(const Object&, Context&, Scratch&, std::monostate&) override { return done; }
  Outcome remove(const Object&, Context&, Scratch&, std::monostate&) override {
    seen.emplace_back("removed");
    return done;
  }

  std::vector<std::string> seen;
};

TEST_F(ExternalReconcilerTest, WorksOnPlainObjects) {
  const auto objects = std::make_shared<Objects>();
  const StdReconciler<Objects> reconciler{.reconciler = objects};
  run({.reconcile = [&](const Bucket& bucket,
                        Context& context) { return reconciler.reconcile(bucket.metadata.snapshot(), context); },
       .finalize = [&](const Bucket& bucket,
                       Context& context) { return reconciler.finalize(bucket.metadata.snapshot(), context); },
       .finalizer = finalizer,
       .finalizer_policy = FinalizerPolicy::add_then_stop});
  create("a");
  ASSERT_TRUE(simulation.run_until_idle());
  erase("a");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(objects->seen, ElementsAre("default/a", "default/a deleting", "removed"));
  EXPECT_EQ(reconciler.controller(WatchedKind<Object>("v1", "ConfigMap")).watch.kind.kind, "ConfigMap");
}

class ExternalConcurrencyTest : public ExternalReconcilerTest {};

// In the original, the logger was a member of the reconciler, and each reconcile replaced it (T1-21).
TEST_F(ExternalConcurrencyTest, LogLinesOfConcurrentReconcilesHaveTheirOwnKey) {
  int inside = 0;
  int max_inside = 0;
  buckets->on["read"] = [&](Context& context) -> Outcome {
    max_inside = std::max(max_inside, ++inside);
    context.executor().sleep_for(1s);
    --inside;
    return done;
  };
  auto controller = with().controller();
  controller.workers = 2;
  run(std::move(controller));
  create("a");
  create("b");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(max_inside, 2) << "both must run at the same time";
  for (const std::string step : {"configure", "read", "diff", "on_success"}) {
    for (const std::string name : {"a", "b"}) {
      EXPECT_TRUE(log->has("step " + step + " controller=bucket key=default/" + name + " bucket=" + name));
    }
  }
  for (const char* crossed : {"key=default/a bucket=b", "key=default/b bucket=a"}) EXPECT_FALSE(log->has(crossed));
}

}  // namespace
}  // namespace pintle::external
