// SPDX-License-Identifier: Apache-2.0
// Requests for access to clusters: requests of other owners, names and labels, and inconsistent declarations.
#include <pintle/patterns/service/cluster_access_reconciler.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include <gmock/gmock.h>

#include "access_test_support.hpp"

namespace pintle::service {
namespace {

using ::testing::HasSubstr;

// ---- requests of other owners ----

class ForeignRequestsTest : public AccessLifeTest {
 protected:
  void create_foreign(const std::string& kind, const std::string& name) {
    json::Value spec = kind == "AccessRequest" ? json::Value{{"token", json::object()}} : json::Value{{"purpose", "x"}};
    const auto made = platform.user().create(json::Value{
        {"apiVersion", "clusters.openmcp.cloud/v1alpha1"},
        {"kind", kind},
        {"metadata", {{"name", name}, {"namespace", mcp_home}, {"labels", {{"openmcp.cloud/managed-by", "Others"}}}}},
        {"spec", spec}});
    ASSERT_TRUE(made) << made.error().to_string();
  }
};

TEST_F(ForeignRequestsTest, AForeignAccessRequestIsNotUsedUpdatedOrDeleted) {
  create_foreign("AccessRequest", mcp_request);
  const std::string before = request<AccessRequest>(mcp_request)->metadata.resource_version;
  run_provider();
  create_bucket();
  advance_time(1min);
  EXPECT_EQ(shown(), "Progressing ReconcileError: cluster setup error");
  EXPECT_TRUE(log->has("AccessRequest " + mcp_home + "/" + mcp_request + " is not managed by Buckets"));
  EXPECT_EQ(creates, 0);
  EXPECT_LT(reconciles("error"), 20) << "few attempts in an hour";
  EXPECT_EQ(request<AccessRequest>(mcp_request)->metadata.generation, 1) << before;
  remove_bucket();
  advance_time(1h);
  EXPECT_FALSE(bucket()) << "no clean-up is needed";
  ASSERT_TRUE(request<AccessRequest>(mcp_request));
  EXPECT_FALSE(request<AccessRequest>(mcp_request)->metadata.is_deleting());
}

TEST_F(ForeignRequestsTest, AForeignDeletingAccessRequestDelaysNoDeletion) {
  serve_bucket();
  granter->defer_deletions(true);
  remove_by_hand(AccessRequest::type, mcp_request);
  instance->stop();
  ASSERT_TRUE(platform.user().patch(AccessRequest::type, {mcp_home, mcp_request},
                                    json::Value{{"metadata", {{"labels", {{"openmcp.cloud/managed-by", "Others"}}}}}}));
  remove_bucket();
  run(with_access(mcp_only()));
  advance_time(10s);
  EXPECT_FALSE(bucket());
  ASSERT_TRUE(request<AccessRequest>(mcp_request));
  EXPECT_EQ(request<AccessRequest>(mcp_request)->metadata.finalizers.size(), 2U)
      << "our finalizer is not removed either";
}

// Another owner creates a request of the same name while our request is being deleted.
TEST_F(ForeignRequestsTest, AForeignRequestOfTheSameNameIsNotDeleted) {
  serve_bucket();
  bool is_first = true;
  instance->transport().set_faults({{.effect = http::Delay{10s}, .only = [&](const http::Request& request) {
                                       return request.method == "DELETE" && std::exchange(is_first, false);
                                     }}});
  remove_bucket();
  ASSERT_TRUE(simulation.wait_until([&] { return !is_first; })) << "the request of the deletion is delayed";
  delete_without_finalizers(AccessRequest::type, mcp_request);
  create_foreign("AccessRequest", mcp_request);
  advance_time(1min);
  EXPECT_FALSE(bucket());
  ASSERT_TRUE(request<AccessRequest>(mcp_request));
  EXPECT_FALSE(request<AccessRequest>(mcp_request)->metadata.is_deleting());
}

TEST_F(ForeignRequestsTest, AForeignClusterRequestIsNotUsedOrDeleted) {
  create_foreign("ClusterRequest", workload_request);
  run_provider(with_workload());
  create_bucket();
  advance_time(1min);
  EXPECT_EQ(shown(), "Progressing ReconcileError: cluster setup error");
  EXPECT_TRUE(log->has("ClusterRequest " + mcp_home + "/" + workload_request + " is not managed by Buckets"));
  EXPECT_FALSE(request<AccessRequest>(workload_request)) << "no access is requested";
  remove_bucket();
  advance_time(1h);
  EXPECT_FALSE(bucket());
  ASSERT_TRUE(request<ClusterRequest>(workload_request));
  EXPECT_FALSE(request<ClusterRequest>(workload_request)->metadata.is_deleting());
}

// ---- names and labels ----

// A cluster-scoped kind.
struct Depot {
  static constexpr Type type{"test.pintle.dev/v1", "Depot"};
  static constexpr Scope scope = Scope::cluster;
  static constexpr std::string_view finalizer = "test.pintle.dev/finalizer";
  struct Spec {
    std::string size = "1Gi";
    static constexpr auto fields() { return pintle::fields(field("size", &Spec::size, "How much fits in.")); }
  };
  Metadata metadata{};
  Spec spec{};
  Status status{};
};

class RequestLabelsTest : public AccessTest {
 protected:
  void run_depots() {
    const ApiReconciler<Depot, BucketConfig> depots{
        .onboarding_cluster = std::string(home_cluster),
        .config = {.platform_cluster = "platform", .provider_name = "buckets"},
        .cluster_access = std::make_shared<ClusterAccessReconciler>(mcp_only()),
        .reconciler = {
            .create_or_update = [this](const Depot&, const BucketConfig&, ObjectClusters&, Context& ctx) -> Outcome {
              ++served;
              status_ready(ctx.status());
              return done;
            },
            .remove = [](const Depot&, const BucketConfig&, ObjectClusters&, Context&) -> Outcome { return done; }}};
    ManagerOptions options{.name = "depot-provider", .log_sink = log};
    options.clusters = {{.name = "platform", .address = platform.address()}};
    instance = std::make_unique<testkit::Instance>(simulation, std::move(options),
                                                   [&](Manager& manager) { manager.add(depots); });
    instance->start();
    ASSERT_TRUE(simulation.wait_until([&] { return instance->manager().is_ready(); }));
    create_config();
  }
  void create_depot(const std::string& name) {
    const std::string home = *mcp_namespace({"", name});
    (void)platform.user().create(
        json::Value{{"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", {{"name", home}}}});
    ASSERT_TRUE(platform.user().create(
        ClusterRequest{.metadata = {.name = name, .namespace_ = home}, .spec = {.purpose = "mcp"}}));
    ASSERT_TRUE(simulation.user().create(Depot{.metadata = {.name = name}}));
    advance_time(5s);
  }
  [[nodiscard]] std::string phase(const std::string& name) {
    const auto there = simulation.user().get<Depot>({"", name});
    return there ? there->status.phase : "gone";
  }

