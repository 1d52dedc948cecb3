// SPDX-License-Identifier: Apache-2.0
// The variable `authorizer` of CEL expressions, with stored roles.
#include <gtest/gtest.h>

#include <pintle/sim/simulated_executor.hpp>

#include "apiserver/expressions/expression_compiler.hpp"
#include "authorizer.hpp"

namespace pintle::apiserver {
namespace {

class AuthorizerInExpressions : public testing::Test {
 protected:
  AuthorizerInExpressions() {
    store("roles", "default/r",
          R"({"metadata":{"name":"r","namespace":"default"},"rules":[
               {"verbs":["get"],"apiGroups":["apps"],"resources":["deployments/scale"],"resourceNames":["d"]}]})");
    store("rolebindings", "default/b",
          R"({"metadata":{"name":"b","namespace":"default"},"roleRef":{"kind":"Role","name":"r"},"subjects":[
               {"kind":"User","name":"bob"},{"kind":"ServiceAccount","name":"robot","namespace":"bots"}]})");
    store("clusterroles", "c", R"({"metadata":{"name":"c"},"rules":[{"verbs":["get"],"nonResourceURLs":["/ok"]}]})");
    store("clusterrolebindings", "c",
          R"({"metadata":{"name":"c"},"roleRef":{"kind":"ClusterRole","name":"c"},"subjects":[
               {"kind":"User","name":"bob"}]})");
  }
  void store(const std::string& plural, const std::string& key, const char* object) {
    const std::string collection = plural + ".rbac.authorization.k8s.io";
    ASSERT_TRUE(storage_.put(collection, key, Object(), json::parse(object).value()));
  }
  bool holds(const std::string& expression, const User& user) {
    const auto program = ExpressionCompiler().compile(ExpressionUse::condition, expression);
    EXPECT_TRUE(program) << program.error().message;
    const cel::Activation activation{{"authorizer", make_authorizer(authorizer_.checks_of(user))}};
    const auto result = program->evaluate(activation, {}).value;
    EXPECT_TRUE(result) << result.error().message;
    return result->as_bool().value_or(false);
  }

  SimulatedExecutor executor_;
  Storage storage_{executor_, 100};
  Authorizer authorizer_{executor_, storage_, true};
  const User bob_{.name = "bob"};
  const User eve_{.name = "eve"};
};

TEST_F(AuthorizerInExpressions, ChecksTheRightsOfTheSender) {
  const std::string scale =
      "authorizer.group('apps').resource('deployments').subresource('scale').namespace('default')";
  EXPECT_TRUE(holds(scale + ".name('d').check('get').allowed()", bob_));
  EXPECT_FALSE(holds(scale + ".name('d').check('get').allowed()", eve_));
  EXPECT_FALSE(holds(scale + ".name('e').check('get').allowed()", bob_));
  EXPECT_FALSE(holds(scale + ".name('d').check('update').allowed()", bob_));
  EXPECT_FALSE(
      holds("authorizer.group('apps').resource('deployments').namespace('default').check('get').allowed()", bob_));
  EXPECT_TRUE(holds(scale + R"(.name('d').check('get').reason().contains('RoleBinding "b/default"'))", bob_));
}

TEST_F(AuthorizerInExpressions, ChecksPathsAndServiceAccounts) {
  EXPECT_TRUE(holds("authorizer.path('/ok').check('get').allowed()", bob_));
  EXPECT_FALSE(holds("authorizer.path('/other').check('get').allowed()", bob_));
  const std::string scale =
      ".group('apps').resource('deployments').subresource('scale').namespace('default').name('d').check('get').allowed("
      ")";
  EXPECT_TRUE(holds("authorizer.serviceAccount('bots', 'robot')" + scale, eve_));
  EXPECT_FALSE(holds("authorizer.serviceAccount('default', 'robot')" + scale, eve_));
}

// Roles do not depend on selectors, and their evaluation has no errors.
TEST_F(AuthorizerInExpressions, ADecisionMayHaveSelectorsAndHasNoError) {
  const std::string scale =
      "authorizer.group('apps').resource('deployments').subresource('scale').namespace('default').name('d')"
      ".fieldSelector('metadata.name=d').labelSelector('a=b').check('get')";
  EXPECT_TRUE(holds(scale + ".allowed()", bob_));
  EXPECT_FALSE(holds(scale + ".allowed()", eve_));
  for (const User& user : {bob_, eve_}) {
    EXPECT_TRUE(holds("!" + scale + ".errored()", user));
    EXPECT_TRUE(holds(scale + ".error() == ''", user));
  }
}

TEST_F(AuthorizerInExpressions, AllowsEverythingWithoutRoles) {
  const Authorizer open(executor_, storage_, false);
  const auto program =
      ExpressionCompiler().compile(ExpressionUse::condition, "authorizer.path('/x').check('get').allowed()");
  const cel::Activation activation{{"authorizer", make_authorizer(open.checks_of(eve_))}};
  EXPECT_EQ(program->evaluate(activation, {}).value->as_bool(), true);
}

}  // namespace
}  // namespace pintle::apiserver
