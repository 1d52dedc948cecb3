// SPDX-License-Identifier: Apache-2.0
#include <pintle/testing/rbac_recorder.hpp>

#include <filesystem>
#include <fstream>
#include <optional>

#include <gmock/gmock.h>
#include <unistd.h>

#include <pintle/api/everyday.hpp>
#include <pintle/testing/simulation.hpp>

namespace pintle::testkit {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A cluster with a ConfigMap, and an operator that copies it into a Secret and then deletes another Secret.
// `outcome_text` is the result of the copy.
class RbacRecorderTest : public ::testing::Test {
 protected:
  void run(std::vector<RbacRule> needs, bool enforce = false, std::vector<std::string> namespaces = {}) {
    Simulation simulation({.seed = 1,
                           .on_missing_permission = [this](const std::string& what) { lacking.push_back(what); },
                           .enforce_roles = enforce});
    ASSERT_TRUE(simulation.user().create(ConfigMap{.metadata = {.name = "a", .namespace_ = "default"}}));
    Instance instance(simulation, {.name = "copier", .namespaces = std::move(namespaces), .log_level = LogLevel::off},
                      [&](Manager& manager) {
                        manager.add(Controller<ConfigMap>{
                            .predicate = object_matches([](const Object& object) { return object.name() == "a"; }),
                            .reconcile = [this](const ConfigMap& map, Context& ctx) { return copy(map, ctx); },
                            .rbac_rules = std::move(needs)});
                      });
    instance.start();
    ASSERT_TRUE(simulation.run_until_idle());
    unused = instance.rbac()->unused();
    secrets = simulation.server().objects("secrets").size();
  }

  Outcome copy(const ConfigMap& map, Context& ctx) {
    const auto applied =
        ctx.apply(Secret{.metadata = {.name = map.metadata.name, .namespace_ = map.metadata.namespace_}});
    outcome_text = applied ? "done" : applied.error().to_string();
    const auto removed = ctx.client().remove(Secret::type, {map.metadata.namespace_, "other"});
    EXPECT_TRUE(removed || removed.error().code == ErrorCode::forbidden);
    return done;
  }

  std::string outcome_text;
  std::vector<std::string> lacking;
  std::vector<std::string> unused;
  std::size_t secrets = 0;
};

const RbacRule copies{"", "secrets", {"create", "delete", "patch"}};

TEST_F(RbacRecorderTest, ReportsMissingRulesWithTheirDeclaration) {
  run({});
  EXPECT_THAT(lacking,
              ElementsAre("patch secrets in namespace \"default\": not in the roles of manager copier; add .owns, "
                          ".watches or .rbac_rules = {{\"\", \"secrets\", {\"patch\"}}}",
                          "create secrets in namespace \"default\": not in the roles of manager copier; add .owns, "
                          ".watches or .rbac_rules = {{\"\", \"secrets\", {\"create\"}}}",
                          "delete secrets in namespace \"default\": not in the roles of manager copier; add .owns, "
                          ".watches or .rbac_rules = {{\"\", \"secrets\", {\"delete\"}}}"));
  EXPECT_EQ(outcome_text, "done");
  EXPECT_EQ(secrets, 1U);
}

TEST_F(RbacRecorderTest, ReportsOnlyUnusedRulesIfAllIsDeclared) {
  run({copies, {"apps", "deployments", {"get"}}}, true);
  EXPECT_THAT(lacking, IsEmpty());
  EXPECT_EQ(outcome_text, "done");
  EXPECT_THAT(unused, ElementsAre("get, patch configmaps: in ClusterRole copier, but not used",
                                  "patch configmaps/status: in ClusterRole copier, but not used",
                                  "get deployments.apps: in ClusterRole copier, but not used",
                                  "create, patch events.events.k8s.io: in ClusterRole copier, but not used"));
}

TEST_F(RbacRecorderTest, RefusesLikeKubernetes) {
  run({}, true);
  EXPECT_NE(outcome_text.find(
                "secrets \"a\" is forbidden: User \"copier\" cannot patch resource \"secrets\" in API group \"\" in "
                "the namespace \"default\" (403 Forbidden)"),
            std::string::npos)
      << outcome_text;
  EXPECT_EQ(secrets, 0U);
}

TEST_F(RbacRecorderTest, AnApplyOfAMissingObjectNeedsCreate) {
  run({{"", "secrets", {"patch", "delete"}}}, true);
  EXPECT_NE(outcome_text.find("cannot create resource \"secrets\""), std::string::npos) << outcome_text;
  EXPECT_EQ(lacking.size(), 1U);
  EXPECT_EQ(secrets, 0U);
}

TEST_F(RbacRecorderTest, ARoleAllowsNothingInAnotherNamespace) {
  Simulation simulation({.seed = 1});
  RbacRecorder recorder(simulation.executor(), simulation.server(), RbacMode::enforce);
  recorder.set_roles("op", {{.name = "op", .namespace_ = "n", .rules = {{"", "secrets", {"list"}}}}});
  EXPECT_EQ(recorder.handle({.target = "/api/v1/namespaces/n/secrets"}).status, 200);
  EXPECT_EQ(recorder.handle({.target = "/apis/apps/v1"}).status, 200) << "discovery is free";
  const http::Response refused = recorder.handle({.target = "/api/v1/secrets"});
  EXPECT_EQ(refused.status, 403);
  EXPECT_EQ(
      refused.body,
      R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"secrets is forbidden: User )"
      R"(\"op\" cannot list resource \"secrets\" in API group \"\" at the cluster scope","reason":"Forbidden",)"
      R"("details":{"kind":"secrets"},"code":403})");
  (void)recorder.handle({.target = "/api/v1/secrets"});
  EXPECT_THAT(recorder.missing(),
              ElementsAre("list secrets in the whole cluster: not in the roles of manager op; add .owns, "
                          ".watches or .rbac_rules = {{\"\", \"secrets\", {\"list\"}, {}, true}}"));
}

