// SPDX-License-Identifier: Apache-2.0
#include "fleet.hpp"

#include <gtest/gtest.h>

namespace pintle::testkit {
namespace {

using namespace std::chrono_literals;

class FleetTest : public ::testing::Test {
 protected:
  Simulation simulation_{{.seed = 1}};
  Journal journal_{simulation_.executor(), false};
  Fleet fleet_{simulation_, journal_};
};

TEST_F(FleetTest, MakesALaterEditAfterTheFaultsHaveEnded) {
  int edits = 0;
  fleet_.edit_later(2s, [&] { ++edits; });

  fleet_.end_faults();
  fleet_.pass_time(1s);
  EXPECT_EQ(edits, 0);
  fleet_.pass_time(1s);
  EXPECT_EQ(edits, 1);
}

}  // namespace
}  // namespace pintle::testkit
