// SPDX-License-Identifier: Apache-2.0
#include "quarantine.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include <pintle/json/value.hpp>

namespace pintle {
namespace {

using namespace std::chrono_literals;

constexpr Instant start{};
const ObjectKey a{"default", "a"};
const ObjectKey b{"default", "b"};

Suspect suspect(const ObjectKey& key, unsigned deaths = 0) {
  return {.controller = "note", .key = key, .edition = "u/1", .deaths = deaths};
}

// The quarantine of a process that starts after this number of terminations during a reconcile of `a`.
Quarantine after_deaths(unsigned deaths) {
  Quarantine quarantine(start);
  quarantine.add(suspect(a, deaths));
  return quarantine;
}

Duration rest(Quarantine& quarantine, Duration into_life, const std::string& edition = "u/1") {
  const auto held = quarantine.find("note", a, edition, start + into_life);
  return held ? held->rest : Duration::zero();
}

TEST(Quarantine, HoldsAKeyBackAfterTheThirdDeath) {
  Quarantine quarantine(start);
  EXPECT_EQ(rest(quarantine, 0s), 0s);
  for (unsigned deaths = 1; deaths <= 3; ++deaths) {
    const auto counted = quarantine.count_death({.all = {suspect(a)}});
    EXPECT_EQ(counted, std::vector<Suspect>{suspect(a, deaths)});
    EXPECT_EQ(rest(quarantine, 0s), deaths == 3 ? 1min : 0s) << deaths;
    EXPECT_EQ(quarantine.count("note"), deaths == 3 ? 1U : 0U);
  }
  EXPECT_EQ(quarantine.count("other"), 0U);
  EXPECT_FALSE(quarantine.find("other", a, "u/1", start));
  EXPECT_FALSE(quarantine.find("note", b, "u/1", start));
}

TEST(Quarantine, BacksOffFromAMinuteToAnHour) {
  const std::vector<Duration> waits{1min, 2min, 4min, 8min, 16min, 32min, 1h, 1h};
  for (unsigned i = 0; i < waits.size(); ++i) {
    Quarantine quarantine = after_deaths(3 + i);
    EXPECT_EQ(rest(quarantine, 0s), waits[i]) << i;
    EXPECT_EQ(rest(quarantine, 30s), waits[i] - 30s) << "counted from the start";
    EXPECT_EQ(rest(quarantine, waits[i]), 0s);
  }
}

// However often the object is edited, it terminates the process at most once a minute.
TEST(Quarantine, AnEditShortensTheDelayToAMinute) {
  Quarantine quarantine = after_deaths(6);
  EXPECT_EQ(rest(quarantine, 0s), 8min);
  EXPECT_EQ(rest(quarantine, 0s, "u/2"), 1min);
  EXPECT_EQ(rest(quarantine, 20s, "u/3"), 40s);
  EXPECT_EQ(rest(quarantine, 2min, "another/1"), 0s);
}

TEST(Quarantine, AReleasedKeyRunsAtOnceAndWaitsLongerAfterTheNextDeath) {
  Quarantine quarantine = after_deaths(3);
  quarantine.release("note", a);
  quarantine.release("note", b);
  EXPECT_EQ(rest(quarantine, 0s), 0s);
  EXPECT_EQ(quarantine.count("note"), 1U);
  quarantine.count_death({.all = {suspect(a)}});
  EXPECT_EQ(rest(quarantine, 0s), 2min);
}

TEST(Quarantine, ACompletedReconcileClearsTheDeaths) {
  Quarantine quarantine = after_deaths(5);
  EXPECT_TRUE(quarantine.clear("note", a));
  EXPECT_FALSE(quarantine.clear("note", a));
  EXPECT_TRUE(quarantine.suspects().empty());
  quarantine.count_death({.all = {suspect(a)}});
  EXPECT_EQ(quarantine.deaths("note", a), 1U);
}

TEST(Quarantine, CountsTheReportedKeyOrAllInWork) {
  Quarantine quarantine(start);
  quarantine.count_death({.all = {suspect(a), suspect(b)}, .named = {suspect(b)}});
  EXPECT_EQ(quarantine.deaths("note", a), 0U);
  EXPECT_EQ(quarantine.deaths("note", b), 1U);
  quarantine.count_death({.all = {suspect(a), suspect(b)}});
  EXPECT_EQ(quarantine.deaths("note", a), 1U);
  EXPECT_EQ(quarantine.deaths("note", b), 2U);
  EXPECT_TRUE(quarantine.count_death({}).empty()) << "a process that stopped cleanly";
}

TEST(Quarantine, MarksTheFirstReportOfAProcess) {
  Quarantine quarantine = after_deaths(4);
  const auto first = quarantine.find("note", a, "u/1", start);
  const auto second = quarantine.find("note", a, "u/1", start);
  ASSERT_TRUE(first && second);
  EXPECT_TRUE(first->is_first);
  EXPECT_FALSE(second->is_first);
  EXPECT_EQ(first->deaths, 4U);
}

TEST(Quarantine, LimitsTheSuspectsAndDropsTheLeast) {
  Quarantine quarantine(start);
  for (std::size_t i = 0; i < Quarantine::max_suspects; ++i) {
    quarantine.add(suspect({"default", "n" + std::to_string(i)}, i == 7 ? 1 : 2));
  }
  quarantine.add(suspect(a, 3));
  EXPECT_EQ(quarantine.suspects().size(), Quarantine::max_suspects);
  EXPECT_EQ(quarantine.deaths("note", {"default", "n7"}), 0U);
  EXPECT_EQ(quarantine.deaths("note", a), 3U);
}

TEST(Quarantine, AnEditionIsTheSpecOfOneObject) {
  const auto edition = [](const char* uid, int generation, const char* version) {
    return edition_of(Object(json::Value{
        {"apiVersion", "v1"},
        {"kind", "Note"},
        {"metadata", {{"name", "a"}, {"uid", uid}, {"generation", generation}, {"resourceVersion", version}}}}));
  };
  EXPECT_EQ(edition("u", 1, "5"), edition("u", 1, "6"));
  EXPECT_NE(edition("u", 1, "5"), edition("u", 2, "6"));
  EXPECT_NE(edition("u", 1, "5"), edition("w", 1, "5"));
  EXPECT_EQ(edition_of(Object()), "");
}

}  // namespace
}  // namespace pintle
