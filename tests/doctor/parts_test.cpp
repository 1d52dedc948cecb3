// SPDX-License-Identifier: Apache-2.0
// The rules of RBAC, the comparison of CRDs, and the output.
#include <gmock/gmock.h>

#include <pintle/json/value.hpp>

#include "doctor/access_rules.hpp"
#include "doctor/commands.hpp"
#include "doctor/crd_difference.hpp"
#include "doctor/program.hpp"
#include "doctor/report.hpp"

namespace pintle::doctor {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Object object(const char* yaml) { return Object(json::parse_yaml(yaml).value()); }

struct RuleCase {
  const char* rule;
  Need need;
  bool is_allowed;
};

TEST(AccessRules, AreEvaluatedAsByTheServer) {
  const Need get_pods{.resource = "pods", .verb = "get"};
  const Need scale{.group = "apps", .resource = "deployments/scale", .verb = "update"};
  const Need one_lease{.group = "coordination.k8s.io", .resource = "leases", .verb = "update", .name = "op"};
  const Need all_leases{.group = "coordination.k8s.io", .resource = "leases", .verb = "update"};
  const Need metrics{.verb = "get", .url = "/metrics/cadvisor"};
  const RuleCase cases[] = {
      {R"({apiGroups: [""], resources: [pods], verbs: [get]})", get_pods, true},
      {R"({apiGroups: [""], resources: [pods], verbs: [list]})", get_pods, false},
      {R"({apiGroups: [apps], resources: [pods], verbs: [get]})", get_pods, false},
      {R"({apiGroups: ["*"], resources: ["*"], verbs: ["*"]})", get_pods, true},
      {R"({apiGroups: [""], resources: [pods/status], verbs: [get]})", get_pods, false},
      {R"({apiGroups: [apps], resources: [deployments], verbs: [update]})", scale, false},
      {R"({apiGroups: [apps], resources: [deployments/scale], verbs: [update]})", scale, true},
      {R"({apiGroups: [apps], resources: ["*/scale"], verbs: [update]})", scale, true},
      {R"({apiGroups: [apps], resources: ["*/status"], verbs: [update]})", scale, false},
      {R"({apiGroups: [apps], resources: ["deployments/*"], verbs: [update]})", scale, false},
      {R"({apiGroups: [apps], resources: ["*"], verbs: [update]})", scale, true},
      {R"({apiGroups: [coordination.k8s.io], resources: [leases], resourceNames: [op], verbs: [update]})", one_lease,
       true},
      {R"({apiGroups: [coordination.k8s.io], resources: [leases], resourceNames: [x], verbs: [update]})", one_lease,
       false},
      {R"({apiGroups: [coordination.k8s.io], resources: [leases], resourceNames: [op], verbs: [update]})", all_leases,
       false},
      {R"({nonResourceURLs: ["/metrics/*"], verbs: [get]})", metrics, true},
      {R"({nonResourceURLs: ["/metrics"], verbs: [get]})", metrics, false},
      {R"({apiGroups: ["*"], resources: ["*"], verbs: ["*"]})", metrics, false},
  };
  for (const RuleCase& one : cases) {
    const Object rule = object(one.rule);
    EXPECT_EQ(is_allowed_by(rule.root(), one.need), one.is_allowed)
        << one.rule << " " << one.need.resource << one.need.url;
  }
}

TEST(AccessRules, OfARoleBindingApplyInItsNamespaceOnly) {
  const Object role = object(R"({rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]})");
  Need need{.resource = "pods", .verb = "get", .namespace_ = "a"};
  EXPECT_TRUE(is_allowed_by(Grant{"a", role}, need));
  EXPECT_FALSE(is_allowed_by(Grant{"b", role}, need));
  EXPECT_TRUE(is_allowed_by(Grant{"", role}, need));
  need.namespace_ = "";
  EXPECT_FALSE(is_allowed_by(Grant{"a", role}, need));
}

TEST(AccessRules, OfARoleAreListedOneByOne) {
  const Object role = object(R"({metadata: {namespace: a}, rules: [
    {apiGroups: ["", apps], resources: [x, y/status], resourceNames: [n, m], verbs: [get, list]}]})");
  const auto needs = needs_of(role);
  ASSERT_EQ(needs.size(), 16U);
  EXPECT_EQ(needs.back().group, "apps");
  EXPECT_EQ(needs.back().resource, "y/status");
  EXPECT_EQ(needs.back().verb, "list");
  EXPECT_EQ(needs.back().name, "m");
  EXPECT_EQ(needs.back().namespace_, "a");
}

TEST(PrintedRoles, OfOtherClustersAreDropped) {
  EXPECT_EQ(home_roles("---\na: 1\n---\n# In the cluster west.\nb: 2\n---\nc: 3\n"), "---\na: 1\n---\nc: 3\n");
  EXPECT_EQ(home_roles("---\n# In the cluster west.\nb: 2\n"), "");
  EXPECT_EQ(home_roles(""), "");
}

TEST(Commands, SelectTheClusterOfTheOptions) {
  std::vector<Line> lines{{.action = "x --print-crds | kubectl apply -f -; then: pintle migrate-storage a.b"}};
  select_cluster(lines, {});
  EXPECT_EQ(lines[0].action, "x --print-crds | kubectl apply -f -; then: pintle migrate-storage a.b");
  select_cluster(lines, {.kubeconfig = "my file's.yaml", .context = "dev"});
  EXPECT_EQ(lines[0].action,
            R"(x --print-crds | kubectl --kubeconfig 'my file'\''s.yaml' --context dev apply -f -; then: )"
            R"(pintle migrate-storage --kubeconfig 'my file'\''s.yaml' --context dev a.b)");
}

TEST(DateHeader, IsParsed) {
  EXPECT_EQ(format_time(parse_date_header("Sun, 06 Nov 1994 08:49:37 GMT").value()), "1994-11-06T08:49:37Z");
  for (const char* wrong : {"", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Foo 1994 08:49:37 GMT", "yesterday",
                            "Sun, 06 ovD 1994 08:49:37 GMT", "Sun, 66 Nov 1994 08:49:37 GMT"}) {
    EXPECT_FALSE(parse_date_header(wrong)) << wrong;
  }
}

CrdDifferences compare_schemas(const std::string& installed, const std::string& printed) {
  const auto crd = [](const std::string& schema) {
    return object(("{spec: {versions: [{name: v1, schema: {openAPIV3Schema: " + schema + "}}]}}").c_str());
  };
  const Object there = crd(installed);
  const Object ours = crd(printed);
  return compare_crds(there.root(), ours.root());
}

TEST(CrdComparison, IgnoresMembersThatMeanTheSameAsMissingOnes) {
  EXPECT_THAT(compare_schemas("{type: object, description: \"\", required: []}", "{type: object}").pointers, IsEmpty());
  EXPECT_THAT(compare_schemas("{type: object}", "{type: object, nullable: false}").pointers, IsEmpty());
}

TEST(CrdComparison, FindsWhatIsMissingAndWhatIsMore) {
  const auto lacks = compare_schemas("{properties: {a: {}}}", "{properties: {a: {}, b: {}}}");
  EXPECT_THAT(lacks.pointers, ElementsAre("v1: /schema/openAPIV3Schema/properties/b"));
  EXPECT_TRUE(lacks.is_lossy);
  const auto more = compare_schemas("{properties: {a: {default: false}}}", "{properties: {a: {}}}");
  EXPECT_THAT(more.pointers, ElementsAre("v1: /schema/openAPIV3Schema/properties/a/default"));
  EXPECT_FALSE(more.is_lossy);
}

TEST(CrdComparison, FindsAMissingSubresource) {
  const Object there = object("{spec: {versions: [{name: v1, subresources: {scale: {specReplicasPath: .spec.n}}}]}}");
  const Object ours =
      object("{spec: {versions: [{name: v1, subresources: {scale: {specReplicasPath: .spec.n}, status: {}}}]}}");
  EXPECT_THAT(compare_crds(there.root(), ours.root()).pointers, ElementsAre("v1: /subresources/status"));
}

TEST(CrdComparison, NamesOnlyTheFirstDifferences) {
  const auto many = compare_schemas("{}", "{a: 1, b: 1, c: 1, d: 1}");
  EXPECT_EQ(many.pointers.size(), 3U);
  EXPECT_TRUE(many.has_more);
}

const std::vector<Line>& lines_of_report() {
  static const std::vector<Line> lines{{LineState::ok, "server", "https://a", "responds", ""},
                                       {LineState::fail, "crds", "CRD a\x1b[2J", "is not installed", "x | y"},
                                       {LineState::skip, "roles", "roles", "no program", "add it"}};
  return lines;
}

TEST(Report, InTextHasALineForEachResultAndTheAction) {
  EXPECT_EQ(print_text(lines_of_report()),
            "ok    server       https://a: responds\n"
            "fail  crds         CRD a\\x1b[2J: is not installed\n"
            "                   do: x | y\n"
            "skip  roles        roles: no program\n"
            "                   do: add it\n"
            "\n"
            "1 ok, 0 warn, 1 fail, 1 skip\n");
}

TEST(Report, InJsonHasTheSameMembers) {
  const auto printed = json::parse(print_json(lines_of_report()));
  ASSERT_TRUE(printed);
  EXPECT_EQ(json::print(printed->at("summary")), R"({"ok":1,"warn":0,"fail":1,"skip":1})");
  EXPECT_EQ(printed->at("exitCode"), 1);
  EXPECT_EQ(json::print(printed->at("lines").as_array()[0]),
            R"({"state":"ok","check":"server","subject":"https://a","detail":"responds"})");
  EXPECT_EQ(printed->at("lines").as_array()[1].at("action"), "x | y");
}

TEST(Report, FailsOnlyIfALineFails) {
  EXPECT_EQ(exit_code_of({}), 0);
  EXPECT_EQ(exit_code_of({{.state = LineState::warn}, {.state = LineState::skip}}), 0);
  EXPECT_EQ(exit_code_of({{.state = LineState::ok}, {.state = LineState::fail}}), 1);
}

}  // namespace
}  // namespace pintle::doctor
