// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/watcher/operator.hpp>

#include "test_support.hpp"

namespace pintle::watcher {
namespace {

// Ends after a time or after a stop was requested, with a short delay.
class Timed final : public Controller {
 public:
  Timed(Executor& executor, Duration after, Result<void> result)
      : executor_(executor), after_(after), result_(std::move(result)) {}

  Result<void> run(const std::stop_token& stop) override {
    const bool was_stopped = !executor_.sleep_for(after_, stop);
    if (was_stopped) executor_.sleep_for(3s);
    has_ended = true;
    return was_stopped && ends_well ? Result<void>() : result_;
  }

  bool has_ended = false;
  bool ends_well = true;

 private:
  Executor& executor_;
  const Duration after_;
  const Result<void> result_;
};

class OperatorTest : public WatcherTest {
 protected:
  std::shared_ptr<Timed> add(Duration after, Result<void> result = {}) {
    auto made = std::make_shared<Timed>(simulation.executor(), after, std::move(result));
    operator_.add_controller(made);
    return made;
  }
  ManagerOptions options() {
    ManagerOptions made{.name = "test-operator", .log_sink = log};
    made.executor = &simulation.executor();
    made.transport = transport;
    return made;
  }

  std::shared_ptr<http::InProcessTransport> transport = simulation.connect();
  Manager manager{options()};
  Operator operator_{manager};
};

// The error of a controller ends the others and is returned (T4-26).
TEST_F(OperatorTest, TheErrorOfAControllerEndsTheOthersAndIsReturned) {
  add(10s, fail(outage("first")));
  const auto other = add(1h);
  const Result<void> ended = operator_.run();
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().message, "first");
  EXPECT_TRUE(other->has_ended);
}

// A stop is not an error, and a controller that ends without an error does not end the operator (T4-26).
TEST_F(OperatorTest, AStopOrTheEndOfOneControllerIsNoError) {
  add(1s);
  const auto other = add(1h);
  std::stop_source stop;
  const Instant begun = simulation.executor().now();
  Thread user = simulation.executor().spawn({}, [&] {
    simulation.executor().sleep_for(1min);
    stop.request_stop();
  });
  const Result<void> ended = operator_.run(stop.get_token());
  EXPECT_TRUE(ended);
  EXPECT_TRUE(other->has_ended);
  EXPECT_EQ(simulation.executor().now() - begun, 63s);
}

// In the original, the second controller that failed blocked forever on a thread that was never joined (T4-26).
TEST_F(OperatorTest, ErrorsOfTwoControllersAreBothReturned) {
  add(10s, fail(outage("first")));
  const auto second = add(1h, fail(outage("second")));
  second->ends_well = false;
  const Result<void> ended = operator_.run();
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().message, "first; then: second");
  EXPECT_TRUE(second->has_ended);
}

// A controller that ignores its stop delays the end of the operator only for a limited time.
TEST_F(OperatorTest, AControllerThatDoesNotStopIsReportedAfterTheGraceTime) {
  class Deaf final : public Controller {
   public:
    explicit Deaf(Executor& executor) : executor_(executor) {}
    Result<void> run(const std::stop_token&) override {
      executor_.sleep_for(2h);
      return {};
    }

   private:
    Executor& executor_;
  };
  const auto polite = add(10s, fail(outage("first")));
  operator_.add_controller(std::make_shared<Deaf>(simulation.executor()));
  const auto other = add(1h);
  const Instant begun = simulation.executor().now();
  const Result<void> ended = operator_.run();
  EXPECT_LE(simulation.executor().now() - begun, 1min);
  ASSERT_FALSE(ended);
  EXPECT_NE(ended.error().message.find("first; then: "), std::string::npos) << ended.error().message;
  EXPECT_NE(ended.error().message.find("controller-1"), std::string::npos) << ended.error().message;
  EXPECT_EQ(ended.error().message.find("controller-2"), std::string::npos) << ended.error().message;
  EXPECT_TRUE(other->has_ended);
}

// The handlers of an InformerController run in the manager.
TEST_F(OperatorTest, AHandlerThatDoesNotStopIsReportedAfterTheGraceTime) {
  controller->add_watcher(
      std::make_shared<SimpleWatcher>(WatcherFunctions{.added = [&](const Object&, Context& context) -> Outcome {
        calls.emplace_back("add");
        context.executor().sleep_for(2h);
        return done;
      }}),
      "Note");
  controller->add_informer(KubernetesBasedInformer::of<Note>(), "Note");
  operator_.add_controller(controller);
  create(note("a"));
  std::stop_source stop;
  Instant begun{};
  Thread user = simulation.executor().spawn({}, [&] {
    EXPECT_TRUE(simulation.wait_until([&] { return !calls.empty(); }));
    begun = simulation.executor().now();
    stop.request_stop();
  });
  const Result<void> ended = operator_.run(stop.get_token());
  EXPECT_LE(simulation.executor().now() - begun, 1min);
  ASSERT_FALSE(ended);
  EXPECT_NE(ended.error().message.find("note of default/a"), std::string::npos) << ended.error().message;
}

TEST_F(OperatorTest, WithoutControllersItWaitsForTheStop) {
  std::stop_source stop;
  Thread user = simulation.executor().spawn({}, [&] {
    simulation.executor().sleep_for(1min);
    stop.request_stop();
  });
  EXPECT_TRUE(operator_.run(stop.get_token()));
}

TEST_F(OperatorTest, AnExceptionIsAnError) {
  class Throwing final : public Controller {
    Result<void> run(const std::stop_token&) override { throw std::runtime_error("oops"); }
  };
  operator_.add_controller(std::make_shared<Throwing>());
  const Result<void> ended = operator_.run();
  ASSERT_FALSE(ended);
  EXPECT_NE(ended.error().message.find("oops"), std::string::npos);
}

TEST_F(OperatorTest, RunsTheManagerForAnInformerController) {
  controller->add_watcher(watcher(), "Note");
  controller->add_informer(KubernetesBasedInformer::of<Note>(), "Note");
  operator_.add_controller(controller);
  create(note("a"));
  std::stop_source stop;
  Thread user = simulation.executor().spawn({}, [&] {
    EXPECT_TRUE(simulation.wait_until([&] { return !calls.empty(); }));
    stop.request_stop();
  });
  EXPECT_TRUE(operator_.run(stop.get_token()));
  EXPECT_EQ(calls, Calls{"add a=1"});
  EXPECT_NE(operator_.metrics().text().find("informer_events_total"), std::string::npos);
}

TEST_F(OperatorTest, ErrorsOfAnInformerControllerAreReturnedAtStart) {
  controller->add_watcher(nullptr, "Note");
  operator_.add_controller(controller);
  const Result<void> ended = operator_.run();
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().message, "watcher cannot be nil");
}

}  // namespace
}  // namespace pintle::watcher
