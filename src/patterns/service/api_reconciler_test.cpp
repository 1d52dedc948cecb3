// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/service/api_reconciler.hpp>

#include <stdexcept>

#include <gmock/gmock.h>

#include "api_reconciler_test_support.hpp"

namespace pintle::service {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

using Steps = Reconciler<Bucket, BucketConfig>;
using Provider = std::shared_ptr<ClusterAccessProvider>;

// An ApiReconciler without one of its parts must not compile (T3-23).
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

// Only kinds with the required members can be used (T3-20).
template <class T>
concept MayBeServed = requires { typename ApiReconciler<T, BucketConfig>; };
static_assert(MayBeServed<Bucket> && !MayBeServed<ConfigMap> && !MayBeServed<Object>);

// An object is served, and reconciled again after the poll interval (T3-01).
TEST_F(ApiReconcilerTest, ServesAnObjectAndRequeuesAfterThePollInterval) {
  ObjectKey mcp_key;
  ObjectKey workload_key;
  BucketReconciler with_workload = provider();
  with_workload.workload_cluster = true;
  on_create = [&](const Bucket& bucket, ObjectClusters& clusters, Context& ctx) -> Outcome {
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
  advance_time(58min);
  EXPECT_EQ(creates, before);
  advance_time(3min);
  EXPECT_EQ(creates, before + 1);
}

// A failure of the domain is retried, and the status of the domain is written (T3-02).
TEST_F(ApiReconcilerTest, AFailureOfTheDomainIsRetriedAndItsStatusIsWritten) {
  on_create = [](const Bucket&, ObjectClusters&, Context& ctx) {
    status_progressing(ctx.status(), "NoRoom", "the disk is full");
    return failed(make_error(ErrorCode::unavailable, "there is no room"));
  };
  run_with_config(provider(), {.poll_seconds = 1});
  create_bucket();
  advance_time(5s);
  EXPECT_EQ(shown(), "Progressing NoRoom: the disk is full");
  EXPECT_GT(reconciles("error"), 5) << "by back-off, from 5 ms";
  EXPECT_EQ(reconciles("requeue_after"), 0);
  EXPECT_TRUE(log->has("there is no room"));
  expect_few_failures_in_an_hour();
}

TEST_F(ApiReconcilerTest, AFailureThatTheDomainDoesNotReportEndsReady) {
  run_with_config(provider());
  serve();
  ASSERT_EQ(shown(), "Ready ReconcileSuccess: Domain Service is ready");
  on_create = [](const Bucket&, ObjectClusters&, Context&) {
    return failed(make_error(ErrorCode::unavailable, "there is no room"));
  };
  change_bucket("a", {{"metadata", {{"annotations", {{operation_annotation, "reconcile"}}}}}});
  advance_time(5s);
  EXPECT_EQ(shown(), "Progressing ReconcileError: there is no room");
  on_create = [](const Bucket&, ObjectClusters&, Context&) -> Outcome { throw std::runtime_error("the domain broke"); };
  advance_time(1h);
  EXPECT_EQ(shown(), "Progressing ReconcileError: reconcile threw std::runtime_error: the domain broke");
  expect_few_failures_in_an_hour();
  on_create = {};
  advance_time(1h);
  EXPECT_EQ(shown(), "Ready ReconcileSuccess: Domain Service is ready");
}

// The domain changes another part of the status, or even sets Ready, and then fails.
TEST_F(ApiReconcilerTest, AnObjectThatFailsIsNotReadyWhateverTheDomainSets) {
  run_with_config(provider());
  serve();
  ASSERT_EQ(shown(), "Ready ReconcileSuccess: Domain Service is ready");
  const auto set_another = [](StatusDraft& status) {
    status.set_condition({.type = "Disk", .status = ConditionStatus::true_, .reason = "Full"});
  };
  for (const auto& set :
       {std::function<void(StatusDraft&)>(set_another), std::function<void(StatusDraft&)>(status_ready)}) {
    on_create = [&](const Bucket&, ObjectClusters&, Context& ctx) {
      set(ctx.status());
      return failed(make_error(ErrorCode::unavailable, "there is no room"));
    };
    request_reconcile();
    advance_time(5s);
    EXPECT_EQ(shown(), "Progressing ReconcileError: there is no room");
    expect_few_failures_in_an_hour();
    on_create = {};
    advance_time(1h);
    EXPECT_EQ(shown(), "Ready ReconcileSuccess: Domain Service is ready");
  }
}

TEST_F(ApiReconcilerTest, AnExceptionOfAnyFunctionEndsReady) {
  bool does_throw = false;
  BucketReconciler throwing = provider();
  throwing.additional_data = {[&](const Bucket&, const BucketConfig&, Context&) -> Result<void> {
    if (does_throw) throw std::runtime_error("the data broke");
    return {};
  }};
  run_with_config(throwing);
  serve();
  does_throw = true;
  request_reconcile();
  advance_time(5s);
  EXPECT_EQ(shown(), "Progressing ReconcileError: reconcile threw std::runtime_error: the data broke");
  does_throw = false;
  advance_time(1h);
  EXPECT_EQ(shown(), "Ready ReconcileSuccess: Domain Service is ready");
}

// Nothing is done for an object that is gone (T3-05).
TEST_F(ApiReconcilerTest, AMissingObjectIsIgnored) {
  run_with_config(provider(), {.poll_seconds = 600});
  serve();
  const double before = reconciles("success") + reconciles("requeue_after");
  on_create = {};
  remove_bucket();
  ASSERT_TRUE(simulation.run_until_idle());
  ASSERT_FALSE(bucket());
  const int calls = creates + removes + access->reconciles + access->deletes;
  const double after = reconciles("success") + reconciles("requeue_after");
  EXPECT_EQ(after, before + 1);
  patch_config({{"region", "north"}});
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(creates + removes + access->reconciles + access->deletes, calls);
  EXPECT_EQ(reconciles("success") + reconciles("requeue_after"), after);
  EXPECT_EQ(reconciles("error"), 0);
}

// Without a config, an object waits and is not changed, as in v1.0 of the original (T3-06).
TEST_F(ApiReconcilerTest, WithoutAConfigAnObjectWaitsAndIsNotChanged) {
  run(provider());
  serve();
  EXPECT_EQ(shown(), "Progressing ReconcileError: No ProviderConfig found");
  EXPECT_EQ(reconciles("error"), 0);
  EXPECT_EQ(creates + access->reconciles, 0);
  EXPECT_FALSE(has_finalizer()) << "it can be deleted, since it needs no clean-up";
}

// Without a config, a reconcile can also fail, as in v0.1.0 of the original (T3-06).
TEST_F(ApiReconcilerTest, WithoutAConfigAReconcileMayFail) {
  BucketReconciler strict = provider();
  strict.config.missing = MissingConfigPolicy::fail;
  run(strict);
  create_bucket();
  advance_time(5s);
  EXPECT_EQ(shown(), "Progressing ReconcileError: No ProviderConfig found");
  EXPECT_GT(reconciles("error"), 5);
  EXPECT_TRUE(log->has("provider config missing"));
  EXPECT_EQ(creates + access->reconciles, 0);
  expect_few_failures_in_an_hour();
}

// An object with the annotation "ignore" is not reconciled (T3-07).
TEST_F(ApiReconcilerTest, AnObjectWithTheAnnotationIgnoreIsNotReconciled) {
  run_with_config(provider(), {.poll_seconds = 60});
  serve("a", {.annotations = {{std::string(operation_annotation), std::string(ignore_operation)}}});
  EXPECT_EQ(creates + access->reconciles, 0);
  EXPECT_FALSE(bucket()["/status/phase"].exists());
  EXPECT_FALSE(has_finalizer());
  EXPECT_EQ(reconciles("requeue_after"), 0);
  change_bucket("a", {{"metadata", {{"annotations", {{"openmcp.cloud/operation", nullptr}}}}}});
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_GT(creates, 0);
}

// The same while the object is being deleted (T3-07).
TEST_F(ApiReconcilerTest, AnObjectWithTheAnnotationIgnoreIsNotFinalized) {
  run_with_config(provider());
  serve();
  change_bucket("a", {{"metadata", {{"annotations", {{"openmcp.cloud/operation", "ignore"}}}}}});
  remove_bucket();
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(removes + access->deletes, 0);
  EXPECT_EQ(bucket()["/status/phase"], "Ready");
  EXPECT_TRUE(has_finalizer());
  EXPECT_EQ(reconciles("requeue_after"), 0);
}

TEST_F(ApiReconcilerTest, ARequestedReconcileRemovesTheAnnotationAndRuns) {
  run_with_config(provider());
  serve();
  for (const int expected : {2, 3}) {
    request_reconcile();
    EXPECT_EQ(creates, expected) << "the own write causes no reconcile";
    EXPECT_FALSE(bucket().annotations().member(operation_annotation).exists());
  }
  EXPECT_EQ(bucket().annotation("test.pintle.dev/kept"), "yes");
  EXPECT_EQ(shown(), "Ready ReconcileSuccess: Domain Service is ready");
}

TEST_F(ApiReconcilerTest, AReconcileCanBeRequestedInADeletionAndWithoutAConfig) {
  run(provider());
  serve();
  request_reconcile();
  EXPECT_EQ(bucket().annotation(operation_annotation), "");
  EXPECT_EQ(shown(), "Progressing ReconcileError: No ProviderConfig found");
  create_config();
  on_remove = [](const Bucket&, ObjectClusters&, Context&) -> Outcome { return requeue_after(1h); };
  ASSERT_TRUE(simulation.run_until_idle());
  remove_bucket();
  ASSERT_TRUE(simulation.run_until_idle());
  const int before = removes;
  request_reconcile();
  EXPECT_GT(removes, before);
  EXPECT_EQ(bucket().annotation(operation_annotation), "");
}

TEST_F(ApiReconcilerTest, AChangedAnnotationIsNotRemoved) {
  run_with_config(provider());
  serve();
  const int before = creates;
  bool is_first = true;
  instance->transport().set_faults({{.effect = http::Delay{10s}, .only = [&](const http::Request& request) {
                                       return request.method == "PATCH" && std::exchange(is_first, false);
                                     }}});
  change_bucket("a", {{"metadata", {{"annotations", {{operation_annotation, "reconcile"}}}}}});
  ASSERT_TRUE(simulation.wait_until([&] { return !is_first; })) << "the removal of the annotation is delayed";
  change_bucket("a", {{"metadata", {{"annotations", {{operation_annotation, "ignore"}}}}}});
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(bucket().annotation(operation_annotation), "ignore");
  EXPECT_EQ(creates, before);
  EXPECT_EQ(shown(), "Ready ReconcileSuccess: Domain Service is ready") << "the status does not change";
}

// A failure of the access is reported in the status (T3-08).
TEST_F(ApiReconcilerTest, AFailureOfTheAccessIsReported) {
  run_with_config(provider());
  access->outcome = {.outcome = failed(make_error(ErrorCode::unavailable, "the platform is down"))};
  create_bucket();
  advance_time(5s);
  EXPECT_EQ(shown(), "Progressing ReconcileError: cluster setup error");
  EXPECT_GT(reconciles("error"), 5);
  EXPECT_TRUE(log->has("the platform is down"));
  expect_few_failures_in_an_hour();
  EXPECT_EQ(creates, 0);
}

// While the access is awaited, the status contains this. The original did not report it (T3-09).
TEST_F(ApiReconcilerTest, WaitingForTheAccessIsReported) {
  run_with_config(provider());
  access->outcome = {.outcome = requeue_after(10s)};
  create_bucket();
  advance_time(5s);
  EXPECT_EQ(shown(), "Progressing WaitingForClusterAccess: waiting for access to the clusters");
  const int before = access->reconciles;
  advance_time(10s);
  EXPECT_EQ(access->reconciles, before + 1);
  EXPECT_EQ(reconciles("error"), 0);
  access->outcome = {.outcome = requeue_after(10s), .reason = "ClusterAccessDenied", .message = "no"};
  advance_time(10s);
  EXPECT_EQ(shown(), "Progressing ClusterAccessDenied: no");
  EXPECT_EQ(creates, 0);
}

// A missing control plane is an error (T3-10).
TEST_F(ApiReconcilerTest, AMissingControlPlaneIsAnError) {
  access->has_mcp = false;
  run_with_config(provider());
  create_bucket();
  advance_time(1s);
  EXPECT_EQ(shown(), "Progressing ReconcileError: cluster setup error");
  EXPECT_TRUE(log->has("mcp access missing"));
  expect_few_failures_in_an_hour();
  EXPECT_EQ(creates, 0);
}

// A missing workload cluster is an error (T3-10).
TEST_F(ApiReconcilerTest, AMissingWorkloadClusterIsAnError) {
  access->has_workload = false;
  BucketReconciler with_workload = provider();
  with_workload.workload_cluster = true;
  run_with_config(with_workload);
  create_bucket();
  advance_time(1s);
  EXPECT_TRUE(log->has("workload cluster access missing"));
  EXPECT_EQ(creates, 0);
}

// A workload cluster that the service does not use is not requested (T3-10).
TEST_F(ApiReconcilerTest, AnUnusedWorkloadClusterIsNotRequested) {
  on_create = [](const Bucket&, ObjectClusters& clusters, Context& ctx) {
    EXPECT_FALSE(clusters.workload_cluster);
    EXPECT_EQ(clusters.workload_access_secret_key, ObjectKey());
    return ready(ctx);
  };
  run_with_config(provider());
  serve();
  remove_bucket();
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_FALSE(bucket());
  EXPECT_EQ(access->workload_calls, 0);
}

// A delay that the domain requests takes precedence over the poll interval (T3-11).
TEST_F(ApiReconcilerTest, ADelayOfTheDomainPrecedesThePollInterval) {
  on_create = [](const Bucket&, ObjectClusters&, Context&) { return Outcome(requeue_after(7s)); };
  run_with_config(provider(), {.poll_seconds = 3600});
  create_bucket();
  advance_time(3s);
  const int before = creates;
  advance_time(7s);
  EXPECT_EQ(creates, before + 1);
}

// Without a poll interval, no reconcile follows before the resync of all objects after 9 hours or more (T3-11).
TEST_F(ApiReconcilerTest, WithoutAPollIntervalNoReconcileFollows) {
  run_with_config(provider());
  serve();
  const int before = creates;
  advance_time(8h);
  EXPECT_EQ(creates, before);
}

// The original treated a requeue with back-off as success until the next poll (T3-11).
TEST_F(ApiReconcilerTest, ARequeueOfTheDomainBacksOff) {
  on_create = [this](const Bucket&, ObjectClusters&, Context& ctx) -> Outcome {
    if (creates < 5) return requeue;
    return ready(ctx);
  };
  run_with_config(provider(), {.poll_seconds = 3600});
  create_bucket();
  advance_time(5s);
  EXPECT_GE(creates, 5);
  EXPECT_GE(reconciles("requeue"), 3);
}

// The reconcile that adds the finalizer continues (T3-16).
TEST_F(ApiReconcilerTest, TheReconcileThatAddsTheFinalizerContinues) {
  std::vector<std::string> finalizers;
  std::string causes;
  on_create = [&](const Bucket& bucket, ObjectClusters&, Context& ctx) {
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

// If the status cannot be written, this error is logged in addition to the failure of the domain (T3-17).
TEST_F(ApiReconcilerTest, AFailedStatusWriteIsLoggedBesideTheFailureOfTheDomain) {
  on_create = [](const Bucket&, ObjectClusters&, Context& ctx) {
    status_progressing(ctx.status(), "NoRoom", "the disk is full");
    return failed(make_error(ErrorCode::unavailable, "there is no room"));
  };
  run_with_config(provider());
  fail_status_writes(500);
  create_bucket();
  advance_time(1s);
  const std::vector<std::string> lines = log->lines();
  const auto line = std::find_if(lines.begin(), lines.end(), [](const std::string& one) {
    return one.find("there is no room") != std::string::npos;
  });
  ASSERT_NE(line, lines.end());
  EXPECT_THAT(*line, HasSubstr("write the status"));
  EXPECT_THAT(*line, HasSubstr("500"));
  expect_few_failures_in_an_hour();
}

// A status write for an object that is gone is not a failure (T3-17).
TEST_F(ApiReconcilerTest, AStatusWriteOfAMissingObjectIsNoFailure) {
  run_with_config(provider());
  fail_status_writes(404);
  serve();
  EXPECT_GT(instance->transport().injected_faults(), 0U);
  EXPECT_EQ(reconciles("error"), 0);
}

// An unchanged status is not written (T3-17).
TEST_F(ApiReconcilerTest, AnUnchangedStatusIsNotWritten) {
  run_with_config(provider(), {.poll_seconds = 60});
  serve();
  const std::uint64_t writes = simulation.server().writes();
  const int before = creates;
  advance_time(10min);
  EXPECT_GE(creates, before + 9);
  EXPECT_EQ(simulation.server().writes(), writes);
}

// The original wrote the whole list of conditions, and so replaced those of other clients (T3-18).
TEST_F(ApiReconcilerTest, AStatusWriteKeepsForeignConditions) {
  on_create = [this](const Bucket&, ObjectClusters&, Context& ctx) {
    if (creates == 1) {
      const StatusCondition foreign{.type = "Backup", .status = ConditionStatus::true_, .reason = "Done"};
      const Object now = bucket();
      Client& user = simulation.user();
      StatusDraft theirs(now, simulation.executor());
      theirs.set_condition(foreign);
      EXPECT_TRUE(StatusWriter(user).flush(theirs, {}));
    }
    return ready(ctx);
  };
  run_with_config(provider());
  fail_status_writes(409, 1);
  serve();
  EXPECT_EQ(instance->transport().injected_faults(), 1U);
  EXPECT_EQ(reconciles("error"), 0);
  EXPECT_EQ(shown(), "Ready ReconcileSuccess: Domain Service is ready");
  EXPECT_TRUE(is_condition_true(bucket(), "Backup"));
}

// Missing parts are reported in this order (T3-23).
TEST_F(ApiReconcilerTest, MissingPartsAreReportedInThisOrder) {
  const BucketReconciler empty{.onboarding_cluster = "",
                               .config = {.platform_cluster = "", .provider_name = ""},
                               .cluster_access = nullptr,
                               .reconciler = {.create_or_update = nullptr, .remove = nullptr}};
  std::vector<std::string> messages;
  for (const Error& error : empty.spec().validate()) messages.push_back(error.message);
  EXPECT_THAT(messages,
              ElementsAre("cluster access reconciler is required", "onboarding cluster is required",
                          "platform cluster is required", "reconciler is required", "provider name is required"));
  EXPECT_TRUE(provider().spec().validate().empty());
  start(empty);
  instance->join();
  ASSERT_FALSE(instance->started());
  EXPECT_THAT(instance->started().error().message, HasSubstr("cluster access reconciler is required"));
}

// In the original, later changes of the builder also changed the reconcilers that it had built (T3-23).
TEST_F(ApiReconcilerTest, LaterChangesDoNotAffectAController) {
  BucketReconciler mine = provider();
  const AnyController made = mine;
  mine.config.provider_name = std::string("other");
  mine.reconciler.create_or_update = [](const Bucket&, const BucketConfig&, ObjectClusters&, Context&) -> Outcome {
    ADD_FAILURE() << "a later change of the reconciler has no effect";
    return done;
  };
  mine.cluster_access = std::make_shared<FakeAccess>();
  ManagerOptions options{.name = "bucket-provider", .log_sink = log};
  options.clusters = {{.name = "platform", .address = platform.address()}, {.name = "mcp", .address = mcp.address()}};
  instance =
      std::make_unique<testkit::Instance>(simulation, std::move(options), [&](Manager& manager) { manager.add(made); });
  instance->start();
  ASSERT_TRUE(simulation.wait_until([&] { return instance->manager().is_ready(); }));
  create_config();
  serve();
  EXPECT_GT(creates, 0);
}

TEST_F(ApiReconcilerTest, ADomainThatThrowsFailsOnlyItsReconcile) {
  on_create = [](const Bucket& bucket, ObjectClusters&, Context& ctx) {
    if (bucket.metadata.name == "bad") throw std::runtime_error("the domain broke");
    return ready(ctx);
  };
  run_with_config(provider());
  create_bucket("bad");
  create_bucket("good");
  advance_time(5s);
  EXPECT_TRUE(log->has("reconcile threw"));
  EXPECT_EQ(shown("good"), "Ready ReconcileSuccess: Domain Service is ready");
  on_create = {};
  advance_time(1h);
  EXPECT_EQ(shown("bad"), "Ready ReconcileSuccess: Domain Service is ready");
}

}  // namespace
}  // namespace pintle::service
