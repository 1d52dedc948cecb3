#include <pintle/sim/simulated_runtime.hpp>

#include <set>
#include <string>

#include <gtest/gtest.h>
#include <pthread.h>
#include <sched.h>

#include <pintle/base/mutex.hpp>

namespace pintle {
namespace {

using namespace std::chrono_literals;

// Two threads append to one text under a lock; which order comes out is the scheduler's choice.
std::string interleave(std::uint64_t seed, std::uint64_t* steps = nullptr) {
  SimulatedRuntime runtime({.seed = seed});
  Mutex mutex(runtime);
  std::string text;
  const auto append = [&](char c) {
    for (int i = 0; i < 4; ++i) {
      const MutexLock lock(mutex);
      text += c;
    }
  };
  Thread a = runtime.spawn({.name = "a"}, [&] { append('a'); });
  Thread b = runtime.spawn({.name = "b"}, [&] { append('b'); });
  a.join();
  b.join();
  if (steps != nullptr) *steps = runtime.steps();
  return text;
}

TEST(SimulatedRuntime, SameSeedGivesSameRun) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    std::uint64_t first = 0;
    std::uint64_t second = 0;
    EXPECT_EQ(interleave(seed, &first), interleave(seed, &second));
    EXPECT_EQ(first, second);
  }
}

TEST(SimulatedRuntime, SeedsGiveManyInterleavings) {
  std::set<std::string> seen;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) seen.insert(interleave(seed));
  EXPECT_GT(seen.size(), 30U);  // of 70 that there are
}

TEST(SimulatedRuntime, AThousandHoursOfSleepTakeNoTime) {
  SimulatedRuntime runtime;
  const Instant start = runtime.now();
  const WallTime wall = runtime.wall_now();
  for (int i = 0; i < 1000; ++i) EXPECT_TRUE(runtime.sleep_for(1h));
  EXPECT_EQ(runtime.now() - start, 1000h);
  EXPECT_EQ(runtime.wall_now() - wall, 1000h);
}

int processors_of_this_thread() {
  cpu_set_t allowed;
  return pthread_getaffinity_np(pthread_self(), sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : 0;
}

TEST(SimulatedRuntime, ItsThreadsShareAProcessorWhileItLives) {
  const int before = processors_of_this_thread();
  int of_a_thread = 0;
  {
    SimulatedRuntime runtime;
    runtime.spawn({.name = "any"}, [&] { of_a_thread = processors_of_this_thread(); }).join();
    EXPECT_EQ(processors_of_this_thread(), 1);
  }
  EXPECT_EQ(of_a_thread, 1);
  EXPECT_EQ(processors_of_this_thread(), before);
}

TEST(SimulatedRuntime, SleepersWakeInOrderOfTheirDeadlines) {
  SimulatedRuntime runtime({.seed = 7});
  Mutex mutex(runtime);
  std::string order;
  std::vector<Thread> threads;
  for (const int tenths : {3, 1, 2}) {
    threads.push_back(runtime.spawn({.name = "sleeper"}, [&, tenths] {
      runtime.sleep_for(tenths * 100ms);
      const MutexLock lock(mutex);
      order += static_cast<char>('0' + tenths);
    }));
  }
  threads.clear();
  EXPECT_EQ(order, "123");
}

TEST(SimulatedRuntime, StopEndsASleep) {
  SimulatedRuntime runtime({.seed = 3});
  std::stop_source stop;
  bool slept = true;
  Thread sleeper = runtime.spawn({.name = "sleeper"}, [&] { slept = runtime.sleep_for(1h, stop.get_token()); });
  runtime.sleep_for(1min);
  stop.request_stop();
  sleeper.join();
  EXPECT_FALSE(slept);
  EXPECT_EQ(runtime.now() - Instant(1h), 1min);
}

TEST(SimulatedRuntime, AWaitWithADeadlineTimesOut) {
  SimulatedRuntime runtime;
  Mutex mutex(runtime);
  Condition never(runtime);
  const MutexLock lock(mutex);
  EXPECT_FALSE(never.wait_until(mutex, runtime.now() + 5s));
  EXPECT_EQ(runtime.now() - Instant(1h), 5s);
}

TEST(SimulatedRuntime, ThreadsAreReused) {
  SimulatedRuntime runtime;
  std::set<pthread_t> machine_threads;
  for (int i = 0; i < 100; ++i) {
    Thread thread = runtime.spawn({.name = "short"}, [&] { machine_threads.insert(pthread_self()); });
    thread.join();
  }
  EXPECT_EQ(machine_threads.size(), 1U);
}

TEST(SimulatedRuntime, KnowsItsThreads) {
  SimulatedRuntime runtime;
  EXPECT_EQ(runtime.thread_name(), "driver");
  EXPECT_TRUE(runtime.may_block());
  Thread io = runtime.spawn({.name = "io", .may_block = false}, [&] {
    EXPECT_EQ(runtime.thread_name(), "io");
    EXPECT_FALSE(runtime.may_block());
  });
  io.join();
}

using SimulatedRuntimeDeathTest = ::testing::Test;

TEST(SimulatedRuntimeDeathTest, ADeadlockNamesItsThreadsAndTheSeed) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        SimulatedRuntime runtime({.seed = 42, .replay = "test --seed=42"});
        Mutex mutex(runtime);
        Condition never(runtime);
        const MutexLock lock(mutex);
        never.wait(mutex);
      },
      "deadlock.*\n.*seed 42.*\n.*thread driver waits for a condition\n.*replay: test --seed=42");
}

TEST(SimulatedRuntimeDeathTest, WaitingWithASecondLockIsAFault) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        SimulatedRuntime runtime;
        Mutex outer(runtime);
        Mutex inner(runtime);
        Condition condition(runtime);
        const MutexLock a(outer);
        const MutexLock b(inner);
        condition.wait_until(inner, runtime.now() + 1s);
      },
      "waits while it holds another lock");
}

TEST(SimulatedRuntimeDeathTest, RequestingWithALockIsAFault) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        SimulatedRuntime runtime;
        Mutex mutex(runtime);
        const MutexLock lock(mutex);
        runtime.yield();
      },
      "requests while it holds a lock");
}

TEST(SimulatedRuntimeDeathTest, AThreadThatBlocksOutsideTheSeamsIsNamed) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        SimulatedRuntime runtime({.blocked_limit = 50ms});
        Thread stuck = runtime.spawn({.name = "stuck"}, [] {
          for (volatile bool forever = true; forever;) {}
        });
        stuck.join();
      },
      "thread stuck has not reached a seam");
}

}  // namespace
}  // namespace pintle
