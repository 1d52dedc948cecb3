// SPDX-License-Identifier: Apache-2.0
// A start under temporary and under permanent faults.
#include "start_retry.hpp"

#include <pintle/http/transport.hpp>
#include <pintle/testing/seeds.hpp>

#include "test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

Outcome do_nothing_with(const Note&, Context&) { return done; }

// One operator that starts with these faults on its transport.
class FaultyStart {
 public:
  FaultyStart(std::uint64_t seed, http::FaultPlan faults, ManagerOptions options = {}) : simulation_({.seed = seed}) {
    options.name = "faulty";
    options.log_sink = log;
    instance = std::make_unique<testkit::Instance>(
        simulation_, std::move(options),
        [](Manager& manager) {
          manager.add(
              Controller<Note>{.owns = {Owns{ConfigMap::type, {.required = true}}}, .reconcile = do_nothing_with});
        },
        std::move(faults));
    begun_ = simulation_.executor().now();
    instance->start();
    instance->join();
    took = simulation_.executor().now() - begun_;
  }

  std::shared_ptr<RecordingLogSink> log = std::make_shared<RecordingLogSink>();

 private:
  testkit::Simulation simulation_;
  Instant begun_{};

 public:
  std::unique_ptr<testkit::Instance> instance;
  Duration took{};
};

http::FaultPlan plan_of(double share) {
  return {{.effect = http::ErrorResponse{.status = 503, .reason = "ServiceUnavailable"}, .probability = share / 2},
          {.effect = http::Drop{}, .probability = share / 4},
          {.effect = http::Drop{.after_commit = true}, .probability = share / 4}};
}

TEST(Start, SucceedsUnderTemporaryFaults) {
  for (const double share : {0.1, 0.3}) {
    for (const std::uint64_t seed : testkit::seeds({.usual = 30, .sanitized = 5, .long_run = 300})) {
      const FaultyStart start(seed, plan_of(share));
      EXPECT_TRUE(start.instance->started())
          << "share " << share << ", seed " << seed << ": " << start.instance->started().error().to_string();
    }
  }
}

TEST(Start, GivesUpAtTheLimitAfterFewRequestsAndReportsWhy) {
  for (const http::FaultPlan& faults :
       {http::FaultPlan{{.effect = http::ErrorResponse{.status = 503, .reason = "ServiceUnavailable"}}},
        http::FaultPlan{{.effect = http::Drop{}}}}) {
    const FaultyStart start(1, faults);
    ASSERT_FALSE(start.instance->started());
    const std::string error = start.instance->started().error().to_string();
    EXPECT_NE(error.find("install the CRD of test.pintle.dev/v1 Note"), std::string::npos) << error;
    EXPECT_NE(error.find("no success after "), std::string::npos) << error;
    EXPECT_GE(start.took, 100s);
    EXPECT_LE(start.took, 125s);
    EXPECT_GE(start.instance->transport().calls(), 10U);
    EXPECT_LE(start.instance->transport().calls(), 120U);
  }
}

TEST(Start, DiscoveryIsRetriedToo) {
  const auto built_in = [](const http::Request& request) { return request.target == "/api/v1"; };
  const FaultyStart start(
      1,
      {{.effect = http::ErrorResponse{.status = 503, .reason = "ServiceUnavailable"}, .only = built_in, .times = 3}});
  EXPECT_TRUE(start.instance->started()) << start.instance->started().error().to_string();
  EXPECT_TRUE(start.log->has("a step of the start failed and will be retried step=discover v1 ConfigMap"));
}

TEST(Start, EndsAtOnceAtAPermanentError) {
  for (const int status : {401, 422}) {
    const FaultyStart start(1, {{.effect = http::ErrorResponse{.status = status, .reason = "No"}}});
    ASSERT_FALSE(start.instance->started()) << status;
    EXPECT_LE(start.took, 1s) << status;
    EXPECT_LE(start.instance->transport().calls(), 3U) << status;
  }
}

// The permission may be granted meanwhile, so the start waits for it, but it is logged at once for a person to act.
TEST(Start, ARefusedListIsLoggedOncePerCauseAndInTheError) {
  int lists_sent = 0;
  const auto lists = [](const http::Request& request) { return request.target.starts_with("/api/v1/configmaps?"); };
  const auto refusal = [&](const char* message, int from, int to) {
    const json::Value status = json::object{{"kind", "Status"}, {"reason", "Forbidden"}, {"message", message}};
    return http::Fault{.effect = http::ErrorResponse{.status = 403, .reason = "Forbidden", .body = json::print(status)},
                       .only = [&lists_sent, lists, from, to](const http::Request& request) {
                         return lists(request) && lists_sent >= from && lists_sent < to;
                       }};
  };
  const auto counted = http::Fault{.effect = http::Delay{}, .only = [&](const http::Request& request) {
                                     lists_sent += lists(request) ? 1 : 0;
                                     return false;
                                   }};
  const FaultyStart start(1, {counted, refusal("User \"op\" cannot list resource \"configmaps\"", 1, 4),
                              refusal("another reason", 4, 1'000'000)});
  ASSERT_FALSE(start.instance->started());
  EXPECT_GE(lists_sent, 6);
  EXPECT_EQ(start.log->count("the cluster forbids this program to read a resource"), 2U) << lists_sent;
  EXPECT_TRUE(start.log->has("verb=list namespace=all error=User \"op\" cannot list resource \"configmaps\""));
  const std::string error = start.instance->started().error().to_string();
  EXPECT_NE(error.find("the first list of configmaps has not arrived in time: another reason"), std::string::npos)
      << error;
}

