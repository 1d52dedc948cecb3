// SPDX-License-Identifier: Apache-2.0
#include <pintle/queue/queue_state.hpp>

#include <algorithm>
#include <list>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <pintle/base/random.hpp>
#include <pintle/testing/seeds.hpp>

#include "test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;
using State = QueueState<std::string, int>;

constexpr Instant start(1h);

std::string take_key(State& state, Instant now) {
  auto item = state.take(now);
  return item ? item->key : std::string();
}

TEST(QueueState, HandsOutAKeyOnceWhenAddedTwice) {
  State state;
  state.add("a", start, start, 0, 1);
  state.add("a", start, start, 0, 2);
  auto item = state.take(start);
  ASSERT_TRUE(item);
  EXPECT_EQ(item->causes, (std::vector{1, 2}));
  EXPECT_FALSE(state.take(start));
}

// A key that is added while it is processed is handed out exactly once more, after `done` (R1, trap 35).
TEST(QueueState, AddsDuringProcessingCauseOneMoreRun) {
  State state;
  state.add("a", start, start, 0, 1);
  auto first = state.take(start);
  ASSERT_TRUE(first);
  for (int i = 0; i < 100; ++i) state.add("a", start, start, 0, i);
  EXPECT_FALSE(state.take(start));
  state.done(*first, start);
  auto again = state.take(start);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->causes.size(), State::max_causes);
  EXPECT_EQ(again->causes_dropped, 100 - State::max_causes);
  state.done(*again, start);
  EXPECT_EQ(state.entries(), 0U);
}

// Pace, rate and failures are as if the key had not been taken.
TEST(QueueState, AnItemThatIsGivenBackSpendsNeitherPaceNorRate) {
  State state({.min_interval = 10s, .rate = {.per_second = 0.1}});
  state.add("a", start, start, -7, 1);
  auto item = state.take(start);
  ASSERT_TRUE(item);
  (void)state.fail(*item);
  state.put_back(*item, start, start + 5s, item->priority);
  state.done(*item, start);
  EXPECT_EQ(state.next_due(), start + 5s);
  EXPECT_FALSE(state.take(start + 4s));
  auto again = state.take(start + 5s);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->causes, (std::vector{1}));
  EXPECT_EQ(again->priority, -7);
  EXPECT_EQ(again->failures, 1U);
}

TEST(QueueState, AnItemThatIsGivenBackMergesWithLaterAdds) {
  State state;
  state.add("a", start, start, 0, 1);
  auto item = state.take(start);
  ASSERT_TRUE(item);
  state.add("a", start, start + 1s, 5, 2);
  state.put_back(*item, start, start + 5s, 0);
  state.done(*item, start);
  EXPECT_EQ(state.next_due(), start + 1s);
  auto again = state.take(start + 1s);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->causes, (std::vector{2, 1}));
  EXPECT_EQ(again->priority, 5);
}

// In this test even causes are minor.
TEST(QueueState, MinorCausesAreDroppedFirstAndNotCounted) {
  State state({}, nullptr, [](int cause) { return cause % 2 == 0; });
  for (int i = 0; i < 100; ++i) state.add("a", start, start, 0, i < 90 ? 2 * i : 2 * i + 1);
  for (int i = 0; i < 100; ++i) state.add("a", start, start, 0, 2 * i);
  auto item = state.take(start);
  ASSERT_TRUE(item);
  EXPECT_EQ(item->causes.size(), State::max_causes);
  EXPECT_EQ(item->causes_dropped, 0U);
  EXPECT_EQ(std::count_if(item->causes.begin(), item->causes.end(), [](int cause) { return cause % 2 == 1; }), 10);
}

// The earlier delayed add counts; an immediate add pulls the entry forward and leaves nothing behind (R5, trap 38).
TEST(QueueState, KeepsTheEarliestDueTime) {
  State state;
  state.add("a", start, start + 10s, 0, 1);
  state.add("a", start, start + 20s, 0, 2);
  EXPECT_EQ(state.next_due(), start + 10s);
  state.add("a", start, start + 1s, 0, 3);
  EXPECT_FALSE(state.take(start));
  auto item = state.take(start + 1s);
  ASSERT_TRUE(item);
  EXPECT_EQ(item->causes, (std::vector{1, 2, 3}));
  state.done(*item, start + 1s);
  EXPECT_EQ(state.entries(), 0U);
  EXPECT_FALSE(state.take(start + 1h));
}

