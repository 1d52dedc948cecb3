// SPDX-License-Identifier: Apache-2.0
// Errors of the network transport: no connection, a truncated response, a failed proxy, an invalid request.
#include <pintle/http/net_transport.hpp>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <pintle/testing/seeds.hpp>

#include "transport_test_support.hpp"

namespace pintle::http {
namespace {

using namespace std::chrono_literals;

TEST_F(NetworkTransportTest, ReportsThatNothingListens) {
  listener_.close();
  endpoint_ = plain_endpoint(listener_.port());

  const auto response = send({.target = "/api"});

  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code, ErrorCode::unreachable);
  EXPECT_EQ(response.error().message,
            "GET " + endpoint_->url() + "/api: connection refused: check the server address and that the server runs");
}

TEST_F(NetworkTransportTest, ReportsAnUnknownHost) {
  endpoint_ = std::make_shared<Endpoint>(Endpoint{.host = "no-such-host.invalid", .port = 80});

  const auto response = send({});

  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code, ErrorCode::unreachable);
  EXPECT_EQ(response.error().message,
            "GET http://no-such-host.invalid:80/: cannot resolve the host \"no-such-host.invalid\": check the server "
            "address and DNS");
}

TEST_F(NetworkTransportTest, TimesOutIfNoConnectionIsAccepted) {
  // A listener with a full queue leaves further connections pending.
  RawListener full(0);
  const RawPeer one = RawPeer::connect(full.port());
  endpoint_ = plain_endpoint(full.port());
  transport_ = make_network_transport(*executor_, {.connect_timeout = 50ms});

  std::vector<std::shared_ptr<Recorder>> responses;
  responses.reserve(4);
  for (int i = 0; i < 4; ++i) responses.push_back(start({.timeout = 2s}));

  std::set<std::string> messages;
  for (const auto& response : responses) {
    messages.insert(response->wait_for_end().error().message);
  }
  EXPECT_TRUE(messages.contains("GET " + endpoint_->url() +
                                "/: no connection within 50ms: check the server address and firewalls"))
      << *messages.begin();

  // A request that ends before it could be sent has never left, and the error states that.
  transport_ = make_network_transport(*executor_);
  const auto unsent = send({.timeout = 50ms});
  EXPECT_EQ(unsent.error().code, ErrorCode::unreachable);
  EXPECT_EQ(unsent.error().message, "GET " + endpoint_->url() +
                                        "/: no complete response within 50ms; no connection was established in this "
                                        "time: check the server address and firewalls");
}

TEST_F(NetworkTransportTest, ReportsThatNoDescriptorsAreLeftAndRecovers) {
  if (testkit::is_sanitized) GTEST_SKIP() << "a sanitizer needs its own descriptors";
  serve([](const Request&) { return Response{.body = "x"}; });
  {
    const DescriptorLimit none(0);
    const auto response = send({});
    ASSERT_FALSE(response);
    EXPECT_EQ(response.error().code, ErrorCode::unreachable);
    EXPECT_NE(response.error().message.find("file descriptors"), std::string::npos) << response.error().message;
  }

  EXPECT_TRUE(send({}));
}

// Opens files until this process has no descriptors left, up to the number of this limit.
class NoDescriptors {
 public:
  explicit NoDescriptors(rlim_t limit) : limit_(limit) {
    while (true) {
      const int file = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
      if (file < 0) break;
      files_.push_back(file);
    }
  }
  ~NoDescriptors() {
    for (const int file : files_) ::close(file);
  }
  NoDescriptors(const NoDescriptors&) = delete;
  NoDescriptors& operator=(const NoDescriptors&) = delete;

 private:
  const DescriptorLimit limit_;
  std::vector<int> files_;
};

// A name lookup needs descriptors, too, but its error names the host.
TEST_F(NetworkTransportTest, ReportsThatNoDescriptorsAreLeftForANameLookup) {
  if (testkit::is_sanitized) GTEST_SKIP() << "a sanitizer needs its own descriptors";
  endpoint_ = std::make_shared<Endpoint>(Endpoint{.host = "no-such-host.invalid", .port = 80});
  Result<BufferedResponse> response;
  {
    const NoDescriptors none(200);
    response = send({});
  }

  ASSERT_FALSE(response);
  EXPECT_NE(response.error().message.find("file descriptors"), std::string::npos) << response.error().message;
}

// Idle connections are useful, but not more than a request.
TEST_F(NetworkTransportTest, ClosesAnIdleConnectionIfNoDescriptorsAreLeft) {
  if (testkit::is_sanitized) GTEST_SKIP() << "a sanitizer needs its own descriptors";
  Thread server = script([&](RawListener& listener) {
    const std::string ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    RawPeer first = listener.accept();
    first.read_until("\r\n\r\n");
    first.send(ok);
    (void)first.read_to_end();  // the client closes it
    first.close();
    RawPeer second = listener.accept();
    second.read_until("\r\n\r\n");
    second.send(ok);
  });
  ASSERT_TRUE(send({}));
  auto other = std::make_shared<Endpoint>(*endpoint_);
  other->insecure = true;  // cannot use the same connection

  Result<BufferedResponse> response;
  {
    const NoDescriptors none(200);
    response = send({.endpoint = other});
  }

  EXPECT_TRUE(response) << response.error().message;
  transport_->stop();
  if (!response) (void)RawPeer::connect(listener_.port());  // ends the script
}

