// SPDX-License-Identifier: Apache-2.0
// The effects of each kind of failure on the status, the error hook and the Events.
#include <stdexcept>

#include <gmock/gmock.h>

#include "test_support.hpp"

namespace pintle::external {
namespace {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::function<Outcome(Context&)> throwing(const std::string& message) {
  return [=](Context&) -> Outcome { throw std::runtime_error(message); };
}

// An object that was ready in generation 1 and fails in its next generation.
class ExternalFailuresTest : public ExternalReconcilerTest {
 protected:
  static constexpr const char* of_others = "test.pintle.dev/of-others";

  void become_ready(const std::string& finalizer_name = "", std::vector<std::string> finalizers = {}) {
    buckets->needed = {.need_create = true, .need_update = true};
    auto reconciler = with(finalizer_name);
    reconciler.reports_ready = true;
    run(reconciler.controller());
    create("a", std::move(finalizers));
    ASSERT_TRUE(simulation.run_until_idle());
    ASSERT_EQ(ready(), "True Ready 1");
    forget();
  }
  void forget() {
    buckets->calls.clear();
    buckets->errors.clear();
    outcomes.clear();
  }
  void change_spec() {
    ASSERT_TRUE(simulation.user().patch(Bucket::type, {"default", "a"},
                                        json::Value{{"spec", json::object{{"size", ++size_}}}}));
    simulation.executor().sleep_for(2s);
  }
  // The status, reason and observedGeneration of condition Ready, for example "False Failed 2".
  [[nodiscard]] std::string ready() {
    const auto found = find_condition(stored("a"), "Ready");
    if (!found) return "none";
    const char* status = found->status == ConditionStatus::true_ ? "True" : "False";
    return std::string(status) + " " + found->reason + " " + std::to_string(found->observed_generation);
  }

