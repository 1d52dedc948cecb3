#include <pintle/base/mutex.hpp>

#include <deque>

#include <gtest/gtest.h>

#include <pintle/sim/simulated_runtime.hpp>

namespace pintle {
namespace {

using namespace std::chrono_literals;

// The same program on both halves of the seam.
void hand_a_thousand_numbers_over(Runtime& runtime) {
  Mutex mutex(runtime);
  Condition changed(runtime);
  std::deque<int> box;
  long sum = 0;
  Thread consumer = runtime.spawn({.name = "consumer"}, [&] {
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

TEST(MutexConcurrency, HandsNumbersOverOnTheRealRuntime) {
  const auto runtime = make_real_runtime();
  hand_a_thousand_numbers_over(*runtime);
}

TEST(MutexConcurrency, HandsNumbersOverOnTheSimulatedRuntime) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SimulatedRuntime runtime({.seed = seed});
    hand_a_thousand_numbers_over(runtime);
  }
}

TEST(Condition, RealWaitEndsAtItsDeadline) {
  const auto runtime = make_real_runtime();
  Mutex mutex(*runtime);
  Condition never(*runtime);
  const MutexLock lock(mutex);
  const Instant deadline = runtime->now() + 2ms;
  while (never.wait_until(mutex, deadline)) {}
  EXPECT_GE(runtime->now(), deadline);
}

TEST(Condition, AWaitWithAPastDeadlineReturnsAtOnce) {
  const auto runtime = make_real_runtime();
  Mutex mutex(*runtime);
  Condition never(*runtime);
  const MutexLock lock(mutex);
  EXPECT_FALSE(never.wait_until(mutex, runtime->now() - 1s));
}

}  // namespace
}  // namespace pintle
