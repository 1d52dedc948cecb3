// SPDX-License-Identifier: Apache-2.0
#include "blocking_pool.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <pintle/sim/simulated_executor.hpp>

namespace pintle::http {
namespace {

using namespace std::chrono_literals;

class BlockingPoolTest : public ::testing::Test {
 protected:
  std::function<void()> nap() {
    return [this] {
      executor_.sleep_for(1s);
      ended_.push_back(executor_.now());
    };
  }

  SimulatedExecutor executor_{{.seed = 1}};
  std::vector<Instant> ended_;
};

TEST_F(BlockingPoolTest, RunsAsManyAtOnceAsItHasThreads) {
  BlockingPool pool(executor_, 2, 8);
  const Instant begun = executor_.now();

  for (int i = 0; i < 4; ++i) ASSERT_TRUE(pool.run({.run = nap()}));
  executor_.sleep_for(10s);

  ASSERT_EQ(ended_.size(), 4U);
  EXPECT_EQ(ended_[1] - begun, 1s);
  EXPECT_EQ(ended_[3] - begun, 2s);
}

TEST_F(BlockingPoolTest, RefusesFunctionsBeyondItsLimit) {
  BlockingPool pool(executor_, 1, 2);
  ASSERT_TRUE(pool.run({.run = nap()}));
  executor_.sleep_for(1ms);  // a thread runs the first one

  EXPECT_TRUE(pool.run({.run = nap()}));
  EXPECT_TRUE(pool.run({.run = nap()}));
  EXPECT_FALSE(pool.run({.run = nap()}));
  executor_.sleep_for(10s);
  EXPECT_EQ(ended_.size(), 3U);
}

TEST_F(BlockingPoolTest, FlowsAlternateAlsoBesideHighPriority) {
  BlockingPool pool(executor_, 1, 64);
  std::vector<std::string> order;
  const auto add = [&](const std::string& flow, bool high_priority = false) {
    return pool.run({.run =
                         [&, flow] {
                           executor_.sleep_for(1s);
                           order.push_back(flow);
                         },
                     .flow = flow,
                     .high_priority = high_priority});
  };
  ASSERT_TRUE(add("a"));
  executor_.sleep_for(1ms);  // a thread runs the first one
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(add("a"));
  for (const char* flow : {"b", "b", "c"}) ASSERT_TRUE(add(flow));
  executor_.sleep_for(1min);
  EXPECT_EQ(order, (std::vector<std::string>{"a", "a", "b", "c", "a", "b", "a"}));

  order.clear();
  ASSERT_TRUE(add("a"));
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(add("b"));
  for (int i = 0; i < 8; ++i) ASSERT_TRUE(add("first", true));
  executor_.sleep_for(1min);
  const std::string all = [&] {
    std::string text;
    for (const std::string& flow : order) text += flow[0];
    return text;
  }();
  EXPECT_EQ(std::count(all.begin(), all.begin() + 9, 'f'), 6) << all << ": every fourth turn is of the others";
}

TEST_F(BlockingPoolTest, AFlowHasAllThreadsButOne) {
  BlockingPool pool(executor_, 3, 64);
  const Instant begun = executor_.now();
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(pool.run({.run = nap(), .flow = "a"}));
  executor_.sleep_for(1ms);
  Instant other{};
  ASSERT_TRUE(pool.run({.run =
                            [&] {
                              executor_.sleep_for(1s);
                              other = executor_.now();
                            },
                        .flow = "b"}));
  executor_.sleep_for(1min);
  EXPECT_EQ(other - begun, 1001ms) << "one thread was free";
  ASSERT_EQ(ended_.size(), 10U);
  EXPECT_EQ(ended_.back() - begun, 5s) << "two at once";
}

TEST_F(BlockingPoolTest, AShortFlowTakesAPlaceFromTheLongestOne) {
  BlockingPool pool(executor_, 1, 4);
  std::string events;
  const auto add = [&](const std::string& flow) {
    return pool.run({.run =
                         [&, flow] {
                           executor_.sleep_for(1s);
                           events += flow;
                         },
                     .refuse = [&, flow] { events += "-" + flow; },
                     .flow = flow});
  };
  ASSERT_TRUE(add("a"));
  executor_.sleep_for(1ms);
  for (int i = 0; i < 4; ++i) ASSERT_TRUE(add("a"));
  EXPECT_FALSE(add("a"));
  EXPECT_TRUE(add("b"));
  EXPECT_TRUE(add("b"));
  EXPECT_FALSE(add("b")) << "its line would be the longest";
  EXPECT_TRUE(add("c"));
  EXPECT_TRUE(add("d"));
  EXPECT_FALSE(add("e")) << "no line has two tasks";
  EXPECT_EQ(events, "-a-a-a-b");
  executor_.sleep_for(1min);
  EXPECT_EQ(events, "-a-a-a-baabcd");
}

TEST_F(BlockingPoolTest, StopWaitsForRunningFunctionsAndDropsTheRest) {
  BlockingPool pool(executor_, 1, 8);
  ASSERT_TRUE(pool.run({.run = nap()}));
  ASSERT_TRUE(pool.run({.run = nap()}));
  executor_.sleep_for(1ms);

  pool.stop();

  EXPECT_EQ(ended_.size(), 1U);
  EXPECT_FALSE(pool.run({.run = nap()}));
}

}  // namespace
}  // namespace pintle::http