TEST(QueueState, ADelayedAddDuringProcessingWaitsItsTime) {
  State state;
  state.add("a", start, start, 0, 1);
  auto item = state.take(start);
  ASSERT_TRUE(item);
  state.add("a", start, start + 5s, 0, 2);
  state.done(*item, start);
  EXPECT_FALSE(state.take(start + 4s));
  EXPECT_EQ(take_key(state, start + 5s), "a");
}

// An entry keeps the highest priority and the earliest time of its adds (trap 41).
TEST(QueueState, HigherPriorityGoesFirst) {
  State state;
  state.add("low", start, start, -100, 1);
  state.add("first", start, start, 0, 1);
  state.add("second", start, start, 0, 1);
  state.add("raised", start, start, -100, 1);
  state.add("raised", start, start, 5, 1);
  EXPECT_EQ(take_key(state, start), "raised");
  EXPECT_EQ(take_key(state, start), "first");
  EXPECT_EQ(take_key(state, start), "second");
  EXPECT_EQ(take_key(state, start), "low");
}

// `done` ends the processing of a key, and only `forget` clears its failures (trap 36).
TEST(QueueState, FailuresLastUntilForgotten) {
  State state;
  state.add("a", start, start, 0, 1);
  auto item = state.take(start);
  EXPECT_EQ(state.fail(*item), 0U);
  EXPECT_EQ(state.fail(*item), 1U);
  state.done(*item, start);
  EXPECT_EQ(state.entries(), 1U);
  state.add("a", start, start, 0, 1);
  auto again = state.take(start);
  EXPECT_EQ(again->failures, 2U);
  state.forget(*again);
  state.done(*again, start);
  EXPECT_EQ(state.entries(), 0U);
}

// A key gains one point every 100 ms, so a key of priority -100 precedes those that become due 10 s later.
TEST(QueueState, AKeyOfLowPriorityIsOvertakenForALimitedTimeOnly) {
  State state;
  state.add("low", start, start, -100, 1);
  state.add("within", start + 9s, start + 9s, 0, 1);
  state.add("after", start + 11s, start + 11s, 0, 1);
  EXPECT_EQ(take_key(state, start + 11s), "within");
  EXPECT_EQ(take_key(state, start + 11s), "low");
  EXPECT_EQ(take_key(state, start + 11s), "after");
}

TEST(QueueState, NothingStarvesBehindAStreamOfHigherPriority) {
  State state;
  state.add("low", start, start, -100, 1);
  Instant now = start;
  int before = 0;
  while (true) {
    now += 10ms;
    state.add("busy", now, now, 0, 1);
    auto item = state.take(now);
    ASSERT_TRUE(item);
    state.done(*item, now);
    if (item->key == "low") break;
    ASSERT_LT(++before, 2000);
  }
  EXPECT_GE(before, 900);
}

// A key whose priority is raised must not lose the time that it has waited.
TEST(QueueState, ARaisedKeyKeepsItsAge) {
  State state;
  state.add("old", start, start, -100, 1);
  state.add("new", start + 30s, start + 30s, 0, 1);
  state.add("old", start + 31s, start + 31s, 0, 2);
  EXPECT_EQ(take_key(state, start + 31s), "old");
}

TEST(QueueState, ATenantWithManyKeysDoesNotDelayOneWithFew) {
  State state({.tenant = [](const std::string& key) { return key.substr(0, 1); }});
  for (int i = 0; i < 1000; ++i) state.add("a" + std::to_string(i), start, start, 0, 1);
  state.add("b", start + 5ms, start + 5ms, 0, 1);
  state.add("c", start + 5ms, start + 5ms, 0, 1);
  std::vector<std::string> first;
  for (int i = 0; i < 4; ++i) first.push_back(take_key(state, start + 5ms));
  EXPECT_EQ(first, (std::vector<std::string>{"a0", "b", "c", "a1"}));
}

