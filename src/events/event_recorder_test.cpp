// SPDX-License-Identifier: Apache-2.0
#include "event_recorder.hpp"

#include <atomic>

#include "controller/test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

// A transport on which requests for Events fail in a chosen way, while all others succeed.
class TroubledTransport final : public http::Transport {
 public:
  enum class Outage { none, unreachable, silent, forbidden };

  TroubledTransport(Executor& executor, http::Handler& server) : handler_(server), inner_(executor, handler_) {}
  ~TroubledTransport() override { inner_.stop(); }

  ExchangeId start(http::Request request, std::shared_ptr<http::ExchangeHandler> handler) override {
    const bool is_event = request.target.starts_with("/apis/events.k8s.io/v1/namespaces");
    if (is_event) ++requests;
    if (is_event && outage == Outage::unreachable) {
      inner_.post([handler] { handler->on_end(make_error(ErrorCode::unreachable, "connection refused")); });
      return 0;
    }
    handler_.outage = outage.load();
    return inner_.start(std::move(request), std::move(handler));
  }
  void cancel(ExchangeId exchange) override {
    if (exchange != 0) inner_.cancel(exchange);
  }
  void post(std::function<void()> function) override { inner_.post(std::move(function)); }
  TimerId start_timer(Instant at, std::function<void()> function) override {
    return inner_.start_timer(at, std::move(function));
  }
  void cancel_timer(TimerId timer) override { inner_.cancel_timer(timer); }
  void stop() override { inner_.stop(); }
  [[nodiscard]] Executor& executor() noexcept override { return inner_.executor(); }

  std::atomic<Outage> outage = Outage::none;
  std::atomic<int> requests = 0;  // requests for Events

 private:
  class Silence final : public http::BodyStream {
   public:
    State read(std::string&) override { return State::waiting; }
    void on_ready(std::function<void()>) override {}
  };
  class TroubledHandler final : public http::Handler {
   public:
    explicit TroubledHandler(http::Handler& server) : server_(server) {}
    http::Response handle(const http::Request& request) override {
      const bool is_event = request.target.starts_with("/apis/events.k8s.io/v1/namespaces");
      if (is_event && outage == Outage::silent) return {.stream = std::make_unique<Silence>()};
      if (is_event && outage == Outage::forbidden) {
        return {.status = 403,
                .body = R"({"kind":"Status","apiVersion":"v1","status":"Failure","message":"no","reason":)"
                        R"("Forbidden","code":403})"};
      }
      return server_.handle(request);
    }
    std::atomic<Outage> outage = Outage::none;

   private:
    http::Handler& server_;
  };

  TroubledHandler handler_;
  http::InProcessTransport inner_;
};
using Outage = TroubledTransport::Outage;

Object pod(const std::string& name, const std::string& namespace_ = "default") {
  return Object(json::Value{{"apiVersion", "v1"},
                            {"kind", "Pod"},
                            {"metadata", {{"name", name}, {"namespace", namespace_}, {"uid", "u-" + name}}}});
}

class EventRecorderTest : public ::testing::Test {
 protected:
  EventRecorderTest()
      : transport(std::make_shared<TroubledTransport>(simulation.executor(), simulation.server())),
        client({.transport = transport, .cluster = {.endpoint = std::make_shared<http::Endpoint>()}}),
        recorder(std::make_unique<EventRecorder>(client, Log(log, simulation.executor()), metrics, "test-operator",
                                                 "test-operator-0")) {
    // The faults do not affect discovery.
    EXPECT_TRUE(client.resource({"events.k8s.io/v1", "Event"}));
  }
  ~EventRecorderTest() override {
    recorder.reset();
    transport->stop();
  }

  void record(const Object& about, std::string_view reason = "Odd", std::string_view note = "it is so") {
    recorder->record(about, EventType::warning, "Reconcile", reason, note);
  }
  bool run_until_idle() { return simulation.run_until_idle(5s); }
  std::vector<Object> events() { return simulation.server().objects("events"); }
  double dropped(const std::string& why) {
    return metrics.counter("pintle_events_dropped_total", "", {{"why", why}}).value();
  }

  testkit::Simulation simulation{{.seed = 1}};
  std::shared_ptr<TroubledTransport> transport;
  Client client;
  MetricsRegistry metrics;
  std::shared_ptr<RecordingLogSink> log = std::make_shared<RecordingLogSink>();
  std::unique_ptr<EventRecorder> recorder;
};

TEST_F(EventRecorderTest, RepeatedEventsAreOneObjectWithACount) {
  for (int i = 0; i < 3; ++i) {
    record(pod("a"));
    ASSERT_TRUE(run_until_idle());
  }
  ASSERT_EQ(events().size(), 1U);
  EXPECT_EQ(events()[0]["/series/count"], 2);
  EXPECT_EQ(transport->requests, 2);
  EXPECT_EQ(events()[0]["/reportingInstance"], "test-operator-0");
  simulation.executor().sleep_for(7min);
  EXPECT_EQ(events()[0]["/series/count"], 3);
  EXPECT_EQ(transport->requests, 3);
  EXPECT_EQ(metrics.counter("pintle_events_sent_total", "").value(), 3);
}

