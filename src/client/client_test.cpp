#include <pintle/client/client.hpp>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <pintle/object/codec.hpp>
#include <pintle/object/fields.hpp>
#include <pintle/sim/in_process_transport.hpp>

#include "test_support.hpp"

namespace pintle {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::AllOf;
using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

const GroupVersionKind greeting{"demo.pintle.dev/v1", "Greeting"};
const ObjectKey a{"default", "a"};

struct TestMap {
  static constexpr Type type{"v1", "ConfigMap"};
  Metadata metadata{};
  std::map<std::string, std::string> data{};
  static constexpr auto fields() { return pintle::fields(field("data", &TestMap::data)); }
};

// A client in front of a scripted server.
struct Stage {
  explicit Stage(Executor& on, Cluster cluster = {})
      : executor(on),
        server(on),
        sink(std::make_shared<LineSink>(on)),
        transport(std::make_shared<http::InProcessTransport>(on, server)),
        client({.transport = transport,
                .cluster = std::move(cluster),
                .field_manager = "tester",
                .log = Log(sink, on),
                .metrics = &metrics}) {}
  ~Stage() { transport->stop(); }

  Executor& executor;
  ScriptedServer server;
  std::shared_ptr<LineSink> sink;
  MetricsRegistry metrics;
  std::shared_ptr<http::InProcessTransport> transport;
  Client client;
};

// Returns the method and the target of a request.
std::string line_of(const ScriptedServer::Asked& asked) { return asked.request.method + " " + asked.request.target; }

http::Response too_many(const char* after) { return status_response(429, "TooManyRequests", {{"Retry-After", after}}); }

TEST(Client, SendsEachVerbToItsPath) {
  SimulatedExecutor executor;
  Stage stage(executor);
  for (int i = 0; i < 8; ++i) stage.server.then([] { return config_map_response(); });
  const json::Value object{{"apiVersion", "v1"},
                           {"kind", "ConfigMap"},
                           {"metadata", {{"name", "a"}, {"namespace", "default"}}},
                           {"data", {{"k", "v"}}}};

  EXPECT_EQ(stage.client.get(config_map, a)->resource_version(), "5");
  EXPECT_TRUE(stage.client.create(object));
  EXPECT_TRUE(stage.client.replace(object, {.dry_run = true}));
  EXPECT_TRUE(stage.client.patch(config_map, a, {{"data", {{"k", nullptr}}}}, {.force = true}));
  EXPECT_TRUE(stage.client.patch(config_map, a, json::Patch{}.remove("/data/k"), {.field_manager = "me"}));
  EXPECT_TRUE(stage.client.apply(object, {.force = true}));
  EXPECT_TRUE(*stage.client.remove(config_map, a));
  EXPECT_TRUE(stage.client.raw({.target = "/version"}));

  const std::string path = "/api/v1/namespaces/default/configmaps";
  std::vector<std::string> lines;
  std::vector<std::string> types;
  for (const auto& asked : stage.server.asked()) {
    lines.push_back(line_of(asked));
    types.emplace_back(asked.request.headers.get("Content-Type").value_or("-"));
  }
  EXPECT_THAT(lines, ElementsAre("GET " + path + "/a", "POST " + path + "?fieldManager=tester",
                                 "PUT " + path + "/a?fieldManager=tester&dryRun=All",
                                 "PATCH " + path + "/a?fieldManager=tester", "PATCH " + path + "/a?fieldManager=me",
                                 "PATCH " + path + "/a?fieldManager=tester&force=true", "DELETE " + path + "/a",
                                 "GET /version"));
  EXPECT_THAT(types,
              ElementsAre("-", "application/json", "application/json", "application/merge-patch+json",
                          "application/json-patch+json", "application/apply-patch+yaml", "application/json", "-"));
  EXPECT_EQ(stage.server.asked()[4].request.body, R"([{"op":"remove","path":"/data/k"}])");
  EXPECT_EQ(stage.server.asked()[0].request.headers.get("Accept"), "application/json");
  EXPECT_EQ(stage.server.asked()[0].request.headers.get("User-Agent"), "pintle");
  EXPECT_EQ(stage.server.asked()[0].request.headers.get("Authorization"), std::nullopt);
}

// Invalid UTF-8 is replaced, as other clients do, because a server refuses a body that is not UTF-8.
TEST(Client, ReplacesInvalidUtf8InBodies) {
  SimulatedExecutor executor;
  Stage stage(executor);
  for (int i = 0; i < 4; ++i) stage.server.then([] { return config_map_response(); });
  const json::Value object{{"apiVersion", "v1"},
                           {"kind", "ConfigMap"},
                           {"metadata", {{"name", "a"}, {"namespace", "default"}}},
                           {"data", {{"k", "caf\xe9"}}}};

  EXPECT_TRUE(stage.client.create(object));
  EXPECT_TRUE(stage.client.replace(object));
  EXPECT_TRUE(stage.client.patch(config_map, a, json::Value{{"data", {{"k", "caf\xe9"}}}}));
  EXPECT_TRUE(stage.client.patch(config_map, a, json::Patch{}.replace("/data/k", "caf\xe9")));
  ASSERT_EQ(stage.server.asked().size(), 4U);
  for (const auto& asked : stage.server.asked()) EXPECT_THAT(asked.request.body, HasSubstr("\"caf\uFFFD\""));
}

TEST(Client, WritesTheStatusSubResourceOfAKindThatHasOne) {
  SimulatedExecutor executor;
  Stage stage(executor);
  stage.server.then([] { return config_map_response(); });

  EXPECT_TRUE(stage.client.patch({"v1", "Namespace"}, {"", "a"}, json::Value(json::object()), {.status = true}));
  const auto refused = stage.client.patch(config_map, a, json::Value(json::object()), {.status = true});

  EXPECT_EQ(line_of(stage.server.asked().at(0)), "PATCH /api/v1/namespaces/a/status?fieldManager=tester");
  EXPECT_EQ(refused.error().code, ErrorCode::unsupported);
  EXPECT_EQ(refused.error().reason, no_status_subresource);
  EXPECT_EQ(refused.error().to_string(), "patch configmap default/a: configmaps has no status sub-resource");
}

TEST(Client, ListsOnePageAndNamesTheKindOfItsItems) {
  SimulatedExecutor executor;
  Stage stage(executor);
  stage.server.then([] {
    return json_response(200,
                         R"({"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"9","continue":"c"},
        "items":[{"metadata":{"name":"a"}},{"metadata":{"name":"b"}}]})");
  });

  const auto list = stage.client.list(config_map, {.label_selector = "x=y", .limit = 2});

  ASSERT_TRUE(list) << list.error().to_string();
  EXPECT_EQ(list->resource_version, "9");
  EXPECT_EQ(list->continue_, "c");
  ASSERT_THAT(list->items, SizeIs(2));
  EXPECT_EQ(list->items[1].name(), "b");
  EXPECT_EQ(list->items[1].group_version_kind(), config_map);
  EXPECT_EQ(line_of(stage.server.asked()[0]), "GET /api/v1/configmaps?labelSelector=x%3Dy&limit=2");
}

