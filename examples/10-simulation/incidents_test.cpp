// SPDX-License-Identifier: Apache-2.0
// The trials as a test with GoogleTest.
#include <gtest/gtest.h>

#include "trials.hpp"

namespace {

using pintle::testkit::Oracle;
using pintle::testkit::simulate;

TEST(Incidents, SurviveEveryFault) {
  EXPECT_TRUE(simulate({.name = "careful", .seeds = 50}, trials_of(add_careful)));
}

TEST(Incidents, TheFirstVersionLosesATicket) {
  const auto report = simulate({.name = "careless", .seeds = 500}, trials_of(add_careless));
  ASSERT_TRUE(report.failure);
  EXPECT_EQ(report.failure->oracle, Oracle::invariants) << report.text();
  EXPECT_LT(report.failure->events.size(), report.failure->events_before) << report.text();
}

}  // namespace