// Events expire on the server (trap 65).
TEST_F(EventRecorderTest, ADeletedSeriesIsCreatedAnew) {
  record(pod("a"));
  ASSERT_TRUE(run_until_idle());
  const std::string name(events().at(0).name());
  ASSERT_TRUE(simulation.user().remove({"events.k8s.io/v1", "Event"}, {"default", name}));
  record(pod("a"));
  ASSERT_TRUE(run_until_idle());
  ASSERT_EQ(events().size(), 1U);
  EXPECT_EQ(events()[0].name(), name);
  EXPECT_EQ(events()[0]["/series/count"], 2);
}

// The server accepts all of these Events; it validates them like a real one (traps 67 and 68).
TEST_F(EventRecorderTest, TheServerAcceptsEventsOfAnyObject) {
  record(pod(std::string(253, 'x')));
  record(pod("a"), "R", std::string(1023, 'n') + "ü");
  record(pod("system:odd:Name"));
  recorder->record(Object(json::Value{{"apiVersion", "v1"}, {"kind", "Node"}, {"metadata", {{"name", "n"}}}}),
                   EventType::normal, "", "", "", pod("related"));
  record(Object());
  ASSERT_TRUE(run_until_idle());
  EXPECT_EQ(events().size(), 4U) << "no Event about an empty object";
  EXPECT_TRUE(log->lines().empty()) << log->lines().front();
}

// Events that the server refuses are dropped, and only the first one is logged (trap 66).
TEST_F(EventRecorderTest, RefusalsAreCountedAndLoggedOnce) {
  transport->outage = Outage::forbidden;
  for (const char* name : {"a", "b", "c"}) record(pod(name));
  simulation.executor().sleep_for(1h);
  EXPECT_EQ(transport->requests, 3);
  EXPECT_EQ(dropped("not_sent"), 3);
  ASSERT_EQ(log->lines().size(), 1U);
  EXPECT_NE(log->lines()[0].find("403"), std::string::npos) << log->lines()[0];

  transport->outage = Outage::none;
  record(pod("a"));
  ASSERT_TRUE(run_until_idle());
  EXPECT_EQ(events().size(), 1U);
  transport->outage = Outage::forbidden;
  record(pod("d"));
  simulation.executor().sleep_for(1h);
  EXPECT_EQ(log->lines().size(), 2U) << "logged again, after one was sent";
}

// A write is tried 12 times, then the next one follows (trap 66).
TEST_F(EventRecorderTest, EventsSurviveAnOutageOfTwelveAttempts) {
  transport->outage = Outage::unreachable;
  record(pod("a"));
  simulation.executor().sleep_for(60s);
  EXPECT_GE(transport->requests, 5);
  EXPECT_LE(transport->requests, 7);
  transport->outage = Outage::none;
  ASSERT_TRUE(simulation.run_until_idle(20s));
  EXPECT_EQ(events().size(), 1U);

  transport->outage = Outage::unreachable;
  transport->requests = 0;
  record(pod("b"));
  simulation.executor().sleep_for(1h);
  EXPECT_EQ(transport->requests, 12);
  EXPECT_EQ(dropped("not_sent"), 1);
}

// At most 1,000 writes wait, and the thread that records never waits (trap 66).
TEST_F(EventRecorderTest, EventsBeyondTheLimitAreDropped) {
  transport->outage = Outage::silent;
  const Instant begin = simulation.executor().now();
  for (int i = 0; i < 1200; ++i) record(pod("p" + std::to_string(i)));
  EXPECT_EQ(simulation.executor().now(), begin);
  EXPECT_EQ(dropped("too_many_wait"), 200);
  EXPECT_EQ(log->lines().size(), 1U);
}

// The Events of one object must not crowd out those of others (trap 69).
TEST_F(EventRecorderTest, EventsOfOneObjectAreLimited) {
  for (int i = 0; i < 40; ++i) record(pod("a"), "Reason" + std::to_string(i));
  ASSERT_TRUE(run_until_idle());
  EXPECT_EQ(events().size(), 25U);
  EXPECT_EQ(dropped("too_many_of_one_object"), 15);
}

TEST_F(EventRecorderTest, StoppingSendsWaitingEventsAndLastCounts) {
  for (int i = 0; i < 5; ++i) {
    record(pod("a"));
    ASSERT_TRUE(run_until_idle());
  }
  for (int i = 0; i < 100; ++i) record(pod("p" + std::to_string(i)));
  recorder->stop(2s);
  EXPECT_EQ(events().size(), 101U);
  const auto all = events();
  const auto series = std::find_if(all.begin(), all.end(), [](const Object& e) { return e["/series"].exists(); });
  ASSERT_NE(series, all.end());
  EXPECT_EQ((*series)["/series/count"], 5);
  record(pod("late"));
  recorder->stop(2s);
  EXPECT_EQ(events().size(), 101U);
}

