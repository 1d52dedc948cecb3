// SPDX-License-Identifier: Apache-2.0
// The status of ValidatingAdmissionPolicies.
#include <string>

#include "../test_server.hpp"

namespace pintle {
namespace {

const std::string policies = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";

class PolicyStatusTest : public ServerTest {
 protected:
  PolicyStatusTest() : ServerTest({.controllers = true}) {}

  static json::object rule(const json::array& groups, const json::array& resources) {
    return {{"apiGroups", groups},
            {"apiVersions", json::array{"v1"}},
            {"operations", json::array{"CREATE"}},
            {"resources", resources}};
  }

  TestReply checked(const std::string& name, json::object spec) {
    const auto made = post(policies, json::print({{"metadata", {{"name", name}}}, {"spec", std::move(spec)}}));
    EXPECT_EQ(made.status, 201) << made.body;
    run_until_idle();
    return get(policies + "/" + name);
  }
  TestReply checked(const std::string& name, const json::object& matched, const char* expression) {
    return checked(name, {{"matchConstraints", {{"resourceRules", json::array{matched}}}},
                          {"validations", json::array{json::object{{"expression", expression}}}}});
  }
};

constexpr const char* first_warning = "/status/typeChecking/expressionWarnings/0";

TEST_F(PolicyStatusTest, NamesExpressionsThatDoNotFitTheKind) {
  const auto policy = checked("a", rule({"apps"}, {"deployments"}), "object.replicas > 1");

  EXPECT_EQ(policy.at("/status/observedGeneration"), "1");
  EXPECT_EQ(policy.at(std::string(first_warning) + "/fieldRef"), "spec.validations[0].expression");
  EXPECT_EQ(policy.at(std::string(first_warning) + "/warning"),
            "apps/v1, Kind=Deployment: ERROR: <input>:1:7: undefined field 'replicas'\n"
            " | object.replicas > 1\n"
            " | ......^\n");
}

TEST_F(PolicyStatusTest, NamesEachKindInItsOrder) {
  const auto policy =
      checked("a", rule({"", "apps"}, {"pods", "replicasets", "deployments"}), "object.spec.replicas > 1");

  EXPECT_EQ(policy.at(std::string(first_warning) + "/warning"),
            "/v1, Kind=Pod: ERROR: <input>:1:12: undefined field 'replicas'\n"
            " | object.spec.replicas > 1\n"
            " | ...........^\n");
  EXPECT_EQ(policy.at("/status/typeChecking/expressionWarnings/1"), "");
}

TEST_F(PolicyStatusTest, ComparesTypes) {
  const auto policy = checked("a", rule({"apps"}, {"deployments"}), "object.spec.replicas == 'many'");

  EXPECT_NE(policy.at(std::string(first_warning) + "/warning").find("found no matching overload for '_==_'"),
            std::string::npos)
      << policy.body;
}

TEST_F(PolicyStatusTest, HasNoWarningsIfAllExpressionsFit) {
  const auto policy = checked(
      "a",
      {{"matchConstraints", {{"resourceRules", json::array{rule({"apps"}, {"deployments", "deployments/scale"})}}}},
       {"variables",
        json::array{json::object{{"name", "containers"}, {"expression", "object.spec.template.spec.containers"}}}},
       {"validations",
        json::array{json::object{
            {"expression",
             "variables.containers.all(c, c.image.startsWith('x/') && c.resources.limits['cpu'] == '1') && "
             "object.metadata.labels['a'] == 'b' && object.spec.strategy.rollingUpdate.maxSurge == 1 && "
             "object.metadata.creationTimestamp < timestamp('2026-01-01T00:00:00Z') && "
             "authorizer.group('').resource('pods').check('get').allowed()"},
            {"messageExpression", "'wrong: ' + oldObject.metadata.name"}}}}});

  EXPECT_EQ(policy.at("/status/typeChecking"), "{}") << policy.body;
}

TEST_F(PolicyStatusTest, ChecksMessagesParamsAndVariables) {
  const auto policy = checked(
      "a", {{"matchConstraints", {{"resourceRules", json::array{rule({""}, {"configmaps"})}}}},
            {"paramKind", {{"apiVersion", "v1"}, {"kind", "Secret"}}},
            {"variables", json::array{json::object{{"name", "wrong"}, {"expression", "object.spec"}}}},
            {"validations", json::array{json::object{{"expression", "params.nothing == 1"},
                                                     {"messageExpression", "string(object.metadata.nothing)"}}}}});

  EXPECT_NE(policy.at(std::string(first_warning) + "/warning").find("undefined field 'nothing'"), std::string::npos)
      << policy.body;
  EXPECT_EQ(policy.at("/status/typeChecking/expressionWarnings/1/fieldRef"), "spec.validations[0].messageExpression");
}

TEST_F(PolicyStatusTest, DoesNotCheckWildcardsAndUnknownKinds) {
  EXPECT_EQ(checked("a", rule({"*"}, {"deployments"}), "object.nothing == 1").at("/status/typeChecking"), "{}");
  EXPECT_EQ(checked("b", rule({"apps"}, {"*"}), "object.nothing == 1").at("/status/typeChecking"), "{}");
  EXPECT_EQ(checked("c", rule({"apps"}, {"nothing"}), "object.nothing == 1").at("/status/typeChecking"), "{}");
}

TEST_F(PolicyStatusTest, FollowsTheSchemaOfADefinition) {
  ASSERT_EQ(post(definitions, widget_definition("x.dev")).status, 201);
  run_until_idle();

  EXPECT_EQ(checked("a", rule({"x.dev"}, {"widgets"}), "object.spec.replicas > 1 && object.metadata.name != 'a'")
                .at("/status/typeChecking"),
            "{}");
  EXPECT_NE(checked("b", rule({"x.dev"}, {"widgets"}), "object.spec.size > 1").at(first_warning), "");
}

TEST_F(PolicyStatusTest, FollowsAChangeOfThePolicy) {
  checked("a", rule({"apps"}, {"deployments"}), "object.replicas > 1");
  merge(policies + "/a", R"({"spec":{"validations":[{"expression":"object.spec.replicas > 1"}]}})");
  run_until_idle();

  EXPECT_EQ(get(policies + "/a").at("/status/observedGeneration"), "2");
  EXPECT_EQ(get(policies + "/a").at("/status/typeChecking"), "{}");
}

}  // namespace
}  // namespace pintle
