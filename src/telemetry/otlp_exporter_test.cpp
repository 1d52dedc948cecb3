// SPDX-License-Identifier: Apache-2.0
#include "otlp_exporter.hpp"

#include <deque>

#include <gmock/gmock.h>

#include <pintle/json/document.hpp>
#include <pintle/sim/in_process_transport.hpp>

#include "controller/test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Responds with the steps of its script, then with 200. Stores the requests. Used by one thread at a time.
class Collector final : public http::Handler {
 public:
  explicit Collector(Executor& executor) : executor_(executor) {}

  http::Response handle(const http::Request& request) override {
    requests.push_back(request);
    at.push_back(executor_.now());
    if (script.empty()) return {.status = 200, .body = "{}"};
    http::Response next = std::move(script.front());
    script.pop_front();
    return next;
  }
  [[nodiscard]] json::Document body(std::size_t i) const { return json::Document::parse(requests.at(i).body).value(); }
  // Returns the names of the spans in a request, in their order.
  [[nodiscard]] std::vector<std::string> names(std::size_t i) const {
    std::vector<std::string> found;
    const json::Document document = body(i);
    for (const json::View span : document.root()["/resourceSpans/0/scopeSpans/0/spans"].elements()) {
      found.emplace_back(span["/name"].text());
    }
    return found;
  }

  std::deque<http::Response> script;
  std::vector<http::Request> requests;
  std::vector<Instant> at;

 private:
  Executor& executor_;
};

class OtlpExporterTest : public ::testing::Test {
 protected:
  explicit OtlpExporterTest(Sampling sampling = {}, Batching batching = {})
      : executor({.seed = 1}), collector(executor) {
    transport = std::make_shared<http::InProcessTransport>(executor, collector);
    exporter = std::make_unique<OtlpExporter>(transport,
                                              OtlpOptions{.endpoint = std::make_shared<http::Endpoint>(),
                                                          .target = "/v1/traces",
                                                          .headers = {{"api-key", "k"}},
                                                          .resource = {{"service.name", "op"}},
                                                          .sampling = sampling,
                                                          .batching = batching},
                                              Log(log, executor), metrics);
  }
  ~OtlpExporterTest() override {
    exporter.reset();
    transport->stop();
  }

  // Starts and ends that many spans, each named by its number.
  void make_spans(int count, int first = 0) {
    for (int i = first; i < first + count; ++i) exporter->start({.name = std::to_string(i)}).reset();
  }
  double exported() { return metrics.counter("pintle_trace_spans_exported_total", "").value(); }
  double dropped(const std::string& why) {
    return metrics.counter("pintle_trace_spans_dropped_total", "", {{"why", why}}).value();
  }

  SimulatedExecutor executor;
  Collector collector;
  MetricsRegistry metrics;
  std::shared_ptr<RecordingLogSink> log = std::make_shared<RecordingLogSink>();
  std::shared_ptr<http::InProcessTransport> transport;
  std::unique_ptr<OtlpExporter> exporter;
};

// A response whose body never arrives.
http::Response silence() {
  class Silence final : public http::BodyStream {
   public:
    State read(std::string&) override { return State::waiting; }
    void on_ready(std::function<void()>) override {}
  };
  return {.stream = std::make_unique<Silence>()};
}

TEST_F(OtlpExporterTest, PostsTheDataOfASpan) {
  const WallTime begun = executor.wall_now();
  auto parent = exporter->start({.name = "parent"});
  auto child = exporter->start(
      {.name = "child", .kind = SpanKind::client, .parent = parent->context(), .attributes = {{"a", 1}, {"b", "x"}}});
  child->set_attribute({"a", 2});
  executor.sleep_for(1s);
  child->add_event("looked", {{"n", true}});
  child->set_error("broken");
  const std::string child_id = child->context().span_id_text();
  child.reset();
  executor.sleep_for(1min);

  ASSERT_EQ(collector.requests.size(), 1U) << "the parent has not ended";
  const http::Request& request = collector.requests[0];
  EXPECT_EQ(request.method, "POST");
  EXPECT_EQ(request.target, "/v1/traces");
  EXPECT_EQ(request.headers.get("Content-Type"), "application/json");
  EXPECT_EQ(request.headers.get("api-key"), "k");
  const json::Document body = collector.body(0);
  EXPECT_EQ(body.root()["/resourceSpans/0/resource/attributes/0/value/stringValue"], "op");
  const json::View span = body.root()["/resourceSpans/0/scopeSpans/0/spans/0"];
  EXPECT_EQ(span["/traceId"], parent->context().trace_id_text());
  EXPECT_EQ(span["/parentSpanId"], parent->context().span_id_text());
  EXPECT_EQ(span["/spanId"], child_id);
  EXPECT_EQ(span["/name"], "child");
  EXPECT_EQ(span["/kind"], 3);
  EXPECT_EQ(span["/startTimeUnixNano"], std::to_string(begun.time_since_epoch().count()));
  EXPECT_EQ(span["/endTimeUnixNano"], std::to_string((begun + 1s).time_since_epoch().count()));
  EXPECT_EQ(span["/attributes"].print(),
            R"([{"key":"a","value":{"intValue":"2"}},{"key":"b","value":{"stringValue":"x"}}])");
  EXPECT_EQ(span["/events/0/name"], "looked");
  EXPECT_EQ(span["/events/0/timeUnixNano"], std::to_string((begun + 1s).time_since_epoch().count()));
  EXPECT_EQ(span["/events/0/attributes/0/value/boolValue"], true);
  EXPECT_EQ(span["/status"].print(), R"({"code":2,"message":"broken"})");
  EXPECT_EQ(exported(), 1);
  EXPECT_THAT(log->lines(), IsEmpty());
}

