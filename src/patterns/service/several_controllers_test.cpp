// SPDX-License-Identifier: Apache-2.0
// Several controllers in one manager, of which at least one is an ApiReconciler.
#include <pintle/patterns/service/cluster_access_reconciler.hpp>

#include <memory>
#include <string>
#include <utility>

#include <gmock/gmock.h>

#include "access_test_support.hpp"

namespace pintle::service {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// Another kind, whose objects have the names of buckets.
struct Crate {
  static constexpr Type type{"test.pintle.dev/v1", "Crate"};
  static constexpr std::string_view finalizer = "test.pintle.dev/finalizer";
  struct Spec {
    std::string size = "1Gi";
    static constexpr auto fields() { return pintle::fields(field("size", &Spec::size, "How much fits in.")); }
  };
  Metadata metadata{};
  Spec spec{};
  Status status{};
};

class TwoServicesTest : public AccessTest {
 protected:
  [[nodiscard]] static ApiReconciler<Crate, BucketConfig> crates(std::shared_ptr<AdvancedProvider> access) {
    return {.onboarding_cluster = std::string(home_cluster),
            .config = {.platform_cluster = "platform", .provider_name = "buckets"},
            .cluster_access = std::move(access),
            .reconciler = {.create_or_update = [](const Crate&, const BucketConfig&, ObjectClusters&,
                                                  Context& ctx) -> Outcome { return ready(ctx); },
                           .remove = [](const Crate&, const BucketConfig&, ObjectClusters&, Context&) -> Outcome {
                             return done;
                           }}};
  }
  void start_both(const BucketReconciler& buckets, std::shared_ptr<AdvancedProvider> access) {
    ManagerOptions options{.name = "provider", .log_sink = log};
    options.clusters = {{.name = "platform", .address = platform.address()}};
    instance = std::make_unique<testkit::Instance>(simulation, std::move(options), [&](Manager& manager) {
      manager.add(buckets);
      manager.add(crates(std::move(access)));
    });
    instance->start();
  }
  void expect_refusal() {
    instance->join();
    ASSERT_FALSE(instance->started());
    EXPECT_THAT(instance->started().error().to_string(),
                HasSubstr("an index \"ClusterAccessOptions::controller_name, label openmcp.cloud/managed-by=Buckets\" "
                          "already; declare it once, or use another name"));
  }
};

// Their requests would have the same names and labels.
TEST_F(TwoServicesTest, MustNotHaveOneControllerName) {
  start_both(with_access(mcp_only()), std::make_shared<ClusterAccessReconciler>(mcp_only()));
  expect_refusal();
}

TEST_F(TwoServicesTest, MustNotShareAClusterAccessReconciler) {
  const BucketReconciler buckets = with_access(mcp_only());
  start_both(buckets, buckets.cluster_access.value());
  expect_refusal();
}

TEST_F(TwoServicesTest, WithTheirOwnNamesServeObjectsOfOneName) {
  ClusterAccessOptions of_crates = mcp_only();
  of_crates.controller_name = std::string("Crates");
  start_both(with_access(mcp_only()), std::make_shared<ClusterAccessReconciler>(of_crates));
  ASSERT_TRUE(simulation.wait_until([&] { return instance->manager().is_ready(); }));
  create_config();
  create_bucket();
  ASSERT_TRUE(simulation.user().create(Crate{.metadata = {.name = "a", .namespace_ = "default"}}));
  advance_time(5s);
  EXPECT_EQ(shown(), is_served);
  EXPECT_EQ(requests("accessrequests").size(), 2U);
  ASSERT_TRUE(simulation.user().remove(Crate::type, {"default", "a"}));
  advance_time(5s);
  EXPECT_FALSE(simulation.user().get<Crate>({"default", "a"}));
  EXPECT_TRUE(request<AccessRequest>(mcp_request));
  EXPECT_EQ(requests("accessrequests").size(), 1U);
}

// ---- another controller writes API objects ----

class WritingControllerTest : public ServiceTest {
 protected:
  // Runs a provider of buckets, and a controller that calls `write` for the ConfigMap c.
  void run_with_writer(std::function<Outcome(const ConfigMap&, Context&)> write) {
    ManagerOptions options{.name = "provider", .log_sink = log};
    for (const testkit::SimulatedCluster* cluster : {&platform, &mcp}) {
      options.clusters.push_back({.name = cluster->address().endpoint->host, .address = cluster->address()});
    }
    on_create = [this](const Bucket& bucket, ObjectClusters&, Context& ctx) -> Outcome {
      served.push_back(bucket.metadata.name + " " + bucket.spec.size);
      if (bucket.metadata.name == "slow") ctx.executor().sleep_for(5s);
      return ready(ctx);
    };
    instance = std::make_unique<testkit::Instance>(simulation, std::move(options), [&](Manager& manager) {
      manager.add(provider());
      manager.add(Controller<ConfigMap>{.name = "writer", .reconcile = std::move(write)});
    });
    instance->start();
    ASSERT_TRUE(simulation.wait_until([&] { return instance->manager().is_ready(); }));
    create_config();
    advance_time(1s);
  }
  // The other controller writes while the worker of the service is busy, which therefore takes the written bucket after
  // the response to that write has arrived.
  void let_the_other_controller_write() {
    create_bucket("slow");
    advance_time(1s);
    ASSERT_TRUE(simulation.user().create(ConfigMap{.metadata = {.name = "c", .namespace_ = "default"}}));
    advance_time(1min);
  }

