// SPDX-License-Identifier: Apache-2.0
#include <pintle/queue/work_queue.hpp>

#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <pintle/sim/simulated_executor.hpp>

namespace pintle {
namespace {

using namespace std::chrono_literals;
using Queue = WorkQueue<std::string, int>;

int cause_1(Instant) { return 1; }

TEST(WorkQueue, WaitsForADelayedKeyOnVirtualTime) {
  SimulatedExecutor executor;
  Queue queue(executor);
  const Instant begin = executor.now();
  queue.add_after("a", 10min, 1);
  auto item = queue.get();
  ASSERT_TRUE(item);
  EXPECT_EQ(executor.now() - begin, 10min);
}

// The back-off is 5, 10, 20 ms and so on, and 5 ms again after `forget` (R4, TX-03).
TEST(WorkQueue, BacksOffExponentiallyUntilForgotten) {
  SimulatedExecutor executor;
  Queue queue(executor);
  queue.add("a", 1);
  const auto fail_once = [&](Duration at_least = {}) {
    auto item = queue.get();
    const Duration delay = queue.add_rate_limited(*item, cause_1, at_least);
    queue.done(*item);
    return delay;
  };
  EXPECT_EQ(fail_once(), 5ms);
  EXPECT_EQ(fail_once(), 10ms);
  EXPECT_EQ(fail_once(), 20ms);
  auto good = queue.get();
  queue.forget(*good);
  queue.add("a", 1);
  queue.done(*good);
  EXPECT_EQ(fail_once(), 5ms);
  EXPECT_EQ(fail_once(3s), 3s);
}

TEST(WorkQueue, ShutdownEndsWaitersAndDropsTheRest) {
  SimulatedExecutor executor;
  Queue queue(executor);
  std::vector<Thread> workers;
  int ended = 0;
  for (int i = 0; i < 3; ++i) {
    workers.push_back(executor.spawn({.name = "worker"}, [&] {
      while (queue.get()) {}
      ++ended;
    }));
  }
  executor.sleep_for(1s);
  queue.stop();
  workers.clear();
  EXPECT_EQ(ended, 3);
  queue.add("late", 1);
  EXPECT_EQ(queue.waiting(), 0U);
}

// A retry keeps its priority (trap 41).
TEST(WorkQueue, ARetryKeepsItsPriority) {
  SimulatedExecutor executor;
  Queue queue(executor);
  queue.add("low", 1, low_priority);
  auto low = queue.get();
  queue.add_rate_limited(*low, cause_1);
  queue.done(*low);
  executor.sleep_for(10ms);
  queue.add("normal", 1);
  EXPECT_EQ(queue.get()->key, "normal");
  EXPECT_EQ(queue.get()->priority, low_priority);
}

// Adds are ignored, due keys are finished, and keys in work are waited for (trap 37).
TEST(WorkQueue, DrainFinishesDueKeys) {
  SimulatedExecutor executor;
  Queue queue(executor);
  std::vector<std::string> worked;
  for (const char* key : {"a", "b", "c"}) queue.add(key, 1);
  queue.add_after("later", 1h, 1);
  Thread worker = executor.spawn({.name = "worker"}, [&] {
    while (auto item = queue.get()) {
      executor.sleep_for(1s);
      queue.add("too late", 1);
      worked.push_back(item->key);
      queue.done(*item);
    }
  });
  const Instant begin = executor.now();
  EXPECT_TRUE(queue.drain(begin + 1h));
  worker.join();
  EXPECT_EQ(worked, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(executor.now() - begin, 3s);
  EXPECT_EQ(queue.entries(), 0U);
}

TEST(WorkQueue, DrainGivesUpAtItsDeadline) {
  SimulatedExecutor executor;
  Queue queue(executor);
  for (const char* key : {"a", "b", "c"}) queue.add(key, 1);
  Thread worker = executor.spawn({.name = "worker"}, [&] {
    while (auto item = queue.get()) {
      executor.sleep_for(1min);
      queue.done(*item);
    }
  });
  const Instant begin = executor.now();
  EXPECT_FALSE(queue.drain(begin + 90s));
  EXPECT_EQ(executor.now() - begin, 90s);
  worker.join();
  EXPECT_EQ(executor.now() - begin, 2min);
  EXPECT_EQ(queue.entries(), 0U);
}

// A shutdown ends every worker, also while keys are added, wait and are processed (trap 43).
TEST(WorkQueueConcurrency, ShutdownUnderLoadEndsAllWorkers) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SimulatedExecutor executor({.seed = seed});
    MetricsRegistry registry;
    QueueMetrics metrics(registry, "q");
    Queue queue(executor, {.metrics = &metrics});
    std::vector<Thread> threads;
    for (int i = 0; i < 3; ++i) {
      threads.push_back(executor.spawn({.name = "worker"}, [&] {
        while (auto item = queue.get()) {
          executor.yield();
          if (item->priority == 0) queue.add_rate_limited(*item, cause_1);
          queue.done(*item);
        }
      }));
    }
    threads.push_back(executor.spawn({.name = "producer"}, [&] {
      for (int i = 0; i < 30; ++i) queue.add_after(std::to_string(i % 5), (i % 3) * 1ms, i);
    }));
    executor.sleep_for(std::chrono::milliseconds(seed % 7));
    if (seed % 2 == 0) {
      queue.stop();
    } else {
      queue.drain(executor.now() + 10ms);
    }
    threads.clear();
    EXPECT_EQ(queue.entries(), 0U);
  }
}

TEST(WorkQueue, MetricsHaveTheNamesLabelsAndBucketsOfTheList) {
  SimulatedExecutor executor;
  MetricsRegistry registry;
  QueueMetrics metrics(registry, "greeting");
  Queue queue(executor, {.metrics = &metrics});
  queue.add("a", 1);
  queue.add("a", 1);
  queue.add("b", 1, low_priority);
  queue.add_after("c", 1h, 1);
  executor.sleep_for(2s);
  auto item = queue.get();
  executor.sleep_for(3s);
  queue.measure();
  const std::string with_operation = registry.text();
  queue.add_rate_limited(*item, cause_1);
  queue.done(*item);
  const std::string after = registry.text();

  const auto has = [](const std::string& text, const std::string& line) {
    EXPECT_NE(text.find(line + "\n"), std::string::npos) << line << " is not in\n" << text;
  };
  const std::string labels = R"({controller="greeting",name="greeting")";
  has(with_operation, "workqueue_adds_total" + labels + "} 3");
  has(with_operation, "workqueue_depth" + labels + R"(,priority="0"} 0)");
  has(with_operation, "workqueue_depth" + labels + R"(,priority="-100"} 1)");
  has(with_operation, "workqueue_unfinished_work_seconds" + labels + "} 3");
  has(with_operation, "workqueue_longest_running_processor_seconds" + labels + "} 3");
  has(with_operation, "workqueue_queue_duration_seconds_sum" + labels + "} 2");
  has(after, "workqueue_work_duration_seconds_sum" + labels + "} 3");
  has(after, "workqueue_retries_total" + labels + "} 1");
  for (const char* bound :
       {"1e-08", "1e-07", "1e-06", "1e-05", "0.0001", "0.001", "0.01", "0.1", "1", "10", "100", "1000", "+Inf"}) {
    EXPECT_NE(after.find("workqueue_queue_duration_seconds_bucket" + labels + ",le=\"" + bound + "\"}"),
              std::string::npos)
        << bound;
  }
}

TEST(WorkQueue, DepthHasAtMostTwentyFivePriorities) {
  SimulatedExecutor executor;
  MetricsRegistry registry;
  QueueMetrics metrics(registry, "q");
  Queue queue(executor, {.metrics = &metrics});
  for (int i = 0; i < 40; ++i) queue.add(std::to_string(i), 1, i);
  const std::string text = registry.text();
  std::size_t depths = 0;
  for (std::size_t at = text.find("workqueue_depth{"); at != std::string::npos;
       at = text.find("workqueue_depth{", at + 1)) {
    ++depths;
  }
  EXPECT_EQ(depths, 26U);
  EXPECT_NE(text.find(R"(priority="exceeded_cardinality_limit"} 15)"), std::string::npos);
}

// Two workers and three keys, each added many times, on the real and on the simulated executor.
void never_two_workers_on_a_key(Executor& executor, int adds) {
  Queue queue(executor);
  Mutex mutex(executor);
  CondVar changed(executor);
  std::map<std::string, int> inside;
  bool last_seen = false;
  const auto work = [&] {
    while (auto item = queue.get()) {
      {
        const MutexLock lock(mutex);
        ASSERT_EQ(++inside[item->key], 1);
      }
      executor.yield();
      const MutexLock lock(mutex);
      --inside[item->key];
      last_seen = last_seen || item->key == "last";
      changed.notify_all();
      queue.done(*item);
    }
  };
  Thread a = executor.spawn({.name = "worker-0"}, work);
  Thread b = executor.spawn({.name = "worker-1"}, work);
  for (int i = 0; i < adds; ++i) queue.add(std::string(1, static_cast<char>('a' + i % 3)), i);
  queue.add("last", adds, low_priority);
  {
    const MutexLock lock(mutex);
    while (!last_seen) changed.wait(mutex);
  }
  queue.stop();
}

TEST(WorkQueueConcurrency, NeverTwoWorkersOnAKeyOnTheRealExecutor) {
  const auto executor = make_real_executor();
  never_two_workers_on_a_key(*executor, 2000);
}

// No interleaving gives one key to two workers (TX-01).
TEST(WorkQueueConcurrency, NeverTwoWorkersOnAKeyInSimulation) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SimulatedExecutor executor({.seed = seed});
    never_two_workers_on_a_key(executor, 50);
  }
}

}  // namespace
}  // namespace pintle