TEST(QueueState, RefusesAKeyBeyondTheLimit) {
  State state({.max_keys = 2});
  EXPECT_EQ(state.add("a", start, start, 0, 1), AddResult::fresh);
  EXPECT_EQ(state.add("b", start, start, 0, 1), AddResult::fresh);
  EXPECT_EQ(state.add("c", start, start, 0, 1), AddResult::rejected);
  EXPECT_EQ(state.add("a", start, start, 0, 2), AddResult::merged);
  auto item = state.take(start);
  EXPECT_EQ(state.add("c", start, start, 0, 1), AddResult::rejected) << "a key that is being processed counts too";
  state.done(*item, start);
  EXPECT_EQ(state.add("c", start, start, 0, 1), AddResult::fresh);
}

// Otherwise keys that are retried or added periodically would exclude all others.
TEST(QueueState, KeysThatAreDueLaterDoNotCountTowardsTheLimit) {
  State state({.max_keys = 1});
  EXPECT_EQ(state.add("later", start, start + 1min, 0, 1), AddResult::fresh);
  EXPECT_EQ(state.add("a", start, start, 0, 1), AddResult::fresh);
  auto item = state.take(start);
  state.fail(*item);
  state.done(*item, start);
  EXPECT_EQ(state.entries(), 2U);
  EXPECT_EQ(state.add("b", start, start, 0, 1), AddResult::fresh) << "neither does a key that only has failures";
  EXPECT_EQ(state.add("c", start, start, 0, 1), AddResult::rejected);
  EXPECT_EQ(state.add("later", start, start, 0, 2), AddResult::merged) << "its entry exists already";
  EXPECT_EQ(take_key(state, start), "b");
  EXPECT_EQ(take_key(state, start), "later");
}

TEST(QueueState, PaceIsTheMinimumTimeBetweenTwoRunsOfAKey) {
  State state({.min_interval = 1s});
  state.add("a", start, start, 0, 1);
  auto item = state.take(start);
  state.done(*item, start + 10ms);
  state.add("a", start + 20ms, start + 20ms, 0, 1);
  EXPECT_FALSE(state.take(start + 999ms));
  EXPECT_EQ(state.next_due(), start + 1s);
  auto again = state.take(start + 1s);
  ASSERT_TRUE(again);
  state.done(*again, start + 1s);
  EXPECT_EQ(state.entries(), 1U) << "the time of its last reconcile is kept";
  EXPECT_FALSE(state.take(start + 2s));
  EXPECT_EQ(state.entries(), 0U) << "the time is dropped when it no longer matters";
}

TEST(QueueState, RateAppliesToAllKeysTogether) {
  State state({.rate = {.per_second = 10, .burst = 3}});
  for (const char* key : {"a", "b", "c", "d", "e"}) state.add(key, start, start, 0, 1);
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(state.take(start));
  EXPECT_FALSE(state.take(start + 99ms));
  EXPECT_EQ(state.next_due(), start + 100ms);
  EXPECT_TRUE(state.take(start + 100ms));
  EXPECT_FALSE(state.take(start + 199ms));
  EXPECT_TRUE(state.take(start + 200ms));
}

// Keys that are done leave nothing in the queue (TX-17).
TEST(QueueState, AMillionDoneKeysLeaveNoEntries) {
  State state;
  for (int i = 0; i < 1'000'000; ++i) state.add(std::to_string(i), start, start + (i % 3) * 1s, i % 7, 1);
  EXPECT_EQ(state.entries(), 1'000'000U);
  std::size_t turns = 0;
  while (auto item = state.take(start + 2s)) {
    state.done(*item, start + 2s);
    ++turns;
  }
  EXPECT_EQ(turns, 1'000'000U);
  EXPECT_EQ(state.entries(), 0U);
  EXPECT_EQ(state.next_due(), Instant::max());
}

