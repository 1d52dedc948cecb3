// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>

#include "plan.hpp"

namespace pintle::testkit {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// The kinds of the outages that are planned for many seeds.
std::set<std::string> outages_of(std::set<FaultClass> faults, const Survey& survey) {
  const SimulateOptions options{.faults = std::move(faults)};
  std::set<std::string> kinds;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    std::vector<Event> events;
    Random random(seed);
    add_random_faults(events, 0, options, survey, 1, random);
    for (const Event& event : events) kinds.insert(event.kind);
  }
  return kinds;
}

TEST(RandomFaults, OutagesAreOfTheChosenClasses) {
  const Survey both{.used = {{.resource = "configmaps", .is_written = true}}, .outside = 1};
  EXPECT_THAT(outages_of({FaultClass::protocol}, both), ElementsAre("outage"));
  EXPECT_THAT(outages_of({FaultClass::outside}, both), ElementsAre("outside-outage"));
  EXPECT_THAT(outages_of({FaultClass::protocol, FaultClass::outside}, both), ElementsAre("outage", "outside-outage"));
  EXPECT_THAT(outages_of({FaultClass::crash}, both), IsEmpty());
  EXPECT_THAT(outages_of({FaultClass::protocol, FaultClass::outside}, Survey{}), IsEmpty());
}

TEST(RandomFaults, OutagesAreOfAllThatTheOperatorUses) {
  const json::Value object{
      {"apiVersion", "demo.pintle.dev/v1"}, {"kind", "Bulb"}, {"metadata", {{"name", "a"}, {"namespace", "n"}}}};
  const Survey survey{.objects = {object},
                      .used = {{.resource = "bulbs.demo.pintle.dev", .is_written = true},
                               {.resource = "bulbs.demo.pintle.dev/status", .is_written = true},
                               {.resource = "configmaps"},
                               {.resource = "configmaps", .is_written = true}},
                      .own_resources = {"bulbs.demo.pintle.dev"}};
  std::set<std::string> texts;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    const auto outage = outage_of({}, survey, random);
    ASSERT_TRUE(outage);
    texts.insert(outage->what.substr(0, outage->what.find(" fail")) + (outage->last_edit ? ", deletion" : "") +
                 (outage->hides_status ? ", own" : ""));
  }
  EXPECT_THAT(texts, ElementsAre("all reads of configmaps", "all writes to bulbs.demo.pintle.dev, deletion, own",
                                 "all writes to bulbs.demo.pintle.dev, own",
                                 "all writes to bulbs.demo.pintle.dev/status, own", "all writes to configmaps"));
}

TEST(RandomFaults, ProtocolFaultsAreOfAllKinds) {
  const SimulateOptions options{.faults = {FaultClass::protocol}};
  const Survey survey;
  std::set<std::string> kinds;
  std::set<std::string> with_pause;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    std::vector<Event> events;
    Random random(seed);
    add_random_faults(events, 2, options, survey, 1, random);
    for (const Event& event : events) {
      kinds.insert(event.kind);
      if (event.kind.starts_with("error-")) {
        with_pause.insert(event.kind + (event.what.find("Retry-After") == std::string::npos ? "" : " with pause"));
      }
    }
  }
  EXPECT_THAT(kinds, ElementsAre("conflict", "delay", "error-429", "error-500", "error-503", "error-504",
                                 "lost-request", "lost-response", "split-body", "version-too-large"));
  EXPECT_THAT(with_pause, ElementsAre("error-429", "error-429 with pause", "error-500", "error-503",
                                      "error-503 with pause", "error-504"));
}

// Each write has its turn, before and after.
TEST(CrashSweep, ContainsEachWrite) {
  const SimulateOptions options;
  std::vector<std::string> points;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    if (!is_sweep(seed, options)) continue;
    const std::vector<Event> events = sweep_of(seed, options.active, 3, {});
    ASSERT_EQ(events.size(), 1U);
    points.push_back(events.front().what);
  }
  EXPECT_THAT(
      points,
      ElementsAre("the operator crashes before its write 1 of 3", "the operator crashes after its write 1 of 3",
                  "the operator crashes before its write 2 of 3", "the operator crashes after its write 2 of 3",
                  "the operator crashes before its write 3 of 3", "the operator crashes after its write 3 of 3"));
  EXPECT_FALSE(is_sweep(5, {.faults = {FaultClass::restart}}));
  EXPECT_FALSE(is_sweep(5, {.max_faults = 0}));
  EXPECT_TRUE(sweep_of(5, options.active, 0, {}).empty()) << "it writes nothing";
}

TEST(Replicas, AreThreeInAQuarterOfTheTrials) {
  const Survey elected{.instances = 2, .has_election = true, .may_have_more = true};
  EXPECT_EQ(instances_of(1, elected), 2U);
  EXPECT_EQ(instances_of(2, elected), 3U);
  EXPECT_EQ(instances_of(2, Survey{.instances = 2, .has_election = true}), 2U) << "the subject sets the number";
  EXPECT_EQ(instances_of(2, Survey{.may_have_more = true}), 1U);
}

}  // namespace
}  // namespace pintle::testkit