// The CRD of a kind can receive the status subresource while programs that use it run.
TEST(Client, FindsAStatusSubResourceThatWasAddedLater) {
  SimulatedExecutor executor;
  Stage stage(executor);
  const auto write = [&] { return stage.client.patch(config_map, a, json::Value(json::object()), {.status = true}); };
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(write().error().code, ErrorCode::unsupported);
    executor.sleep_for(1s);
  }
  EXPECT_LE(stage.server.discoveries().size(), 11U) << "discovery is limited, and not repeated for each write";
  EXPECT_THAT(stage.server.asked(), SizeIs(0));
  stage.server.on_discovery([](const http::Request&) {
    return json_response(200, R"({"kind":"APIResourceList","groupVersion":"v1","resources":[
      {"name":"configmaps","namespaced":true,"kind":"ConfigMap","verbs":["get"]},
      {"name":"configmaps/status","namespaced":true,"kind":"ConfigMap","verbs":["patch"]}]})");
  });
  stage.server.then([] { return config_map_response(); });
  executor.sleep_for(11s);
  EXPECT_TRUE(write());
  EXPECT_EQ(line_of(stage.server.asked().at(0)),
            "PATCH /api/v1/namespaces/default/configmaps/a/status?fieldManager=tester");
}

// Sends 4 bytes every ten seconds, and nothing more after `silent_after` times.
class Drip final : public http::BodyStream {
 public:
  Drip(Executor& executor, std::string text, std::size_t silent_after)
      : executor_(executor), text_(std::move(text)), left_(silent_after), next_(executor.now()) {}
  State read(std::string& out) override {
    if (executor_.now() < next_ || left_ == 0) return State::waiting;
    --left_;
    out.append(text_, at_, 4);
    at_ += std::min<std::size_t>(4, text_.size() - at_);
    next_ = after(executor_.now(), 10s);
    return at_ == text_.size() ? State::ended : State::waiting;
  }
  void on_ready(std::function<void()> /*wake*/) override {}
  [[nodiscard]] Instant next_deadline() const override { return left_ == 0 ? Instant::max() : next_; }