  std::vector<std::string> served;  // name and size of the bucket in each create_or_update
};

TEST_F(WritingControllerTest, ABucketThatAnotherControllerCreatesIsServed) {
  run_with_writer([](const ConfigMap& map, Context& ctx) -> Outcome {
    if (map.metadata.name != "c") return done;
    const auto made = ctx.create(Bucket{.metadata = {.name = "a", .namespace_ = "default"}});
    if (!made && made.error().code != ErrorCode::already_exists) return failed(made.error());
    return done;
  });
  let_the_other_controller_write();
  EXPECT_THAT(served, ElementsAre("slow 1Gi", "a 1Gi")) << "the own writes of the service cause no further reconcile";
  EXPECT_EQ(bucket()["/status/phase"], "Ready");
}

TEST_F(WritingControllerTest, ABucketThatAnotherControllerUpdatesIsServedAgain) {
  run_with_writer([](const ConfigMap& map, Context& ctx) -> Outcome {
    if (map.metadata.name != "c") return done;
    const auto there = ctx.client().get<Bucket>({"default", "a"}, ctx.stop_token());
    if (!there) return failed(there.error());
    Bucket larger = *there;
    larger.spec.size = "2Gi";
    return ctx.client().update(*there, larger);
  });
  create_bucket();
  advance_time(5s);
  ASSERT_THAT(served, ElementsAre("a 1Gi"));
  let_the_other_controller_write();
  EXPECT_THAT(served, ElementsAre("a 1Gi", "slow 1Gi", "a 2Gi"));
}

// A domain creates another bucket: a reconcile of one object writes another one.
TEST_F(WritingControllerTest, ABucketThatTheServiceCreatesItselfIsServed) {
  run_with_writer([](const ConfigMap&, Context&) -> Outcome { return done; });
  on_create = [this](const Bucket& bucket, ObjectClusters&, Context& ctx) -> Outcome {
    served.push_back(bucket.metadata.name);
    if (bucket.metadata.name == "a") {
      const auto made = ctx.create(Bucket{.metadata = {.name = "b", .namespace_ = "default"}});
      if (!made && made.error().code != ErrorCode::already_exists) return failed(made.error());
    }
    return ready(ctx);
  };
  create_bucket();
  advance_time(5s);
  EXPECT_THAT(served, ElementsAre("a", "b"));
}

}  // namespace
}  // namespace pintle::service
