// SPDX-License-Identifier: Apache-2.0
#include <pintle/patterns/service/cluster_access_reconciler.hpp>

#include <gmock/gmock.h>

#include <pintle/base/file.hpp>
#include <pintle/object/bytes.hpp>

#include "test_support.hpp"

namespace pintle::service {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;

template <class O>
concept AccessMayLeaveOutControllerName = requires { O{.platform_cluster = "p"}; };
template <class O>
concept AccessMayLeaveOutPlatformCluster = requires { O{.controller_name = "c"}; };
static_assert(!AccessMayLeaveOutControllerName<ClusterAccessOptions>);
static_assert(!AccessMayLeaveOutPlatformCluster<ClusterAccessOptions>);

// The test grants the requests in the platform cluster.
class ClusterAccessTest : public ServiceTest {
 protected:
  void SetUp() override {
    install(crd_of<ClusterRequest>());
    install(crd_of<AccessRequest>());
    create_namespace(mcp_home);
    create_cluster_request("a");
  }

  void install(const json::Value& definition) {
    const auto created = platform.user().create(definition);
    ASSERT_TRUE(created) << created.error().to_string();
    advance_time(1s);
  }
  void create_namespace(const std::string& name) {
    const auto created = platform.user().create(
        json::Value{{"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", {{"name", name}}}});
    ASSERT_TRUE(created) << created.error().to_string();
  }
  // Creates the request of a control plane, as the owner of the control planes does.
  void create_cluster_request(const std::string& name) {
    const auto created = platform.user().create(
        ClusterRequest{.metadata = {.name = name, .namespace_ = mcp_home}, .spec = {.purpose = "mcp"}});
    ASSERT_TRUE(created) << created.error().to_string();
  }
  template <class T>
  void set_phase(const std::string& name, std::string_view phase, const std::string& secret = {}) {
    const auto there = platform.user().get<T>({mcp_home, name});
    ASSERT_TRUE(there) << there.error().to_string();
    json::Value status = {{"phase", phase}, {"observedGeneration", there->metadata.generation}};
    if (!secret.empty()) status.as_object()["secretRef"] = {{"name", secret}};
    const auto patched =
        platform.user().patch(T::type, {mcp_home, name}, json::Value{{"status", status}}, {.subresource = "status"});
    ASSERT_TRUE(patched) << patched.error().to_string();
  }
  void create_secret(const std::string& name, const testkit::SimulatedCluster& leads_to) {
    ASSERT_TRUE(platform.user().create(
        Secret{.metadata = {.name = name, .namespace_ = mcp_home}, .data = {{"kubeconfig", leads_to.kubeconfig()}}}));
  }
  // Creates the bucket a, and grants its control plane.
  void serve() {
    create_config();
    create_bucket();
    set_phase<ClusterRequest>("a", request_granted);
    advance_time(10s);
    create_secret("access", mcp);
    set_phase<AccessRequest>(mcp_request, request_granted, "access");
    advance_time(10s);
  }
  // Also requests a reconcile of the bucket a.
  void annotate_access(const std::string& url) {
    ASSERT_TRUE(platform.user().patch(AccessRequest::type, {mcp_home, mcp_request},
                                      json::Value{{"metadata", {{"annotations", {{local_access_annotation, url}}}}}}));
    change_bucket("a", {{"metadata", {{"annotations", {{operation_annotation, reconcile_operation}}}}}});
    advance_time(10s);
  }
  [[nodiscard]] BucketReconciler with_access(ClusterAccessOptions options) {
    BucketReconciler real = provider();
    real.workload_cluster = options.workload.has_value();
    real.cluster_access = std::make_shared<ClusterAccessReconciler>(std::move(options));
    on_create = [this](const Bucket& bucket, ObjectClusters& clusters, Context& ctx) -> Outcome {
      keys = {clusters.mcp_access_secret_key, clusters.workload_access_secret_key};
      const ConfigMap made{.metadata = {.name = bucket.metadata.name, .namespace_ = "default"},
                           .data = {{"size", bucket.spec.size}}};
      if (auto there = clusters.mcp_cluster.apply(made); !there) return failed(there.error());
      if (clusters.workload_cluster) {
        if (auto there = clusters.workload_cluster->apply(made); !there) return failed(there.error());
      }
      return ready(ctx);
    };
    return real;
  }
  [[nodiscard]] static ClusterAccessOptions options() {
    return {.controller_name = "Buckets",
            .platform_cluster = "platform",
            .mcp = {.permissions = {{.rules = {{.api_groups = {""}, .resources = {"configmaps"}, .verbs = {"*"}}}}}}};
  }
  [[nodiscard]] std::optional<AccessRequest> access_request(const std::string& name) {
    auto there = platform.user().get<AccessRequest>({mcp_home, name});
    return there ? std::optional(std::move(*there)) : std::nullopt;
  }

