// The code of docs/operating.md.
#include <gtest/gtest.h>

#include <pintle/pintle.hpp>
#include <pintle/testing/simulation.hpp>

namespace {

TEST(OperatingPage, ACacheKeepsThePartsOfItsProjection) {
  pintle::testing::Simulation simulation({.seed = 1});
  // [cache_projections]
  pintle::ManagerOptions options{.name = "op"};
  options.cache_projections = {{pintle::Pod::type, {.projection = {.keep = {"/metadata/labels", "/status/phase"}}}}};
  // [/cache_projections]
  options.log_level = pintle::LogLevel::off;
  std::vector<pintle::Pod> seen;
  pintle::testing::Instance instance(simulation, std::move(options), [&](pintle::Manager& manager) {
    manager.add(
        pintle::Controller<pintle::Pod>{.reconcile = [&](const pintle::Pod& pod, pintle::Context&) -> pintle::Outcome {
          seen.push_back(pod);
          return pintle::done;
        }});
  });
  instance.start();
  ASSERT_TRUE(simulation.wait_until([&] { return instance.manager().is_ready(); }));
  pintle::Pod pod{.metadata = {.name = "a", .namespace_ = "default", .labels = {{"app", "a"}}}};
  pod.metadata.annotations = {{"note", "a"}};
  pod.spec.containers = {{.image = "i", .name = "c"}};
  const auto created = simulation.user().create(pod);
  ASSERT_TRUE(created) << created.error().to_string();
  ASSERT_TRUE(simulation.run_until_idle());

  ASSERT_FALSE(seen.empty());
  EXPECT_EQ(seen[0].metadata.name, "a");
  EXPECT_EQ(seen[0].metadata.labels.size(), 1U);
  EXPECT_TRUE(seen[0].metadata.annotations.empty());
  EXPECT_TRUE(seen[0].spec.containers.empty());
}

}  // namespace
