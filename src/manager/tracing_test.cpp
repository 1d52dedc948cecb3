// SPDX-License-Identifier: Apache-2.0
#include "telemetry/tracing.hpp"

#include <cstdlib>
#include <deque>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <unistd.h>

#include <pintle/http/server.hpp>
#include <pintle/sim/in_process_transport.hpp>

#include "controller/test_support.hpp"
#include "telemetry/traced_transport.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct RecordedSpan {
  SpanContext context{};
  std::string name{};
  SpanKind kind{};
  SpanContext parent{};
  std::map<std::string, std::optional<LogValue>> attributes{};
  std::vector<std::string> events{};
  std::string error{};
  std::size_t place = 0;  // in the order of the ends; 0 before the end

  // Returns the text or number of an attribute, or "" if it does not exist.
  [[nodiscard]] std::string at(const std::string& attribute) const {
    const auto found = attributes.find(attribute);
    if (found == attributes.end()) return "";
    if (const std::string* text = found->second->as_string()) return *text;
    return std::to_string(*found->second->as_integer());
  }
};

// A custom tracer, as a user may write one. Only one simulated thread runs at a time.
class RecordingTracer final : public Tracer {
 public:
  std::unique_ptr<Span> start(StartSpanOptions start) override {
    auto kept = std::make_shared<RecordedSpan>();
    ++ids_;
    kept->context.trace_id = start.parent.is_valid() ? start.parent.trace_id : std::array<std::uint8_t, 16>{ids_};
    kept->context.span_id = {ids_};
    kept->context.sampled = true;
    kept->name = std::move(start.name);
    kept->kind = start.kind;
    kept->parent = start.parent;
    for (SpanAttribute& one : start.attributes) kept->attributes[one.name] = std::move(one.value);
    spans.push_back(kept);
    return std::make_unique<KeepingSpan>(std::move(kept), ended_);
  }
  // Returns the spans whose names begin with `begin`, in the order in which they began.
  [[nodiscard]] std::vector<std::shared_ptr<RecordedSpan>> named(std::string_view begin) const {
    std::vector<std::shared_ptr<RecordedSpan>> found;
    for (const auto& span : spans) {
      if (span->name.starts_with(begin)) found.push_back(span);
    }
    return found;
  }

  std::vector<std::shared_ptr<RecordedSpan>> spans;

 private:
  class KeepingSpan final : public Span {
   public:
    KeepingSpan(std::shared_ptr<RecordedSpan> kept, std::size_t& ended) : kept_(std::move(kept)), ended_(ended) {}
    ~KeepingSpan() override { kept_->place = ++ended_; }
    [[nodiscard]] const SpanContext& context() const noexcept override { return kept_->context; }
    void set_attribute(SpanAttribute attribute) override {
      kept_->attributes[attribute.name] = std::move(attribute.value);
    }
    void add_event(std::string_view name, std::vector<SpanAttribute>) override { kept_->events.emplace_back(name); }
    void set_error(std::string_view what) override { kept_->error = what; }

   private:
    const std::shared_ptr<RecordedSpan> kept_;
    std::size_t& ended_;
  };

  std::uint8_t ids_ = 0;
  std::size_t ended_ = 0;
};

// Responds with the steps of its script, then with 500. Stores the requests.
class Script final : public http::Handler {
 public:
  http::Response handle(const http::Request& request) override {
    requests.push_back(request);
    if (responses.empty()) return {.status = 500};
    http::Response next = std::move(responses.front());
    responses.pop_front();
    return next;
  }

  std::deque<http::Response> responses;
  std::vector<http::Request> requests;
};

// A tracing transport in front of a scripted server.
class TracedTransportTest : public ::testing::Test {
 protected:
  TracedTransportTest() {
    inner = std::make_shared<http::InProcessTransport>(executor, script);
    transport = std::make_shared<TracedTransport>(inner, tracing);
  }
  ~TracedTransportTest() override { transport->stop(); }

  SimulatedExecutor executor{{.seed = 1}};
  Script script;
  std::shared_ptr<RecordingTracer> tracer = std::make_shared<RecordingTracer>();
  std::shared_ptr<Tracing> tracing = std::make_shared<Tracing>(executor, tracer);
  std::shared_ptr<http::InProcessTransport> inner;
  std::shared_ptr<TracedTransport> transport;
};

