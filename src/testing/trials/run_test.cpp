// SPDX-License-Identifier: Apache-2.0
#include "run.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>

#include <pintle/api/everyday.hpp>

namespace pintle::testkit {
namespace {

using namespace std::chrono_literals;

using TestedRun = Run;  // a test class has a member of this name

// The events of an operator that does nothing, and their times since the objects were created.
class RunTest : public ::testing::Test {
 protected:
  Event event(Duration at, const std::string& name, Duration takes = {}) {
    return {.at = at, .what = name, .act = [this, name, takes](TestedRun& run) {
              Simulation& simulation = run.simulation();
              if (times_.empty()) first_ = simulation.executor().now();
              const auto since = std::chrono::duration_cast<std::chrono::seconds>(simulation.executor().now() - first_);
              times_.push_back(name + " " + std::to_string(since.count()));
              run.fleet().pass_time(takes);
            }};
  }
  RunResult execute(const std::vector<Event>& events, bool with_faults) {
    const SubjectSetup set_up = [](Subject& subject) {
      subject.objects = {
          {{"apiVersion", "v1"}, {"kind", "ConfigMap"}, {"metadata", {{"name", "a"}, {"namespace", "default"}}}}};
      subject.add_controllers = [](Manager& manager) {
        manager.add(Controller<ConfigMap>{.reconcile = [](const ConfigMap&, Context&) -> Outcome { return done; }});
      };
    };
    std::vector<const Event*> all;
    for (const Event& one : events) all.push_back(&one);
    const SimulateOptions options{.name = "idle"};
    const Survey survey{
        .objects = {
            {{"apiVersion", "v1"}, {"kind", "ConfigMap"}, {"metadata", {{"name", "a"}, {"namespace", "default"}}}}}};
    TestedRun run(1, {}, options, set_up, &survey, {});
    return run.execute(all, with_faults);
  }

  std::vector<std::string> times_;
  Instant first_{};
};

// A user waits until an object is gone. Otherwise the next edit could come before the creation that it follows in the
// run without faults, which waits for a shorter time.
TEST_F(RunTest, EditsKeepTheirDistanceAfterOneThatWaits) {
  const auto result = execute({event(1s, "waits", 20s), event(3s, "follows"), event(9s, "last")}, true);
  EXPECT_THAT(result.violations, ::testing::IsEmpty());
  EXPECT_THAT(times_, ::testing::ElementsAre("waits 0", "follows 22", "last 28"));
}

TEST_F(RunTest, EditsKeepTheirOrderAndDistanceWithoutFaults) {
  Event fault = event(2s, "fault", 7s);
  fault.kind = "crash";
  (void)execute({event(1s, "first"), fault, event(3s, "second")}, false);
  EXPECT_THAT(times_, ::testing::ElementsAre("first 0", "second 2"));
}

// An edit may begin while an earlier one is still repeated, because a webhook has refused it.
TEST_F(RunTest, AnEditFollowsTheOneThatIsBeingMade) {
  std::vector<std::string> made;
  Event outer{.at = 1s, .what = "outer", .act = [&](TestedRun& run) {
                run.edit("outer", [&](Client&) -> Result<void> {
                  run.edit("inner", [&](Client&) -> Result<void> {
                    made.emplace_back("inner");
                    return {};
                  });
                  made.emplace_back("outer");
                  return {};
                });
              }};
  (void)execute({outer}, true);
  EXPECT_THAT(made, ::testing::ElementsAre("outer", "inner"));
}

}  // namespace
}  // namespace pintle::testkit
