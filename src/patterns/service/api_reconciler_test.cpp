#include <pintle/patterns/service/api_reconciler.hpp>

#include <stdexcept>

#include <gmock/gmock.h>

#include "test_support.hpp"

namespace pintle::service {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Steps = Reconciler<Bucket, BucketConfig>;
using Provider = std::shared_ptr<ClusterAccessProvider>;

// T3-23 K: a part that is missing does not compile.
template <class R, class C = ConfigReconciler<BucketConfig>, class S = Steps>
concept MayLeaveOutOnboardingCluster =
    requires(C c, Provider p, S s) { R{.config = c, .cluster_access = p, .reconciler = s}; };
template <class R, class S = Steps>
concept MayLeaveOutConfig =
    requires(Provider p, S s) { R{.onboarding_cluster = "o", .cluster_access = p, .reconciler = s}; };
template <class R, class C = ConfigReconciler<BucketConfig>, class S = Steps>
concept MayLeaveOutClusterAccess = requires(C c, S s) { R{.onboarding_cluster = "o", .config = c, .reconciler = s}; };
template <class R, class C = ConfigReconciler<BucketConfig>>
concept MayLeaveOutReconciler =
    requires(C c, Provider p) { R{.onboarding_cluster = "o", .config = c, .cluster_access = p}; };
template <class R, class C = ConfigReconciler<BucketConfig>, class S = Steps>
concept MayLeaveOutTheRest =
    requires(C c, Provider p, S s) { R{.onboarding_cluster = "o", .config = c, .cluster_access = p, .reconciler = s}; };
template <class S>
concept MayLeaveOutRemove = requires(typename S::Step step) { S{.create_or_update = step}; };
static_assert(!MayLeaveOutOnboardingCluster<BucketReconciler>);
static_assert(!MayLeaveOutConfig<BucketReconciler>);
static_assert(!MayLeaveOutClusterAccess<BucketReconciler>);
static_assert(!MayLeaveOutReconciler<BucketReconciler>);
static_assert(MayLeaveOutTheRest<BucketReconciler>);
static_assert(!MayLeaveOutRemove<Steps>);

// T3-20 K: a kind that is not known is not one that can be written down.
template <class T>
concept MayBeServed = requires { typename ApiReconciler<T, BucketConfig>; };
static_assert(MayBeServed<Bucket> && !MayBeServed<ConfigMap> && !MayBeServed<Object>);

class ApiReconcilerTest : public ServiceTest {
 protected:
  void run_with_config(const BucketReconciler& provider, BucketConfig::Spec spec = {}) {
    run(provider);
    create_config("buckets", std::move(spec));
    ASSERT_TRUE(simulation.settle());
  }
  // Brings a bucket as far as it gets.
  void serve(const std::string& name = "a", Metadata metadata = {}) {
    create_bucket(name, std::move(metadata));
    ASSERT_TRUE(simulation.settle());
  }
  // With a finalizer of somebody else, so that what becomes of it can be seen.
  void serve_held_bucket() { serve("a", {.finalizers = {"test.pintle.dev/held"}}); }
  void ask_for_a_pass() {
    change_bucket(
        "a", {{"metadata", {{"annotations", {{operation_annotation, "reconcile"}, {"test.pintle.dev/kept", "yes"}}}}}});
    ASSERT_TRUE(simulation.settle());
  }
  void fail_status_writes(int status, std::uint64_t times = std::numeric_limits<std::uint64_t>::max()) {
    const std::string reason = status == 409 ? "Conflict" : status == 404 ? "NotFound" : "InternalError";
    instance->transport().set_faults(
        {{.effect = http::AnswerError{.status = status, .reason = reason},
          .only = http::requests("PATCH", "/apis/test.pintle.dev/v1/namespaces/default/buckets/a/status"),
          .times = times}});
  }
  [[nodiscard]] bool is_cleaned_up() { return is_condition_true(bucket(), cleaned_up_condition(Bucket::finalizer)); }
  [[nodiscard]] bool has_finalizer() {
    const Object found = bucket();
    for (const json::View one : found.finalizers().elements()) {
      if (one == Bucket::finalizer) return true;
    }
    return false;
  }
};

// T3-01 K
TEST_F(ApiReconcilerTest, ServesAnObjectAndLooksAgainAfterThePollInterval) {
  ObjectKey mcp_key;
  ObjectKey workload_key;
  BucketReconciler with_workload = provider();
  with_workload.workload_cluster = true;
  on_create = [&](const Bucket& bucket, RequestClusters& clusters, Context& ctx) -> Outcome {
    mcp_key = clusters.mcp_access_secret_key;
    workload_key = clusters.workload_access_secret_key;
    const ConfigMap made{.metadata = {.name = bucket.metadata.name, .namespace_ = "default"}};
    if (auto there = clusters.mcp_cluster.apply(made); !there) return failed(there.error());
    if (auto there = clusters.workload_cluster->apply(made); !there) return failed(there.error());
    return ready(ctx);
  };
  run_with_config(with_workload, {.region = "north", .poll_seconds = 3600});
  serve();
  EXPECT_EQ(shown(), "Ready ReconcileSuccess: Domain Service is ready");
  EXPECT_EQ(bucket()["/status/observedGeneration"], 1);
  EXPECT_EQ(mcp_key, (ObjectKey{"mcp--a", "mcp-kubeconfig"}));
  EXPECT_EQ(workload_key, (ObjectKey{"mcp--a", "wl-kubeconfig"}));
  EXPECT_EQ(mcp.server().objects("configmaps").size(), 1U);
  EXPECT_EQ(workload.server().objects("configmaps").size(), 1U);
  EXPECT_EQ(regions.back(), "north");
  const int before = creates;
  pass_time(58min);
  EXPECT_EQ(creates, before);
  pass_time(3min);
  EXPECT_EQ(creates, before + 1);
}

// T3-02 K
TEST_F(ApiReconcilerTest, AFailureOfTheDomainIsRetriedAndItsStatusIsWritten) {
  on_create = [](const Bucket&, RequestClusters&, Context& ctx) {
    status_progressing(ctx.status(), "NoRoom", "the disk is full");
    return failed(make_error(ErrorCode::unavailable, "there is no room"));
  };
  run_with_config(provider(), {.poll_seconds = 1});
  create_bucket();
  pass_time(5s);
  EXPECT_EQ(shown(), "Progressing NoRoom: the disk is full");
  EXPECT_GT(passes("error"), 5) << "by back-off, from 5 ms";
  EXPECT_EQ(passes("requeue_after"), 0);
  EXPECT_TRUE(log->has("there is no room"));
}

// T3-03 K
TEST_F(ApiReconcilerTest, WaitsInADeletionUntilTheAccessIsGivenBack) {
  run_with_config(provider());
  serve();
  access->delete_outcome = {.outcome = look_again_in(1h)};
  remove_bucket();
  ASSERT_TRUE(simulation.settle());
  EXPECT_EQ(removes, 1);
  const int deletes = access->deletes;
  EXPECT_GT(deletes, 0);
  EXPECT_EQ(bucket()["/status/phase"], "Terminating");
  EXPECT_TRUE(has_finalizer());
  access->delete_outcome = {};
  pass_time(57min);
  EXPECT_EQ(access->deletes, deletes);
  EXPECT_TRUE(has_finalizer());
  pass_time(4min);
  EXPECT_FALSE(bucket());
  EXPECT_EQ(removes, 1) << "never again once it has settled";
}

// T3-04 K
TEST_F(ApiReconcilerTest, AFailureOfTheDomainKeepsTheObject) {
  on_remove = [](const Bucket&, RequestClusters&, Context&) {
    return failed(make_error(ErrorCode::unavailable, "it is still open"));
  };
  run_with_config(provider());
  serve();
  remove_bucket();
  pass_time(5s);
  EXPECT_EQ(shown(), "Terminating Terminating: Cleanup in progress");
  EXPECT_GT(removes, 5);
  EXPECT_GT(passes("error"), 5);
  EXPECT_EQ(access->deletes, 0);
  EXPECT_FALSE(is_cleaned_up());
  EXPECT_TRUE(has_finalizer());
}

TEST_F(ApiReconcilerTest, TheDomainIsAskedUntilItHasSettledAndMaySayWhatKeepsIt) {
  on_remove = [this](const Bucket&, RequestClusters&, Context& ctx) -> Outcome {
    if (removes == 3) return settled;
    status_terminating(ctx.status(), "DeletionBlocked", "somebody uses it");
    return look_again_in(10s);
  };
  run_with_config(provider());
  serve_held_bucket();
  remove_bucket();
  pass_time(5s);
  EXPECT_EQ(shown(), "Terminating DeletionBlocked: somebody uses it");
  pass_time(1min);
  EXPECT_EQ(removes, 3);
  EXPECT_EQ(shown(), "Terminating Terminating: Cleanup in progress");
  EXPECT_FALSE(has_finalizer());
}

// T3-05 K
TEST_F(ApiReconcilerTest, AnObjectThatIsGoneIsNothingToDo) {
  run_with_config(provider(), {.poll_seconds = 60});
  serve();
  const double before = passes("success") + passes("requeue_after");
  on_create = {};
  remove_bucket();
  ASSERT_TRUE(simulation.settle());
  ASSERT_FALSE(bucket());
  const int calls = creates + removes + access->reconciles + access->deletes;
  const double after = passes("success") + passes("requeue_after");
  EXPECT_EQ(after, before + 1);
  patch_config({{"region", "north"}});
  ASSERT_TRUE(simulation.settle());
  EXPECT_EQ(creates + removes + access->reconciles + access->deletes, calls);
  EXPECT_EQ(passes("success") + passes("requeue_after"), after);
  EXPECT_EQ(passes("error"), 0);
}

// T3-06 K, as of v1.0
TEST_F(ApiReconcilerTest, WithoutAConfigAnObjectWaitsAndIsNotTouched) {
  run(provider());
  serve();
  EXPECT_EQ(shown(), "Progressing ReconcileError: No ProviderConfig found");
  EXPECT_EQ(passes("error"), 0);
  EXPECT_EQ(creates + access->reconciles, 0);
  EXPECT_FALSE(has_finalizer()) << "it can be deleted, since nothing was done for it";
}

// T3-06 K, as of v0.1.0
TEST_F(ApiReconcilerTest, WithoutAConfigAnObjectMayFail) {
  BucketReconciler strict = provider();
  strict.config.missing = MissingConfig::fails;
  run(strict);
  create_bucket();
  pass_time(5s);
  EXPECT_EQ(shown(), "Progressing ReconcileError: No ProviderConfig found");
  EXPECT_GT(passes("error"), 5);
  EXPECT_TRUE(log->has("provider config missing"));
  EXPECT_EQ(creates + access->reconciles, 0);
}

// T3-07 K
TEST_F(ApiReconcilerTest, AnObjectToBeIgnoredIsLeftAlone) {
  run_with_config(provider(), {.poll_seconds = 60});
  serve("a", {.annotations = {{std::string(operation_annotation), std::string(ignore_operation)}}});
  EXPECT_EQ(creates + access->reconciles, 0);
  EXPECT_FALSE(bucket()["/status/phase"].exists());
  EXPECT_FALSE(has_finalizer());
  EXPECT_EQ(passes("requeue_after"), 0);
  change_bucket("a", {{"metadata", {{"annotations", {{"openmcp.cloud/operation", nullptr}}}}}});
  ASSERT_TRUE(simulation.settle());
  EXPECT_GT(creates, 0);
}

// T3-07 K
TEST_F(ApiReconcilerTest, AnObjectToBeIgnoredIsLeftAloneInItsDeletionToo) {
  run_with_config(provider());
  serve();
  change_bucket("a", {{"metadata", {{"annotations", {{"openmcp.cloud/operation", "ignore"}}}}}});
  remove_bucket();
  ASSERT_TRUE(simulation.settle());
  EXPECT_EQ(removes + access->deletes, 0);
  EXPECT_EQ(bucket()["/status/phase"], "Ready");
  EXPECT_TRUE(has_finalizer());
  EXPECT_EQ(passes("requeue_after"), 0);
}

TEST_F(ApiReconcilerTest, APassThatIsAskedForTakesTheAnnotationOffAndRuns) {
  run_with_config(provider());
  serve();
  for (const int expected : {2, 3}) {
    ask_for_a_pass();
    EXPECT_EQ(creates, expected) << "and its own write brings no other";
    EXPECT_FALSE(bucket().annotations().member(operation_annotation).exists());
  }
  EXPECT_EQ(bucket().annotation("test.pintle.dev/kept"), "yes");
  EXPECT_EQ(shown(), "Ready ReconcileSuccess: Domain Service is ready");
}

TEST_F(ApiReconcilerTest, APassIsAskedForInADeletionAndWithoutAConfigToo) {
  run(provider());
  serve();
  ask_for_a_pass();
  EXPECT_EQ(bucket().annotation(operation_annotation), "");
  EXPECT_EQ(shown(), "Progressing ReconcileError: No ProviderConfig found");
  create_config();
  on_remove = [](const Bucket&, RequestClusters&, Context&) -> Outcome { return look_again_in(1h); };
  ASSERT_TRUE(simulation.settle());
  remove_bucket();
  ASSERT_TRUE(simulation.settle());
  const int before = removes;
  ask_for_a_pass();
  EXPECT_GT(removes, before);
  EXPECT_EQ(bucket().annotation(operation_annotation), "");
}

TEST_F(ApiReconcilerTest, AnAnnotationThatSaysSomethingElseByNowStays) {
  run_with_config(provider());
  serve();
  const int before = creates;
  bool is_first = true;
  instance->transport().set_faults({{.effect = http::Delay{10s}, .only = [&](const http::Request& request) {
                                       return request.method == "PATCH" && std::exchange(is_first, false);
                                     }}});
  change_bucket("a", {{"metadata", {{"annotations", {{operation_annotation, "reconcile"}}}}}});
  ASSERT_TRUE(simulation.wait_until([&] { return !is_first; })) << "it is being taken off";
  change_bucket("a", {{"metadata", {{"annotations", {{operation_annotation, "ignore"}}}}}});
  ASSERT_TRUE(simulation.settle());
  EXPECT_EQ(bucket().annotation(operation_annotation), "ignore");
  EXPECT_EQ(creates, before);
  EXPECT_EQ(shown(), "Ready ReconcileSuccess: Domain Service is ready") << "and nothing is said about it";
}

TEST_F(ApiReconcilerTest, AdditionalDataAreThereBeforeTheAccessIsAskedFor) {
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
  ASSERT_TRUE(simulation.settle());
  remove_bucket();
  ASSERT_TRUE(simulation.settle());
  EXPECT_THAT(seen, ElementsAre("a1!", "a2!", "a2!")) << "anew in each pass, in a deletion too";
}

TEST_F(ApiReconcilerTest, AFailureToGenerateAdditionalDataIsSaid) {
  BucketReconciler with_data = provider();
  bool is_broken = true;
  with_data.additional_data = {[&](const Bucket&, const BucketConfig&, Context&) -> Result<void> {
    if (is_broken) return fail(ErrorCode::unavailable, "nobody knows");
    return {};
  }};
  run_with_config(with_data);
  create_bucket();
  pass_time(5s);
  EXPECT_EQ(shown(), "Progressing ReconcileError: failed to generate additional data");
  EXPECT_TRUE(log->has("nobody knows"));
  EXPECT_GT(passes("error"), 5);
  EXPECT_EQ(creates + access->reconciles, 0);
  is_broken = false;
  ASSERT_TRUE(simulation.settle());
  EXPECT_EQ(creates, 1);
  is_broken = true;
  remove_bucket();
  pass_time(5s);
  EXPECT_EQ(shown(), "Terminating ReconcileError: failed to generate additional data");
  EXPECT_EQ(removes + access->deletes, 0);
}

TEST_F(ApiReconcilerTest, AClusterThatTheAccessDoesNotKnowIsAnError) {
  BucketReconciler one_more = provider();
  one_more.more_clusters = {"logs"};
  run_with_config(one_more);
  create_bucket();
  pass_time(1s);
  EXPECT_EQ(shown(), "Progressing ReconcileError: cluster setup error");
  EXPECT_TRUE(log->has("logs cluster access missing"));
  EXPECT_EQ(creates, 0);
}

TEST_F(ApiReconcilerTest, WhatIsWrongAboutMoreClustersIsSaid) {
  BucketReconciler more = provider();
  more.additional_data = {nullptr};
  more.more_clusters = {"", "logs", "logs", "mcp"};
  std::vector<std::string> said;
  for (const Error& fault : more.spec().faults()) said.push_back(fault.message);
  EXPECT_THAT(said, ElementsAre("each function of the additional data is required", "the id of a cluster is required",
                                "two clusters have the id \"logs\"", "two clusters have the id \"mcp\""));
}

// T3-08 K
TEST_F(ApiReconcilerTest, AFailureOfTheAccessIsSaid) {
  run_with_config(provider());
  access->outcome = {.outcome = failed(make_error(ErrorCode::unavailable, "the platform is down"))};
  create_bucket();
  pass_time(5s);
  EXPECT_EQ(shown(), "Progressing ReconcileError: cluster setup error");
  EXPECT_GT(passes("error"), 5);
  EXPECT_TRUE(log->has("the platform is down"));
  EXPECT_EQ(creates, 0);
}

// T3-09 K, and F: nothing was said while it waited.
TEST_F(ApiReconcilerTest, WaitingForTheAccessIsSaid) {
  run_with_config(provider());
  access->outcome = {.outcome = look_again_in(10s)};
  create_bucket();
  pass_time(5s);
  EXPECT_EQ(shown(), "Progressing WaitingForClusterAccess: waiting for access to the clusters");
  const int before = access->reconciles;
  pass_time(10s);
  EXPECT_EQ(access->reconciles, before + 1);
  EXPECT_EQ(passes("error"), 0);
  access->outcome = {.outcome = look_again_in(10s), .reason = "ClusterAccessDenied", .message = "no"};
  pass_time(10s);
  EXPECT_EQ(shown(), "Progressing ClusterAccessDenied: no");
  EXPECT_EQ(creates, 0);
}

// T3-10 K
TEST_F(ApiReconcilerTest, AControlPlaneThatIsNotThereIsAnError) {
  access->has_mcp = false;
  run_with_config(provider());
  create_bucket();
  pass_time(1s);
  EXPECT_EQ(shown(), "Progressing ReconcileError: cluster setup error");
  EXPECT_TRUE(log->has("mcp access missing"));
  EXPECT_EQ(creates, 0);
}

// T3-10 K
TEST_F(ApiReconcilerTest, AWorkloadClusterThatIsNotThereIsAnError) {
  access->has_workload = false;
  BucketReconciler with_workload = provider();
  with_workload.workload_cluster = true;
  run_with_config(with_workload);
  create_bucket();
  pass_time(1s);
  EXPECT_TRUE(log->has("workload cluster access missing"));
  EXPECT_EQ(creates, 0);
}

// T3-10 K
TEST_F(ApiReconcilerTest, AWorkloadClusterThatNobodyWantsIsNotAskedFor) {
  on_create = [](const Bucket&, RequestClusters& clusters, Context& ctx) {
    EXPECT_FALSE(clusters.workload_cluster);
    EXPECT_EQ(clusters.workload_access_secret_key, ObjectKey());
    return ready(ctx);
  };
  run_with_config(provider());
  serve();
  remove_bucket();
  ASSERT_TRUE(simulation.settle());
  EXPECT_FALSE(bucket());
  EXPECT_EQ(access->workload_calls, 0);
}

// T3-11 K
TEST_F(ApiReconcilerTest, ATimeOfTheDomainCountsBeforeThePollInterval) {
  on_create = [](const Bucket&, RequestClusters&, Context&) { return Outcome(look_again_in(7s)); };
  run_with_config(provider(), {.poll_seconds = 3600});
  create_bucket();
  pass_time(3s);
  const int before = creates;
  pass_time(7s);
  EXPECT_EQ(creates, before + 1);
}

// T3-11 K
TEST_F(ApiReconcilerTest, WithoutAPollIntervalNothingFollows) {
  run_with_config(provider());
  serve();
  const int before = creates;
  pass_time(100h);
  EXPECT_EQ(creates, before);
}

// T3-11 F: to ask for another pass with back-off was taken as being done until the next poll.
TEST_F(ApiReconcilerTest, ToLookAgainWithBackOffIsHonoured) {
  on_create = [this](const Bucket&, RequestClusters&, Context& ctx) -> Outcome {
    if (creates < 5) return look_again;
    return ready(ctx);
  };
  run_with_config(provider(), {.poll_seconds = 3600});
  create_bucket();
  pass_time(5s);
  EXPECT_GE(creates, 5);
  EXPECT_GE(passes("requeue"), 3);
}

// T3-12 K
TEST_F(ApiReconcilerTest, WhileTheAccessIsBeingDeletedTheDomainIsNotCalled) {
  run_with_config(provider());
  serve();
  AccessRequest going = FakeAccess::granted("mcp");
  going.metadata.deletion_timestamp = WallTime();
  access->mcp_request = std::optional(going);
  access->delete_outcome = {.outcome = look_again_in(1min)};
  remove_bucket();
  pass_time(5min);
  EXPECT_EQ(removes, 0);
  EXPECT_GE(access->deletes, 5);
  EXPECT_TRUE(has_finalizer());
}

// T3-12 K
TEST_F(ApiReconcilerTest, WhileTheAccessToTheWorkloadIsBeingDeletedTheDomainIsNotCalled) {
  BucketReconciler with_workload = provider();
  with_workload.workload_cluster = true;
  run_with_config(with_workload);
  serve();
  AccessRequest going = FakeAccess::granted("wl");
  going.metadata.deletion_timestamp = WallTime();
  access->workload_request = std::optional(going);
  access->delete_outcome = {.outcome = look_again_in(1min)};
  remove_bucket();
  pass_time(5min);
  EXPECT_EQ(removes, 0);
  EXPECT_GE(access->deletes, 5);
}

// T3-13 F: the domain was never asked to clean up, and what it had made was left behind.
TEST_F(ApiReconcilerTest, AccessThatIsLostIsRegainedSoThatTheDomainCanCleanUp) {
  run_with_config(provider());
  serve_held_bucket();
  access->mcp_request = fail(make_error(ErrorCode::not_found, "no such request").during("get the access"));
  on_remove = [this](const Bucket&, RequestClusters&, Context&) -> Outcome {
    EXPECT_FALSE(is_cleaned_up());
    return settled;
  };
  const int before = access->reconciles;
  access->outcome = {.outcome = look_again_in(10s)};
  remove_bucket();
  pass_time(5s);
  EXPECT_GT(access->reconciles, before);
  EXPECT_EQ(shown(), "Terminating Reconciling: cluster cleanup");
  access->outcome = {};
  access->mcp_request = std::optional(FakeAccess::granted("mcp"));
  ASSERT_TRUE(simulation.settle());
  EXPECT_EQ(removes, 1);
  EXPECT_TRUE(is_cleaned_up());
  EXPECT_FALSE(has_finalizer());
}

// T3-13 F, the explicit policy
TEST_F(ApiReconcilerTest, AccessThatIsLostMayBeGivenUp) {
  BucketReconciler lenient = provider();
  lenient.lost_access = LostAccess::give_up;
  run_with_config(lenient);
  serve();
  access->mcp_request = fail(ErrorCode::not_found, "no such request");
  std::vector<std::string> writes;
  instance->transport().set_faults({{.effect = http::Delay{}, .only = [&](const http::Request& request) {
                                       if (request.method == "PATCH") writes.push_back(request.target);
                                       return false;
                                     }}});
  remove_bucket();
  ASSERT_TRUE(simulation.settle());
  EXPECT_EQ(removes, 0);
  EXPECT_EQ(access->deletes, 1);
  EXPECT_FALSE(bucket());
  ASSERT_EQ(writes.size(), 2U);
  EXPECT_THAT(writes[0], HasSubstr("/buckets/a/status")) << "people see it before it is gone";
}

// T3-13 F: by hand, while the object was being deleted.
TEST_F(ApiReconcilerTest, AccessThatSomebodyTookAwayIsRegainedOnceItIsGone) {
  run_with_config(provider());
  serve();
  AccessRequest going = FakeAccess::granted("mcp");
  going.metadata.deletion_timestamp = WallTime();
  access->mcp_request = std::optional(going);
  remove_bucket();
  pass_time(1s);
  EXPECT_TRUE(has_finalizer());
  EXPECT_EQ(removes, 0);
  access->mcp_request = std::optional(FakeAccess::granted("mcp"));
  ASSERT_TRUE(simulation.settle());
  EXPECT_EQ(removes, 1);
  EXPECT_FALSE(bucket());
}

// T3-13 F: what has been cleaned up is not cleaned up again, by nobody.
TEST_F(ApiReconcilerTest, AnotherProcessKnowsWhatHasBeenCleanedUp) {
  run_with_config(provider());
  serve();
  access->delete_outcome = {.outcome = look_again_in(1h)};
  access->on_delete = [this] { EXPECT_TRUE(is_cleaned_up()) << "before anything of the access goes"; };
  remove_bucket();
  ASSERT_TRUE(simulation.settle());
  ASSERT_EQ(removes, 1);
  instance->crash();
  access->mcp_request = fail(ErrorCode::not_found, "no such request");
  access->delete_outcome = {};
  run(provider());
  ASSERT_TRUE(simulation.settle());
  EXPECT_EQ(removes, 1);
  EXPECT_FALSE(bucket());
}

TEST_F(ApiReconcilerTest, AFailureToAskForTheAccessInADeletionIsSaid) {
  run_with_config(provider());
  serve();
  access->mcp_request = fail(ErrorCode::unavailable, "not now");
  remove_bucket();
  pass_time(1s);
  EXPECT_EQ(shown(), "Terminating ReconcileError: failed to check access requests in deletion");
  EXPECT_EQ(removes + access->deletes, 0);
  access->mcp_request = std::optional<AccessRequest>();
  ASSERT_TRUE(simulation.settle());
  EXPECT_EQ(removes, 1) << "none, without an error, is not one that is being deleted";
}

TEST_F(ApiReconcilerTest, WhatKeepsTheAccessFromBeingGivenBackIsSaid) {
  run_with_config(provider());
  serve();
  access->outcome = {.outcome = failed(make_error(ErrorCode::unavailable, "not now"))};
  remove_bucket();
  pass_time(1s);
  EXPECT_EQ(shown(), "Terminating ReconcileError: cluster cleanup error");
  access->outcome = {};
  access->delete_outcome = {.outcome = failed(make_error(ErrorCode::unavailable, "not now"))};
  pass_time(10s);
  EXPECT_EQ(shown(), "Terminating ReconcileError: failed cluster access reconcile delete");
  EXPECT_TRUE(has_finalizer());
}

TEST_F(ApiReconcilerTest, AFinalizerThatCannotBeWrittenIsSaid) {
  const auto refuse = [&](const char* what) {
    instance->transport().set_faults({{.effect = http::AnswerError{.status = 403, .reason = "Forbidden"},
                                       .only = [what](const http::Request& request) {
                                         return request.method == "PATCH" &&
                                                request.body.find(what) != std::string::npos;
                                       }}});
  };
  run_with_config(provider());
  refuse("/metadata/finalizers");
  create_bucket();
  pass_time(1s);
  EXPECT_EQ(shown(), "Progressing ReconcileError: failed to add finalizer");
  EXPECT_EQ(access->reconciles + creates, 0);
  instance->transport().set_faults({});
  ASSERT_TRUE(simulation.settle());
  refuse("/metadata/finalizers");
  remove_bucket();
  pass_time(1s);
  EXPECT_EQ(shown(), "Terminating ReconcileError: failed to remove finalizer");
  instance->transport().set_faults({});
  ASSERT_TRUE(simulation.settle());
  EXPECT_FALSE(bucket());
  EXPECT_EQ(removes, 1);
}

// T3-14 K, and F: a poll followed, and the last status was overwritten by the write that took the finalizer off.
TEST_F(ApiReconcilerTest, ADeletionEndsWithoutATraceButTheLastStatus) {
  run_with_config(provider(), {.poll_seconds = 60});
  serve_held_bucket();
  remove_bucket();
  ASSERT_TRUE(simulation.settle());
  EXPECT_FALSE(has_finalizer());
  EXPECT_EQ(shown(), "Terminating Terminating: Cleanup in progress");
  EXPECT_TRUE(is_cleaned_up());
  EXPECT_EQ(bucket()["/status/observedGeneration"], bucket().generation());
  const double before = passes("success") + passes("requeue_after");
  pass_time(1h);
  EXPECT_EQ(passes("success") + passes("requeue_after"), before);
  change_bucket("a", {{"metadata", {{"finalizers", nullptr}}}});
  ASSERT_TRUE(simulation.settle());
  EXPECT_FALSE(bucket());
}

// T3-15 F: with a finalizer of somebody else the whole deletion ran again at every event.
TEST_F(ApiReconcilerTest, AnObjectThatGoesWithoutOurFinalizerIsNothingToDo) {
  run_with_config(provider());
  instance->stop();
  create_bucket("a", {.finalizers = {"test.pintle.dev/held"}});
  remove_bucket();
  const std::uint64_t writes = simulation.server().writes();
  run(provider());
  ASSERT_TRUE(simulation.settle());
  ASSERT_TRUE(bucket());
  EXPECT_GE(passes("success"), 1);
  EXPECT_EQ(creates + removes + access->reconciles + access->deletes, 0);
  EXPECT_EQ(simulation.server().writes(), writes);
}

// T3-16 K
TEST_F(ApiReconcilerTest, ThePassThatAddsTheFinalizerGoesOn) {
  std::vector<std::string> finalizers;
  std::string causes;
  on_create = [&](const Bucket& bucket, RequestClusters&, Context& ctx) {
    if (creates == 1) {
      finalizers = bucket.metadata.finalizers;
      causes = to_string(ctx.causes());
    }
    return ready(ctx);
  };
  run_with_config(provider());
  serve();
  EXPECT_THAT(finalizers, ElementsAre(Bucket::finalizer));
  EXPECT_THAT(causes, HasSubstr("added"));
  EXPECT_THAT(causes, ::testing::Not(HasSubstr("updated")));
}

// T3-17 K
TEST_F(ApiReconcilerTest, AStatusThatCannotBeWrittenIsSaidBesideTheFailureOfTheDomain) {
  on_create = [](const Bucket&, RequestClusters&, Context& ctx) {
    status_progressing(ctx.status(), "NoRoom", "the disk is full");
    return failed(make_error(ErrorCode::unavailable, "there is no room"));
  };
  run_with_config(provider());
  fail_status_writes(500);
  create_bucket();
  pass_time(1s);
  const auto line = std::find_if(log->lines.begin(), log->lines.end(), [](const std::string& one) {
    return one.find("there is no room") != std::string::npos;
  });
  ASSERT_NE(line, log->lines.end());
  EXPECT_THAT(*line, HasSubstr("write the status"));
  EXPECT_THAT(*line, HasSubstr("500"));
}

// T3-17 K
TEST_F(ApiReconcilerTest, AStatusOfAnObjectThatIsGoneIsNoFailure) {
  run_with_config(provider());
  fail_status_writes(404);
  serve();
  EXPECT_GT(instance->transport().faults_done(), 0U);
  EXPECT_EQ(passes("error"), 0);
}

// T3-17 K
TEST_F(ApiReconcilerTest, AStatusThatIsTheSameIsNotWritten) {
  run_with_config(provider(), {.poll_seconds = 60});
  serve();
  const std::uint64_t writes = simulation.server().writes();
  const int before = creates;
  pass_time(10min);
  EXPECT_GE(creates, before + 9);
  EXPECT_EQ(simulation.server().writes(), writes);
}

// T3-18 F: the whole list of conditions was written, and those of others with it.
TEST_F(ApiReconcilerTest, AStatusThatHasChangedMeanwhileKeepsWhatOthersWrote) {
  on_create = [this](const Bucket&, RequestClusters&, Context& ctx) {
    if (creates == 1) {
      const StatusCondition foreign{.type = "Backup", .status = ConditionStatus::true_, .reason = "Done"};
      const Object now = bucket();
      Client& user = simulation.user();
      StatusDraft theirs(now, simulation.runtime());
      theirs.condition(foreign);
      EXPECT_TRUE(StatusWriter(user).flush(theirs, {}));
    }
    return ready(ctx);
  };
  run_with_config(provider());
  fail_status_writes(409, 1);
  serve();
  EXPECT_EQ(instance->transport().faults_done(), 1U);
  EXPECT_EQ(passes("error"), 0);
  EXPECT_EQ(shown(), "Ready ReconcileSuccess: Domain Service is ready");
  EXPECT_TRUE(is_condition_true(bucket(), "Backup"));
}

class SecretWatcherTest : public ApiReconcilerTest {
 protected:
  // Refers to the Secret that is named as the region of the config.
  [[nodiscard]] BucketReconciler watching() {
    BucketReconciler watching = provider();
    watching.secrets = SecretWatcher<BucketConfig>{
        .namespace_ = "provider", .is_referenced_secret = [this](const Object& secret, const BucketConfig* config) {
          without_config += config == nullptr ? 1 : 0;
          return config != nullptr && secret.name() == config->spec.region;
        }};
    return watching;
  }
  void create_secret(const std::string& name, const std::string& at = "provider") {
    (void)platform.user().create(
        json::Value{{"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", {{"name", at}}}});
    ASSERT_TRUE(platform.user().create(Secret{.metadata = {.name = name, .namespace_ = at}}));
    ASSERT_TRUE(simulation.settle());
  }
  [[nodiscard]] static KeyMap named_as_the_bucket() {
    return typed<Bucket>([](const Bucket& bucket) {
      return std::vector<ObjectKey>{{"provider", bucket.metadata.name}};
    });
  }
  void run_with_two_buckets() {
    run_with_config(watching(), {.region = "keys"});
    serve("a");
    serve("b");
    creates = 0;
  }

