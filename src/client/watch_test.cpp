// SPDX-License-Identifier: Apache-2.0
// `Client::watch` with dynamic and with typed objects.
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <pintle/api/everyday.hpp>
#include <pintle/client/client.hpp>
#include <pintle/sim/in_process_transport.hpp>

#include "test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

// A body that stays open after its beginning and sends nothing more.
class OpenStream final : public http::BodyStream {
 public:
  explicit OpenStream(std::string beginning) : rest_(std::move(beginning)) {}
  State read(std::string& out) override {
    out += std::exchange(rest_, {});
    return State::waiting;
  }
  void on_ready(std::function<void()>) override {}

 private:
  std::string rest_;
};

std::string frame(const std::string& type, const std::string& name, const std::string& data = R"({"k":"v"})") {
  return R"({"type":")" + type + R"(","object":{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":")" + name +
         R"(","namespace":"default","resourceVersion":"7"},"data":)" + data + "}}\n";
}

struct WatchStage {
  explicit WatchStage(Executor& executor)
      : server(executor),
        transport(std::make_shared<http::InProcessTransport>(executor, server)),
        sink(std::make_shared<LineSink>(executor)),
        client({.transport = transport, .cluster = {.token = "t"}, .log = Log(sink, executor)}) {}

  // Watches until the end and stores the names of the objects in `names`.
  Result<void> watch(const WatchOptions& options = {}) {
    return client.watch(config_map, options, [&](const WatchEvent& event) {
      names.emplace_back(event.object.name());
      return true;
    });
  }

  ScriptedServer server;
  std::shared_ptr<http::InProcessTransport> transport;
  std::shared_ptr<LineSink> sink;
  Client client;
  std::vector<std::string> names;
};

TEST(ClientWatch, DeliversEachEventUntilTheServerEndsIt) {
  SimulatedExecutor executor;
  WatchStage stage(executor);
  stage.server.then(
      [] { return json_response(200, frame("ADDED", "a") + frame("BOOKMARK", "") + frame("DELETED", "b")); });

  EXPECT_TRUE(stage.watch({.namespace_ = "default", .label_selector = "x=y", .resource_version = "5", .timeout = 60s}));

  EXPECT_THAT(stage.names, ElementsAre("a", "", "b"));
  ASSERT_THAT(stage.server.requests(), SizeIs(1));
  const http::Request request = stage.server.requests()[0].request;
  EXPECT_EQ(request.target,
            "/api/v1/namespaces/default/"
            "configmaps?watch=true&allowWatchBookmarks=true&labelSelector=x%3Dy&resourceVersion=5&timeoutSeconds=60");
  EXPECT_EQ(request.headers.get("Authorization"), "Bearer t");
}

TEST(ClientWatch, EndsWithoutAnErrorWhenTheCallerStops) {
  SimulatedExecutor executor;
  WatchStage stage(executor);
  stage.server.then(
      [] { return http::Response{.stream = std::make_unique<OpenStream>(frame("ADDED", "a") + frame("ADDED", "b"))}; });
  int names = 0;

  EXPECT_TRUE(stage.client.watch(config_map, {}, [&](const WatchEvent&) { return ++names < 1; }));
  EXPECT_EQ(names, 1);
}

TEST(ClientWatchConcurrency, EndsWhenStopIsRequestedFromAnotherThread) {
  on_both_executors([](Executor& executor) {
    WatchStage stage(executor);
    stage.server.then([] { return http::Response{.stream = std::make_unique<OpenStream>(frame("ADDED", "a"))}; });
    std::stop_source stop;
    Thread stopper = executor.spawn({.name = "stopper"}, [&] { stop.request_stop(); });

    const auto ended = stage.client.watch(
        config_map, {}, [](const WatchEvent&) { return true; }, stop.get_token());
    stopper.join();

    ASSERT_FALSE(ended);
    EXPECT_EQ(ended.error().code, ErrorCode::cancelled);
    stage.transport->stop();
  });
}

TEST(ClientWatch, TheClientEndsAnOverdueWatch) {
  SimulatedExecutor executor;
  WatchStage stage(executor);
  stage.server.then([] { return http::Response{.stream = std::make_unique<OpenStream>(frame("ADDED", "a"))}; });
  const Instant begun = executor.now();

  EXPECT_EQ(stage.watch({.timeout = 60s}).error().code, ErrorCode::timeout);
  EXPECT_EQ(executor.now() - begun, 90s);
}

