// SPDX-License-Identifier: Apache-2.0
#include <pintle/manager/manager.hpp>

#include <pintle/http/listen_address.hpp>
#include <pintle/http/net_transport.hpp>

#include "controller/test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

Outcome do_nothing(const Note&, Context&) { return done; }
Outcome do_nothing_to_objects(const Object&, Context&) { return done; }

class ManagerTest : public OperatorTest {
 protected:
  // Starts a manager and returns the result of `start()`.
  Result<void> start_and_fail(const std::function<void(Manager&)>& add, ManagerOptions options = {}) {
    start(add, std::move(options));
    instance->join();
    return instance->started();
  }
};

TEST_F(ManagerTest, ReportsAllErrorsOfADeclaration) {
  const auto nothing = start_and_fail([](Manager&) {});
  EXPECT_EQ(nothing.error().code, ErrorCode::invalid);
  EXPECT_NE(nothing.error().message.find("has no controller"), std::string::npos);

  const auto twice = start_and_fail([](Manager& manager) {
    manager.add(Controller<Note>{.reconcile = do_nothing});
    manager.add(Controller<Note>{.reconcile = do_nothing});
  });
  EXPECT_NE(twice.error().message.find("two controllers have the name \"note\""), std::string::npos);

  const auto selector = start_and_fail(
      [](Manager& manager) { manager.add(Controller<Note>{.label_selector = "a in", .reconcile = do_nothing}); });
  EXPECT_NE(selector.error().to_string().find("controller note: label_selector"), std::string::npos)
      << selector.error().to_string();

  const auto workers =
      start_and_fail([](Manager& manager) { manager.add(Controller<Note>{.reconcile = do_nothing, .workers = 0}); });
  EXPECT_NE(workers.error().message.find("at least 1"), std::string::npos);

  const auto made_of = start_and_fail([](Manager& manager) {
    manager.add(
        Controller<Note>{.reconcile = do_nothing, .errors = {make_error(ErrorCode::invalid, "it has no steps")}});
  });
  EXPECT_NE(made_of.error().to_string().find("controller note: it has no steps"), std::string::npos)
      << made_of.error().to_string();
}

TEST_F(ManagerTest, ReportsPageOptionsWithoutPages) {
  const auto unserved =
      start_and_fail([](Manager& manager) { manager.add(Controller<Note>{.reconcile = do_nothing}); }, {.debug = true});
  ASSERT_FALSE(unserved);
  EXPECT_EQ(unserved.error().code, ErrorCode::invalid);
  EXPECT_NE(unserved.error().message.find("--debug; set --listen"), std::string::npos) << unserved.error().message;
}

TEST_F(ManagerTest, AStopLogsTheReconcileItWaitsFor) {
  run({.reconcile = [](const Note&, Context& ctx) -> Outcome {
        ctx.executor().sleep_for(1min);  // ignores its stop token
        return done;
      }},
      {.stop_timeout = 10min});
  create(note("slow"));
  simulation.executor().sleep_for(10s);
  const Instant begun = simulation.executor().now();
  Thread stopper = simulation.executor().spawn({.name = "stopper"}, [&] { instance->manager().stop(); });
  simulation.executor().sleep_for(4s);
  EXPECT_FALSE(log->has("the stop waits for a reconcile"));
  simulation.executor().sleep_for(2s);
  EXPECT_TRUE(
      log->has("the stop waits for a reconcile, which must observe its stop token (Context::stop_token) "
               "controller=note key=default/slow"));
  stopper.join();
  EXPECT_GE(simulation.executor().now() - begun, 49s);
  EXPECT_EQ(log->count("the stop waits for a reconcile"), 3U) << "after 5, 15 and 35 s";
  EXPECT_EQ(log->errors(), 0);
}

TEST_F(ManagerTest, ReportsAKindThatTheServerDoesNotServe) {
  const auto missing = start_and_fail([](Manager& manager) {
    manager.add(Controller<Object>{.watch = {"apps/v1", "Elephant"}, .reconcile = do_nothing_to_objects});
  });
  EXPECT_EQ(missing.error().code, ErrorCode::unsupported);
  EXPECT_NE(missing.error().to_string().find("Elephant"), std::string::npos) << missing.error().to_string();
}

TEST_F(ManagerTest, ReportsAddedErrorsAtStart) {
  const auto refused = start_and_fail([](Manager& manager) {
    manager.add_error(make_error(ErrorCode::invalid, "first"));
    manager.add_error(make_error(ErrorCode::invalid, "second"));
  });
  EXPECT_EQ(refused.error().message, "first; second");
}