  const std::string mcp_home = *mcp_namespace({"default", "a"});
  const std::string mcp_request = "buckets--a--mcp";
  const std::string workload_request = "buckets--a--wl";
  std::vector<ObjectKey> keys;
};

TEST_F(ClusterAccessTest, RequestsAccessOnceTheClusterIsGranted) {
  run(with_access(options()));
  create_config();
  create_bucket();
  advance_time(10s);
  EXPECT_FALSE(access_request(mcp_request));
  EXPECT_EQ(shown(), "Progressing WaitingForClusterAccess: ClusterRequest " + mcp_home + "/a is not granted yet");
  set_phase<ClusterRequest>("a", request_granted);
  advance_time(10s);
  const auto request = access_request(mcp_request);
  ASSERT_TRUE(request);
  EXPECT_EQ(request->spec.request_ref, (RequestReference{"a", mcp_home}));
  EXPECT_EQ(request->spec.token, options().mcp);
  EXPECT_EQ(request->metadata.finalizers, std::vector<std::string>{std::string(cluster_access_finalizer)});
  EXPECT_EQ(request->metadata.labels,
            (std::map<std::string, std::string>{{"openmcp.cloud/managed-by", "Buckets"},
                                                {"openmcp.cloud/managed-purpose", "default.a.mcp"},
                                                {"openmcp.cloud/onboarding-name", "a"},
                                                {"openmcp.cloud/onboarding-namespace", "default"}}));
  EXPECT_EQ(creates, 0);
  create_secret("access", mcp);
  set_phase<AccessRequest>(mcp_request, request_granted, "access");
  advance_time(10s);
  EXPECT_GT(creates, 0);
  EXPECT_EQ(keys[0], (ObjectKey{mcp_home, "access"}));
  EXPECT_EQ(mcp.server().objects("configmaps").size(), 1U);
  EXPECT_EQ(shown(), "Ready ReconcileSuccess: Domain Service is ready");
}

TEST_F(ClusterAccessTest, WaitsForAMissingControlPlane) {
  ASSERT_TRUE(platform.user().remove(ClusterRequest::type, {mcp_home, "a"}));
  run(with_access(options()));
  create_config();
  create_bucket();
  advance_time(10s);
  EXPECT_EQ(shown(), "Progressing WaitingForClusterAccess: there is no ClusterRequest " + mcp_home + "/a");
  EXPECT_EQ(reconciles("error"), 0);
}

// A denied request is reported; otherwise it would look like a request that is awaited (B7).
TEST_F(ClusterAccessTest, ReportsADeniedRequest) {
  run(with_access(options()));
  create_config();
  create_bucket();
  set_phase<ClusterRequest>("a", request_denied);
  advance_time(10s);
  EXPECT_EQ(shown(), "Progressing ClusterAccessDenied: ClusterRequest " + mcp_home + "/a was denied");
  set_phase<ClusterRequest>("a", request_granted);
  advance_time(10s);
  set_phase<AccessRequest>(mcp_request, request_denied);
  advance_time(10s);
  EXPECT_EQ(shown(), "Progressing ClusterAccessDenied: AccessRequest " + mcp_home + "/" + mcp_request + " was denied");
}

TEST_F(ClusterAccessTest, AGrantOfAnEarlierGenerationDoesNotCount) {
  run(with_access(options()));
  serve();
  instance->stop();
  ClusterAccessOptions more = options();
  more.mcp.role_refs = {{.name = "admin"}};
  run(with_access(more));
  advance_time(10s);
  EXPECT_EQ(access_request(mcp_request)->spec.token, more.mcp) << "the request is updated";
  EXPECT_EQ(shown(), "Progressing WaitingForClusterAccess: AccessRequest " + mcp_home + "/" + mcp_request +
                         " is not granted yet");
  set_phase<AccessRequest>(mcp_request, request_granted, "access");
  advance_time(10s);
  EXPECT_EQ(shown(), "Ready ReconcileSuccess: Domain Service is ready");
}

// The platform has not decided on the current generation of the request, so an object waits for the decision.
TEST_F(ClusterAccessTest, ADenialOfAnEarlierGenerationDoesNotCount) {
  run(with_access(options()));
  create_config();
  ASSERT_TRUE(platform.user().patch(ClusterRequest::type, {mcp_home, "a"},
                                    json::Value{{"status", {{"phase", request_denied}, {"observedGeneration", 0}}}},
                                    {.subresource = "status"}));
  create_bucket();
  advance_time(10s);
  EXPECT_EQ(shown(), "Progressing WaitingForClusterAccess: ClusterRequest " + mcp_home + "/a is not granted yet");
  remove_bucket();
  advance_time(10s);
  EXPECT_TRUE(bucket());
  set_phase<ClusterRequest>("a", request_denied);
  advance_time(10s);
  EXPECT_FALSE(bucket());
}

TEST_F(ClusterAccessTest, RequestsAWorkloadClusterAndGivesItBack) {
  ClusterAccessOptions both = options();
  both.workload = TokenConfig{.role_refs = {{.name = "admin"}}};
  run(with_access(both));
  serve();
  const auto request = platform.user().get<ClusterRequest>({mcp_home, workload_request});
  ASSERT_TRUE(request);
  EXPECT_EQ(request->spec.purpose, "workload");
  set_phase<ClusterRequest>(workload_request, request_granted);
  advance_time(10s);
  create_secret("workload-access", workload);
  set_phase<AccessRequest>(workload_request, request_granted, "workload-access");
  advance_time(10s);
  EXPECT_EQ(workload.server().objects("configmaps").size(), 1U);
  EXPECT_EQ(keys[1], (ObjectKey{mcp_home, "workload-access"}));
  // The platform removes the access before the request disappears.
  ASSERT_TRUE(platform.user().patch(
      AccessRequest::type, {mcp_home, workload_request},
      json::Value{{"metadata", {{"finalizers", json::array{cluster_access_finalizer, "platform.dev/grant"}}}}}));
  remove_bucket();
  advance_time(1min);
  EXPECT_TRUE(bucket());
  EXPECT_TRUE(access_request(workload_request)->metadata.is_deleting());
  EXPECT_TRUE(platform.user().get<ClusterRequest>({mcp_home, workload_request})) << "the cluster may still be in use";
  ASSERT_TRUE(
      platform.user().patch(AccessRequest::type, {mcp_home, workload_request},
                            json::Value{{"metadata", {{"finalizers", json::array{cluster_access_finalizer}}}}}));
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_FALSE(bucket());
  EXPECT_EQ(removes, 1);
  EXPECT_TRUE(platform.server().objects("accessrequests.clusters.openmcp.cloud").empty());
  const auto left = platform.server().objects("clusterrequests.clusters.openmcp.cloud");
  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(left[0].name(), "a") << "the ClusterRequest of the control plane is foreign";
}

struct RoleOfReconcile {
  std::string name{};
};

// The cluster "logs", which the operator requests, and the cluster "shared", which another owner has requested.
class MoreClustersTest : public ClusterAccessTest {
 protected:
  [[nodiscard]] BucketReconciler with_more() {
    ClusterAccessOptions more = options();
    const ClusterRegistration logs{.id = "logs", .purpose = "logging", .token = role_of_reconcile};
    const ClusterRegistration shared{.id = "shared",
                                     .suffix = "sh",
                                     .cluster_request = [this](const ObjectKey&, Context&) -> Result<ObjectKey> {
                                       return ObjectKey{mcp_home, "shared"};
                                     },
                                     .token = role_of_reconcile};
    more.more = {logs, shared};
    BucketReconciler buckets = with_access(std::move(more));
    buckets.more_clusters = {"logs", "shared"};
    buckets.additional_data = {[](const Bucket&, const BucketConfig& config, Context& ctx) -> Result<void> {
      ctx.slot<RoleOfReconcile>().name = config.spec.region;
      return {};
    }};
    on_create = [this](const Bucket& bucket, ObjectClusters& clusters, Context& ctx) -> Outcome {
      keys = {clusters.more.at("logs").access_secret_key, clusters.more.at("shared").access_secret_key};
      const auto made = clusters.more.at("logs").cluster.apply(
          ConfigMap{.metadata = {.name = bucket.metadata.name, .namespace_ = "default"}});
      if (!made) return failed(made.error());
      return ready(ctx);
    };
    return buckets;
  }
  static Result<TokenConfig> role_of_reconcile(const ObjectKey&, Context& ctx) {
    return TokenConfig{.role_refs = {{.name = ctx.slot<RoleOfReconcile>().name}}};
  }
  void grant(const std::string& name, const testkit::SimulatedCluster& leads_to) {
    create_secret(name, leads_to);
    set_phase<AccessRequest>(name, request_granted, name);
    advance_time(10s);
  }
  void serve_with_more() {
    create_cluster_request("shared");
    set_phase<ClusterRequest>("shared", request_granted);
    serve();
    set_phase<ClusterRequest>(logs_request, request_granted);
    advance_time(10s);
    grant(logs_request, workload);
    grant(shared_request, mcp);
  }