 private:
  Executor& executor_;
  const std::string text_;
  std::size_t at_ = 0;
  std::size_t left_;
  Instant next_;
};

TEST(Client, AListTimesOutBySilenceNotByItsDuration) {
  for (const bool falls_silent : {false, true}) {
    SimulatedExecutor executor;
    Stage stage(executor);
    stage.server.then([&] {
      http::Response response{.headers = {{"Content-Type", "application/json"}}};
      response.stream = std::make_unique<Drip>(
          executor, R"({"metadata":{"resourceVersion":"9"},"items":[{"metadata":{"name":"a"}}]})",
          falls_silent ? 9 : 999);
      return response;
    });
    ASSERT_TRUE(stage.client.resource(config_map));
    const Instant begun = executor.now();

    const auto list = stage.client.list(config_map);

    const Duration took = executor.now() - begun;
    if (falls_silent) {
      EXPECT_EQ(list.error().code, ErrorCode::timeout);
      EXPECT_LE(took, 2min + 1s) << "80 s of body, then 30 s without a byte";
    } else {
      ASSERT_TRUE(list) << list.error().to_string();
      EXPECT_GT(took, 2min);
    }
  }
}

TEST(Client, ListsAllPagesOfAStruct) {
  SimulatedExecutor executor;
  Stage stage(executor);
  stage.server.then(
      [] { return json_response(200, R"({"metadata":{"continue":"c"},"items":[{"metadata":{"name":"a"}}]})"); });
  stage.server.then([] { return json_response(200, R"({"metadata":{},"items":[{"metadata":{"name":"b"}}]})"); });

  const auto list = stage.client.list<TestMap>({.resource_version = "0", .limit = 1});

  ASSERT_TRUE(list) << list.error().to_string();
  ASSERT_THAT(*list, SizeIs(2));
  EXPECT_EQ(list->at(1).metadata.name, "b");
  EXPECT_EQ(line_of(stage.server.asked()[1]), "GET /api/v1/configmaps?limit=1&continue=c");
}

TEST(Client, ErrorsContainTheCallAndTheMessageOfTheServer) {
  SimulatedExecutor executor;
  Stage stage(executor);
  stage.server.then([] { return status_response(404, "NotFound", {}, R"({"name":"a","kind":"configmaps"})"); });

  const auto object = stage.client.get(config_map, a);

  ASSERT_FALSE(object);
  EXPECT_EQ(object.error().code, ErrorCode::not_found);
  EXPECT_EQ(object.error().reason, "NotFound");
  EXPECT_THAT(object.error().to_string(), AllOf(HasSubstr("get configmap default/a: "), HasSubstr("it is so")));
}

TEST(Client, RemovingAMissingObjectReturnsFalse) {
  SimulatedExecutor executor;
  Stage stage(executor);
  stage.server.then([] { return status_response(404, "NotFound", {}, R"({"name":"a"})"); });
  stage.server.then([] { return json_response(200, R"({"kind":"Status","status":"Success"})"); });
  stage.server.then([] { return status_response(409, "Conflict"); });

  EXPECT_FALSE(*stage.client.remove(config_map, a));
  EXPECT_TRUE(*stage.client.remove(config_map, a));
  EXPECT_EQ(stage.client.remove(config_map, a, {.uid = "other"}).error().code, ErrorCode::conflict);
}

