#include <pintle/controller/error_verdict.hpp>

#include "test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

// A verdict is always explicit: there is no conversion and no default.
static_assert(!std::is_convertible_v<Outcome, ErrorVerdict> && !std::is_convertible_v<Error, ErrorVerdict>);
static_assert(!std::is_default_constructible_v<ErrorVerdict>);

TEST(ErrorVerdict, SaysWhatBecomesOfThePass) {
  const ErrorVerdict goes_on = handled_continue;
  EXPECT_TRUE(goes_on.goes_on() && goes_on.is_handled());
  EXPECT_TRUE(goes_on.outcome().is_settled());
  const ErrorVerdict stops = handled_stop(look_again_in(5s));
  EXPECT_TRUE(!stops.goes_on() && stops.is_handled());
  EXPECT_EQ(stops.outcome().as_look_again_in()->delay, 5s);
  const ErrorVerdict passed_on = propagate(make_error(ErrorCode::timeout, "late"));
  EXPECT_TRUE(!passed_on.goes_on() && !passed_on.is_handled());
  EXPECT_EQ(passed_on.outcome().as_failed()->message, "late");
}

TEST(ErrorVerdict, OfACleanupNeverSettles) {
  EXPECT_TRUE(ErrorVerdict(handled_continue).outcome_of_cleanup().is_look_again());
  EXPECT_TRUE(handled_stop().outcome_of_cleanup().is_look_again());
  EXPECT_EQ(handled_stop(look_again_in(5s)).outcome_of_cleanup().as_look_again_in()->delay, 5s);
  EXPECT_NE(propagate(make_error(ErrorCode::timeout, "late")).outcome_of_cleanup().as_failed(), nullptr);
}

class ErrorHookTest : public OperatorTest {
 protected:
  // A reconcile that waits until it is stopped. Its error hook appends each error to `asked`.
  Controller<Note> waiting(Duration timeout) {
    return {.reconcile = [this](const Note&, Context& context) -> Outcome {
              begun = true;
              if (!context.executor().sleep_for(1h, context.stop_token())) {
                return verdict_on(make_error(ErrorCode::cancelled, "woken"), context, hook()).outcome();
              }
              return settled;
            },
            .timeout = timeout};
  }
  std::function<ErrorVerdict(const Error&)> hook() {
    return [this](const Error& error) -> ErrorVerdict {
      asked.push_back(error.to_string());
      return handled_stop(look_again_in(1h));
    };
  }

  bool begun = false;
  std::vector<std::string> asked;
};

TEST_F(ErrorHookTest, IsAskedAndWhatItHandlesIsLogged) {
  run({.reconcile = [this](const Note&, Context& context) {
    return verdict_on(make_error(ErrorCode::timeout, "late"), context, hook()).outcome();
  }});
  create(note("a"));
  simulation.settle();
  EXPECT_EQ(asked, std::vector<std::string>{"late"});
  EXPECT_TRUE(log->has("error handled controller=note key=default/a error=late"));
}

TEST_F(ErrorHookTest, IsNotAskedAboutAPassThatAStopCutShort) {
  run(waiting({}));
  create(note("a"));
  ASSERT_TRUE(simulation.wait_until([this] { return begun; }));
  instance->stop();
  EXPECT_TRUE(asked.empty());
}

TEST_F(ErrorHookTest, IsAskedAboutAPassThatTookTooLong) {
  run(waiting(1min));
  create(note("a"));
  ASSERT_TRUE(simulation.wait_until([this] { return !asked.empty(); }));
  EXPECT_EQ(asked.front(), "woken");
}

}  // namespace
}  // namespace pintle