  const std::string logs_request = "buckets--a--logs";
  const std::string shared_request = "buckets--a--sh";
};

TEST_F(MoreClustersTest, AreReachedByTheirIds) {
  run(with_more());
  serve_with_more();
  EXPECT_EQ(shown(), "Ready ReconcileSuccess: Domain Service is ready");
  EXPECT_EQ(workload.server().objects("configmaps").size(), 1U);
  EXPECT_EQ(keys, (std::vector<ObjectKey>{{mcp_home, logs_request}, {mcp_home, shared_request}}));
  EXPECT_EQ(platform.user().get<ClusterRequest>({mcp_home, logs_request})->spec.purpose, "logging");
  EXPECT_EQ(access_request(shared_request)->spec.request_ref, (RequestReference{"shared", mcp_home}));
  EXPECT_EQ(access_request(logs_request)->metadata.labels.at("openmcp.cloud/managed-purpose"), "default.a.logs");
}

// A ClusterRequest that a function names is not watched.
TEST_F(MoreClustersTest, AreReadAfterTheRetryIntervalIfAFunctionNamesThem) {
  run(with_more());
  serve();
  set_phase<ClusterRequest>(logs_request, request_granted);
  advance_time(10s);
  grant(logs_request, workload);
  EXPECT_EQ(shown(), "Progressing WaitingForClusterAccess: there is no ClusterRequest " + mcp_home + "/shared");
  const double before = reconciles("requeue_after");
  advance_time(1min);
  EXPECT_NEAR(reconciles("requeue_after") - before, 12, 1);
  create_cluster_request("shared");
  set_phase<ClusterRequest>("shared", request_granted);
  advance_time(10s);
  grant(shared_request, mcp);
  EXPECT_EQ(shown(), "Ready ReconcileSuccess: Domain Service is ready");
}

TEST_F(MoreClustersTest, CanBeRequestedByTheConfig) {
  run(with_more());
  serve_with_more();
  EXPECT_EQ(access_request(logs_request)->spec.token->role_refs.at(0).name, "x");
  patch_config({{"region", "north"}});
  advance_time(10s);
  EXPECT_EQ(access_request(logs_request)->spec.token->role_refs.at(0).name, "north");
  EXPECT_EQ(access_request(shared_request)->spec.token->role_refs.at(0).name, "north");
}

TEST_F(MoreClustersTest, AreGivenBackExceptForeignRequests) {
  run(with_more());
  serve_with_more();
  remove_bucket();
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_FALSE(bucket());
  EXPECT_TRUE(platform.server().objects("accessrequests.clusters.openmcp.cloud").empty());
  EXPECT_FALSE(platform.user().get<ClusterRequest>({mcp_home, logs_request}));
  EXPECT_TRUE(platform.user().get<ClusterRequest>({mcp_home, "shared"}));
}

TEST_F(MoreClustersTest, WhileTheAccessToOneIsBeingDeletedTheDomainIsNotCalled) {
  run(with_more());
  serve_with_more();
  ASSERT_TRUE(platform.user().patch(
      AccessRequest::type, {mcp_home, shared_request},
      json::Value{{"metadata", {{"finalizers", json::array{cluster_access_finalizer, "platform.dev/grant"}}}}}));
  ASSERT_TRUE(platform.user().remove(AccessRequest::type, {mcp_home, shared_request}));
  remove_bucket();
  advance_time(1min);
  EXPECT_EQ(removes, 0);
  EXPECT_TRUE(bucket());
  EXPECT_TRUE(access_request(logs_request)) << "the other clusters are still needed";
  EXPECT_FALSE(platform.user().get<ClusterRequest>({mcp_home, logs_request})->metadata.is_deleting());
}

TEST_F(MoreClustersTest, InvalidDeclarationsAreReported) {
  ClusterAccessOptions wrong = options();
  wrong.more = {{.id = "logs", .token = role_of_reconcile},
                {.id = "logs", .suffix = "Logs", .purpose = "logging", .token = nullptr},
                {.id = "", .suffix = "mcp", .purpose = "x", .token = role_of_reconcile}};
  std::vector<std::string> messages;
  for (const Error& error : ClusterAccessReconciler(wrong).validate()) messages.push_back(error.message);
  EXPECT_THAT(
      messages,
      ::testing::ElementsAre(
          "cluster access: cluster \"logs\": exactly one of .purpose and .cluster_request is required",
          "cluster access: two clusters have the id \"logs\"", "cluster access: two clusters have the suffix \"Logs\"",
          "cluster access: cluster \"logs\": a token is required: set .token",
          "cluster access: two clusters have the suffix \"mcp\"",
          "cluster access: cluster \"\": an id is required: set .id"));
}

TEST_F(ClusterAccessTest, AForeignRequestIsNotChanged) {
  run(with_access(options()));
  create_config();
  const std::map<std::string, std::string> theirs{{"openmcp.cloud/managed-by", "Others"}};
  ASSERT_TRUE(platform.user().create(
      AccessRequest{.metadata = {.name = mcp_request, .namespace_ = mcp_home, .labels = theirs}}));
  set_phase<ClusterRequest>("a", request_granted);
  create_bucket();
  advance_time(10s);
  EXPECT_EQ(shown(), "Progressing ReconcileError: cluster setup error");
  EXPECT_TRUE(
      log->has("AccessRequest " + mcp_home + "/" + mcp_request +
               " is not managed by Buckets: its label openmcp.cloud/managed-by is \"Others\", not \"Buckets\""));
  EXPECT_FALSE(access_request(mcp_request)->spec.token);
}

// In the original, each reconcile created its own client (T3-25).
TEST_F(ClusterAccessTest, AClientIsKeptWhileItsSecretIsUnchanged) {
  std::vector<const Client*> clients;
  BucketReconciler real = with_access(options());
  const auto greet = on_create;
  on_create = [&](const Bucket& bucket, ObjectClusters& clusters_of_it, Context& ctx) {
    clients.push_back(&clusters_of_it.mcp_cluster.client());
    return greet(bucket, clusters_of_it, ctx);
  };
  run(real);
  serve();
  change_bucket("a", {{"spec", {{"size", "2Gi"}}}});
  advance_time(10s);
  ASSERT_GE(clients.size(), 2U);
  EXPECT_EQ(clients.back(), clients.front());
  ASSERT_TRUE(platform.user().patch(Secret::type, {mcp_home, "access"},
                                    json::Value{{"data", {{"kubeconfig", Bytes(workload.kubeconfig()).to_base64()}}}}));
  change_bucket("a", {{"spec", {{"size", "3Gi"}}}});
  advance_time(10s);
  EXPECT_EQ(workload.server().objects("configmaps").size(), 1U);
}

// The client is dropped with its object (T3-25).
TEST_F(ClusterAccessTest, AClientIsDroppedWithItsObject) {
  run(with_access(options()));
  serve();
  std::uint64_t discoveries = 0;
  const auto only = [&](const http::Request& request) {
    discoveries += request.endpoint->host == "mcp" && request.target == "/api/v1" ? 1 : 0;
    return false;
  };
  instance->transport().set_faults({{.effect = http::Delay{}, .only = only}});
  change_bucket("a", {{"spec", {{"size", "2Gi"}}}});
  advance_time(10s);
  EXPECT_EQ(discoveries, 0U) << "the cached client needs no discovery";
  remove_bucket();
  advance_time(1min);
  ASSERT_FALSE(bucket());
  create_bucket();
  advance_time(10s);
  set_phase<AccessRequest>(mcp_request, request_granted, "access");
  advance_time(10s);
  EXPECT_EQ(shown(), "Ready ReconcileSuccess: Domain Service is ready");
  EXPECT_EQ(discoveries, 1U) << "the Secret is the same, but the client is new";
}

TEST_F(ClusterAccessTest, AnAnnotationReplacesTheServerUrlWithLocalAccess) {
  ClusterAccessOptions local = options();
  local.local_access = true;
  run(with_access(local));
  serve();
  EXPECT_EQ(mcp.server().objects("configmaps").size(), 1U) << "without the annotation, the usual URL";
  annotate_access("http://workload");
  EXPECT_EQ(workload.server().objects("configmaps").size(), 1U);
  annotate_access("ftp://workload");
  EXPECT_EQ(shown(), "Progressing ReconcileError: cluster setup error");
  EXPECT_TRUE(
      log->has("the server URL \"ftp://workload\" for context mcp of secret " + mcp_home + "/access must begin"));
  EXPECT_TRUE(log->has("reach the cluster at the clusters.open-control-plane.io/local-access of AccessRequest"));
}

TEST_F(ClusterAccessTest, TheAnnotationIsIgnoredWithoutLocalAccess) {
  run(with_access(options()));
  serve();
  annotate_access("http://workload");
  EXPECT_TRUE(workload.server().objects("configmaps").empty());
  EXPECT_EQ(shown(), "Ready ReconcileSuccess: Domain Service is ready");
}

TEST_F(ClusterAccessTest, ErrorsOfTheDeclarationAreReportedAtStart) {
  ClusterAccessOptions wrong = options();
  wrong.controller_name = std::string("of buckets");
  wrong.platform_cluster = std::string();
  wrong.retry_interval = 0s;
  BucketReconciler buckets = with_access(wrong);
  buckets.config.provider_name = std::string("No name");
  start(buckets);
  instance->join();
  ASSERT_FALSE(instance->started());
  const std::string messages = instance->started().error().message;
  for (const char* part :
       {"provider name \"No name\" must", "controller name \"of buckets\" makes requests named \"of buckets--x--mcp\"",
        "cluster access: platform cluster is required", "cluster access: the retry interval must be positive"}) {
    EXPECT_THAT(messages, HasSubstr(part));
  }
  EXPECT_TRUE(ClusterAccessReconciler(options()).validate().empty());
}

TEST_F(ClusterAccessTest, DeclaresItsRbacRules) {
  ClusterAccessOptions both = options();
  both.workload.emplace();
  const auto verbs_on = [](const ClusterAccessReconciler& of, const std::string& resource) {
    for (const RbacRule& rule : of.rbac_rules()) {
      EXPECT_EQ(rule.cluster, "platform");
      if (rule.resource == resource) return rule.verbs.size();
    }
    return std::size_t{0};
  };
  EXPECT_EQ(verbs_on(ClusterAccessReconciler(options()), "clusterrequests"), 3U) << "without create";
  EXPECT_EQ(verbs_on(ClusterAccessReconciler(both), "clusterrequests"), 4U);
  EXPECT_EQ(verbs_on(ClusterAccessReconciler(options()), "accessrequests"), 4U);
  EXPECT_EQ(verbs_on(ClusterAccessReconciler(options()), "secrets"), 1U);
}

// The requests are valid for the CRDs of the platform.
class ClusterAccessCrdsTest : public ClusterAccessTest {
 protected:
  void SetUp() override {
    const json::Value all = *json::parse(*read_file("tests/data/cluster_access_crds.json"));
    for (const char* resource : {"clusterrequests", "accessrequests"}) {
      json::Value definition = all.at(resource);
      definition.as_object()["apiVersion"] = "apiextensions.k8s.io/v1";
      definition.as_object()["kind"] = "CustomResourceDefinition";
      definition.as_object()["metadata"] = {{"name", std::string(resource) + ".clusters.openmcp.cloud"}};
      install(definition);
    }
    create_namespace(mcp_home);
    create_cluster_request("a");
  }
};

TEST_F(ClusterAccessCrdsTest, ServeAnObject) {
  ClusterAccessOptions both = options();
  both.workload = TokenConfig{.role_refs = {{.name = "admin"}}};
  run(with_access(both));
  serve();
  set_phase<ClusterRequest>(workload_request, request_granted);
  advance_time(10s);
  create_secret("workload-access", workload);
  set_phase<AccessRequest>(workload_request, request_granted, "workload-access");
  advance_time(10s);
  EXPECT_EQ(shown(), "Ready ReconcileSuccess: Domain Service is ready");
  EXPECT_EQ(access_request(mcp_request)->spec.token, both.mcp);
  EXPECT_FALSE(log->has("unknown field")) << "a warning of the server";
  remove_bucket();
  ASSERT_TRUE(simulation.run_until_idle());
  EXPECT_FALSE(bucket());
}

}  // namespace
}  // namespace pintle::service
