#include "rbac.hpp"

#include <set>

#include <gmock/gmock.h>

#include "test_support.hpp"

namespace pintle {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Not;

Outcome do_nothing(const Note&, Context&) { return settled; }

ControllerSpec notes() {
  return erase_type(Controller<Note>{
      .owns = {ConfigMap::type},
      .watches = {{.kind = Secret::type, .map = [](const Object&) -> std::vector<ObjectKey> { return {}; }}},
      .reconcile = do_nothing});
}

// Rules as "group/resource[name]: verb,verb".
std::vector<std::string> lines_of(const json::Value& role) {
  std::vector<std::string> lines;
  const json::Document document(role);
  for (const json::View rule : document.root().member("rules").elements()) {
    std::string verbs;
    for (const json::View verb : rule.member("verbs").elements())
      verbs += (verbs.empty() ? "" : ",") + std::string(verb.text());
    for (const json::View resource : rule.member("resources").elements()) {
      const json::View name = rule["/resourceNames/0"];
      lines.push_back(std::string(rule["/apiGroups/0"].text()) + "/" + std::string(resource.text()) +
                      (name ? "[" + std::string(name.text()) + "]" : "") + ": " + verbs);
    }
  }
  return lines;
}

TEST(Rbac, IsTheLeastThatTheDeclarationNeeds) {
  const auto roles = rbac_roles({.name = "op"}, {notes()});
  ASSERT_EQ(roles.size(), 1U);
  EXPECT_EQ(roles[0].at("kind"), "ClusterRole");
  EXPECT_THAT(lines_of(roles[0]), ::testing::UnorderedElementsAre(
                                      "/configmaps: create,delete,get,list,patch,watch", "/secrets: get,list,watch",
                                      "apiextensions.k8s.io/customresourcedefinitions: create",
                                      "apiextensions.k8s.io/customresourcedefinitions[notes.test.pintle.dev]: get",
                                      "events.k8s.io/events: create,patch", "test.pintle.dev/notes/finalizers: update",
                                      "test.pintle.dev/notes: get,list,patch,watch"));
}

TEST(Rbac, LeavesOutDefinitionsThatAreSomebodyElses) {
  const auto roles = rbac_roles({.name = "op", .crds = Crds::never}, {notes()});
  EXPECT_THAT(lines_of(roles[0]), Not(Contains(::testing::StartsWith("apiextensions.k8s.io/"))));
}

TEST(Rbac, OfOneNamespaceIsARoleAndAClusterRoleForWhatHasNone) {
  const auto roles = rbac_roles({.name = "op", .namespace_ = "n", .crds = Crds::upgrade}, {notes()});
  ASSERT_EQ(roles.size(), 2U);
  EXPECT_EQ(roles[0].at("kind"), "Role");
  EXPECT_EQ(roles[0].at("metadata").at("namespace"), "n");
  EXPECT_EQ(roles[1].at("metadata").at("name"), "op-cluster");
  EXPECT_THAT(lines_of(roles[1]),
              ElementsAre("apiextensions.k8s.io/customresourcedefinitions: create",
                          "apiextensions.k8s.io/customresourcedefinitions[notes.test.pintle.dev]: get,update"));
}

TEST(Rbac, AnElectionNeedsItsLeaseAlone) {
  const auto roles = rbac_roles({.name = "op", .leader_election = LeaderElectionOptions{}}, {notes()});
  EXPECT_THAT(lines_of(roles[0]), Contains("coordination.k8s.io/leases[op]: get,update"));
  EXPECT_THAT(lines_of(roles[0]), Contains("coordination.k8s.io/leases: create"));
}

TEST(Rbac, ToAskWhoMaySeeItsPagesIsARightBeyondAnyNamespace) {
  const auto roles =
      rbac_roles({.name = "op", .namespace_ = "n", .crds = Crds::never, .serving = {.authorize = true}}, {notes()});
  ASSERT_EQ(roles.size(), 2U);
  EXPECT_THAT(lines_of(roles[1]), ElementsAre("authentication.k8s.io/tokenreviews: create",
                                              "authorization.k8s.io/subjectaccessreviews: create"));
}

// What an operator asks of the server, as the verbs of RBAC.
class RecordsVerbs final : public http::Handler {
 public:
  explicit RecordsVerbs(http::Handler& server) : server_(server) {}
  http::Response handle(const http::Request& request) override {
    const http::Target target = http::parse_target(request.target);
    if (auto line = line_of(request.method, target); !line.empty()) used.insert(std::move(line));
    return server_.handle(request);
  }

