// SPDX-License-Identifier: Apache-2.0
// Responses of the server that are streams or documents, also to peers that disconnect or read slowly.
#include <atomic>
#include <chrono>
#include <memory>
#include <string>

#include <pintle/sim/fault_effects.hpp>

#include "server_test_support.hpp"

namespace pintle::http {
namespace {

using namespace std::chrono_literals;

TEST_F(ServerTest, StreamsInChunksAndKeepsTheConnection) {
  const auto feed = std::make_shared<Feed>(*executor_);
  serve_feed(feed);
  RawPeer peer = connect();

  peer.send(get);
  EXPECT_NE(peer.read_until("\r\n\r\n").find("Transfer-Encoding: chunked\r\n"), std::string::npos);
  feed->push("one");
  EXPECT_EQ(peer.read_until("one\r\n"), "00000003\r\none\r\n");
  feed->push("two!");
  EXPECT_EQ(peer.read_until("two!\r\n"), "00000004\r\ntwo!\r\n");
  peer.send(get);  // a second request, which waits
  feed->finish();

  EXPECT_EQ(peer.read_until("0\r\n\r\n"), "0\r\n\r\n");
  EXPECT_TRUE(peer.read_until("0\r\n\r\n").starts_with("HTTP/1.1 200 OK"));
  EXPECT_EQ(server_->stats().accepted, 1U);
}

TEST_F(ServerTest, StreamsToHttp10UntilTheEnd) {
  const auto feed = std::make_shared<Feed>(*executor_);
  feed->push("all of it");
  feed->finish();
  serve_feed(feed);
  RawPeer peer = connect();

  peer.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");

  EXPECT_TRUE(peer.read_to_end().ends_with("Connection: close\r\n\r\nall of it"));
}

TEST_F(ServerTest, ReadsAStreamAtItsDeadline) {
  const auto feed = std::make_shared<Feed>(*executor_);
  feed->push_at(executor_->now() + 20ms, "late");
  serve_feed(feed);
  RawPeer peer = connect();

  peer.send(get);

  EXPECT_TRUE(peer.read_until("late\r\n").ends_with("00000004\r\nlate\r\n"));
  EXPECT_LE(feed->reads(), 3U);
}

TEST_F(ServerTest, DropsTheStreamOfADisconnectedPeer) {
  for (const bool by_reset : {false, true}) {
    const auto feed = std::make_shared<Feed>(*executor_);
    serve_feed(feed);
    RawPeer peer = connect();
    peer.send(get);
    peer.read_until("\r\n\r\n");

    by_reset ? peer.reset() : peer.close();

    feed->wait_until_closed();
  }
}

TEST_F(ServerTest, ADocumentComesInChunksAndKeepsTheConnection) {
  serve([](const Request&) { return Response{.stream = std::make_unique<Document>(1'000'000)}; });
  RawPeer peer = connect();

  for (int i = 0; i < 2; ++i) {
    peer.send(get);
    const std::string response = peer.read_until("\r\n0\r\n\r\n");
    EXPECT_NE(response.find("Transfer-Encoding: chunked\r\n"), std::string::npos);
    EXPECT_EQ(document_bytes(response), 1'000'000U);
  }
  peer.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_NE(peer.read_until("\r\n\r\n").find("Transfer-Encoding: chunked\r\n"), std::string::npos);
  peer.send(get);
  EXPECT_TRUE(peer.read_until("\r\n").starts_with("HTTP/1.1 200 OK")) << "the response to HEAD has no body";
}

TEST_F(ServerTest, AHalfClosedPeerReceivesADocument) {
  serve([](const Request&) { return Response{.stream = std::make_unique<Document>(8'000'000)}; });
  for (const char* version : {"1.0", "1.1"}) {
    RawPeer peer = connect();
    peer.send("GET / HTTP/" + std::string(version) + "\r\nHost: a\r\nConnection: close\r\n\r\n");
    peer.finish();
    EXPECT_EQ(document_bytes(peer.read_to_end()), 8'000'000U) << version;
    EXPECT_FALSE(peer.was_reset());
  }
}

TEST_F(ServerTest, DropsTheDocumentOfADisconnectedPeer) {
  for (const bool by_reset : {false, true}) {
    std::atomic<std::size_t> taken = 0;
    Gate dropped(*executor_);
    serve([&](const Request&) { return Response{.stream = std::make_unique<Endless>(taken, dropped, true)}; });
    RawPeer peer = connect();
    peer.send(get);
    peer.read_until("\r\n\r\n");

    by_reset ? peer.reset() : peer.close();

    dropped.wait();
  }
}

TEST_F(ServerTest, ASlowReaderHoldsNoBuffer) {
  std::atomic<std::size_t> taken = 0;
  Gate dropped(*executor_);
  const auto other = std::make_shared<Feed>(*executor_);
  serve(
      [&](const Request& request) {
        if (request.target == "/endless") return Response{.stream = std::make_unique<Endless>(taken, dropped)};
        return Response{.stream = std::make_unique<FedStream>(other)};
      },
      {.idle_timeout = 200ms});
  RawPeer slow = RawPeer::connect(server_->port(), 4096);
  RawPeer quick = connect();
  quick.send(get);

  slow.send("GET /endless HTTP/1.1\r\nHost: a\r\n\r\n");
  slow.read_until("\r\n\r\n");
  other->push("meanwhile");

  // Other connections are served. In the end the stalled reader is dropped, after it received what the sockets hold and
  // no more.
  EXPECT_TRUE(quick.read_until("meanwhile\r\n").ends_with("meanwhile\r\n"));
  dropped.wait();
  EXPECT_LT(taken, std::size_t{16} << 20U);
}

TEST_F(ServerTest, ADocumentThatIsCreatedLaterHasItsLengthAndKeepsTheConnection) {
  RawPeer peer = [&] {
    serve([this](const Request& request) {
      const auto feed = std::make_shared<Feed>(*executor_);
      feed->push_at(executor_->now() + 20ms, "body of " + request.target);
      feed->finish_at(executor_->now() + 20ms);
      return Response{.status = 202, .stream = std::make_unique<FedStream>(feed, true)};
    });
    return connect();
  }();
  for (const std::string target : {"/a", "/b"}) {
    peer.send("GET " + target + " HTTP/1.1\r\nHost: a\r\n\r\n");
    const std::string response = peer.read_until("body of " + target);
    EXPECT_TRUE(response.starts_with("HTTP/1.1 202 Accepted\r\n")) << response;
    EXPECT_NE(response.find("Content-Length: 10\r\n"), std::string::npos);
    EXPECT_EQ(response.find("chunked"), std::string::npos);
  }
  EXPECT_EQ(server_->stats().accepted, 1U);
}

// Requests of any size that arrive during the wait are read completely, and in their order.
TEST_F(ServerTest, RequestsWaitForADocumentThatIsCreatedLater) {
  const auto feed = std::make_shared<Feed>(*executor_);
  const std::string large(100'000, 'x');
  serve([&](const Request& request) -> Response {
    if (request.target == "/first") return {.stream = std::make_unique<FedStream>(feed, true)};
    return {.body = std::to_string(request.body.size()) + " bytes of " + request.target};
  });
  RawPeer peer = connect();
  peer.send("GET /first HTTP/1.1\r\nHost: a\r\n\r\n");
  while (feed->reads() == 0) executor_->yield();
  for (const std::string& body : {std::string("small"), large, std::string()}) {
    peer.send("POST /" + std::to_string(body.size()) +
              " HTTP/1.1\r\nHost: a\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body);
  }
  feed->push("first");
  feed->finish();

  for (const char* end : {"first", "5 bytes of /5", "100000 bytes of /100000", "0 bytes of /0"}) {
    EXPECT_TRUE(peer.read_until(end).ends_with(end));
  }
  EXPECT_EQ(server_->stats().accepted, 1U);
}

TEST_F(ServerTest, DropsADocumentThatIsCreatedLaterWithItsPeer) {
  const auto feed = std::make_shared<Feed>(*executor_);
  serve_later(feed);
  RawPeer peer = connect();
  peer.send(get);
  peer.close();
  feed->wait_until_closed();
}

TEST_F(ServerTest, AWaitingStreamIsNotIdle) {
  const auto feed = std::make_shared<Feed>(*executor_);
  feed->push_at(executor_->now() + 80ms, "still here");
  serve_feed(feed, {.idle_timeout = 20ms});
  RawPeer peer = connect();

  peer.send(get);

  EXPECT_TRUE(peer.read_until("still here\r\n").ends_with("still here\r\n"));
}

TEST_F(ServerTest, ABrokenStreamIsNotTerminated) {
  serve([this](const Request&) {
    Response response{.body = "0123456789"};
    BodyFaults faults;
    faults.add(TruncateBody{.after_bytes = 4});
    faults.alter(response, *executor_);
    return response;
  });
  RawPeer peer = connect();
  peer.send(get);  // a keep-alive request
  EXPECT_TRUE(peer.read_to_end().ends_with("4\r\n0123\r\n"));
}

}  // namespace
}  // namespace pintle::http
