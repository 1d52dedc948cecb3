// SPDX-License-Identifier: Apache-2.0
#include "debug_pages.hpp"

#include <gmock/gmock.h>

#include <pintle/json/pointer.hpp>

#include "controller/runner_test_support.hpp"
#include "json_page.hpp"
#include "manager/health.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string text_at(const json::Value& value, std::string_view pointer) {
  const json::Value* found = json::find(value, pointer);
  return found == nullptr ? "missing" : found->is_string() ? std::string(found->get_string()) : json::print(*found);
}

// A controller that fails for the note "bad", with its debug pages.
class DebugPagesTest : public OperatorTest {
 protected:
  DebugPagesTest() {
    AnyController spec =
        erase_type(Controller<Note>{.name = "note", .reconcile = [this](const Note& n, Context&) -> Outcome {
                                      ++reconciles[n.metadata.name];
                                      if (n.metadata.name == "bad")
                                        return failed(make_error(ErrorCode::unavailable, "no luck"));
                                      return done;
                                    }});
    runner_ = std::make_unique<ControllerRunner>(spec, around_.get(), log_);
  }

  // Calls the pages without a server. The end-to-end tests request them from the server of a running manager.
  json::Value get(const std::string& target, int status = 200) { return send("GET", target, status); }
  json::Value post(const std::string& target, int status) { return send("POST", target, status); }
  json::Value send(const std::string& method, const std::string& target, int status) {
    DebugPages pages(options_, log_, [this] { return Inspected{true, true, {runner_.get()}}; });
    const http::Response response = pages.handle({.method = method, .target = target});
    EXPECT_EQ(response.status, status) << response.body;
    return json::parse(response.body).value();
  }

  ManagerOptions options_{.name = "test", .version = "1.2.3"};
  Log log_{log, simulation.executor(), LogLevel::info};
  RunnerSurroundings around_{simulation, log_};
  std::map<std::string, int> reconciles;
  std::unique_ptr<ControllerRunner> runner_;
};

TEST_F(DebugPagesTest, ShowTheManagerAndItsControllers) {
  const json::Value seen = get("/debug/");
  EXPECT_EQ(text_at(seen, "/manager"), "test");
  EXPECT_EQ(text_at(seen, "/version"), "1.2.3");
  EXPECT_EQ(text_at(seen, "/controllers/0"), "note");
  EXPECT_EQ(text_at(seen, "/leading"), "true");
}

TEST_F(DebugPagesTest, ShowWaitingKeysAndTheirCauses) {
  runner_->wake({"default", "a"}, {.source = ReconcileCause::Source::channel, .note = "because"});
  simulation.executor().sleep_for(5s);
  const json::Value seen = get("/debug/controllers/note");
  EXPECT_EQ(text_at(seen, "/queue/0/key"), "default/a");
  EXPECT_EQ(text_at(seen, "/queue/0/causes/0"), "channel because");
  EXPECT_EQ(text_at(seen, "/queue/0/due_in"), "0s");
  EXPECT_EQ(text_at(seen, "/queue_entries"), "1");
  EXPECT_EQ(json::print(seen.at("reconciles")), "[]");
  EXPECT_EQ(json::print(get("/debug/controllers").as_array().at(0)), json::print(seen));
}

TEST_F(DebugPagesTest, ReconcileNowQueuesTheKey) {
  EXPECT_EQ(text_at(post("/debug/controllers/note/reconcile?key=default%2Fa", 202), "/queued"), "default/a");
  EXPECT_EQ(text_at(get("/debug/controllers/note"), "/queue/0/causes/0"), "channel requested by /debug/");
  EXPECT_THAT(text_at(post("/debug/controllers/note/reconcile", 400), "/error"), HasSubstr("?key=namespace/name"));
  EXPECT_THAT(text_at(get("/debug/controllers/note/reconcile?key=a", 405), "/error"), HasSubstr("only POST"));
}

TEST_F(DebugPagesTest, ReconcileNowOfAMissingObjectFails) {
  start([](Manager& manager) {
    manager.add(Controller<Note>{.reconcile = [](const Note&, Context&) -> Outcome { return done; }});
  });
  ASSERT_TRUE(simulation.wait_until([&] { return instance->manager().is_ready(); }));
  ASSERT_TRUE(runner_->connect({}));  // its informer is not started, so there are no objects
  EXPECT_THAT(text_at(post("/debug/controllers/note/reconcile?key=default%2Fa", 404), "/error"),
              HasSubstr("there is no Note default/a"));
  EXPECT_EQ(text_at(get("/debug/controllers/note"), "/queue_entries"), "0");
}

TEST(JsonPage, ReplacesInvalidUtf8) { EXPECT_EQ(json_error(500, "caf\xe9").body, "{\"error\":\"caf\uFFFD\"}\n"); }

TEST(Health, ReadyzNamesWhatItWaitsFor) {
  MetricsRegistry metrics;
  std::vector<std::string> missing{"the first list of v1 ConfigMap has not arrived: forbidden", "and another"};
  Health health(metrics, {.is_ready = [] { return false; }, .missing = [&] { return missing; }});
  const auto send = [&] { return health.handle({.method = "GET", .target = "/readyz"}); };
  EXPECT_EQ(send().status, 503);
  EXPECT_EQ(send().body, "the first list of v1 ConfigMap has not arrived: forbidden\nand another\n");
  missing.clear();
  EXPECT_EQ(send().body, "the operator is starting or stopping\n");
}

TEST_F(DebugPagesTest, SetTheLogLevelOfAllLogs) {
  const Log copy = log_.with({{"a", "b"}});
  EXPECT_FALSE(copy.enabled(LogLevel::debug));
  EXPECT_EQ(text_at(post("/debug/log-level?level=debug", 200), "/log_level"), "debug");
  EXPECT_TRUE(copy.enabled(LogLevel::debug));
  EXPECT_THAT(text_at(post("/debug/log-level?level=loud", 400), "/error"), StartsWith("log level \"loud\""));
}

TEST_F(DebugPagesTest, ReportMissingPages) {
  EXPECT_THAT(text_at(get("/debug/controllers/other", 404), "/error"), HasSubstr("no controller \"other\""));
  EXPECT_THAT(text_at(get("/debug/else", 404), "/error"), HasSubstr("/debug/controllers"));
  EXPECT_THAT(text_at(post("/debug/", 405), "/error"), HasSubstr("only GET"));
}

// A complete manager logs each reconcile with its outcome, its error and its causes.
TEST_F(OperatorTest, ReconcilesAreLoggedWithOutcomeErrorAndCauses) {
  int reconciles = 0;
  run({.reconcile = [&](const Note&, Context&) -> Outcome {
    if (++reconciles == 1) return failed(make_error(ErrorCode::unavailable, "no luck"));
    return done;
  }});
  create(note("a"));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_TRUE(log->has("reconciled controller=note key=default/a outcome=error"));
  EXPECT_TRUE(log->has("outcome=success took=0s causes=retry 1"));
}

}  // namespace
}  // namespace pintle
