#include <pintle/queue/work_queue.hpp>

#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <pintle/base/simulated_runtime.hpp>

namespace pintle {
namespace {

using namespace std::chrono_literals;
using Queue = WorkQueue<std::string, int>;

TEST(WorkQueue, WaitsForADelayedKeyOnVirtualTime) {
  SimulatedRuntime runtime;
  Queue queue(runtime);
  const Instant begin = runtime.now();
  queue.add_after("a", 10min, 1);
  const auto item = queue.get();
  ASSERT_TRUE(item);
  EXPECT_EQ(runtime.now() - begin, 10min);
}

// R4, TX-03: 5, 10, 20 ms … and back to 5 ms after forget.
TEST(WorkQueue, BacksOffExponentiallyUntilForgotten) {
  SimulatedRuntime runtime;
  Queue queue(runtime);
  EXPECT_EQ(queue.add_backed_off("a", 1), 5ms);
  EXPECT_EQ(queue.add_backed_off("a", 1), 10ms);
  EXPECT_EQ(queue.add_backed_off("a", 1), 20ms);
  queue.forget("a");
  EXPECT_EQ(queue.add_backed_off("a", 1), 5ms);
  EXPECT_EQ(queue.add_backed_off("a", 1, 3s), 3s);
}

TEST(WorkQueue, ShutdownEndsWaitersAndDropsTheRest) {
  SimulatedRuntime runtime;
  Queue queue(runtime);
  std::vector<Thread> workers;
  int ended = 0;
  for (int i = 0; i < 3; ++i) {
    workers.push_back(runtime.spawn({.name = "worker"}, [&] {
      while (queue.get()) {}
      ++ended;
    }));
  }
  runtime.sleep_for(1s);
  queue.shutdown();
  workers.clear();
  EXPECT_EQ(ended, 3);
  queue.add("late", 1);
  EXPECT_EQ(queue.waiting(), 0U);
}

// The same program on both halves: two workers, three keys, each added many times.
void never_two_workers_on_a_key(Runtime& runtime, int adds) {
  Queue queue(runtime);
  Mutex mutex(runtime);
  Condition changed(runtime);
  std::map<std::string, int> inside;
  bool last_seen = false;
  const auto work = [&] {
    while (auto item = queue.get()) {
      {
        const MutexLock lock(mutex);
        ASSERT_EQ(++inside[item->key], 1);
      }
      runtime.yield();
      const MutexLock lock(mutex);
      --inside[item->key];
      last_seen = last_seen || item->key == "last";
      changed.notify_all();
      queue.done(item->key);
    }
  };
  Thread a = runtime.spawn({.name = "worker-0"}, work);
  Thread b = runtime.spawn({.name = "worker-1"}, work);
  for (int i = 0; i < adds; ++i) queue.add(std::string(1, static_cast<char>('a' + i % 3)), i);
  queue.add("last", adds, low_priority);
  {
    const MutexLock lock(mutex);
    while (!last_seen) changed.wait(mutex);
  }
  queue.shutdown();
}

TEST(WorkQueueConcurrency, NeverTwoWorkersOnAKeyOnTheRealRuntime) {
  const auto runtime = make_real_runtime();
  never_two_workers_on_a_key(*runtime, 2000);
}

// TX-01 over seeds.
TEST(WorkQueueConcurrency, NeverTwoWorkersOnAKeyInSimulation) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SimulatedRuntime runtime({.seed = seed});
    never_two_workers_on_a_key(runtime, 50);
  }
}

}  // namespace
}  // namespace pintle