TEST_F(TracedTransportTest, ARequestOfAReconcileIsASpanWithATraceparent) {
  script.responses.push_back({.status = 201});
  const auto reconcile = tracer->start({.name = "reconcile"});
  const PerThread<Span>::Binding binding(tracing->spans(), *reconcile);
  const auto endpoint = std::make_shared<http::Endpoint>(http::Endpoint{.host = "api.test", .port = 6443});
  ASSERT_TRUE(
      http::send(*transport,
                 {.method = "POST", .target = "/api/v1/namespaces/default/pods?fieldManager=x", .endpoint = endpoint}));

  ASSERT_EQ(tracer->spans.size(), 2U);
  const RecordedSpan& span = *tracer->spans[1];
  EXPECT_EQ(span.name, "POST /api/v1/namespaces/{namespace}/pods");
  EXPECT_EQ(span.kind, SpanKind::client);
  EXPECT_EQ(span.parent, reconcile->context());
  EXPECT_NE(span.place, 0U) << "the span has ended with its response";
  EXPECT_EQ(span.at("http.request.method"), "POST");
  EXPECT_EQ(span.at("url.path"), "/api/v1/namespaces/default/pods");
  EXPECT_EQ(span.at("url.template"), "/api/v1/namespaces/{namespace}/pods");
  EXPECT_EQ(span.at("server.address"), "api.test");
  EXPECT_EQ(span.at("server.port"), "6443");
  EXPECT_EQ(span.at("http.response.status_code"), "201");
  EXPECT_EQ(span.at("http.request.resend_count"), "");
  EXPECT_EQ(span.at("error.type"), "");
  EXPECT_EQ(span.error, "");
  ASSERT_EQ(script.requests.size(), 1U);
  EXPECT_EQ(script.requests[0].headers.get("traceparent"), span.context.traceparent());
}

TEST_F(TracedTransportTest, OtherRequestsAreNoSpans) {
  script.responses.push_back({.status = 200});
  ASSERT_TRUE(http::send(*transport, {.target = "/version"}));

  EXPECT_THAT(tracer->spans, IsEmpty());
  EXPECT_FALSE(script.requests.at(0).headers.get("traceparent"));
}

TEST_F(TracedTransportTest, MarksARefusalAsAnError) {
  script.responses.push_back({.status = 404});
  const auto reconcile = tracer->start({.name = "reconcile"});
  const PerThread<Span>::Binding binding(tracing->spans(), *reconcile);
  ASSERT_TRUE(http::send(*transport, {.target = "/api/v1/nodes/a"}));

  EXPECT_EQ(tracer->spans.at(1)->at("http.response.status_code"), "404");
  EXPECT_EQ(tracer->spans[1]->at("error.type"), "404");
  EXPECT_EQ(tracer->spans[1]->error, "the server responded with 404");
}

TEST_F(TracedTransportTest, ARequestWithoutAResponseIsAnErrorUnlessCancelled) {
  inner->set_faults({{.effect = http::Drop{}}});
  const auto reconcile = tracer->start({.name = "reconcile"});
  const PerThread<Span>::Binding binding(tracing->spans(), *reconcile);
  ASSERT_FALSE(http::send(*transport, {.target = "/api/v1/nodes/a"}));
  inner->crash();
  ASSERT_FALSE(http::send(*transport, {.target = "/api/v1/nodes/a"}));

  EXPECT_EQ(tracer->spans.at(1)->at("error.type"), "unreachable");
  EXPECT_NE(tracer->spans[1]->error, "");
  EXPECT_EQ(tracer->spans.at(2)->at("error.type"), "cancelled");
  EXPECT_EQ(tracer->spans[2]->error, "");
  EXPECT_NE(tracer->spans[2]->place, 0U);
}