TEST(ClientWatch, ARefusalCarriesTheStatusOfTheServer) {
  SimulatedExecutor executor;
  WatchStage stage(executor);
  stage.server.then([] { return status_response(410, "Expired"); });

  const auto ended = stage.watch({.resource_version = "1"});

  EXPECT_EQ(ended.error().code, ErrorCode::expired);
  EXPECT_EQ(ended.error().to_string(), "watch configmap: it is so (410 Expired)");
}

TEST(ClientWatch, AnErrorEventEndsItWithThatError) {
  SimulatedExecutor executor;
  WatchStage stage(executor);
  stage.server.then([] {
    return json_response(
        200, frame("ADDED", "a") +
                 R"({"type":"ERROR","object":{"kind":"Status","status":"Failure","reason":"Expired","code":410}})"
                 "\n" +
                 frame("ADDED", "b"));
  });

  EXPECT_EQ(stage.watch().error().code, ErrorCode::expired);
  EXPECT_THAT(stage.names, ElementsAre("a"));
}

TEST(ClientWatch, AnotherKindIsLoggedAndSkipped) {
  SimulatedExecutor executor;
  WatchStage stage(executor);
  stage.server.then([] {
    return json_response(200, R"({"type":"ADDED","object":{"kind":"Status","apiVersion":"v1"}})"
                              "\n" +
                                  frame("ADDED", "a"));
  });

  EXPECT_TRUE(stage.watch());
  EXPECT_THAT(stage.names, ElementsAre("a"));
  EXPECT_THAT(
      stage.sink->lines(),
      ElementsAre("a watch event is skipped error=a watch of v1 ConfigMap received an object of kind v1 Status"));
}

TEST(ClientWatch, IsRepeatedAfterRetryAfter) {
  SimulatedExecutor executor;
  WatchStage stage(executor);
  stage.server.then([] { return status_response(429, "TooManyRequests", {{"Retry-After", "2"}}); });
  stage.server.then([] { return json_response(200, frame("ADDED", "a")); });

  EXPECT_TRUE(stage.watch());
  EXPECT_THAT(stage.names, ElementsAre("a"));
}

TEST(ClientWatch, IsNotRepeatedAfterTheFirstEvent) {
  SimulatedExecutor executor;
  WatchStage stage(executor);
  stage.server.then([] { return http::Response{.stream = std::make_unique<OpenStream>(frame("ADDED", "a"))}; });
  std::vector<std::string> names;

  const auto ended = stage.client.watch(config_map, {}, [&](const WatchEvent& event) {
    names.emplace_back(event.object.name());
    stage.transport->crash();
    return true;
  });

  EXPECT_FALSE(ended);
  EXPECT_THAT(names, ElementsAre("a"));
  EXPECT_THAT(stage.server.requests(), SizeIs(1));
}

TEST(ClientWatch, TypedDeliversDecodedObjectsAndNoBookmarks) {
  SimulatedExecutor executor;
  WatchStage stage(executor);
  stage.server.then([] { return json_response(200, frame("BOOKMARK", "") + frame("MODIFIED", "a")); });
  std::vector<std::string> names;

  EXPECT_TRUE(stage.client.watch<ConfigMap>({}, [&](const TypedWatchEvent<ConfigMap>& event) {
    EXPECT_EQ(event.type, WatchEventType::modified);
    names.push_back(event.object.metadata.name + "=" + event.object.data.at("k"));
    return true;
  }));

  EXPECT_THAT(names, ElementsAre("a=v"));
}

TEST(ClientWatch, TypedEndsAtAnObjectThatCannotBeDecoded) {
  SimulatedExecutor executor;
  WatchStage stage(executor);
  stage.server.then([] { return json_response(200, frame("ADDED", "a", "5") + frame("ADDED", "b")); });

  const auto ended = stage.client.watch<ConfigMap>({}, [](const TypedWatchEvent<ConfigMap>&) { return true; });

  ASSERT_FALSE(ended);
  EXPECT_THAT(ended.error().to_string(), HasSubstr("data"));
}

}  // namespace
}  // namespace pintle
