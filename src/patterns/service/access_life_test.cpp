// SPDX-License-Identifier: Apache-2.0
// Access to clusters over the life of an object: requests that are granted late, deleted by hand, or never granted.
#include <pintle/patterns/service/cluster_access_reconciler.hpp>

#include <gmock/gmock.h>

#include <pintle/object/bytes.hpp>

#include "access_test_support.hpp"

namespace pintle::service {
namespace {

using ::testing::HasSubstr;

// ---- a deletion does not wait for access that cannot be obtained ----

TEST_F(AccessLifeTest, AnObjectIsDeletedIfItsControlPlaneIsGone) {
  serve_held_bucket();
  delete_without_finalizers(ClusterRequest::type, "a");
  delete_without_finalizers(AccessRequest::type, mcp_request);
  remove_bucket();
  advance_time(30s);
  EXPECT_FALSE(has_finalizer());
  EXPECT_EQ(removes, 0) << "no cluster is available for a clean-up";
  ASSERT_TRUE(cleaned_up());
  EXPECT_EQ(cleaned_up()->reason, reason_access_lost);
  EXPECT_THAT(cleaned_up()->message, HasSubstr("there is no ClusterRequest " + mcp_home + "/a"));
  EXPECT_EQ(bucket()["/status/phase"], "Terminating");
  EXPECT_TRUE(requests("accessrequests").empty());
}

TEST_F(AccessLifeTest, WithoutAccessToADeletingControlPlaneTheObjectIsDeleted) {
  serve_held_bucket();
  granter->defer_deletions(true);
  remove_by_hand(ClusterRequest::type, "a");
  ASSERT_TRUE(request<ClusterRequest>("a")->metadata.is_deleting());
  remove_by_hand(AccessRequest::type, mcp_request);
  ASSERT_TRUE(platform.user().patch(AccessRequest::type, {mcp_home, mcp_request},
                                    json::Value{{"metadata", {{"finalizers", nullptr}}}}));
  remove_bucket();
  advance_time(30s);
  EXPECT_FALSE(has_finalizer());
  EXPECT_EQ(removes, 0);
  ASSERT_TRUE(cleaned_up());
  EXPECT_THAT(cleaned_up()->message, HasSubstr("ClusterRequest " + mcp_home + "/a is being deleted"));
}

// As long as the cluster can be reached, the domain cleans up in it.
TEST_F(AccessLifeTest, TheDomainCleansUpInADeletingControlPlane) {
  serve_bucket();
  granter->defer_deletions(true);
  remove_by_hand(ClusterRequest::type, "a");
  advance_time(5s);
  remove_bucket();
  advance_time(5s);
  EXPECT_EQ(removes, 1);
  granter->defer_deletions(false);
  advance_time(5s);
  EXPECT_FALSE(bucket());
  EXPECT_TRUE(requests("accessrequests").empty());
  EXPECT_TRUE(requests("clusterrequests").empty()) << "our finalizer did not delay the deletion";
}

TEST_F(AccessLifeTest, AnObjectThatWaitsForAControlPlaneCanBeDeleted) {
  remove_by_hand(ClusterRequest::type, "a");
  run_provider();
  create_bucket();
  advance_time(5s);
  ASSERT_TRUE(has_finalizer());
  remove_bucket();
  advance_time(5s);
  EXPECT_FALSE(bucket());
}

// Without the control plane the domain is not called, so the other cluster would be useless.
TEST_F(AccessLifeTest, WithoutItsControlPlaneNoOtherClusterIsRequested) {
  remove_by_hand(ClusterRequest::type, "a");
  run_provider(with_workload());
  create_bucket();
  advance_time(5s);
  EXPECT_TRUE(requests("clusterrequests").empty());
  create_control_plane();
  advance_time(5s);
  EXPECT_EQ(shown(), is_served);
  EXPECT_EQ(requests("clusterrequests").size(), 2U);
}

TEST_F(AccessLifeTest, AnObjectWithDeniedAccessCanBeDeleted) {
  granter->decide(AccessRequest::type, {mcp_home, mcp_request}, GrantDecision::deny);
  run_provider();
  create_bucket();
  advance_time(5s);
  ASSERT_THAT(shown(), HasSubstr("ClusterAccessDenied"));
  remove_bucket();
  advance_time(5s);
  EXPECT_FALSE(bucket());
  EXPECT_TRUE(requests("accessrequests").empty());
}

// If a grant is withdrawn, the resources of the domain still exist: the deletion waits for the access.
TEST_F(AccessLifeTest, AnObjectWithARevokedGrantStaysUntilTheDomainCleansUp) {
  serve_bucket();
  granter->decide(AccessRequest::type, {mcp_home, mcp_request}, GrantDecision::deny);
  advance_time(5s);
  remove_bucket();
  advance_time(1min);
  EXPECT_THAT(shown(), HasSubstr("Terminating ClusterAccessDenied"));
  EXPECT_EQ(removes, 0);
  granter->decide(AccessRequest::type, {mcp_home, mcp_request}, GrantDecision::grant);
  advance_time(5s);
  EXPECT_EQ(removes, 1);
  EXPECT_FALSE(bucket());
}

// The process ended in the first call of the domain, so the call is not recorded. The Secret shows that the domain may
// have resources.
TEST_F(AccessLifeTest, AnObjectOfAnUnrecordedCallStaysWhileItsGrantIsWithdrawn) {
  serve_bucket();
  granter->decide(AccessRequest::type, {mcp_home, mcp_request}, GrantDecision::deny);
  advance_time(5s);
  ASSERT_TRUE(simulation.user().patch(Bucket::type, {"default", "a"},
                                      json::Value{{"status", {{"conditions", nullptr}}}}, {.subresource = "status"}));
  advance_time(5s);
  ASSERT_FALSE(cleaned_up());
  remove_bucket();
  advance_time(1min);
  EXPECT_TRUE(has_finalizer());
  granter->decide(AccessRequest::type, {mcp_home, mcp_request}, GrantDecision::grant);
  advance_time(5s);
  EXPECT_EQ(removes, 1);
  EXPECT_FALSE(bucket());
}

TEST_F(AccessLifeTest, AnObjectWithADeniedControlPlaneCanBeDeleted) {
  granter->decide(ClusterRequest::type, {mcp_home, "a"}, GrantDecision::deny);
  run_provider();
  create_bucket();
  advance_time(5s);
  ASSERT_THAT(shown(), HasSubstr("ClusterAccessDenied"));
  remove_bucket();
  advance_time(5s);
  EXPECT_FALSE(bucket());
  EXPECT_EQ(removes, 0);
}

// The platform denies a cluster that it granted before. Each test receives the names of a ClusterRequest and of its
// AccessRequest.
class RevokedClusterTest : public AccessLifeTest {
 protected:
  void decide(const std::string& cluster, const std::string& access, GrantDecision decision) {
    granter->decide(ClusterRequest::type, {mcp_home, cluster}, decision);
    granter->decide(AccessRequest::type, {mcp_home, access}, decision);
    advance_time(5s);
  }
  // The access is denied too.
  void expect_to_wait(const std::string& cluster, const std::string& access) {
    serve_bucket(with_workload());
    decide(cluster, access, GrantDecision::deny);
    remove_bucket();
    advance_time(1min);
    EXPECT_EQ(shown(), "Terminating ClusterAccessDenied: ClusterRequest " + mcp_home + "/" + cluster + " was denied");
    EXPECT_EQ(removes, 0);
    EXPECT_TRUE(request<AccessRequest>(access));
    decide(cluster, access, GrantDecision::grant);
    EXPECT_EQ(removes, 1);
    EXPECT_FALSE(bucket());
  }
  // The access is left.
  void expect_to_clean_up(const std::string& cluster) {
    serve_bucket(with_workload());
    granter->decide(ClusterRequest::type, {mcp_home, cluster}, GrantDecision::deny);
    advance_time(5s);
    ASSERT_EQ(request<ClusterRequest>(cluster)->status.phase, request_denied);
    remove_bucket();
    advance_time(5s);
    EXPECT_EQ(removes, 1);
    EXPECT_FALSE(bucket());
    EXPECT_TRUE(requests("accessrequests").empty());
  }
};

TEST_F(RevokedClusterTest, AnObjectWaitsForItsControlPlaneToCleanUp) { expect_to_wait("a", mcp_request); }
TEST_F(RevokedClusterTest, AnObjectWaitsForItsWorkloadClusterToCleanUp) {
  expect_to_wait(workload_request, workload_request);
}
TEST_F(RevokedClusterTest, TheDomainCleansUpInAControlPlaneThatItStillReaches) { expect_to_clean_up("a"); }
TEST_F(RevokedClusterTest, TheDomainCleansUpInAWorkloadClusterThatItStillReaches) {
  expect_to_clean_up(workload_request);
}

// ---- requests that are deleted by hand ----

TEST_F(AccessLifeTest, AnAccessRequestDeletedByAUserIsCreatedAgain) {
  serve_bucket();
  const std::string before = request<AccessRequest>(mcp_request)->metadata.uid;
  granter->defer_deletions(true);
  remove_by_hand(AccessRequest::type, mcp_request);
  advance_time(5s);
  EXPECT_EQ(shown(), "Progressing WaitingForClusterAccess: AccessRequest " + mcp_home + "/" + mcp_request +
                         " is being deleted; it is created again once it is gone");
  const int calls = creates;
  granter->defer_deletions(false);
  advance_time(5s);
  ASSERT_TRUE(request<AccessRequest>(mcp_request));
  EXPECT_NE(request<AccessRequest>(mcp_request)->metadata.uid, before);
  EXPECT_EQ(shown(), is_served);
  EXPECT_GT(creates, calls);
  EXPECT_NE(clients.back(), clients.front()) << "the access is another";
}

TEST_F(AccessLifeTest, AMissingAccessRequestIsCreatedAgain) {
  serve_bucket();
  delete_without_finalizers(AccessRequest::type, mcp_request);
  advance_time(5s);
  EXPECT_TRUE(request<AccessRequest>(mcp_request));
  EXPECT_EQ(shown(), is_served);
}

TEST_F(AccessLifeTest, AWorkloadClusterDeletedByAUserIsCreatedAgainWithItsAccess) {
  serve_bucket(with_workload());
  const std::string cluster = request<ClusterRequest>(workload_request)->metadata.uid;
  const std::string access = request<AccessRequest>(workload_request)->metadata.uid;
  granter->defer_deletions(true);
  remove_by_hand(ClusterRequest::type, workload_request);
  advance_time(5s);
  EXPECT_THAT(shown(), HasSubstr("Progressing WaitingForClusterAccess: ClusterRequest " + mcp_home + "/" +
                                 workload_request + " is being deleted"));
  granter->defer_deletions(false);
  advance_time(5s);
  EXPECT_EQ(shown(), is_served);
  EXPECT_NE(request<ClusterRequest>(workload_request)->metadata.uid, cluster);
  EXPECT_NE(request<AccessRequest>(workload_request)->metadata.uid, access) << "the old one leads to the old cluster";
}

TEST_F(AccessLifeTest, AMissingWorkloadClusterIsCreatedAgainWithItsAccess) {
  serve_bucket(with_workload());
  const std::string access = request<AccessRequest>(workload_request)->metadata.uid;
  instance->stop();  // and so does not observe the deletion
  delete_without_finalizers(ClusterRequest::type, workload_request);
  run(with_access(with_workload()));
  advance_time(5s);
  EXPECT_EQ(shown(), is_served);
  ASSERT_TRUE(request<ClusterRequest>(workload_request));
  EXPECT_NE(request<AccessRequest>(workload_request)->metadata.uid, access);
}

TEST_F(AccessLifeTest, ARecreatedControlPlaneIsReachedByNewAccess) {
  serve_bucket();
  const std::string before = request<AccessRequest>(mcp_request)->metadata.uid;
  remove_by_hand(ClusterRequest::type, "a");
  advance_time(5s);
  EXPECT_EQ(shown(), "Progressing WaitingForClusterAccess: there is no ClusterRequest " + mcp_home + "/a");
  EXPECT_TRUE(requests("accessrequests").empty()) << "it would have no ClusterRequest";
  create_control_plane();
  advance_time(5s);
  EXPECT_EQ(shown(), is_served);
  EXPECT_NE(request<AccessRequest>(mcp_request)->metadata.uid, before);
}

// In the original, the access disappeared while the object was being deleted, and the resources of the domain stayed
// (T3-13).
TEST_F(AccessLifeTest, MissingAccessIsRequestedAgainForTheCleanup) {
  serve_bucket();
  instance->stop();
  delete_without_finalizers(AccessRequest::type, mcp_request);
  remove_bucket();
  granter->set_delay(10s);
  run(with_access(mcp_only()));
  advance_time(5s);
  EXPECT_EQ(removes, 0);
  EXPECT_THAT(shown(), HasSubstr("Terminating Reconciling: AccessRequest " + mcp_home + "/" + mcp_request +
                                 " is not granted yet"));
  advance_time(10s);
  EXPECT_EQ(removes, 1);
  EXPECT_FALSE(bucket());
  EXPECT_TRUE(requests("accessrequests").empty()) << "the new request is deleted too";
}

// The same with the policy give_up (T3-13).
TEST_F(AccessLifeTest, MissingAccessMaySkipTheCleanup) {
  BucketReconciler lenient = with_access(mcp_only());
  lenient.lost_access = LostAccessPolicy::skip_cleanup;
  run(lenient);
  create_config();
  create_bucket();
  advance_time(5s);
  ASSERT_EQ(shown(), is_served);
  instance->stop();
  delete_without_finalizers(AccessRequest::type, mcp_request);
  remove_bucket();
  run(lenient);
  advance_time(5s);
  EXPECT_EQ(removes, 0);
  EXPECT_FALSE(bucket());
  EXPECT_TRUE(requests("accessrequests").empty());
}

// The access is deleted before the domain has cleaned up (T3-13).
TEST_F(AccessLifeTest, AccessDeletedDuringADeletionIsRequestedAgain) {
  serve_bucket();
  bool is_open = true;
  on_remove = [&](const Bucket&, ObjectClusters&, Context&) -> Outcome {
    if (is_open) return requeue_after(10s);
    return done;
  };
  remove_bucket();
  advance_time(5s);
  const int before = removes;
  ASSERT_GE(before, 1);
  granter->defer_deletions(true);
  remove_by_hand(AccessRequest::type, mcp_request);
  advance_time(1min);
  EXPECT_EQ(removes, before) << "the domain is not called without access";
  is_open = false;
  granter->defer_deletions(false);
  advance_time(15s);
  EXPECT_EQ(removes, before + 1);
  EXPECT_FALSE(bucket());
}

// ---- no polling ----

TEST_F(AccessLifeTest, AGrantIsUsedAtOnce) {
  granter->decide(AccessRequest::type, {mcp_home, mcp_request}, GrantDecision::leave_pending);
  run_provider();
  create_bucket();
  advance_time(3s);
  ASSERT_EQ(creates, 0);
  granter->decide(AccessRequest::type, {mcp_home, mcp_request}, GrantDecision::grant);
  EXPECT_LT(time_until([&] { return creates > 0; }), 500ms);
}

TEST_F(AccessLifeTest, AControlPlaneIsUsedAtOnce) {
  remove_by_hand(ClusterRequest::type, "a");
  run_provider();
  create_bucket();
  advance_time(3s);
  create_control_plane();
  EXPECT_LT(time_until([&] { return creates > 0; }), 500ms);
}

TEST_F(AccessLifeTest, ARotatedSecretIsUsedAtOnce) {
  serve_bucket();
  const int before = creates;
  granter->rotate({mcp_home, mcp_request});
  EXPECT_LT(time_until([&] { return creates > before; }), 500ms);
  EXPECT_NE(clients.back(), clients.front());
  advance_time(1h);
  EXPECT_EQ(creates, before + 1) << "one reconcile for one rotation";
}

TEST_F(AccessLifeTest, AnIdleHourCostsNoRequest) {
  serve_bucket(with_workload());
  count_requests();
  advance_time(1h);
  EXPECT_EQ(requests_sent, 0);
}

TEST_F(AccessLifeTest, AnHourOfWaitingCostsNoRequest) {
  granter->decide(AccessRequest::type, {mcp_home, mcp_request}, GrantDecision::leave_pending);
  run_provider();
  create_bucket();
  advance_time(10s);
  count_requests();
  advance_time(1h);
  EXPECT_EQ(requests_sent, 0);
}

TEST_F(AccessLifeTest, AnHourOfWaitingForAControlPlaneCostsNoRequest) {
  granter->decide(ClusterRequest::type, {mcp_home, "a"}, GrantDecision::leave_pending);
  remove_by_hand(ClusterRequest::type, "a");
  run_provider();
  create_bucket();
  advance_time(10s);
  count_requests();
  advance_time(1h);
  EXPECT_EQ(requests_sent, 0);
  create_control_plane();
  advance_time(1h);
  EXPECT_LE(requests_sent, 10) << "one reconcile of the new object";
  EXPECT_EQ(creates, 0);
}

TEST_F(AccessLifeTest, ADeletionWithAWorkloadClusterCompletesWithinASecond) {
  serve_bucket(with_workload());
  remove_bucket();
  EXPECT_LT(time_until([&] { return !bucket(); }), 1s);
  EXPECT_TRUE(requests("accessrequests").empty());
  const auto left = requests("clusterrequests");
  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(left[0].name(), "a") << "the ClusterRequest of the control plane is foreign";
}

// A failed read is retried with back-off, and at once when the Secret changes.
TEST_F(AccessLifeTest, AnInvalidSecretBacksOffAndIsUsedOnceItIsRepaired) {
  serve_bucket();
  ASSERT_TRUE(platform.user().patch(Secret::type, {mcp_home, mcp_request + "-kubeconfig"},
                                    json::Value{{"data", {{"kubeconfig", "bm90aGluZw=="}}}}));
  advance_time(5s);
  EXPECT_EQ(shown(), "Progressing ReconcileError: cluster setup error");
  count_requests();
  expect_few_failures_in_an_hour();
  EXPECT_LE(requests_sent, 60);
  const int before = creates;
  ASSERT_TRUE(platform.user().patch(Secret::type, {mcp_home, mcp_request + "-kubeconfig"},
                                    json::Value{{"data", {{"kubeconfig", Bytes(mcp.kubeconfig()).to_base64()}}}}));
  EXPECT_LT(time_until([&] { return creates > before; }), 500ms);
}

TEST_F(AccessLifeTest, ClientsOfAProviderAreKeptBeyondTheLimitOfTheManager) {
  max_secret_clusters = 0;
  serve_bucket(with_workload());
  for (const char* size : {"2Gi", "3Gi", "4Gi"}) {
    change_bucket("a", {{"spec", {{"size", size}}}});
    advance_time(5s);
  }
  ASSERT_GE(clients.size(), 4U);
  EXPECT_THAT(clients, ::testing::Each(clients.front()));
  EXPECT_FALSE(log->has("max_secret_clusters"));
}

// Secrets that no request names, and Secrets of other owners, enqueue nothing.
TEST_F(AccessLifeTest, OtherSecretsCauseNoReconcile) {
  serve_bucket();
  const int before = creates;
  ASSERT_TRUE(platform.user().create(Secret{.metadata = {.name = "other", .namespace_ = mcp_home}}));
  advance_time(5s);
  EXPECT_EQ(creates, before);
}

}  // namespace
}  // namespace pintle::service