TEST_F(TracedTransportTest, EachAttemptIsASpan) {
  script.responses.push_back({.status = 200, .body = R"({"kind":"APIResourceList","groupVersion":"v1","resources":[
      {"name":"nodes","namespaced":false,"kind":"Node","verbs":["get"]}]})"});
  for (int i = 0; i < 2; ++i) script.responses.push_back({.status = 429, .headers = {{"Retry-After", "1"}}});
  script.responses.push_back({.status = 200, .body = R"({"kind":"Node","apiVersion":"v1","metadata":{"name":"a"}})"});
  Client client({.transport = transport});
  const auto reconcile = tracer->start({.name = "reconcile"});
  const PerThread<Span>::Binding binding(tracing->spans(), *reconcile);
  const auto got = client.get({"v1", "Node"}, {"", "a"});
  ASSERT_TRUE(got) << got.error().to_string();

  const auto tries = tracer->named("GET /api/v1/nodes/{name}");
  ASSERT_EQ(tries.size(), 3U);
  EXPECT_EQ(tries[0]->at("http.request.resend_count"), "");
  EXPECT_EQ(tries[1]->at("http.request.resend_count"), "1");
  EXPECT_EQ(tries[2]->at("http.request.resend_count"), "2");
  EXPECT_EQ(tries[1]->error, "the server responded with 429");
  EXPECT_EQ(tries[2]->error, "");
  EXPECT_EQ(script.requests.back().headers.get("traceparent"), tries[2]->context.traceparent());
}

TEST(UrlTemplate, ReplacesNamesInAPath) {
  const std::pair<const char*, const char*> cases[] = {
      {"/version", "/version"},
      {"/api/v1", "/api/v1"},
      {"/api/v1/nodes", "/api/v1/nodes"},
      {"/api/v1/nodes/a", "/api/v1/nodes/{name}"},
      {"/api/v1/namespaces", "/api/v1/namespaces"},
      {"/api/v1/namespaces/a", "/api/v1/namespaces/{name}"},
      {"/api/v1/namespaces/a/status", "/api/v1/namespaces/{name}/status"},
      {"/api/v1/namespaces/a/finalize", "/api/v1/namespaces/{name}/finalize"},
      {"/api/v1/namespaces/a/pods?limit=5", "/api/v1/namespaces/{namespace}/pods"},
      {"/api/v1/namespaces/a/pods/b", "/api/v1/namespaces/{namespace}/pods/{name}"},
      {"/api/v1/namespaces/a/pods/b/proxy/x/y", "/api/v1/namespaces/{namespace}/pods/{name}/proxy"},
      {"/apis/apps/v1", "/apis/apps/v1"},
      {"/apis/apps/v1/deployments", "/apis/apps/v1/deployments"},
      {"/apis/apps/v1/namespaces/a/deployments/b/status",
       "/apis/apps/v1/namespaces/{namespace}/deployments/{name}/status"},
      {"", ""},
  };
  for (const auto& [path, text] : cases) EXPECT_EQ(url_template(path), text);
}

class TracingTest : public OperatorTest {
 protected:
  void trace(Controller<Note> controller, ManagerOptions options = {}) {
    options.tracer = tracer;
    run(std::move(controller), std::move(options));
  }
  [[nodiscard]] std::vector<std::shared_ptr<RecordedSpan>> reconciles() const { return tracer->named("reconcile "); }
  [[nodiscard]] bool have_ended(std::size_t count) {
    return simulation.wait_until([&] {
      const auto all = reconciles();
      return all.size() >= count && all[count - 1]->place != 0;
    });
  }

  std::shared_ptr<RecordingTracer> tracer = std::make_shared<RecordingTracer>();
};

TEST_F(TracingTest, AReconcileIsASpan) {
  trace({.reconcile = [](const Note&, Context&) -> Outcome { return done; }});
  create(note("a"));
  ASSERT_TRUE(have_ended(1));

  const RecordedSpan& reconcile = *reconciles()[0];
  EXPECT_EQ(reconcile.name, "reconcile note");
  EXPECT_EQ(reconcile.kind, SpanKind::internal);
  EXPECT_FALSE(reconcile.parent.is_valid());
  EXPECT_EQ(reconcile.at("pintle.controller"), "note");
  EXPECT_EQ(reconcile.at("pintle.retry"), "0");
  EXPECT_EQ(reconcile.at("pintle.outcome"), "success");
  EXPECT_THAT(reconcile.at("pintle.causes"), HasSubstr("change test.pintle.dev/v1 Note default/a added"));
  EXPECT_EQ(reconcile.at("k8s.object.api_version"), "test.pintle.dev/v1");
  EXPECT_EQ(reconcile.at("k8s.object.kind"), "Note");
  EXPECT_EQ(reconcile.at("k8s.object.name"), "a");
  EXPECT_EQ(reconcile.at("k8s.namespace.name"), "default");
  EXPECT_EQ(reconcile.at("error.type"), "");
  EXPECT_EQ(reconcile.error, "");
}

