// SPDX-License-Identifier: Apache-2.0
// A provider of buckets that runs in its clusters.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <pintle/api/everyday.hpp>
#include <pintle/manager/manager.hpp>
#include <pintle/testing/recording_log_sink.hpp>
#include <pintle/testing/simulation.hpp>

#include "bucket_test_support.hpp"

namespace pintle::service {

using testkit::RecordingLogSink;

// The home cluster is the onboarding cluster.
class ServiceTest : public ::testing::Test {
 protected:
  void TearDown() override { instance.reset(); }  // its reconciles use members of this object

  // A provider whose domain sets the phase Ready or Terminating and returns `done`.
  [[nodiscard]] BucketReconciler provider() {
    return {.onboarding_cluster = std::string(home_cluster),
            .config = {.platform_cluster = "platform", .provider_name = "buckets"},
            .cluster_access = access,
            .reconciler = {.create_or_update = [this](const Bucket& bucket, const BucketConfig& config,
                                                      ObjectClusters& clusters, Context& ctx) -> Outcome {
                             ++creates;
                             regions.push_back(config.spec.region);
                             return on_create ? on_create(bucket, clusters, ctx) : ready(ctx);
                           },
                           .remove = [this](const Bucket& bucket, const BucketConfig&, ObjectClusters& clusters,
                                            Context& ctx) -> Outcome {
                             ++removes;
                             return on_remove ? on_remove(bucket, clusters, ctx) : Outcome(done);
                           }}};
  }
  static Outcome ready(Context& ctx) {
    status_ready(ctx.status());
    return done;
  }

  void run(const BucketReconciler& provider) {
    start(provider);
    ASSERT_TRUE(simulation.wait_until([&] { return instance->manager().is_ready(); }));
  }
  void start(const BucketReconciler& provider) {
    ManagerOptions options{.name = "bucket-provider", .log_sink = log, .max_secret_clusters = max_secret_clusters};
    for (const testkit::SimulatedCluster* cluster : {&platform, &mcp, &workload}) {
      options.clusters.push_back({.name = cluster->address().endpoint->host, .address = cluster->address()});
    }
    instance = std::make_unique<testkit::Instance>(simulation, std::move(options),
                                                   [&](Manager& manager) { manager.add(provider); });
    instance->start();
  }

  // The CRDs exist after the first run().
  void create_config(const std::string& name = "buckets", BucketConfig::Spec spec = {}) {
    const auto created = platform.user().create(BucketConfig{.metadata = {.name = name}, .spec = std::move(spec)});
    ASSERT_TRUE(created) << created.error().to_string();
  }
  void patch_config(const json::Value& spec) {
    ASSERT_TRUE(platform.user().patch(BucketConfig::type, {"", "buckets"}, json::Value{{"spec", spec}}));
  }
  void create_bucket(const std::string& name = "a", Metadata metadata = {}) {
    metadata.name = name;
    metadata.namespace_ = "default";
    const auto created = simulation.user().create(Bucket{.metadata = std::move(metadata)});
    ASSERT_TRUE(created) << created.error().to_string();
  }
  void change_bucket(const std::string& name, const json::Value& patch) {
    const auto patched = simulation.user().patch(Bucket::type, {"default", name}, patch);
    ASSERT_TRUE(patched) << patched.error().to_string();
  }
  void remove_bucket(const std::string& name = "a") {
    ASSERT_TRUE(simulation.user().remove(Bucket::type, {"default", name}));
  }
  [[nodiscard]] Object bucket(const std::string& name = "a") {
    auto found = simulation.user().get(Bucket::type, {"default", name});
    return found ? *found : Object();
  }
  // The phase, and the reason and message of condition Ready, for example "Progressing ReconcileError: cluster setup
  // error".
  [[nodiscard]] std::string shown(const std::string& name = "a") {
    const Object there = bucket(name);
    const auto ready = find_condition(there, ready_condition);
    const std::string phase(there["/status/phase"].text());
    return ready ? phase + " " + ready->reason + ": " + ready->message : phase;
  }
  [[nodiscard]] double reconciles(const std::string& result) {
    return instance->manager()
        .metrics()
        .counter("controller_runtime_reconcile_total", "", {{"controller", "bucket"}, {"result", result}})
        .value();
  }
  // For an object that fails at each attempt: it is retried with back-off, and not after each own write.
  void expect_few_failures_in_an_hour() {
    const double before = reconciles("error");
    advance_time(std::chrono::hours(1));
    EXPECT_LE(reconciles("error") - before, 20);
    EXPECT_GE(reconciles("error") - before, 2) << "it is retried";
  }
  void advance_time(Duration time) { simulation.executor().sleep_for(time); }

  std::shared_ptr<RecordingLogSink> log = std::make_shared<RecordingLogSink>();
  std::function<void(const std::string&)> on_missing_permission = [](const std::string&) {
  };  // for the roles of the manager
  testkit::Simulation simulation{
      {.on_missing_permission = [this](const std::string& what) { on_missing_permission(what); }}};
  testkit::SimulatedCluster& platform = simulation.add_cluster("platform");
  testkit::SimulatedCluster& mcp = simulation.add_cluster("mcp");
  testkit::SimulatedCluster& workload = simulation.add_cluster("workload");
  std::shared_ptr<FakeAccess> access = std::make_shared<FakeAccess>();
  std::function<Outcome(const Bucket&, ObjectClusters&, Context&)> on_create;
  std::function<Outcome(const Bucket&, ObjectClusters&, Context&)> on_remove;
  std::size_t max_secret_clusters = 1'000;
  int creates = 0;
  int removes = 0;
  std::vector<std::string> regions;  // the region of the config in each create_or_update
  std::unique_ptr<testkit::Instance> instance;
};

}  // namespace pintle::service
