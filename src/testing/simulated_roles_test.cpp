// SPDX-License-Identifier: Apache-2.0
// Operators in a simulation whose servers evaluate roles.
#include <gmock/gmock.h>

#include <pintle/api/everyday.hpp>
#include <pintle/testing/simulation.hpp>

namespace pintle::testkit {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr ApiServerAuthorization rbac = ApiServerAuthorization::rbac;

ManagerOptions copier(std::vector<NamedCluster> clusters = {}, std::vector<std::string> namespaces = {}) {
  return {.name = "copier",
          .namespaces = std::move(namespaces),
          .clusters = std::move(clusters),
          .log_level = LogLevel::off};
}

// Copies the ConfigMap "a" into a Secret of the same name in each of the clusters.
Controller<ConfigMap> copying(std::vector<RbacRule> rules, std::string& outcome,
                              std::vector<std::string> clusters = {}) {
  return {.predicate = object_matches([](const Object& object) { return object.name() == "a"; }),
          .reconcile = [&outcome, clusters](const ConfigMap& map, Context& ctx) -> Outcome {
            const Secret copy{.metadata = {.name = map.metadata.name, .namespace_ = map.metadata.namespace_}};
            auto applied = ctx.apply(copy);
            outcome = applied ? "done" : applied.error().to_string();
            for (const std::string& cluster : clusters) {
              if (auto other = ctx.cluster(cluster)->apply(copy); !other) outcome = other.error().to_string();
            }
            return done;
          },
          .rbac_rules = std::move(rules)};
}

const std::vector<RbacRule> copy_rights{{"", "secrets", {"create", "patch"}}};

TEST(SimulatedRoles, AnOperatorWorksWithTheRolesThatItPrints) {
  std::vector<std::string> lacking;
  Simulation simulation({.server = {.authorization = rbac},
                         .on_missing_permission = [&](const std::string& what) { lacking.push_back(what); }});
  ASSERT_TRUE(simulation.user().create(ConfigMap{.metadata = {.name = "a", .namespace_ = "default"}}));
  std::string outcome;
  Instance instance(simulation, copier(), [&](Manager& manager) { manager.add(copying(copy_rights, outcome)); });
  instance.start();
  EXPECT_TRUE(simulation.wait_until([&] { return outcome == "done"; })) << outcome;
  instance.stop();
  EXPECT_THAT(lacking, IsEmpty());
  EXPECT_EQ(simulation.server().objects("secrets").size(), 1U);
}

TEST(SimulatedRoles, ARequestWithoutARoleIsRefusedByTheServer) {
  Simulation simulation({.server = {.authorization = rbac}});
  ASSERT_TRUE(simulation.user().create(ConfigMap{.metadata = {.name = "a", .namespace_ = "default"}}));
  std::string outcome;
  Instance instance(simulation, copier(), [&](Manager& manager) {
    manager.add(copying({{"", "secrets", {"patch"}}}, outcome));
  });
  instance.start();
  ASSERT_TRUE(simulation.wait_until([&] { return !outcome.empty(); }));
  EXPECT_THAT(outcome, HasSubstr("User \"system:serviceaccount:default:copier\" cannot create resource \"secrets\""));
  EXPECT_THAT(simulation.server().objects("secrets"), IsEmpty());
}

TEST(SimulatedRoles, ARoleOfANamespaceIsStoredInIt) {
  Simulation simulation({.server = {.authorization = rbac}});
  std::string outcome;
  Instance instance(simulation, copier({}, {"team"}),
                    [&](Manager& manager) { manager.add(copying(copy_rights, outcome)); });
  ASSERT_TRUE(simulation.user().create(ConfigMap{.metadata = {.name = "a", .namespace_ = "team"}}));
  instance.start();
  EXPECT_TRUE(simulation.wait_until([&] { return outcome == "done"; })) << outcome;
}

TEST(SimulatedRoles, EachClusterHasItsRoles) {
  Simulation simulation({.server = {.authorization = rbac}});
  SimulatedCluster& east = simulation.add_cluster("east");
  ASSERT_TRUE(simulation.user().create(ConfigMap{.metadata = {.name = "a", .namespace_ = "default"}}));
  std::vector<RbacRule> rules = copy_rights;
  rules.push_back({"", "secrets", {"create", "patch"}, {}, false, "east"});
  std::string outcome;
  Instance instance(simulation, copier({{.name = "east", .address = east.address()}}),
                    [&](Manager& manager) { manager.add(copying(rules, outcome, {"east"})); });
  instance.start();
  EXPECT_TRUE(simulation.wait_until([&] { return outcome == "done"; })) << outcome;
  EXPECT_TRUE(east.user().get(Secret::type, {"default", "a"}));
}

}  // namespace
}  // namespace pintle::testkit
