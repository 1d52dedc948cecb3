// SPDX-License-Identifier: Apache-2.0
#include <pintle/sim/simulated_executor.hpp>

#include <algorithm>
#include <future>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <pthread.h>
#include <sched.h>

#include <pintle/base/mutex.hpp>

namespace pintle {
namespace {

using namespace std::chrono_literals;

// Two threads append to one text under a lock, in the order that the scheduler chooses.
std::string interleave(std::uint64_t seed, std::uint64_t* steps = nullptr, Scheduling scheduling = {},
                       std::uint64_t* hash = nullptr) {
  SimulatedExecutor executor({.seed = seed, .scheduling = std::move(scheduling)});
  Mutex mutex(executor);
  std::string text;
  const auto append = [&](char c) {
    for (int i = 0; i < 4; ++i) {
      const MutexLock lock(mutex);
      text += c;
    }
  };
  Thread a = executor.spawn({.name = "a"}, [&] { append('a'); });
  Thread b = executor.spawn({.name = "b"}, [&] { append('b'); });
  a.join();
  b.join();
  if (steps != nullptr) *steps = executor.steps();
  if (hash != nullptr) *hash = executor.trace_hash();
  return text;
}

TEST(SimulatedExecutor, SameSeedGivesSameRun) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    std::uint64_t first = 0;
    std::uint64_t second = 0;
    EXPECT_EQ(interleave(seed, &first), interleave(seed, &second));
    EXPECT_EQ(first, second);
  }
}

TEST(SimulatedExecutor, SeedsGiveManyInterleavings) {
  std::set<std::string> seen;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) seen.insert(interleave(seed));
  EXPECT_GT(seen.size(), 30U);  // of 70 possible ones
}

TEST(SimulatedExecutor, TheTraceHashTellsSchedulesApart) {
  std::set<std::uint64_t> hashes;
  std::set<std::string> texts;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    std::uint64_t first = 0;
    std::uint64_t second = 0;
    texts.insert(interleave(seed, nullptr, {}, &first));
    (void)interleave(seed, nullptr, {}, &second);
    EXPECT_EQ(first, second);
    hashes.insert(first);
  }
  EXPECT_GE(hashes.size(), texts.size());
}

TEST(SimulatedExecutor, PrioritiesInterruptAThreadOnlyAtAChange) {
  std::size_t most = 0;
  std::set<std::string> seen;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const Scheduling scheduling{.strategy = Scheduling::Strategy::priorities, .changes = 1, .horizon = 20};
    const std::string text = interleave(seed, nullptr, scheduling);
    EXPECT_EQ(text, interleave(seed, nullptr, scheduling));
    std::size_t switches = 0;
    for (std::size_t i = 1; i < text.size(); ++i) switches += text[i] != text[i - 1] ? 1 : 0;
    most = std::max(most, switches);
    seen.insert(text);
  }
  EXPECT_LE(most, 2U) << "one at the end of a thread, and one at the change";
  EXPECT_GT(seen.size(), 4U);
}

TEST(SimulatedExecutor, AThreadThatNeverWaitsDoesNotKeepItsPriority) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SimulatedExecutor executor(
        {.seed = seed, .scheduling = {.strategy = Scheduling::Strategy::priorities, .changes = 0}});
    bool is_set = false;
    Thread spins = executor.spawn({.name = "spins"}, [&] {
      while (!is_set) executor.yield();
    });
    Thread sets = executor.spawn({.name = "sets"}, [&] { is_set = true; });
    spins.join();
    sets.join();
  }
}

TEST(SimulatedExecutor, ChoicesDetermineTheSchedule) {
  Scheduling scheduling{.strategy = Scheduling::Strategy::choices};
  EXPECT_EQ(interleave(1, nullptr, scheduling), "aaaabbbb");
  std::set<std::string> seen;
  for (std::uint32_t decision = 0; decision < 10; ++decision) {
    scheduling.choices.assign(decision, 0);
    scheduling.choices.push_back(1);
    seen.insert(interleave(1, nullptr, scheduling));
  }
  EXPECT_GT(seen.size(), 3U);
}

TEST(SimulatedExecutor, TheWallClockMovesAlone) {
  SimulatedExecutor executor;
  const Instant now = executor.now();
  const WallTime wall = executor.wall_now();
  executor.move_wall_clock(-1h);
  EXPECT_EQ(executor.wall_now(), wall - 1h);
  EXPECT_EQ(executor.now(), now);
  executor.sleep_for(1min);
  EXPECT_EQ(executor.wall_now(), wall - 59min);
}