TEST_F(ManagerTest, InstallsACrdAndMarksItAsItsOwn) {
  run({.reconcile = do_nothing}, {.version = "1.2.3"});
  const auto crds = simulation.server().objects("customresourcedefinitions.apiextensions.k8s.io");
  ASSERT_EQ(crds.size(), 1U);
  EXPECT_EQ(crds[0].annotation("pintle.dev/manager"), "test-operator");
  EXPECT_EQ(crds[0].annotation("pintle.dev/manager-version"), "1.2.3");
}

TEST_F(ManagerTest, ReconcilesTheProjectedAndTransformedObject) {
  std::vector<std::string> seen;
  run({.reconcile = [&](const Note& n, Context&) -> Outcome {
        seen.push_back(n.metadata.name + " " + n.spec.text + " " + n.metadata.labels.at("mark"));
        return done;
      }},
      {.cache_projections = {
           {Note::type, {.projection = {.keep = {"/metadata/labels"}}, .transform = [](json::Value& note) {
                           note.at("metadata").as_object()["labels"] = json::object{{"mark", "made"}};
                         }}}}});
  create(note("a", "what is not kept"));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(seen, std::vector<std::string>{"a x made"});
}

TEST_F(ManagerTest, ReportsInvalidCacheProjections) {
  const auto failed =
      start_and_fail([](Manager& manager) { manager.add(Controller<Note>{.reconcile = do_nothing}); },
                     {.cache_projections = {{Note::type, {.projection = {.drop = {"spec"}}}}, {{"v1", "Secret"}, {}}}});
  EXPECT_NE(failed.error().message.find(".cache_projections of the manager has v1 Secret, which no controller watches"),
            std::string::npos)
      << failed.error().message;
  EXPECT_NE(failed.error().to_string().find(".cache_projections of test.pintle.dev/v1 Note"), std::string::npos)
      << failed.error().to_string();

  const auto nameless = start_and_fail([](Manager& manager) { manager.add(Controller<Note>{.reconcile = do_nothing}); },
                                       {.cache_projections = {{Note::type, {.projection = {.drop = {"/metadata"}}}}}});
  EXPECT_NE(nameless.error().message.find("with it /metadata/name"), std::string::npos) << nameless.error().message;

  const auto cut = start_and_fail(
      [](Manager& manager) {
        manager.add(Controller<Namespace>{.reconcile = [](const Namespace&, Context&) -> Outcome { return done; }});
      },
      {.cache_projections = {{Namespace::type, {.projection = {.drop = {"/spec"}}}}}});
  EXPECT_NE(cut.error().message.find("drops /spec/finalizers"), std::string::npos) << cut.error().message;
}

TEST_F(ManagerTest, WatchesOneNamespaceIfConfigured) {
  std::vector<std::string> seen;
  ASSERT_TRUE(simulation.user().create(
      json::Value{{"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", {{"name", "other"}}}}));
  run({.reconcile = [&](const Note& n, Context&) -> Outcome {
        seen.push_back(n.metadata.namespace_);
        return done;
      }},
      {.namespaces = {"other"}});
  create(note("here"));
  Note there = note("there");
  there.metadata.namespace_ = "other";
  create(there);
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(seen, std::vector<std::string>{"other"});
}

TEST_F(ManagerTest, TwoManagersRunInOneProcess) {
  int first = 0;
  int second = 0;
  run({.reconcile = [&](const Note&, Context&) -> Outcome { return ++first, done; }});
  testkit::Instance other(simulation, {.name = "other-operator", .log_level = LogLevel::off}, [&](Manager& manager) {
    manager.add(Controller<Note>{.reconcile = [&](const Note&, Context&) -> Outcome { return ++second, done; }});
  });
  other.start();
  ASSERT_TRUE(simulation.wait_until([&] { return other.manager().is_ready(); }));
  create(note("a"));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(first, 1);
  EXPECT_EQ(second, 1);
}

TEST_F(ManagerTest, LogsAnUnknownVariable) {
  char program[] = "op";
  char mistyped[] = "PINTLE_LOG_LEVLE=off";
  char* arguments[] = {program, nullptr};
  char* environment[] = {mistyped, nullptr};
  run({.reconcile = do_nothing}, {.args = {1, arguments, environment}});
  EXPECT_TRUE(log->has("PINTLE_LOG_LEVLE is set, but it belongs to no flag; did you mean PINTLE_LOG_LEVEL?"));
}

TEST_F(ManagerTest, StopEndsAStartThatWaits) {
  // The stop is requested while the start still waits for the CRD or the first list.
  start([](Manager& manager) { manager.add(Controller<Note>{.reconcile = do_nothing}); });
  instance->manager().request_stop();
  instance->join();
  EXPECT_TRUE(instance->started() || instance->started().error().code == ErrorCode::cancelled);
}