TEST(Client, NeverSendsAnAmbiguousKey) {
  SimulatedExecutor executor;
  Stage stage(executor);

  for (const ObjectKey& key : {ObjectKey{"default", ""}, ObjectKey{"", "a"}, ObjectKey{"default", ".."}}) {
    EXPECT_EQ(stage.client.remove(config_map, key).error().code, ErrorCode::invalid) << key.to_string();
    EXPECT_EQ(stage.client.get(config_map, key).error().code, ErrorCode::invalid) << key.to_string();
  }

  EXPECT_THAT(stage.server.asked(), IsEmpty());
}

TEST(Client, ReportsAResponseThatIsNoObject) {
  SimulatedExecutor executor;
  Stage stage(executor);
  stage.server.then([] { return http::Response{.body = "<html>hello</html>"}; });
  stage.server.then([] { return json_response(200, "[1]"); });
  stage.server.then([] { return json_response(200, "{}"); });

  EXPECT_THAT(stage.client.get(config_map, a).error().to_string(),
              HasSubstr("get configmap default/a: the response cannot be"));
  EXPECT_THAT(stage.client.get(config_map, a).error().message, HasSubstr("the response cannot be parsed"));
  EXPECT_THAT(stage.client.list(config_map).error().to_string(),
              HasSubstr("list configmap: the response is not a list"));
}

TEST(ClientUpdate, SendsTheDifferenceAndTestsTheVersion) {
  SimulatedExecutor executor;
  Stage stage(executor);
  for (int i = 0; i < 2; ++i) stage.server.then([] { return config_map_response(); });
  const auto before = stage.client.get<TestMap>(a);
  ASSERT_TRUE(before) << before.error().to_string();
  TestMap after = *before;
  after.data["k"] = "w";

  EXPECT_TRUE(stage.client.update(*before, after));

  const http::Request sent = stage.server.asked()[1].request;
  EXPECT_EQ(sent.headers.get("Content-Type"), "application/json-patch+json");
  EXPECT_EQ(*json::parse(sent.body), *json::parse(R"([{"op":"test","path":"/metadata/resourceVersion","value":"5"},
      {"op":"replace","path":"/data/k","value":"w"}])"));
}

TEST(ClientUpdate, OnlyReadsWhenNothingDiffers) {
  SimulatedExecutor executor;
  Stage stage(executor);
  stage.server.then([] { return config_map_response(); });
  stage.server.then([] { return config_map_response("a", "6"); });
  const auto before = stage.client.get<TestMap>(a);

  const auto after = stage.client.update(*before, *before);

  ASSERT_TRUE(after) << after.error().to_string();
  EXPECT_EQ(after->metadata.resource_version, "6");
  EXPECT_EQ(line_of(stage.server.asked()[1]), "GET /api/v1/namespaces/default/configmaps/a");
}

TEST(ClientUpdate, AFailedTestIsAConflictAndABrokenRuleIsInvalid) {
  SimulatedExecutor executor;
  Stage stage(executor);
  stage.server.then([] { return config_map_response(); });
  stage.server.then([] { return status_response(422, "Invalid"); });
  stage.server.then([] { return status_response(422, "Invalid", {}, R"({"causes":[{"field":"data"}]})"); });
  const auto before = stage.client.get<TestMap>(a);
  TestMap after = *before;
  after.data.clear();

  const auto stale = stage.client.update(*before, after);
  EXPECT_EQ(stale.error().code, ErrorCode::conflict);
  EXPECT_THAT(stale.error().to_string(),
              HasSubstr("update configmap default/a: the object has changed since it was read"));
  EXPECT_EQ(stage.client.update(*before, after).error().code, ErrorCode::invalid);
}

TEST(ClientApply, OfAStructSendsNoIdentity) {
  SimulatedExecutor executor;
  Stage stage(executor);
  for (int i = 0; i < 2; ++i) stage.server.then([] { return config_map_response(); });
  const auto before = stage.client.get<TestMap>(a);

  EXPECT_TRUE(stage.client.apply(*before));

  EXPECT_THAT(stage.server.asked()[1].request.body, AllOf(Not(HasSubstr("uid")), Not(HasSubstr("resourceVersion"))));
}

