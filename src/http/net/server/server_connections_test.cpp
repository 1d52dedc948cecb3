// SPDX-License-Identifier: Apache-2.0
// Connections of the server: limits, idle timeout, and stop().
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "server_test_support.hpp"

namespace pintle::http {
namespace {

using namespace std::chrono_literals;

TEST_F(ServerTest, ClosesIdleConnections) {
  serve(echo, {.idle_timeout = 20ms});
  RawPeer silent = connect();
  RawPeer half = connect();
  RawPeer kept = connect();

  half.send("GET / HTTP/1.1\r\nHo");
  kept.send(get);

  EXPECT_EQ(silent.read_to_end(), "");
  EXPECT_EQ(half.read_to_end(), "");
  EXPECT_TRUE(kept.read_to_end().starts_with("HTTP/1.1 200 OK"));
}

TEST_F(ServerTest, ClosesConnectionsBeyondTheLimit) {
  const auto feed = std::make_shared<Feed>(*executor_);
  serve_feed(feed, {.max_connections = 2});
  RawPeer one = connect();
  RawPeer two = connect();
  one.send(get);
  one.read_until("\r\n\r\n");
  two.send(get);
  two.read_until("\r\n\r\n");

  RawPeer three = connect();
  EXPECT_EQ(three.read_to_end(), "");
  one.close();
  feed->wait_until_closed();
  RawPeer four = connect();
  four.send(get);

  EXPECT_TRUE(four.read_until("\r\n\r\n").starts_with("HTTP/1.1 200 OK"));
  EXPECT_EQ(server_->stats().refused, 1U);
}

// A flood of connections from one address does not exclude another address, such as that of a health probe, and does
// not close its connections.
TEST_F(ServerTest, ClosesAConnectionOfTheAddressThatHasTheMost) {
  serve(echo, {.max_connections = 10});
  RawPeer probe = RawPeer::connect_from("127.0.0.2", server_->port());
  probe.send(get);
  EXPECT_TRUE(probe.read_until("GET / ").starts_with("HTTP/1.1 200 OK"));
  std::vector<RawPeer> flood;
  for (int i = 0; i < 30; ++i) {
    flood.push_back(connect());
    flood.back().send("GET / HTTP/1.1\r\nHos");
    if (i % 2 == 0) continue;  // half of a request
    flood.back().send("t: a\r\n\r\n");
    EXPECT_TRUE(flood.back().read_until("GET / ").starts_with("HTTP/1.1 200 OK")) << i;
  }
  EXPECT_EQ(flood.front().read_to_end(), "") << "the oldest is closed";
  probe.send(get);
  EXPECT_TRUE(probe.read_until("GET / ").starts_with("HTTP/1.1 200 OK")) << "the existing connection stays open";
  RawPeer another = RawPeer::connect_from("127.0.0.3", server_->port());
  another.send(get);
  EXPECT_TRUE(another.read_until("GET / ").starts_with("HTTP/1.1 200 OK"));
  EXPECT_EQ(server_->stats().refused, 0U);
  EXPECT_LE(server_->stats().open, 10U);
}

TEST_F(ServerTest, LeavesDescriptorsToTheRestOfTheProcess) {
  const DescriptorLimit low(180);
  const auto feed = std::make_shared<Feed>(*executor_);
  serve_feed(feed, {});
  std::vector<RawPeer> peers;
  for (int i = 0; i < 60; ++i) {
    peers.push_back(connect());
    peers.back().send(get);
    EXPECT_TRUE(peers.back().read_until("\r\n\r\n").starts_with("HTTP/1.1 200 OK")) << i;
  }
  for (int i = 0; i < 30; ++i) EXPECT_EQ(connect().read_to_end(), "");
  EXPECT_EQ(server_->stats().open, 60U);
  EXPECT_EQ(server_->stats().refused, 30U);
  const int own = ::socket(AF_INET, SOCK_STREAM, 0);
  EXPECT_GE(own, 0) << "own connections still get a descriptor";
  ::close(own);
}

TEST_F(ServerTest, StopEndsStreamsAndCompletesResponses) {
  const auto feed = std::make_shared<Feed>(*executor_);
  const std::string large(8'000'000, 'y');
  serve([&](const Request& request) {
    if (request.target == "/large") return Response{.body = large};
    return Response{.stream = std::make_unique<FedStream>(feed)};
  });
  RawPeer streaming = connect();
  RawPeer reading = connect();
  RawPeer idle = connect();
  streaming.send(get);
  streaming.read_until("\r\n\r\n");
  reading.send("GET /large HTTP/1.1\r\nHost: a\r\n\r\n");
  reading.read_until("\r\n\r\n");

  Thread stopper = executor_->spawn({.name = "stopper"}, [&] { server_->stop(); });

  EXPECT_EQ(streaming.read_to_end(), "0\r\n\r\n");
  EXPECT_EQ(reading.read_to_end().size(), large.size());
  EXPECT_EQ(idle.read_to_end(), "");
  stopper.join();
  EXPECT_TRUE(feed->closed());
  EXPECT_EQ(server_->stats().open, 0U);
  server_->stop();
}

TEST_F(ServerTest, StopLetsADocumentFinish) {
  serve([&](const Request&) { return Response{.stream = std::make_unique<Document>(8'000'000)}; });
  RawPeer reading = connect();
  reading.send(get);
  reading.read_until("\r\n\r\n");

  Thread stopper = executor_->spawn({.name = "stopper"}, [&] { server_->stop(); });
  const std::string body = reading.read_to_end();
  stopper.join();

  EXPECT_EQ(document_bytes("\r\n\r\n" + body), 8'000'000U);
  EXPECT_TRUE(body.ends_with("\r\n0\r\n\r\n"));
}

TEST_F(ServerTest, ATruncatedDocumentIsNotTerminated) {
  for (const bool is_old : {false, true}) {
    std::atomic<std::size_t> taken = 0;
    Gate dropped(*executor_);
    serve([&](const Request&) { return Response{.stream = std::make_unique<Endless>(taken, dropped, true)}; },
          {.stop_timeout = 20ms});
    RawPeer slow = RawPeer::connect(server_->port(), 4096);
    slow.send(is_old ? "GET / HTTP/1.0\r\n\r\n" : get);
    slow.read_until("\r\n\r\n");

    server_->stop();
    const std::string rest = slow.read_to_end();

    if (is_old) {
      EXPECT_TRUE(slow.was_reset());
    } else {
      EXPECT_FALSE(rest.ends_with("\r\n0\r\n\r\n"));
    }
  }
}

// The client would not repeat the request, which may have been carried out.
TEST_F(ServerTest, StopCompletesARequestThatHasArrivedInPart) {
  serve(echo);
  RawPeer half = connect();
  RawPeer idle = connect();
  for (RawPeer* one : {&half, &idle}) {
    one->send(get);
    one->read_until("GET / ");
  }
  half.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nab");

  Thread stopper = executor_->spawn({.name = "stopper"}, [&] { server_->stop(); });
  EXPECT_EQ(idle.read_to_end(), "");
  half.send("cd");
  const std::string response = half.read_to_end();
  stopper.join();

  EXPECT_TRUE(response.ends_with("POST / abcd")) << response;
  EXPECT_NE(response.find("Connection: close\r\n"), std::string::npos);
}

TEST_F(ServerTest, StopDoesNotWaitLongForTheRestOfARequest) {
  serve(echo, {.stop_timeout = 20ms});
  RawPeer half = connect();
  half.send(get);
  half.read_until("GET / ");
  half.send("POST / HTTP/1.1\r\nHo");
  server_->stop();
  EXPECT_EQ(half.read_to_end(), "");
}

TEST_F(ServerTest, ADrainingServerEndsEachConnectionAfterItsNextResponse) {
  serve(echo);
  RawPeer kept = connect();
  kept.send(get);
  EXPECT_EQ(kept.read_until("GET / ").find("Connection: close"), std::string::npos);

  server_->drain();

  RawPeer late = connect();
  for (RawPeer* one : {&kept, &late}) {
    one->send(get);
    const std::string response = one->read_to_end();
    EXPECT_NE(response.find("Connection: close\r\n"), std::string::npos) << response;
    EXPECT_TRUE(response.ends_with("GET / ")) << response;
  }
}

TEST_F(ServerTest, StopDoesNotWaitLongForAStalledReader) {
  std::atomic<std::size_t> taken = 0;
  Gate dropped(*executor_);
  serve([&](const Request&) { return Response{.stream = std::make_unique<Endless>(taken, dropped)}; },
        {.stop_timeout = 20ms});
  RawPeer slow = RawPeer::connect(server_->port(), 4096);
  slow.send(get);
  slow.read_until("\r\n\r\n");

  server_->stop();

  EXPECT_EQ(server_->stats().open, 0U);
}

TEST_F(ServerTest, StopCompletesADocumentThatIsCreatedLater) {
  const auto feed = std::make_shared<Feed>(*executor_);
  serve_later(feed);
  RawPeer waiting = connect();
  RawPeer idle = connect();
  waiting.send(get);
  while (feed->reads() == 0) executor_->yield();
  Thread opener = executor_->spawn({.name = "opener"}, [&] {
    EXPECT_EQ(idle.read_to_end(), "");  // the server is stopping
    feed->push("late");
    feed->finish();
  });

  server_->stop();

  opener.join();
  const std::string response = waiting.read_to_end();
  EXPECT_TRUE(response.ends_with("\r\n\r\nlate")) << response;
  EXPECT_NE(response.find("Connection: close\r\n"), std::string::npos);
}

TEST_F(ServerTest, StopDoesNotWaitLongForADocumentThatIsCreatedLater) {
  const auto feed = std::make_shared<Feed>(*executor_);
  serve_later(feed, {.stop_timeout = 20ms});
  RawPeer waiting = connect();
  waiting.send(get);
  while (feed->reads() == 0) executor_->yield();

  server_->stop();

  EXPECT_TRUE(feed->closed());
  EXPECT_EQ(waiting.read_to_end(), "");
}

TEST_F(ServerTest, StopCompletesAWaitingResponse) {
  const auto begun = std::make_shared<Feed>(*executor_);
  const auto gate = std::make_shared<Feed>(*executor_);
  serve([begun, gate](const Request& request) -> Response {
    if (request.target != "/wait") return {.body = "at once"};
    return {.deferred = [begun, gate]() -> Response {
      begun->finish();
      gate->wait_until_finished();
      return {.body = "late"};
    }};
  });
  RawPeer waiting = connect();
  waiting.send("GET /wait HTTP/1.1\r\nHost: a\r\n\r\n");
  begun->wait_until_finished();
  Thread opener = executor_->spawn({.name = "opener"}, [&] {
    std::string response = "something";
    while (!response.empty()) {  // until the server accepts no more connections
      RawPeer other = connect();
      other.send(get);
      response = other.read_until("at once");
    }
    gate->finish();
  });

  server_->stop();

  opener.join();
  EXPECT_TRUE(waiting.read_to_end().ends_with("\r\n\r\nlate"));
}

TEST_F(ServerTest, CanStopWithoutAStart) {
  FunctionHandler handler(echo);
  Server server(*executor_, handler, {});
  server.stop();
}

}  // namespace
}  // namespace pintle::http
