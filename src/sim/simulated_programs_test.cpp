// SPDX-License-Identifier: Apache-2.0
#include <pintle/sim/simulated_programs.hpp>

#include <gtest/gtest.h>

#include <pintle/sim/simulated_executor.hpp>

namespace pintle {
namespace {

using std::chrono::seconds;

class SimulatedProgramsTest : public testing::Test {
 protected:
  SimulatedExecutor executor_;
  SimulatedPrograms programs_{executor_};
};

TEST_F(SimulatedProgramsTest, RunAFunctionForVirtualTime) {
  programs_.add("greet", [](const ProgramCall& call) {
    return SimulatedPrograms::Run{.result = {.status = 3, .output = "hello " + call.arguments.at(0)},
                                  .takes = seconds(5)};
  });
  const Instant begun = executor_.now();

  const auto result = programs_.run({.program = "greet", .arguments = {"world"}});

  ASSERT_TRUE(result);
  EXPECT_EQ(result->status, 3);
  EXPECT_EQ(result->output, "hello world");
  EXPECT_EQ(executor_.now() - begun, seconds(5));
}

TEST_F(SimulatedProgramsTest, ApplyTheLimitsOfACall) {
  programs_.add("slow", [](const ProgramCall&) { return SimulatedPrograms::Run{.takes = seconds(61)}; });
  programs_.add("long", [](const ProgramCall&) { return SimulatedPrograms::Run{.result = {.output = "12345"}}; });

  EXPECT_EQ(programs_.run({.program = "slow"}).error().code, ErrorCode::timeout);
  EXPECT_EQ(programs_.run({.program = "long", .max_output = 4}).error().code, ErrorCode::invalid);
  EXPECT_EQ(programs_.run({.program = "none"}).error().code, ErrorCode::not_found);
  EXPECT_EQ(programs_.calls().size(), 3U);
}

TEST_F(SimulatedProgramsTest, EndAtAStop) {
  programs_.add("slow", [](const ProgramCall&) { return SimulatedPrograms::Run{.takes = seconds(60)}; });
  std::stop_source stop;
  Thread stopper = executor_.spawn({.name = "stopper"}, [&] {
    executor_.sleep_for(seconds(2));
    stop.request_stop();
  });

  EXPECT_EQ(programs_.run({.program = "slow"}, stop.get_token()).error().code, ErrorCode::cancelled);
  EXPECT_EQ(programs_.max_running(), 1U);
}

}  // namespace
}  // namespace pintle