 private:
  int size_ = 1;
};

// No step runs, so only the framework can end the condition.
TEST_F(ExternalFailuresTest, AnObjectThatCannotBeDecodedIsNotReady) {
  become_ready();
  const GroupVersionKind crd("apiextensions.k8s.io/v1", "CustomResourceDefinition");
  ASSERT_TRUE(simulation.user().patch(
      crd, {.name = "buckets.test.pintle.dev"},
      json::Patch{}.replace("/spec/versions/0/schema/openAPIV3Schema",
                            json::Value{{"type", "object"}, {"x-kubernetes-preserve-unknown-fields", true}})));
  simulation.executor().sleep_for(1s);
  ASSERT_TRUE(
      simulation.user().patch(Bucket::type, {"default", "a"}, json::Value{{"spec", json::object{{"size", "many"}}}}));
  simulation.executor().sleep_for(2s);
  EXPECT_EQ(ready(), "False Failed 2");
  EXPECT_EQ(stored("a")["/status/isOnError"], true);
  EXPECT_TRUE(is_condition_true(stored("a"), invalid_object));
  EXPECT_THAT(buckets->calls, IsEmpty());
  EXPECT_THAT(events(), Contains(HasSubstr("Warning InvalidObject")));
  change_spec();
  EXPECT_EQ(ready(), "True Ready 3");
  EXPECT_FALSE(find_condition(stored("a"), invalid_object));
}

// A Latin-1 text of a library, which a server rejects in a status and in an Event.
TEST_F(ExternalFailuresTest, InvalidUtf8OfAnErrorIsReplaced) {
  become_ready();
  buckets->on["read"] = [](Context&) -> Outcome {
    return failed(make_error(ErrorCode::unavailable, "caf\xe9 closed"));
  };
  change_spec();
  EXPECT_EQ(ready(), "False Failed 2");
  EXPECT_EQ(stored("a")["/status/lastErrorMessage"].text(), "caf\uFFFD closed");
}

TEST_F(ExternalFailuresTest, AnExceptionIsHandledLikeAnError) {
  for (const std::string step : {"configure", "read", "diff", "create", "update", "on_success"}) {
    become_ready();
    buckets->on[step] = throwing("driver bug");
    change_spec();
    ASSERT_FALSE(outcomes.empty()) << step;
    EXPECT_EQ(buckets->errors.size(), outcomes.size()) << "the hook runs once for each failure";
    EXPECT_THAT(buckets->errors, Each("a step threw std::runtime_error: driver bug"));
    EXPECT_EQ(ready(), "False Failed 2") << step;
    EXPECT_EQ(stored("a")["/status/isOnError"], true);
    EXPECT_EQ(stored("a")["/status/observedGeneration"], 2);
    EXPECT_THAT(events(), Contains(HasSubstr("Warning ReconcilerActionError a step threw")));
    buckets->on.clear();
    change_spec();
    EXPECT_EQ(ready(), "True Ready 3");
    instance.reset();
    erase("a");
  }
}

TEST_F(ExternalFailuresTest, AnExceptionIsCountedOnce) {
  become_ready();
  const auto panics = [this] {
    return instance->manager()
        .metrics()
        .counter("controller_runtime_reconcile_panics_total", "", {{"controller", "bucket"}})
        .value();
  };
  buckets->on["read"] = throwing("driver bug");
  change_spec();
  EXPECT_EQ(panics(), static_cast<double>(outcomes.size()));
  EXPECT_EQ(reconciles("error"), static_cast<double>(outcomes.size()));
}

TEST_F(ExternalFailuresTest, AHandledErrorIsNotReady) {
  const ErrorDecision verdicts[] = {handled_continue, handled_stop(), handled_stop(requeue_after(1h))};
  for (const ErrorDecision& verdict : verdicts) {
    for (const auto& deed : {failing("quota"), throwing("quota")}) {
      become_ready();
      buckets->on["update"] = deed;
      buckets->verdict = [&verdict](const Error&) { return verdict; };
      change_spec();
      EXPECT_EQ(buckets->errors.size(), outcomes.size());
      EXPECT_GE(outcomes.size(), 1U);
      EXPECT_LE(outcomes.size(), 2U) << "only the write of the status causes another reconcile";
      EXPECT_EQ(reconciles("error"), 0);
      EXPECT_EQ(ready(), "False Failed 2");
      EXPECT_THAT(std::string(stored("a")["/status/lastErrorMessage"].text()), HasSubstr("quota"));
      buckets->on.clear();
      buckets->verdict = nullptr;
      instance.reset();
      erase("a");
    }
  }
}

// The status that the hook sets replaces the status of the framework.
TEST_F(ExternalFailuresTest, TheStatusOfTheHookTakesPrecedence) {
  become_ready();
  buckets->on["read"] = throwing("driver bug");
  buckets->on["on_error"] = with_message("call the help desk");
  change_spec();
  EXPECT_EQ(stored("a")["/status/lastErrorMessage"], "call the help desk");
}

TEST_F(ExternalFailuresTest, AHookThatThrowsLosesNoError) {
  become_ready();
  buckets->on["read"] = failing("quota");
  buckets->on["on_error"] = throwing("hook bug");
  change_spec();
  ASSERT_NE(outcomes.front().as_failed(), nullptr);
  EXPECT_EQ(outcomes.front().as_failed()->to_string(), "quota; and on_error threw std::runtime_error: hook bug");
  EXPECT_EQ(ready(), "False Failed 2");
}

TEST_F(ExternalFailuresTest, AWaitIsNotReadyAndNoError) {
  become_ready();
  buckets->on["create"] = failing("quota");
  change_spec();
  EXPECT_EQ(ready(), "False Failed 2");
  buckets->on["create"] = waiting(1h);
  change_spec();
  EXPECT_EQ(ready(), "False Waiting 3");
  EXPECT_EQ(stored("a")["/status/isOnError"], false) << "the last reconcile did not fail";
  EXPECT_FALSE(stored("a")["/status/lastErrorMessage"].exists());
}

TEST_F(ExternalFailuresTest, ASuccessWithARequestedDelayIsReady) {
  become_ready();
  buckets->on["on_success"] = waiting(1h);
  change_spec();
  EXPECT_EQ(ready(), "True Ready 2");
  buckets->on["on_success"] = [](Context&) -> Outcome { return requeue; };
  change_spec();
  EXPECT_EQ(ready(), "False Waiting 3") << "the object is not ready yet";
}

TEST_F(ExternalFailuresTest, ARemovalThatThrowsKeepsTheFinalizerAndCallsTheHook) {
  become_ready(finalizer);
  buckets->on["remove"] = throwing("bucket in use");
  erase("a");
  simulation.executor().sleep_for(2s);
  ASSERT_FALSE(outcomes.empty());
  EXPECT_EQ(buckets->errors.size(), outcomes.size());
  EXPECT_THAT(buckets->errors, Each("a step threw std::runtime_error: bucket in use"));
  EXPECT_EQ(ready(), "False Failed 2") << "a deletion increments the generation";
  EXPECT_EQ(stored("a").finalizers().size(), 1U);
  buckets->on["remove"] = waiting(1h);
  touch("a");
  simulation.executor().sleep_for(2s);
  EXPECT_EQ(ready(), "False Deleting 2");
  buckets->on.clear();
  touch("a");
  simulation.executor().sleep_for(2s);
  EXPECT_FALSE(stored("a"));
}

// The finalizer of another controller keeps the object after the removal.
TEST_F(ExternalFailuresTest, AnObjectThatStaysAfterItsRemovalIsNotReady) {
  become_ready(finalizer, {of_others});
  const std::uint64_t before = simulation.server().writes();
  erase("a");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(buckets->calls, ElementsAre("configure", "read", "remove"));
  EXPECT_EQ(stored("a").finalizers().size(), 1U);
  EXPECT_EQ(ready(), "False Deleted 2");
  EXPECT_EQ(stored("a")["/status/observedGeneration"], 2);
  EXPECT_EQ(simulation.server().writes(), before + 3) << "the deletion of the user, the status, and the finalizer";
  touch("a");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(simulation.server().writes(), before + 4) << "only the write of the user";
}

TEST_F(ExternalFailuresTest, ARemovalThatSucceedsLaterClearsTheError) {
  become_ready(finalizer, {of_others});
  std::vector<std::string> before_each;
  buckets->on["remove"] = [&](Context&) -> Outcome {
    before_each.push_back(ready());
    if (before_each.size() == 1) return fail(ErrorCode::unavailable, "bucket in use");
    return done;
  };
  erase("a");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(before_each, ElementsAre("True Ready 1", "False Failed 2"));
  EXPECT_EQ(ready(), "False Deleted 2");
  EXPECT_EQ(stored("a")["/status/isOnError"], false);
  EXPECT_FALSE(stored("a")["/status/lastErrorMessage"].exists());
}

TEST_F(ExternalFailuresTest, ARemovalNeedsNoStatusIfNothingElseKeepsTheObject) {
  become_ready(finalizer);
  const std::uint64_t before = simulation.server().writes();
  erase("a");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_FALSE(stored("a"));
  EXPECT_EQ(simulation.server().writes(), before + 2) << "the deletion of the user, and the finalizer";
}

TEST_F(ExternalFailuresTest, AFinalizerThatCannotBeRemovedBacksOff) {
  become_ready(finalizer, {of_others});
  set_faults({{.effect = http::ErrorResponse{.status = 403, .reason = "Forbidden"}, .only = is_object_write}});
  const std::uint64_t before = simulation.server().writes();
  erase("a");
  simulation.executor().sleep_for(1h);
  EXPECT_EQ(ready(), "False Failed 2");
  EXPECT_GE(outcomes.size(), 10U);
  EXPECT_LE(outcomes.size(), 30U);
  EXPECT_LE(simulation.server().writes(), before + 120) << "the deletion of the user, the status, and Events";
}

// Without a finalizer, only configure() and read() are called during a deletion.
TEST_F(ExternalFailuresTest, WithoutAFinalizerADeletionIsReported) {
  become_ready("", {of_others});
  std::vector<std::string> before_each;
  buckets->on["read"] = [&](Context&) -> Outcome {
    before_each.push_back(ready());
    if (before_each.size() == 1) return fail(ErrorCode::unavailable, "quota");
    return done;
  };
  const std::uint64_t before = simulation.server().writes();
  erase("a");
  ASSERT_TRUE(simulation.run_until_idle());
  ASSERT_GE(before_each.size(), 2U);
  EXPECT_LE(before_each.size(), 4U);
  EXPECT_EQ(before_each[0], "True Ready 1");
  EXPECT_EQ(before_each[1], "False Failed 2");
  EXPECT_EQ(ready(), "False Deleting 2");
  EXPECT_EQ(stored("a")["/status/isOnError"], false);
  EXPECT_FALSE(stored("a")["/status/lastErrorMessage"].exists());
  EXPECT_THAT(buckets->calls, Not(Contains("remove")));
  EXPECT_LE(simulation.server().writes(), before + 4) << "the deletion of the user, the status twice, and an Event";
}

TEST_F(ExternalFailuresTest, AFailureToAddTheFinalizerIsReported) {
  auto reconciler = with(finalizer);
  reconciler.reports_ready = true;
  run(reconciler.controller());
  set_faults({{.effect = http::ErrorResponse{.status = 403, .reason = "Forbidden"}, .only = is_object_write}});
  create("a");
  simulation.executor().sleep_for(2s);
  EXPECT_EQ(ready(), "False Failed 1");
  EXPECT_THAT(buckets->calls, IsEmpty()) << "no step was called, so on_error is not called either";
}

// A stop of the operator is not a failure of the object.
TEST_F(ExternalFailuresTest, ARemovalCancelledByTheStopIsNotReported) {
  become_ready(finalizer);
  buckets->on["remove"] = [](Context& context) -> Outcome {
    if (context.executor().sleep_for(1h, context.stop_token())) return done;
    return fail(ErrorCode::cancelled, "stopped");
  };
  erase("a");
  ASSERT_TRUE(simulation.wait_until([this] { return !buckets->calls.empty() && buckets->calls.back() == "remove"; }));
  instance->stop();
  EXPECT_THAT(events(), Not(Contains(HasSubstr("Warning Failed"))));
  EXPECT_THAT(buckets->errors, IsEmpty());
  EXPECT_EQ(ready(), "True Ready 1") << "the status does not change";
}

TEST_F(ExternalFailuresTest, AStepThatAlwaysThrowsBacksOff) {
  become_ready();
  buckets->on["create"] = throwing("driver bug");
  const std::uint64_t before = simulation.server().writes();
  change_spec();
  simulation.executor().sleep_for(1h);
  EXPECT_GE(outcomes.size(), 10U);
  EXPECT_LE(outcomes.size(), 30U);
  EXPECT_LE(simulation.server().writes(), before + 30) << "the change of the user, the status, and Events";
}

// Each attempt writes another status, whose event must not shorten the back-off (T0-24).
TEST_F(ExternalFailuresTest, AnErrorWithAChangingTextBacksOff) {
  become_ready();
  int attempts = 0;
  buckets->on["create"] = [&attempts](Context&) -> Outcome {
    return failed(make_error(ErrorCode::unavailable, "attempt " + std::to_string(++attempts)));
  };
  const std::uint64_t before = simulation.server().writes();
  change_spec();
  simulation.executor().sleep_for(1h);
  EXPECT_GE(attempts, 10);
  EXPECT_LE(attempts, 30);
  EXPECT_GE(simulation.server().writes(), before + 10) << "each attempt is in the status";
  EXPECT_LE(simulation.server().writes(), before + 90) << "the change of the user, the status, and Events";
}

}  // namespace
}  // namespace pintle::external
