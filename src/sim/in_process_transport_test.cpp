// SPDX-License-Identifier: Apache-2.0
#include <pintle/sim/in_process_transport.hpp>

#include <map>
#include <set>

#include <gtest/gtest.h>

#include "http/test_support.hpp"

namespace pintle::http {
namespace {

using namespace std::chrono_literals;

std::shared_ptr<Recorder> start(Transport& transport, Request request) {
  auto recorder = std::make_shared<Recorder>(transport.executor());
  transport.start(std::move(request), recorder);
  return recorder;
}

FunctionHandler streaming(std::shared_ptr<Feed> feed) {
  return FunctionHandler([feed](const Request&) { return Response{.stream = std::make_unique<FedStream>(feed)}; });
}

TEST(InProcessTransportConcurrency, DeliversHeadBodyAndEnd) {
  on_both_executors([](Executor& executor) {
    FunctionHandler handler([](const Request& request) {
      return Response{.status = 201, .headers = {{"X-Of", request.method}}, .body = request.target + request.body};
    });
    InProcessTransport transport(executor, handler);

    const auto response = start(transport, {.method = "POST", .target = "/a?", .body = "hello"});

    EXPECT_TRUE(response->wait_for_end());
    EXPECT_EQ(response->head().status, 201);
    EXPECT_EQ(response->head().headers.get("x-of"), "POST");
    EXPECT_EQ(response->body(), "/a?hello");
    EXPECT_EQ(response->heads(), 1);
    EXPECT_EQ(response->ends(), 1);
  });
}

TEST(InProcessTransportConcurrency, AResponseMayWaitOnAnotherThread) {
  on_both_executors([](Executor& executor) {
    const auto gate = std::make_shared<Feed>(executor);
    FunctionHandler handler([&](const Request& request) -> Response {
      if (request.target == "/open") gate->finish();
      if (request.target != "/wait") return {.body = "at once"};
      return {.deferred = [&]() -> Response {
        gate->wait_until_finished();
        return {.status = executor.may_block() ? 202 : 500, .body = "later"};
      }};
    });
    InProcessTransport transport(executor, handler);

    const auto waiting = start(transport, {.target = "/wait"});
    const auto opening = start(transport, {.target = "/open"});

    EXPECT_TRUE(opening->wait_for_end());
    EXPECT_TRUE(waiting->wait_for_end());
    EXPECT_EQ(waiting->head().status, 202);
    EXPECT_EQ(waiting->body(), "later");
  });
}

TEST(InProcessTransportConcurrency, DeliversALargeBodyInPieces) {
  on_both_executors([](Executor& executor) {
    const std::string body(300'000, 'x');
    FunctionHandler handler([&](const Request&) { return Response{.body = body}; });
    InProcessTransport transport(executor, handler);

    const auto response = start(transport, {});

    EXPECT_TRUE(response->wait_for_end());
    EXPECT_EQ(response->body(), body);
    EXPECT_EQ(response->largest_chunk(), std::size_t{64} << 10U);
  });
}

TEST(InProcessTransportConcurrency, DeliversAStreamInOrderWhileItGrows) {
  on_both_executors([](Executor& executor) {
    const auto feed = std::make_shared<Feed>(executor);
    FunctionHandler handler = streaming(feed);
    InProcessTransport transport(executor, handler);
    std::string expected;
    for (int i = 0; i < 30; ++i) expected += std::to_string(i) + "\n";

    const auto response = start(transport, {});
    Thread writer = executor.spawn({.name = "writer"}, [&] {
      for (int i = 0; i < 30; ++i) feed->push(std::to_string(i) + "\n");
      feed->finish();
    });

    EXPECT_TRUE(response->wait_for_end());
    EXPECT_EQ(response->body(), expected);
    EXPECT_TRUE(feed->closed());
    writer.join();
  });
}

TEST(InProcessTransportConcurrency, NoWakeOfAStreamIsLost) {
  on_both_executors([](Executor& executor) {
    const auto feed = std::make_shared<Feed>(executor);
    feed->push("a");
    FunctionHandler handler = streaming(feed);
    InProcessTransport transport(executor, handler);
    const auto response = start(transport, {.timeout = 0s});
    response->wait_for_body(1);
    feed->push_during_read("c");
    feed->push("b");

    EXPECT_EQ(response->wait_for_body(3), "abc");
  });
}

TEST(InProcessTransportConcurrency, ReadsAStreamAtItsDeadline) {
  on_seeds(200, [](Executor& executor) {
    const auto feed = std::make_shared<Feed>(executor);
    const Instant begin = executor.now();
    feed->push_at(begin + 60s, "one");
    feed->push_at(begin + 120s, "two");
    FunctionHandler handler = streaming(feed);
    InProcessTransport transport(executor, handler);

    const auto response = start(transport, {.timeout = 0s});

    EXPECT_EQ(response->wait_for_body(3), "one");
    EXPECT_EQ(executor.now(), begin + 60s);
    EXPECT_EQ(response->wait_for_body(6), "onetwo");
    EXPECT_EQ(executor.now(), begin + 120s);
    EXPECT_LE(feed->reads(), 4U);
  });
}

TEST(InProcessTransportConcurrency, EndsWithTimeoutAfterTheTotalTime) {
  on_seeds(200, [](Executor& executor) {
    const auto feed = std::make_shared<Feed>(executor);
    FunctionHandler handler = streaming(feed);
    InProcessTransport transport(executor, handler);
    const Instant begin = executor.now();

    const auto response = start(transport, {.target = "/watch?x=1", .timeout = 30s});

    const Result<void> end = response->wait_for_end();
    ASSERT_FALSE(end);
    EXPECT_EQ(end.error().code, ErrorCode::timeout);
    EXPECT_EQ(end.error().message, "GET /watch: no complete response within 30s");
    EXPECT_EQ(response->ended_at(), begin + 30s);
    EXPECT_TRUE(feed->closed());
  });
}

TEST(InProcessTransportConcurrency, EndsAtADeadlineThatComesBeforeTheTimeout) {
  on_seeds(20, [](Executor& executor) {
    const auto feed = std::make_shared<Feed>(executor);
    FunctionHandler handler = streaming(feed);
    InProcessTransport transport(executor, handler);
    const Instant begun = executor.now();

    const auto early = start(transport, {.timeout = 1s, .deadline = after(begun, 5s)});
    const auto late = start(transport, {.timeout = 0s, .deadline = after(begun, 5s)});

    EXPECT_EQ(early->code(), ErrorCode::timeout);
    EXPECT_EQ(executor.now(), after(begun, 1s));
    EXPECT_EQ(late->code(), ErrorCode::timeout);
    EXPECT_EQ(executor.now(), after(begun, 5s));
  });
}

TEST(InProcessTransportConcurrency, ChecksTheRequestBeforeItIsSent) {
  on_both_executors([](Executor& executor) {
    int handled = 0;
    FunctionHandler handler([&](const Request&) { return ++handled, Response{}; });
    InProcessTransport transport(executor, handler);

    const auto refused =
        start(transport, {.before_send = [] { return Result<void>(fail(ErrorCode::cancelled, "not now")); }});
    const auto sent = start(transport, {.before_send = [] { return Result<void>(); }});

    EXPECT_EQ(refused->wait_for_end().error().message, "not now");
    EXPECT_EQ(refused->heads(), 0);
    EXPECT_TRUE(sent->wait_for_end());
    EXPECT_EQ(handled, 1);
  });
}

TEST(InProcessTransportConcurrency, EndsWithTimeoutWhenThePeerFallsSilent) {
  on_seeds(200, [](Executor& executor) {
    const auto feed = std::make_shared<Feed>(executor);
    const Instant begin = executor.now();
    for (const auto at : {5s, 10s, 14s}) feed->push_at(begin + at, "x");
    FunctionHandler handler = streaming(feed);
    InProcessTransport transport(executor, handler);

    const auto response = start(transport, {.timeout = 0s, .idle_timeout = 6s});

    const Result<void> end = response->wait_for_end();
    ASSERT_FALSE(end);
    EXPECT_EQ(end.error().code, ErrorCode::timeout);
    EXPECT_EQ(end.error().message, "GET /: the server sent no data for 6s");
    EXPECT_EQ(response->ended_at(), begin + 20s);
    EXPECT_EQ(response->body(), "xxx");
  });
}

TEST(InProcessTransportConcurrency, CancelEndsAStreamOnce) {
  on_both_executors([](Executor& executor) {
    const auto feed = std::make_shared<Feed>(executor);
    FunctionHandler handler = streaming(feed);
    InProcessTransport transport(executor, handler);
    const auto response = std::make_shared<Recorder>(executor);

    const auto id = transport.start({.timeout = 0s}, response);
    feed->push("a");
    EXPECT_EQ(response->wait_for_body(1), "a");
    transport.cancel(id);
    transport.cancel(id);

    EXPECT_EQ(response->code(), ErrorCode::cancelled);
    EXPECT_TRUE(feed->closed());
    transport.stop();
    EXPECT_EQ(response->ends(), 1);
  });
}

// A document without an end.
class EndlessDocument final : public BodyStream {
 public:
  explicit EndlessDocument(bool& is_there) : is_there_(is_there) { is_there_ = true; }
  ~EndlessDocument() override { is_there_ = false; }
  State read(std::string& out) override {
    out.append(1000, 'x');
    return State::more;
  }
  void on_ready(std::function<void()>) override {}
  [[nodiscard]] bool is_document() const override { return true; }

 private:
  bool& is_there_;
};

TEST(InProcessTransportConcurrency, CancelDropsADocumentInTheMiddle) {
  on_seeds(200, [](Executor& executor) {
    bool is_there = false;
    FunctionHandler handler(
        [&](const Request&) { return Response{.stream = std::make_unique<EndlessDocument>(is_there)}; });
    InProcessTransport transport(executor, handler);
    const auto response = std::make_shared<Recorder>(executor);
    const auto id = transport.start({}, response);
    response->wait_for_body(5000);

    transport.cancel(id);

    EXPECT_EQ(response->code(), ErrorCode::cancelled);
    EXPECT_FALSE(is_there);
  });
}

TEST(InProcessTransportConcurrency, CancelRacesTheResponseAndEitherWinsOnce) {
  std::set<std::string> seen;
  on_seeds(300, [&](Executor& executor) {
    int handled = 0;
    FunctionHandler handler([&](const Request&) {
      ++handled;
      return Response{.body = "x"};
    });
    InProcessTransport transport(executor, handler);
    const auto response = std::make_shared<Recorder>(executor);

    const auto id = transport.start({}, response);
    executor.yield();
    transport.cancel(id);
    const ErrorCode code = response->code();
    transport.stop();

    EXPECT_EQ(response->ends(), 1);
    EXPECT_EQ(response->body(), code == ErrorCode::cancelled ? "" : "x");
    seen.insert(std::to_string(handled) + std::string(to_string(code)));
  });
  // Not handled; handled, and its response was lost; handled, and its response arrived.
  EXPECT_EQ(seen, (std::set<std::string>{"0cancelled", "1cancelled", "1unknown"}));
}

TEST(InProcessTransportConcurrency, ShutdownEndsOpenAndLaterExchanges) {
  on_both_executors([](Executor& executor) {
    const auto feed = std::make_shared<Feed>(executor);
    FunctionHandler handler = streaming(feed);
    InProcessTransport transport(executor, handler);
    bool timer_ran = false;
    transport.start_timer(executor.now() + 1h, [&] { timer_ran = true; });

    const auto first = start(transport, {.timeout = 0s});
    first->wait_for_head();
    const auto second = start(transport, {.timeout = 0s});
    transport.stop();
    const auto third = start(transport, {});

    for (const auto& response : {first, second, third}) {
      EXPECT_TRUE(response->ended());
      EXPECT_EQ(response->code(), ErrorCode::cancelled);
      EXPECT_EQ(response->ends(), 1);
    }
    EXPECT_TRUE(feed->closed());
    EXPECT_FALSE(timer_ran);
    transport.stop();
  });
}

TEST(InProcessTransportConcurrency, HandlersMayUseTheirTransport) {
  on_both_executors([](Executor& executor) {
    class Chain final : public ExchangeHandler {
     public:
      Chain(Transport& transport, int left, Gate& done) : transport_(transport), left_(left), done_(done) {}
      void on_head(const ResponseHead&) override {}
      void on_body(std::string_view) override {}
      void on_end(Result<void>) override {
        if (left_ == 0) return done_.open();
        transport_.start({}, std::make_shared<Chain>(transport_, left_ - 1, done_));
      }

     private:
      Transport& transport_;
      int left_;
      Gate& done_;
    };
    int handled = 0;
    FunctionHandler handler([&](const Request&) {
      ++handled;
      return Response{.body = "x"};
    });
    InProcessTransport transport(executor, handler);
    Gate done(executor);

    transport.start({}, std::make_shared<Chain>(transport, 9, done));
    done.wait();
    transport.stop();

    EXPECT_EQ(handled, 10);
  });
}

// Each writer writes until a write ends with the error of the crash.
TEST(InProcessTransportConcurrency, ACrashEndsEverythingAndChangesNothingMore) {
  std::set<std::size_t> lost;
  on_seeds(300, [&](Executor& executor) {
    Mutex mutex(executor);
    std::set<std::string> stored;
    std::map<std::string, int> acknowledged;
    FunctionHandler handler([&](const Request& request) {
      const MutexLock lock(mutex);
      stored.insert(request.target);
      return Response{.status = 201, .body = "ok"};
    });
    InProcessTransport transport(executor, handler);
    std::vector<Thread> writers;
    writers.reserve(3);
    for (int w = 0; w < 3; ++w) {
      writers.push_back(executor.spawn({.name = "writer"}, [&, w] {
        for (int i = 0;; ++i) {
          const std::string target = "/" + std::to_string(w) + "/" + std::to_string(i);
          const auto response = start(transport, {.method = "POST", .target = target});
          const Result<void> end = response->wait_for_end();
          if (!end) {
            EXPECT_EQ(end.error().code, ErrorCode::cancelled);
            return;
          }
          const MutexLock lock(mutex);
          ++acknowledged[target];
        }
      }));
    }
    const std::uint64_t life = executor.random() % 500;
    for (std::uint64_t i = 0; i < life; ++i) executor.yield();

    transport.crash();
    std::size_t stored_at_crash = 0;
    {
      const MutexLock lock(mutex);
      stored_at_crash = stored.size();
    }
    const auto late = start(transport, {.method = "POST", .target = "/late"});
    EXPECT_EQ(late->code(), ErrorCode::cancelled);
    for (Thread& writer : writers) writer.join();
    transport.stop();

    const MutexLock lock(mutex);
    EXPECT_LE(stored.size(), stored_at_crash + 1);  // the write that the handler had
    EXPECT_FALSE(stored.contains("/late"));
    for (const auto& [target, count] : acknowledged) EXPECT_TRUE(stored.contains(target) && count == 1);
    lost.insert(stored.size() - acknowledged.size());
  });
  EXPECT_TRUE(lost.contains(0) && lost.contains(1));
}

TEST(InProcessTransportConcurrency, ACrashOfOneTransportDoesNotAffectOthers) {
  on_both_executors([](Executor& executor) {
    const auto feed = std::make_shared<Feed>(executor);
    FunctionHandler handler = streaming(feed);
    InProcessTransport dying(executor, handler);
    InProcessTransport living(executor, handler);
    const auto lost = start(dying, {.timeout = 0s});
    bool posted = false;

    dying.crash();
    EXPECT_EQ(lost->code(), ErrorCode::cancelled);
    const auto response = start(living, {.timeout = 0s});
    feed->push("a");
    EXPECT_EQ(response->wait_for_body(1), "a");
    feed->finish();
    EXPECT_TRUE(response->wait_for_end());

    Gate taken_down(executor);
    dying.post([&] {
      posted = true;
      taken_down.open();
    });
    taken_down.wait();
    EXPECT_TRUE(posted);
  });
}

TEST(InProcessTransportConcurrency, TheSameSeedGivesTheSameRun) {
  const auto run = [](std::uint64_t seed) {
    SimulatedExecutor executor({.seed = seed});
    std::string trace;
    FunctionHandler handler([&](const Request& request) {
      trace += request.target;
      return Response{.body = std::string(100'000, 'x')};
    });
    InProcessTransport a(executor, handler);
    InProcessTransport b(executor, handler);
    std::vector<Thread> clients;
    clients.reserve(4);
    for (int c = 0; c < 4; ++c) {
      clients.push_back(executor.spawn({.name = "client"}, [&, c] {
        for (int i = 0; i < 5; ++i)
          EXPECT_TRUE(start(c % 2 == 0 ? a : b, {.target = std::to_string(c)})->wait_for_end());
      }));
    }
    for (Thread& client : clients) client.join();
    a.stop();
    b.stop();
    return trace + " in " + std::to_string(executor.steps());
  };
  std::set<std::string> runs;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const std::string first = run(seed);
    EXPECT_EQ(first, run(seed));
    runs.insert(first);
  }
  EXPECT_GT(runs.size(), 40U);
}

}  // namespace
}  // namespace pintle::http
