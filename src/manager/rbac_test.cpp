// SPDX-License-Identifier: Apache-2.0
#include "rbac.hpp"

#include <set>

#include <gmock/gmock.h>

#include "controller/test_support.hpp"

namespace pintle {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Not;
using ::testing::StartsWith;

struct Series {
  static constexpr Type type{"test.pintle.dev/v1", "Series"};
  static constexpr std::string_view plural = "series";
  static constexpr Scope scope = Scope::cluster;
  struct Spec {
    std::string text{};
    static constexpr auto fields() { return pintle::fields(field("text", &Spec::text, "What it says.")); }
  };
  Metadata metadata{};
  Spec spec{};
};

Outcome only_watch(const Note&, Context&) { return done; }

AnyController notes() {
  return erase_type(Controller<Note>{
      .owns = {ConfigMap::type},
      .watches = {{.kind = Secret::type, .map = [](const Object&) -> std::vector<ObjectKey> { return {}; }}},
      .reconcile = only_watch});
}

// Returns the rules as "group/resource[name]: verb,verb".
std::vector<std::string> lines_of(const RbacRole& role) {
  std::vector<std::string> lines;
  for (const RbacRule& rule : role.rules) {
    std::string verbs;
    for (const std::string& verb : rule.verbs) verbs += (verbs.empty() ? "" : ",") + verb;
    lines.push_back(rule.group + "/" + rule.resource + (rule.names.empty() ? "" : "[" + rule.names[0] + "]") + ": " +
                    verbs);
  }
  return lines;
}

// Returns the titles, such as "Role n/op" and "ClusterRole op-cluster".
std::vector<std::string> titles_of(const std::vector<RbacRole>& roles) {
  std::vector<std::string> titles;
  for (const RbacRole& role : roles) {
    titles.push_back(role.namespace_.empty() ? "ClusterRole " + role.name
                                             : "Role " + role.namespace_ + "/" + role.name);
  }
  return titles;
}

TEST(Rbac, IsMinimalForTheDeclaration) {
  const auto roles = rbac_roles({.name = "op"}, {notes()});
  ASSERT_THAT(titles_of(roles), ElementsAre("ClusterRole op"));
  EXPECT_THAT(lines_of(roles[0]), ::testing::UnorderedElementsAre(
                                      "/configmaps: create,delete,get,list,patch,watch", "/secrets: get,list,watch",
                                      "apiextensions.k8s.io/customresourcedefinitions: create",
                                      "apiextensions.k8s.io/customresourcedefinitions[notes.test.pintle.dev]: get",
                                      "events.k8s.io/events: create,patch", "test.pintle.dev/notes/finalizers: update",
                                      "test.pintle.dev/notes: get,list,patch,watch"));
}

TEST(Rbac, LeavesOutCrdsWithPolicyNever) {
  const auto roles = rbac_roles({.name = "op", .crds = CrdPolicy::never}, {notes()});
  EXPECT_THAT(lines_of(roles[0]), Not(Contains(::testing::StartsWith("apiextensions.k8s.io/"))));
}

TEST(Rbac, OfOneNamespaceIsARoleAndAClusterRole) {
  const auto roles = rbac_roles({.name = "op", .namespaces = {"n"}, .crds = CrdPolicy::upgrade}, {notes()});
  ASSERT_THAT(titles_of(roles), ElementsAre("Role n/op", "ClusterRole op-cluster"));
  EXPECT_THAT(lines_of(roles[1]),
              ElementsAre("apiextensions.k8s.io/customresourcedefinitions: create",
                          "apiextensions.k8s.io/customresourcedefinitions[notes.test.pintle.dev]: get,update"));
}

TEST(Rbac, EachClusterHasItsRoles) {
  AnyController controller = notes();
  controller.cluster = "b";
  controller.watches[0].cluster = std::string(home_cluster);
  const ManagerOptions options{
      .name = "op", .clusters = {{.name = "b", .namespaces = {"n"}}}, .leader_election = LeaderElectionOptions{}};
  const auto roles = rbac_roles(options, {controller});
  ASSERT_THAT(titles_of(roles), ElementsAre("Role n/op", "ClusterRole op-cluster", "ClusterRole op"));
  EXPECT_THAT(lines_of(roles[0]), Contains("test.pintle.dev/notes: get,list,patch,watch"));
  EXPECT_EQ(roles[1].cluster, "b");
  EXPECT_THAT(lines_of(roles[2]), ElementsAre("/secrets: get,list,watch", "coordination.k8s.io/leases: create",
                                              "coordination.k8s.io/leases[op]: get,update"));
  EXPECT_THAT(print_rbac(roles), ::testing::StartsWith("---\n# In the cluster b.\n"));
}

TEST(Rbac, AnElectionNeedsOnlyItsLease) {
  const auto roles = rbac_roles({.name = "op", .leader_election = LeaderElectionOptions{}}, {notes()});
  EXPECT_THAT(lines_of(roles[0]), Contains("coordination.k8s.io/leases[op]: get,update"));
  EXPECT_THAT(lines_of(roles[0]), Contains("coordination.k8s.io/leases: create"));
}

TEST(Rbac, OnlyThePageOfTheReplicasNeedsTheirPods) {
  const auto lines = [](bool debug) {
    return lines_of(
        rbac_roles({.name = "op", .leader_election = LeaderElectionOptions{}, .debug = debug}, {notes()})[0]);
  };
  EXPECT_THAT(lines(true), Contains("/pods: get,list"));
  EXPECT_THAT(lines(false), Not(Contains(::testing::HasSubstr("pods"))));
}

TEST(Rbac, RulesOfOneNamespaceAreARoleThere) {
  AnyController controller = notes();
  controller.namespaces = {"home"};
  controller.watches[0].namespaces = {"vault"};
  const auto roles = rbac_roles(
      {.name = "op", .crds = CrdPolicy::never, .leader_election = LeaderElectionOptions{.namespace_ = "system"}},
      {controller});
  ASSERT_THAT(titles_of(roles), ElementsAre("Role home/op", "Role system/op", "Role vault/op"));
  EXPECT_THAT(lines_of(roles[0]), Contains("events.k8s.io/events: create,patch"));
  EXPECT_THAT(lines_of(roles[1]),
              ElementsAre("coordination.k8s.io/leases: create", "coordination.k8s.io/leases[op]: get,update"));
  EXPECT_THAT(lines_of(roles[2]), ElementsAre("/namespaces[vault]: get", "/secrets: get,list,watch"));
}

TEST(Rbac, ACrdOfAWatchDefinesTheScopeOfItsRules) {
  AnyController controller = notes();
  controller.watches[0].kind = GroupVersionKind(Series::type);
  controller.watches[0].crd = crd_of<Series>();
  const auto roles = rbac_roles({.name = "op", .namespaces = {"n"}}, {controller});
  ASSERT_THAT(titles_of(roles), ElementsAre("Role n/op", "ClusterRole op-cluster"));
  EXPECT_THAT(lines_of(roles[1]), Contains("test.pintle.dev/series: get,list,watch"));
  EXPECT_THAT(lines_of(roles[1]),
              Contains("apiextensions.k8s.io/customresourcedefinitions[series.test.pintle.dev]: get"));
}

TEST(Rbac, AuthorizedPagesNeedReviewsInAClusterRole) {
  const auto roles = rbac_roles(
      {.name = "op", .namespaces = {"n"}, .crds = CrdPolicy::never, .serving = {.authorize = true}}, {notes()});
  ASSERT_EQ(roles.size(), 2U);
  EXPECT_THAT(lines_of(roles[1]), ElementsAre("authentication.k8s.io/tokenreviews: create",
                                              "authorization.k8s.io/subjectaccessreviews: create"));
}

TEST(Rbac, IncludesTheRbacRulesOfAController) {
  AnyController controller = notes();
  controller.rbac_rules = {{"", "secrets", {"delete"}},
                           {"apps", "deployments/scale", {"get", "patch"}, {"web"}},
                           {.resource = "nodes", .verbs = {"list"}, .cluster_wide = true}};
  const auto roles = rbac_roles({.name = "op", .namespaces = {"n"}, .crds = CrdPolicy::never}, {controller});
  ASSERT_THAT(titles_of(roles), ElementsAre("Role n/op", "ClusterRole op-cluster"));
  EXPECT_THAT(lines_of(roles[0]), Contains("/secrets: delete,get,list,watch"));
  EXPECT_THAT(lines_of(roles[0]), Contains("apps/deployments/scale[web]: get,patch"));
  EXPECT_THAT(lines_of(roles[1]), ElementsAre("/nodes: list"));
  controller.rbac_rules = {{"", "secrets", {}}};
  ASSERT_EQ(validate(controller).size(), 1U);
  EXPECT_NE(validate(controller)[0].message.find(".rbac_rules without a resource or without verbs"), std::string::npos);
}

TEST(Rbac, CreatingChildrenNeedsUpdateOfFinalizers) {
  AnyController controller = notes();
  controller.owns.clear();
  EXPECT_THAT(lines_of(rbac_roles({.name = "op"}, {controller})[0]),
              Not(Contains(StartsWith("test.pintle.dev/notes/f"))));
  controller.rbac_rules = {{.resource = "configmaps", .verbs = {"get", "create", "patch"}}};
  EXPECT_THAT(lines_of(rbac_roles({.name = "op"}, {controller})[0]),
              Contains("test.pintle.dev/notes/finalizers: update"));
}

TEST(Rbac, IsPrintedWithOneRuleForResourcesOfAGroupThatHaveTheSameVerbs) {
  EXPECT_EQ(
      print_rbac({{.name = "op",
                   .namespace_ = "home",
                   .rules = {{"", "configmaps", {"get"}}, {"", "pods", {"get"}}, {"", "secrets", {"get"}, {"s"}}}}}),
      R"(---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata:
  name: op
  namespace: home
rules:
- apiGroups:
  - ""
  resources:
  - configmaps
  - pods
  verbs:
  - get
- apiGroups:
  - ""
  resources:
  - secrets
  resourceNames:
  - s
  verbs:
  - get
)");
}

// The printed permissions cover all requests of an operator with all its parts, in the home cluster and in another one.
TEST(Rbac, CoversAllRequestsOfAnOperator) {
  for (const std::string cluster : {"home", "b"}) {
    testkit::Simulation simulation({.seed = 1,
                                    .on_missing_permission = [](const std::string& what) { ADD_FAILURE() << what; },
                                    .enforce_roles = true});
    testkit::SimulatedCluster& b = simulation.add_cluster("b");
    Client& user = cluster == "b" ? b.user() : simulation.user();
    const auto controller = [&] {
      return Controller<Note>{.cluster = cluster,
                              .owns = {ConfigMap::type},
                              .reconcile = [](const Note& n, Context& ctx) -> Outcome {
                                ctx.event(EventType::normal, "Seen", "seen");
                                return ctx.apply(ConfigMap{.metadata = owned_by(n), .data = {{"a", n.spec.text}}});
                              },
                              .finalize = [](const Note&, Context&) -> Outcome { return done; },
                              .finalizer = "test.pintle.dev/cleanup"};
    };
    testkit::Instance instance(simulation,
                               {.name = "op",
                                .clusters = {{.name = "b", .address = b.address()}},
                                .leader_election = LeaderElectionOptions{.name = "op"},
                                .log_level = LogLevel::off,
                                .list_mode = ListMode::paged},
                               [&](Manager& manager) { manager.add(controller()); });
    instance.start();
    const auto has_child = [&] { return bool(user.get(ConfigMap::type, {"default", "a"})); };
    ASSERT_TRUE(simulation.wait_until([&] { return instance.manager().is_leading(); }));
    ASSERT_TRUE(user.create(note("a")));
    ASSERT_TRUE(simulation.wait_until(has_child));
    ASSERT_TRUE(user.remove(Note::type, {"default", "a"}));
    ASSERT_TRUE(simulation.wait_until([&] { return !has_child(); }));
    EXPECT_THAT(instance.rbac(cluster)->unused(), Contains(StartsWith("delete configmaps: in ClusterRole op")))
        << "the cluster deletes the child";
  }
}

// The permissions also cover a CRD that is adopted at start, and installed again after it was deleted.
TEST(Rbac, CoversAdoptionAndRestoreOfACrd) {
  testkit::Simulation simulation({.seed = 1,
                                  .on_missing_permission = [](const std::string& what) { ADD_FAILURE() << what; },
                                  .enforce_roles = true});
  ASSERT_TRUE(simulation.user().create(crd_of<Note>()));
  testkit::Instance instance(simulation, {.name = "op", .crds = CrdPolicy::adopt, .log_level = LogLevel::off},
                             [](Manager& manager) { manager.add(Controller<Note>{.reconcile = only_watch}); });
  instance.start();
  ASSERT_TRUE(simulation.wait_until([&] { return instance.manager().is_ready(); }));
  const GroupVersionKind kind("apiextensions.k8s.io/v1", "CustomResourceDefinition");
  const ObjectKey key{.name = "notes.test.pintle.dev"};
  EXPECT_EQ(simulation.user().get(kind, key).value().annotation("pintle.dev/manager"), "op");
  ASSERT_TRUE(simulation.user().remove(kind, key));
  simulation.executor().sleep_for(std::chrono::minutes(2));
  EXPECT_TRUE(simulation.user().get(kind, key)) << "it is installed again";
}

}  // namespace
}  // namespace pintle