TEST_F(OtlpExporterTest, WaitsFiveSecondsForMore) {
  make_spans(2);
  executor.sleep_for(4900ms);
  make_spans(1, 2);
  EXPECT_EQ(collector.requests.size(), 0U);
  executor.sleep_for(200ms);

  ASSERT_EQ(collector.requests.size(), 1U);
  EXPECT_THAT(collector.names(0), ElementsAre("0", "1", "2"));
}

TEST_F(OtlpExporterTest, SendsAFullBatchAtOnceAndTheRestInItsTime) {
  make_spans(513);
  executor.sleep_for(100ms);
  ASSERT_EQ(collector.requests.size(), 1U);
  EXPECT_EQ(collector.names(0).size(), 512U);
  executor.sleep_for(5s);

  ASSERT_EQ(collector.requests.size(), 2U);
  EXPECT_THAT(collector.names(1), ElementsAre("512"));
}

TEST_F(OtlpExporterTest, DropsTheNewestAtItsLimitAndCountsThem) {
  collector.script.push_back(silence());
  make_spans(512);
  executor.sleep_for(100ms);  // these are being sent
  make_spans(2048 + 7, 512);
  EXPECT_EQ(dropped("too_many_wait"), 7);
  executor.sleep_for(1min);

  EXPECT_EQ(exported(), 512 + 2048);
  EXPECT_EQ(collector.requests.size(), 1 + 5U);
  EXPECT_EQ(collector.names(5).back(), std::to_string(512 + 2048 - 1));
}

TEST_F(OtlpExporterTest, RepeatsAfterRetryAfter) {
  collector.script.push_back({.status = 503, .headers = {{"Retry-After", "7"}}});
  make_spans(1);
  executor.sleep_for(1min);

  ASSERT_EQ(collector.requests.size(), 2U);
  EXPECT_EQ(collector.at[1] - collector.at[0], 7s);
  EXPECT_EQ(collector.requests[0].body, collector.requests[1].body);
  EXPECT_EQ(exported(), 1);
}

TEST_F(OtlpExporterTest, DropsABatchAfterTheDeliveryTimeout) {
  for (int i = 0; i < 6; ++i) collector.script.push_back({.status = 503});
  make_spans(1);
  executor.sleep_for(5s + 30s);

  EXPECT_EQ(dropped("not_sent"), 1);
  EXPECT_GT(collector.requests.size(), 1U);
  EXPECT_LT(collector.requests.size(), 6U);
}

TEST_F(OtlpExporterTest, WaitsForNoResponseBeyondTheDeliveryTimeout) {
  for (int i = 0; i < 3; ++i) collector.script.push_back(silence());
  make_spans(1);
  executor.sleep_for(5s + 29s);
  EXPECT_EQ(collector.requests.size(), 3U);
  EXPECT_EQ(dropped("not_sent"), 0);
  executor.sleep_for(2s);

  EXPECT_EQ(dropped("not_sent"), 1);
}

TEST_F(OtlpExporterTest, DropsABatchWithALaterRetryAfter) {
  collector.script.push_back({.status = 503, .headers = {{"Retry-After", "30"}}});
  make_spans(1);
  executor.sleep_for(6s);

  EXPECT_EQ(dropped("not_sent"), 1);
  EXPECT_EQ(collector.requests.size(), 1U);
}

class OtlpExporterTimeoutTest : public OtlpExporterTest {
 protected:
  OtlpExporterTimeoutTest() : OtlpExporterTest({}, {.request_timeout = 1min, .delivery_timeout = 0s}) {}
};

