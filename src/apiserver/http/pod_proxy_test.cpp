// SPDX-License-Identifier: Apache-2.0
// The subresource proxy of Pods.
#include "pod_proxy.hpp"

#include <gmock/gmock.h>

#include <pintle/apiserver/server.hpp>
#include <pintle/sim/in_process_transport.hpp>
#include <pintle/sim/simulated_executor.hpp>

namespace pintle::apiserver {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

TEST(PodRequest, HasThePartsOfThePath) {
  const auto plain = pod_request("/api/v1/namespaces/ns/pods/op:8080/proxy/debug/v1/log?limit=5&search=a%2Fb");
  ASSERT_TRUE(plain);
  EXPECT_EQ(plain->namespace_, "ns");
  EXPECT_EQ(plain->name, "op");
  EXPECT_EQ(plain->port, "8080");
  EXPECT_FALSE(plain->tls);
  EXPECT_EQ(plain->target, "/debug/v1/log?limit=5&search=a%2Fb");
  const auto tls = pod_request("/api/v1/namespaces/proxy/pods/https:proxy/proxy");
  ASSERT_TRUE(tls);
  EXPECT_EQ(tls->name, "proxy");
  EXPECT_EQ(tls->port, "");
  EXPECT_TRUE(tls->tls);
  EXPECT_EQ(tls->target, "/");
  for (const char* other : {"/api/v1/namespaces/ns/pods/op/log", "/api/v1/namespaces/ns/services/op/proxy/a",
                            "/apis/v1/namespaces/ns/pods/op/proxy", "/proxy"}) {
    EXPECT_FALSE(pod_request(other)) << other;
  }
}

// A Pod that returns its request, or a stream.
class Pod final : public http::Handler {
 public:
  http::Response handle(const http::Request& request) override {
    seen = request;
    if (request.target == "/stream")
      return {.headers = {{"Content-Type", "text/event-stream"}}, .stream = std::make_unique<Counter>()};
    if (request.target == "/flood") return {.stream = std::make_unique<Flood>()};
    if (request.target == "/silent")
      return {.delayed = {.delay = 1h, .make_response = [] { return http::Response(); }}};
    return {.status = 201, .headers = {{"X-Reply", "yes"}}, .body = request.method + " " + request.target};
  }

  http::Request seen{};

 private:
  // More than the proxy stores for a slow reader.
  class Flood final : public http::BodyStream {
   public:
    State read(std::string& out) override {
      out += std::string(std::size_t{1} << 20U, 'x');
      return ++count_ == 20 ? State::ended : State::more;
    }
    void on_ready(std::function<void()>) override {}

   private:
    int count_ = 0;
  };
  class Counter final : public http::BodyStream {
   public:
    State read(std::string& out) override {
      out += std::to_string(++count_) + "\n";
      return count_ == 3 ? State::ended : State::more;
    }
    void on_ready(std::function<void()>) override {}

   private:
    int count_ = 0;
  };
};

class PodProxyTest : public ::testing::Test {
 protected:
  ~PodProxyTest() override { transport_->stop(); }

  http::Response send(const std::string& target, http::Request request = {}) {
    request.target = "/api/v1/namespaces/default/pods/" + target;
    http::Response response = server_.handle(request);
    return response.deferred ? response.deferred() : std::move(response);
  }
  // Reads a stream to its end.
  std::string body(http::Response& response) {
    std::string text;
    for (int i = 0; response.stream && i < 100; ++i) {
      if (response.stream->read(text) != http::BodyStream::State::waiting) break;
      executor_.sleep_for(1ms);
    }
    return text + response.body;
  }

  SimulatedExecutor executor_{{.seed = 1}};
  Pod pod_;
  std::shared_ptr<http::InProcessTransport> transport_ = std::make_shared<http::InProcessTransport>(executor_, pod_);
  ApiServer server_{
      executor_,
      {.token = "secret", .pods = {.transport = transport_, .urls = {{"default/op:8080", "http://127.0.0.1:1"}}}}};
};

TEST_F(PodProxyTest, ForwardsARequestWithoutCredentials) {
  http::Response response =
      send("op:8080/proxy/debug?x=1",
           {.method = "POST",
            .headers = {{"Authorization", "Bearer secret"}, {"X-Other", "o"}, {"Host", "k8s.example.com"}},
            .body = "text"});
  EXPECT_EQ(response.status, 201);
  EXPECT_EQ(response.headers.get("X-Reply"), "yes");
  EXPECT_EQ(body(response), "POST /debug?x=1");
  EXPECT_EQ(pod_.seen.body, "text");
  EXPECT_EQ(pod_.seen.headers.get("X-Other"), "o");
  EXPECT_EQ(pod_.seen.headers.get("Host"), "k8s.example.com") << "as kube-apiserver, which forwards it";
  EXPECT_FALSE(pod_.seen.headers.get("Authorization")) << "the token is for the API server only";
}

TEST_F(PodProxyTest, PassesAStreamOn) {
  http::Response response = send("op:8080/proxy/stream", {.headers = {{"Authorization", "Bearer secret"}}});
  EXPECT_EQ(response.headers.get("Content-Type"), "text/event-stream");
  EXPECT_EQ(body(response), "1\n2\n3\n");
}

TEST_F(PodProxyTest, ASlowReaderReceivesABrokenBodyInsteadOfUnboundedMemory) {
  http::Response response = send("op:8080/proxy/flood", {.headers = {{"Authorization", "Bearer secret"}}});
  ASSERT_TRUE(response.stream);
  executor_.sleep_for(1s);
  std::string text;
  EXPECT_EQ(response.stream->read(text), http::BodyStream::State::broken);
  EXPECT_LE(text.size(), std::size_t{16} << 20U);
}

TEST_F(PodProxyTest, APodThatDoesNotRespondIsGivenUp) {
  const Instant begun = executor_.now();
  const http::Response response = send("op:8080/proxy/silent", {.headers = {{"Authorization", "Bearer secret"}}});
  EXPECT_EQ(response.status, 503);
  EXPECT_THAT(response.body, HasSubstr("no response"));
  EXPECT_EQ(executor_.now() - begun, 30s);
}

TEST_F(PodProxyTest, RefusesOthersAndUnknownPods) {
  EXPECT_EQ(send("op:8080/proxy/debug").status, 401);
  const http::Response unknown = send("other:8080/proxy/debug", {.headers = {{"Authorization", "Bearer secret"}}});
  EXPECT_EQ(unknown.status, 503);
  EXPECT_THAT(unknown.body, HasSubstr("no URL is configured for the pod default/other:8080"));
}

}  // namespace
}  // namespace pintle::apiserver
