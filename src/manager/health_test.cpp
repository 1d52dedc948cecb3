// SPDX-License-Identifier: Apache-2.0
#include "health.hpp"

#include <stdexcept>

#include <gtest/gtest.h>

#include <pintle/testing/recording_log_sink.hpp>
#include <pintle/testing/simulation.hpp>

#include "health_check_runner.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

Error down(const char* message) { return make_error(ErrorCode::unavailable, message); }

class HealthTest : public ::testing::Test {
 protected:
  http::Response get(const std::string& target, const std::string& method = "GET") {
    Health health(
        metrics,
        {.is_ready = [this] { return is_ready; },
         .missing = [] { return std::vector<std::string>{"notes: 0 of 3"}; },
         .check_alive = [this] { return alive; },
         .check_webhooks = check_webhooks,
         .own = [this](HealthProbe probe) { return probe == HealthProbe::ready ? own : std::vector<CheckResult>(); },
         .pages = pages,
         .log = Log(log, simulation.executor())});
    return health.handle({.method = method, .target = target});
  }

  testkit::Simulation simulation{{}};
  std::shared_ptr<testkit::RecordingLogSink> log = std::make_shared<testkit::RecordingLogSink>();
  MetricsRegistry metrics;
  bool is_ready = true;
  Result<void> alive{};
  std::function<Result<void>()> check_webhooks{};
  std::vector<CheckResult> own;
  std::vector<Page> pages;
};

TEST_F(HealthTest, AFailedCheckMakesTheOperatorNotReady) {
  EXPECT_EQ(get("/readyz").body, "ok\n");
  own = {{"queue", Result<void>()}, {"database", down("no connection")}};
  const auto failed = get("/readyz");
  EXPECT_EQ(failed.status, 503);
  EXPECT_EQ(failed.body, "check database: no connection\n");
  EXPECT_EQ(get("/healthz").status, 200) << "a check of /readyz does not restart the process";
}

TEST_F(HealthTest, AProcessThatCanServeNoWebhooksMustBeRestarted) {
  check_webhooks = [] { return fail(down("no admission can be served")); };
  const auto failed = get("/healthz?verbose");
  EXPECT_EQ(failed.status, 500);
  EXPECT_EQ(
      failed.body,
      "[+]ping ok\n[+]leader-election ok\n[-]webhooks failed: no admission can be served\nhealthz check failed\n");
}

TEST_F(HealthTest, VerboseListsAllChecksAsKubernetesDoes) {
  own = {{"queue", Result<void>()}, {"database", down("no connection")}};
  EXPECT_EQ(get("/readyz?verbose").body,
            "[+]ping ok\n[+]caches ok\n[+]queue ok\n[-]database failed: check database: no connection\n"
            "readyz check failed\n");
  EXPECT_EQ(get("/healthz?verbose").body, "[+]ping ok\n[+]leader-election ok\nhealthz check passed\n");
  is_ready = false;
  EXPECT_NE(get("/readyz?verbose").body.find("[-]caches failed: notes: 0 of 3\n"), std::string::npos);
}

TEST_F(HealthTest, AnExcludedCheckIsIgnored) {
  own = {{"database", down("no connection")}};
  EXPECT_EQ(get("/readyz?exclude=database").status, 200);
  EXPECT_EQ(get("/readyz?verbose&exclude=database&exclude=typo").body,
            "[+]ping ok\n[+]caches ok\n[+]database excluded: ok\nwarn: there is no check typo to exclude\n"
            "readyz check passed\n");
  EXPECT_EQ(get("/readyz?exclude=typo").status, 503);
}

TEST_F(HealthTest, ServesThePagesOfTheOperator) {
  const auto text = [](const char* body) {
    return [body](const http::Request& request) { return http::Response{.body = body + request.method}; };
  };
  pages = {{.path = "/sessions/", .handle = text("folder ")},
           {.path = "/sessions/deep/", .handle = text("deep ")},
           {.path = "/sessions/one", .handle = text("one ")}};
  EXPECT_EQ(get("/sessions/one").body, "one GET");
  EXPECT_EQ(get("/sessions/one?x=1", "POST").body, "one POST");
  EXPECT_EQ(get("/sessions/two").body, "folder GET");
  EXPECT_EQ(get("/sessions/deep/x").body, "deep GET");
  EXPECT_EQ(get("/sessions").status, 404);
  EXPECT_EQ(get("/other").status, 404);
}

TEST_F(HealthTest, APageThatThrowsReturns500AndIsLogged) {
  pages = {
      {.path = "/x", .handle = [](const http::Request&) -> http::Response { throw std::runtime_error("secret"); }}};
  const auto response = get("/x");
  EXPECT_EQ(response.status, 500);
  EXPECT_EQ(response.body.find("secret"), std::string::npos);
  EXPECT_TRUE(log->has("a page threw an exception path=/x")) << log->lines().front();
}

