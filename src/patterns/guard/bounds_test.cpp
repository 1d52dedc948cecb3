// SPDX-License-Identifier: Apache-2.0
// The cost of a task that never succeeds: calls to the external system, and writes of the status.
#include <pintle/testing/call_recorder.hpp>

#include "test_support.hpp"

namespace pintle::guard {
namespace {

using namespace std::chrono_literals;
using enum ConditionStatus;

class GuardBounds : public GuardTest {
 protected:
  static constexpr std::size_t far_too_many = 300;

  // Each failure has another text. After far too many calls, a call takes long, so that an endless loop ends with the
  // virtual time.
  Task failing(ErrorCode code) {
    return [this, code]() -> Result<TaskResult> {
      calls.fail_next(make_error(code, "request " + std::to_string(calls.size()) + " failed"));
      if (calls.size() > far_too_many) simulation.executor().sleep_for(1h);
      const auto call = calls.call("request");
      return fail(call.error());
    };
  }
  void run(ErrorCode code) {
    Provider<Site> provider{.condition = tunneling,
                            .reconcile = [this, code](const Site&, ProviderController& controller) -> StepResult {
                              return controller.guard("make the tunnel", failing(code));
                            },
                            .terminate = [this, code](const Site&, ProviderController& controller) -> StepResult {
                              return controller.guard_then_remove_finalizer("end it", "test.pintle.dev/a",
                                                                            failing(code));
                            }};
    start({.providers = {provider}}, {{.effect = http::Delay{}, .only = [this](const http::Request& request) {
                                         if (request.method == "PATCH") (void)writes.call(request.target);
                                         return false;
                                       }}});
  }

  testkit::CallRecorder calls{simulation.executor()};
  testkit::CallRecorder writes{simulation.executor()};
};

// The own writes of the task must not break its back-off.
TEST_F(GuardBounds, AnUnavailableTaskIsRetriedAFewTimesAnHour) {
  prepare_site({{"phase", "Deploying"}});
  run(ErrorCode::unavailable);
  simulation.executor().sleep_for(3h);
  EXPECT_TRUE(calls.at_most(25, 1h));
  EXPECT_TRUE(calls.since(1h).at_most(5, 1h)) << "the back-off has grown";
  EXPECT_TRUE(writes.at_most(60, 1h));
  EXPECT_GE(calls.size(), 20U) << "it is retried";
  EXPECT_EQ(phase(), "Deploying");
}

// The same for a task of `terminate` (T0-24).
TEST_F(GuardBounds, ATaskThatFailsDuringTerminationIsRetriedAFewTimesAnHour) {
  prepare_site({{"phase", "Deploying"}}, {"test.pintle.dev/a"});
  delete_site();
  run(ErrorCode::unknown);
  simulation.executor().sleep_for(3h);
  EXPECT_TRUE(calls.at_most(25, 1h));
  EXPECT_TRUE(calls.since(1h).at_most(5, 1h)) << "the back-off has grown";
  EXPECT_TRUE(writes.at_most(60, 1h));
  EXPECT_GE(calls.size(), 20U);
  EXPECT_EQ(phase(), "Terminating");
}

// While the recovery cannot determine the result of the task, the task must not run again.
TEST_F(GuardBounds, ARecoveryWithAConflictIsRetriedAFewTimesAnHour) {
  prepare_site(
      {{"phase", "Deploying"},
       {"conditions", condition_value(locked, "make the tunnel",
                                      Lock{.holder = "other", .since = simulation.executor().wall_now() - 5min})}});
  const ObjectKey account{"default", "account"};
  ASSERT_TRUE(
      simulation.user().create(ConfigMap{.metadata = {.name = account.name, .namespace_ = account.namespace_}}));
  bool is_outdated = true;
  int tasks = 0;
  Provider<Site> provider{.condition = tunneling,
                          .reconcile = [&](const Site&, ProviderController& controller) -> StepResult {
                            if (controller.condition().status == created) return next_step;
                            return controller.guard("make the tunnel", done_as(created, "done", [&] { ++tasks; }));
                          },
                          .recover = [&](const Site&, ProviderController& controller) -> Result<TaskResult> {
                            if (calls.size() > far_too_many) simulation.executor().sleep_for(1h);
                            (void)calls.call("recover");
                            json::Value change{{"data", {{"is", "there"}}}};
                            if (is_outdated) change.as_object()["metadata"] = {{"resourceVersion", "1"}};
                            const auto written = controller.context().client().patch(ConfigMap::type, account, change);
                            if (!written) return fail(written.error());
                            return TaskResult{.status = created, .reason = "it is there"};
                          },
                          .idempotent = false};
  start({.providers = {provider}});
  simulation.executor().sleep_for(3h);
  EXPECT_EQ(tasks, 0);
  EXPECT_EQ(condition(), "Locked: make the tunnel");
  EXPECT_EQ(phase(), "Deploying");
  EXPECT_TRUE(calls.at_most(25, 1h));
  EXPECT_TRUE(calls.since(1h).at_most(5, 1h)) << "the back-off has grown";
  EXPECT_GE(calls.size(), 20U) << "it is retried";
  is_outdated = false;
  simulation.executor().sleep_for(1h);
  EXPECT_EQ(tasks, 0);
  EXPECT_EQ(condition(), "Created: it is there");
}

// The server refuses the creation because of a former child, which is gone before the controller reads it.
TEST_F(GuardBounds, AChildThatIsGoneAfterTheRefusalIsCreatedLater) {
  prepare_site({{"phase", "Deploying"}});
  Provider<Site> provider{.condition = tunneling,
                          .reconcile = [&](const Site&, ProviderController& controller) -> StepResult {
                            if (calls.size() > far_too_many) simulation.executor().sleep_for(1h);
                            (void)calls.call("create");
                            return controller.create(ConfigMap{.metadata = {.name = "m"}});
                          }};
  start({.providers = {provider}}, {{.effect = http::ErrorResponse{.status = 409, .reason = "AlreadyExists"},
                                     .only = http::requests("POST", "/api/v1/namespaces/default/configmaps")}});
  simulation.executor().sleep_for(3h);
  EXPECT_EQ(phase(), "Deploying") << "the error does not concern the workspace";
  EXPECT_TRUE(calls.at_most(25, 1h));
  EXPECT_TRUE(calls.since(1h).at_most(5, 1h)) << "the back-off has grown";
  EXPECT_GE(calls.size(), 20U) << "it is retried";
  instance->transport().set_faults({});
  simulation.executor().sleep_for(1h);
  EXPECT_TRUE(simulation.user().get(ConfigMap::type, {"default", "m"}));
  EXPECT_EQ(phase(), "Deploying");
}

// A conflict that does not end must not be retried every second without end.
class GuardConflicts : public GuardBounds {
 protected:
  using Step = std::function<StepResult(ProviderController&)>;

