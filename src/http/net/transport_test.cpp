// SPDX-License-Identifier: Apache-2.0
// Requests and responses of the network transport: content, connections, proxies and time limits.
#include <pintle/http/net_transport.hpp>

#include <signal.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <pintle/base/metrics.hpp>

#include "transport_test_support.hpp"

namespace pintle::http {
namespace {

using namespace std::chrono_literals;

TEST_F(NetworkTransportTest, CarriesEveryMethodWithItsBody) {
  serve([](const Request& request) {
    return Response{.status = 202,
                    .headers = {{"X-Length", std::string(request.headers.get("Content-Length").value_or("none"))}},
                    .body = request.method + " " + request.target + " " + request.body};
  });
  struct Case {
    std::string method, body, length, response;
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
    const auto response = send({.method = c.method, .target = "/a%2Fb/../c?x=1&y=a%20b", .body = c.body});
    ASSERT_TRUE(response) << response.error().message;
    EXPECT_EQ(response->status, 202);
    EXPECT_EQ(response->headers.get("x-length"), c.length) << c.method;
    EXPECT_EQ(response->body, c.response);
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

  const auto response = send({.method = "POST",
                              .headers = {{"Authorization", "Bearer x"},
                                          {"X-Empty", ""},
                                          {"Accept", "application/json"},
                                          {"content-length", "7"}},
                              .body = std::string(2'000'000, 'x')});

  ASSERT_TRUE(response);
  EXPECT_EQ(names, "Host=127.0.0.1:" + std::to_string(server_->port()) +
                       ";Authorization=Bearer x;X-Empty=;Accept=application/json;Content-Length=2000000;");
  EXPECT_EQ(response->headers.get("x-empty"), "");
  EXPECT_EQ(response->headers.get_all("twice"), (std::vector<std::string_view>{"a", "b"}));
}

TEST_F(NetworkTransportTest, CarriesLargeBodiesBothWays) {
  std::string large(8'000'000, 'x');
  for (std::size_t i = 0; i < large.size(); i += 1000) large[i] = static_cast<char>('a' + i / 1000 % 26);
  serve([&](const Request& request) { return Response{.body = request.body + large}; });
  const std::string sent = large.substr(0, 3'000'000);

  const auto response = send({.method = "PUT", .body = sent});
  const auto pieces = start({});

  ASSERT_TRUE(response);
  EXPECT_TRUE(response->body == sent + large);
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

  const auto response = start({.timeout = 0s});
  response->wait_for_head();
  feed->push("one");
  EXPECT_EQ(response->wait_for_body(3), "one");
  feed->push("two");
  EXPECT_EQ(response->wait_for_body(6), "onetwo");
  feed->finish();

  EXPECT_TRUE(response->wait_for_end());
  EXPECT_EQ(response->heads(), 1);
}

TEST_F(NetworkTransportTest, NoWakeOfAStreamIsLost) {
  const auto feed = std::make_shared<Feed>(*executor_);
  feed->push("a");
  serve_feed(feed);
  const auto response = start({.timeout = 0s});
  response->wait_for_body(1);
  feed->push_during_read("c");
  feed->push("b");

  EXPECT_EQ(response->wait_for_body(3), "abc");
}

// A stream that receives much at once is read less often, but its last part and the next response arrive.
TEST_F(NetworkTransportTest, ALargeResponseIsReadToItsLastByteAndItsConnectionIsUsedAgain) {
  const auto chunk = [](const std::string& text) { return fmt::format("{:x}\r\n{}\r\n", text.size(), text); };
  constexpr std::size_t large = 4'000'000;
  const auto response = std::make_shared<Recorder>(*executor_);
  const Thread server = script([&](RawListener& listener) {
    RawPeer peer = listener.accept();
    peer.read_until("\r\n\r\n");
    peer.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk(std::string(large, 'x')));
    response->wait_for_body(large);
    peer.send(chunk("y"));
    response->wait_for_body(large + 1);
    peer.send(chunk(std::string(large, 'z')) + chunk(""));
    peer.read_until("\r\n\r\n");
    peer.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
  });
  transport_->start({.endpoint = endpoint_, .timeout = 20s}, response);

  EXPECT_TRUE(response->wait_for_end());
  EXPECT_TRUE(response->body() == std::string(large, 'x') + 'y' + std::string(large, 'z'));
  const auto next = send({.timeout = 20s});
  ASSERT_TRUE(next) << next.error().message;
  EXPECT_EQ(next->body, "ok");
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

  std::vector<std::shared_ptr<Recorder>> responses;
  responses.reserve(20);
  for (int i = 0; i < 20; ++i) responses.push_back(start({}));

  for (const auto& response : responses) EXPECT_TRUE(response->wait_for_end());
  EXPECT_LE(server_->stats().accepted, 2U);
}

TEST_F(NetworkTransportTest, ARequestIsCheckedAgainOnceItIsConnected) {
  std::string came = "nothing yet";
  Thread server = script([&](RawListener& listener) { came = listener.accept().read_until("\r\n\r\n"); });
  int checks = 0;
  const auto until_connected = [&]() -> Result<void> {
    if (++checks == 1) return {};  // there is no connection yet
    return fail(ErrorCode::cancelled, "not any more");
  };

  const auto response = send({.method = "PUT", .body = "x", .before_send = until_connected});
  server.join();

  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().message, "not any more");
  EXPECT_EQ(response.error().code, ErrorCode::cancelled);
  EXPECT_EQ(came, "");
  EXPECT_EQ(checks, 2);
}

TEST_F(NetworkTransportTest, ARefusedRequestOpensNoConnection) {
  int connections = 0;
  serve([&](const Request&) { return ++connections, Response{}; });

  const auto response = send({.before_send = [] { return Result<void>(fail(ErrorCode::cancelled, "no")); }});

  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().message, "no");
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

