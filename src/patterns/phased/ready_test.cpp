// SPDX-License-Identifier: Apache-2.0
// The status after each way in which a reconcile with phases can end.
#include <stdexcept>

#include <gmock/gmock.h>

#include "test_support.hpp"

namespace pintle::phased {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::function<Outcome(Context&)> throwing(const std::string& message) {
  return [=](Context&) -> Outcome { throw std::runtime_error(message); };
}

// An object that was ready in generation 1 and fails in its next generation.
class PhasedReadyTest : public PhasedReconcilerTest {
 protected:
  void become_ready(const std::string& finalizer_name = "") {
    auto reconciler = with(finalizer_name);
    reconciler.reports_ready = true;
    run(reconciler.controller());
    create("x");
    ASSERT_TRUE(simulation.run_until_idle());
    for (const char* type : {"A", "B", "C", "Ready"}) ASSERT_EQ(condition(type), "True " + good(type) + " 1");
    forget();
  }
  void forget() {
    script.calls.clear();
    script.errors.clear();
    outcomes.clear();
  }
  void change_spec() {
    ASSERT_TRUE(simulation.user().patch(Bucket::type, {"default", "x"},
                                        json::Value{{"spec", json::object{{"size", ++size_}}}}));
    simulation.executor().sleep_for(2s);
  }
  // The status, reason and observedGeneration of a condition, for example "False Failed 2".
  [[nodiscard]] std::string condition(const char* type) {
    const auto found = find_condition(stored("x"), type);
    if (!found) return "none";
    const char* status = found->status == ConditionStatus::true_ ? "True" : "False";
    return std::string(status) + " " + found->reason + " " + std::to_string(found->observed_generation);
  }
  static std::string good(const std::string& type) { return type == "Ready" ? "Ready" : "Success"; }

