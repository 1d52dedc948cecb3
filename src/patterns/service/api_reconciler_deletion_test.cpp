// SPDX-License-Identifier: Apache-2.0
// The reconciles of an ApiReconciler for objects that are being deleted.
#include <pintle/patterns/service/api_reconciler.hpp>

#include <gmock/gmock.h>

#include "api_reconciler_test_support.hpp"

namespace pintle::service {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

// A deletion waits until the access is given back (T3-03).
TEST_F(ApiReconcilerTest, ADeletionWaitsUntilTheAccessIsGivenBack) {
  run_with_config(provider());
  serve();
  access->delete_outcome = {.outcome = requeue_after(1h)};
  remove_bucket();
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(removes, 1);
  const int deletes = access->deletes;
  EXPECT_GT(deletes, 0);
  EXPECT_EQ(bucket()["/status/phase"], "Terminating");
  EXPECT_TRUE(has_finalizer());
  access->delete_outcome = {};
  advance_time(57min);
  EXPECT_EQ(access->deletes, deletes);
  EXPECT_TRUE(has_finalizer());
  advance_time(4min);
  EXPECT_FALSE(bucket());
  EXPECT_EQ(removes, 1) << "not called again after it returned done";
}

// If the domain fails, the object stays (T3-04).
TEST_F(ApiReconcilerTest, AFailureOfTheDomainKeepsTheObject) {
  on_remove = [](const Bucket&, ObjectClusters&, Context&) {
    return failed(make_error(ErrorCode::unavailable, "it is still open"));
  };
  run_with_config(provider());
  serve();
  remove_bucket();
  advance_time(5s);
  EXPECT_EQ(shown(), "Terminating ReconcileError: it is still open");
  EXPECT_GT(removes, 5);
  EXPECT_GT(reconciles("error"), 5);
  EXPECT_EQ(access->deletes, 0);
  EXPECT_FALSE(is_cleaned_up());
  EXPECT_TRUE(has_finalizer());
  expect_few_failures_in_an_hour();
}

TEST_F(ApiReconcilerTest, RemoveIsCalledUntilDoneAndMaySetTheStatus) {
  on_remove = [this](const Bucket&, ObjectClusters&, Context& ctx) -> Outcome {
    if (removes == 3) return done;
    status_terminating(ctx.status(), "DeletionBlocked", "somebody uses it");
    return requeue_after(10s);
  };
  run_with_config(provider());
  serve_held_bucket();
  remove_bucket();
  advance_time(5s);
  EXPECT_EQ(shown(), "Terminating DeletionBlocked: somebody uses it");
  advance_time(1min);
  EXPECT_EQ(removes, 3);
  EXPECT_EQ(shown(), "Terminating Terminating: Cleanup in progress");
  EXPECT_FALSE(has_finalizer());
}

// While the access is being deleted, the domain is not called (T3-12).
TEST_F(ApiReconcilerTest, WhileTheAccessIsBeingDeletedTheDomainIsNotCalled) {
  run_with_config(provider());
  serve();
  AccessRequest going = FakeAccess::granted("mcp");
  going.metadata.deletion_timestamp = WallTime();
  access->mcp_request = std::optional(going);
  const int before = access->reconciles;
  remove_bucket();
  advance_time(5min);
  EXPECT_EQ(removes, 0);
  EXPECT_EQ(access->deletes, 0) << "the domain still needs what is left";
  EXPECT_TRUE(has_finalizer());
  EXPECT_GE(access->reconciles - before, 2) << "the provider can request it again";
  EXPECT_LE(access->reconciles - before, 20);
}

// The same for the access to the workload cluster (T3-12).
TEST_F(ApiReconcilerTest, WhileTheWorkloadAccessIsBeingDeletedTheDomainIsNotCalled) {
  BucketReconciler with_workload = provider();
  with_workload.workload_cluster = true;
  run_with_config(with_workload);
  serve();
  AccessRequest going = FakeAccess::granted("wl");
  going.metadata.deletion_timestamp = WallTime();
  access->workload_request = std::optional(going);
  remove_bucket();
  advance_time(5min);
  EXPECT_EQ(removes, 0);
  EXPECT_EQ(access->deletes, 0);
  EXPECT_TRUE(has_finalizer());
  access->workload_request = std::optional(FakeAccess::granted("wl"));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(removes, 1);
  EXPECT_FALSE(bucket());
}

// In the original, the domain never cleaned up, and its resources stayed (T3-13).
TEST_F(ApiReconcilerTest, LostAccessIsRequestedAgainForTheCleanup) {
  run_with_config(provider());
  serve_held_bucket();
  access->mcp_request = fail(make_error(ErrorCode::not_found, "no such request").with_operation("get the access"));
  on_remove = [this](const Bucket&, ObjectClusters&, Context&) -> Outcome {
    EXPECT_FALSE(is_cleaned_up());
    return done;
  };
  const int before = access->reconciles;
  access->outcome = {.outcome = requeue_after(10s)};
  remove_bucket();
  advance_time(5s);
  EXPECT_GT(access->reconciles, before);
  EXPECT_EQ(shown(), "Terminating Reconciling: cluster cleanup");
  access->outcome = {};
  access->mcp_request = std::optional(FakeAccess::granted("mcp"));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(removes, 1);
  EXPECT_TRUE(is_cleaned_up());
  EXPECT_FALSE(has_finalizer());
}

// The same with the policy give_up (T3-13).
TEST_F(ApiReconcilerTest, LostAccessMaySkipTheCleanup) {
  BucketReconciler lenient = provider();
  lenient.lost_access = LostAccessPolicy::skip_cleanup;
  run_with_config(lenient);
  serve();
  access->mcp_request = fail(ErrorCode::not_found, "no such request");
  std::vector<std::string> writes;
  instance->transport().set_faults({{.effect = http::Delay{}, .only = [&](const http::Request& request) {
                                       if (request.method == "PATCH") writes.push_back(request.target);
                                       return false;
                                     }}});
  remove_bucket();
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(removes, 0);
  EXPECT_EQ(access->deletes, 1);
  EXPECT_FALSE(bucket());
  ASSERT_EQ(writes.size(), 2U);
  EXPECT_THAT(writes[0], HasSubstr("/buckets/a/status")) << "users see it before the deletion";
}

// A domain may report another phase when it has cleaned up.
TEST_F(ApiReconcilerTest, UsersSeeThePhaseTerminatingBeforeTheDeletion) {
  on_remove = [](const Bucket&, ObjectClusters&, Context& ctx) { return ready(ctx); };
  run_with_config(provider());
  serve();
  std::vector<std::string> writes;
  instance->transport().set_faults({{.effect = http::Delay{}, .only = [&](const http::Request& request) {
                                       if (request.method == "PATCH") writes.push_back(request.target + request.body);
                                       return false;
                                     }}});
  remove_bucket();
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_FALSE(bucket());
  ASSERT_EQ(writes.size(), 3U);
  EXPECT_THAT(writes[0], HasSubstr("CleanedUp"));
  EXPECT_THAT(writes[1], HasSubstr("/buckets/a/status"));
  EXPECT_THAT(writes[1], HasSubstr("Terminating"));
}

// Another client deletes the access while the object is being deleted (T3-13).
TEST_F(ApiReconcilerTest, AccessDeletedByAnotherClientIsRequestedAgain) {
  run_with_config(provider());
  serve();
  AccessRequest going = FakeAccess::granted("mcp");
  going.metadata.deletion_timestamp = WallTime();
  access->mcp_request = std::optional(going);
  remove_bucket();
  advance_time(1s);
  EXPECT_TRUE(has_finalizer());
  EXPECT_EQ(removes, 0);
  access->mcp_request = std::optional(FakeAccess::granted("mcp"));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(removes, 1);
  EXPECT_FALSE(bucket());
}

// After the clean-up succeeded, no process repeats it (T3-13).
TEST_F(ApiReconcilerTest, AnotherProcessDoesNotRepeatTheCleanup) {
  run_with_config(provider());
  serve();
  access->delete_outcome = {.outcome = requeue_after(1h)};
  access->on_delete = [this] { EXPECT_TRUE(is_cleaned_up()) << "the clean-up precedes the deletion of the access"; };
  remove_bucket();
  ASSERT_TRUE(simulation.run_until_idle());
  ASSERT_EQ(removes, 1);
  instance->crash();
  access->mcp_request = fail(ErrorCode::not_found, "no such request");
  access->delete_outcome = {};
  run(provider());
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(removes, 1);
  EXPECT_FALSE(bucket());
}

// The remaining steps need neither a config nor additional data.
TEST_F(ApiReconcilerTest, ACleanedUpObjectIsDeletedWithoutAConfig) {
  run_with_config(provider());
  serve();
  access->delete_outcome = {.outcome = requeue_after(1min)};
  remove_bucket();
  advance_time(5s);
  ASSERT_TRUE(is_cleaned_up());
  ASSERT_TRUE(platform.user().remove(BucketConfig::type, {"", "buckets"}));
  access->delete_outcome = {};
  advance_time(2min);
  EXPECT_FALSE(bucket());
  EXPECT_EQ(removes, 1);
}

// A provider that waits for a watched object returns `done`.
TEST_F(ApiReconcilerTest, AWaitingAccessIsNotReadyAndNotPolled) {
  run_with_config(provider());
  access->outcome = {.message = "not yet", .is_waiting = true};
  create_bucket();
  advance_time(1h);
  EXPECT_EQ(shown(), "Progressing WaitingForClusterAccess: not yet");
  EXPECT_EQ(access->reconciles, 1);
  remove_bucket();
  advance_time(1h);
  EXPECT_EQ(shown(), "Terminating Reconciling: not yet");
  EXPECT_EQ(access->reconciles, 2);
  access->outcome = {};
  access->delete_outcome = {.message = "it goes", .is_waiting = true};
  request_reconcile();
  advance_time(1h);
  EXPECT_EQ(shown(), "Terminating Terminating: it goes");
  EXPECT_EQ(removes, 1);
  EXPECT_EQ(access->deletes, 1);
  access->delete_outcome = {};
  request_reconcile();
  EXPECT_FALSE(bucket());
}

// The write of the finalizer reveals the deletion. The resources of an earlier process are then cleaned up in the same
// reconcile.
TEST_F(ApiReconcilerTest, AnObjectDeletedDuringTheFinalizerWriteIsCleanedUp) {
  run_with_config(provider());
  std::string causes;
  on_remove = [&](const Bucket&, ObjectClusters&, Context& ctx) -> Outcome {
    if (causes.empty()) causes = to_string(ctx.causes());
    return done;
  };
  bool is_first = true;
  instance->transport().set_faults({{.effect = http::Delay{10s}, .only = [&](const http::Request& request) {
                                       return request.method == "PATCH" && std::exchange(is_first, false);
                                     }}});
  create_bucket();
  ASSERT_TRUE(simulation.wait_until([&] { return !is_first; })) << "the write of the finalizer is delayed";
  change_bucket("a", {{"metadata", {{"finalizers", json::array{Bucket::finalizer}}}}});
  remove_bucket();
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_FALSE(bucket());
  EXPECT_EQ(removes, 1);
  EXPECT_EQ(creates, 0);
  EXPECT_THAT(causes, HasSubstr("added")) << "not in a later reconcile with another cause";
}

TEST_F(ApiReconcilerTest, AFailedReadOfTheAccessInADeletionIsReported) {
  run_with_config(provider());
  serve();
  access->mcp_request = fail(ErrorCode::unavailable, "not now");
  remove_bucket();
  advance_time(1s);
  EXPECT_EQ(shown(), "Terminating ReconcileError: failed to check access requests in deletion");
  EXPECT_EQ(removes + access->deletes, 0);
  access->mcp_request = std::optional<AccessRequest>();
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_EQ(removes, 1) << "a missing request is not one that is being deleted";
}

TEST_F(ApiReconcilerTest, FailuresToGiveBackTheAccessAreReported) {
  run_with_config(provider());
  serve();
  access->outcome = {.outcome = failed(make_error(ErrorCode::unavailable, "not now"))};
  remove_bucket();
  advance_time(1s);
  EXPECT_EQ(shown(), "Terminating ReconcileError: cluster cleanup error");
  access->outcome = {};
  access->delete_outcome = {.outcome = failed(make_error(ErrorCode::unavailable, "not now"))};
  advance_time(10s);
  EXPECT_EQ(shown(), "Terminating ReconcileError: failed cluster access reconcile delete");
  EXPECT_TRUE(has_finalizer());
}

TEST_F(ApiReconcilerTest, FailedFinalizerWritesAreReported) {
  const auto refuse = [&](const char* what) {
    instance->transport().set_faults({{.effect = http::ErrorResponse{.status = 403, .reason = "Forbidden"},
                                       .only = [what](const http::Request& request) {
                                         return request.method == "PATCH" &&
                                                request.body.find(what) != std::string::npos;
                                       }}});
  };
  run_with_config(provider());
  refuse("/metadata/finalizers");
  create_bucket();
  advance_time(1s);
  EXPECT_EQ(shown(), "Progressing ReconcileError: failed to add finalizer");
  EXPECT_EQ(access->reconciles + creates, 0);
  instance->transport().set_faults({});
  ASSERT_TRUE(simulation.run_until_idle());
  refuse("/metadata/finalizers");
  remove_bucket();
  advance_time(1s);
  EXPECT_EQ(shown(), "Terminating ReconcileError: failed to remove finalizer");
  instance->transport().set_faults({});
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_FALSE(bucket());
  EXPECT_EQ(removes, 1);
}

// In the original, a reconcile followed after the poll interval, and the write that removed the finalizer replaced the
// last status (T3-14).
TEST_F(ApiReconcilerTest, ACompletedDeletionKeepsTheStatusAndCausesNoReconcile) {
  run_with_config(provider(), {.poll_seconds = 60});
  serve_held_bucket();
  remove_bucket();
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_FALSE(has_finalizer());
  EXPECT_EQ(shown(), "Terminating Terminating: Cleanup in progress");
  EXPECT_TRUE(is_cleaned_up());
  EXPECT_EQ(bucket()["/status/observedGeneration"], bucket().generation());
  const double before = reconciles("success") + reconciles("requeue_after");
  advance_time(1h);
  EXPECT_EQ(reconciles("success") + reconciles("requeue_after"), before);
  change_bucket("a", {{"metadata", {{"finalizers", nullptr}}}});
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_FALSE(bucket());
}

// In the original, the whole deletion was repeated at each event while a finalizer of another owner existed (T3-15).
TEST_F(ApiReconcilerTest, ADeletionWithoutOurFinalizerIsIgnored) {
  run_with_config(provider());
  instance->stop();
  create_bucket("a", {.finalizers = {"test.pintle.dev/held"}});
  remove_bucket();
  const std::uint64_t writes = simulation.server().writes();
  run(provider());
  ASSERT_TRUE(simulation.run_until_idle());
  ASSERT_TRUE(bucket());
  EXPECT_GE(reconciles("success"), 1);
  EXPECT_EQ(creates + removes + access->reconciles + access->deletes, 0);
  EXPECT_EQ(simulation.server().writes(), writes);
}

}  // namespace
}  // namespace pintle::service
