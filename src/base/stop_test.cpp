// SPDX-License-Identifier: Apache-2.0
#include <pintle/base/stop.hpp>

#include <gtest/gtest.h>

#include <pintle/base/mutex.hpp>
#include <pintle/sim/simulated_executor.hpp>

namespace pintle {
namespace {

using namespace std::chrono_literals;

TEST(StopCallback, RunsOnceWhenStopIsRequested) {
  const auto executor = make_real_executor();
  std::stop_source stop;
  int calls = 0;
  const StopCallback callback(*executor, stop.get_token(), [&] { ++calls; });
  EXPECT_EQ(calls, 0);
  stop.request_stop();
  stop.request_stop();
  EXPECT_EQ(calls, 1);
}

TEST(StopCallback, RunsAtOnceWhenStopWasRequestedBefore) {
  const auto executor = make_real_executor();
  std::stop_source stop;
  stop.request_stop();
  int calls = 0;
  const StopCallback callback(*executor, stop.get_token(), [&] { ++calls; });
  EXPECT_EQ(calls, 1);
}

// The callback takes a lock, so the simulated scheduler may switch from inside it to the thread that destroys it.
TEST(StopCallbackConcurrency, DestructionWaitsForARunningCallbackInASimulation) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SimulatedExecutor executor({.seed = seed});
    Mutex mutex(executor);
    std::stop_source stop;
    bool alive = true;
    Thread owner = executor.spawn({.name = "owner"}, [&] {
      {
        const StopCallback callback(executor, stop.get_token(), [&] {
          const MutexLock lock(mutex);
          EXPECT_TRUE(alive);
        });
        executor.yield();
      }
      alive = false;
    });
    executor.yield();
    stop.request_stop();
    owner.join();
  }
}

TEST(Sleep, EndsEarlyOnTheRealExecutorWhenStopped) {
  const auto executor = make_real_executor();
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE(executor->sleep_for(1h, stop.get_token()));
  EXPECT_TRUE(executor->sleep_for(1ms));
}

}  // namespace
}  // namespace pintle