TEST(Start, ContinuesWhenThePermissionIsGranted) {
  for (const int status : {401, 403}) {
    const FaultyStart start(
        1, {{.effect = http::ErrorResponse{.status = status, .reason = "No"},
             .only = [](const http::Request& request) { return request.target.starts_with("/api/v1/configmaps?"); },
             .times = 5}});
    EXPECT_TRUE(start.instance->started()) << start.instance->started().error().to_string();
    EXPECT_EQ(start.log->count("this program"), 1U) << status;
  }
}

TEST(Start, ARefusedWatchIsLoggedOnce) {
  testkit::Simulation simulation({.seed = 1});
  const auto log = std::make_shared<RecordingLogSink>();
  testkit::Instance instance(
      simulation, {.name = "op", .log_sink = log},
      [](Manager& manager) { manager.add(Controller<Note>{.owns = {ConfigMap::type}, .reconcile = do_nothing_with}); },
      {{.effect = http::ErrorResponse{.status = 403, .reason = "Forbidden"}, .only = [](const http::Request& request) {
          return http::is_watch(request) && request.target.starts_with("/api/v1/configmaps");
        }}});
  instance.start();
  ASSERT_TRUE(simulation.wait_until([&] { return instance.manager().is_ready(); }));
  simulation.executor().sleep_for(1h);
  EXPECT_EQ(log->count("the cluster forbids this program to read a resource"), 1U);
  EXPECT_TRUE(log->has("verb=watch namespace=all"));
}

TEST(Start, AStopEndsTheWaitForAList) {
  testkit::Simulation simulation({.seed = 1});
  testkit::Instance instance(
      simulation, {.name = "op", .log_level = LogLevel::off},
      [](Manager& manager) { manager.add(Controller<Note>{.owns = {ConfigMap::type}, .reconcile = do_nothing_with}); },
      {{.effect = http::ErrorResponse{.status = 403, .reason = "Forbidden"},
        .only = [](const http::Request& request) { return request.target.starts_with("/api/v1/configmaps?"); }}});
  instance.start();
  simulation.executor().sleep_for(30s);
  const Instant lists_sent = simulation.executor().now();
  instance.manager().request_stop();
  instance.join();
  EXPECT_LE(simulation.executor().now() - lists_sent, 1s);
  ASSERT_FALSE(instance.started());
  EXPECT_EQ(instance.started().error().code, ErrorCode::cancelled) << instance.started().error().to_string();
}

TEST(Start, AllMissingListsAreNamed) {
  const FaultyStart start(1, {{.effect = http::ErrorResponse{.status = 403, .reason = "Forbidden"},
                               .only = [](const http::Request& request) {
                                 return http::is_watch(request) || request.target.find("limit=") != std::string::npos;
                               }}});
  ASSERT_FALSE(start.instance->started());
  const std::string error = start.instance->started().error().to_string();
  EXPECT_NE(error.find("the first list of configmaps has not arrived in time"), std::string::npos) << error;
  EXPECT_NE(error.find("; the first list of notes.test.pintle.dev has not arrived"), std::string::npos) << error;
}

// Waiting does not repair a certificate, but the server may be about to receive a new one.
TEST(Start, GivesUpEarlyOnAnUntrustedCertificate) {
  SimulatedExecutor executor;
  const auto log = std::make_shared<RecordingLogSink>();
  int calls = 0;
  int bad = 1'000'000;
  const StartRetry retry(executor, Log(log, executor), 2min);
  const auto step = [&]() -> Result<void> {
    if (++calls > bad) return {};
    Error error = make_error(ErrorCode::unreachable, "signed by an unknown authority");
    error.reason = http::untrusted_certificate;
    return fail(std::move(error));
  };
  const Instant begun = executor.now();
  const auto ended = retry.run("discover", step, {});
  ASSERT_FALSE(ended);
  EXPECT_LE(executor.now() - begun, 15s);
  EXPECT_GE(calls, 4);
  EXPECT_LE(calls, 8);
  EXPECT_EQ(log->count("error=signed by an unknown authority"), static_cast<std::size_t>(calls - 1))
      << "each failure is logged at once";
  EXPECT_NE(ended.error().to_string().find("no success after"), std::string::npos) << ended.error().to_string();
  calls = 0;
  bad = 3;
  EXPECT_TRUE(retry.run("discover", step, {}));
}

TEST(Start, TheSyncTimeoutIsUsed) {
  const FaultyStart start(1, {{.effect = http::Drop{}}}, {.sync_timeout = 5s});
  ASSERT_FALSE(start.instance->started());
  EXPECT_LE(start.took, 7s);
}

TEST(Start, AStopEndsThePause) {
  SimulatedExecutor executor;
  std::stop_source stop;
  int calls = 0;
  const StartRetry retry(executor, {}, 1h);
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