// With leader election the reconciles have a separate client.
TEST_F(TracingTest, OnlyRequestsOfAReconcileAreSpansBelowIt) {
  for (const bool elected : {false, true}) {
    tracer->spans.clear();
    ManagerOptions options;
    if (elected) options.leader_election.emplace(LeaderElectionOptions{.namespace_ = "default"});
    trace({.reconcile = [](const Note& seen, Context& ctx) -> Outcome {
            return ctx.apply(ConfigMap{.metadata = owned_by(seen), .data = {{"text", seen.spec.text}}});
          }},
          options);
    if (!elected) create(note("a"));
    ASSERT_TRUE(have_ended(1));

    const auto writes = tracer->named("PATCH ");
    ASSERT_EQ(writes.size(), 1U);
    EXPECT_EQ(writes[0]->name, "PATCH /api/v1/namespaces/{namespace}/configmaps/{name}");
    EXPECT_LT(writes[0]->place, reconciles()[0]->place);
    for (const auto& span : tracer->spans) {
      EXPECT_TRUE(span == reconciles()[0] || span->parent == reconciles()[0]->context) << span->name;
    }
    instance.reset();
  }
}

TEST_F(TracingTest, AFailureIsAnErrorAndTheRetryIsANewTrace) {
  int runs = 0;
  trace({.reconcile = [&](const Note&, Context&) -> Outcome {
    if (++runs == 1) return fail(ErrorCode::unavailable, "not yet");
    return done;
  }});
  create(note("a"));
  ASSERT_TRUE(have_ended(2));

  EXPECT_EQ(reconciles()[0]->at("pintle.outcome"), "error");
  EXPECT_EQ(reconciles()[0]->at("error.type"), "unavailable");
  EXPECT_THAT(reconciles()[0]->error, HasSubstr("not yet"));
  EXPECT_EQ(reconciles()[1]->at("pintle.retry"), "1");
  EXPECT_EQ(reconciles()[1]->at("pintle.outcome"), "success");
  EXPECT_THAT(reconciles()[1]->at("pintle.causes"), HasSubstr("retry 1"));
  EXPECT_NE(reconciles()[0]->context.trace_id, reconciles()[1]->context.trace_id);
}

TEST_F(TracingTest, AStoppedReconcileIsNoError) {
  trace({.reconcile = [](const Note&, Context& ctx) -> Outcome {
    ctx.executor().sleep_for(1h, ctx.stop_token());
    return fail(ErrorCode::cancelled, "stopped");
  }});
  create(note("a"));
  ASSERT_TRUE(simulation.wait_until([&] { return !reconciles().empty(); }));
  instance->stop();

  EXPECT_EQ(reconciles()[0]->at("pintle.outcome"), "cancelled");
  EXPECT_EQ(reconciles()[0]->error, "");
  EXPECT_NE(reconciles()[0]->place, 0U);
}

TEST_F(TracingTest, AReconcileCanAddAttributesToItsSpan) {
  trace({.reconcile = [](const Note& seen, Context& ctx) -> Outcome {
    ctx.span().set_attribute({"text.size", seen.spec.text.size()});
    ctx.span().add_event("looked", {});
    return done;
  }});
  create(note("a", "four"));
  ASSERT_TRUE(have_ended(1));

  EXPECT_EQ(reconciles()[0]->at("text.size"), "4");
  EXPECT_THAT(reconciles()[0]->events, ::testing::ElementsAre("looked"));
}