TEST_F(OtlpExporterTimeoutTest, UsesTheRequestTimeout) {
  collector.script.push_back(silence());
  make_spans(1);
  executor.sleep_for(5min);

  ASSERT_EQ(collector.requests.size(), 2U);
  EXPECT_GE(collector.at[1] - collector.at[0], 1min + 1s);
  EXPECT_LE(collector.at[1] - collector.at[0], 1min + 2s);
  EXPECT_EQ(exported(), 1);
}

class OtlpExporterBatchTest : public OtlpExporterTest {
 protected:
  OtlpExporterBatchTest() : OtlpExporterTest({}, {.max_waiting = 3, .max_batch_size = 2, .max_wait = 1min}) {}
};

TEST_F(OtlpExporterBatchTest, UsesTheBatchOptions) {
  collector.script.push_back(silence());
  make_spans(2);
  executor.sleep_for(100ms);  // these are being sent
  make_spans(4, 2);
  EXPECT_EQ(dropped("too_many_wait"), 1);
  executor.sleep_for(59s);

  ASSERT_EQ(collector.requests.size(), 3U);
  EXPECT_THAT(collector.names(1), ElementsAre("0", "1")) << "the collector did not respond";
  EXPECT_THAT(collector.names(2), ElementsAre("2", "3"));
  executor.sleep_for(2s);
  ASSERT_EQ(collector.requests.size(), 4U);
  EXPECT_THAT(collector.names(3), ElementsAre("4"));
}

TEST_F(OtlpExporterTimeoutTest, BacksOffAndGivesUp) {
  for (const int status : {429, 502, 503, 504, 429, 502}) collector.script.push_back({.status = status});
  make_spans(1);
  executor.sleep_for(5min);

  ASSERT_EQ(collector.requests.size(), 6U);
  for (std::size_t i = 1; i < 6; ++i) {
    const Duration base = 1s * (1U << (i - 1));
    EXPECT_GE(collector.at[i] - collector.at[i - 1], base);
    EXPECT_LE(collector.at[i] - collector.at[i - 1], 2 * base);
  }
  EXPECT_EQ(dropped("not_sent"), 1);
  EXPECT_EQ(exported(), 0);
}

TEST_F(OtlpExporterTest, DoesNotRepeatRefusedBatches) {
  for (const int status : {400, 401, 404, 413, 500}) {
    collector.requests.clear();
    collector.script.push_back({.status = status});
    make_spans(1);
    executor.sleep_for(1min);
    EXPECT_EQ(collector.requests.size(), 1U) << status;
  }
  EXPECT_EQ(dropped("not_sent"), 5);
}

TEST_F(OtlpExporterTest, CountsRejectedSpans) {
  collector.script.push_back(
      {.status = 200, .body = R"({"partialSuccess":{"rejectedSpans":"2","errorMessage":"too old"}})"});
  make_spans(3);
  executor.sleep_for(1min);

  EXPECT_EQ(collector.requests.size(), 1U);
  EXPECT_EQ(dropped("rejected"), 2);
  EXPECT_EQ(exported(), 1);
  EXPECT_TRUE(log->has("too old"));
}

TEST_F(OtlpExporterTest, LogsAnOutageOnce) {
  for (int i = 0; i < 3; ++i) {
    collector.script.push_back({.status = 404});
    make_spans(1);
    executor.sleep_for(10s);
  }
  ASSERT_EQ(log->lines().size(), 1U);
  EXPECT_THAT(log->lines()[0], HasSubstr("traces cannot be exported"));
  EXPECT_THAT(log->lines()[0], HasSubstr("404"));
  make_spans(1);
  executor.sleep_for(10s);
  collector.script.push_back({.status = 404});
  make_spans(1);
  executor.sleep_for(10s);

  ASSERT_EQ(log->lines().size(), 3U);
  EXPECT_EQ(log->lines()[1], "traces are exported again");
  EXPECT_THAT(log->lines()[2], HasSubstr("traces cannot be exported"));
}

TEST_F(OtlpExporterTest, StopSendsWaitingSpans) {
  make_spans(600);
  const Instant begun = executor.now();
  exporter->stop(2s);

  EXPECT_LT(executor.now() - begun, 1s);
  EXPECT_EQ(exported(), 600);
  make_spans(1);
  EXPECT_EQ(dropped("not_sent"), 1) << "the exporter accepts no more spans";
}