// A request is repeated after a 429 or 5xx with `Retry-After`, at most ten times, each time with the whole body, and
// not after a stop (trap 44).
TEST(ClientRetry, WaitsForTheTimeOfRetryAfter) {
  SimulatedExecutor executor;
  Stage stage(executor);
  stage.server.then([] { return too_many("7"); });
  stage.server.then([] { return status_response(503, "ServiceUnavailable", {{"Retry-After", "2"}}); });
  stage.server.then([] { return config_map_response(); });
  const Instant begun = executor.now();

  const auto object = stage.client.get(config_map, a);

  EXPECT_TRUE(object) << object.error().to_string();
  EXPECT_EQ(executor.now() - begun, seconds(9));
}

TEST(ClientRetry, StopsAfterTenRetries) {
  SimulatedExecutor executor;
  Stage stage(executor);
  for (int i = 0; i < 20; ++i) stage.server.then([] { return too_many("1"); });

  const auto object = stage.client.get(config_map, a);

  EXPECT_EQ(object.error().code, ErrorCode::too_many_requests);
  EXPECT_EQ(object.error().retry_after, seconds(1));
  EXPECT_THAT(stage.server.asked(), SizeIs(11));
}

TEST(ClientRetry, SendsTheWholeBodyEachTime) {
  SimulatedExecutor executor;
  Stage stage(executor);
  stage.server.then([] { return too_many("1"); });
  stage.server.then([] { return status_response(503, "ServiceUnavailable", {{"Retry-After", "1"}}); });
  stage.server.then([] { return config_map_response(); });

  EXPECT_TRUE(stage.client.patch(config_map, a, json::Value{{"data", {{"k", "v"}}}}));

  std::vector<std::string> bodies;
  for (const auto& asked : stage.server.asked()) bodies.push_back(asked.request.body);
  EXPECT_THAT(bodies, ElementsAre(R"({"data":{"k":"v"}})", bodies[0], bodies[0]));
}

// With `generateName` a second create would make a second object (trap 45).
TEST(ClientRetry, RepeatsACreateOnlyIfItDidNotBegin) {
  SimulatedExecutor executor;
  Stage stage(executor);
  const json::Value object{
      {"apiVersion", "v1"}, {"kind", "ConfigMap"}, {"metadata", {{"generateName", "a-"}, {"namespace", "default"}}}};
  stage.server.then([] { return too_many("1"); });
  stage.server.then([] { return status_response(504, "Timeout", {{"Retry-After", "1"}}); });

  EXPECT_EQ(stage.client.create(object).error().code, ErrorCode::timeout);
  EXPECT_THAT(stage.server.asked(), SizeIs(2));
}

// Loses the responses to the next requests, which do arrive at the server.
class LossyTransport final : public http::ForwardingTransport {
 public:
  LossyTransport(std::shared_ptr<http::Transport> real, int losses)
      : ForwardingTransport(std::move(real)), losses_(losses) {}

  ExchangeId start(http::Request request, std::shared_ptr<http::ExchangeHandler> handler) override {
    if (losses_ > 0 && request.target != "/api/v1") handler = std::make_shared<Loser>(std::move(handler), losses_);
    return ForwardingTransport::start(std::move(request), std::move(handler));
  }

 private:
  class Loser final : public http::ExchangeHandler {
   public:
    Loser(std::shared_ptr<http::ExchangeHandler> to, std::atomic<int>& losses) : to_(std::move(to)), losses_(losses) {}
    void on_head(const http::ResponseHead&) override {}
    void on_body(std::string_view) override {}
    void on_end(Result<void>) override {
      --losses_;
      to_->on_end(make_error(ErrorCode::unreachable, "the connection broke"));
    }

   private:
    std::shared_ptr<http::ExchangeHandler> to_;
    std::atomic<int>& losses_;
  };

  std::atomic<int> losses_;
};

