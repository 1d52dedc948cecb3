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
  // A provider whose objects have the cluster of the ClusterRequest "shared", which belongs to another owner.
  [[nodiscard]] BucketReconciler with_shared() {
    ClusterAccessOptions options = mcp_only();
    options.more = {{.id = "shared",
                     .cluster_request = [this](const ObjectKey&, Context&) -> Result<ObjectKey> {
                       return ObjectKey{mcp_home, "shared"};
                     },
                     .token = [](const ObjectKey&, Context&) -> Result<TokenConfig> { return TokenConfig{}; }}};
    BucketReconciler real = with_access(std::move(options));
    real.more_clusters = {"shared"};
    return real;
  }
  void create_shared_cluster() {
    const auto created = platform.user().create(
        ClusterRequest{.metadata = {.name = "shared", .namespace_ = mcp_home}, .spec = {.purpose = "workload"}});
    ASSERT_TRUE(created) << created.error().to_string();
    advance_time(10s);
  }
  void serve_bucket_with_shared(BucketReconciler real) {
    create_shared_cluster();
    run(real);
    create_config();
    create_bucket("a", {.finalizers = {"test.pintle.dev/held"}});
    advance_time(10s);
    ASSERT_EQ(shown(), is_served);
  }
  // Deletes the bucket. The clean-up takes until is_blocked is false.
  void begin_cleanup() {
    on_remove = [this](const Bucket&, ObjectClusters&, Context&) -> Outcome {
      if (is_blocked) return requeue_after(10s);
      return done;
    };
    remove_bucket();
    advance_time(5s);
    ASSERT_EQ(removes, 1);
  }
  [[nodiscard]] std::string uid_of_workload_cluster() {
    const auto there = request<ClusterRequest>(workload_request);
    return there ? there->metadata.uid : "none";
  }
  [[nodiscard]] std::string uid_of_access(const std::string& name) {
    const auto there = request<AccessRequest>(name);
    return there ? there->metadata.uid : "none";
  }
  [[nodiscard]] std::string warnings() {
    std::string all;
    for (const Object& event : simulation.server().objects("events")) {
      all += std::string(event["/reason"].text()) + ": " + std::string(event["/message"].text()) + "\n";
    }
    return all;
  }

  bool is_blocked = true;
};

// ---- one AccessRequest is deleted ----

// The other cluster and its access are still needed. A new workload cluster would be empty.
TEST_F(AccessLossTest, ADeletedAccessRequestCostsNoOtherCluster) {
  for (const std::string& name : {mcp_request, workload_request}) {
    SCOPED_TRACE(name);
    const std::string& other = name == mcp_request ? workload_request : mcp_request;
    serve_bucket(with_workload());
    const std::string cluster = uid_of_workload_cluster();
    const std::string kept = uid_of_access(other);
    const std::string lost = uid_of_access(name);
    removes = 0;
    is_blocked = true;
    begin_cleanup();
    remove_by_hand(AccessRequest::type, name);
    advance_time(1min);
    EXPECT_EQ(uid_of_workload_cluster(), cluster);
    EXPECT_EQ(uid_of_access(other), kept);
    EXPECT_NE(uid_of_access(name), lost) << "it is requested again";
    EXPECT_GT(removes, 2) << "the domain continues";
    is_blocked = false;
    advance_time(15s);
    EXPECT_FALSE(bucket());
    EXPECT_TRUE(requests("accessrequests").empty());
    EXPECT_EQ(uid_of_workload_cluster(), "none");
    instance.reset();
    ASSERT_TRUE(platform.user().remove(BucketConfig::type, {"", "buckets"}));
  }
}

// While the platform holds the deletion, the object waits without requests and names the AccessRequest.
TEST_F(AccessLossTest, AHeldDeletionOfAnAccessRequestIsAwaited) {
  serve_bucket(with_workload());
  const std::string cluster = uid_of_workload_cluster();
  begin_cleanup();
  granter->defer_deletions(true);
  remove_by_hand(AccessRequest::type, mcp_request);
  advance_time(1min);
  EXPECT_THAT(shown(), HasSubstr("AccessRequest " + mcp_home + "/" + mcp_request +
                                 " is being deleted; it is created again once it is gone"));
  count_requests();
  const int before = removes;
  advance_time(1h);
  EXPECT_EQ(requests_sent, 0);
  EXPECT_EQ(removes, before) << "the domain is not called without access";
  EXPECT_EQ(uid_of_workload_cluster(), cluster);
  granter->defer_deletions(false);
  is_blocked = false;
  advance_time(15s);
  EXPECT_EQ(removes, before + 1);
  EXPECT_FALSE(bucket());
}

// ---- one cluster cannot be obtained any more ----