TEST_F(EventRecorderTest, StoppingTakesNoLongerThanTheGraceTime) {
  transport->outage = Outage::silent;
  for (int i = 0; i < 10; ++i) record(pod("p" + std::to_string(i)));
  simulation.executor().sleep_for(1s);
  const Instant begin = simulation.executor().now();
  recorder->stop(2s);
  EXPECT_EQ(simulation.executor().now() - begin, 2s);
}

TEST_F(EventRecorderTest, StoppingWithoutAServerIsQuick) {
  transport->outage = Outage::unreachable;
  for (int i = 0; i < 10; ++i) record(pod("p" + std::to_string(i)));
  simulation.executor().sleep_for(1s);
  const Instant begin = simulation.executor().now();
  recorder->stop(2s);
  EXPECT_LT(simulation.executor().now() - begin, 1s) << "no pause between attempts";
}

TEST_F(EventRecorderTest, TheInstanceIsTheHostUnlessItIsGiven) {
  recorder = std::make_unique<EventRecorder>(client, Log(), metrics, "my-operator");
  record(pod("a"));
  ASSERT_TRUE(run_until_idle());
  const Object event = events().at(0);
  EXPECT_EQ(event["/reportingComponent"], "my-operator") << "as it is stored";
  EXPECT_TRUE(event["/reportingInstance"].text().starts_with("my-operator-")) << event["/reportingInstance"].text();
}

// While Events cannot be sent, no outcome changes and no reconcile is slower (TX-20).
TEST(EventRecorderOutage, NeverChangesOrSlowsAReconcile) {
  struct Run {
    std::vector<std::string> reconciles;
    Duration longest{};
    double succeeded = 0;
  };
  const auto run_with = [](Outage outage) {
    testkit::Simulation simulation({.seed = 3});
    auto transport = std::make_shared<TroubledTransport>(simulation.executor(), simulation.server());
    transport->outage = outage;
    Run run;
    {
      Manager manager({.name = "test-operator",
                       .log_sink = std::make_shared<RecordingLogSink>(),
                       .stop_timeout = 5s,
                       .executor = &simulation.executor(),
                       .transport = transport});
      manager.add(Controller<Note>{.reconcile = [&](const Note& n, Context& ctx) -> Outcome {
        const Instant begin = ctx.executor().now();
        for (int i = 0; i < 30; ++i) ctx.event(EventType::normal, "Reason" + std::to_string(i), "seen");
        run.longest = std::max(run.longest, ctx.executor().now() - begin);
        run.reconciles.push_back(n.metadata.name);
        return requeue_after(1min);
      }});
      EXPECT_TRUE(manager.start());
      for (int i = 0; i < 20; ++i) EXPECT_TRUE(simulation.user().create(note("n" + std::to_string(i))));
      simulation.executor().sleep_for(10min + 30s);
      std::sort(run.reconciles.begin(), run.reconciles.end());
      run.succeeded =
          manager.metrics()
              .counter("controller_runtime_reconcile_total", "", {{"controller", "note"}, {"result", "requeue_after"}})
              .value();
      manager.stop();
    }
    transport->stop();
    return run;
  };
  const Run good = run_with(Outage::none);
  ASSERT_GE(good.reconciles.size(), 200U);
  for (const Outage outage : {Outage::unreachable, Outage::silent, Outage::forbidden}) {
    const Run bad = run_with(outage);
    EXPECT_EQ(bad.reconciles, good.reconciles);
    EXPECT_EQ(bad.succeeded, good.succeeded);
    EXPECT_EQ(bad.longest, Duration::zero());
  }
}

TEST(EventRecorderConcurrency, ManyThreadsRecordAtOnce) {
  const auto executor = make_real_executor(1);
  ApiServer server(*executor);
  auto transport = std::make_shared<http::InProcessTransport>(*executor, server);
  Client client({.transport = transport, .cluster = {.endpoint = std::make_shared<http::Endpoint>()}});
  MetricsRegistry metrics;
  EventRecorder recorder(client, {}, metrics, "test-operator");
  std::vector<Thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.push_back(executor->spawn({.name = "recorder"}, [&, t] {
      for (int i = 0; i < 200; ++i) {
        const std::string reason = "Reason" + std::to_string(t);
        recorder.record(pod("p" + std::to_string(i % 20)), EventType::normal, "Test", reason, "note");
      }
    }));
  }
  threads.clear();
  recorder.stop(30s);
  std::int64_t counted = 0;
  for (const Object& event : server.objects("events")) {
    counted += event["/series/count"].as_integer().value_or(1);
  }
  EXPECT_EQ(counted, 800) << "every occurrence is in some count";
  transport->stop();
  server.stop();
}

}  // namespace
}  // namespace pintle