  int without_config = 0;
};

// T3-19 K
TEST_F(SecretWatcherTest, ASecretThatIsReferredToWakesEveryObject) {
  run_with_two_buckets();
  create_secret("keys");
  EXPECT_EQ(creates, 2);
  ASSERT_TRUE(platform.user().remove(Secret::type, {"provider", "keys"}));
  ASSERT_TRUE(simulation.settle());
  EXPECT_EQ(creates, 4);
}

// T3-19 K
TEST_F(SecretWatcherTest, ASecretThatIsNotReferredToOrElsewhereWakesNone) {
  run_with_two_buckets();
  create_secret("other");
  create_secret("keys", "elsewhere");
  EXPECT_EQ(creates, 0);
}

// T3-19 K
TEST_F(SecretWatcherTest, WithoutObjectsNoneIsWoken) {
  run_with_config(watching(), {.region = "keys"});
  create_secret("keys");
  EXPECT_EQ(creates, 0);
  EXPECT_EQ(passes("success"), 0);
}

// T3-19 K
TEST_F(SecretWatcherTest, WithoutAConfigItIsAskedAllTheSame) {
  run(watching());
  serve();
  create_secret("keys");
  EXPECT_EQ(without_config, 1);
  EXPECT_EQ(creates, 0);
}

TEST_F(SecretWatcherTest, ASecretThatWasThereBeforeWakesAnObjectOnceAtTheStart) {
  run_with_two_buckets();
  create_secret("keys");
  instance->stop();
  creates = 0;
  run(watching());
  ASSERT_TRUE(simulation.settle());
  EXPECT_EQ(creates, 2);
}

TEST_F(SecretWatcherTest, WithoutANamespaceNoneIsWatched) {
  BucketReconciler nowhere = watching();
  nowhere.secrets.namespace_.clear();
  EXPECT_EQ(make_controller(nowhere.spec()).watches.size(), 1U);
  EXPECT_EQ(make_controller(watching().spec()).watches.size(), 2U);
}

TEST_F(SecretWatcherTest, ASecretThatAnObjectRefersToWakesItAlone) {
  BucketReconciler by_object = provider();
  by_object.secrets = SecretWatcher<BucketConfig>{.namespace_ = "provider", .references = named_as_the_bucket()};
  run_with_config(by_object);
  serve("a");
  serve("b");
  std::vector<std::string> woken;
  on_create = [&](const Bucket& bucket, RequestClusters&, Context& ctx) {
    woken.push_back(bucket.metadata.name);
    return ready(ctx);
  };
  create_secret("b");
  create_secret("a", "elsewhere");
  EXPECT_THAT(woken, ElementsAre("b"));
}

class ConfigMapWatcherTest : public SecretWatcherTest {
 protected:
  void create_config_map(const std::string& name) {
    (void)platform.user().create(
        json::Value{{"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", {{"name", "provider"}}}});
    ASSERT_TRUE(platform.user().create(ConfigMap{.metadata = {.name = name, .namespace_ = "provider"}}));
    ASSERT_TRUE(simulation.settle());
  }
};

TEST_F(ConfigMapWatcherTest, OneThatTheConfigRefersToWakesEveryObject) {
  BucketReconciler watching_maps = provider();
  watching_maps.config_maps = ConfigMapWatcher<BucketConfig>{
      .namespace_ = "provider", .is_referenced_config_map = [](const Object& config_map, const BucketConfig* config) {
        return config != nullptr && config_map.name() == config->spec.region;
      }};
  run_with_config(watching_maps, {.region = "settings"});
  serve("a");
  serve("b");
  creates = 0;
  create_config_map("settings");
  EXPECT_EQ(creates, 2);
  create_config_map("other");
  create_secret("settings");
  EXPECT_EQ(creates, 2);
  ASSERT_TRUE(platform.user().patch(ConfigMap::type, {"provider", "settings"}, json::Value{{"data", {{"x", "y"}}}}));
  ASSERT_TRUE(simulation.settle());
  EXPECT_EQ(creates, 4);
}

TEST_F(ConfigMapWatcherTest, OneMayBeReferredToByTheConfigAndByAnObject) {
  BucketReconciler both = provider();
  both.config_maps = ConfigMapWatcher<BucketConfig>{
      .namespace_ = "provider",
      .is_referenced_config_map = [](const Object& config_map,
                                     const BucketConfig*) { return config_map.name() == "settings"; },
      .references = named_as_the_bucket()};
  run_with_config(both);
  serve("a");
  serve("b");
  creates = 0;
  create_config_map("a");
  EXPECT_EQ(creates, 1);
  create_config_map("settings");
  EXPECT_EQ(creates, 3);
  create_config_map("other");
  EXPECT_EQ(creates, 3);
}

// Each cluster of the manager is known by its name, but for the control plane.
class ByName final : public AdvancedProvider {
 public:
  AccessOutcome reconcile(const ObjectKey&, Context&) override { return {}; }
  AccessOutcome reconcile_delete(const ObjectKey&, Context&) override { return {}; }
  Result<std::optional<ClusterContext>> access(std::string_view id, const ObjectKey&, Context& ctx) override {
    asked.emplace_back(id);
    return ctx.cluster(id).map([](ClusterContext cluster) { return std::optional(std::move(cluster)); });
  }
  Result<std::optional<AccessRequest>> access_request(std::string_view id, const ObjectKey&, Context&) override {
    return FakeAccess::granted(std::string(id));
  }

