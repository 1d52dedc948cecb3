#include <pintle/http/net_transport.hpp>

#include <signal.h>

#include <fstream>
#include <optional>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "http/test_support.hpp"
#include "test_support.hpp"

namespace pintle::http {
namespace {

using namespace std::chrono_literals;

class NetworkTransportTest : public testing::Test {
 protected:
  void serve(std::function<Response(const Request&)> function, ServerOptions options = {}) {
    handler_.emplace(std::move(function));
    server_ = std::make_unique<Server>(*executor_, *handler_, std::move(options));
    const Result<void> started = server_->start();
    ASSERT_TRUE(started) << started.error().message;
    endpoint_ = plain_endpoint(server_->port());
  }
  void serve_feed(const std::shared_ptr<Feed>& feed) {
    serve([feed](const Request&) { return Response{.stream = std::make_unique<FedStream>(feed)}; });
  }
  std::shared_ptr<Recorder> start(Request request) {
    if (request.endpoint == nullptr) request.endpoint = endpoint_;
    auto recorder = std::make_shared<Recorder>(*executor_);
    last_ = transport_->start(std::move(request), recorder);
    return recorder;
  }
  Result<BufferedResponse> send(Request request, std::stop_token stop = {}) {
    if (request.endpoint == nullptr) request.endpoint = endpoint_;
    return http::send(*transport_, std::move(request), std::move(stop));
  }
  // Runs `body` as a server on raw connections, on a thread of its own.
  Thread script(std::function<void(RawListener&)> body) {
    endpoint_ = plain_endpoint(listener_.port());
    return executor_->spawn({.name = "script"}, [this, body = std::move(body)] { body(listener_); });
  }