// A read can be repeated; repeating a create that succeeded would make a second object (traps 44 and 45).
TEST(ClientRetry, RepeatsALostReadButNotALostCreate) {
  SimulatedExecutor executor;
  Stage stage(executor);
  for (int i = 0; i < 10; ++i) stage.server.then([] { return config_map_response(); });
  const json::Value object{
      {"apiVersion", "v1"}, {"kind", "ConfigMap"}, {"metadata", {{"name", "a"}, {"namespace", "default"}}}};

  Client reads({.transport = std::make_shared<LossyTransport>(stage.transport, 3)});
  EXPECT_TRUE(reads.get(config_map, a));
  EXPECT_THAT(stage.server.asked(), SizeIs(4));

  Client writes({.transport = std::make_shared<LossyTransport>(stage.transport, 1)});
  EXPECT_EQ(writes.create(object).error().code, ErrorCode::unreachable);
  EXPECT_THAT(stage.server.asked(), SizeIs(5));
}

TEST(ClientRetry, GivesUpOnAnUnreachableServerAfterASecond) {
  SimulatedExecutor executor;
  Stage stage(executor);
  Client client({.transport = std::make_shared<LossyTransport>(stage.transport, 100),
                 .cluster = {.origin = "context dev of config"}});
  const Instant begun = executor.now();

  const auto object = client.get(config_map, a);

  EXPECT_EQ(object.error().to_string(), "get configmap default/a: the connection broke (context dev of config)");
  EXPECT_LE(executor.now() - begun, seconds(1));
}

TEST(ClientRetry, EndsWithCancelledWhileItSleeps) {
  on_both_executors([](Executor& executor) {
    Stage stage(executor);
    std::stop_source stop;
    stage.server.then([&] {
      stop.request_stop();
      return too_many("25");
    });

    EXPECT_EQ(stage.client.get(config_map, a, stop.get_token()).error().code, ErrorCode::cancelled);
    EXPECT_THAT(stage.server.asked(), testing::SizeIs(testing::Le(1)));
  });
}

TEST(ClientToken, IsSentAndReadAgainAfterARefusal) {
  on_both_executors([](Executor& executor) {
    const TemporaryFolder folder;
    Stage stage(executor, {.token_file = folder.write("token", "old"), .origin = "context dev of config"});
    stage.server.then([&] {
      folder.write("token", "new");
      return status_response(401, "Unauthorized");
    });
    stage.server.then([] { return config_map_response(); });

    const auto object = stage.client.get(config_map, a);

    EXPECT_TRUE(object) << object.error().to_string();
    ASSERT_THAT(stage.server.asked(), SizeIs(2));
    EXPECT_EQ(stage.server.asked()[0].request.headers.get("Authorization"), "Bearer old");
    EXPECT_EQ(stage.server.asked()[1].request.headers.get("Authorization"), "Bearer new");
  });
}

TEST(ClientToken, ARefusedTokenIsNamedButNotShown) {
  SimulatedExecutor executor;
  Stage stage(executor, {.token = "hidden", .origin = "context dev of config"});
  stage.server.then([] { return status_response(401, "Unauthorized"); });

  const auto object = stage.client.get(config_map, a);

  EXPECT_EQ(object.error().code, ErrorCode::unauthorized);
  EXPECT_THAT(
      object.error().to_string(),
      AllOf(HasSubstr("the server rejects the token of context dev of config; renew it"), Not(HasSubstr("hidden"))));
  EXPECT_THAT(stage.server.asked(), SizeIs(1)) << "the same token would be refused again";
}

TEST(ClientToken, AMissingTokenIsReported) {
  SimulatedExecutor executor;
  Stage stage(executor, {.origin = "context dev of config"});
  stage.server.then([] { return status_response(401, "Unauthorized"); });

  EXPECT_THAT(stage.client.get(config_map, a).error().message,
              HasSubstr("add a token or a client certificate to the user of context dev"));
}

TEST(ClientDiscovery, RequestsEachGroupVersionOnce) {
  SimulatedExecutor executor;
  Stage stage(executor);

  EXPECT_EQ(stage.client.resource(config_map)->plural, "configmaps");
  EXPECT_TRUE(stage.client.resource({"v1", "Namespace"})->has_status);
  EXPECT_FALSE(stage.client.resource({"v1", "Namespace"})->namespaced);

  EXPECT_THAT(stage.server.discoveries(), SizeIs(1));
}