  std::vector<std::string> asked;
};

using AdvancedProviderTest = ApiReconcilerTest;

TEST_F(AdvancedProviderTest, ServesAnObjectInAnyNumberOfClusters) {
  const auto by_name = std::make_shared<ByName>();
  BucketReconciler buckets = provider();
  buckets.cluster_access = by_name;
  buckets.workload_cluster = true;
  buckets.more_clusters = {"platform", std::string(home_cluster)};
  std::vector<std::string> secrets;
  on_create = [&](const Bucket&, RequestClusters& clusters, Context& ctx) {
    EXPECT_NE(&clusters.more.at("platform").cluster.client(), &clusters.mcp_cluster.client());
    for (const auto& [id, one] : clusters.more) secrets.push_back(id + " " + one.access_secret_key.name);
    return ready(ctx);
  };
  run_with_config(buckets);
  serve();
  EXPECT_THAT(by_name->asked, ElementsAre(mcp_cluster_id, workload_cluster_id, "platform", home_cluster));
  EXPECT_THAT(secrets, ElementsAre("home home-kubeconfig", "platform platform-kubeconfig"));
  EXPECT_EQ(shown(), "Ready ReconcileSuccess: Domain Service is ready");
}

// T3-23 K
TEST_F(ApiReconcilerTest, WhatIsEmptyIsSaidInThisOrder) {
  const BucketReconciler empty{.onboarding_cluster = "",
                               .config = {.platform_cluster = "", .provider_name = ""},
                               .cluster_access = nullptr,
                               .reconciler = {.create_or_update = nullptr, .remove = nullptr}};
  std::vector<std::string> said;
  for (const Error& fault : empty.spec().faults()) said.push_back(fault.message);
  EXPECT_THAT(said, ElementsAre("cluster access reconciler is required", "onboarding cluster is required",
                                "platform cluster is required", "reconciler is required", "provider name is required"));
  EXPECT_TRUE(provider().spec().faults().empty());
  start(empty);
  instance->join();
  ASSERT_FALSE(instance->started());
  EXPECT_THAT(instance->started().error().message, HasSubstr("cluster access reconciler is required"));
}

// T3-23 F: what was set on the builder later changed what it had built.
TEST_F(ApiReconcilerTest, WhatIsChangedAfterwardsDoesNotChangeAController) {
  BucketReconciler mine = provider();
  const ControllerSpec made = mine;
  mine.config.provider_name = std::string("other");
  mine.reconciler.create_or_update = [](const Bucket&, const BucketConfig&, RequestClusters&, Context&) -> Outcome {
    ADD_FAILURE() << "not this one";
    return settled;
  };
  mine.cluster_access = std::make_shared<FakeAccess>();
  ManagerOptions options{.name = "bucket-provider", .log_sink = log};
  options.clusters = {{.name = "platform", .address = platform.address()}, {.name = "mcp", .address = mcp.address()}};
  instance =
      std::make_unique<testing::Instance>(simulation, std::move(options), [&](Manager& manager) { manager.add(made); });
  instance->start();
  ASSERT_TRUE(simulation.wait_until([&] { return instance->manager().is_ready(); }));
  create_config();
  serve();
  EXPECT_GT(creates, 0);
}

TEST_F(ApiReconcilerTest, ADomainThatThrowsFailsItsPassAlone) {
  on_create = [](const Bucket& bucket, RequestClusters&, Context& ctx) {
    if (bucket.metadata.name == "bad") throw std::runtime_error("the domain broke");
    return ready(ctx);
  };
  run_with_config(provider());
  create_bucket("bad");
  create_bucket("good");
  pass_time(5s);
  EXPECT_TRUE(log->has("reconcile threw"));
  EXPECT_EQ(shown("good"), "Ready ReconcileSuccess: Domain Service is ready");
  on_create = {};
  pass_time(1h);
  EXPECT_EQ(shown("bad"), "Ready ReconcileSuccess: Domain Service is ready");
}

}  // namespace
}  // namespace pintle::service