TEST_F(AccessLossTest, AMissingClusterDoesNotSkipTheCleanupInTheOthers) {
  serve_bucket_with_shared(with_shared());
  begin_cleanup();
  remove_by_hand(ClusterRequest::type, "shared");
  const std::string access = uid_of_access(mcp_request);
  advance_time(1min);
  is_blocked = false;
  const int before = removes;
  const double reconciles_before = reconciles("requeue_after");
  advance_time(1h);
  EXPECT_TRUE(has_finalizer());
  EXPECT_EQ(removes, before);
  EXPECT_EQ(uid_of_access(mcp_request), access);
  EXPECT_EQ(shown(), "Terminating ClusterAccessLost: there is no ClusterRequest " + mcp_home +
                         "/shared; the deletion waits, because the domain may have resources in the cluster of "
                         "AccessRequest " +
                         mcp_home + "/" + mcp_request);
  EXPECT_NEAR(reconciles("requeue_after") - reconciles_before, 720, 10) << "ClusterAccessOptions::retry_interval";
  create_shared_cluster();
  EXPECT_EQ(removes, before + 1);
  EXPECT_FALSE(has_finalizer());
  ASSERT_TRUE(cleaned_up());
  EXPECT_EQ(cleaned_up()->reason, "DomainDeleted");
}

// A new version of the operator adds a cluster, which the platform denies.
TEST_F(AccessLossTest, ADeniedNewClusterDoesNotSkipTheCleanupInTheOthers) {
  serve_held_bucket();
  ASSERT_TRUE(cleaned_up()) << "the domain has been called";
  EXPECT_EQ(cleaned_up()->status, ConditionStatus::false_);
  instance->stop();
  granter->decide(ClusterRequest::type, {mcp_home, workload_request}, GrantDecision::deny);
  run(with_access(with_workload()));
  advance_time(5s);
  ASSERT_THAT(shown(), HasSubstr("Progressing ClusterAccessDenied"));
  remove_bucket();
  advance_time(1min);
  count_requests();
  advance_time(1h);
  EXPECT_EQ(requests_sent, 0);
  EXPECT_TRUE(has_finalizer());
  EXPECT_EQ(removes, 0);
  EXPECT_THAT(shown(), HasSubstr("Terminating ClusterAccessDenied: ClusterRequest " + mcp_home + "/" +
                                 workload_request + " was denied; the deletion waits"));
  granter->decide(ClusterRequest::type, {mcp_home, workload_request}, GrantDecision::grant);
  advance_time(10s);
  EXPECT_EQ(removes, 1);
  EXPECT_FALSE(has_finalizer());
}

// Nothing can have been done for the object.
TEST_F(AccessLossTest, AnObjectThatTheDomainNeverServedDoesNotWaitForADeniedCluster) {
  granter->decide(ClusterRequest::type, {mcp_home, workload_request}, GrantDecision::deny);
  run_provider(with_workload());
  create_bucket();
  advance_time(5s);
  ASSERT_THAT(shown(), HasSubstr("Progressing ClusterAccessDenied"));
  ASSERT_TRUE(request<AccessRequest>(mcp_request)->status.secret_ref);
  remove_bucket();
  advance_time(5s);
  EXPECT_FALSE(bucket());
  EXPECT_EQ(removes, 0);
}

TEST_F(AccessLossTest, AMissingClusterMaySkipTheCleanupInTheOthers) {
  BucketReconciler lenient = with_shared();
  lenient.lost_access = LostAccessPolicy::skip_cleanup;
  serve_bucket_with_shared(lenient);
  begin_cleanup();
  remove_by_hand(ClusterRequest::type, "shared");
  advance_time(1min);
  EXPECT_FALSE(has_finalizer());
  EXPECT_EQ(removes, 1);
  ASSERT_TRUE(cleaned_up());
  EXPECT_EQ(cleaned_up()->reason, reason_access_lost);
}

// ---- the policy skip_cleanup ----

TEST_F(AccessLossTest, ASkippedCleanupIsReported) {
  BucketReconciler lenient = with_shared();
  lenient.lost_access = LostAccessPolicy::skip_cleanup;
  serve_bucket_with_shared(lenient);
  begin_cleanup();
  remove_by_hand(AccessRequest::type, "buckets--a--shared");
  advance_time(1min);
  EXPECT_EQ(removes, 1);
  EXPECT_FALSE(has_finalizer());
  ASSERT_TRUE(cleaned_up());
  EXPECT_EQ(cleaned_up()->status, ConditionStatus::true_);
  EXPECT_EQ(cleaned_up()->reason, reason_access_lost);
  const std::string message =
      "The domain did not clean up: AccessRequest " + mcp_home + "/buckets--a--shared is being deleted";
  EXPECT_EQ(cleaned_up()->message, message);
  EXPECT_THAT(warnings(), HasSubstr("ClusterAccessLost: " + message));
}

TEST_F(AccessLossTest, ASkippedCleanupWithoutAnAccessRequestIsReported) {
  BucketReconciler lenient = with_access(mcp_only());
  lenient.lost_access = LostAccessPolicy::skip_cleanup;
  run(lenient);
  create_config();
  create_bucket("a", {.finalizers = {"test.pintle.dev/held"}});
  advance_time(5s);
  ASSERT_EQ(shown(), is_served);
  instance->stop();
  delete_without_finalizers(AccessRequest::type, mcp_request);
  remove_bucket();
  run(lenient);
  advance_time(5s);
  EXPECT_EQ(removes, 0);
  EXPECT_FALSE(has_finalizer());
  ASSERT_TRUE(cleaned_up());
  EXPECT_EQ(cleaned_up()->reason, reason_access_lost);
  EXPECT_THAT(cleaned_up()->message, HasSubstr("there is no access to the cluster \"mcp\""));
  EXPECT_THAT(warnings(), HasSubstr("ClusterAccessLost: The domain did not clean up"));
}

// ---- clusters that a new version of the operator does not declare ----

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
