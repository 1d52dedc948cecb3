// SPDX-License-Identifier: Apache-2.0
// Every example, unchanged, in many simulated clusters with faults.
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include <pintle/testing/access_granter.hpp>
#include <pintle/testing/seeds.hpp>
#include <pintle/testing/simulate.hpp>

#include "../../examples/10-simulation/trials.hpp"
#include "example_programs.hpp"

namespace pintle::testkit {
namespace {

// The surroundings of the program of one trial.
struct ExampleTrial {
  ExampleTrial() {
    // Programs may write files below the current folder, so that each trial needs an empty one.
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder);
    std::filesystem::current_path(folder);
  }
  ~ExampleTrial() {
    std::filesystem::current_path(before);
    std::filesystem::remove_all(folder);
  }

  const std::filesystem::path before = std::filesystem::current_path();
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("pintle-example-" + std::to_string(::getpid()));
  std::unique_ptr<AccessGranter> granter{};
};

// With the operator of examples/10-simulation, which calls a system outside the cluster, and is no program.
std::vector<Example> simulated_examples() {
  std::vector<Example> all = examples();
  all.push_back({"incidents", nullptr, {}, {}, {}});
  return all;
}

void set_up(const Example& example, Subject& subject) {
  if (example.main == nullptr) return trials_of(add_careful)(subject);
  const auto trial = std::make_shared<ExampleTrial>();
  subject.program = [trial, example] { return example.run(); };
  if (example.name == "service") {
    SimulatedCluster& platform = subject.simulation.add_cluster("platform");
    trial->granter = std::make_unique<AccessGranter>(subject.simulation, platform, AccessGranterOptions{});
    ASSERT_TRUE(trial->granter->start());
    subject.adjust = [address = platform.address()](ManagerOptions& options) {
      for (NamedCluster& cluster : options.clusters) cluster.address = address;
    };
  }
  subject.random_edits = example.name != "leader";  // a random pause between heartbeats can be one millisecond
  subject.objects = {example.object("a"), example.object("b")};
  subject.edits = {{.at = std::chrono::seconds(20),
                    .what = "changes a",
                    .act = [example](Client& user) -> Result<void> {
                      const auto done = user.patch(example.kind, {"default", "a"}, example.next);
                      return done ? Result<void>() : Result<void>(fail(done.error()));
                    },
                    .changes_specs_only = example.next.as_object().contains("spec")}};
}

class ExamplesSimulation : public ::testing::TestWithParam<Example> {
 protected:
  static void SetUpTestSuite() { reports().clear(); }
  static void TearDownTestSuite() {
    std::printf("\nInjected faults by class:\n\n%s\n", fault_coverage(reports()).c_str());
  }
  // The reports of all examples so far.
  static std::vector<SimulationReport>& reports() {
    static std::vector<SimulationReport> all;
    return all;
  }
};

TEST_P(ExamplesSimulation, SurvivesEveryFault) {
  const Example& example = GetParam();
  SimulateOptions options{.name = example.name,
                          .seeds = seeds({.usual = 20, .sanitized = 2, .long_run = 10'000}).size()};
  if (example.name == "leader" || example.name == "cronjob") {
    for (const Oracle oracle :
         {Oracle::becomes_idle, Oracle::same_state, Oracle::returns, Oracle::stays_idle, Oracle::bounded_work}) {
      options.without[oracle] = "it writes by the clock";
    }
    options.max_time_to_idle = std::chrono::minutes(1);
  }
  if (example.name == "references") {
    options.without[Oracle::same_state] = "the ConfigMap of a missing Secret stays as it is, also if a user deletes it";
  }
  if (example.name == "guard") {
    options.without[Oracle::same_state] = "an error that is not temporary is final until a person resets the phase";
  }
  if (example.name == "external") options.patience = std::chrono::minutes(6);  // its resync_period is five minutes
  reports().push_back(simulate(options, [&](Subject& subject) { set_up(example, subject); }));
  EXPECT_TRUE(reports().back());
}

INSTANTIATE_TEST_SUITE_P(Examples, ExamplesSimulation, ::testing::ValuesIn(simulated_examples()),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace pintle::testkit
