// SPDX-License-Identifier: Apache-2.0
// Any number of clusters, and the additional data that the access to them needs.
#include <pintle/patterns/service/api_reconciler.hpp>

#include <gmock/gmock.h>

#include "api_reconciler_test_support.hpp"

namespace pintle::service {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;

TEST_F(ApiReconcilerTest, AdditionalDataAreComputedBeforeTheAccessIsRequested) {
  BucketReconciler with_data = provider();
  with_data.additional_data = {[](const Bucket& bucket, const BucketConfig& config, Context& ctx) -> Result<void> {
                                 ctx.slot<std::string>() += bucket.metadata.name + config.spec.region;
                                 return {};
                               },
                               [](const Bucket&, const BucketConfig&, Context& ctx) -> Result<void> {
                                 ctx.slot<std::string>() += "!";
                                 return {};
                               }};
  std::vector<std::string> seen;
  access->on_reconcile = [&](Context& ctx) { seen.push_back(ctx.slot<std::string>()); };
  run_with_config(with_data, {.region = "1"});
  serve();
  patch_config({{"region", "2"}});
  ASSERT_TRUE(simulation.run_until_idle());
  remove_bucket();
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_THAT(seen, ElementsAre("a1!", "a2!", "a2!")) << "again in each reconcile, in a deletion too";
}

TEST_F(ApiReconcilerTest, AFailureToGenerateAdditionalDataIsReported) {
  BucketReconciler with_data = provider();
  bool is_broken = true;
  with_data.additional_data = {[&](const Bucket&, const BucketConfig&, Context&) -> Result<void> {
    if (is_broken) return fail(ErrorCode::unavailable, "nobody knows");
    return {};
  }};
  run_with_config(with_data);
  create_bucket();
  advance_time(5s);
  EXPECT_EQ(shown(), "Progressing ReconcileError: failed to generate additional data");
  EXPECT_TRUE(log->has("nobody knows"));
  EXPECT_GT(reconciles("error"), 5);
  EXPECT_EQ(creates + access->reconciles, 0);
  is_broken = false;
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(creates, 1);
  is_broken = true;
  remove_bucket();
  advance_time(5s);
  EXPECT_EQ(shown(), "Terminating ReconcileError: failed to generate additional data");
  EXPECT_EQ(removes + access->deletes, 0);
}

TEST_F(ApiReconcilerTest, AClusterWithoutAccessIsAnError) {
  BucketReconciler one_more = provider();
  one_more.more_clusters = {"logs"};
  run_with_config(one_more);
  create_bucket();
  advance_time(1s);
  EXPECT_EQ(shown(), "Progressing ReconcileError: cluster setup error");
  EXPECT_TRUE(log->has("logs cluster access missing"));
  EXPECT_EQ(creates, 0);
}

TEST_F(ApiReconcilerTest, InvalidAdditionalClustersAreReported) {
  BucketReconciler more = provider();
  more.additional_data = {nullptr};
  more.more_clusters = {"", "logs", "logs", "mcp"};
  std::vector<std::string> messages;
  for (const Error& error : more.spec().validate()) messages.push_back(error.message);
  EXPECT_THAT(messages,
              ElementsAre("each function of the additional data is required", "the id of a cluster is required",
                          "two clusters have the id \"logs\"", "two clusters have the id \"mcp\""));
}

// Each cluster has the name that it has in the manager, except the control plane.
class ByName final : public AdvancedProvider {
 public:
  AccessOutcome reconcile(const ObjectKey&, Context&) override { return {}; }
  AccessOutcome reconcile_delete(const ObjectKey&, Context&) override { return {}; }
  Result<std::optional<ClusterContext>> access(std::string_view id, const ObjectKey&, Context& ctx) override {
    cluster_ids.emplace_back(id);
    return ctx.cluster(id).map([](ClusterContext cluster) { return std::optional(std::move(cluster)); });
  }
  Result<std::optional<AccessRequest>> access_request(std::string_view id, const ObjectKey&, Context&) override {
    return FakeAccess::granted(std::string(id));
  }

  std::vector<std::string> cluster_ids;
};

using AdvancedProviderTest = ApiReconcilerTest;

TEST_F(AdvancedProviderTest, ServesAnObjectInAnyNumberOfClusters) {
  const auto by_name = std::make_shared<ByName>();
  BucketReconciler buckets = provider();
  buckets.cluster_access = by_name;
  buckets.workload_cluster = true;
  buckets.more_clusters = {"platform", std::string(home_cluster)};
  std::vector<std::string> secrets;
  on_create = [&](const Bucket&, ObjectClusters& clusters, Context& ctx) {
    EXPECT_NE(&clusters.more.at("platform").cluster.client(), &clusters.mcp_cluster.client());
    for (const auto& [id, one] : clusters.more) secrets.push_back(id + " " + one.access_secret_key.name);
    return ready(ctx);
  };
  run_with_config(buckets);
  serve();
  EXPECT_THAT(by_name->cluster_ids, ElementsAre(mcp_cluster_id, workload_cluster_id, "platform", home_cluster));
  EXPECT_THAT(secrets, ElementsAre("home home-kubeconfig", "platform platform-kubeconfig"));
  EXPECT_EQ(shown(), "Ready ReconcileSuccess: Domain Service is ready");
}

}  // namespace
}  // namespace pintle::service