TEST(ClientDiscovery, IsRepeatedIfAKindIsMissing) {
  SimulatedExecutor executor;
  Stage stage(executor);

  const auto missing = stage.client.resource(greeting);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::unsupported);
  EXPECT_THAT(missing.error().to_string(),
              HasSubstr("the server does not have greetings.demo.pintle.dev/v1 (kind Greeting); "
                        "install its CustomResourceDefinition"));
  stage.server.on_discovery([](const http::Request&) {
    return json_response(
        200, R"({"kind":"APIResourceList","resources":[{"name":"greetings","kind":"Greeting","namespaced":true}]})");
  });

  EXPECT_EQ(stage.client.resource(greeting)->to_string(), "greetings.demo.pintle.dev");
  EXPECT_THAT(stage.server.discoveries(), SizeIs(2));
}

TEST(ClientDiscovery, InvalidationCausesANewRequest) {
  SimulatedExecutor executor;
  Stage stage(executor);
  EXPECT_TRUE(stage.client.resource(config_map));

  stage.client.invalidate_discovery(config_map);

  EXPECT_TRUE(stage.client.resource(config_map));
  EXPECT_THAT(stage.server.discoveries(), SizeIs(2));
}

TEST(ClientDiscovery, ReportsAKindThatWasRemoved) {
  SimulatedExecutor executor;
  Stage stage(executor);
  EXPECT_TRUE(stage.client.resource(config_map));
  stage.server.on_discovery(
      [](const http::Request&) { return json_response(200, R"({"kind":"APIResourceList","resources":[]})"); });
  stage.server.then([] { return http::Response{.status = 404, .body = "404 page not found\n"}; });

  const auto object = stage.client.get(config_map, a);

  EXPECT_EQ(object.error().code, ErrorCode::unsupported);
  EXPECT_THAT(object.error().to_string(), HasSubstr("get configmap default/a: the server does not have configmaps/v1"));
}

TEST(ClientDiscovery, ReportsAServerThatIsNoApiServer) {
  SimulatedExecutor executor;
  Stage stage(executor);
  stage.server.on_discovery([](const http::Request&) { return http::Response{.body = "<html>welcome</html>"}; });

  EXPECT_THAT(stage.client.resource(config_map).error().message, HasSubstr("check the address of the API server"));
}

// The server repeats a warning with each response (trap 50).
TEST(ClientLog, HasEachWarningOfTheServerOnce) {
  SimulatedExecutor executor;
  Stage stage(executor, {.warnings = {"careful"}});
  for (int i = 0; i < 2; ++i) {
    stage.server.then([] {
      auto response = config_map_response();
      response.headers.add("Warning", "299 - \"unknown field \\\"spec.x\\\"\"");
      return response;
    });
    EXPECT_TRUE(stage.client.get(config_map, a));
  }

  EXPECT_THAT(stage.sink->lines(), ElementsAre("careful", "API server warning warning=unknown field \"spec.x\""));
}