TEST_F(NetworkTransportTest, ReportsATruncatedResponse) {
  const std::vector<std::string> responses = {
      "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npartial",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7\r\npartial\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n40\r\npartial",
  };
  Thread server = script([&](RawListener& listener) {
    for (const std::string& response : responses) {
      RawPeer peer = listener.accept();
      peer.read_until("\r\n\r\n");
      peer.send(response);
    }
  });

  for (std::size_t i = 0; i < responses.size(); ++i) {
    const auto response = start({});
    const auto end = response->wait_for_end();
    ASSERT_FALSE(end);
    EXPECT_EQ(end.error().code, ErrorCode::unreachable);
    EXPECT_EQ(end.error().message,
              "GET " + endpoint_->url() + "/: the connection broke before the response was complete");
    EXPECT_EQ(response->body(), "partial");
    EXPECT_EQ(response->heads(), 1);
  }
}

TEST_F(NetworkTransportTest, RepeatsAGetOnAStaleConnectionButNeverAPost) {
  std::vector<std::string> seen;
  Thread server = script([&](RawListener& listener) {
    const std::string ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    for (int i = 0; i < 2; ++i) {
      RawPeer first = listener.accept();
      first.read_until("\r\n\r\n");
      first.send(ok);
      seen.push_back(first.read_until("\r\n\r\n").substr(0, 4));
      first.close();  // without a response
      if (i == 0) {
        RawPeer second = listener.accept();
        seen.push_back(second.read_until("\r\n\r\n").substr(0, 4));
        second.send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok");
      }
    }
  });

  EXPECT_TRUE(send({}));
  EXPECT_TRUE(send({}));
  EXPECT_TRUE(send({}));
  const auto post = send({.method = "POST", .body = "x"});
  server.join();

  ASSERT_FALSE(post);
  EXPECT_EQ(post.error().code, ErrorCode::unreachable);
  EXPECT_EQ(post.error().message,
            "POST " + endpoint_->url() +
                "/: the server closed the connection without a response; the server may have executed the request; if "
                "the server expects TLS, its address begins with https://");
  EXPECT_EQ(seen, (std::vector<std::string>{"GET ", "GET ", "POST"}));
}

TEST_F(NetworkTransportTest, ReportsAServerThatDoesNotUseHttp) {
  Thread server = script([&](RawListener& listener) {
    RawPeer peer = listener.accept();
    peer.read_until("\r\n\r\n");
    peer.send("220 mail.example.test ESMTP\r\n\r\n");
  });

  const auto response = send({});
  server.join();

  ASSERT_FALSE(response);
  EXPECT_NE(response.error().message.find("the response is not HTTP"), std::string::npos) << response.error().message;
}

TEST_F(NetworkTransportTest, ReportsAFailedProxy) {
  Thread proxy = script([&](RawListener& listener) {
    RawPeer peer = listener.accept();
    peer.read_until("\r\n\r\n");
    peer.send("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n");
    peer.read_to_end();
  });
  Endpoint endpoint{.tls = true, .host = "far.example.test", .port = 443, .proxy = endpoint_->url()};
  endpoint_ = std::make_shared<Endpoint>(endpoint);
  EXPECT_EQ(
      send({}).error().message,
      "GET https://far.example.test:443/: the proxy failed (CONNECT tunnel failed, response 403): check proxy-url of "
      "the kubeconfig, or $HTTPS_PROXY");
  proxy.join();

  endpoint.proxy = "http://127.0.0.1:1";
  endpoint_ = std::make_shared<Endpoint>(endpoint);
  const std::string message = send({}).error().message;
  EXPECT_NE(message.find("the proxy failed (Failed to connect to 127.0.0.1 port 1"), std::string::npos) << message;
}

TEST_F(NetworkTransportTest, RefusesInvalidRequests) {
  serve([](const Request&) { return Response{}; });
  const auto error_of = [&](Request request) {
    const auto response = send(std::move(request));
    return response ? Error{} : response.error();
  };
  const std::string url = endpoint_->url();

  EXPECT_EQ(error_of({.headers = {{"Authorization", "Bearer x\n"}}}).message,
            "GET " + url + "/: the value of header Authorization contains a line break");
  EXPECT_EQ(error_of({.target = "/\r\nX: y"}).code, ErrorCode::invalid);
  EXPECT_EQ(error_of({.target = "/a b"}).code, ErrorCode::invalid);
  EXPECT_EQ(http::send(*transport_, {}).error().message, "GET /: the request has no endpoint");
  EXPECT_EQ(server_->stats().requests, 0U);
}

}  // namespace
}  // namespace pintle::http
