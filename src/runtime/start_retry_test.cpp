// A start under faults that pass, and under faults that do not.
#include "start_retry.hpp"

#include <pintle/testing/seeds.hpp>

#include "test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

Outcome do_nothing_with(const Note&, Context&) { return settled; }

// One operator that starts on a way with faults.
class FaultyStart {
 public:
  FaultyStart(std::uint64_t seed, http::FaultPlan faults, ManagerOptions options = {}) : simulation_({.seed = seed}) {
    options.name = "faulty";
    options.log_sink = log;
    instance = std::make_unique<testing::Instance>(
        simulation_, std::move(options),
        [](Manager& manager) {
          manager.add(Controller<Note>{.owns = {ConfigMap::type}, .reconcile = do_nothing_with});
        },
        std::move(faults));
    begun_ = simulation_.runtime().now();
    instance->start();
    instance->join();
    took = simulation_.runtime().now() - begun_;
  }

  std::shared_ptr<KeptLog> log = std::make_shared<KeptLog>();

 private:
  testing::Simulation simulation_;
  Instant begun_{};

 public:
  std::unique_ptr<testing::Instance> instance;
  Duration took{};
};

http::FaultPlan plan_of(double share) {
  return {{.effect = http::AnswerError{.status = 503, .reason = "ServiceUnavailable"}, .probability = share / 2},
          {.effect = http::Drop{}, .probability = share / 4},
          {.effect = http::Drop{.after_commit = true}, .probability = share / 4}};
}

TEST(Start, SucceedsUnderFaultsThatPass) {
  for (const double share : {0.1, 0.3}) {
    for (const std::uint64_t seed : testing::seeds({.usual = 30, .sanitized = 5, .long_run = 300})) {
      const FaultyStart start(seed, plan_of(share));
      EXPECT_TRUE(start.instance->started())
          << "share " << share << ", seed " << seed << ": " << start.instance->started().error().to_string();
    }
  }
}

TEST(Start, GivesUpAtTheLimitAfterFewRequestsAndSaysWhy) {
  for (const http::FaultPlan& faults :
       {http::FaultPlan{{.effect = http::AnswerError{.status = 503, .reason = "ServiceUnavailable"}}},
        http::FaultPlan{{.effect = http::Drop{}}}}) {
    const FaultyStart start(1, faults);
    ASSERT_FALSE(start.instance->started());
    const std::string error = start.instance->started().error().to_string();
    EXPECT_NE(error.find("install the definition of test.pintle.dev/v1 Note"), std::string::npos) << error;
    EXPECT_NE(error.find("gave up after "), std::string::npos) << error;
    EXPECT_GE(start.took, 100s);
    EXPECT_LE(start.took, 125s);
    EXPECT_GE(start.instance->transport().calls(), 10U);
    EXPECT_LE(start.instance->transport().calls(), 120U);
  }
}

TEST(Start, DiscoveryIsTriedAgainToo) {
  const auto built_in = [](const http::Request& request) { return request.target == "/api/v1"; };
  const FaultyStart start(
      1, {{.effect = http::AnswerError{.status = 503, .reason = "ServiceUnavailable"}, .only = built_in, .times = 3}});
  EXPECT_TRUE(start.instance->started()) << start.instance->started().error().to_string();
  EXPECT_TRUE(start.log->has("the start is held up and goes on as soon as this succeeds step=discover v1 ConfigMap"));
}

TEST(Start, EndsAtOnceAtAnErrorThatNoRetryMends) {
  for (const int status : {401, 422}) {
    const FaultyStart start(1, {{.effect = http::AnswerError{.status = status, .reason = "No"}}});
    ASSERT_FALSE(start.instance->started()) << status;
    EXPECT_LE(start.took, 1s) << status;
    EXPECT_LE(start.instance->transport().calls(), 3U) << status;
  }
}

TEST(Start, TheLimitIsAnOption) {
  const FaultyStart start(1, {{.effect = http::Drop{}}}, {.sync_timeout = 5s});
  ASSERT_FALSE(start.instance->started());
  EXPECT_LE(start.took, 7s);
}

TEST(Start, AStopEndsThePause) {
  SimulatedRuntime runtime;
  std::stop_source stop;
  int calls = 0;
  const StartRetry retry(runtime, {}, 1h);
  const auto ended = retry.run(
      "try",
      [&]() -> Result<void> {
        if (++calls == 3) stop.request_stop();
        return fail(ErrorCode::unavailable, "down");
      },
      stop.get_token());
  EXPECT_EQ(ended.error().code, ErrorCode::cancelled);
  EXPECT_EQ(calls, 3);
}

}  // namespace
}  // namespace pintle
