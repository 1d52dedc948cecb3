// SPDX-License-Identifier: Apache-2.0
#include <pintle/http/transport.hpp>

#include <set>
#include <stdexcept>
#include <utility>

#include <gtest/gtest.h>

#include <pintle/sim/in_process_transport.hpp>

#include "test_support.hpp"

namespace pintle::http {
namespace {

using namespace std::chrono_literals;

TEST(SendConcurrency, ReturnsTheWholeResponse) {
  on_both_executors([](Executor& executor) {
    const std::string body(200'000, 'y');
    FunctionHandler handler([&](const Request&) {
      return Response{.status = 404, .headers = {{"Content-Type", "text/plain"}}, .body = body};
    });
    InProcessTransport transport(executor, handler);

    const Result<BufferedResponse> response = send(transport, {});

    ASSERT_TRUE(response);
    EXPECT_EQ(response->status, 404);
    EXPECT_EQ(response->headers.get("content-type"), "text/plain");
    EXPECT_EQ(response->body, body);
  });
}

TEST(SendConcurrency, IsRefusedOnAThreadThatMustNotBlock) {
  on_both_executors([](Executor& executor) {
    int handled = 0;
    FunctionHandler handler([&](const Request&) {
      ++handled;
      return Response{};
    });
    InProcessTransport transport(executor, handler);
    Error error;
    Gate done(executor);

    transport.post([&] {
      error = send(transport, {.method = "PATCH", .target = "/api"}).error();
      done.open();
    });
    done.wait();

    EXPECT_EQ(error.code, ErrorCode::unsupported);
    EXPECT_EQ(error.message,
              "PATCH /api: the call blocks, and it was made on thread \"io\", which must not block; make it in a "
              "reconcile or a task");
    EXPECT_EQ(handled, 0);
  });
}

TEST(SendConcurrency, EndsWhenStopIsRequested) {
  std::set<ErrorCode> seen;
  on_both_executors([&](Executor& executor) {
    const auto feed = std::make_shared<Feed>(executor);
    FunctionHandler handler([&](const Request&) { return Response{.stream = std::make_unique<FedStream>(feed)}; });
    InProcessTransport transport(executor, handler);
    std::stop_source stop;

    Thread stopper = executor.spawn({.name = "stopper"}, [&] { stop.request_stop(); });
    const Result<BufferedResponse> response = send(transport, {.timeout = 0s}, stop.get_token());
    stopper.join();

    ASSERT_FALSE(response);
    seen.insert(response.error().code);
  });
  EXPECT_EQ(seen, std::set<ErrorCode>{ErrorCode::cancelled});
}

TEST(SendConcurrency, SendsNothingAfterAStop) {
  on_both_executors([](Executor& executor) {
    int handled = 0;
    FunctionHandler handler([&](const Request&) {
      ++handled;
      return Response{};
    });
    InProcessTransport transport(executor, handler);
    std::stop_source stop;
    stop.request_stop();

    EXPECT_EQ(send(transport, {}, stop.get_token()).error().code, ErrorCode::cancelled);
    EXPECT_EQ(handled, 0);
  });
}

TEST(SendConcurrency, RefusesAResponseBeyondTheLimit) {
  on_both_executors([](Executor& executor) {
    std::string body(100'000, 'y');
    FunctionHandler handler([&](const Request&) { return Response{.body = body}; });
    InProcessTransport transport(executor, handler);

    EXPECT_TRUE(send(transport, {}, {}, 100'000));
    const Result<BufferedResponse> response = send(transport, {.target = "/big"}, {}, 99'999);

    ASSERT_FALSE(response);
    EXPECT_EQ(response.error().code, ErrorCode::invalid);
    EXPECT_EQ(response.error().message, "GET /big: the response is larger than 99999 bytes");
  });
}

TEST(SendConcurrency, PassesErrorsOn) {
  on_seeds(100, [](Executor& executor) {
    const auto feed = std::make_shared<Feed>(executor);
    FunctionHandler handler([&](const Request&) { return Response{.stream = std::make_unique<FedStream>(feed)}; });
    InProcessTransport transport(executor, handler);

    EXPECT_EQ(send(transport, {.timeout = 5s}).error().code, ErrorCode::timeout);
    transport.stop();
    EXPECT_EQ(send(transport, {}).error().code, ErrorCode::cancelled);
  });
}

TEST(SendConcurrency, ManyThreadsReceiveTheirOwnResponses) {
  on_both_executors([](Executor& executor) {
    FunctionHandler handler([](const Request& request) { return Response{.body = request.target}; });
    InProcessTransport transport(executor, handler);
    std::vector<Thread> threads;
    threads.reserve(4);
    for (int t = 0; t < 4; ++t) {
      threads.push_back(executor.spawn({.name = "client"}, [&, t] {
        for (int i = 0; i < 10; ++i) {
          const std::string target = "/" + std::to_string(t) + "/" + std::to_string(i);
          EXPECT_EQ(send(transport, {.target = target}).value().body, target);
        }
      }));
    }
    for (Thread& thread : threads) thread.join();
  });
}

// A server with one body, which is pushed in parts and stays open until the test or the reader ends it.
struct Stage {
  explicit Stage(Executor& executor)
      : feed(std::make_shared<Feed>(executor)),
        handler(
            [this](const Request&) { return Response{.status = 201, .stream = std::make_unique<FedStream>(feed)}; }),
        transport(executor, handler) {}

  std::shared_ptr<Feed> feed;
  FunctionHandler handler;
  InProcessTransport transport;
};

TEST(ReceiveConcurrency, DeliversTheResponseWhileItArrives) {
  on_both_executors([](Executor& executor) {
    Stage stage(executor);
    std::string received;
    stage.feed->push("one");

    const auto end = receive(stage.transport, {.timeout = 0s},
                             {.on_head = [&](const ResponseHead& head) { received += std::to_string(head.status); },
                              .on_bytes =
                                  [&](std::string_view bytes) {
                                    received += bytes;
                                    if (received == "201one") stage.feed->push("two");
                                    if (received == "201onetwo") stage.feed->finish();
                                    return true;
                                  }});

    EXPECT_TRUE(end);
    EXPECT_EQ(received, "201onetwo");
  });
}

TEST(ReceiveConcurrency, EndsWithoutAnErrorWhenTheReaderStops) {
  on_both_executors([](Executor& executor) {
    Stage stage(executor);
    stage.feed->push("one");

    EXPECT_TRUE(receive(stage.transport, {.timeout = 0s}, {.on_bytes = [](std::string_view) { return false; }}));
    stage.feed->wait_until_closed();
  });
}

// The destruction of the stream shows that the exchange has ended.
TEST(ReceiveConcurrency, EndsTheExchangeIfTheReaderThrows) {
  on_both_executors([](Executor& executor) {
    Stage stage(executor);
    stage.feed->push("one");
    const Reader reader{.on_bytes = [](std::string_view) -> bool { throw std::runtime_error("no"); }};

    EXPECT_THROW((void)receive(stage.transport, {.timeout = 0s}, reader), std::runtime_error);
    stage.feed->wait_until_closed();
  });
}

TEST(ReceiveConcurrency, EndsWhenStopIsRequested) {
  on_both_executors([](Executor& executor) {
    Stage stage(executor);
    stage.feed->push("one");
    std::stop_source stop;

    const auto end = receive(stage.transport, {.timeout = 0s},
                             {.on_bytes =
                                  [&](std::string_view) {
                                    stop.request_stop();
                                    return true;
                                  }},
                             stop.get_token());

    ASSERT_FALSE(end);
    EXPECT_EQ(end.error().code, ErrorCode::cancelled);
  });
}

TEST(ReceiveConcurrency, EndsWhenTheBufferOverflows) {
  on_seeds(100, [](Executor& executor) {
    Stage stage(executor);
    stage.feed->push("one");
    bool first = true;

    const auto end = receive(stage.transport, {.target = "/slow", .timeout = 0s},
                             {.on_bytes =
                                  [&](std::string_view) {
                                    if (!std::exchange(first, false)) return true;
                                    stage.feed->push(std::string(200'000, 'x'));
                                    executor.sleep_for(1s);
                                    return true;
                                  },
                              .buffer = 1000});

    ASSERT_FALSE(end);
    EXPECT_EQ(end.error().message, "GET /slow: the reader is too slow, more than 1000 bytes are buffered");
  });
}

TEST(ReceiveConcurrency, PassesErrorsOn) {
  on_seeds(100, [](Executor& executor) {
    Stage stage(executor);
    const Reader reader{.on_bytes = [](std::string_view) { return true; }};

    EXPECT_EQ(receive(stage.transport, {.timeout = 5s}, reader).error().code, ErrorCode::timeout);
    stage.transport.stop();
    EXPECT_EQ(receive(stage.transport, {}, reader).error().code, ErrorCode::cancelled);
  });
}

}  // namespace
}  // namespace pintle::http
