// SPDX-License-Identifier: Apache-2.0
// Requests and responses of the server, including deferred and delayed responses.
#include <pintle/http/server.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "server_test_support.hpp"

namespace pintle::http {
namespace {

using namespace std::chrono_literals;

TEST_F(ServerTest, ServesRequestsOnOneConnection) {
  Server& server = serve(echo);
  RawPeer peer = connect();

  peer.send("GET /one HTTP/1.1\r\nHost: a\r\n\r\n");
  const std::string one = peer.read_until("GET /one ");
  peer.send("POST /two HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello");
  const std::string two = peer.read_until("POST /two hello");

  EXPECT_TRUE(one.starts_with("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nDate: ")) << one;
  EXPECT_NE(one.find("Content-Length: 9\r\n"), std::string::npos) << one;
  EXPECT_NE(two.find("Content-Length: 15\r\n"), std::string::npos) << two;
  EXPECT_EQ(server.stats().accepted, 1U);
  EXPECT_EQ(server.stats().requests, 2U);
}

TEST_F(ServerTest, AcceptsARequestByteByByteAndAChunkedBody) {
  serve(echo);
  RawPeer peer = connect();

  for (const char c : std::string(
           "PUT /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")) {
    peer.send(std::string(1, c));
  }

  EXPECT_TRUE(peer.read_until("PUT /a abcde").ends_with("PUT /a abcde"));
}

TEST_F(ServerTest, RespondsToHeadWithTheLengthAndNoBody) {
  serve(echo);
  RawPeer peer = connect();

  peer.send("HEAD / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  const std::string response = peer.read_to_end();

  EXPECT_NE(response.find("Content-Length: 7\r\nConnection: close\r\n\r\n"), std::string::npos) << response;
  EXPECT_TRUE(response.ends_with("\r\n\r\n")) << response;
}

TEST_F(ServerTest, ClosesForHttp10) {
  serve(echo);
  RawPeer peer = connect();

  peer.send("GET /old HTTP/1.0\r\n\r\n");

  EXPECT_TRUE(peer.read_to_end().ends_with("Connection: close\r\n\r\nGET /old "));
}

TEST_F(ServerTest, RefusesMalformedRequests) {
  serve(echo);
  const std::vector<std::string> requests = {
      "nonsense\r\n\r\n",
      "GET / HTTP/9.9\r\nHost: a\r\n\r\n",
      "GET / HTTP/1.1\r\n\r\n",
      "GET x HTTP/1.1\r\nHost: a\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: a\r\nbad header\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
      "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
  };
  for (const std::string& request : requests) {
    RawPeer peer = connect();
    peer.send(request);
    const std::string response = peer.read_to_end();
    EXPECT_TRUE(response.starts_with("HTTP/1.1 400 Bad Request\r\n")) << request << response;
    EXPECT_NE(response.find("malformed request: "), std::string::npos) << request << response;
    EXPECT_NE(response.find("Connection: close\r\n"), std::string::npos) << request << response;
  }
  EXPECT_EQ(server_->stats().requests, 0U);
}

TEST_F(ServerTest, RefusesLargeRequestsWithTheCallersResponse) {
  serve(echo,
        {.max_body_size = 1000, .max_head_size = 4000, .error_response = [](int status, std::string_view message) {
           return Response{.status = status, .body = "{" + std::string(message) + "}"};
         }});
  const std::string body(1001, 'x');
  RawPeer by_length = connect();
  RawPeer by_chunks = connect();
  RawPeer by_head = connect();
  RawPeer fitting = connect();

  by_length.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1001\r\n\r\n" + body);
  by_chunks.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3e9\r\n" + body + "\r\n0\r\n\r\n");
  by_head.send("GET / HTTP/1.1\r\nHost: a\r\nX: " + std::string(5000, 'x') + "\r\n\r\n");
  fitting.send("POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 1000\r\n\r\n" + body.substr(1));

  EXPECT_NE(by_length.read_to_end().find("413 Content Too Large"), std::string::npos);
  EXPECT_TRUE(by_chunks.read_to_end().ends_with("{the request body is larger than 1000 bytes}"));
  EXPECT_TRUE(by_head.read_to_end().ends_with("{the request head is larger than 4000 bytes}"));
  EXPECT_TRUE(fitting.read_to_end().starts_with("HTTP/1.1 200 OK"));
}

TEST_F(ServerTest, ARefusalReachesAPeerThatIsStillSending) {
  serve(echo);
  RawPeer peer = connect();

  peer.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 8000000\r\n\r\n");
  peer.send(std::string(8'000'000, 'x'));

  EXPECT_TRUE(peer.read_until("\r\n").starts_with("HTTP/1.1 413"));
}

TEST_F(ServerTest, RespondsToExpectContinue) {
  serve(echo);
  RawPeer peer = connect();

  peer.send("POST /c HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
  EXPECT_EQ(peer.read_until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  peer.send("hi");

  EXPECT_TRUE(peer.read_until("POST /c hi").starts_with("HTTP/1.1 200 OK"));
}

// The thread of the handler serves other requests meanwhile.
TEST_F(ServerTest, AResponseMayWaitOnAnotherThread) {
  const auto gate = std::make_shared<Feed>(*executor_);
  serve([&, gate](const Request& request) -> Response {
    if (request.target == "/open") gate->finish();
    if (request.target != "/wait") return {.body = "at once"};
    return {.deferred = [&, gate]() -> Response {
      if (!executor_->may_block()) return {.body = "on a thread that may not block"};
      gate->wait_until_finished();
      return {.body = "later"};
    }};
  });
  RawPeer waiting = connect();
  RawPeer other = connect();

  waiting.send("GET /wait HTTP/1.1\r\nHost: a\r\n\r\n");
  other.send(get);
  EXPECT_NE(other.read_until("at once").find("200 OK"), std::string::npos);
  other.send("GET /open HTTP/1.1\r\nHost: a\r\n\r\n");

  EXPECT_NE(waiting.read_until("later").find("200 OK"), std::string::npos);
  waiting.send(get);
  EXPECT_NE(waiting.read_until("at once").find("200 OK"), std::string::npos);
}

TEST_F(ServerTest, AWaitingResponseEndsWithItsPeerOrTheServer) {
  const auto begun = std::make_shared<Feed>(*executor_);
  const auto gate = std::make_shared<Feed>(*executor_);
  serve(
      [begun, gate](const Request&) -> Response {
        return {.deferred = [begun, gate]() -> Response {
          begun->finish();
          gate->wait_until_finished();
          return {.body = "late"};
        }};
      },
      {.stop_timeout = 0s});
  RawPeer gone = connect();
  RawPeer waiting = connect();
  gone.send(get);
  waiting.send(get);
  begun->wait_until_finished();
  gone.reset();
  const Thread opener = executor_->spawn({.name = "opener"}, [&] {
    EXPECT_EQ(waiting.read_to_end(), "");  // closed by stop(), which then waits for the function
    gate->finish();
  });

  server_->stop();
}

TEST_F(ServerTest, AResponseWithStatusZeroClosesTheConnection) {
  serve([](const Request&) { return Response{.status = 0}; });
  RawPeer peer = connect();
  peer.send(get);
  EXPECT_EQ(peer.read_to_end(), "");
}

TEST_F(ServerTest, ADelayedResponseDelaysNoOther) {
  serve([](const Request& request) {
    if (request.target == "/") return Response{.delayed = {.delay = 1h, .make_response = [] { return Response{}; }}};
    return Response{.delayed = {.delay = 10ms, .make_response = [] {
                                  return Response{.delayed = {.delay = 10ms, .make_response = [] {
                                                                return Response{.body = "twice delayed"};
                                                              }}};
                                }}};
  });
  std::vector<RawPeer> held;
  for (int i = 0; i < 70; ++i) {  // more than may wait for a thread
    held.push_back(connect());
    held.back().send(get);
  }
  RawPeer peer = connect();
  peer.send("GET /soon HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_NE(peer.read_until("twice delayed").find("200 OK"), std::string::npos);
}

TEST_F(ServerTest, PassesTheAddressOfThePeerToTheHandler) {
  for (const char* listen : {"127.0.0.1:0", ":0"}) {  // the second one listens on IPv4 and IPv6 where both exist
    serve([](const Request& request) -> Response { return {.body = "from " + request.peer_address + "."}; },
          {.listen = listen});
    RawPeer peer = connect();
    peer.send(get);
    EXPECT_NE(peer.read_until("127.0.0.1.").find("from 127.0.0.1."), std::string::npos) << listen;
  }
}

}  // namespace
}  // namespace pintle::http
