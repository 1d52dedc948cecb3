// SPDX-License-Identifier: Apache-2.0
// The cost of an obstacle that persists: requests of the operator to all of its clusters, and reconciles.
#include <utility>

#include <pintle/testing/call_recorder.hpp>

#include "access_test_support.hpp"

namespace pintle::service {
namespace {

class ServiceBounds : public AccessTest {
 protected:
  void SetUp() override {
    AccessTest::SetUp();
    on_missing_permission = [](const std::string&) {};  // a rejected request is not a missing permission
  }
  // The domain sends one request in each call, and writes another text to the status each time.
  [[nodiscard]] BucketReconciler working(ClusterAccessOptions options = with_workload()) {
    BucketReconciler real = with_access(std::move(options));
    const auto work = [this](const Bucket&, ObjectClusters& clusters, Context& ctx) -> Outcome {
      (void)calls.call("domain");
      status_progressing(ctx.status(), "Working", "attempt " + std::to_string(calls.size()));
      auto& cluster = clusters.workload_cluster ? *clusters.workload_cluster : clusters.mcp_cluster;
      const auto listed = cluster.client().list({"v1", "ConfigMap"}, {}, ctx.stop_token());
      if (!listed) return failed(listed.error());
      status_ready(ctx.status());
      return done;
    };
    on_create = work;
    on_remove = work;
    return real;
  }
  // Rejects these requests from now on.
  void refuse(std::function<bool(const http::Request&)> which, int status = 403,
              const std::string& reason = "Forbidden") {
    http::FaultPlan plan;
    plan.push_back({.effect = http::Delay{}, .only = [this](const http::Request& request) {
                      if (request.target.find("watch=") == std::string::npos) {
                        (void)sent.call(request.method, request.target);
                      }
                      return false;
                    }});
    if (which) plan.push_back({.effect = http::ErrorResponse{.status = status, .reason = reason}, .only = which});
    instance->transport().set_faults(std::move(plan));
  }
  static std::function<bool(const http::Request&)> to(const std::string& host) {
    return [host](const http::Request& request) { return request.endpoint && request.endpoint->host == host; };
  }
  static std::function<bool(const http::Request&)> those(const std::string& method, const std::string& part) {
    return [method, part](const http::Request& request) {
      return request.method == method && request.target.find(part) != std::string::npos;
    };
  }
  void start_without_bucket(ClusterAccessOptions options = with_workload()) {
    run(working(std::move(options)));
    create_config();
    ASSERT_TRUE(simulation.run_until_idle(5s));
  }
  void start_with_bucket(ClusterAccessOptions options = with_workload()) {
    start_without_bucket(std::move(options));
    create_bucket();
    ASSERT_TRUE(simulation.run_until_idle(5s));
    ASSERT_EQ(shown(), is_served);
  }
  // The work is retried repeatedly with growing delays, and each attempt sends at most this number of requests.
  void expect_few(std::size_t requests_of_an_attempt) {
    const Duration begun = sent.size() == 0 ? Duration::zero() : sent.all().front().at;
    advance_time(3h);
    ASSERT_GE(reconciles("error"), 12) << "it is retried";
    EXPECT_LE(reconciles("error"), 30);
    EXPECT_TRUE(sent.at_most(25 * requests_of_an_attempt, 1h));
    EXPECT_TRUE(sent.since(begun + 1h).at_most(5 * requests_of_an_attempt, 1h)) << "the back-off has grown";
  }
  void expect_no_requests() {
    advance_time(1min);
    sent.clear();
    advance_time(3h);
    EXPECT_TRUE(sent.at_most(0, 1h)) << "the reconciler waits for an event without polling";
  }

