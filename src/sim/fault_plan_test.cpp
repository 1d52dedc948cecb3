// SPDX-License-Identifier: Apache-2.0
#include <pintle/sim/fault_plan.hpp>

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include <pintle/sim/in_process_transport.hpp>

#include "http/test_support.hpp"

namespace pintle::http {
namespace {

using namespace std::chrono_literals;

// A server that counts its requests, behind a transport with a fault plan.
class FaultPlanTest : public ::testing::Test {
 protected:
  explicit FaultPlanTest(std::uint64_t seed = 1) : executor({.seed = seed}) {}
  void plan(FaultPlan faults) { transport.set_faults(std::move(faults)); }
  // Sends one request. Returns the status of the response, or 0 without a response.
  int call(const std::string& method = "GET", const std::string& target = "/a") {
    last = send(transport, {.method = method, .target = target});
    return last ? last->status : 0;
  }
  std::vector<int> calls(int count) {
    std::vector<int> all;
    for (int i = 0; i < count; ++i) all.push_back(call());
    return all;
  }
  std::shared_ptr<Recorder> watch(Request request = {.target = "/a?watch=true", .timeout = 0s}) {
    auto recorder = std::make_shared<Recorder>(executor);
    transport.start(std::move(request), recorder);
    return recorder;
  }