TEST(SimulatedExecutor, AThousandHoursOfSleepTakeNoTime) {
  SimulatedExecutor executor;
  const Instant start = executor.now();
  const WallTime wall = executor.wall_now();
  for (int i = 0; i < 1000; ++i) EXPECT_TRUE(executor.sleep_for(1h));
  EXPECT_EQ(executor.now() - start, 1000h);
  EXPECT_EQ(executor.wall_now() - wall, 1000h);
}

int processors_of_this_thread() {
  cpu_set_t allowed;
  return pthread_getaffinity_np(pthread_self(), sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : 0;
}

TEST(SimulatedExecutor, ItsThreadsShareAProcessorWhileItLives) {
  const int before = processors_of_this_thread();
  int of_a_thread = 0;
  {
    SimulatedExecutor executor;
    executor.spawn({.name = "any"}, [&] { of_a_thread = processors_of_this_thread(); }).join();
    EXPECT_EQ(processors_of_this_thread(), 1);
  }
  EXPECT_EQ(of_a_thread, 1);
  EXPECT_EQ(processors_of_this_thread(), before);
}

TEST(SimulatedExecutor, SleepersWakeInOrderOfTheirDeadlines) {
  SimulatedExecutor executor({.seed = 7});
  Mutex mutex(executor);
  std::string order;
  std::vector<Thread> threads;
  for (const int tenths : {3, 1, 2}) {
    threads.push_back(executor.spawn({.name = "sleeper"}, [&, tenths] {
      executor.sleep_for(tenths * 100ms);
      const MutexLock lock(mutex);
      order += static_cast<char>('0' + tenths);
    }));
  }
  threads.clear();
  EXPECT_EQ(order, "123");
}

TEST(SimulatedExecutor, StopEndsASleep) {
  SimulatedExecutor executor({.seed = 3});
  std::stop_source stop;
  bool slept = true;
  Thread sleeper = executor.spawn({.name = "sleeper"}, [&] { slept = executor.sleep_for(1h, stop.get_token()); });
  executor.sleep_for(1min);
  stop.request_stop();
  sleeper.join();
  EXPECT_FALSE(slept);
  EXPECT_EQ(executor.now() - Instant(1h), 1min);
}

TEST(SimulatedExecutor, AWaitWithADeadlineTimesOut) {
  SimulatedExecutor executor;
  Mutex mutex(executor);
  CondVar never(executor);
  const MutexLock lock(mutex);
  EXPECT_FALSE(never.wait_until(mutex, executor.now() + 5s));
  EXPECT_EQ(executor.now() - Instant(1h), 5s);
}

TEST(SimulatedExecutor, ThreadsAreReused) {
  SimulatedExecutor executor;
  std::set<pthread_t> machine_threads;
  for (int i = 0; i < 100; ++i) {
    Thread thread = executor.spawn({.name = "short"}, [&] { machine_threads.insert(pthread_self()); });
    thread.join();
  }
  EXPECT_EQ(machine_threads.size(), 1U);
}

TEST(SimulatedExecutor, ReportsItsThreads) {
  SimulatedExecutor executor;
  EXPECT_EQ(executor.thread_name(), "driver");
  EXPECT_TRUE(executor.may_block());
  Thread io = executor.spawn({.name = "io", .may_block = false}, [&] {
    EXPECT_EQ(executor.thread_name(), "io");
    EXPECT_FALSE(executor.may_block());
  });
  io.join();
}

using SimulatedExecutorDeathTest = ::testing::Test;

TEST(SimulatedExecutorDeathTest, ADeadlockNamesItsThreadsAndTheSeed) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        SimulatedExecutor executor({.seed = 42, .replay = "test --seed=42"});
        Mutex mutex(executor);
        CondVar never(executor);
        const MutexLock lock(mutex);
        never.wait(mutex);
      },
      "deadlock.*\n.*seed 42.*\n.*thread driver waits for a condition variable\n.*replay: test --seed=42");
}

TEST(SimulatedExecutorDeathTest, WaitingWithASecondLockIsAnError) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        SimulatedExecutor executor;
        Mutex outer(executor);
        Mutex inner(executor);
        CondVar condition(executor);
        const MutexLock a(outer);
        const MutexLock b(inner);
        condition.wait_until(inner, executor.now() + 1s);
      },
      "waits while it holds another lock");
}

TEST(SimulatedExecutorDeathTest, RequestingWithALockIsAnError) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        SimulatedExecutor executor;
        Mutex mutex(executor);
        const MutexLock lock(mutex);
        executor.yield();
      },
      "sends a request while it holds a lock");
}