TEST(ClientMetrics, CountRequestsByCodeMethodAndHost) {
  SimulatedExecutor executor;
  auto endpoint = std::make_shared<http::Endpoint>();
  endpoint->host = "10.0.0.1";
  endpoint->port = 6443;
  Stage stage(executor, {.endpoint = endpoint});
  stage.server.then([] { return too_many("1"); });
  stage.server.then([] { return config_map_response(); });

  EXPECT_TRUE(stage.client.get(config_map, a));
  stage.client.record_exchange({.target = "/api/v1/configmaps"}, {.status = 0}, seconds(1));
  stage.client.record_exchange({.method = "POST", .target = "/api/v1/configmaps"}, {.status = 0}, seconds(1));

  const std::string text = stage.metrics.text();
  EXPECT_THAT(text, Not(HasSubstr(R"(rest_client_response_size_bytes_count{host="10.0.0.1:6443",verb="POST"})")));
  for (const char* line :
       {R"(rest_client_requests_total{code="200",host="10.0.0.1:6443",method="GET"} 2)",
        R"(rest_client_requests_total{code="429",host="10.0.0.1:6443",method="GET"} 1)",
        R"(rest_client_requests_total{code="<error>",host="10.0.0.1:6443",method="GET"} 1)",
        R"(rest_client_request_retries_total{code="429",host="10.0.0.1:6443",verb="GET"} 1)",
        R"(rest_client_request_duration_seconds_bucket{host="10.0.0.1:6443",verb="GET",le="0.005"} 3)",
        R"(rest_client_request_size_bytes_count{host="10.0.0.1:6443",verb="GET"} 4)",
        R"(rest_client_response_size_bytes_count{host="10.0.0.1:6443",verb="GET"} 3)"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
}

TEST(ClientMetrics, CountRequestsByVerbKindAndSubresourceIfEnabled) {
  SimulatedExecutor executor;
  Stage stage(executor);
  Client by_kind({.transport = stage.transport,
                  .log = Log(stage.sink, executor),
                  .metrics = &stage.metrics,
                  .metrics_by_kind = true});
  const auto see = [](Client& client, const std::string& method, const std::string& target) {
    client.record_exchange({.method = method, .target = target}, {.status = 200}, milliseconds(7));
  };
  see(by_kind, "GET", "/apis/apps/v1/namespaces/n/deployments/d?timeout=5s");
  see(by_kind, "GET", "/api/v1/pods?limit=500");
  see(by_kind, "GET", "/api/v1/pods?watch=true");
  see(by_kind, "POST", "/api/v1/namespaces/n/pods/p/eviction");
  see(by_kind, "PUT", "/api/v1/namespaces/n/pods/p/status");
  see(by_kind, "PATCH", "/api/v1/namespaces/n/pods/p");
  see(by_kind, "DELETE", "/api/v1/namespaces/n/pods");
  see(by_kind, "GET", "/version");
  see(stage.client, "GET", "/api/v1/secrets");

  const std::string text = stage.metrics.text();
  for (const char* labels : {R"({kind="deployments",status_code="200",subresource="spec",verb="GET"})",
                             R"({kind="pods",status_code="200",subresource="spec",verb="LIST"})",
                             R"({kind="pods",status_code="200",subresource="spec",verb="WATCH"})",
                             R"({kind="pods",status_code="200",subresource="eviction",verb="CREATE"})",
                             R"({kind="pods",status_code="200",subresource="status",verb="UPDATE"})",
                             R"({kind="pods",status_code="200",subresource="spec",verb="PATCH"})",
                             R"({kind="pods",status_code="200",subresource="spec",verb="DELETE"})"}) {
    EXPECT_THAT(text, HasSubstr(std::string("kubernetes_client_requests_total") + labels + " 1\n"));
    EXPECT_THAT(text, HasSubstr(std::string("kubernetes_client_request_duration_seconds_count") + labels + " 1\n"));
  }
  EXPECT_THAT(text, HasSubstr(R"(subresource="spec",verb="LIST",le="0.01"} 1)"));
  EXPECT_THAT(text, Not(HasSubstr("secrets"))) << "a request that was never sent is not counted";
}

TEST(ClientForTheCache, MakesSignedRequests) {
  SimulatedExecutor executor;
  Stage stage(executor, {.token = "t"});
  const auto resource = stage.client.resource(config_map);

  const http::Request list = stage.client.list_request(*resource, {.namespace_ = "default", .limit = 500});
  const http::Request watch = stage.client.watch_request(*resource, {.resource_version = "5", .timeout = seconds(300)});

  EXPECT_EQ(list.target, "/api/v1/namespaces/default/configmaps?limit=500");
  EXPECT_EQ(list.headers.get("Authorization"), "Bearer t");
  EXPECT_EQ(watch.target,
            "/api/v1/configmaps?watch=true&allowWatchBookmarks=true&resourceVersion=5&timeoutSeconds=300");
  EXPECT_EQ(watch.timeout, seconds(330));
}

TEST(ClientForTheCache, RequestsMetadataOnly) {
  SimulatedExecutor executor;
  Stage stage(executor);
  const auto resource = stage.client.resource(config_map);

  const http::Request list = stage.client.list_request(*resource, {.metadata_only = true});
  const http::Request watch = stage.client.watch_request(*resource, {.metadata_only = true});

  EXPECT_EQ(list.headers.get("Accept"),
            "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json");
  EXPECT_EQ(watch.headers.get("Accept"),
            "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json");
}

}  // namespace
}  // namespace pintle