TEST(QueueState, DoneKeysReleaseTheirSlots) {
  State state;
  std::uint32_t last_slot = 0;
  for (int i = 0; i < 100'000; ++i) {
    state.add(std::to_string(i), start, start, 0, 1);
    auto item = state.take(start);
    ASSERT_EQ(item->key, std::to_string(i));
    last_slot = std::max(last_slot, item->slot);
    state.done(*item, start);
  }
  EXPECT_LT(last_slot, 1'000U);
}

TEST(QueueState, ClearDropsWaitingKeysAndKeepsKeysInWork) {
  State state;
  state.add("working", start, start, 0, 1);
  auto item = state.take(start);
  state.add("working", start, start, 0, 2);
  state.add("ready", start, start, 0, 1);
  state.add("later", start, start + 1h, 0, 1);
  state.clear_waiting(start);
  EXPECT_EQ(state.waiting(), 0U);
  EXPECT_EQ(state.processing(), 1U);
  state.done(*item, start);
  EXPECT_EQ(state.entries(), 0U);
}

// With few keys, each key undergoes every operation many times. With many keys, the slots of removed keys are reused.
void agree_with_the_naive_queue(const QueueOptions<std::string>& rules, std::uint64_t seed, int steps,
                                std::uint64_t key_count = 8) {
  Random random(seed);
  State state(rules);
  NaiveQueue naive(rules);
  std::list<State::Item> in_work;
  Instant now = start;
  const auto some_key = [&] { return std::to_string(random.below(key_count)); };
  for (int step = 0; step < steps; ++step) {
    const auto where = [&] { return "seed " + std::to_string(seed) + " step " + std::to_string(step); };
    switch (random.below(8)) {
      case 0:
      case 1:
      case 2: {
        const std::string key = some_key();
        const Instant due = now + std::chrono::milliseconds(random.below(2) * random.below(3000));
        const int priority = static_cast<int>(random.below(3) * 10) - 10;
        const bool taken = state.add(key, now, due, priority, step) != AddResult::rejected;
        ASSERT_EQ(taken, naive.add(key, now, due, priority)) << where();
        break;
      }
      case 3:
      case 4: {
        const auto expected = naive.take(now);
        auto item = state.take(now);
        ASSERT_EQ(item ? item->key : "nothing", expected.value_or("nothing")) << where();
        if (!item) break;
        ASSERT_EQ(item->failures, naive.failures(item->key)) << where();
        in_work.push_back(std::move(*item));
        break;
      }
      case 5:
      case 6: {
        if (in_work.empty()) break;
        const auto at = std::next(in_work.begin(), static_cast<std::ptrdiff_t>(random.below(in_work.size())));
        State::Item item = std::move(*at);
        in_work.erase(at);
        if (random.below(3) == 0) {
          state.fail(item);
          naive.fail(item.key);
        } else {
          state.forget(item);
          naive.forget(item.key);
        }
        naive.done(item.key, now);
        state.done(item, now);
        break;
      }
      default: now += std::chrono::microseconds(random.below(200'000));
    }
    ASSERT_EQ(state.processing(), in_work.size()) << where();
    ASSERT_EQ(state.waiting(), naive.waiting()) << where();
    const bool has_ready = state.has_ready(now);
    ASSERT_EQ(state.entries(), naive.entries(now)) << where();
    ASSERT_EQ(has_ready, naive.ready() != 0) << where();
    ASSERT_EQ(state.ready(), naive.ready()) << where();
  }
}

// Ten million operations in all, and fewer in builds in which each of them costs ten times as much.
TEST(QueueState, AgreesWithTheNaiveQueueOverTenMillionRandomOperations) {
#ifdef NDEBUG
  constexpr bool is_slow = testkit::is_sanitized;
#else
  constexpr bool is_slow = true;
#endif
  constexpr int steps = is_slow ? 20'000 : 500'000;
  const auto tenant = [](const std::string& key) { return std::string(key == "0" || key == "1" ? "x" : "y"); };
  const std::vector<QueueOptions<std::string>> all{{},
                                                   {.tenant = tenant},
                                                   {.max_keys = 4},
                                                   {.min_interval = 700ms},
                                                   {.tenant = tenant, .max_keys = 6, .min_interval = 50ms}};
  for (const auto& rules : all) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      ASSERT_NO_FATAL_FAILURE(agree_with_the_naive_queue(rules, seed, steps));
    }
  }
}

TEST(QueueState, AgreesWithTheNaiveQueueOverThousandsOfKeys) {
  for (const std::uint64_t seed : testkit::seeds({.usual = 3, .sanitized = 1, .long_run = 30})) {
    ASSERT_NO_FATAL_FAILURE(agree_with_the_naive_queue({}, seed, 20'000, 5'000));
  }
}

TEST(QueueState, AgreesWithTheNaiveQueueUnderARate) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    ASSERT_NO_FATAL_FAILURE(agree_with_the_naive_queue({.rate = {.per_second = 3, .burst = 4}}, seed, 5'000));
  }
}

}  // namespace
}  // namespace pintle
