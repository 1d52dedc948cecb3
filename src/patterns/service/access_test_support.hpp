// SPDX-License-Identifier: Apache-2.0
// For tests of the access to clusters: a provider of buckets with real requests, and a platform that grants them.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <pintle/testing/access_granter.hpp>

#include "test_support.hpp"

namespace pintle::service {

using namespace std::chrono_literals;

using testkit::GrantDecision;

class AccessTest : public ServiceTest {
 protected:
  void SetUp() override {
    on_missing_permission = [](const std::string& what) { ADD_FAILURE() << what; };
    start_platform();
  }
  void TearDown() override {
    ServiceTest::TearDown();
    granter.reset();
  }

  void start_platform() {
    granter.emplace(simulation, platform,
                    testkit::AccessGranterOptions{.clusters = {{"mcp", &mcp}, {"workload", &workload}}});
    const auto started = granter->start();
    ASSERT_TRUE(started) << started.error().to_string();
    ASSERT_TRUE(platform.user().create(
        json::Value{{"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", {{"name", mcp_home}}}}));
    create_control_plane();
  }
  // Creates the request that the owner of the control planes creates for the bucket a.
  void create_control_plane() {
    const auto created = platform.user().create(
        ClusterRequest{.metadata = {.name = "a", .namespace_ = mcp_home}, .spec = {.purpose = "mcp"}});
    ASSERT_TRUE(created) << created.error().to_string();
  }
  [[nodiscard]] static ClusterAccessOptions mcp_only() {
    return {.controller_name = "Buckets", .platform_cluster = "platform", .mcp = {.role_refs = {{.name = "admin"}}}};
  }
  [[nodiscard]] static ClusterAccessOptions with_workload() {
    ClusterAccessOptions both = mcp_only();
    both.workload = TokenConfig{.role_refs = {{.name = "admin"}}};
    return both;
  }
  [[nodiscard]] BucketReconciler with_access(ClusterAccessOptions options) {
    BucketReconciler real = provider();
    real.workload_cluster = options.workload.has_value();
    real.cluster_access = std::make_shared<ClusterAccessReconciler>(std::move(options));
    on_create = [this](const Bucket&, ObjectClusters& clusters, Context& ctx) -> Outcome {
      clients.push_back(&clusters.mcp_cluster.client());
      return ready(ctx);
    };
    return real;
  }
  // Starts the provider without the bucket.
  void run_provider(ClusterAccessOptions options = mcp_only()) {
    run(with_access(std::move(options)));
    create_config();
    ASSERT_TRUE(simulation.run_until_idle(5s));
  }
  void serve_bucket(ClusterAccessOptions options = mcp_only(), Metadata metadata = {}) {
    run_provider(std::move(options));
    create_bucket("a", std::move(metadata));
    ASSERT_TRUE(simulation.run_until_idle(5s));
    ASSERT_EQ(shown(), is_served);
  }
  void remove_by_hand(const GroupVersionKind& kind, const std::string& name) {
    const auto removed = platform.user().remove(kind, {mcp_home, name});
    ASSERT_TRUE(removed && *removed) << name;
  }
  // Deletes a request as the platform does: no finalizer delays the deletion.
  void delete_without_finalizers(const GroupVersionKind& kind, const std::string& name) {
    granter->defer_deletions(true);
    remove_by_hand(kind, name);
    (void)platform.user().patch(kind, {mcp_home, name}, json::Value{{"metadata", {{"finalizers", nullptr}}}});
    granter->defer_deletions(false);
  }
  template <class T>
  [[nodiscard]] std::optional<T> request(const std::string& name) {
    auto there = platform.user().get<T>({mcp_home, name});
    return there ? std::optional(std::move(*there)) : std::nullopt;
  }
  [[nodiscard]] std::vector<Object> requests(const std::string& plural) {
    return platform.server().objects(plural + ".clusters.openmcp.cloud");
  }
  // The virtual time until a condition is true, at most one minute.
  [[nodiscard]] Duration time_until(const std::function<bool()>& condition) {
    const Instant before = simulation.executor().now();
    EXPECT_TRUE(simulation.wait_until(condition, std::chrono::minutes(1)));
    return simulation.executor().now() - before;
  }
  // Counts the requests of the provider to all clusters from now on, without watches.
  void count_requests() {
    requests_sent = 0;
    instance->transport().set_faults({{.effect = http::Delay{}, .only = [this](const http::Request& request) {
                                         if (request.target.find("watch=") == std::string::npos) ++requests_sent;
                                         return false;
                                       }}});
  }

  static constexpr auto is_served = "Ready ReconcileSuccess: Domain Service is ready";
  const std::string mcp_home = *mcp_namespace({"default", "a"});
  const std::string mcp_request = "buckets--a--mcp";
  const std::string workload_request = "buckets--a--wl";
  std::optional<testkit::AccessGranter> granter;
  std::vector<const Client*> clients;  // the client of each create_or_update
  int requests_sent = 0;
};

class AccessLifeTest : public AccessTest {
 protected:
  // The bucket has a finalizer of another owner, so that its last status can be read.
  void serve_held_bucket(ClusterAccessOptions options = mcp_only()) {
    serve_bucket(std::move(options), {.finalizers = {"test.pintle.dev/held"}});
  }
  [[nodiscard]] bool has_finalizer() {
    const Object there = bucket();
    for (const json::View one : there.finalizers().elements()) {
      if (one == Bucket::finalizer) return true;
    }
    return false;
  }
  [[nodiscard]] std::optional<StatusCondition> cleaned_up() {
    return find_condition(bucket(), cleaned_up_condition(Bucket::finalizer));
  }
};

}  // namespace pintle::service
