// SPDX-License-Identifier: Apache-2.0
// Deletions of objects that lose a cluster, or the access to it, before the domain has cleaned up.
#include <pintle/patterns/service/cluster_access_reconciler.hpp>

#include <string>
#include <utility>

#include <gmock/gmock.h>

#include "access_test_support.hpp"

namespace pintle::service {
namespace {

using ::testing::HasSubstr;

class AccessLossTest : public AccessLifeTest {
 protected:
  [[nodiscard]] std::string uid_of_workload_cluster() {
    const auto there = request<ClusterRequest>(workload_request);
    return there ? there->metadata.uid : "none";
  }
};

class FormerClustersTest : public AccessLossTest {
 protected:
  void serve_and_drop_the_workload_cluster() {
    serve_bucket(with_workload());
    instance->stop();
    run(with_access(mcp_only()));
    advance_time(5s);
    ASSERT_EQ(shown(), is_served);
    ASSERT_NE(uid_of_workload_cluster(), "none");
  }
};

TEST_F(FormerClustersTest, AreGivenBackWithTheObject) {
  serve_and_drop_the_workload_cluster();
  remove_bucket();
  advance_time(5s);
  EXPECT_EQ(removes, 1);
  EXPECT_FALSE(bucket());
  EXPECT_TRUE(requests("accessrequests").empty());
  const auto left = requests("clusterrequests");
  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(left[0].name(), "a") << "the ClusterRequest of the control plane is foreign";
}

// The cluster is not given back while access to it exists, and the object does not poll.
TEST_F(FormerClustersTest, AreAwaited) {
  serve_and_drop_the_workload_cluster();
  ASSERT_TRUE(platform.user().patch(
      AccessRequest::type, {mcp_home, workload_request},
      json::Value{{"metadata", {{"finalizers", json::array{cluster_access_finalizer, "platform.dev/grant"}}}}}));
  remove_bucket();
  advance_time(1min);
  count_requests();
  advance_time(1h);
  EXPECT_EQ(requests_sent, 0);
  EXPECT_TRUE(bucket());
  EXPECT_THAT(shown(), HasSubstr("waiting until AccessRequest " + mcp_home + "/" + workload_request + " is gone"));
  EXPECT_FALSE(request<ClusterRequest>(workload_request)->metadata.is_deleting());
  ASSERT_TRUE(
      platform.user().patch(AccessRequest::type, {mcp_home, workload_request},
                            json::Value{{"metadata", {{"finalizers", json::array{cluster_access_finalizer}}}}}));
  EXPECT_LT(time_until([&] { return !bucket(); }), 1s);
  EXPECT_EQ(uid_of_workload_cluster(), "none");
}

// Requests for other objects, and requests of other operators, stay.
TEST_F(FormerClustersTest, OfOthersStay) {
  serve_and_drop_the_workload_cluster();
  for (const char* manager : {"Buckets", "Others"}) {
    const auto created = platform.user().create(AccessRequest{
        .metadata = {.name = "of-" + std::string(manager == std::string("Others") ? "others" : "b"),
                     .namespace_ = mcp_home,
                     .labels = {{"openmcp.cloud/managed-by", manager},
                                {"openmcp.cloud/onboarding-name", manager == std::string("Others") ? "a" : "b"},
                                {"openmcp.cloud/onboarding-namespace", "default"}}}});
    ASSERT_TRUE(created) << created.error().to_string();
  }
  remove_bucket();
  advance_time(5s);
  EXPECT_FALSE(bucket());
  EXPECT_EQ(requests("accessrequests").size(), 2U);
}

}  // namespace
}  // namespace pintle::service
