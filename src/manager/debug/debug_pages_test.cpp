// SPDX-License-Identifier: Apache-2.0
#include "debug_pages.hpp"

#include <gmock/gmock.h>

#include <pintle/json/pointer.hpp>

#include "controller/runner_test_support.hpp"
#include "manager/health.hpp"
#include "manager/pages/json_page.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::string text_at(const json::Value& value, std::string_view pointer) {
  const json::Value* found = json::find(value, pointer);
  return found == nullptr ? "missing" : found->is_string() ? std::string(found->get_string()) : json::print(*found);
}

// A controller that fails for the note "bad", with its debug API.
class DebugPagesTest : public OperatorTest {
 protected:
  DebugPagesTest() {
    auto around = around_.get();
    around.history = &history_;
    runner_ = std::make_unique<ControllerRunner>(
        erase_type(Controller<Note>{
            .name = "note",
            .owns = {ConfigMap::type, Secret::type},
            .reconcile = [](const Note& n, Context& context) -> Outcome {
              if (n.metadata.name == "bad") {
                context.event(EventType::warning, "Unlucky", "really");
                return failed(make_error(ErrorCode::unavailable, "no luck"));
              }
              if (n.metadata.name == "secret") {
                return context.apply(json::Value{
                    {"apiVersion", "v1"},
                    {"kind", "Secret"},
                    {"metadata",
                     {{"name", "secret"}, {"namespace", "default"}, {"annotations", {{"token", "s3cret"}}}}},
                    {"data", {{"password", "czNjcmV0"}}}});
              }
              return context.apply(ConfigMap{.metadata = owned_by(n)});
            }}),
        around, log_);
  }

  // Fills the caches with these notes and starts the workers.
  void start_runner(const std::vector<std::string>& names) {
    start([](Manager& manager) {  // serves the kind
      manager.add(Controller<Note>{.reconcile = [](const Note&, Context&) { return done; }});
    });
    ASSERT_TRUE(simulation.wait_until([&] { return instance->manager().is_ready(); }));
    instance.reset();
    for (const std::string& name : names) create(note(name));
    ASSERT_TRUE(runner_->connect({}));
    ASSERT_TRUE(around_.fill_caches());
    runner_->start();
    ASSERT_TRUE(simulation.wait_until([&] { return history_.last_id() >= names.size(); }));
  }

  // Calls the pages without a server. The end-to-end tests request them from the server of a running manager.
  json::Value get(const std::string& target, int status = 200) { return send("GET", target, status); }
  json::Value post(const std::string& target, int status) { return send("POST", target, status); }
  json::Value send(const std::string& method, const std::string& target, int status) {
    http::Response response = pages_.handle({.method = method, .target = "/debug/v1" + target});
    if (response.deferred) response = response.deferred();
    EXPECT_EQ(response.status, status) << response.body;
    return json::parse(response.body).value();
  }

  ManagerOptions options_{.name = "test", .version = "1.2.3"};
  std::shared_ptr<LogTail> tail_ = std::make_shared<LogTail>(simulation.executor(), log);
  Log log_{tail_, simulation.executor(), LogLevel::info};
  RunnerSurroundings around_{simulation, log_};
  ReconcileHistory history_{simulation.executor(), 100};
  std::unique_ptr<ControllerRunner> runner_;
  Inspected seen_{.ready = true, .leading = true};
  DebugPages pages_{{.executor = simulation.executor(),
                     .options = options_,
                     .history = history_,
                     .log_tail = *tail_,
                     .inspect =
                         [this] {
                           Inspected seen = seen_;
                           seen.controllers = {runner_.get()};
                           return seen;
                         },
                     .log = log_}};
};