TEST_F(OtlpExporterTest, StopsInTimeAlthoughTheCollectorIsSilent) {
  for (int i = 0; i < 10; ++i) collector.script.push_back(silence());
  make_spans(600);
  const Instant begun = executor.now();
  exporter->stop(2s);

  EXPECT_EQ(executor.now() - begun, 2s);
  EXPECT_EQ(dropped("not_sent"), 600);
}

TEST_F(OtlpExporterTest, StopsInTimeDuringABackOff) {
  collector.script.push_back({.status = 503, .headers = {{"Retry-After", "20"}}});
  make_spans(1);
  const Instant begun = executor.now();
  exporter->stop(2s);

  EXPECT_EQ(executor.now() - begun, 2s);
  EXPECT_EQ(dropped("not_sent"), 1);
}

TEST_F(OtlpExporterTest, LimitsTheDataOfASpan) {
  auto span = exporter->start({.name = "s"});
  for (int i = 0; i < 130; ++i) span->set_attribute({"a" + std::to_string(i), i});
  span->set_attribute({"a0", std::string(5000, 'x')});
  for (int i = 0; i < 131; ++i) span->add_event("e", {});
  span.reset();
  executor.sleep_for(10s);

  const json::Document body = collector.body(0);
  const json::View made = body.root()["/resourceSpans/0/scopeSpans/0/spans/0"];
  EXPECT_EQ(made["/attributes"].size(), 128U);
  EXPECT_EQ(made["/droppedAttributesCount"], 2);
  EXPECT_EQ(made["/attributes/0/value/stringValue"].text().size(), 4096U);
  EXPECT_EQ(made["/events"].size(), 128U);
  EXPECT_EQ(made["/droppedEventsCount"], 3);
}

TEST_F(OtlpExporterTest, MakesIdsFromTheSeedOfTheRun) {
  const auto first_of = [](std::uint64_t seed) {
    SimulatedExecutor other({.seed = seed});
    Collector silent(other);
    MetricsRegistry registry;
    const auto way = std::make_shared<http::InProcessTransport>(other, silent);
    OtlpExporter one(way, {.endpoint = std::make_shared<http::Endpoint>(), .target = "/"}, {}, registry);
    const SpanContext context = one.start({.name = "a"})->context();
    EXPECT_TRUE(context.is_valid());
    return context.traceparent();
  };

  EXPECT_EQ(first_of(1), first_of(1));
  EXPECT_NE(first_of(1), first_of(2));
}

TEST_F(OtlpExporterTest, GivesEachSpanAnIdAndAChildTheTraceOfItsParent) {
  const auto a = exporter->start({.name = "a"});
  const auto b = exporter->start({.name = "b"});
  const auto below_a = exporter->start({.name = "c", .parent = a->context()});

  EXPECT_NE(a->context().trace_id, b->context().trace_id);
  EXPECT_NE(a->context().span_id, b->context().span_id);
  EXPECT_EQ(below_a->context().trace_id, a->context().trace_id);
  EXPECT_NE(below_a->context().span_id, a->context().span_id);
  EXPECT_TRUE(below_a->context().sampled);
}

class OtlpExporterUnsampledTest : public OtlpExporterTest {
 protected:
  OtlpExporterUnsampledTest() : OtlpExporterTest({.ratio = 0}) {}
};

TEST_F(OtlpExporterUnsampledTest, GivesAContextToAnUnsampledSpan) {
  auto span = exporter->start({.name = "a"});
  EXPECT_TRUE(span->context().is_valid());
  EXPECT_FALSE(span->context().sampled);
  span->set_attribute({"a", 1});
  span->add_event("b", {});
  span->set_error("c");
  span.reset();
  executor.sleep_for(1min);

  EXPECT_EQ(collector.requests.size(), 0U);
}

// Runs on the real executor, so that ThreadSanitizer can check it.
TEST(OtlpExporterConcurrency, TakesSpansOfManyThreads) {
  const auto executor = make_real_executor();
  Collector collector(*executor);
  MetricsRegistry metrics;
  const auto transport = std::make_shared<http::InProcessTransport>(*executor, collector);
  OtlpExporter exporter(transport, {.endpoint = std::make_shared<http::Endpoint>(), .target = "/"}, {}, metrics);
  std::vector<Thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.push_back(executor->spawn({.name = "maker"}, [&] {
      for (int k = 0; k < 300; ++k) exporter.start({.name = "a"})->set_attribute({"k", k});
    }));
  }
  for (Thread& thread : threads) thread.join();
  exporter.stop(1min);
  transport->stop();

  EXPECT_EQ(metrics.counter("pintle_trace_spans_exported_total", "").value(), 1200);
}

}  // namespace
}  // namespace pintle
