// SPDX-License-Identifier: Apache-2.0
#include <pintle/controller/error_decision.hpp>

#include "test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

// A verdict is always explicit: there is no conversion and no default.
static_assert(!std::is_convertible_v<Outcome, ErrorDecision> && !std::is_convertible_v<Error, ErrorDecision>);
static_assert(!std::is_default_constructible_v<ErrorDecision>);

TEST(ErrorDecision, DefinesTheOutcome) {
  const ErrorDecision continues = handled_continue;
  EXPECT_TRUE(continues.continues() && continues.is_handled());
  EXPECT_TRUE(continues.outcome().is_done());
  const ErrorDecision stops = handled_stop(requeue_after(5s));
  EXPECT_TRUE(!stops.continues() && stops.is_handled());
  EXPECT_EQ(stops.outcome().as_requeue_after()->delay, 5s);
  const ErrorDecision propagated = propagate(make_error(ErrorCode::timeout, "late"));
  EXPECT_TRUE(!propagated.continues() && !propagated.is_handled());
  EXPECT_EQ(propagated.outcome().as_failed()->message, "late");
}

TEST(ErrorDecision, OfACleanupIsNeverDone) {
  EXPECT_TRUE(ErrorDecision(handled_continue).cleanup_outcome().is_requeue());
  EXPECT_TRUE(handled_stop().cleanup_outcome().is_requeue());
  EXPECT_EQ(handled_stop(requeue_after(5s)).cleanup_outcome().as_requeue_after()->delay, 5s);
  EXPECT_NE(propagate(make_error(ErrorCode::timeout, "late")).cleanup_outcome().as_failed(), nullptr);
}

class ErrorHookTest : public OperatorTest {
 protected:
  // A reconcile that waits until it is stopped. Its error hook appends each error to `errors`.
  Controller<Note> waiting(Duration timeout) {
    return {.reconcile = [this](const Note&, Context& context) -> Outcome {
              begun = true;
              if (!context.executor().sleep_for(1h, context.stop_token())) {
                return decide_on_error(make_error(ErrorCode::cancelled, "woken"), context, hook()).outcome();
              }
              return done;
            },
            .timeout = timeout};
  }
  std::function<ErrorDecision(const Error&)> hook() {
    return [this](const Error& error) -> ErrorDecision {
      errors.push_back(error.to_string());
      return handled_stop(requeue_after(1h));
    };
  }

  bool begun = false;
  std::vector<std::string> errors;
};

TEST_F(ErrorHookTest, IsCalledAndHandledErrorsAreLogged) {
  run({.reconcile = [this](const Note&, Context& context) {
    return decide_on_error(make_error(ErrorCode::timeout, "late"), context, hook()).outcome();
  }});
  create(note("a"));
  simulation.run_until_idle();
  EXPECT_EQ(errors, std::vector<std::string>{"late"});
  EXPECT_TRUE(log->has("error handled controller=note key=default/a error=late"));
}

TEST_F(ErrorHookTest, IsNotCalledAfterAStop) {
  run(waiting({}));
  create(note("a"));
  ASSERT_TRUE(simulation.wait_until([this] { return begun; }));
  instance->stop();
  EXPECT_TRUE(errors.empty());
}

TEST_F(ErrorHookTest, IsCalledAfterATimeout) {
  run(waiting(1min));
  create(note("a"));
  ASSERT_TRUE(simulation.wait_until([this] { return !errors.empty(); }));
  EXPECT_EQ(errors.front(), "woken");
}

}  // namespace
}  // namespace pintle