TEST_F(DebugPagesTest, ShowTheOperator) {
  seen_.ready = false;
  seen_.problems = {"one cache is missing"};
  seen_.election = ElectionStanding{.identity = "pod-a", .lease = "ns/test", .pages = "http://b:1", .holder = "pod-b"};
  seen_.leading = false;
  const json::Value seen = get("/operator");
  EXPECT_EQ(text_at(seen, "/name"), "test");
  EXPECT_EQ(text_at(seen, "/version"), "1.2.3");
  EXPECT_EQ(text_at(seen, "/problems"), R"(["one cache is missing"])");
  EXPECT_EQ(text_at(seen, "/controllers"), R"(["note"])");
  EXPECT_EQ(text_at(seen, "/election"),
            R"({"lease":"ns/test","leading":false,"leader":"pod-b","leaderPages":"http://b:1"})");
  EXPECT_EQ(text_at(seen, "/instance"), "pod-a");
  EXPECT_EQ(text_at(seen, "/history/limit"), "100");
  EXPECT_GT(seen.at("memoryBytes").to_number<std::int64_t>(), 1'000'000);
}

TEST_F(DebugPagesTest, ShowWaitingKeysAndTheirCauses) {
  runner_->wake({"default", "a"}, {.source = ReconcileCause::Source::channel, .note = "because"});
  const json::Value seen = get("/controllers/note/queue");
  EXPECT_EQ(text_at(seen, "/total"), "1");
  EXPECT_EQ(text_at(seen, "/items/0/key"), "default/a");
  EXPECT_EQ(text_at(seen, "/items/0/state"), "waiting");
  EXPECT_EQ(text_at(seen, "/items/0/causes/0/text"), "channel because");
  EXPECT_EQ(text_at(get("/controllers/note/queue?state=working"), "/matching"), "0");
  EXPECT_EQ(text_at(get("/controllers/note/queue?search=default%2Fb"), "/matching"), "0");
  EXPECT_EQ(text_at(get("/controllers"), "/items/0/waiting"), "1");
}

TEST_F(DebugPagesTest, LimitTheKeys) {
  for (int i = 0; i < 30; ++i) runner_->wake({"default", "n" + std::to_string(i)}, {});
  const json::Value seen = get("/controllers/note/queue?limit=10");
  EXPECT_EQ(text_at(seen, "/matching"), "30");
  EXPECT_EQ(seen.at("items").as_array().size(), 10U);
}

TEST_F(DebugPagesTest, ShowWhyAnObjectFailsAndWhatIsNext) {
  start_runner({"bad", "good"});
  ASSERT_TRUE(simulation.wait_until([&] { return history_.newest({.outcome = "error"}, 3).size() == 3; }));
  const json::Value bad = get("/controllers/note/object?key=default%2Fbad");
  EXPECT_THAT(text_at(bad, "/why"), StartsWith("The last reconcile failed (3 failures in a row): "));
  EXPECT_THAT(text_at(bad, "/why"), HasSubstr("no luck"));
  EXPECT_THAT(text_at(bad, "/next"), StartsWith("The next reconcile is due in "));
  EXPECT_EQ(text_at(bad, "/queue/state"), "delayed");
  EXPECT_EQ(text_at(bad, "/reconciles/0/causes/0/text"), "retry 2");
  EXPECT_THAT(text_at(bad, "/reconciles/2/causes/0/text"), StartsWith("initial"));
  EXPECT_EQ(text_at(bad, "/events/0/reason"), "Unlucky");
  EXPECT_EQ(text_at(bad, "/events/0/count"), "3");

  const json::Value good = get("/controllers/note/object?key=default%2Fgood");
  EXPECT_EQ(text_at(good, "/why"), "missing");
  EXPECT_EQ(text_at(good, "/children/0/key"), "default/good");
  EXPECT_EQ(text_at(good, "/children/0/kind/kind"), "ConfigMap");
  const std::string writes = json::print(good.at("reconciles"));
  EXPECT_THAT(writes, HasSubstr(R"("writes":[{"verb":"create","kind":{"group":"","version":"v1","kind":"ConfigMap"})"));

  const json::Value all = get("/controllers/note/objects");
  EXPECT_EQ(text_at(all, "/items/0/key"), "default/bad");
  EXPECT_EQ(text_at(all, "/items/0/failures"), "3");
  EXPECT_THAT(text_at(all, "/items/0/error"), HasSubstr("no luck"));
  EXPECT_EQ(text_at(get("/controllers/note/objects?state=notReady"), "/matching"), "1");
  EXPECT_EQ(text_at(get("/controllers"), "/items/0/lastError/key"), "default/bad");
  EXPECT_EQ(text_at(get("/reconciles?outcome=error&limit=1"), "/items/0/key"), "default/bad");
  EXPECT_EQ(json::print(get("/reconciles?key=default%2Fgood")).find("default/bad"), std::string::npos);
  EXPECT_THAT(text_at(get("/log?search=no%20luck"), "/items/0/message"), HasSubstr("reconcile failed"));
}

// The controller writes a Secret, and an object with a password.
TEST_F(DebugPagesTest, ShowNothingSecret) {
  start_runner({"secret"});
  ASSERT_TRUE(simulation.wait_until([&] {
    return simulation.user().get(Secret::type, {"default", "secret"}).has_value();
  }));
  bool has_write = false;
  for (const char* target : {"/operator", "/controllers", "/controllers/note/queue", "/controllers/note/objects",
                             "/reconciles", "/log", "/controllers/note/object?key=default%2Fsecret"}) {
    const std::string text = json::print(get(target));
    EXPECT_THAT(text, Not(HasSubstr("s3cret"))) << target;
    EXPECT_THAT(text, Not(HasSubstr("czNjcmV0"))) << target << ", in base64";
    has_write = has_write || text.find("(hidden)") != std::string::npos;
  }
  EXPECT_TRUE(has_write) << "the write of the Secret is shown, without its data";
}

TEST_F(DebugPagesTest, ReconcileNowQueuesTheKey) {
  EXPECT_EQ(text_at(post("/controllers/note/reconcile?key=default%2Fa", 202), "/queued"), "default/a");
  EXPECT_EQ(text_at(get("/controllers/note/queue"), "/items/0/causes/0/text"), "channel requested by /debug/");
  EXPECT_THAT(text_at(post("/controllers/note/reconcile", 400), "/message"), HasSubstr("?key=namespace/name"));
  EXPECT_THAT(text_at(get("/controllers/note/reconcile?key=a", 405), "/message"), HasSubstr("only POST"));
}

TEST_F(DebugPagesTest, OnlyTheLeaderReconcilesNow) {
  start_runner({"good"});
  seen_.leading = false;
  EXPECT_THAT(text_at(post("/controllers/note/reconcile?key=default%2Fgood", 503), "/message"),
              HasSubstr("this instance does not reconcile the objects of the controller note; send the request to the "
                        "leader"));
  seen_.election = ElectionStanding{.pages = "http://b:1", .holder = "pod-b"};
  EXPECT_THAT(text_at(post("/controllers/note/reconcile?key=default%2Fgood", 503), "/message"),
              HasSubstr("the leader, pod-b, at http://b:1"));
  EXPECT_EQ(text_at(get("/controllers/note/queue"), "/total"), "0");
  EXPECT_THAT(text_at(get("/controllers/note/object?key=default%2Fgood"), "/why"), HasSubstr("the leader can: pod-b"));
}

// The history is as short as that of an operator with many objects.
TEST_F(DebugPagesTest, ShowWhyAnObjectFailsAfterItsRecordsWereDropped) {
  start_runner({"bad"});
  for (int i = 0; i < 200; ++i) history_.add({.controller = "note", .key = {"default", "n" + std::to_string(i)}});
  const json::Value bad = get("/controllers/note/object?key=default%2Fbad");
  EXPECT_EQ(text_at(bad, "/reconciles"), "[]");
  EXPECT_THAT(text_at(bad, "/why"), StartsWith("The last reconcile failed"));
  EXPECT_THAT(text_at(bad, "/why"), HasSubstr("no luck"));
  const json::Value all = get("/controllers/note/objects?state=notReady");
  EXPECT_THAT(text_at(all, "/items/0/error"), HasSubstr("no luck"));
  EXPECT_EQ(text_at(all, "/matching"), "1");
  EXPECT_EQ(text_at(all, "/notReady"), "0") << "it has no condition";
}

TEST_F(DebugPagesTest, PauseSetsAndRemovesTheAnnotation) {
  start_runner({"a"});
  const auto paused = [&] { return text_at(get("/controllers/note/object?key=default%2Fa"), "/paused"); };
  EXPECT_EQ(text_at(post("/controllers/note/pause?key=default%2Fa", 200), "/paused"), "true");
  ASSERT_TRUE(simulation.wait_until([&] { return paused() == "true"; }));
  EXPECT_EQ(text_at(post("/controllers/note/pause?key=default%2Fa&paused=false", 200), "/paused"), "false");
  ASSERT_TRUE(simulation.wait_until([&] { return paused() == "false"; }));
  EXPECT_THAT(text_at(post("/controllers/note/pause?key=default%2Fnone", 404), "/message"), HasSubstr("no Note"));
  EXPECT_THAT(text_at(post("/controllers/note/pause?key=default%2Fa&paused=maybe", 400), "/message"),
              HasSubstr("maybe"));
}

TEST_F(DebugPagesTest, CommandsForAMissingObjectFail) {
  start_runner({});
  EXPECT_THAT(text_at(post("/controllers/note/reconcile?key=default%2Fa", 404), "/message"),
              HasSubstr("there is no Note default/a"));
  EXPECT_EQ(text_at(get("/controllers/note/queue"), "/total"), "0");
  EXPECT_THAT(text_at(get("/controllers/note/object?key=default%2Fa", 404), "/message"), HasSubstr("there is no Note"));
}

TEST_F(DebugPagesTest, BoundTheNumberOfStreams) {
  std::vector<http::Response> open;
  for (int i = 0; i < DebugPages::max_streams; ++i) {
    open.push_back(pages_.handle({.target = "/debug/v1/stream"}));
    ASSERT_EQ(open.back().status, 200);
  }
  EXPECT_THAT(text_at(get("/stream", 503), "/message"), HasSubstr("8 streams already"));
  open.pop_back();
  EXPECT_EQ(pages_.handle({.target = "/debug/v1/stream?events=log,reconcile&key=a"}).status, 200);
}

// The token of a request is reviewed when it begins.
TEST_F(DebugPagesTest, EndAStreamAfterTenMinutes) {
  const http::Response response = pages_.handle({.target = "/debug/v1/stream"});
  std::string out;
  simulation.executor().sleep_for(9min);
  EXPECT_EQ(response.stream->read(out), http::BodyStream::State::waiting);
  simulation.executor().sleep_for(1min);
  EXPECT_EQ(response.stream->read(out), http::BodyStream::State::ended);
}

TEST_F(DebugPagesTest, NameWhatIsWrongWithAParameter) {
  for (const auto& [target, message] : std::vector<std::pair<std::string, std::string>>{
           {"/controllers/note/queue?limit=0", "limit \"0\" must be a number from 1 to 1000"},
           {"/controllers/note/queue?state=x", "state \"x\" is not one of working, waiting, delayed"},
           {"/controllers/note/objects?limit=1001", "limit"},
           {"/controllers/note/object?key=a/b/c", "key \"a/b/c\" must be namespace/name or name"},
           {"/reconciles?outcome=x", "outcome \"x\" is not one of success"},
           {"/reconciles?key=/a", "key"},
           {"/log?level=loud", "log level \"loud\""},
           {"/stream?events=x", "event \"x\" is not one of controllers, reconcile, log"}}) {
    EXPECT_THAT(text_at(get(target, 400), "/message"), HasSubstr(message)) << target;
  }
}

TEST(JsonPage, ReplacesInvalidUtf8) {
  EXPECT_THAT(json_error(500, "caf\xe9").body, HasSubstr("\"message\":\"caf\uFFFD\""));
}

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
  EXPECT_EQ(text_at(post("/log-level?level=debug", 200), "/logLevel"), "debug");
  EXPECT_TRUE(copy.enabled(LogLevel::debug));
  EXPECT_THAT(text_at(post("/log-level?level=loud", 400), "/message"), StartsWith("log level \"loud\""));
}

TEST_F(DebugPagesTest, ReportMissingPages) {
  EXPECT_THAT(text_at(get("/controllers/other/queue", 404), "/message"), HasSubstr("no controller \"other\""));
  EXPECT_THAT(text_at(get("/controllers/note/else", 404), "/message"), HasSubstr("openapi.json"));
  EXPECT_THAT(text_at(get("/else", 404), "/message"), HasSubstr("openapi.json"));
  EXPECT_THAT(text_at(post("/operator", 405), "/message"), HasSubstr("only GET"));
  EXPECT_EQ(text_at(get("/openapi.json"), "/info/version"), "v1");
  EXPECT_THAT(text_at(get("/replicas", 404), "/message"), HasSubstr("without leader election"));
}

TEST_F(DebugPagesTest, AllowHeadWhereTheyAllowGet) {
  for (const char* path : {"/operator", "/controllers", "/controllers/note/queue", "/controllers/note/objects"}) {
    send("HEAD", path, 200);
  }
  send("HEAD", "/controllers/note/reconcile", 405);
  send("GET", "/controllers/note/pause", 405);
  send("POST", "/controllers/note/queue", 405);
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
