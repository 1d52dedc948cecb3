// What a task that never succeeds costs: calls to the outside, and writes of the status.
#include <pintle/testing/call_recorder.hpp>

#include "test_support.hpp"

namespace pintle::guard {
namespace {

using namespace std::chrono_literals;
using enum ConditionStatus;

class GuardBounds : public GuardTest {
 protected:
  static constexpr std::size_t far_too_many = 300;

  // Whatever a task fails with, no text is like another. Takes long when it was called far too often, so that a loop
  // ends with the virtual time.
  Task failing(ErrorCode code) {
    return [this, code]() -> Result<TaskResult> {
      calls.fail_next(make_error(code, "request " + std::to_string(calls.size()) + " failed"));
      if (calls.size() > far_too_many) simulation.runtime().sleep_for(1h);
      const auto answer = calls.call("request");
      return fail(answer.error());
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

  testing::CallRecorder calls{simulation.runtime()};
  testing::CallRecorder writes{simulation.runtime()};
};

// Its own writes woke the workspace, which broke the back-off.
TEST_F(GuardBounds, ATaskThatIsNotNowIsTriedAFewTimesAnHour) {
  prepare_site({{"phase", "Deploying"}});
  run(ErrorCode::unavailable);
  simulation.runtime().sleep_for(3h);
  EXPECT_TRUE(calls.at_most(25, 1h));
  EXPECT_TRUE(calls.since(1h).at_most(5, 1h)) << "the back-off has grown";
  EXPECT_TRUE(writes.at_most(60, 1h));
  EXPECT_GE(calls.size(), 20U) << "it is tried again and again";
  EXPECT_EQ(phase(), "Deploying");
}

// T0-24 F
TEST_F(GuardBounds, ATaskThatFailsWhileTerminatingIsTriedAFewTimesAnHour) {
  prepare_site({{"phase", "Deploying"}}, {"test.pintle.dev/a"});
  delete_site();
  run(ErrorCode::unknown);
  simulation.runtime().sleep_for(3h);
  EXPECT_TRUE(calls.at_most(25, 1h));
  EXPECT_TRUE(calls.since(1h).at_most(5, 1h)) << "the back-off has grown";
  EXPECT_TRUE(writes.at_most(60, 1h));
  EXPECT_GE(calls.size(), 20U);
  EXPECT_EQ(phase(), "Terminating");
}

}  // namespace
}  // namespace pintle::guard
