// SPDX-License-Identifier: Apache-2.0
#include <pintle/testing/access_granter.hpp>

#include <gtest/gtest.h>

#include <pintle/api/everyday.hpp>
#include <pintle/patterns/service.hpp>

namespace pintle::testkit {
namespace {

using namespace std::chrono_literals;
using service::AccessRequest;
using service::ClusterRequest;

class AccessGranterTest : public ::testing::Test {
 protected:
  void run(AccessGranterOptions options = {}) {
    options.clusters = {{"mcp", &mcp}};
    granter.emplace(simulation, platform, std::move(options));
    const auto started = granter->start();
    ASSERT_TRUE(started) << started.error().to_string();
    create_request();
  }
  void create_request(const std::string& purpose = "mcp") {
    ASSERT_TRUE(platform.user().create(
        ClusterRequest{.metadata = {.name = "c", .namespace_ = "default"}, .spec = {.purpose = purpose}}));
    AccessRequest access{.metadata = {.name = "a", .namespace_ = "default"}};
    access.spec.request_ref = service::RequestReference{"c", "default"};
    access.spec.token.emplace();
    ASSERT_TRUE(platform.user().create(access));
  }
  template <class T>
  [[nodiscard]] T read(const std::string& name) {
    auto there = platform.user().get<T>({"default", name});
    return there ? *there : T{};
  }
  [[nodiscard]] Result<Secret> secret() { return platform.user().get<Secret>({"default", "a-kubeconfig"}); }
  void run_until_idle() { ASSERT_TRUE(simulation.run_until_idle(5s)); }

