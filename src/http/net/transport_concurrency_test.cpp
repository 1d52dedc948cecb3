// SPDX-License-Identifier: Apache-2.0
// Many threads and streams on one network transport, and their end by cancel() and stop().
#include <pintle/http/net_transport.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <fstream>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pintle/testing/seeds.hpp>

#include "transport_test_support.hpp"

namespace pintle::http {
namespace {

using namespace std::chrono_literals;

TEST_F(NetworkTransportConcurrency, CancelEndsAStreamAndTheServerNotices) {
  const auto feed = std::make_shared<Feed>(*executor_);
  serve_feed(feed);
  const auto response = start({.timeout = 0s});
  response->wait_for_head();

  transport_->cancel(last_);

  EXPECT_EQ(response->code(), ErrorCode::cancelled);
  feed->wait_until_closed();
}

// Calls functions at the first bytes and at the end, and drops the bytes.
class Notified final : public ExchangeHandler {
 public:
  Notified(std::function<void()> on_first, std::function<void()> on_last)
      : on_first_(std::move(on_first)), on_last_(std::move(on_last)) {}
  void on_head(const ResponseHead&) override {}
  void on_body(std::string_view) override {
    if (const auto first = std::exchange(on_first_, nullptr)) first();
  }
  void on_end(Result<void>) override {
    if (on_last_) on_last_();
  }

 private:
  std::function<void()> on_first_;
  const std::function<void()> on_last_;
};

// A cancelled watch ends in the same turn or the next one, also while other streams always have data.
TEST_F(NetworkTransportConcurrency, CancelEndsAStreamWithinOneTurn) {
  const auto feed = std::make_shared<Feed>(*executor_);
  serve([feed](const Request& request) {
    if (request.target == "/busy") return Response{.stream = std::make_unique<EndlessBody>()};
    return Response{.stream = std::make_unique<FedStream>(feed)};
  });
  constexpr int rounds = 50;
  int turns = 0;  // this and the next two belong to the I/O thread
  int cancelled_in = 0;
  int most = 0;
  Gate done(*executor_);
  std::vector<Transport::ExchangeId> watches;
  const auto cancel_next = [&] {
    most = std::max(most, turns - cancelled_in);
    if (watches.empty()) return done.open();
    cancelled_in = turns;
    transport_->cancel(watches.back());
    watches.pop_back();
  };
  for (int i = 0; i < rounds; ++i) {
    watches.push_back(
        transport_->start({.endpoint = endpoint_, .timeout = 0s}, std::make_shared<Notified>(nullptr, cancel_next)));
  }
  for (int i = 0; i < 8; ++i) {
    const auto begun = std::make_shared<Gate>(*executor_);
    transport_->start({.target = "/busy", .endpoint = endpoint_, .timeout = 0s},
                      std::make_shared<Notified>([begun] { begun->open(); }, nullptr));
    begun->wait();
  }

  std::function<void()> tick = [&] {
    ++turns;
    transport_->post(tick);  // runs in the next turn
  };
  transport_->post([&] {
    tick();
    cancelled_in = turns;
    cancel_next();
  });
  done.wait();
  transport_->stop();

  EXPECT_GT(turns, 0);
  EXPECT_LE(most, 1);
}

TEST_F(NetworkTransportConcurrency, StopEndsASend) {
  const auto feed = std::make_shared<Feed>(*executor_);
  serve_feed(feed);
  std::stop_source stop;

  Thread stopper = executor_->spawn({.name = "stopper"}, [&] { stop.request_stop(); });
  const auto response = send({.timeout = 0s}, stop.get_token());
  stopper.join();

  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code, ErrorCode::cancelled);
}

TEST_F(NetworkTransportConcurrency, StopEndsASendThatWaitsForAConnection) {
  RawListener full(0);  // leaves further connections pending
  const RawPeer one = RawPeer::connect(full.port());
  endpoint_ = plain_endpoint(full.port());
  std::stop_source stop;

  Thread stopper = executor_->spawn({.name = "stopper"}, [&] { stop.request_stop(); });
  const auto response = send({.timeout = 0s}, stop.get_token());
  stopper.join();

  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code, ErrorCode::cancelled);
}

TEST_F(NetworkTransportConcurrency, ShutdownEndsSendsOfOtherThreads) {
  const auto feed = std::make_shared<Feed>(*executor_);
  Gate arrived(*executor_);
  serve([&arrived, feed](const Request&) {  // the handler may end after this test
    arrived.open();
    return Response{.stream = std::make_unique<FedStream>(feed)};
  });
  Result<BufferedResponse> response;
  Thread sender = executor_->spawn({.name = "client"}, [&] { response = send({.timeout = 0s}); });
  arrived.wait();

  transport_->stop();
  sender.join();

  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code, ErrorCode::cancelled);
  EXPECT_EQ(send({}).error().code, ErrorCode::cancelled);
}

// Each of them stops at another moment: before the connection, during the request, during the response, after it.
TEST_F(NetworkTransportConcurrency, StopRacesASendAndEachEndsOnce) {
  serve([](const Request&) { return Response{.body = std::string(100'000, 'x')}; });
  for (int i = 0; i < 100; ++i) {
    std::stop_source stop;
    Thread stopper = executor_->spawn({.name = "stopper"}, [&] {
      for (int turn = 0; turn < i; ++turn) (void)executor_->now();
      stop.request_stop();
    });
    const auto response = send({}, stop.get_token());
    stopper.join();
    if (response) {
      EXPECT_EQ(response->body.size(), 100'000U);
    } else {
      EXPECT_EQ(response.error().code, ErrorCode::cancelled);
    }
  }
}

TEST_F(NetworkTransportConcurrency, ShutdownEndsOpenStreams) {
  const auto feed = std::make_shared<Feed>(*executor_);
  serve_feed(feed);
  std::vector<std::shared_ptr<Recorder>> responses;
  for (int i = 0; i < 10; ++i) responses.push_back(start({.timeout = 0s}));
  responses.front()->wait_for_head();

  transport_->stop();
  responses.push_back(start({}));

  for (const auto& response : responses) {
    EXPECT_TRUE(response->ended());
    EXPECT_EQ(response->code(), ErrorCode::cancelled);
    EXPECT_EQ(response->ends(), 1);
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
        const auto response = send({.target = target});
        ASSERT_TRUE(response) << response.error().message;
        EXPECT_EQ(response->body, target);
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

// Returns the resident memory in bytes.
std::size_t resident() {
  std::ifstream file("/proc/self/statm");
  std::size_t total = 0;
  std::size_t pages = 0;
  file >> total >> pages;
  return pages * 4096;
}

// There are more streams than the 1,024 connections that were once the maximum: none of them waits for another.
TEST_F(NetworkTransportTest, AThousandStreamsUseOneThreadAndLittleMemory) {
  constexpr std::size_t streams = 1030;
  if (!allow_descriptors(2 * streams + 200)) GTEST_SKIP() << "too few descriptors allowed";
  std::vector<std::shared_ptr<Feed>> feeds;
  for (std::size_t i = 0; i < streams; ++i) feeds.push_back(std::make_shared<Feed>(*executor_));
  serve([&](const Request& request) {
    return Response{.stream = std::make_unique<FedStream>(feeds[std::stoul(request.target.substr(1))])};
  });
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
  // The memory of a sanitizer itself would be measured too.
  if (!testkit::is_sanitized) {
    EXPECT_LT(after - before, streams * 48 * 1024);
  }
  for (const auto& feed : feeds) feed->finish();
  for (const auto& watch : watches) EXPECT_TRUE(watch->wait_for_end());
}

}  // namespace
}  // namespace pintle::http
