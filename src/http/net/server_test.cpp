#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <pintle/http/server.hpp>

#include <algorithm>
#include <optional>
#include <vector>

#include <gtest/gtest.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>

#include <pintle/sim/fault_effects.hpp>

#include "http/test_support.hpp"
#include "test_support.hpp"

namespace pintle::http {
namespace {

using namespace std::chrono_literals;

class ServerTest : public testing::Test {
 protected:
  // Starts a server that responds with `function`.
  Server& serve(std::function<Response(const Request&)> function, ServerOptions options = {}) {
    handler_.emplace(std::move(function));
    server_ = std::make_unique<Server>(*executor_, *handler_, std::move(options));
    const Result<void> started = server_->start();
    EXPECT_TRUE(started) << started.error().message;
    return *server_;
  }
  Server& serve_feed(const std::shared_ptr<Feed>& feed, ServerOptions options = {}) {
    return serve([feed](const Request&) { return Response{.stream = std::make_unique<FedStream>(feed)}; },
                 std::move(options));
  }
  static Response echo(const Request& request) {
    return {.headers = {{"Content-Type", "text/plain"}},
            .body = request.method + " " + request.target + " " + request.body};
  }
  RawPeer connect() { return RawPeer::connect(server_->port()); }

  std::unique_ptr<Executor> executor_ = make_real_executor();
  std::optional<FunctionHandler> handler_;
  std::unique_ptr<Server> server_;
};

constexpr std::string_view get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";

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
  const std::string answer = peer.read_to_end();

  EXPECT_NE(answer.find("Content-Length: 7\r\nConnection: close\r\n\r\n"), std::string::npos) << answer;
  EXPECT_TRUE(answer.ends_with("\r\n\r\n")) << answer;
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
    const std::string answer = peer.read_to_end();
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 400 Bad Request\r\n")) << request << answer;
    EXPECT_NE(answer.find("malformed request: "), std::string::npos) << request << answer;
    EXPECT_NE(answer.find("Connection: close\r\n"), std::string::npos) << request << answer;
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
  feed->say_at(executor_->now() + 20ms, "late");
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

// A stream that always has more, and counts the bytes that were read from it.
class Endless final : public BodyStream {
 public:
  Endless(std::atomic<std::size_t>& taken, Gate& dropped, bool is_document = false)
      : taken_(taken), dropped_(dropped), is_document_(is_document) {}
  ~Endless() override { dropped_.open(); }
  State read(std::string& out) override {
    out.append(65536, 'x');
    taken_ += 65536;
    return State::more;
  }
  void on_ready(std::function<void()>) override {}
  [[nodiscard]] bool is_document() const override { return is_document_; }

 private:
  std::atomic<std::size_t>& taken_;
  Gate& dropped_;
  const bool is_document_;
};

// A document of the given size.
class Document final : public BodyStream {
 public:
  explicit Document(std::size_t size) : left_(size) {}
  State read(std::string& out) override {
    const std::size_t piece = std::min<std::size_t>(left_, 65536);
    out.append(piece, 'd');
    left_ -= piece;
    return left_ == 0 ? State::ended : State::more;
  }
  void on_ready(std::function<void()>) override {}
  [[nodiscard]] bool is_document() const override { return true; }

