// SPDX-License-Identifier: Apache-2.0
#include <pintle/sim/exploration.hpp>

#include <set>
#include <string>

#include <gmock/gmock.h>

#include <pintle/base/mutex.hpp>
#include <pintle/sim/simulated_executor.hpp>

namespace pintle {
namespace {

using Schedule = std::vector<std::uint32_t>;

// Two threads append to one text under a lock. Returns the text.
std::string interleaved(const Schedule& choices, std::vector<std::uint32_t>& alternatives) {
  SimulatedExecutor executor({.scheduling = {.strategy = Scheduling::Strategy::choices, .choices = choices}});
  Mutex mutex(executor);
  std::string text;
  const auto append = [&](char c) {
    for (int i = 0; i < 3; ++i) {
      const MutexLock lock(mutex);
      text += c;
    }
  };
  Thread a = executor.spawn({.name = "a"}, [&] { append('a'); });
  Thread b = executor.spawn({.name = "b"}, [&] { append('b'); });
  a.join();
  b.join();
  alternatives = executor.alternatives();
  return text;
}

std::set<std::string> all_texts(const ExplorationBound& bound, std::uint64_t* count = nullptr) {
  std::set<std::string> texts;
  std::set<Schedule> schedules;
  const auto run = [&](const Schedule& choices) -> std::optional<Schedule> {
    Schedule alternatives;
    texts.insert(interleaved(choices, alternatives));
    EXPECT_TRUE(schedules.insert(choices).second) << "a schedule is run twice";
    return alternatives;
  };
  const std::uint64_t explored = explore(bound, run);
  if (count != nullptr) *count = explored;
  if (bound.part == 0) {
    EXPECT_EQ(explored, schedules.size());
  }
  return texts;
}

TEST(Exploration, ReachesEveryInterleavingIfTheBoundAllowsIt) {
  EXPECT_EQ(all_texts({.deviations = 20}).size(), 20U);  // 6 of 3 and 3
}

TEST(Exploration, StaysInItsBound) {
  EXPECT_THAT(all_texts({.deviations = 0}), ::testing::ElementsAre("aaabbb"));
  EXPECT_EQ(all_texts({.deviations = 20, .decisions = 0}).size(), 1U);
  const auto once = all_texts({.deviations = 1});
  EXPECT_GT(once.size(), 2U);
  EXPECT_LT(once.size(), 20U);
  EXPECT_GT(all_texts({.deviations = 2}).size(), once.size());
}

TEST(Exploration, PartsAreTogetherTheWhole) {
  std::uint64_t whole = 0;
  const auto expected = all_texts({.deviations = 2}, &whole);
  std::set<std::string> texts;
  std::uint64_t sum = 0;
  for (std::size_t part = 0; part < 3; ++part) {
    std::uint64_t count = 0;
    texts.merge(all_texts({.deviations = 2, .part = part, .parts = 3}, &count));
    sum += count;
  }
  EXPECT_EQ(texts, expected);
  EXPECT_EQ(sum, whole);
}

TEST(Exploration, EndsWhenItIsTold) {
  int runs = 0;
  const auto run = [&](const Schedule& choices) -> std::optional<Schedule> {
    Schedule alternatives;
    (void)interleaved(choices, alternatives);
    if (++runs == 5) return std::nullopt;
    return alternatives;
  };
  EXPECT_EQ(explore({.deviations = 3}, run), 5U);
}

}  // namespace
}  // namespace pintle