  Simulation simulation{{}};
  SimulatedCluster& platform = simulation.add_cluster("platform");
  SimulatedCluster& mcp = simulation.add_cluster("mcp");
  std::optional<AccessGranter> granter;
};

TEST_F(AccessGranterTest, GrantsASecretForTheClusterOfThePurpose) {
  run();
  run_until_idle();
  EXPECT_EQ(read<ClusterRequest>("c").status.phase, service::request_granted);
  const auto access = read<AccessRequest>("a");
  EXPECT_EQ(access.status.phase, service::request_granted);
  EXPECT_EQ(access.status.observed_generation, access.metadata.generation);
  ASSERT_TRUE(access.status.secret_ref);
  EXPECT_EQ(access.status.secret_ref->name, "a-kubeconfig");
  EXPECT_EQ(secret()->data.at("kubeconfig").data, mcp.kubeconfig());
  EXPECT_EQ(granter->secrets_written(), 1);
}

TEST_F(AccessGranterTest, GrantsNothingBeforeItsDelay) {
  run({.delay = 10s});
  simulation.executor().sleep_for(9s);
  EXPECT_EQ(read<ClusterRequest>("c").status.phase, "");
  run_until_idle();
  simulation.executor().sleep_for(20s);
  EXPECT_EQ(read<AccessRequest>("a").status.phase, service::request_granted);
}

TEST_F(AccessGranterTest, DeniesAndHoldsSelectedRequests) {
  run({.decision = GrantDecision::leave_pending});
  run_until_idle();
  EXPECT_EQ(read<ClusterRequest>("c").status.phase, "");
  granter->decide(ClusterRequest::type, {"default", "c"}, GrantDecision::grant);
  granter->decide(AccessRequest::type, {"default", "a"}, GrantDecision::deny);
  run_until_idle();
  EXPECT_EQ(read<ClusterRequest>("c").status.phase, service::request_granted);
  EXPECT_EQ(read<AccessRequest>("a").status.phase, service::request_denied);
  EXPECT_FALSE(secret());
  granter->decide(AccessRequest::type, {"default", "a"}, GrantDecision::grant);
  run_until_idle();
  EXPECT_EQ(read<AccessRequest>("a").status.phase, service::request_granted);
}

TEST_F(AccessGranterTest, RotatesASecretOnceForEachCall) {
  run();
  run_until_idle();
  const std::string before = secret()->metadata.resource_version;
  granter->rotate({"default", "a"});
  run_until_idle();
  EXPECT_NE(secret()->metadata.resource_version, before);
  EXPECT_EQ(granter->secrets_written(), 2);
}

TEST_F(AccessGranterTest, ADeletedRequestIsRemovedWithItsSecretUnlessHeld) {
  run();
  run_until_idle();
  granter->defer_deletions(true);
  ASSERT_TRUE(platform.user().remove(AccessRequest::type, {"default", "a"}));
  run_until_idle();
  EXPECT_TRUE(read<AccessRequest>("a").metadata.is_deleting());
  EXPECT_TRUE(secret());
  granter->defer_deletions(false);
  run_until_idle();
  EXPECT_FALSE(platform.user().get<AccessRequest>({"default", "a"}));
  EXPECT_FALSE(secret());
}

TEST_F(AccessGranterTest, HeldDeletionsContinueAlsoForPendingRequests) {
  run({.decision = GrantDecision::leave_pending});
  run_until_idle();
  granter->defer_deletions(true);
  ASSERT_TRUE(platform.user().remove(AccessRequest::type, {"default", "a"}));
  ASSERT_TRUE(platform.user().remove(ClusterRequest::type, {"default", "c"}));
  run_until_idle();
  granter->defer_deletions(false);
  run_until_idle();
  EXPECT_FALSE(platform.user().get<AccessRequest>({"default", "a"}));
  EXPECT_FALSE(platform.user().get<ClusterRequest>({"default", "c"}));
}

TEST_F(AccessGranterTest, APurposeWithoutAClusterIsRefusedAtStart) {
  granter.emplace(simulation, platform, AccessGranterOptions{.clusters = {{"mcp", nullptr}}});
  const auto started = granter->start();
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().code, ErrorCode::invalid);
  EXPECT_NE(started.error().message.find("purpose mcp"), std::string::npos) << started.error().message;
}

// ---- the example of docs/patterns/service.md ----

struct Database {
  static constexpr Type type{"demo.pintle.dev/v1", "Database"};
  static constexpr std::string_view finalizer = "demo.pintle.dev/finalizer";
  struct Spec {
    std::string size = "1Gi";
    static constexpr auto fields() { return pintle::fields(field("size", &Spec::size, "How much fits in.")); }
  };
  Metadata metadata{};
  Spec spec{};
  service::Status status{};
};

struct DatabaseConfig {
  static constexpr Type type{"demo.pintle.dev/v1", "DatabaseConfig"};
  static constexpr Scope scope = Scope::cluster;
  Metadata metadata{};
  static constexpr auto fields() { return pintle::fields(); }
  [[nodiscard]] Duration poll_interval() const { return {}; }
};

void add_databases(Manager& manager) {
  using namespace service;
  manager.add(ApiReconciler<Database, DatabaseConfig>{
      .onboarding_cluster = std::string(home_cluster),
      .config = {.platform_cluster = "platform", .provider_name = "databases", .provider_config = DatabaseConfig{}},
      .cluster_access = std::make_shared<ClusterAccessReconciler>(
          ClusterAccessOptions{.controller_name = "databases", .platform_cluster = "platform"}),
      .reconciler = {
          .create_or_update = [](const Database&, const DatabaseConfig&, ObjectClusters&, Context& ctx) -> Outcome {
            status_ready(ctx.status());
            return done;
          },
          .remove = [](const Database&, const DatabaseConfig&, ObjectClusters&, Context&) -> Outcome {
            return done;
          }}});
}

TEST(AccessGranter, ServesAProviderFromTheFirstGrantToTheDeletion) {
  Simulation simulation({.seed = 1});
  SimulatedCluster& platform = simulation.add_cluster("platform");
  SimulatedCluster& mcp = simulation.add_cluster("mcp");
  AccessGranter granter(simulation, platform, {.clusters = {{"mcp", &mcp}}, .delay = 10s});
  ASSERT_TRUE(granter.start());
  // The control plane of the object a, as a platform creates it.
  const std::string home = *service::mcp_namespace({"default", "a"});
  ASSERT_TRUE(
      platform.user().create(json::Value{{"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", {{"name", home}}}}));
  ASSERT_TRUE(platform.user().create(
      ClusterRequest{.metadata = {.name = "a", .namespace_ = home}, .spec = {.purpose = "mcp"}}));

  ManagerOptions options{.name = "databases", .log_level = LogLevel::off};
  options.clusters = {{.name = "platform", .address = platform.address()}};
  Instance provider(simulation, std::move(options), add_databases);
  provider.start();
  ASSERT_TRUE(simulation.wait_until([&] { return provider.manager().is_ready(); }));
  ASSERT_TRUE(simulation.user().create(Database{.metadata = {.name = "a", .namespace_ = "default"}}));
  const auto phase = [&] {
    const auto there = simulation.user().get<Database>({"default", "a"});
    return there ? there->status.phase : "gone";
  };
  ASSERT_TRUE(simulation.wait_until([&] { return phase() == "Progressing"; }));
  ASSERT_TRUE(simulation.wait_until([&] { return phase() == "Ready"; }));

  // Another client deletes the access, and the platform grants it again.
  ASSERT_TRUE(platform.user().remove(AccessRequest::type, {home, "databases--a--mcp"}));
  ASSERT_TRUE(simulation.wait_until([&] { return phase() == "Progressing"; }));
  ASSERT_TRUE(simulation.wait_until([&] { return phase() == "Ready"; }));
  ASSERT_TRUE(simulation.user().remove(Database::type, {"default", "a"}));
  EXPECT_TRUE(simulation.wait_until([&] { return phase() == "gone"; }));
}

}  // namespace
}  // namespace pintle::testkit