 private:
  std::size_t left_;
};

// Counts the bytes of the document in a chunked response.
std::size_t document_bytes(std::string_view answer) {
  const auto body = answer.substr(std::min(answer.find("\r\n\r\n"), answer.size()));
  return static_cast<std::size_t>(std::count(body.begin(), body.end(), 'd'));
}

TEST_F(ServerTest, ADocumentComesInChunksAndKeepsTheConnection) {
  serve([](const Request&) { return Response{.stream = std::make_unique<Document>(1'000'000)}; });
  RawPeer peer = connect();

  for (int i = 0; i < 2; ++i) {
    peer.send(get);
    const std::string answer = peer.read_until("\r\n0\r\n\r\n");
    EXPECT_NE(answer.find("Transfer-Encoding: chunked\r\n"), std::string::npos);
    EXPECT_EQ(document_bytes(answer), 1'000'000U);
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

TEST_F(ServerTest, AWaitingStreamIsNotIdle) {
  const auto feed = std::make_shared<Feed>(*executor_);
  feed->say_at(executor_->now() + 80ms, "still here");
  serve_feed(feed, {.idle_timeout = 20ms});
  RawPeer peer = connect();

  peer.send(get);

  EXPECT_TRUE(peer.read_until("still here\r\n").ends_with("still here\r\n"));
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

// Limits the number of open files of the process for a scope.
class DescriptorLimit {
 public:
  explicit DescriptorLimit(rlim_t count) {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    rlimit lower = before_;
    lower.rlim_cur = count;
    EXPECT_EQ(::setrlimit(RLIMIT_NOFILE, &lower), 0);
  }
  ~DescriptorLimit() { ::setrlimit(RLIMIT_NOFILE, &before_); }
  DescriptorLimit(const DescriptorLimit&) = delete;
  DescriptorLimit& operator=(const DescriptorLimit&) = delete;

 private:
  rlimit before_{};
};

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

TEST_F(ServerTest, ReportsWhyItCannotListen) {
  Server& first = serve(echo);
  const std::string taken = "127.0.0.1:" + std::to_string(first.port());
  const auto error_of = [&](const std::string& listen) {
    Server server(*executor_, *handler_, {.listen = listen});
    const Result<void> started = server.start();
    return started ? Error{} : started.error();
  };

  EXPECT_EQ(error_of(taken).code, ErrorCode::unavailable);
  EXPECT_EQ(error_of(taken).message,
            "cannot listen on " + taken +
                ": the port is in use: stop the program that uses it, or choose another port (0 picks a free one)");
  EXPECT_EQ(error_of("192.0.2.1:0").message, "cannot listen on 192.0.2.1:0: this machine does not have this address");
  for (const std::string listen : {"", "localhost", "127.0.0.1:", "127.0.0.1:99999", "127.0.0.1:8x"}) {
    EXPECT_EQ(error_of(listen).message, "cannot listen on \"" + listen + "\": use HOST:PORT, such as 127.0.0.1:8443");
  }
}

class KeptLines final : public LogSink {
 public:
  void write(const LogRecord& record) override { lines.emplace_back(record.message); }
  std::vector<std::string> lines;
};

std::string rsa_key(unsigned bits) {
  EVP_PKEY* key = EVP_RSA_gen(bits);
  BIO* bio = BIO_new(BIO_s_mem());
  PEM_write_bio_PrivateKey(bio, key, nullptr, nullptr, 0, nullptr, nullptr);
  char* text = nullptr;
  const long size = BIO_get_mem_data(bio, &text);
  std::string pem(text, static_cast<std::size_t>(size));
  BIO_free(bio);
  EVP_PKEY_free(key);
  return pem;
}

TEST_F(ServerTest, ReportsWhyItsCertificateCannotBeUsed) {
  const TestAuthority authority(*executor_);
  const KeyPair one = authority.server({"a"});
  const KeyPair two = authority.server({"a"});
  FunctionHandler handler(echo);
  const auto message = [&](ServerOptions options) {
    Server server(*executor_, handler, std::move(options));
    return server.start().error().message;
  };

  const std::string mismatch =
      "the server's key does not belong to the server's certificate; use the key of its first certificate";

  EXPECT_EQ(message({.certificate = "x", .key = one.key}),
            "the server's certificate is not a PEM certificate: it has no line \"-----BEGIN CERTIFICATE-----\"");
  EXPECT_TRUE(
      message({.certificate = one.certificate, .key = "x"}).starts_with("the server's key is not a PEM private key: "));
  EXPECT_EQ(message({.certificate = one.certificate, .key = two.key}), mismatch);
  EXPECT_EQ(message({.certificate = one.certificate, .key = rsa_key(2048)}), mismatch);
  EXPECT_EQ(message({.certificate = one.certificate, .key = one.key, .client_ca = "x"}),
            "the server's client CA is not a PEM certificate: it has no line \"-----BEGIN CERTIFICATE-----\"");
}

TEST_F(ServerTest, LogsThatItsCertificateIsOutsideItsDates) {
  const TestAuthority authority(*executor_);
  FunctionHandler handler(echo);
  const auto sink = std::make_shared<KeptLines>();
  const KeyPair expired = authority.expired_server();
  const KeyPair good = authority.server({"a"});

  Server server(*executor_, handler,
                {.certificate = expired.certificate, .key = expired.key, .log = Log(sink, *executor_)});
  ASSERT_TRUE(server.start());
  EXPECT_EQ(sink->lines,
            std::vector<std::string>{"the certificate of the server has expired, so clients reject it; renew it"});

  ASSERT_TRUE(server.set_key_pair(good));
  EXPECT_EQ(sink->lines.size(), 1U);
}

TEST_F(ServerTest, ListensOnNamesAndOnEveryAddress) {
  for (const std::string listen : {"localhost:0", ":0", "0.0.0.0:0"}) {
    Server& server = serve(echo, {.listen = listen});
    RawPeer peer = connect();
    peer.send(get);
    EXPECT_TRUE(peer.read_until("\r\n").starts_with("HTTP/1.1 200")) << listen << server.url();
  }
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

TEST_F(ServerTest, PassesTheAddressOfThePeerToTheHandler) {
  for (const char* listen : {"127.0.0.1:0", ":0"}) {  // the second one listens on IPv4 and IPv6 where both exist
    serve([](const Request& request) -> Response { return {.body = "from " + request.peer_address + "."}; },
          {.listen = listen});
    RawPeer peer = connect();
    peer.send(get);
    EXPECT_NE(peer.read_until("127.0.0.1.").find("from 127.0.0.1."), std::string::npos) << listen;
  }
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
    std::string answer = "something";
    while (!answer.empty()) {  // until the server accepts no more connections
      RawPeer other = connect();
      other.send(get);
      answer = other.read_until("at once");
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

TEST_F(ServerTest, AResponseWithStatusZeroClosesTheConnection) {
  serve([](const Request&) { return Response{.status = 0}; });
  RawPeer peer = connect();
  peer.send(get);
  EXPECT_EQ(peer.read_to_end(), "");
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

}  // namespace
}  // namespace pintle::http