// The server drops its history several times, and the manager still receives all changes (TX-08, TX-09).
TEST_F(ManagerTest, CatchesUpAfterTheServerDroppedItsHistory) {
  std::set<std::string> there;
  run({.owns = {ConfigMap::type}, .reconcile = [&](const Note& n, Context& ctx) -> Outcome {
         return ctx.apply(ConfigMap{.metadata = owned_by(n), .data = {{"text", n.spec.text}}});
       }});
  for (int i = 0; i < 20; ++i) {
    create(note("n" + std::to_string(i)));
    if (i % 3 == 0) simulation.server().compact();
    if (i % 4 == 0) {
      ASSERT_TRUE(simulation.user().remove(Note::type, {"default", "n" + std::to_string(i)}));
    }
  }
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(simulation.server().objects("configmaps").size(), 15U);
}

TEST_F(ManagerTest, EventsReachTheServer) {
  run({.reconcile = [&](const Note&, Context& ctx) -> Outcome {
    ctx.event(EventType::warning, "Odd", "something is odd");
    return done;
  }});
  create(note("a"));
  ASSERT_TRUE(simulation.run_until_idle());
  const auto events = simulation.server().objects("events");
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0]["/reason"], "Odd");
  EXPECT_EQ(events[0]["/type"], "Warning");
}

// Serves v1 ConfigMap in discovery, and forbids each list of it.
class RefusingCluster final : public http::Handler {
 public:
  http::Response handle(const http::Request& request) override {
    const auto response = [](int status, const json::Value& body) -> http::Response {
      return {.status = status, .headers = {{"Content-Type", "application/json"}}, .body = json::print(body)};
    };
    if (request.target.starts_with("/api/v1/namespaces/team/configmaps")) {
      return response(403, json::Value{{"kind", "Status"},
                                       {"reason", "Forbidden"},
                                       {"message", "User \"op\" cannot list resource \"configmaps\""}});
    }
    const json::Value resource{
        {"name", "configmaps"}, {"kind", "ConfigMap"}, {"namespaced", true}, {"verbs", json::array{"list", "watch"}}};
    return response(
        200, json::Value{{"kind", "APIResourceList"}, {"groupVersion", "v1"}, {"resources", json::array{resource}}});
  }
};

// Provides the address of a manager's pages to a thread that did not start the manager.
class AddressLog final : public LogSink {
 public:
  explicit AddressLog(Executor& executor) : mutex_(executor), changed_(executor) {}
  void write(const LogRecord& record) override {
    if (record.message != "serving health and metrics") return;
    const MutexLock lock(mutex_);
    for (const LogField& field : record.fields) {
      if (const std::string* text = field.value.as_string()) url_ = *text;
    }
    changed_.notify_all();
  }
  http::ListenAddress address() {
    const MutexLock lock(mutex_);
    while (url_.empty()) changed_.wait(mutex_);
    return http::parse_listen_address(url_.substr(url_.find("//") + 2)).value();
  }

 private:
  Mutex mutex_;
  CondVar changed_;
  std::string url_ PINTLE_GUARDED_BY(mutex_);
};

TEST(ManagerPagesConcurrency, ReadyzNamesARefusedList) {
  const auto executor = make_real_executor();
  RefusingCluster cluster;
  const auto log = std::make_shared<AddressLog>(*executor);
  Manager manager({.name = "op",
                   .namespaces = {"team"},
                   .listen = "127.0.0.1:0",
                   .log_sink = log,
                   .executor = executor.get(),
                   .transport = std::make_shared<http::InProcessTransport>(*executor, cluster)});
  manager.add(Controller<Object>{.watch = {"v1", "ConfigMap"}, .reconcile = do_nothing_to_objects});
  Result<void> started;
  Thread starter = executor->spawn({.name = "starter"}, [&] { started = manager.start(); });
  const http::ListenAddress address = log->address();
  const auto pages = http::make_network_transport(*executor);
  const auto readyz = [&] {
    return http::send(*pages, {.target = "/readyz",
                               .endpoint = std::make_shared<http::Endpoint>(
                                   http::Endpoint{.host = address.host, .port = address.port})})
        .value();
  };

  http::BufferedResponse refused = readyz();
  for (int i = 0; i < 10'000 && refused.body.find("User") == std::string::npos; ++i) refused = readyz();

  EXPECT_EQ(refused.status, 503);
  EXPECT_TRUE(refused.body.starts_with("the first list of configmaps in namespace team has not arrived: "))
      << refused.body;
  EXPECT_NE(refused.body.find("User \"op\" cannot list resource \"configmaps\""), std::string::npos) << refused.body;

  manager.request_stop();
  starter.join();
  EXPECT_EQ(started.error().code, ErrorCode::cancelled);
}

}  // namespace
}  // namespace pintle
