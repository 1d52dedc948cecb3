// SPDX-License-Identifier: Apache-2.0
// Every example, unchanged, with its printed roles enforced: the roles must allow everything that it does.
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include <pintle/testing/access_granter.hpp>
#include <pintle/testing/simulation.hpp>

#include "example_programs.hpp"

namespace pintle::testkit {
namespace {

using namespace std::chrono_literals;

class RolesOfExamples : public ::testing::TestWithParam<Example> {
 protected:
  RolesOfExamples() {
    std::filesystem::create_directories(folder_);
    std::filesystem::current_path(folder_);
  }
  ~RolesOfExamples() override {
    std::filesystem::current_path(before_);
    std::filesystem::remove_all(folder_);
  }

  void start() {
    const auto program = [example = GetParam()] { return example.run(); };
    const auto options = options_of_program(program);
    ASSERT_TRUE(options) << options.error().to_string();
    for (const NamedCluster& cluster : options->clusters) {
      SimulatedCluster& simulated = simulation_.add_cluster(cluster.name.value());
      addresses_.emplace(cluster.name.value(), simulated.address());
      if (cluster.name.value() != "platform") continue;
      granter_.emplace(simulation_, simulated, AccessGranterOptions{});
      ASSERT_TRUE(granter_->start());
    }
    instance_ = std::make_unique<Instance>(simulation_, program, [this](ManagerOptions& given) {
      given.log_level = LogLevel::off;
      for (NamedCluster& cluster : given.clusters) cluster.address = addresses_.at(cluster.name.value());
    });
    instance_->start();
    ASSERT_TRUE(instance_->has_manager()) << instance_->started().error().to_string();
    ASSERT_TRUE(simulation_.wait_until([&] { return instance_->manager().is_leading(); }))
        << (instance_->started() ? "" : instance_->started().error().to_string());
  }

  const std::filesystem::path before_ = std::filesystem::current_path();
  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("pintle-roles-" + std::to_string(::getpid()));
  Simulation simulation_{{.seed = 1,
                          .on_missing_permission = [](const std::string& what) { ADD_FAILURE() << what; },
                          .enforce_roles = true}};
  std::optional<AccessGranter> granter_;
  std::map<std::string, Cluster> addresses_;
  std::unique_ptr<Instance> instance_;
};

TEST_P(RolesOfExamples, AllowAllTheirRequests) {
  const Example& example = GetParam();
  start();
  const ObjectKey key{"default", "a"};
  const auto created = simulation_.user().create(example.object("a"));
  ASSERT_TRUE(created) << created.error().to_string();
  simulation_.executor().sleep_for(90s);
  if (!example.makes.empty()) {
    EXPECT_FALSE(simulation_.server().objects(example.makes).empty());
  }
  const auto changed = simulation_.user().patch(example.kind, key, example.next);
  ASSERT_TRUE(changed) << changed.error().to_string();
  simulation_.executor().sleep_for(90s);
  ASSERT_TRUE(simulation_.user().remove(example.kind, key));
  simulation_.executor().sleep_for(2min);
  EXPECT_FALSE(simulation_.user().get(example.kind, key));
  instance_.reset();
}

INSTANTIATE_TEST_SUITE_P(Examples, RolesOfExamples, ::testing::ValuesIn(examples()),
                         [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace pintle::testkit
