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

TEST_F(FleetTest, EndsAProcessAtTheMomentOfItsCrash) {
  int calls = 0;
  const auto reconcile = [&](const ConfigMap&, Context& context) -> Outcome {
    ++calls;
    const auto patched = context.patch(context.object(), json::object{{"data", {{"calls", std::to_string(calls)}}}});
    return patched ? Outcome(done) : Outcome(patched.error());
  };
  fleet_.add(std::make_unique<Instance>(simulation_, ManagerOptions{.log_level = LogLevel::off}, [&](Manager& manager) {
    manager.add(Controller<ConfigMap>{.reconcile = reconcile});
  }));
  ASSERT_TRUE(fleet_.start());
  fleet_.crash(0, 1, false, 1h, 20s);
  ASSERT_TRUE(simulation_.user().create(ConfigMap{.metadata = {.name = "a", .namespace_ = "default"}}));

  fleet_.pass_time(10s);
  EXPECT_GE(calls, 1);
  EXPECT_LE(calls, 2) << "a process that has crashed repeats its reconcile";
}

}  // namespace
}  // namespace pintle::testkit
