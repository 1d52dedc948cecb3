// SPDX-License-Identifier: Apache-2.0
// The code of docs/client.md.
#include <gtest/gtest.h>

#include <pintle/api/everyday.hpp>
#include <pintle/client/scale.hpp>
#include <pintle/client/table.hpp>
#include <pintle/pintle.hpp>
#include <pintle/testing/simulation.hpp>

namespace {

using namespace std::chrono_literals;

pintle::Result<int> count_pods(pintle::Client& client) {
  int scheduled = 0;
  // [for_each]
  const auto version = client.for_each<pintle::Pod>({.label_selector = "app=web"}, [&](const pintle::Pod& pod) {
    if (pod.spec.node_name) ++scheduled;
    return true;  // false ends the list
  });
  if (!version) return version.error();
  // [/for_each]
  return scheduled;
}

TEST(ClientPage, CountsPods) {
  pintle::testkit::Simulation simulation({.seed = 1});
  pintle::Pod pod{.metadata = {.name = "a", .namespace_ = "default", .labels = {{"app", "web"}}}};
  pod.spec.containers = {{.image = "i", .name = "c"}};
  pod.spec.node_name = "n1";
  ASSERT_TRUE(simulation.user().create(pod));
  EXPECT_EQ(count_pods(simulation.user()), 1);
}

TEST(ClientPage, ScalesAndEvicts) {
  pintle::testkit::Simulation simulation({.seed = 1});
  pintle::Client& client = simulation.user();
  // [subresources]
  const auto scaled = client.set_replicas(pintle::Deployment::type, {"shop", "web"}, 5);
  const auto evicted = client.evict({"shop", "web-1"}, {.grace_period = 10s});
  if (!evicted && evicted.error().retry_after) {
    // A disruption budget forbids it: try again after *evicted.error().retry_after.
  }
  // [/subresources]
  EXPECT_EQ(scaled.error().code, pintle::ErrorCode::not_found);
  EXPECT_EQ(evicted, false);
}

TEST(ClientPage, FindsResourcesAndRestrictsAClient) {
  pintle::testkit::Simulation simulation({.seed = 1});
  pintle::Client& client = simulation.user();
  // [discovery]
  const auto deployments = client.find_resource("deploy");  // also "deployments.apps", "deployments.v1.apps"
  // [/discovery]
  ASSERT_TRUE(deployments);
  EXPECT_EQ(deployments->kind, pintle::GroupVersionKind(pintle::Deployment::type));
  // [intercepted]
  const auto restricted = client.intercepted(pintle::bound_to_namespace("shop"));
  const auto checked = client.intercepted(pintle::dry_run_writes());
  // [/intercepted]
  EXPECT_EQ(restricted->get<pintle::ConfigMap>({"default", "a"}).error().code, pintle::ErrorCode::forbidden);
  EXPECT_TRUE(checked->create(pintle::ConfigMap{.metadata = {.name = "a", .namespace_ = "default"}}));
  EXPECT_EQ(client.get<pintle::ConfigMap>({"default", "a"}).error().code, pintle::ErrorCode::not_found);
}

}  // namespace