TEST_F(HealthTest, RefusesPathsThatCannotBeServed) {
  const auto handle = [](const http::Request&) { return http::Response{}; };
  for (const char* path : {"", "sessions", "/", "/healthz", "/readyz/x", "/metrics", "/debug", "/debug/x", "/a?b"}) {
    EXPECT_EQ(validate({Page{.path = path, .handle = handle}}).size(), 1U) << path;
  }
  for (const char* path : {"/a", "/debugger", "/a/b/", "/healthzy"}) {
    EXPECT_TRUE(validate({Page{.path = path, .handle = handle}}).empty()) << path;
  }
  EXPECT_EQ(validate({Page{.path = "/a", .handle = handle}, Page{.path = "/a", .handle = handle}}).size(), 1U);
  EXPECT_EQ(validate({Page{.path = "/a", .handle = nullptr}}).size(), 1U);
}

class HealthCheckRunnerTest : public HealthTest {
 protected:
  std::unique_ptr<HealthCheckRunner> run(HealthCheck check) {
    return std::make_unique<HealthCheckRunner>(std::move(check), simulation.executor(), metrics,
                                               Log(log, simulation.executor()));
  }
  void pass(Duration time) { simulation.executor().sleep_for(time); }
  double gauge() { return metrics.gauge("pintle_health_check", "", {{"name", "db"}, {"probe", "ready"}}).value(); }
};

TEST_F(HealthCheckRunnerTest, ShowsTheLastResult) {
  Result<void> next = down("first");
  const auto check = run({.name = "db", .check = [&](const std::stop_token&) { return next; }, .interval = 10s});
  EXPECT_EQ(check->result().error().message, "the check has not finished yet");
  pass(1s);
  EXPECT_EQ(check->result().error().message, "first");
  EXPECT_EQ(gauge(), 0);
  next = {};
  pass(8s);
  EXPECT_FALSE(check->result());
  pass(2s);
  EXPECT_TRUE(check->result());
  EXPECT_EQ(gauge(), 1);
  pass(1min);
  EXPECT_EQ(log->count("the health check fails check=db error=first"), 1U);
  EXPECT_EQ(log->count("the health check succeeds again"), 1U);
}

TEST_F(HealthCheckRunnerTest, ACheckThatBlocksFailsAndDelaysNobody) {
  bool blocks = false;
  const auto check = run({.name = "db",
                          .check = [&](const std::stop_token& stop) -> Result<void> {
                            if (blocks) simulation.executor().sleep_for(1h, stop);
                            return {};
                          },
                          .interval = 10s,
                          .timeout = 3s});
  pass(1s);
  ASSERT_TRUE(check->result());
  blocks = true;
  pass(11s);
  EXPECT_TRUE(check->result()) << "it runs for 2 s";
  pass(2s);
  EXPECT_EQ(check->result().error().message, "the check has been running for 4s, longer than 3s");
  EXPECT_EQ(gauge(), 0);
  pass(10s);
  EXPECT_FALSE(check->result());
  EXPECT_EQ(log->count("the health check fails check=db error=it runs longer than 3s"), 1U);
  blocks = false;
  pass(1h);
  EXPECT_TRUE(check->result());
  EXPECT_EQ(gauge(), 1);
  EXPECT_EQ(log->count("the health check succeeds again"), 1U);
}

TEST_F(HealthCheckRunnerTest, ACheckOfLivenessSucceedsUntilItHasAResult) {
  const auto check = run({.name = "db",
                          .check = [&](const std::stop_token&) -> Result<void> { throw std::runtime_error("odd"); },
                          .probe = HealthProbe::alive});
  EXPECT_TRUE(check->result());
  pass(1s);
  EXPECT_NE(check->result().error().message.find("the check threw"), std::string::npos);
}

TEST_F(HealthCheckRunnerTest, RefusesInvalidChecks) {
  const auto ok = [](const std::stop_token&) -> Result<void> { return {}; };
  EXPECT_TRUE(validate({HealthCheck{.name = "a", .check = ok},
                        HealthCheck{.name = "a", .check = ok, .probe = HealthProbe::alive}})
                  .empty());
  EXPECT_EQ(validate({HealthCheck{.name = "a", .check = ok}, HealthCheck{.name = "a", .check = ok}}).size(), 1U);
  for (const char* name : {"", "A", "a b", "ping", "caches"}) {
    EXPECT_EQ(validate({HealthCheck{.name = name, .check = ok}}).size(), 1U) << name;
  }
  EXPECT_EQ(validate({HealthCheck{.name = "a", .check = nullptr}}).size(), 1U);
  EXPECT_EQ(validate({HealthCheck{.name = "a", .check = ok, .interval = 0s}}).size(), 1U);
}

}  // namespace
}  // namespace pintle
