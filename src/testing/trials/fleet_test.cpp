// SPDX-License-Identifier: Apache-2.0
#include "fleet.hpp"

#include <stdexcept>

#include <gmock/gmock.h>

#include <pintle/api/everyday.hpp>

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

TEST_F(FleetTest, ReportsTheExceptionsOfAProcessThatEnds) {
  fleet_.add(std::make_unique<Instance>(simulation_, ManagerOptions{.log_level = LogLevel::off}, [](Manager& manager) {
    manager.add(Controller<ConfigMap>{
        .reconcile = [](const ConfigMap&, Context&) -> Outcome { throw std::runtime_error("no"); }});
  }));
  ASSERT_TRUE(simulation_.user().create(ConfigMap{.metadata = {.name = "a", .namespace_ = "default"}}));
  ASSERT_TRUE(fleet_.start());
  simulation_.executor().sleep_for(5s);

  fleet_.restart(0, 1s);
  EXPECT_THAT(journal_.violations(),
              ::testing::Contains(::testing::Pair(Oracle::runs, ::testing::HasSubstr("threw an exception"))));
}

}  // namespace
}  // namespace pintle::testkit
