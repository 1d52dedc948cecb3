// SPDX-License-Identifier: Apache-2.0
// Requests that the client repeats after a response with Retry-After, a lost connection or a rejected token.
#include <pintle/client/client.hpp>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "client_test_support.hpp"

namespace pintle {
namespace {

using std::chrono::seconds;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

// A request is repeated after a 429 or 5xx with `Retry-After`, at most ten times, each time with the whole body, and
// not after a stop (trap 44).
TEST(ClientRetry, WaitsForTheTimeOfRetryAfter) {
  SimulatedExecutor executor;
  Stage stage(executor);
  stage.server.then([] { return too_many("7"); });
  stage.server.then([] { return status_response(503, "ServiceUnavailable", {{"Retry-After", "2"}}); });
  stage.server.then([] { return config_map_response(); });
  const Instant begun = executor.now();

  const auto object = stage.client.get(config_map, key_a);

  EXPECT_TRUE(object) << object.error().to_string();
  EXPECT_EQ(executor.now() - begun, seconds(9));
}

TEST(ClientRetry, StopsAfterTenRetries) {
  SimulatedExecutor executor;
  Stage stage(executor);
  for (int i = 0; i < 20; ++i) stage.server.then([] { return too_many("1"); });

  const auto object = stage.client.get(config_map, key_a);

  EXPECT_EQ(object.error().code, ErrorCode::too_many_requests);
  EXPECT_EQ(object.error().retry_after, seconds(1));
  EXPECT_THAT(stage.server.requests(), SizeIs(11));
}

// A call must end in the time that its caller gave it.
TEST(ClientRetry, EndsWithTheTimeoutOfTheCall) {
  SimulatedExecutor executor;
  Stage stage(executor);
  for (int i = 0; i < 20; ++i) stage.server.then([] { return too_many("4"); });
  const Instant begun = executor.now();

  const auto object = stage.client.get(config_map, key_a, {.timeout = seconds(10)});

  EXPECT_EQ(object.error().code, ErrorCode::too_many_requests);
  EXPECT_EQ(executor.now() - begun, seconds(8));
  EXPECT_THAT(stage.server.requests(), SizeIs(3));
}

// The same limit applies to the time without data of a list.
TEST(ClientRetry, EndsAListWithItsTimeout) {
  SimulatedExecutor executor;
  Stage stage(executor);
  for (int i = 0; i < 20; ++i) stage.server.then([] { return too_many("4"); });
  const Instant begun = executor.now();

  const auto list = stage.client.list(config_map, {.timeout = seconds(10)});

  EXPECT_EQ(list.error().code, ErrorCode::too_many_requests);
  EXPECT_EQ(executor.now() - begun, seconds(8));
}

class SilentStream final : public http::BodyStream {
 public:
  State read(std::string&) override { return State::waiting; }
  void on_ready(std::function<void()>) override {}
};

TEST(ClientRetry, LeavesTheLastAttemptOnlyTheRestOfTheTimeout) {
  SimulatedExecutor executor;
  Stage stage(executor);
  stage.server.then([] { return too_many("4"); });
  stage.server.then([] { return http::Response{.stream = std::make_unique<SilentStream>()}; });
  const Instant begun = executor.now();

  const auto object = stage.client.get(config_map, key_a, {.timeout = seconds(10)});

  EXPECT_EQ(object.error().code, ErrorCode::timeout);
  EXPECT_EQ(executor.now() - begun, seconds(10));
}

TEST(ClientRetry, SendsTheWholeBodyEachTime) {
  SimulatedExecutor executor;
  Stage stage(executor);
  stage.server.then([] { return too_many("1"); });
  stage.server.then([] { return status_response(503, "ServiceUnavailable", {{"Retry-After", "1"}}); });
  stage.server.then([] { return config_map_response(); });

  EXPECT_TRUE(stage.client.patch(config_map, key_a, json::Value{{"data", {{"k", "v"}}}}));

  std::vector<std::string> bodies;
  for (const auto& received : stage.server.requests()) bodies.push_back(received.request.body);
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
  EXPECT_THAT(stage.server.requests(), SizeIs(2));
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
  EXPECT_TRUE(reads.get(config_map, key_a));
  EXPECT_THAT(stage.server.requests(), SizeIs(4));

  Client writes({.transport = std::make_shared<LossyTransport>(stage.transport, 1)});
  EXPECT_EQ(writes.create(object).error().code, ErrorCode::unreachable);
  EXPECT_THAT(stage.server.requests(), SizeIs(5));
}

TEST(ClientRetry, GivesUpOnAnUnreachableServerAfterASecond) {
  SimulatedExecutor executor;
  Stage stage(executor);
  Client client({.transport = std::make_shared<LossyTransport>(stage.transport, 100),
                 .cluster = {.origin = "context dev of config"}});
  const Instant begun = executor.now();

  const auto object = client.get(config_map, key_a);

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

    EXPECT_EQ(stage.client.get(config_map, key_a, stop.get_token()).error().code, ErrorCode::cancelled);
    EXPECT_THAT(stage.server.requests(), SizeIs(::testing::Le(1)));
  });
}

// A token that was read after the refused request had been sent is not the refused one (trap 46).
TEST(ClientToken, IsSentAndReadAgainAfterARefusal) {
  on_both_executors([](Executor& executor) {
    const TemporaryFolder folder;
    Stage stage(executor, {.token_file = folder.write("token", "old"), .origin = "context dev of config"});
    stage.server.then([&] {
      folder.write("token", "new");
      return status_response(401, "Unauthorized");
    });
    stage.server.then([] { return config_map_response(); });

    const auto object = stage.client.get(config_map, key_a);

    EXPECT_TRUE(object) << object.error().to_string();
    ASSERT_THAT(stage.server.requests(), SizeIs(2));
    EXPECT_EQ(stage.server.requests()[0].request.headers.get("Authorization"), "Bearer old");
    EXPECT_EQ(stage.server.requests()[1].request.headers.get("Authorization"), "Bearer new");
  });
}

TEST(ClientToken, ARefusedTokenIsNamedButNotShown) {
  SimulatedExecutor executor;
  Stage stage(executor, {.token = "hidden", .origin = "context dev of config"});
  stage.server.then([] { return status_response(401, "Unauthorized"); });

  const auto object = stage.client.get(config_map, key_a);

  EXPECT_EQ(object.error().code, ErrorCode::unauthorized);
  EXPECT_THAT(
      object.error().to_string(),
      AllOf(HasSubstr("the server rejects the token of context dev of config; renew it"), Not(HasSubstr("hidden"))));
  EXPECT_THAT(stage.server.requests(), SizeIs(1)) << "the same token would be refused again";
}

TEST(ClientToken, AMissingTokenIsReported) {
  SimulatedExecutor executor;
  Stage stage(executor, {.origin = "context dev of config"});
  stage.server.then([] { return status_response(401, "Unauthorized"); });

  EXPECT_THAT(stage.client.get(config_map, key_a).error().message,
              HasSubstr("add a token or a client certificate to the user of context dev"));
}

}  // namespace
}  // namespace pintle
