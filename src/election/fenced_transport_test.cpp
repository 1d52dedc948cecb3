// SPDX-License-Identifier: Apache-2.0
#include "fenced_transport.hpp"

#include <gtest/gtest.h>

#include <pintle/sim/in_process_transport.hpp>
#include <pintle/sim/simulated_executor.hpp>

namespace pintle {
namespace {

using namespace std::chrono_literals;

// Responds at once, or never, and stores its requests.
class Server final : public http::Handler {
 public:
  http::Response handle(const http::Request& request) override {
    requests.push_back(request);
    if (!silent) return {};
    return {.stream = std::make_unique<Silence>()};
  }

  std::vector<http::Request> requests;
  bool silent = false;

 private:
  class Silence final : public http::BodyStream {
   public:
    State read(std::string&) override { return State::waiting; }
    void on_ready(std::function<void()>) override {}
  };
};

class FencedTransportTest : public ::testing::Test {
 protected:
  ~FencedTransportTest() override { inner->stop(); }

  void hold() {
    const Instant now = executor.now();
    fence.open_for({.renewed = now, .write_until = now + 10s, .ends = now + 14s});
  }
  Result<http::BufferedResponse> send(http::Request request) { return http::send(transport, std::move(request)); }

  SimulatedExecutor executor{{.seed = 5}};
  Server server;
  std::shared_ptr<http::InProcessTransport> inner = std::make_shared<http::InProcessTransport>(executor, server);
  Fence fence{executor, "default/op"};
  FencedTransport transport{inner, fence};
};

// No API server checks the lease when it commits a write (trap 62).
TEST_F(FencedTransportTest, NothingIsWrittenWithoutTheLease) {
  for (const char* method : {"POST", "PUT", "PATCH", "DELETE"}) {
    const auto sent = send({.method = method, .target = "/api/v1/pods?x=1"});
    ASSERT_FALSE(sent) << method;
    EXPECT_EQ(sent.error().code, ErrorCode::cancelled);
    EXPECT_EQ(sent.error().to_string(), std::string(method) + " /api/v1/pods: the lease default/op is not held");
  }
  for (const char* method : {"GET", "HEAD", "OPTIONS"}) EXPECT_TRUE(send({.method = method})) << method;
  EXPECT_EQ(server.requests.size(), 3U);
}

// Time alone closes the fence, so no thread has to be awake (trap 62).
TEST_F(FencedTransportTest, WritesAreRefusedAfterTheTimeOfTheLease) {
  hold();
  EXPECT_TRUE(send({.method = "PUT"}));
  executor.sleep_for(9999ms);
  EXPECT_TRUE(send({.method = "PUT"}));
  executor.sleep_for(1ms);
  const auto late = send({.method = "PUT"});
  ASSERT_FALSE(late);
  EXPECT_NE(late.error().message.find("is not held any more"), std::string::npos);
  EXPECT_EQ(server.requests.size(), 2U);
}

// Any time may pass between the call and the moment when its bytes leave (trap 62).
TEST_F(FencedTransportTest, AWriteThatWaitedBeyondTheLeaseIsNotSent) {
  hold();
  Result<http::BufferedResponse> sent;
  Thread writer;
  inner->post([&] {
    writer = executor.spawn({.name = "writer"}, [&] { sent = send({.method = "PUT"}); });
    for (int i = 0; i < 100; ++i) executor.yield();  // the writer passes its request on
    fence.close(true);
  });
  while (!writer.joinable()) executor.sleep_for(1ms);
  writer.join();
  ASSERT_FALSE(sent);
  EXPECT_NE(sent.error().message.find("is not held any more"), std::string::npos) << sent.error().message;
  EXPECT_TRUE(server.requests.empty());
}

TEST_F(FencedTransportTest, NoWriteOutlastsTheLease) {
  hold();
  server.silent = true;
  executor.sleep_for(2s);
  const Instant begun = executor.now();
  for (const Duration timeout : {Duration(30s), Duration::zero()}) {
    fence.open_for({.renewed = begun, .write_until = executor.now() + 10s, .ends = executor.now() + 12s});
    const Instant sent_at = executor.now();
    const auto sent = send({.method = "PUT", .timeout = timeout});
    EXPECT_EQ(sent.error().code, ErrorCode::timeout);
    EXPECT_EQ(executor.now(), sent_at + 12s);
  }
}

TEST_F(FencedTransportTest, WritesContainTheirTimeLimit) {
  hold();
  (void)send({.method = "PUT", .target = "/a"});
  (void)send({.method = "PUT", .target = "/a?fieldManager=x", .timeout = 3s});
  (void)send({.method = "PUT", .target = "/a?timeout=1s"});
  (void)send({.method = "GET", .target = "/a"});
  std::vector<std::string> targets;
  for (const http::Request& request : server.requests) targets.push_back(request.target);
  EXPECT_EQ(targets, (std::vector<std::string>{"/a?timeout=14000ms", "/a?fieldManager=x&timeout=3000ms",
                                               "/a?timeout=1s", "/a"}));
}

TEST_F(FencedTransportTest, ARefusalIsReportedAfterShutdownToo) {
  inner->stop();
  EXPECT_EQ(send({.method = "PUT"}).error().code, ErrorCode::cancelled);
}

}  // namespace
}  // namespace pintle