TEST_F(TracingTest, APartOfAReconcileIsASpanWithItsRequestsBelow) {
  trace({.reconcile = [](const Note& seen, Context& ctx) -> Outcome {
    {
      const ScopedSpan outer = ctx.start_span("outer", {{"text", seen.spec.text}});
      ScopedSpan inner = ctx.start_span("inner");
      inner.set_attribute({"n", 1});
      inner.add_event("looked");
      EXPECT_TRUE(ctx.apply(ConfigMap{.metadata = owned_by(seen)}));
    }
    EXPECT_FALSE(ctx.client().get(Secret::type, {"default", "none"}));
    return done;
  }});
  create(note("a", "four"));
  ASSERT_TRUE(have_ended(1));

  const RecordedSpan& outer = *tracer->named("outer").at(0);
  const RecordedSpan& inner = *tracer->named("inner").at(0);
  EXPECT_EQ(outer.kind, SpanKind::internal);
  EXPECT_EQ(outer.parent, reconciles()[0]->context);
  EXPECT_EQ(outer.at("text"), "four");
  EXPECT_EQ(inner.parent, outer.context);
  EXPECT_EQ(inner.at("n"), "1");
  EXPECT_THAT(inner.events, ::testing::ElementsAre("looked"));
  EXPECT_EQ(inner.error, "");
  EXPECT_EQ(tracer->named("PATCH ").at(0)->parent, inner.context);
  EXPECT_EQ(tracer->named("GET /api/v1/namespaces/{namespace}/secrets/{name}").at(0)->parent, reconciles()[0]->context)
      << "both parts have ended";
  EXPECT_LT(inner.place, outer.place);
  EXPECT_LT(outer.place, reconciles()[0]->place);
}

TEST_F(TracingTest, APartOfAReconcileMayFailByItself) {
  trace({.reconcile = [](const Note&, Context& ctx) -> Outcome {
    ctx.start_span("broken").set_error(make_error(ErrorCode::conflict, "no").with_operation("resize"));
    ctx.start_span("cancelled").set_error(make_error(ErrorCode::cancelled, "stopped"));
    return done;
  }});
  create(note("a"));
  ASSERT_TRUE(have_ended(1));

  EXPECT_EQ(tracer->named("broken").at(0)->at("error.type"), "conflict");
  EXPECT_EQ(tracer->named("broken")[0]->error, "resize: no");
  EXPECT_EQ(tracer->named("cancelled").at(0)->at("error.type"), "cancelled");
  EXPECT_EQ(tracer->named("cancelled")[0]->error, "");
  EXPECT_EQ(reconciles()[0]->error, "");
}

TEST_F(TracingTest, WithoutATracerThereIsNoSpan) {
  int runs = 0;
  run({.reconcile = [&](const Note&, Context& ctx) -> Outcome {
    ++runs;
    ctx.span().set_attribute({"a", 1});
    EXPECT_FALSE(ctx.span().context().is_valid());
    ScopedSpan part = ctx.start_span("part");
    part.set_attribute({"a", 1});
    part.set_error(make_error(ErrorCode::unknown, "no"));
    EXPECT_FALSE(part.context().is_valid());
    ctx.log().info("looked");
    return done;
  }});
  create(note("a"));
  ASSERT_TRUE(simulation.wait_until([&] { return runs == 1; }));

  EXPECT_TRUE(log->has("looked"));
  EXPECT_FALSE(log->has("trace_id"));
}

TEST_F(TracingTest, LogLinesOfAReconcileContainTheTraceId) {
  trace({.reconcile = [&](const Note&, Context& ctx) -> Outcome {
    ctx.log().info("looked");
    return fail(make_error(ErrorCode::invalid, "no").terminal());
  }});
  create(note("a"));
  ASSERT_TRUE(have_ended(1));

  const std::string named = " controller=note key=default/a trace_id=" + reconciles()[0]->context.trace_id_text();
  EXPECT_TRUE(log->has("looked" + named));
  EXPECT_TRUE(log->has("reconciled" + named));
  EXPECT_TRUE(log->has("reconcile failed with a terminal error; it is not retried before the next change" + named));
}