  std::unique_ptr<Executor> executor_ = make_real_executor();
  std::optional<FunctionHandler> handler_;
  std::unique_ptr<Server> server_;
  RawListener listener_;
  std::shared_ptr<Endpoint> endpoint_;
  std::unique_ptr<Transport> transport_ = make_network_transport(*executor_);
  Transport::ExchangeId last_ = 0;
};

// The tests with this name are repeated in the long runs.
using NetworkTransportConcurrency = NetworkTransportTest;

TEST_F(NetworkTransportTest, CarriesEveryMethodWithItsBody) {
  serve([](const Request& request) {
    return Response{.status = 202,
                    .headers = {{"X-Length", std::string(request.headers.get("Content-Length").value_or("none"))}},
                    .body = request.method + " " + request.target + " " + request.body};
  });
  struct Case {
    std::string method, body, length, answer;
  };
  const std::vector<Case> cases = {
      {"GET", "", "none", "GET /a%2Fb/../c?x=1&y=a%20b "},
      {"POST", "one", "3", "POST /a%2Fb/../c?x=1&y=a%20b one"},
      {"POST", "", "0", "POST /a%2Fb/../c?x=1&y=a%20b "},
      {"PUT", "two", "3", "PUT /a%2Fb/../c?x=1&y=a%20b two"},
      {"PATCH", "three", "5", "PATCH /a%2Fb/../c?x=1&y=a%20b three"},
      {"DELETE", "", "none", "DELETE /a%2Fb/../c?x=1&y=a%20b "},
      {"DELETE", "four", "4", "DELETE /a%2Fb/../c?x=1&y=a%20b four"},
      {"HEAD", "", "none", ""},
      {"OPTIONS", "", "none", "OPTIONS /a%2Fb/../c?x=1&y=a%20b "},
  };
  for (const Case& c : cases) {
    const auto answer = send({.method = c.method, .target = "/a%2Fb/../c?x=1&y=a%20b", .body = c.body});
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(answer->status, 202);
    EXPECT_EQ(answer->headers.get("x-length"), c.length) << c.method;
    EXPECT_EQ(answer->body, c.answer);
  }
  EXPECT_EQ(server_->stats().accepted, 1U);
}

TEST_F(NetworkTransportTest, SendsOnlyTheGivenHeaders) {
  std::string names;
  serve([&](const Request& request) {
    names.clear();
    for (const auto& [name, value] : request.headers) names += name + "=" + value + ";";
    return Response{.headers = {{"X-Empty", ""}, {"Twice", "a"}, {"Twice", "b"}}};
  });
  endpoint_->base_path = "/base";

  const auto answer = send({.method = "POST",
                            .headers = {{"Authorization", "Bearer x"},
                                        {"X-Empty", ""},
                                        {"Accept", "application/json"},
                                        {"content-length", "7"}},
                            .body = std::string(2'000'000, 'x')});

  ASSERT_TRUE(answer);
  EXPECT_EQ(names, "Host=127.0.0.1:" + std::to_string(server_->port()) +
                       ";Authorization=Bearer x;X-Empty=;Accept=application/json;Content-Length=2000000;");
  EXPECT_EQ(answer->headers.get("x-empty"), "");
  EXPECT_EQ(answer->headers.get_all("twice"), (std::vector<std::string_view>{"a", "b"}));
}

TEST_F(NetworkTransportTest, CarriesLargeBodiesBothWays) {
  std::string large(8'000'000, 'x');
  for (std::size_t i = 0; i < large.size(); i += 1000) large[i] = static_cast<char>('a' + i / 1000 % 26);
  serve([&](const Request& request) { return Response{.body = request.body + large}; });
  const std::string sent = large.substr(0, 3'000'000);

  const auto answer = send({.method = "PUT", .body = sent});
  const auto pieces = start({});

  ASSERT_TRUE(answer);
  EXPECT_TRUE(answer->body == sent + large);
  EXPECT_TRUE(pieces->wait_for_end());
  EXPECT_LE(pieces->largest_chunk(), std::size_t{64} << 10U);
}

TEST_F(NetworkTransportTest, ReusesOneConnection) {
  serve([](const Request& request) { return Response{.body = request.target}; });

  for (int i = 0; i < 100; ++i) ASSERT_TRUE(send({}));

  EXPECT_EQ(server_->stats().accepted, 1U);
  EXPECT_EQ(server_->stats().requests, 100U);
}

TEST_F(NetworkTransportTest, AnOpenStreamDoesNotStopReuse) {
  const auto feed = std::make_shared<Feed>(*executor_);
  serve([&](const Request& request) {
    if (request.target == "/watch") return Response{.stream = std::make_unique<FedStream>(feed)};
    return Response{.body = "x"};
  });
  const auto watch = start({.target = "/watch", .timeout = 0s});
  watch->wait_for_head();

  for (int i = 0; i < 50; ++i) ASSERT_TRUE(send({}));

  EXPECT_EQ(server_->stats().accepted, 2U);
}

TEST_F(NetworkTransportTest, DeliversAStreamAsItGrows) {
  const auto feed = std::make_shared<Feed>(*executor_);
  serve_feed(feed);

  const auto answer = start({.timeout = 0s});
  answer->wait_for_head();
  feed->push("one");
  EXPECT_EQ(answer->wait_for_body(3), "one");
  feed->push("two");
  EXPECT_EQ(answer->wait_for_body(6), "onetwo");
  feed->finish();

  EXPECT_TRUE(answer->wait_for_end());
  EXPECT_EQ(answer->heads(), 1);
}

TEST_F(NetworkTransportTest, NoWakeOfAStreamIsLost) {
  const auto feed = std::make_shared<Feed>(*executor_);
  feed->push("a");
  serve_feed(feed);
  const auto answer = start({.timeout = 0s});
  answer->wait_for_body(1);
  feed->push_during_read("c");
  feed->push("b");

  EXPECT_EQ(answer->wait_for_body(3), "abc");
}

bool blocks_broken_pipe_signal() {
  sigset_t mask;
  ::pthread_sigmask(SIG_SETMASK, nullptr, &mask);
  return ::sigismember(&mask, SIGPIPE) == 1;
}

TEST_F(NetworkTransportTest, BlocksTheBrokenPipeSignalOnlyOnOurThreads) {
  bool on_server = false;
  bool on_io = false;
  serve([&](const Request&) {
    on_server = blocks_broken_pipe_signal();
    return Response{};
  });
  Gate done(*executor_);

  EXPECT_TRUE(send({}));
  transport_->post([&] {
    on_io = blocks_broken_pipe_signal();
    done.open();
  });
  done.wait();

  EXPECT_TRUE(on_server);
  EXPECT_TRUE(on_io);
  EXPECT_FALSE(blocks_broken_pipe_signal());
}

TEST_F(NetworkTransportConcurrency, CancelEndsAStreamAndTheServerNotices) {
  const auto feed = std::make_shared<Feed>(*executor_);
  serve_feed(feed);
  const auto answer = start({.timeout = 0s});
  answer->wait_for_head();

  transport_->cancel(last_);

  EXPECT_EQ(answer->code(), ErrorCode::cancelled);
  feed->wait_until_closed();
}

TEST_F(NetworkTransportConcurrency, StopEndsASend) {
  const auto feed = std::make_shared<Feed>(*executor_);
  serve_feed(feed);
  std::stop_source stop;

  Thread stopper = executor_->spawn({.name = "stopper"}, [&] { stop.request_stop(); });
  const auto answer = send({.timeout = 0s}, stop.get_token());
  stopper.join();

  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::cancelled);
}

TEST_F(NetworkTransportTest, KeepsItsTimeouts) {
  const auto feed = std::make_shared<Feed>(*executor_);
  serve_feed(feed);
  const std::string url = endpoint_->url();

  const auto whole = start({.timeout = 20ms});
  const auto silence = start({.timeout = 0s, .idle_timeout = 30ms});

  EXPECT_EQ(whole->wait_for_end().error().message, "GET " + url + "/: no complete response within 20ms");
  EXPECT_EQ(whole->code(), ErrorCode::timeout);
  EXPECT_EQ(silence->wait_for_end().error().message, "GET " + url + "/: the server sent no data for 30ms");
  EXPECT_EQ(silence->code(), ErrorCode::timeout);
}

TEST_F(NetworkTransportTest, NeverHasMoreConnectionsThanAllowed) {
  serve([](const Request&) { return Response{.body = std::string(200'000, 'x')}; });
  transport_ = make_network_transport(*executor_, {.max_connections = 2});

  std::vector<std::shared_ptr<Recorder>> answers;
  answers.reserve(20);
  for (int i = 0; i < 20; ++i) answers.push_back(start({}));

  for (const auto& answer : answers) EXPECT_TRUE(answer->wait_for_end());
  EXPECT_LE(server_->stats().accepted, 2U);
}

TEST_F(NetworkTransportTest, ReportsThatNothingListens) {
  listener_.close();
  endpoint_ = plain_endpoint(listener_.port());

  const auto answer = send({.target = "/api"});

  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::unreachable);
  EXPECT_EQ(answer.error().message,
            "GET " + endpoint_->url() + "/api: connection refused: check the server address and that the server runs");
}

TEST_F(NetworkTransportTest, ReportsAnUnknownHost) {
  endpoint_ = std::make_shared<Endpoint>(Endpoint{.host = "no-such-host.invalid", .port = 80});

  const auto answer = send({});

  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::unreachable);
  EXPECT_EQ(answer.error().message,
            "GET http://no-such-host.invalid:80/: cannot resolve the host \"no-such-host.invalid\": check the server "
            "address and DNS");
}

TEST_F(NetworkTransportTest, TimesOutIfNoConnectionIsAccepted) {
  // A listener with a full queue leaves further connections pending.
  RawListener full(0);
  const RawPeer one = RawPeer::connect(full.port());
  endpoint_ = plain_endpoint(full.port());
  transport_ = make_network_transport(*executor_, {.connect_timeout = 50ms});

  std::vector<std::shared_ptr<Recorder>> answers;
  answers.reserve(4);
  for (int i = 0; i < 4; ++i) answers.push_back(start({.timeout = 2s}));

  std::set<std::string> messages;
  for (const auto& answer : answers) {
    messages.insert(answer->wait_for_end().error().message);
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

TEST_F(NetworkTransportTest, ReportsATruncatedResponse) {
  const std::vector<std::string> answers = {
      "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npartial",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7\r\npartial\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n40\r\npartial",
  };
  Thread server = script([&](RawListener& listener) {
    for (const std::string& answer : answers) {
      RawPeer peer = listener.accept();
      peer.read_until("\r\n\r\n");
      peer.send(answer);
    }
  });

  for (std::size_t i = 0; i < answers.size(); ++i) {
    const auto answer = start({});
    const auto end = answer->wait_for_end();
    ASSERT_FALSE(end);
    EXPECT_EQ(end.error().code, ErrorCode::unreachable);
    EXPECT_EQ(end.error().message,
              "GET " + endpoint_->url() + "/: the connection broke before the response was complete");
    EXPECT_EQ(answer->body(), "partial");
    EXPECT_EQ(answer->heads(), 1);
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

TEST_F(NetworkTransportTest, ARequestIsCheckedAgainOnceItIsConnected) {
  std::string came = "nothing yet";
  Thread server = script([&](RawListener& listener) { came = listener.accept().read_until("\r\n\r\n"); });
  int asked = 0;
  const auto until_connected = [&]() -> Result<void> {
    if (executor_->thread_name() != "io") return fail(ErrorCode::unknown, "asked on another thread");
    if (++asked == 1) return {};  // there is no connection yet
    return fail(ErrorCode::cancelled, "not any more");
  };

  const auto answer = send({.method = "PUT", .body = "x", .before_send = until_connected});
  server.join();

  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().message, "not any more");
  EXPECT_EQ(answer.error().code, ErrorCode::cancelled);
  EXPECT_EQ(came, "");
  EXPECT_EQ(asked, 2);
}

TEST_F(NetworkTransportTest, ARefusedRequestOpensNoConnection) {
  int connections = 0;
  serve([&](const Request&) { return ++connections, Response{}; });

  const auto answer = send({.before_send = [] { return Result<void>(fail(ErrorCode::cancelled, "no")); }});

  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().message, "no");
  EXPECT_TRUE(send({.before_send = [] { return Result<void>(); }}));
  EXPECT_EQ(connections, 1);
}

TEST_F(NetworkTransportTest, SkipsInterimResponsesAndTrailers) {
  Thread server = script([&](RawListener& listener) {
    RawPeer peer = listener.accept();
    peer.read_until("\r\n\r\n");
    peer.send(
        "HTTP/1.1 103 Early Hints\r\nX: early\r\n\r\nHTTP/1.1 201 Created\r\nX:  late \r\n"
        "Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX: trailer\r\n\r\n");
  });

  const auto answer = send({});
  server.join();

  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->status, 201);
  EXPECT_EQ(answer->headers.get_all("x"), std::vector<std::string_view>{"late"});
  EXPECT_EQ(answer->body, "ok");
}

TEST_F(NetworkTransportTest, ReportsAServerThatDoesNotUseHttp) {
  Thread server = script([&](RawListener& listener) {
    RawPeer peer = listener.accept();
    peer.read_until("\r\n\r\n");
    peer.send("220 mail.example.test ESMTP\r\n\r\n");
  });

  const auto answer = send({});
  server.join();

  ASSERT_FALSE(answer);
  EXPECT_NE(answer.error().message.find("the response is not HTTP"), std::string::npos) << answer.error().message;
}

TEST_F(NetworkTransportTest, GoesThroughTheProxyOfTheEndpointAndNoOther) {
  std::string first_line;
  Thread proxy = script([&](RawListener& listener) {
    RawPeer peer = listener.accept();
    first_line = peer.read_until("\r\n");
    peer.read_until("\r\n\r\n");
    peer.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
  });
  ::setenv("http_proxy", "http://127.0.0.1:1", 1);
  const std::string proxy_url = endpoint_->url();
  endpoint_ = std::make_shared<Endpoint>(Endpoint{.host = "far.example.test", .port = 81, .proxy = proxy_url});

  EXPECT_TRUE(send({.target = "/x"}));
  proxy.join();
  EXPECT_EQ(first_line, "GET http://far.example.test:81/x HTTP/1.1\r\n");

  serve([](const Request&) { return Response{}; });
  EXPECT_TRUE(send({}));
  ::unsetenv("http_proxy");
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
      "the kubeconfig");
  proxy.join();

  endpoint.proxy = "http://127.0.0.1:1";
  endpoint_ = std::make_shared<Endpoint>(endpoint);
  const std::string message = send({}).error().message;
  EXPECT_NE(message.find("the proxy failed (Failed to connect to 127.0.0.1 port 1"), std::string::npos) << message;
}

TEST_F(NetworkTransportTest, RefusesInvalidRequests) {
  serve([](const Request&) { return Response{}; });
  const auto error_of = [&](Request request) {
    const auto answer = send(std::move(request));
    return answer ? Error{} : answer.error();
  };
  const std::string url = endpoint_->url();

  EXPECT_EQ(error_of({.headers = {{"Authorization", "Bearer x\n"}}}).message,
            "GET " + url + "/: the value of header Authorization contains a line break");
  EXPECT_EQ(error_of({.target = "/\r\nX: y"}).code, ErrorCode::invalid);
  EXPECT_EQ(error_of({.target = "/a b"}).code, ErrorCode::invalid);
  EXPECT_EQ(http::send(*transport_, {}).error().message, "GET /: the request has no endpoint");
  EXPECT_EQ(server_->stats().requests, 0U);
}

TEST_F(NetworkTransportConcurrency, ShutdownEndsOpenStreams) {
  const auto feed = std::make_shared<Feed>(*executor_);
  serve_feed(feed);
  std::vector<std::shared_ptr<Recorder>> answers;
  for (int i = 0; i < 10; ++i) answers.push_back(start({.timeout = 0s}));
  answers.front()->wait_for_head();

  transport_->stop();
  answers.push_back(start({}));

  for (const auto& answer : answers) {
    EXPECT_TRUE(answer->ended());
    EXPECT_EQ(answer->code(), ErrorCode::cancelled);
    EXPECT_EQ(answer->ends(), 1);
  }
}

TEST_F(NetworkTransportConcurrency, ManyThreadsSendAtOnce) {
  serve([](const Request& request) { return Response{.body = request.target}; });
  std::vector<Thread> threads;
  threads.reserve(8);
  for (int t = 0; t < 8; ++t) {
    threads.push_back(executor_->spawn({.name = "client"}, [&, t] {
      for (int i = 0; i < 50; ++i) {
        const std::string target = "/" + std::to_string(t) + "/" + std::to_string(i);
        const auto answer = send({.target = target});
        ASSERT_TRUE(answer) << answer.error().message;
        EXPECT_EQ(answer->body, target);
      }
    }));
  }
  for (Thread& thread : threads) thread.join();
  EXPECT_LE(server_->stats().accepted, 8U);
}

TEST_F(NetworkTransportConcurrency, CancelRacesResponsesAndEachEndsOnce) {
  serve([](const Request&) { return Response{.body = std::string(1000, 'x')}; });
  std::vector<std::pair<Transport::ExchangeId, std::shared_ptr<Recorder>>> started;
  started.reserve(100);
  for (int i = 0; i < 100; ++i) {
    const auto recorder = start({});
    started.emplace_back(last_, recorder);
    if (i % 2 == 0) transport_->cancel(started[static_cast<std::size_t>(i / 2)].first);
  }

  for (const auto& [id, recorder] : started) {
    const auto end = recorder->wait_for_end();
    if (end) {
      EXPECT_EQ(recorder->body().size(), 1000U);
    } else {
      EXPECT_EQ(end.error().code, ErrorCode::cancelled);
    }
  }
  transport_->stop();
  for (const auto& [id, recorder] : started) EXPECT_EQ(recorder->ends(), 1);
}

TEST_F(NetworkTransportConcurrency, PostsAndTimersRunOnTheIoThread) {
  Gate done(*executor_);
  std::string order;

  // Runs on the thread of the timers, so that none of them fires before the other calls.
  transport_->post([&] {
    order += "post ";
    transport_->start_timer(executor_->now() + 2ms, [&] {
      order += executor_->thread_name();
      done.open();
    });
    const auto cancelled = transport_->start_timer(executor_->now() + 1ms, [&] { order += "no "; });
    transport_->cancel_timer(cancelled);
  });
  done.wait();

  EXPECT_EQ(order, "post io");
}

// The memory of a sanitizer itself would be measured too.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool has_sanitizer = true;
#elif defined(__has_feature)
constexpr bool has_sanitizer = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool has_sanitizer = false;
#endif

// Returns the resident memory in bytes.
std::size_t resident() {
  std::ifstream file("/proc/self/statm");
  std::size_t total = 0;
  std::size_t pages = 0;
  file >> total >> pages;
  return pages * 4096;
}

TEST_F(NetworkTransportTest, ReportsTheTimeOfANameLookup) {
  serve([](const Request&) { return Response{.body = "x"}; });
  const auto by_name = std::make_shared<Endpoint>(*endpoint_);
  by_name->host = "localhost";

  const auto first = send({.endpoint = by_name});
  const auto again = send({.endpoint = by_name});
  const auto by_address = send({});

  ASSERT_TRUE(first && again && by_address);
  ASSERT_TRUE(first->name_lookup);
  EXPECT_GT(*first->name_lookup, 0s);
  EXPECT_FALSE(again->name_lookup) << "its connection was open";
  EXPECT_FALSE(by_address->name_lookup);
}

TEST_F(NetworkTransportTest, AThousandStreamsUseOneThreadAndLittleMemory) {
  constexpr std::size_t streams = 1000;
  if (!allow_descriptors(2 * streams + 200)) GTEST_SKIP() << "too few descriptors allowed";
  std::vector<std::shared_ptr<Feed>> feeds;
  for (std::size_t i = 0; i < streams; ++i) feeds.push_back(std::make_shared<Feed>(*executor_));
  serve([&](const Request& request) {
    return Response{.stream = std::make_unique<FedStream>(feeds[std::stoul(request.target.substr(1))])};
  });
  transport_ = make_network_transport(*executor_, {.max_connections = streams});
  const std::size_t before = resident();

  std::vector<std::shared_ptr<Recorder>> watches;
  for (std::size_t i = 0; i < streams; ++i) {
    watches.push_back(start({.target = "/" + std::to_string(i), .timeout = 0s}));
  }
  for (int round = 1; round <= 3; ++round) {
    for (std::size_t i = 0; i < streams; ++i) feeds[i]->push("event " + std::to_string(i % 10));
    const auto expected = 7U * static_cast<unsigned>(round);
    for (const auto& watch : watches) ASSERT_EQ(watch->wait_for_body(expected).size(), expected);
  }
  const std::size_t after = resident();

  RecordProperty("bytes_per_stream_both_sides", static_cast<int>((after - before) / streams));
  if (!has_sanitizer) {
    EXPECT_LT(after - before, streams * 48 * 1024);
  }
  for (const auto& feed : feeds) feed->finish();
  for (const auto& watch : watches) EXPECT_TRUE(watch->wait_for_end());
}

}  // namespace
}  // namespace pintle::http
