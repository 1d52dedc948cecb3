// SPDX-License-Identifier: Apache-2.0
#include <pintle/base/mutex.hpp>

#include <deque>

#include <gtest/gtest.h>

#include <pintle/sim/simulated_executor.hpp>

namespace pintle {
namespace {

using namespace std::chrono_literals;

// The same program runs on the real and on the simulated executor.
void hand_a_thousand_numbers_over(Executor& executor) {
  Mutex mutex(executor);
  CondVar changed(executor);
  std::deque<int> box;
  long sum = 0;
  Thread consumer = executor.spawn({.name = "consumer"}, [&] {
    for (int i = 0; i < 1000; ++i) {
      const MutexLock lock(mutex);
      while (box.empty()) changed.wait(mutex);
      sum += box.front();
      box.pop_front();
      changed.notify_one();
    }
  });
  for (int i = 0; i < 1000; ++i) {
    const MutexLock lock(mutex);
    while (box.size() >= 3) changed.wait(mutex);
    box.push_back(i);
    changed.notify_one();
  }
  consumer.join();
  EXPECT_EQ(sum, 499'500);
}

TEST(MutexConcurrency, HandsNumbersOverOnTheRealExecutor) {
  const auto executor = make_real_executor();
  hand_a_thousand_numbers_over(*executor);
}

TEST(MutexConcurrency, HandsNumbersOverOnTheSimulatedExecutor) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SimulatedExecutor executor({.seed = seed});
    hand_a_thousand_numbers_over(executor);
  }
}

TEST(Condition, RealWaitEndsAtItsDeadline) {
  const auto executor = make_real_executor();
  Mutex mutex(*executor);
  CondVar never(*executor);
  const MutexLock lock(mutex);
  const Instant deadline = executor->now() + 2ms;
  while (never.wait_until(mutex, deadline)) {}
  EXPECT_GE(executor->now(), deadline);
}

TEST(Condition, AWaitWithAPastDeadlineReturnsAtOnce) {
  const auto executor = make_real_executor();
  Mutex mutex(*executor);
  CondVar never(*executor);
  const MutexLock lock(mutex);
  EXPECT_FALSE(never.wait_until(mutex, executor->now() - 1s));
}

}  // namespace
}  // namespace pintle
