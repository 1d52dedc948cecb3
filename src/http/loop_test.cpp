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

// Waits until everything posted before has run.
void flush(Loop& loop) {
  Gate done(loop.runtime());
  loop.post([&] { done.open(); });
  done.wait();
}

TEST(LoopConcurrency, RunsPostedFunctionsInOrderOnItsThread) {
  on_both_runtimes([](Runtime& runtime) {
    Loop loop(runtime);
    std::string order;
    run(loop);

    for (const char c : std::string("abc")) {
      loop.post([&order, &runtime, c] { order += runtime.thread_name() == "io" && !runtime.may_block() ? c : '!'; });
    }
    flush(loop);

    EXPECT_EQ(order, "abc");
    loop.shutdown();
  });
}

TEST(LoopConcurrency, RunsTimersByTimeAndThenByStart) {
  on_seeds(200, [](Runtime& runtime) {
    Loop loop(runtime);
    std::string order;
    Gate done(runtime);
    run(loop);
    const Instant now = runtime.now();

    loop.start_timer(now + 3s, [&] {
      order += 'd';
      done.open();
    });
    loop.start_timer(now + 1s, [&] { order += 'a'; });
    loop.start_timer(now + 2s, [&] { order += 'b'; });
    loop.start_timer(now + 2s, [&] { order += 'c'; });
    done.wait();

    EXPECT_EQ(order, "abcd");
    EXPECT_EQ(runtime.now(), now + 3s);
    loop.shutdown();
  });
}

TEST(LoopConcurrency, ACancelledTimerDoesNotRun) {
  on_both_runtimes([](Runtime& runtime) {
    Loop loop(runtime);
    std::string order;
    Gate done(runtime);
    run(loop);
    const Instant now = runtime.now();

    // Both are due in the same turn, and the first cancels the second.
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
    loop.shutdown();
  });
}

TEST(LoopConcurrency, BusyFunctionsAndBusyTimersDoNotStarveEachOther) {
  on_both_runtimes([](Runtime& runtime) {
    Loop loop(runtime);
    int posts = 0;
    int timers = 0;
    Gate done(runtime);
    std::function<void()> post_again = [&] {
      if (++posts + timers > 1000 && timers > 100) done.open();
      loop.post(post_again);
    };
    std::function<void()> time_again = [&] {
      ++timers;
      loop.start_timer(runtime.now(), time_again);
    };

    loop.post(post_again);
    loop.post(time_again);
    run(loop);
    done.wait();
    loop.shutdown();

    EXPECT_GT(posts, 100);
    EXPECT_GT(timers, 100);
  });
}

TEST(LoopConcurrency, ShutdownRunsOnlyWhatMustRunAndJoinsForEveryCaller) {
  on_both_runtimes([](Runtime& runtime) {
    Loop loop(runtime);
    std::string ran;
    bool ended = false;
    Gate closed(runtime);
    loop.start([&] {
      closed.wait();
      while (loop.run_due()) loop.wait();
      ended = true;
    });
    loop.post([&] { ran += 'a'; });
    loop.post([&] { ran += 'b'; }, Loop::AtClose::run);
    loop.start_timer(Instant::min(), [&] { ran += 'c'; });

    Thread other = runtime.spawn({.name = "other"}, [&] {
      loop.shutdown();
      EXPECT_TRUE(ended);
    });
    while (loop.post([] {})) runtime.yield();
    closed.open();
    loop.shutdown();
    EXPECT_TRUE(ended);
    other.join();

    EXPECT_EQ(ran, "b");
    EXPECT_FALSE(loop.post([&] { ran += 'd'; }));
    EXPECT_NE(loop.start_timer(runtime.now(), [&] { ran += 'e'; }), 0U);
  });
}

TEST(LoopConcurrency, AnEarlierTimerShortensAWaitThatIsUnderWay) {
  on_both_runtimes([](Runtime& runtime) {
    Loop loop(runtime);
    Gate done(runtime);
    run(loop);
    flush(loop);

    loop.start_timer(runtime.now() + 1h, [] {});
    loop.start_timer(runtime.now() + 1ms, [&] { done.open(); });
    done.wait();

    loop.shutdown();
  });
}

}  // namespace
}  // namespace pintle::http
