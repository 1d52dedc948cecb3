// SPDX-License-Identifier: Apache-2.0
// The code of docs/operating.md.
#include <gtest/gtest.h>

#include <pintle/api/everyday.hpp>
#include <pintle/pintle.hpp>
#include <pintle/testing/simulation.hpp>

namespace {

TEST(OperatingPage, ACacheKeepsThePartsOfItsProjection) {
  pintle::testkit::Simulation simulation({.seed = 1});
  // [cache_projections]
  pintle::ManagerOptions options{.name = "op"};
  options.cache_projections = {{pintle::Pod::type, {.projection = {.keep = {"/metadata/labels", "/status/phase"}}}}};
  // [/cache_projections]
  options.log_level = pintle::LogLevel::off;
  std::vector<pintle::Pod> seen;
  pintle::testkit::Instance instance(simulation, std::move(options), [&](pintle::Manager& manager) {
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

std::vector<pintle::ObjectKey> node_of(const pintle::Object& pod) {
  return {{.name = std::string(pod["/spec/nodeName"].text())}};
}

std::vector<std::string> node_name(const pintle::Object& pod) { return {std::string(pod["/spec/nodeName"].text())}; }

TEST(OperatingPage, AListByAnIndexSelectsObjects) {
  pintle::testkit::Simulation simulation({.seed = 1});
  std::map<std::string, std::size_t> pods_of;
  // [index]
  pintle::Controller<pintle::Node> controller{
      .watches = {{.kind = pintle::GroupVersionKind(pintle::Pod::type), .map = node_of}},
      .indexes = {{.kind = pintle::Pod::type, .name = "node", .keys = node_name}},
      .reconcile = [&](const pintle::Node& node, pintle::Context& ctx) -> pintle::Outcome {
        const auto pods = ctx.list<pintle::Pod>({.index = {"node", node.metadata.name}});
        if (!pods) return pods.error();
        pods_of[node.metadata.name] = pods->size();
        return pintle::done;
      }};
  // [/index]
  pintle::testkit::Instance instance(simulation, {.name = "op", .log_level = pintle::LogLevel::off},
                                     [&](pintle::Manager& manager) { manager.add(controller); });
  instance.start();
  ASSERT_TRUE(simulation.wait_until([&] { return instance.manager().is_ready(); }));
  ASSERT_TRUE(simulation.user().create(pintle::Node{.metadata = {.name = "n1"}}));
  pintle::Pod pod{.metadata = {.name = "a", .namespace_ = "default"}};
  pod.spec.containers = {{.image = "i", .name = "c"}};
  pod.spec.node_name = "n1";
  ASSERT_TRUE(simulation.user().create(pod));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(pods_of, (std::map<std::string, std::size_t>{{"n1", 1}}));
}

}  // namespace