  SimulatedExecutor executor;
  int reached = 0;
  std::shared_ptr<Feed> feed = std::make_shared<Feed>(executor);
  FunctionHandler server{[this](const Request& request) {
    ++reached;
    if (is_watch(request)) return Response{.stream = std::make_unique<FedStream>(feed)};
    return Response{.body = "good"};
  }};
  InProcessTransport transport{executor, server};
  Result<BufferedResponse> last;
};

TEST_F(FaultPlanTest, WithoutFaultsCallsAreOnlyCounted) {
  EXPECT_EQ(calls(3), (std::vector{200, 200, 200}));
  EXPECT_EQ(transport.calls(), 3U);
  EXPECT_EQ(transport.injected_faults(), 0U);
}

TEST_F(FaultPlanTest, RespondsWithAnErrorInPlaceOfTheServer) {
  plan({{.effect = ErrorResponse{.status = 503, .reason = "ServiceUnavailable", .headers = {{"Retry-After", "1"}}},
         .first = 2,
         .times = 1}});
  EXPECT_EQ(calls(3), (std::vector{200, 503, 200}));
  EXPECT_EQ(reached, 2);
  EXPECT_EQ(transport.calls(), 3U);
  EXPECT_EQ(transport.injected_faults(), 1U);
}

TEST_F(FaultPlanTest, AnErrorIsAStatusWithItsReasonAndHeaders) {
  plan({{.effect = ErrorResponse{.status = 429, .reason = "TooManyRequests", .headers = {{"Retry-After", "7"}}}}});
  ASSERT_EQ(call(), 429);
  EXPECT_NE(last->body.find(R"("kind":"Status")"), std::string::npos);
  EXPECT_NE(last->body.find(R"("reason":"TooManyRequests","code":429)"), std::string::npos);
  EXPECT_EQ(last->headers.get("retry-after"), "7");
}

TEST_F(FaultPlanTest, TheBodyOfAnErrorMayDependOnTheRequest) {
  plan({{.effect = ErrorResponse{.status = 200, .body = "unused", .body_of = [](const Request& request) {
                                   return "to " + request.target;
                                 }}}});
  ASSERT_EQ(call("GET", "/b"), 200);
  EXPECT_EQ(last->body, "to /b");
  EXPECT_EQ(reached, 0);
}

TEST_F(FaultPlanTest, AConflictHitsOnlyTheFirstAttemptOfEachWrite) {
  plan({{.effect = conflict_response(), .only = is_write, .per_target = true, .every = 2}});
  EXPECT_EQ(call("PATCH", "/a?x"), 409);
  EXPECT_EQ(call("PATCH", "/b"), 409);
  EXPECT_EQ(call("GET", "/a"), 200);
  EXPECT_EQ(call("PATCH", "/a?y"), 200);
  EXPECT_EQ(call("PATCH", "/b"), 200);
  EXPECT_EQ(call("PATCH", "/b"), 409) << "another write of it";
}

TEST_F(FaultPlanTest, AServerTimeoutMayFollowTheCommit) {
  plan({{.effect = ErrorResponse{.status = 504, .reason = "Timeout", .after_commit = true}}});
  EXPECT_EQ(call("POST"), 504);
  EXPECT_EQ(reached, 1);
}

TEST_F(FaultPlanTest, ADelayIsVirtualTime) {
  plan({{.effect = Delay{2s}}, {.effect = Delay{1s}, .first = 2}});
  const Instant begin = executor.now();
  EXPECT_EQ(call(), 200);
  EXPECT_EQ(executor.now() - begin, 2s);
  EXPECT_EQ(call(), 200);
  EXPECT_EQ(executor.now() - begin, 5s) << "both delays";
}

TEST_F(FaultPlanTest, AResponseMayBeDelayedAfterTheCommit) {
  plan({{.effect = Delay{.duration = 60s, .after_commit = true}}});
  const Instant begin = executor.now();
  EXPECT_EQ(send(transport, {.timeout = 5s}).error().code, ErrorCode::timeout);
  EXPECT_EQ(executor.now() - begin, 5s);
  EXPECT_EQ(reached, 1);
  EXPECT_EQ(send(transport, {.timeout = 0s})->status, 200);
  EXPECT_EQ(executor.now() - begin, 65s);
}

TEST_F(FaultPlanTest, ARequestThatTimesOutWhileItIsDelayedNeverReachesTheServer) {
  plan({{.effect = Delay{60s}}});
  EXPECT_EQ(send(transport, {.timeout = 5s}).error().code, ErrorCode::timeout);
  EXPECT_TRUE(executor.sleep_for(120s));
  EXPECT_EQ(reached, 0);
}

TEST_F(FaultPlanTest, ADroppedRequestIsExecutedOnlyWithAfterCommit) {
  plan({{.effect = Drop{}, .only = requests("PUT", "/")},
        {.effect = Drop{.after_commit = true}, .only = requests("POST", "/")}});
  EXPECT_EQ(call("PUT"), 0);
  EXPECT_EQ(last.error().code, ErrorCode::unreachable);
  EXPECT_EQ(reached, 0);
  EXPECT_EQ(call("POST"), 0);
  EXPECT_EQ(last.error().code, ErrorCode::unreachable);
  EXPECT_EQ(reached, 1);
}

TEST_F(FaultPlanTest, AStreamIsCutAfterSoManyBytes) {
  plan({{.effect = TruncateBody{.after_bytes = 5}, .times = 1},
        {.effect = TruncateBody{.after_bytes = 5, .how = TruncateBody::How::end}}});
  feed->push("0123");
  const auto reset = watch();
  reset->wait_for_body(4);
  feed->push("456789");
  EXPECT_EQ(reset->code(), ErrorCode::unreachable);
  EXPECT_EQ(reset->body(), "01234");
  EXPECT_TRUE(feed->closed());

  feed->push("abcdefgh");
  const auto ended = watch();
  EXPECT_TRUE(ended->wait_for_end());
  EXPECT_EQ(ended->body(), "abcde");
}

TEST_F(FaultPlanTest, AStreamIsCutAfterSoManyEvents) {
  plan({{.effect = TruncateBody{.after_events = 2}}});
  feed->push("one\ntwo\nthree\n");
  const auto cut = watch();
  EXPECT_EQ(cut->code(), ErrorCode::unreachable);
  EXPECT_EQ(cut->body(), "one\ntwo\n");
}

TEST_F(FaultPlanTest, AStreamIsCutAfterSomeTime) {
  plan({{.effect = TruncateBody{.after = 90s}}});
  const Instant begin = executor.now();
  const auto cut = watch();
  feed->push("early");
  EXPECT_EQ(cut->code(), ErrorCode::unreachable);
  EXPECT_EQ(executor.now() - begin, 90s);
  EXPECT_EQ(cut->body(), "early");
}

TEST_F(FaultPlanTest, ABodyWithoutAStreamIsCutToo) {
  plan({{.effect = TruncateBody{.after_bytes = 2}}});
  EXPECT_EQ(call(), 0);
  EXPECT_EQ(last.error().code, ErrorCode::unreachable);
}

TEST_F(FaultPlanTest, ASilentPeerEndsByTheIdleTimeoutOnly) {
  plan({{.effect = TruncateBody{.after_bytes = 3, .how = TruncateBody::How::silence}}});
  const Instant begin = executor.now();
  const auto silent = watch({.target = "/a?watch=true", .timeout = 0s, .idle_timeout = 3min});
  feed->push("0123");
  silent->wait_for_body(3);
  feed->push("more");
  EXPECT_EQ(silent->code(), ErrorCode::timeout);
  EXPECT_EQ(silent->body(), "012");
  EXPECT_EQ(executor.now() - begin, 3min);
}

TEST_F(FaultPlanTest, APeerMayFallSilentAfterSomeTime) {
  plan({{.effect = TruncateBody{.after = 30s, .how = TruncateBody::How::silence}}});
  const auto silent = watch({.target = "/a?watch=true", .timeout = 2min});
  feed->push("early");
  executor.sleep_for(1min);
  feed->push("late");
  EXPECT_EQ(silent->code(), ErrorCode::timeout);
  EXPECT_EQ(silent->body(), "early");
}

TEST_F(FaultPlanTest, AnEventIsDeliveredTwiceAlsoWhenItComesInPieces) {
  plan({{.effect = RepeatEvent{.nth = 2}}});
  const auto twice = watch();
  for (const char* piece : {"on", "e\ntw", "o\nthree\n"}) feed->push(piece);
  feed->finish();
  EXPECT_TRUE(twice->wait_for_end());
  EXPECT_EQ(twice->body(), "one\ntwo\ntwo\nthree\n");
}

TEST_F(FaultPlanTest, AnEventAndAllBehindItWaitWithoutALoss) {
  plan({{.effect = StallEvents{.nth = 2, .duration = 1min}}});
  const Instant begin = executor.now();
  const auto stalled = watch();
  feed->push("one\ntw");
  stalled->wait_for_body(4);
  EXPECT_EQ(executor.now(), begin);
  executor.sleep_for(30s);
  EXPECT_EQ(stalled->body(), "one\n");
  feed->push("o\nthree\n");
  stalled->wait_for_body(14);
  EXPECT_EQ(executor.now() - begin, 1min);
  feed->push("four\n");
  feed->finish();
  EXPECT_TRUE(stalled->wait_for_end());
  EXPECT_EQ(stalled->body(), "one\ntwo\nthree\nfour\n");
  EXPECT_EQ(executor.now() - begin, 1min);
}

TEST_F(FaultPlanTest, ABodyComesInSmallPiecesWithoutALoss) {
  plan({{.effect = SplitBody{.bytes = 3}}});
  ASSERT_EQ(call(), 200);
  EXPECT_EQ(last->body, "good");
  const auto pieces = watch();
  feed->push("0123456");
  pieces->wait_for_body(3);
  feed->push("789");
  pieces->wait_for_body(10);
  feed->finish();
  EXPECT_TRUE(pieces->wait_for_end());
  EXPECT_EQ(pieces->body(), "0123456789");
  EXPECT_EQ(pieces->largest_chunk(), 3U);
}

TEST_F(FaultPlanTest, ACrashAtACallDropsItAndEndsTheRest) {
  int crashes = 0;
  plan({{.effect = Crash{.then = [&] { ++crashes; }}, .first = 2}});
  const auto open = watch();
  open->wait_for_head();
  EXPECT_EQ(call(), 0);
  EXPECT_EQ(last.error().code, ErrorCode::cancelled);
  EXPECT_EQ(open->code(), ErrorCode::cancelled);
  EXPECT_TRUE(transport.is_crashed());
  EXPECT_EQ(crashes, 1);
  EXPECT_EQ(reached, 1);
  EXPECT_EQ(call(), 0) << "and for each further call";
  EXPECT_EQ(reached, 1);
}

TEST_F(FaultPlanTest, ACrashAfterCommitLosesTheResponse) {
  plan({{.effect = Crash{.after_commit = true}}});
  EXPECT_EQ(call("POST"), 0);
  EXPECT_EQ(last.error().code, ErrorCode::cancelled);
  EXPECT_EQ(reached, 1);
}

TEST_F(FaultPlanTest, SelectsCallsByFirstEveryAndTimes) {
  plan({{.effect = ErrorResponse{}, .first = 2, .every = 3, .times = 2}});
  EXPECT_EQ(calls(9), (std::vector{200, 500, 200, 200, 500, 200, 200, 200, 200}));
}

TEST_F(FaultPlanTest, ANewPlanCountsFromTheBeginning) {
  plan({{.effect = ErrorResponse{}, .times = 1}});
  EXPECT_EQ(calls(2), (std::vector{500, 200}));
  plan({{.effect = ErrorResponse{}, .times = 1}});
  EXPECT_EQ(calls(2), (std::vector{500, 200}));
  EXPECT_EQ(transport.calls(), 4U);
}

TEST(FaultPlan, ProbabilityDependsOnTheSeed) {
  const auto run = [](std::uint64_t seed) {
    SimulatedExecutor executor({.seed = seed});
    FunctionHandler server([](const Request&) { return Response{}; });
    InProcessTransport transport(executor, server, {{.effect = Drop{}, .probability = 0.5}});
    std::string text;
    for (int i = 0; i < 64; ++i) text += send(transport, {}) ? '.' : 'x';
    return text;
  };
  EXPECT_EQ(run(3), run(3));
  EXPECT_NE(run(3), run(4));
  const std::string text = run(5);
  const auto hits = std::count(text.begin(), text.end(), 'x');
  EXPECT_GT(hits, 16);
  EXPECT_LT(hits, 48);
}

TEST(FaultPlan, DistinguishesWritesWatchesAndReads) {
  const Request watch{.target = "/api/v1/pods?watch=true"};
  const Request list{.target = "/api/v1/pods?limit=5"};
  const Request post{.method = "POST", .target = "/api/v1/pods"};
  EXPECT_TRUE(is_watch(watch) && !is_list_or_get(watch) && !is_write(watch));
  EXPECT_TRUE(!is_watch(list) && is_list_or_get(list) && !is_write(list));
  EXPECT_TRUE(!is_watch(post) && !is_list_or_get(post) && is_write(post));
  EXPECT_TRUE(requests("POST", "/api/v1/")(post));
  EXPECT_FALSE(requests("POST", "/apis/")(post));
  EXPECT_FALSE(requests("PUT", "/api/")(post));
}

}  // namespace
}  // namespace pintle::http