 private:
  int size_ = 1;
};

TEST_F(PhasedReadyTest, AFailedPhaseSetsItsConditionAndReadyToFalse) {
  become_ready();
  script.on["B.read"] = failing("no room");
  change_spec();
  EXPECT_EQ(condition("A"), "True Success 2");
  EXPECT_EQ(condition("B"), "False Failed 2");
  EXPECT_EQ(condition("C"), "True Success 1") << "with the last generation for which the phase ran";
  EXPECT_EQ(condition("Ready"), "False Failed 2");
  EXPECT_EQ(stored("x")["/status/phase"], "B");
  EXPECT_EQ(find_condition(stored("x"), "B")->message, "no room");

  script.on.clear();
  change_spec();
  for (const char* type : {"A", "B", "C", "Ready"}) EXPECT_EQ(condition(type), "True " + good(type) + " 3");
  EXPECT_EQ(stored("x")["/status/isOnError"], false);
  EXPECT_FALSE(stored("x")["/status/lastErrorMessage"].exists());
}

TEST_F(PhasedReadyTest, ThePhaseIsAbsentIfNoneWasReached) {
  become_ready(finalizer);
  EXPECT_EQ(stored("x")["/status/phase"], "running");
  const std::uint64_t writes = simulation.server().writes();
  touch("x");
  simulation.executor().sleep_for(2s);
  EXPECT_EQ(simulation.server().writes(), writes + 1) << "only the write of the user";

  for (const auto& [step, deed] : {std::pair("configure", failing("no key")), std::pair("read", waiting(1h))}) {
    script.on[step] = deed;
    change_spec();
    EXPECT_FALSE(stored("x")["/status/phase"].exists()) << step;
    script.on.clear();
    change_spec();
    EXPECT_EQ(stored("x")["/status/phase"], "running") << step;
  }

  script.on["remove"] = waiting(1h);
  erase("x");
  simulation.executor().sleep_for(2s);
  EXPECT_EQ(condition("Ready"), "False Deleting 6");
  EXPECT_FALSE(stored("x")["/status/phase"].exists());
}

TEST_F(PhasedReadyTest, AnExceptionOfAPhaseIsHandledLikeAnError) {
  for (const std::string step : {"configure", "read", "diff", "create", "update", "remove", "on_success"}) {
    b->needed = {.need_create = true, .need_update = true, .need_delete = true};
    become_ready();
    script.on["B." + step] = throwing("bug");
    change_spec();
    ASSERT_FALSE(script.errors.empty()) << step;
    EXPECT_EQ(script.errors.size(), 2 * outcomes.size()) << "each hook runs once for each failure";
    EXPECT_EQ(script.errors[0], "B.on_error: a step threw std::runtime_error: bug");
    EXPECT_EQ(script.errors[1], "on_error: Error when run phase B: a step threw std::runtime_error: bug");
    EXPECT_EQ(condition("B"), "False Failed 2") << step;
    EXPECT_EQ(condition("Ready"), "False Failed 2") << step;
    EXPECT_EQ(stored("x")["/status/isOnError"], true);
    EXPECT_EQ(stored("x")["/status/observedGeneration"], 2);
    script.on.clear();
    instance.reset();
    erase("x");
  }
}

TEST_F(PhasedReadyTest, AnExceptionOfTheParentIsHandledLikeAnError) {
  for (const std::string step : {"configure", "read", "on_success"}) {
    become_ready();
    script.on[step] = throwing("bug");
    change_spec();
    EXPECT_EQ(script.errors.size(), outcomes.size());
    EXPECT_THAT(script.errors, Contains("on_error: a step threw std::runtime_error: bug"));
    EXPECT_EQ(condition("Ready"), "False Failed 2") << step;
    script.on.clear();
    instance.reset();
    erase("x");
  }
}

TEST_F(PhasedReadyTest, AHandledErrorIsNotReady) {
  const std::pair<const char*, ErrorDecision> verdicts[] = {
      {"continue", handled_continue}, {"stop", handled_stop()}, {"later", handled_stop(requeue_after(1h))}};
  for (const auto& [name, verdict] : verdicts) {
    for (const auto& deed : {failing("no room"), throwing("no room")}) {
      become_ready();
      script.on["B.create"] = deed;
      b->needed = {.need_create = true};
      script.verdicts["B"] = [verdict = verdict](const Error&) { return verdict; };
      change_spec();
      EXPECT_EQ(script.errors.size(), outcomes.size()) << name << ": the hook of the phase runs once";
      EXPECT_GE(outcomes.size(), 1U) << name;
      EXPECT_LE(outcomes.size(), 2U)
          << name << ": the error is handled, so only the write of the status causes another reconcile";
      EXPECT_EQ(reconciles("error"), 0);
      EXPECT_EQ(condition("B"), "False Failed 2") << name;
      EXPECT_EQ(condition("Ready"), "False Failed 2") << name;
      EXPECT_EQ(condition("C"), std::string("True Success ") + (std::string(name) == "continue" ? "2" : "1"));
      EXPECT_THAT(std::string(stored("x")["/status/lastErrorMessage"].text()), HasSubstr("Error when run phase B"));
      script.on.clear();
      script.verdicts.clear();
      b->needed = {};
      instance.reset();
      erase("x");
    }
  }
}

TEST_F(PhasedReadyTest, AnErrorHandledByTheParentIsNotReady) {
  become_ready();
  script.on["on_success"] = failing("no word");
  script.verdicts["parent"] = [](const Error&) -> ErrorDecision { return handled_continue; };
  change_spec();
  EXPECT_THAT(script.errors, ::testing::Each("on_error: no word"));
  EXPECT_EQ(script.errors.size(), outcomes.size());
  EXPECT_EQ(condition("Ready"), "False Failed 2");
  EXPECT_EQ(condition("B"), "True Success 2");
}

TEST_F(PhasedReadyTest, APhaseThatWaitsIsNotReadyAndNoError) {
  become_ready();
  script.on["B.create"] = failing("no room");
  b->needed = {.need_create = true};
  change_spec();
  script.on["B.create"] = waiting(1h);
  change_spec();
  EXPECT_EQ(condition("B"), "False Waiting 3");
  EXPECT_EQ(condition("Ready"), "False Waiting 3");
  EXPECT_EQ(stored("x")["/status/isOnError"], false) << "the last reconcile did not fail";
  EXPECT_FALSE(stored("x")["/status/lastErrorMessage"].exists());
}

TEST_F(PhasedReadyTest, AHookThatThrowsLosesNoError) {
  become_ready();
  script.on["B.read"] = failing("no room");
  script.verdicts["B"] = [](const Error&) -> ErrorDecision { throw std::runtime_error("hook bug"); };
  script.verdicts["parent"] = [](const Error&) -> ErrorDecision { throw std::logic_error("parent bug"); };
  change_spec();
  ASSERT_NE(outcomes.front().as_failed(), nullptr);
  const std::string error = outcomes.front().as_failed()->to_string();
  EXPECT_THAT(error, HasSubstr("no room; and on_error threw std::runtime_error: hook bug"));
  EXPECT_THAT(error, HasSubstr("parent bug"));
  EXPECT_EQ(script.errors.size(), 2 * outcomes.size());
  EXPECT_EQ(condition("Ready"), "False Failed 2");
}

TEST_F(PhasedReadyTest, ARemovalThatThrowsKeepsTheFinalizerAndCallsTheHook) {
  become_ready(finalizer);
  script.on["remove"] = throwing("still mounted");
  erase("x");
  simulation.executor().sleep_for(2s);
  EXPECT_EQ(script.errors.size(), outcomes.size());
  EXPECT_THAT(script.errors, Contains("on_error: a step threw std::runtime_error: still mounted"));
  EXPECT_THAT(events(), Contains(HasSubstr("Warning Failed Failed to delete resource: a step threw")));
  EXPECT_EQ(condition("Ready"), "False Failed 2") << "a deletion increments the generation";
  EXPECT_EQ(stored("x").finalizers().size(), 1U);
  script.on["remove"] = waiting(1h);
  touch("x");
  simulation.executor().sleep_for(2s);
  EXPECT_EQ(condition("Ready"), "False Deleting 2");
  EXPECT_EQ(stored("x")["/status/isOnError"], false);
}

TEST_F(PhasedReadyTest, AFailureToAddTheFinalizerIsReported) {
  auto reconciler = with(finalizer);
  reconciler.reports_ready = true;
  run(reconciler.controller());
  set_faults({{.effect = http::ErrorResponse{.status = 403, .reason = "Forbidden"}, .only = is_object_write}});
  create("x");
  simulation.executor().sleep_for(2s);
  EXPECT_EQ(condition("Ready"), "False Failed 1");
  EXPECT_THAT(script.calls, IsEmpty());
  EXPECT_EQ(script.errors.size(), reconciles("error"));
}

struct BucketWithoutPhase {
  static constexpr Type type{"test.pintle.dev/v1", "BucketWithoutPhase"};
  struct Status {
    std::vector<StatusCondition> conditions{};
    bool is_on_error = false;
    std::optional<std::string> last_error_message{};
    std::int64_t observed_generation = 0;
    static constexpr auto fields() {
      return pintle::fields(field("conditions", &Status::conditions), field("isOnError", &Status::is_on_error),
                            field("lastErrorMessage", &Status::last_error_message),
                            field("observedGeneration", &Status::observed_generation));
    }
  };
  Metadata metadata{};
  Status status{};
};

// The server would drop a member that the schema of the kind does not contain.
TEST_F(PhasedReadyTest, AStatusWithoutThePhaseIsRefused) {
  using Plain = K8sReconciler<BucketWithoutPhase>;
  StdK8sReconciler<Plain> reconciler{.reconciler = std::make_shared<Plain>(), .reports_ready = true};
  const auto errors = reconciler.controller().errors;
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_THAT(errors.front().to_string(), HasSubstr("in the status of BucketWithoutPhase: phase;"));
  reconciler.reports_ready = false;
  EXPECT_THAT(reconciler.controller().errors, IsEmpty());
  auto accepted = with();
  accepted.reports_ready = true;
  EXPECT_THAT(accepted.controller().errors, IsEmpty());
}

TEST_F(PhasedReadyTest, AnObjectThatStaysAfterItsRemovalIsNotReady) {
  auto reconciler = with(finalizer);
  reconciler.reports_ready = true;
  run(reconciler.controller());
  create("x", {"test.pintle.dev/of-others"});
  ASSERT_TRUE(simulation.run_until_idle());
  ASSERT_EQ(condition("Ready"), "True Ready 1");
  erase("x");
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(script.calls.back(), "remove");
  EXPECT_EQ(condition("Ready"), "False Deleted 2");
}

// Each attempt has the same text, so the status is written once.
TEST_F(PhasedReadyTest, APhaseThatAlwaysThrowsBacksOff) {
  become_ready();
  script.on["B.read"] = throwing("bug");
  const std::uint64_t before = simulation.server().writes();
  change_spec();
  simulation.executor().sleep_for(1h);
  EXPECT_GE(outcomes.size(), 10U);
  EXPECT_LE(outcomes.size(), 30U);
  EXPECT_LE(simulation.server().writes(), before + 30) << "the change of the user, the status, and Events";
  EXPECT_THAT(log->lines(), Not(IsEmpty()));
}

// Each attempt writes another status, whose event must not shorten the back-off (T0-24).
TEST_F(PhasedReadyTest, AnErrorWithAChangingTextBacksOff) {
  become_ready();
  int attempts = 0;
  script.on["B.read"] = [&attempts](Context&) -> Outcome {
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
}  // namespace pintle::phased
