#include <pintle/base/stop.hpp>

#include <gtest/gtest.h>

#include <pintle/base/mutex.hpp>
#include <pintle/sim/simulated_runtime.hpp>

namespace pintle {
namespace {

using namespace std::chrono_literals;

TEST(StopCallback, RunsOnceWhenStopIsRequested) {
  const auto runtime = make_real_runtime();
  std::stop_source stop;
  int calls = 0;
  const StopCallback callback(*runtime, stop.get_token(), [&] { ++calls; });
  EXPECT_EQ(calls, 0);
  stop.request_stop();
  stop.request_stop();
  EXPECT_EQ(calls, 1);
}

TEST(StopCallback, RunsAtOnceWhenStopWasRequestedBefore) {
  const auto runtime = make_real_runtime();
  std::stop_source stop;
  stop.request_stop();
  int calls = 0;
  const StopCallback callback(*runtime, stop.get_token(), [&] { ++calls; });
  EXPECT_EQ(calls, 1);
}

// The callback takes a lock, so the simulated scheduler may switch inside it, to the very thread that destroys it.
TEST(StopCallbackConcurrency, DestructionWaitsForARunningCallbackInASimulation) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SimulatedRuntime runtime({.seed = seed});
    Mutex mutex(runtime);
    std::stop_source stop;
    bool alive = true;
    Thread owner = runtime.spawn({.name = "owner"}, [&] {
      {
        const StopCallback callback(runtime, stop.get_token(), [&] {
          const MutexLock lock(mutex);
          EXPECT_TRUE(alive);
        });
        runtime.yield();
      }
      alive = false;
    });
    runtime.yield();
    stop.request_stop();
    owner.join();
  }
}

TEST(Sleep, EndsEarlyOnTheRealRuntimeWhenStopped) {
  const auto runtime = make_real_runtime();
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE(runtime->sleep_for(1h, stop.get_token()));
  EXPECT_TRUE(runtime->sleep_for(1ms));
}

}  // namespace
}  // namespace pintle