  const auto response = send({});
  server.join();

  ASSERT_TRUE(response) << response.error().message;
  EXPECT_EQ(response->status, 201);
  EXPECT_EQ(response->headers.get_all("x"), std::vector<std::string_view>{"late"});
  EXPECT_EQ(response->body, "ok");
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

// A proxy may be behind a load balancer, too.
TEST_F(NetworkTransportTest, AConnectionThroughAProxyHasALimitedLife) {
  std::atomic<int> accepted = 0;
  Thread proxy = script([&](RawListener& listener) {
    for (int i = 0; i < 2; ++i) {
      RawPeer peer = listener.accept();
      ++accepted;
      while (!peer.read_until("\r\n\r\n").empty()) peer.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    }
  });
  MetricsRegistry metrics;
  const auto shown = [&] { return metrics.gauge("pintle_client_connections", "", {{"state", "proxied"}}).value(); };
  transport_ = make_network_transport(*executor_, {.max_life = 1s, .metrics = &metrics});
  endpoint_ = std::make_shared<Endpoint>(Endpoint{.host = "far.example.test", .port = 81, .proxy = endpoint_->url()});
  const Instant begun = executor_->now();

  while (accepted < 2 && executor_->now() < begun + 30s) {
    if (const auto response = send({}); !response) {
      ADD_FAILURE() << response.error().message;
      break;
    }
    executor_->sleep_for(20ms);
  }

  EXPECT_EQ(accepted, 2);
  EXPECT_GE(executor_->now() - begun, 900ms) << "it is used more than once";
  EXPECT_EQ(shown(), 1);
  transport_->stop();
  EXPECT_EQ(shown(), 0);
  for (int i = accepted; i < 2; ++i) (void)RawPeer::connect(listener_.port());  // ends the script
}

TEST_F(NetworkTransportTest, ShowsItsConnections) {
  MetricsRegistry metrics;
  const auto shown = [&](const std::string& state) {
    return metrics.gauge("pintle_client_connections", "", {{"state", state}}).value();
  };
  const auto feed = std::make_shared<Feed>(*executor_);
  serve([feed](const Request& request) {
    if (request.target == "/watch") return Response{.stream = std::make_unique<FedStream>(feed)};
    return Response{.body = "x"};
  });
  transport_ = make_network_transport(*executor_, {.metrics = &metrics});

  const auto watch = start({.target = "/watch", .timeout = 0s});
  watch->wait_for_head();
  ASSERT_TRUE(send({}));

  EXPECT_EQ(shown("in_use"), 1);
  EXPECT_EQ(shown("idle"), 1);
  transport_->stop();
  EXPECT_EQ(shown("in_use"), 0);
  EXPECT_EQ(shown("idle"), 0);
}

TEST_F(NetworkTransportTest, ReachesAServerByIpv6) {
  serve([](const Request& request) { return Response{.body = std::string(*request.headers.get("Host"))}; },
        {.listen = "[::1]:0"});
  const std::string port = std::to_string(server_->port());
  endpoint_ = std::make_shared<Endpoint>(Endpoint{.host = "::1", .port = server_->port()});

  const auto response = send({});

  ASSERT_TRUE(response) << response.error().message;
  EXPECT_EQ(response->body, "[::1]:" + port);
  EXPECT_FALSE(response->name_lookup);
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

}  // namespace
}  // namespace pintle::http
