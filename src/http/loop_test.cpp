// SPDX-License-Identifier: Apache-2.0
#include "loop.hpp"

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "test_support.hpp"

namespace pintle::http {
namespace {

using namespace std::chrono_literals;

void run(Loop& loop) {
  loop.start([&loop] {
    while (loop.run_due()) loop.wait();
  });
}

// Waits until all functions that were posted before have run.
void flush(Loop& loop) {
  Gate done(loop.executor());
  loop.post([&] { done.open(); });
  done.wait();
}

TEST(LoopConcurrency, RunsPostedFunctionsInOrderOnItsThread) {
  on_both_executors([](Executor& executor) {
    Loop loop(executor);
    std::string order;
    run(loop);

    for (const char c : std::string("abc")) {
      loop.post([&order, &executor, c] { order += executor.thread_name() == "io" && !executor.may_block() ? c : '!'; });
    }
    flush(loop);

    EXPECT_EQ(order, "abc");
    loop.stop();
  });
}

TEST(LoopConcurrency, RunsTimersByTimeAndThenByStart) {
  on_seeds(200, [](Executor& executor) {
    Loop loop(executor);
    std::string order;
    Gate done(executor);
    run(loop);
    const Instant now = executor.now();

    loop.start_timer(now + 3s, [&] {
      order += 'd';
      done.open();
    });
    loop.start_timer(now + 1s, [&] { order += 'a'; });
    loop.start_timer(now + 2s, [&] { order += 'b'; });
    loop.start_timer(now + 2s, [&] { order += 'c'; });
    done.wait();

    EXPECT_EQ(order, "abcd");
    EXPECT_EQ(executor.now(), now + 3s);
    loop.stop();
  });
}

TEST(LoopConcurrency, ACancelledTimerDoesNotRun) {
  on_both_executors([](Executor& executor) {
    Loop loop(executor);
    std::string order;
    Gate done(executor);
    run(loop);
    const Instant now = executor.now();

    // Both timers are due in the same turn, and the first one cancels the second.
    loop.post([&] {
      Loop::TimerId second = 0;
      auto cancel_second = std::make_shared<std::function<void()>>();
      loop.start_timer(now, [&, cancel_second] {
        order += 'a';
        (*cancel_second)();
      });
      second = loop.start_timer(now, [&] { order += 'b'; });
      *cancel_second = [&loop, second] { loop.cancel_timer(second); };
      loop.start_timer(now, [&] { done.open(); });
    });
    done.wait();

    EXPECT_EQ(order, "a");
    loop.stop();
  });
}

TEST(LoopConcurrency, BusyFunctionsAndBusyTimersDoNotStarveEachOther) {
  on_both_executors([](Executor& executor) {
    Loop loop(executor);
    int posts = 0;
    int timers = 0;
    Gate done(executor);
    std::function<void()> post_again = [&] {
      if (++posts + timers > 1000 && timers > 100) done.open();
      loop.post(post_again);
    };
    std::function<void()> time_again = [&] {
      ++timers;
      loop.start_timer(executor.now(), time_again);
    };

    loop.post(post_again);
    loop.post(time_again);
    run(loop);
    done.wait();
    loop.stop();

    EXPECT_GT(posts, 100);
    EXPECT_GT(timers, 100);
  });
}

TEST(LoopConcurrency, ShutdownRunsFinalFunctionsAndJoinsForEveryCaller) {
  on_both_executors([](Executor& executor) {
    Loop loop(executor);
    std::string ran;
    bool ended = false;
    Gate closed(executor);
    loop.start([&] {
      closed.wait();
      while (loop.run_due()) loop.wait();
      ended = true;
    });
    loop.post([&] { ran += 'a'; });
    loop.post([&] { ran += 'b'; }, Loop::AtClose::run);
    loop.start_timer(Instant::min(), [&] { ran += 'c'; });

    Thread other = executor.spawn({.name = "other"}, [&] {
      loop.stop();
      EXPECT_TRUE(ended);
    });
    while (loop.post([] {})) executor.yield();
    closed.open();
    loop.stop();
    EXPECT_TRUE(ended);
    other.join();

    EXPECT_EQ(ran, "b");
    EXPECT_FALSE(loop.post([&] { ran += 'd'; }));
    EXPECT_NE(loop.start_timer(executor.now(), [&] { ran += 'e'; }), 0U);
  });
}

TEST(LoopConcurrency, AnEarlierTimerShortensAWaitThatIsUnderWay) {
  on_both_executors([](Executor& executor) {
    Loop loop(executor);
    Gate done(executor);
    run(loop);
    flush(loop);

    loop.start_timer(executor.now() + 1h, [] {});
    loop.start_timer(executor.now() + 1ms, [&] { done.open(); });
    done.wait();

    loop.stop();
  });
}

}  // namespace
}  // namespace pintle::http
