// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <pintle/testing/simulate.hpp>

namespace pintle::testkit {
namespace {

using ::testing::HasSubstr;

TEST(FaultCoverage, SumsTheKindsOfEachClass) {
  const std::string table = fault_coverage(
      {{.name = "hello", .trials = 7, .faults = {{"crash-after-write", 2}, {"crash-before-write", 3}, {"freeze", 4}}},
       {.name = "webhook", .trials = 9, .faults = {{"webhook-500", 5}, {"webhook-delay", 1}, {"deleted-child", 8}}}});
  EXPECT_EQ(
      table,
      "| simulation | trials | crash | restart | freeze | stale_reads | lost_events | protocol | election | clock | "
      "outside | webhooks | deleted children |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|---|---|\n"
      "| hello | 7 | 5 | 0 | 4 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 |\n"
      "| webhook | 9 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 0 | 6 | 8 |\n");
}

TEST(FaultCoverage, EachClassHasANameAndIsOnByDefault) {
  for (const FaultClass one : SimulateOptions().faults) EXPECT_NE(to_string(one), "unknown");
  EXPECT_EQ(SimulateOptions().faults.size(), 10U);
  EXPECT_EQ(class_of_fault("deleted-child"), std::nullopt);
}

TEST(SimulationReport, NamesTheDeviationsOfASchedule) {
  const SimulationReport report{
      .failure = SimulationFailure{.oracle = Oracle::invariants, .deviations = {{{12, 2}, {40, 1}}}}};
  EXPECT_THAT(
      report.text(),
      HasSubstr(
          "FAILED: invariants in the schedule with alternative 2 at decision 12, alternative 1 at decision 40\n"));
}

}  // namespace
}  // namespace pintle::testkit