TEST(SimulatedExecutorDeathTest, AThreadThatBlocksOutsideTheSeamsIsReported) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        SimulatedExecutor executor({.max_blocked_time = 50ms});
        Thread stuck = executor.spawn({.name = "stuck"}, [] {
          for (volatile bool forever = true; forever;) {}
        });
        stuck.join();
      },
      "thread stuck has not called a seam.*it computes elsewhere");
}

TEST(SimulatedExecutorDeathTest, AThreadThatWaitsOutsideTheSeamsIsReportedLater) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(
      {
        SimulatedExecutor executor({.max_blocked_time = 20ms});
        Thread stuck = executor.spawn({.name = "stuck"}, [] { std::promise<void>().get_future().wait(); });
        stuck.join();
      },
      "thread stuck has not called a seam.* for 200ms: it blocks elsewhere");
}

// A thread of a process of its own that counts seconds, under a lock while `holds` is set.
class CountingProcess {
 public:
  explicit CountingProcess(SimulatedExecutor& executor) : executor_(executor), mutex_(executor) {
    const std::uint64_t before = executor.enter_process(number);
    thread_ = executor.spawn({.name = "counter"}, [this] { count(); });
    executor.enter_process(before);
  }
  ~CountingProcess() {
    stop_.request_stop();
    thread_.join();
  }
  CountingProcess(const CountingProcess&) = delete;
  CountingProcess& operator=(const CountingProcess&) = delete;

  static constexpr std::uint64_t number = 1;
  std::vector<Instant> woken;  // before it takes the lock
  std::vector<Instant> times;
  Mutex& mutex() { return mutex_; }

 private:
  void count() {
    while (executor_.sleep_for(1s, stop_.get_token())) {
      woken.push_back(executor_.now());
      const MutexLock lock(mutex_);
      times.push_back(executor_.now());
    }
  }

  SimulatedExecutor& executor_;
  Mutex mutex_;
  std::stop_source stop_;
  Thread thread_;
};

TEST(FrozenProcess, DoesNotRunWhileTimePasses) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SimulatedExecutor executor({.seed = seed});
    CountingProcess process(executor);
    executor.sleep_for(3500ms);
    EXPECT_EQ(process.times.size(), 3U);
    const Instant end = executor.now() + 20s;
    executor.freeze(CountingProcess::number, end);
    executor.sleep_for(19s);
    EXPECT_EQ(process.woken.size(), 3U);
    EXPECT_EQ(process.times.size(), 3U);
    executor.sleep_for(1500ms);
    ASSERT_EQ(process.times.size(), 4U) << "one sleep has ended long ago";
    EXPECT_EQ(process.times.back(), end);
    executor.sleep_for(2s);
    EXPECT_EQ(process.times.size(), 6U);
  }
}

TEST(FrozenProcess, TimePassesIfAllThreadsAreFrozenOrWaitForThem) {
  SimulatedExecutor executor({.seed = 3});
  std::optional<CountingProcess> process(executor);
  const Instant end = executor.now() + 1h;
  executor.freeze(CountingProcess::number, end);
  process.reset();  // joins the thread, which ends after the freeze
  EXPECT_EQ(executor.now(), end);
}

TEST(FrozenProcess, CanBeThawedEarlier) {
  SimulatedExecutor executor({.seed = 4});
  CountingProcess process(executor);
  executor.sleep_for(500ms);
  executor.freeze(CountingProcess::number, executor.now() + 1h);
  executor.sleep_for(10s);
  EXPECT_TRUE(process.times.empty());
  executor.thaw(CountingProcess::number);
  executor.sleep_for(1ms);
  EXPECT_EQ(process.times.size(), 1U);
}

// Other processes may need the lock, such as that of the server.
TEST(FrozenProcess, HoldsNoLock) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    SimulatedExecutor executor({.seed = seed});
    Mutex mutex(executor);
    Mutex inner(executor);
    std::stop_source stop;
    const std::uint64_t before = executor.enter_process(1);
    Thread busy = executor.spawn({.name = "busy"}, [&] {
      while (!stop.stop_requested()) {
        const MutexLock lock(mutex);
        const MutexLock both(inner);
      }
    });
    executor.enter_process(before);
    for (int i = 0; i < 7; ++i) executor.yield();
    const Instant frozen = executor.now();
    executor.freeze(1, frozen + 1h);
    { const MutexLock lock(mutex); }
    { const MutexLock lock(inner); }
    EXPECT_EQ(executor.now(), frozen);
    executor.sleep_for(1s);
    stop.request_stop();
    executor.thaw(1);
    busy.join();
  }
}

}  // namespace
}  // namespace pintle