// Sets an environment variable for a scope.
class ScopedVariable {
 public:
  ScopedVariable(const char* name, const std::string& value) : name_(name) { ::setenv(name, value.c_str(), 1); }
  ~ScopedVariable() { ::unsetenv(name_); }
  ScopedVariable(const ScopedVariable&) = delete;
  ScopedVariable& operator=(const ScopedVariable&) = delete;

 private:
  const char* name_;
};

// A cluster and a collector on sockets of this machine, as they exist outside of simulations.
class ExportingManagerTest : public ::testing::Test {
 protected:
  ExportingManagerTest() {
    collected.responses.push_back({.status = 200, .body = "{}"});
    EXPECT_TRUE(cluster.start());
    EXPECT_TRUE(collector.start());
    kubeconfig = ::testing::TempDir() + "pintle-tracing-" + std::to_string(::getpid());
    std::ofstream(kubeconfig) << "{kind: Config, current-context: c, users: [{name: u}], "
                              << "contexts: [{name: c, context: {cluster: c, user: u}}], "
                              << "clusters: [{name: c, cluster: {server: \"" << cluster.url() << "\"}}]}";
  }
  ~ExportingManagerTest() override { std::filesystem::remove(kubeconfig); }

  std::unique_ptr<Executor> executor = make_real_executor();
  ApiServer api{*executor, {}};
  Script collected;
  http::Server cluster{*executor, api, {}};
  http::Server collector{*executor, collected, {}};
  std::string kubeconfig;
};

TEST_F(ExportingManagerTest, SendsReconcilesToTheCollectorOfTheEnvironment) {
  const ScopedVariable endpoint("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url());
  Manager manager({.name = "op",
                   .version = "1.2.3",
                   .kubeconfig = kubeconfig,
                   .log_level = LogLevel::off,
                   .executor = executor.get()});
  manager.add(Controller<Note>{.reconcile = [&](const Note&, Context& ctx) -> Outcome {
    EXPECT_TRUE(ctx.span().context().is_valid());
    manager.request_stop();
    return done;
  }});
  const auto started = manager.start();
  ASSERT_TRUE(started) << started.error().to_string();
  const auto transport = std::make_shared<http::InProcessTransport>(*executor, api);
  ASSERT_TRUE(Client({.transport = transport}).create(note("a")));
  EXPECT_TRUE(manager.wait());
  manager.stop();
  transport->stop();
  collector.stop();

  ASSERT_EQ(collected.requests.size(), 1U) << "sent during the stop";
  EXPECT_EQ(collected.requests[0].target, "/v1/traces");
  EXPECT_THAT(collected.requests[0].body, HasSubstr(R"("stringValue":"op")"));
  EXPECT_THAT(collected.requests[0].body, HasSubstr(R"("stringValue":"1.2.3")"));
  EXPECT_THAT(collected.requests[0].body, HasSubstr(R"("name":"reconcile note")"));
}

TEST_F(ExportingManagerTest, DoesNotStartWithAnInvalidEnvironment) {
  const ScopedVariable endpoint("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url());
  const ScopedVariable sampler("OTEL_TRACES_SAMPLER", "sometimes");
  Manager manager({.kubeconfig = kubeconfig, .log_level = LogLevel::off, .executor = executor.get()});
  manager.add(Controller<Note>{.reconcile = [](const Note&, Context&) -> Outcome { return done; }});
  const auto started = manager.start();

  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().code, ErrorCode::invalid);
  EXPECT_THAT(started.error().to_string(), HasSubstr("OTEL_TRACES_SAMPLER=\"sometimes\""));
}

// A simulation must not depend on the environment of the machine.
TEST_F(TracingTest, ACustomTransportIgnoresTheEnvironment) {
  const ScopedVariable endpoint("OTEL_EXPORTER_OTLP_ENDPOINT", "nonsense://");
  int runs = 0;
  run({.reconcile = [&](const Note&, Context& ctx) -> Outcome {
    ++runs;
    EXPECT_FALSE(ctx.span().context().is_valid());
    return done;
  }});
  create(note("a"));

  EXPECT_TRUE(simulation.wait_until([&] { return runs == 1; }));
}

}  // namespace
}  // namespace pintle
