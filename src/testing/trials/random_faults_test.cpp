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
    add_random_faults(events, 0, options, survey, random);
    for (const Event& event : events) kinds.insert(event.kind);
  }
  return kinds;
}

TEST(RandomFaults, OutagesAreOfTheChosenClasses) {
  const Survey both{.resources = {"configmaps"}, .outside = 1};
  EXPECT_THAT(outages_of({FaultClass::protocol}, both), ElementsAre("outage"));
  EXPECT_THAT(outages_of({FaultClass::outside}, both), ElementsAre("outside-outage"));
  EXPECT_THAT(outages_of({FaultClass::protocol, FaultClass::outside}, both), ElementsAre("outage", "outside-outage"));
  EXPECT_THAT(outages_of({FaultClass::crash}, both), IsEmpty());
  EXPECT_THAT(outages_of({FaultClass::protocol, FaultClass::outside}, Survey{}), IsEmpty());
}

}  // namespace
}  // namespace pintle::testkit