  int served = 0;
};

TEST_F(RequestLabelsTest, AnObjectWithoutANamespaceGetsAccess) {
  run_depots();
  create_depot("d");
  EXPECT_EQ(phase("d"), "Ready");
  const auto all = requests("accessrequests");
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].label("openmcp.cloud/managed-purpose"), "d.mcp");
  EXPECT_EQ(all[0].label("openmcp.cloud/onboarding-namespace"), "");
  ASSERT_TRUE(simulation.user().remove(Depot::type, {"", "d"}));
  advance_time(5s);
  EXPECT_EQ(phase("d"), "gone");
  EXPECT_TRUE(requests("accessrequests").empty());
}

// Includes names that would be cut at a dot or a dash.
TEST_F(RequestLabelsTest, AnObjectWithALongNameGetsAccess) {
  run_depots();
  for (const std::size_t length : {62U, 63U, 64U, 200U, 253U}) {
    std::string name(length, 'x');
    for (std::size_t i = 40; i + 1 < length; i += 3) name[i] = i % 2 == 0 ? '.' : '-';
    create_depot(name);
    EXPECT_EQ(phase(name), "Ready") << length;
    const int before = served;
    granter->rotate({*mcp_namespace({"", name}), *request_name("Buckets", name, "mcp")});
    EXPECT_LT(time_until([&] { return served > before; }), 500ms) << "its labels do not contain its name: " << length;
  }
}

// ---- clusters that are declared twice ----

TEST_F(AccessTest, TheClustersOfTheServiceAndOfItsAccessMustAgree) {
  BucketReconciler less = with_access(mcp_only());
  less.workload_cluster = true;
  less.more_clusters = {"logs"};
  start(less);
  instance->join();
  ASSERT_FALSE(instance->started());
  for (const char* id : {"workload", "logs"}) {
    EXPECT_THAT(instance->started().error().message, HasSubstr("the service uses the cluster \"" + std::string(id) +
                                                               "\", which its cluster access does not request"));
  }
  BucketReconciler more = with_access(with_workload());
  more.workload_cluster = false;
  start(more);
  instance->join();
  ASSERT_FALSE(instance->started());
  EXPECT_THAT(instance->started().error().message,
              HasSubstr("the cluster access requests the cluster \"workload\", which the service does not use: set "
                        ".workload_cluster"));
}

TEST_F(AccessTest, AnUnknownPlatformClusterIsAnError) {
  ClusterAccessOptions elsewhere = mcp_only();
  elsewhere.platform_cluster = std::string("nowhere");
  start(with_access(elsewhere));
  instance->join();
  ASSERT_FALSE(instance->started());
  EXPECT_THAT(instance->started().error().message,
              HasSubstr("uses cluster \"nowhere\", which is not in .clusters of the manager"));
}

TEST_F(AccessTest, AnIdThatIsNoLabelValueIsAnError) {
  ClusterAccessOptions wrong = mcp_only();
  wrong.more = {{.id = "my logs",
                 .suffix = "logs",
                 .purpose = "logging",
                 .token = [](const ObjectKey&, Context&) -> Result<TokenConfig> { return TokenConfig{}; }}};
  const auto errors = ClusterAccessReconciler(wrong).validate();
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_THAT(errors[0].message, HasSubstr("cluster \"my logs\": its id is part of a label value, which must"));
}

}  // namespace
}  // namespace pintle::service