  // Each request with this method and this text in its target fails with a conflict.
  void run_step(const std::string& method, const std::string& target, const Step& step, bool is_deleting = false) {
    prepare_site({{"phase", is_deleting ? "Terminating" : "Deploying"}, {"conditions", condition_value(waiting, "on")}},
                 is_deleting ? std::vector<std::string>{"test.pintle.dev/a"} : std::vector<std::string>{});
    if (is_deleting) delete_site();
    const auto noted = [this, step](const Site&, ProviderController& controller) -> StepResult {
      (void)calls.call("step");
      if (calls.size() > far_too_many) simulation.executor().sleep_for(1h);
      return step(controller);
    };
    start({.providers = {{.condition = tunneling, .reconcile = noted, .terminate = noted}}},
          {{.effect = http::conflict_response(), .only = [this, method, target](const http::Request& request) {
              if (request.method != method || request.target.find(target) == std::string::npos) return false;
              (void)writes.call(request.target);
              return true;
            }}});
    simulation.executor().sleep_for(3h);
  }
  void expect_few() {
    ASSERT_GE(calls.size(), 10U) << "it is retried";
    EXPECT_EQ(calls.all()[1].at - calls.all()[0].at, 1s) << "Pipeline::conflict_requeue_after";
    EXPECT_EQ(calls.all()[2].at - calls.all()[1].at, 1s) << "never earlier";
    EXPECT_TRUE(calls.at_most(25, 1h));
    EXPECT_TRUE(calls.since(1h).at_most(5, 1h)) << "the back-off has grown";
    EXPECT_TRUE(writes.at_most(125, 1h));
    EXPECT_GE(writes.size(), 10U) << "the conflicts occurred";
    EXPECT_EQ(condition(), "Waiting: on");
    EXPECT_EQ(simulation.server().objects("events").size(), 0U) << "a conflict does not concern the workspace";
  }
};

TEST_F(GuardConflicts, OfALockOccurAFewTimesAnHour) {
  run_step("PATCH", "/sites/a/status", [](ProviderController& controller) -> StepResult {
    return controller.guard("r", done_as(created, "done", [] { ADD_FAILURE() << "it was never locked"; }));
  });
  expect_few();
  EXPECT_EQ(phase(), "Deploying");
}

TEST_F(GuardConflicts, OfALockDuringTerminationOccurAFewTimesAnHour) {
  run_step(
      "PATCH", "/sites/a/status",
      [](ProviderController& controller) -> StepResult {
        return controller.guard_then_remove_finalizer(
            "r", "test.pintle.dev/a", done_as(terminated, "gone", [] { ADD_FAILURE() << "it was never locked"; }));
      },
      true);
  expect_few();
}

TEST_F(GuardConflicts, OfAConditionOccurAFewTimesAnHour) {
  run_step("PATCH", "/sites/a/status", [n = 0](ProviderController& controller) mutable -> StepResult {
    return controller.update_condition(in_progress, "attempt " + std::to_string(++n));
  });
  expect_few();
}

TEST_F(GuardConflicts, OfAStatusOccurAFewTimesAnHour) {
  run_step("PATCH", "/sites/a/status", [n = 0](ProviderController& controller) mutable -> StepResult {
    return controller.update(Site::Status{.phase = "Deploying", .tunnel = "t-" + std::to_string(++n)});
  });
  expect_few();
}

TEST_F(GuardConflicts, OfACreationOccurAFewTimesAnHour) {
  run_step("POST", "/configmaps", [](ProviderController& controller) -> StepResult {
    return controller.create(ConfigMap{.metadata = {.name = "child"}});
  });
  expect_few();
}

TEST_F(GuardConflicts, OfAFinalizerOccurAFewTimesAnHour) {
  run_step("PATCH", "/sites/a?", [](ProviderController& controller) -> StepResult {
    const auto set = controller.set_finalizer("test.pintle.dev/b");
    return set ? StepResult(next_step) : StepResult(fail(set.error()));
  });
  expect_few();
}

// A change by another client causes a reconcile at once, and the next delay is as long as without this change.
TEST_F(GuardConflicts, KeepTheirBackOffAfterAForeignChange) {
  run_step("POST", "/configmaps", [](ProviderController& controller) -> StepResult {
    return controller.create(ConfigMap{.metadata = {.name = "child"}});
  });
  calls.clear();
  ASSERT_TRUE(simulation.user().patch(Site::type, key, json::Value{{"spec", {{"host", "b.example.com"}}}}));
  simulation.executor().sleep_for(1h);
  EXPECT_TRUE(calls.at_most(6, 1h));
  EXPECT_GE(calls.size(), 2U);
}

// After a success, the next conflict has the first delay again.
TEST_F(GuardConflicts, RestartTheBackOffAfterASuccess) {
  prepare_site({{"phase", "Deploying"}});
  calls.fail_next(
      [] {
        Error conflict = make_error(ErrorCode::conflict, "of the server");
        conflict.reason = "Conflict";
        return conflict;
      }(),
      12);
  start({.providers = {{.condition = tunneling, .reconcile = [this](const Site&, ProviderController&) -> StepResult {
                          if (auto called = calls.call("step"); !called) return fail(called.error());
                          return next_step;
                        }}}});
  ASSERT_TRUE(simulation.run_until_idle());
  ASSERT_GE(calls.size(), 13U);
  calls.clear();
  Error conflict = make_error(ErrorCode::conflict, "of the server");
  conflict.reason = "Conflict";
  calls.fail_next(conflict);
  ASSERT_TRUE(simulation.user().patch(Site::type, key, json::Value{{"spec", {{"host", "b.example.com"}}}}));
  ASSERT_TRUE(simulation.run_until_idle());
  ASSERT_GE(calls.size(), 2U);
  EXPECT_EQ(calls.all()[1].at - calls.all()[0].at, 1s);
}

}  // namespace
}  // namespace pintle::guard
