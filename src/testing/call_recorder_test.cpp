// SPDX-License-Identifier: Apache-2.0
#include <pintle/testing/call_recorder.hpp>

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <pintle/sim/simulated_executor.hpp>

namespace pintle::testkit {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

class CallRecorderTest : public ::testing::Test {
 protected:
  SimulatedExecutor executor{{.seed = 1}};
  CallRecorder calls{executor};
};

TEST_F(CallRecorderTest, RecordsCallsAndTheirTimes) {
  EXPECT_TRUE(calls.call("create", "default/a", "size 1"));
  executor.sleep_for(10s);
  EXPECT_TRUE(calls.call("delete", "default/a"));
  EXPECT_TRUE(calls.call("delete", "default/b"));
  ASSERT_EQ(calls.size(), 3U);
  EXPECT_EQ(calls.all()[0].arguments, "size 1");
  EXPECT_EQ(calls.all()[1].at, 10s);
  EXPECT_EQ(calls.of("delete").size(), 2U);
  EXPECT_EQ(calls.about("default/a").size(), 2U);
  EXPECT_EQ(calls.of("delete").about("default/b").size(), 1U);
  EXPECT_EQ(calls.since(1s).size(), 2U);
}

// The example in the header.
TEST_F(CallRecorderTest, LetsTheNextCallsFail) {
  std::set<std::string> buckets;
  const auto create = [&](const std::string& key) {
    return calls.call("create", key, "", [&] { buckets.insert(key); });
  };
  calls.fail_next(make_error(ErrorCode::unavailable, "the cloud is away"), 2, "create");
  EXPECT_TRUE(calls.call("list"));
  EXPECT_EQ(create("a").error().code, ErrorCode::unavailable);
  EXPECT_EQ(create("a").error().message, "the cloud is away");
  EXPECT_TRUE(buckets.empty()) << "a call that fails has no effect";
  EXPECT_TRUE(create("a"));
  EXPECT_TRUE(buckets.contains("a"));
  EXPECT_TRUE(calls.at_most(12, 1h));
}

TEST_F(CallRecorderTest, LosesAResponseAfterTheEffect) {
  bool done = false;
  calls.drop_next_response();
  EXPECT_EQ(calls.call("create", "", "", [&] { done = true; }).error().code, ErrorCode::unreachable);
  EXPECT_TRUE(done);
  EXPECT_TRUE(calls.call("create"));
}

TEST_F(CallRecorderTest, LetsACallArriveTwice) {
  int made = 0;
  calls.repeat_next(1, "create");
  EXPECT_TRUE(calls.call("list", "", "", [&] { made += 10; }));
  EXPECT_TRUE(calls.call("create", "", "", [&] { ++made; }));
  EXPECT_EQ(made, 12);
  EXPECT_TRUE(calls.call("create", "", "", [&] { ++made; }));
  EXPECT_EQ(made, 13) << "only the next call";
  EXPECT_EQ(calls.size(), 3U) << "the caller made it once";
  calls.repeat_next();
  calls.fail_next(make_error(ErrorCode::unavailable, "away"));
  EXPECT_FALSE(calls.call("create", "", "", [&] { ++made; }));
  EXPECT_EQ(made, 13) << "a call that fails has no effect";
}

TEST_F(CallRecorderTest, ShowsEachCallWithItsResult) {
  std::vector<std::string> seen;
  calls.observe([&](const RecordedCall& call, const Result<void>& result) {
    seen.push_back(call.what + " " + call.key + (result ? "" : ": " + result.error().message));
  });
  calls.fail_next(make_error(ErrorCode::unavailable, "away"));
  EXPECT_FALSE(calls.call("create", "a"));
  EXPECT_TRUE(calls.call("create", "b"));
  EXPECT_EQ(seen, (std::vector<std::string>{"create a: away", "create b"}));
}

TEST_F(CallRecorderTest, DelaysACallUntilItIsStopped) {
  calls.delay_next(1min, 2);
  const Instant begun = executor.now();
  EXPECT_TRUE(calls.call("create"));
  EXPECT_EQ(executor.now() - begun, 1min);
  std::stop_source stop;
  stop.request_stop();
  bool done = false;
  const auto ended = calls.call(
      "create", "", "", [&] { done = true; }, stop.get_token());
  EXPECT_EQ(ended.error().code, ErrorCode::cancelled);
  EXPECT_FALSE(done);
}

TEST_F(CallRecorderTest, ReportsTooManyCalls) {
  for (int i = 0; i < 4; ++i) {
    EXPECT_TRUE(calls.call("create", "default/a"));
    executor.sleep_for(20min);
  }
  EXPECT_TRUE(calls.at_most(3, 1h)) << "the fourth is an hour after the first";
  EXPECT_FALSE(calls.at_most(2, 1h));
  const std::string message = calls.at_most(2, 1h).message;
  EXPECT_THAT(message, HasSubstr("more than 2 calls within 1h"));
  EXPECT_THAT(message, HasSubstr("call 3 of 4, create default/a, was made at 40m"));
  const ::testing::AssertionResult shown = calls.at_most(2, 1h);
  EXPECT_FALSE(shown);
  EXPECT_EQ(shown.message(), message);
}

TEST_F(CallRecorderTest, AtMostFailsBeyondTheCallsThatItKeeps) {
  for (int i = 0; i <= 100'000; ++i) (void)calls.call("create");
  EXPECT_EQ(calls.size(), 100'001U);
  EXPECT_EQ(calls.all().size(), 100'000U);
  EXPECT_FALSE(calls.at_most(1'000'000, 1h));
}

TEST_F(CallRecorderTest, TakesCallsFromSeveralThreads) {
  std::vector<Thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.push_back(executor.spawn({.name = "caller"}, [&] {
      for (int n = 0; n < 10; ++n) (void)calls.call("create");
    }));
  }
  threads.clear();
  EXPECT_EQ(calls.all().size(), 40U);
}

}  // namespace
}  // namespace pintle::testkit
