// SPDX-License-Identifier: Apache-2.0
// Handlers that record each attempt in the object: their own writes must not cause earlier calls.
#include <gmock/gmock.h>

#include "opinionated_test_support.hpp"

namespace pintle::watcher {
namespace {

// The clean-up writes the number of the attempt to the object.
class NotedAttempts : public OpinionatedTest, public ::testing::WithParamInterface<const char*> {
 protected:
  void run_with(const Outcome& outcome) {
    const auto clean = [this, outcome](const Object& object, Context& context) -> Outcome {
      const json::Value noted{{"metadata", {{"annotations", {{"test.dev/attempt", std::to_string(++attempts)}}}}}};
      const auto written = context.client().patch(Note::type, object.key(), noted, {}, context.stop_token());
      EXPECT_TRUE(written) << written.error().to_string();
      simulation.executor().sleep_for(1s);
      return outcome;
    };
    if (std::string_view(GetParam()) == "watcher") {
      controller->add_watcher(
          std::make_shared<OpinionatedWatcher>(GroupVersionKind(Note::type), OpinionatedFunctions{.deleted = clean}),
          "Note");
    } else {
      const auto inner = std::make_shared<SimpleReconciler>(
          [clean](const ReconcileRequest& request, Context& context) -> ReconcileResult {
            if (request.action == ReconcileAction::deleted) return clean(request.object, context);
            return done;
          });
      controller->add_reconciler(std::make_shared<OpinionatedReconciler>(ours, inner), "Note");
    }
    make({ours});
    run();
    advance_time(1min);
    remove("x");
  }
  // Runs for an hour, or until there have been far too many attempts.
  void advance_an_hour() {
    attempts = 0;
    simulation.wait_until([&] { return attempts > 1000; }, 1h);
  }

  int attempts = 0;
};

TEST_P(NotedAttempts, KeepTheirRequestedDelay) {
  run_with(requeue_after(10min));
  advance_an_hour();
  EXPECT_GE(attempts, 5);
  EXPECT_LE(attempts, 8);
}

TEST_P(NotedAttempts, KeepTheirBackOff) {
  run_with(failed(outage()));
  advance_an_hour();
  EXPECT_GE(attempts, 6 + 10);
  EXPECT_LE(attempts, 9 + 11) << "seven calls of the default policy, then one every five minutes";
  advance_an_hour();
  EXPECT_GE(attempts, 11);
  EXPECT_LE(attempts, 13) << "without resyncs, the deletion continues every five minutes";
}

INSTANTIATE_TEST_SUITE_P(Opinionated, NotedAttempts, ::testing::Values("watcher", "reconciler"),
                         [](const auto& test) { return std::string(test.param); });

// A handler that fails and changes more of the object than an annotation each time: the generation changes, or the kind
// has no generation.
class ChangedByAttempts : public WatcherTest {
 protected:
  Outcome attempt(const Object& object, Context& context) {
    const auto written = context.patch(object, change_of(object, std::to_string(++attempts)));
    EXPECT_TRUE(written) << written.error().to_string();
    return failed(outage());
  }
  static json::Value change_of(const Object& object, const std::string& text) {
    if (object.kind() == "Note") return {{"spec", {{"text", text}}}};
    return {{"data", {{"text", text}}}};
  }
  [[nodiscard]] std::shared_ptr<ResourceWatcher> failing() {
    const auto changed = [this](const Object&, const Object& now, Context& context) { return attempt(now, context); };
    const auto added = [this](const Object& object, Context& context) { return attempt(object, context); };
    return std::make_shared<SimpleWatcher>(WatcherFunctions{.added = added, .updated = changed});
  }
  // The number of attempts in the hour after an event; ends earlier if there are far too many.
  int attempts_after(const std::function<void()>& event) {
    attempts = 0;
    event();
    simulation.wait_until([&] { return attempts > 1000; }, 1h);
    return attempts;
  }

  static constexpr int calls_of_the_policy = 7;
  int attempts = 0;
};

TEST_F(ChangedByAttempts, KeepTheirBackOffIfTheGenerationChanges) {
  controller->add_watcher(failing(), "Note");
  run();
  EXPECT_EQ(attempts_after([this] { create(note("x")); }), calls_of_the_policy);
  const auto change = [this] { patch("x", {{"spec", {{"text", "of another"}}}}); };
  EXPECT_EQ(attempts_after(change), calls_of_the_policy) << "a foreign change is a new event";
}

TEST_F(ChangedByAttempts, KeepTheirBackOffForAKindWithoutGeneration) {
  controller->add_watcher(failing(), "ConfigMap");
  controller->add_informer(KubernetesBasedInformer(ConfigMap::type, {.resync = resync}), "ConfigMap");
  start();
  const ConfigMap map{.metadata = {.name = "x", .namespace_ = "default"}};
  EXPECT_EQ(attempts_after([&] { ASSERT_TRUE(simulation.user().create(map)); }), calls_of_the_policy);
}

// The change happens between a failure and its retry. The retry then has two events: that of the handler's own write,
// and that of the other client.
TEST_F(ChangedByAttempts, RestartAfterAForeignChange) {
  controller->add_watcher(failing(), "ConfigMap");
  controller->add_informer(KubernetesBasedInformer(ConfigMap::type, {.resync = resync}), "ConfigMap");
  start();
  ASSERT_TRUE(simulation.user().create(ConfigMap{.metadata = {.name = "x", .namespace_ = "default"}}));
  simulation.executor().sleep_for(200s);
  ASSERT_EQ(attempts, 6) << "at 0, 5, 15, 35, 75 and 155 s";
  const auto change = [this] {
    const json::Value other{{"metadata", {{"labels", {{"by", "another"}}}}}};
    ASSERT_TRUE(simulation.user().patch(ConfigMap::type, {"default", "x"}, other));
  };
  EXPECT_EQ(attempts_after(change), calls_of_the_policy);
}

}  // namespace
}  // namespace pintle::watcher