  std::set<std::string> used;  // "group/resource verb"

 private:
  static std::string line_of(const std::string& method, const http::Target& target) {
    std::vector<std::string> parts;
    std::string part;
    for (const char c : target.path + "/") {
      if (c != '/') part += c;
      if (c == '/' && !part.empty()) parts.push_back(std::exchange(part, {}));
    }
    const bool core = !parts.empty() && parts[0] == "api";
    std::size_t at = core ? 2 : 3;
    if (parts.size() <= at) return {};  // discovery
    if (parts[at] == "namespaces" && parts.size() > at + 2) at += 2;
    const bool named = parts.size() > at + 1;
    std::string resource = parts[at];
    if (parts.size() > at + 2) resource += "/" + parts[at + 2];
    std::string verb = method == "POST"     ? "create"
                       : method == "PUT"    ? "update"
                       : method == "PATCH"  ? "patch"
                       : method == "DELETE" ? "delete"
                       : named              ? "get"
                                            : "list";
    if (target.parameter("watch") == "true") verb = "watch";
    return (core ? "" : parts[1]) + "/" + resource + " " + verb;
  }

  http::Handler& server_;
};

// The rights that are printed cover what an operator with all its parts really does.
TEST(Rbac, CoversWhatAnOperatorDoes) {
  testing::Simulation simulation({.seed = 1});
  RecordsVerbs recorder(simulation.server());
  const auto transport = std::make_shared<http::MemoryTransport>(simulation.runtime(), recorder);
  const auto controller = [] {
    return Controller<Note>{.owns = {ConfigMap::type},
                            .reconcile = [](const Note& n, Context& ctx) -> Outcome {
                              ctx.event(EventType::normal, "Seen", "seen");
                              return ctx.apply(ConfigMap{.metadata = owned_by(n), .data = {{"a", n.spec.text}}});
                            },
                            .finalize = [](const Note&, Context&) -> Outcome { return settled; },
                            .finalizer = "test.pintle.dev/cleanup"};
  };
  const ManagerOptions options{.name = "op",
                               .leader_election = LeaderElectionOptions{.name = "op"},
                               .log_level = LogLevel::off,
                               .runtime = &simulation.runtime(),
                               .transport = transport};
  {
    Manager manager(options);
    manager.add(controller());
    ASSERT_TRUE(manager.start());
    ASSERT_TRUE(simulation.user().create(note("a")));
    const auto has_child = [&] { return bool(simulation.user().get(ConfigMap::type, {"default", "a"})); };
    ASSERT_TRUE(simulation.wait_until(has_child));
    ASSERT_TRUE(simulation.user().remove(Note::type, {"default", "a"}));
    ASSERT_TRUE(simulation.wait_until([&] { return !has_child(); }));
  }
  transport->shutdown();

  std::set<std::string> allowed;
  for (const json::Value& role : rbac_roles(options, {erase_type(controller())})) {
    const json::Document document(role);
    for (const json::View rule : document.root().member("rules").elements()) {
      for (const json::View resource : rule.member("resources").elements()) {
        for (const json::View verb : rule.member("verbs").elements()) {
          allowed.insert(std::string(rule["/apiGroups/0"].text()) + "/" + std::string(resource.text()) + " " +
                         std::string(verb.text()));
        }
      }
    }
  }
  EXPECT_GT(recorder.used.size(), 8U);
  for (const std::string& used : recorder.used) EXPECT_TRUE(allowed.contains(used)) << used;
}

}  // namespace
}  // namespace pintle