  testkit::CallRecorder calls{simulation.executor()};
  testkit::CallRecorder sent{simulation.executor()};
};

TEST_F(ServiceBounds, AMissingGrantCausesNoRequests) {
  granter->decide(AccessRequest::type, {mcp_home, workload_request}, GrantDecision::leave_pending);
  start_without_bucket();
  refuse({});
  create_bucket();
  expect_no_requests();
  EXPECT_EQ(calls.size(), 0U);
}

TEST_F(ServiceBounds, AMissingClusterCausesNoRequests) {
  granter->decide(ClusterRequest::type, {mcp_home, workload_request}, GrantDecision::leave_pending);
  start_without_bucket();
  refuse({});
  create_bucket();
  expect_no_requests();
}

TEST_F(ServiceBounds, ANamedMissingClusterIsReadAtTheRetryInterval) {
  ClusterAccessOptions options = mcp_only();
  options.more = {{.id = "logs",
                   .cluster_request = [](const ObjectKey&, Context&) -> Result<ObjectKey> {
                     return ObjectKey{"logging", "shared"};
                   },
                   .token = [](const ObjectKey&, Context&) -> Result<TokenConfig> { return TokenConfig{}; }}};
  options.retry_interval = 1min;
  BucketReconciler real = working(options);
  real.more_clusters = {"logs"};
  run(real);
  create_config();
  ASSERT_TRUE(simulation.run_until_idle(5s));
  refuse({});
  create_bucket();
  advance_time(3h);
  EXPECT_TRUE(sent.at_most(300, 1h)) << "ClusterAccessOptions::retry_interval";
  EXPECT_EQ(calls.size(), 0U);
}

TEST_F(ServiceBounds, ADeniedAccessCausesNoRequests) {
  granter->decide(AccessRequest::type, {mcp_home, workload_request}, GrantDecision::deny);
  start_without_bucket();
  refuse({});
  create_bucket();
  expect_no_requests();
}

TEST_F(ServiceBounds, ADeniedClusterCausesNoRequests) {
  granter->decide(ClusterRequest::type, {mcp_home, workload_request}, GrantDecision::deny);
  start_without_bucket();
  refuse({});
  create_bucket();
  expect_no_requests();
}

TEST_F(ServiceBounds, AnInvalidKubeconfigBacksOff) {
  start_with_bucket();
  refuse({});
  ASSERT_TRUE(platform.user().patch(Secret::type, {mcp_home, workload_request + "-kubeconfig"},
                                    json::Value{{"data", {{"kubeconfig", "bm90aGluZw=="}}}}));
  expect_few(6);
}

TEST_F(ServiceBounds, AMissingSecretBacksOff) {
  start_with_bucket();
  refuse({});
  ASSERT_TRUE(platform.user().remove(Secret::type, {mcp_home, workload_request + "-kubeconfig"}));
  expect_few(6);
}

TEST_F(ServiceBounds, ARefusingWorkloadClusterBacksOff) {
  start_without_bucket();
  refuse(to("workload"));
  create_bucket();
  expect_few(8);
  EXPECT_TRUE(calls.at_most(25, 1h));
}

TEST_F(ServiceBounds, AnUnavailableWorkloadClusterBacksOff) {
  start_without_bucket();
  refuse(to("workload"), 503, "ServiceUnavailable");
  create_bucket();
  expect_few(30);
  EXPECT_TRUE(calls.at_most(25, 1h));
}

TEST_F(ServiceBounds, ARefusedCleanupBacksOff) {
  start_with_bucket();
  refuse(to("workload"));
  remove_bucket();
  expect_few(8);
  EXPECT_TRUE(bucket());
}

TEST_F(ServiceBounds, ARefusedCreateOfAnAccessRequestBacksOff) {
  start_without_bucket();
  refuse(those("POST", "/accessrequests"));
  create_bucket();
  expect_few(8);
  EXPECT_EQ(calls.size(), 0U);
}

TEST_F(ServiceBounds, ARefusedCreateOfAClusterRequestBacksOff) {
  start_without_bucket();
  refuse(those("POST", "/clusterrequests"));
  create_bucket();
  expect_few(8);
}

TEST_F(ServiceBounds, ARefusedDeletionOfARequestBacksOff) {
  start_with_bucket();
  refuse(those("DELETE", "/accessrequests"));
  remove_bucket();
  expect_few(8);
  EXPECT_TRUE(bucket());
  EXPECT_LE(removes, 1) << "a completed clean-up is not repeated";
}

TEST_F(ServiceBounds, ARefusedFinalizerRemovalOfARequestBacksOff) {
  start_with_bucket();
  refuse(those("PATCH", "/accessrequests"));
  remove_bucket();
  expect_few(10);
}

TEST_F(ServiceBounds, ARefusedStatusWriteBacksOff) {
  start_without_bucket();
  refuse(those("PATCH", "/buckets/a/status"));
  create_bucket();
  expect_few(8);
  EXPECT_TRUE(calls.at_most(25, 1h));
}

TEST_F(ServiceBounds, AStatusThatTheSchemaRefusesBacksOff) {
  start_without_bucket();
  refuse(those("PATCH", "/buckets/a/status"), 422, "Invalid");
  create_bucket();
  expect_few(16);
}

TEST_F(ServiceBounds, AStatusThatAlwaysConflictsBacksOff) {
  start_without_bucket();
  refuse(those("PATCH", "/buckets/a/status"), 409, "Conflict");
  create_bucket();
  expect_few(30);
}

TEST_F(ServiceBounds, ARefusedStatusWriteInADeletionBacksOff) {
  start_with_bucket();
  refuse(those("PATCH", "/buckets/a/status"));
  remove_bucket();
  expect_few(10);
  EXPECT_TRUE(bucket()) << "the completed clean-up is stored first";
}

TEST_F(ServiceBounds, ARefusedFinalizerWriteBacksOff) {
  start_without_bucket();
  refuse(those("PATCH", "/buckets/a?"));
  create_bucket();
  expect_few(8);
  EXPECT_EQ(calls.size(), 0U);
}

TEST_F(ServiceBounds, ARefusedFinalizerRemovalBacksOff) {
  start_with_bucket();
  refuse(those("PATCH", "/buckets/a?"));
  remove_bucket();
  expect_few(12);
}

TEST_F(ServiceBounds, ARefusingPlatformClusterBacksOff) {
  start_without_bucket();
  refuse([](const http::Request& request) {
    return to("platform")(request) && request.target.find("watch=") == std::string::npos;
  });
  create_bucket();
  expect_few(10);
}

}  // namespace
}  // namespace pintle::service
