#include "blocking_pool.hpp"

#include <gtest/gtest.h>

#include <pintle/base/simulated_runtime.hpp>

namespace pintle::http {
namespace {

using namespace std::chrono_literals;

class BlockingPoolTest : public ::testing::Test {
 protected:
  std::function<void()> nap() {
    return [this] {
      runtime_.sleep_for(1s);
      ended_.push_back(runtime_.now());
    };
  }

  SimulatedRuntime runtime_{{.seed = 1}};
  std::vector<Instant> ended_;
};

TEST_F(BlockingPoolTest, RunsAsManyAtOnceAsItHasThreads) {
  BlockingPool pool(runtime_, 2, 8);
  const Instant begun = runtime_.now();

  for (int i = 0; i < 4; ++i) ASSERT_TRUE(pool.run(nap()));
  runtime_.sleep_for(10s);

  ASSERT_EQ(ended_.size(), 4U);
  EXPECT_EQ(ended_[1] - begun, 1s);
  EXPECT_EQ(ended_[3] - begun, 2s);
}

TEST_F(BlockingPoolTest, RefusesWhatIsBeyondItsLimit) {
  BlockingPool pool(runtime_, 1, 2);
  ASSERT_TRUE(pool.run(nap()));
  runtime_.sleep_for(1ms);  // a thread has that one

  EXPECT_TRUE(pool.run(nap()));
  EXPECT_TRUE(pool.run(nap()));
  EXPECT_FALSE(pool.run(nap()));
  runtime_.sleep_for(10s);
  EXPECT_EQ(ended_.size(), 3U);
}

TEST_F(BlockingPoolTest, StopWaitsForWhatRunsAndDropsTheRest) {
  BlockingPool pool(runtime_, 1, 8);
  ASSERT_TRUE(pool.run(nap()));
  ASSERT_TRUE(pool.run(nap()));
  runtime_.sleep_for(1ms);

  pool.stop();

  EXPECT_EQ(ended_.size(), 1U);
  EXPECT_FALSE(pool.run(nap()));
}

}  // namespace
}  // namespace pintle::http