// An operator that copies objects of the home cluster into two others, "b" by its address and "c" by a kubeconfig.
class RbacRecorderOfClustersTest : public ::testing::Test {
 protected:
  RbacRecorderOfClustersTest() { std::ofstream(kubeconfig_) << c.kubeconfig(); }
  ~RbacRecorderOfClustersTest() override { std::filesystem::remove(kubeconfig_); }

  void run(std::vector<RbacRule> needs) {
    ASSERT_TRUE(simulation.user().create(ConfigMap{.metadata = {.name = "a", .namespace_ = "default"}}));
    instance.emplace(simulation,
                     ManagerOptions{.name = "copier",
                                    .clusters = {{.name = "east", .address = b.address()},
                                                 {.name = "west", .kubeconfig = kubeconfig_}},
                                    .log_level = LogLevel::off},
                     [&](Manager& manager) {
                       manager.add(Controller<ConfigMap>{
                           .predicate = object_matches([](const Object& object) { return object.name() == "a"; }),
                           .reconcile = [](const ConfigMap& map, Context& ctx) -> Outcome {
                             const Secret copy{.metadata = {.name = map.metadata.name, .namespace_ = "default"}};
                             (void)ctx.cluster("east")->apply(copy);
                             (void)ctx.cluster("west")->apply(copy);
                             return done;
                           },
                           .rbac_rules = std::move(needs)});
                     });
    instance->start();
    ASSERT_TRUE(simulation.run_until_idle());
  }

  const std::string kubeconfig_ = ::testing::TempDir() + "pintle-rbac-recorder-" + std::to_string(::getpid());
  std::vector<std::string> lacking;
  Simulation simulation{{.seed = 1,
                         .on_missing_permission = [this](const std::string& what) { lacking.push_back(what); },
                         .enforce_roles = true}};
  SimulatedCluster& b = simulation.add_cluster("b");
  SimulatedCluster& c = simulation.add_cluster("c");
  std::optional<Instance> instance;
};

TEST_F(RbacRecorderOfClustersTest, NamesTheClusterOfAMissingRule) {
  run({{"", "secrets", {"create", "patch"}}});  // in the home cluster, where they have no effect
  instance->stop();

  EXPECT_THAT(lacking,
              ElementsAre("patch secrets in namespace \"default\": not in the roles of manager copier in "
                          "cluster east; add .owns, .watches or .rbac_rules = {{\"\", \"secrets\", {\"patch\"}, "
                          "{}, false, \"east\"}}",
                          "patch secrets in namespace \"default\": not in the roles of manager copier in "
                          "cluster west; add .owns, .watches or .rbac_rules = {{\"\", \"secrets\", {\"patch\"}, "
                          "{}, false, \"west\"}}"));
  EXPECT_TRUE(b.server().objects("secrets").empty());
  EXPECT_TRUE(c.server().objects("secrets").empty());
}

TEST_F(RbacRecorderOfClustersTest, AllowsRulesDeclaredForACluster) {
  ASSERT_TRUE(c.user().create(Secret{.metadata = {.name = "a", .namespace_ = "default"}}));
  run({{"", "secrets", {"create", "patch"}, {}, false, "east"},
       {"", "secrets", {"patch", "delete"}, {}, false, "west"}});

  EXPECT_EQ(b.server().objects("secrets").size(), 1U);
  EXPECT_EQ(c.server().objects("secrets").size(), 1U);
  EXPECT_THAT(instance->rbac("east")->unused(), IsEmpty());
  EXPECT_THAT(instance->rbac("west")->unused(),
              ElementsAre("delete secrets: in ClusterRole copier in cluster west, but not used"));
  EXPECT_EQ(instance->rbac("south"), nullptr);
  instance->stop();
  EXPECT_THAT(lacking, IsEmpty());
}

}  // namespace
}  // namespace pintle::testkit
