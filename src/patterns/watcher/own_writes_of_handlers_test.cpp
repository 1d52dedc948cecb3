// Handlers that note each attempt on the object: what they write may not call them again before the time.
#include <gmock/gmock.h>

#include "opinionated_test_support.hpp"

namespace pintle::watcher {
namespace {

// Its clean-up writes the number of the attempt on the object.
class NotedAttempts : public OpinionatedTest, public ::testing::WithParamInterface<const char*> {
 protected:
  void run_with(const Outcome& answer) {
    const auto clean = [this, answer](const Object& object, Context& context) -> Outcome {
      const json::Value noted{{"metadata", {{"annotations", {{"test.dev/attempt", std::to_string(++attempts)}}}}}};
      const auto written = context.client().patch(Note::type, object.key(), noted, {}, context.stop_token());
      EXPECT_TRUE(written) << written.error().to_string();
      simulation.runtime().sleep_for(1s);
      return answer;
    };
    if (std::string_view(GetParam()) == "watcher") {
      controller->add_watcher(
          std::make_shared<OpinionatedWatcher>(GroupVersionKind(Note::type), OpinionatedFunctions{.deleted = clean}),
          "Note");
    } else {
      const auto inner = std::make_shared<SimpleReconciler>(
          [clean](const ReconcileRequest& request, Context& context) -> ReconcileResult {
            if (request.action == ReconcileAction::deleted) return clean(request.object, context);
            return settled;
          });
      controller->add_reconciler(std::make_shared<OpinionatedReconciler>(ours, inner), "Note");
    }
    make({ours});
    run();
    let_pass(1min);
    remove("x");
  }
  // An hour, or until there have been far too many attempts.
  void pass_an_hour() {
    attempts = 0;
    simulation.wait_until([&] { return attempts > 1000; }, 1h);
  }

  int attempts = 0;
};

TEST_P(NotedAttempts, KeepTheDelayThatTheyAskFor) {
  run_with(look_again_in(10min));
  pass_an_hour();
  EXPECT_GE(attempts, 5);
  EXPECT_LE(attempts, 8);
}

TEST_P(NotedAttempts, KeepTheirBackOff) {
  run_with(failed(outage()));
  pass_an_hour();
  EXPECT_GE(attempts, 6);
  EXPECT_LE(attempts, 9) << "seven calls of the default policy";
  pass_an_hour();
  EXPECT_LE(attempts, 1) << "given up until something else happens";
}

INSTANTIATE_TEST_SUITE_P(Opinionated, NotedAttempts, ::testing::Values("watcher", "reconciler"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace pintle::watcher
