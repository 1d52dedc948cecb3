// SPDX-License-Identifier: Apache-2.0
// The credentials of a kubeconfig user besides tokens and certificates.
#include "kubeconfig_user.hpp"

#include <string>
#include <utility>

#include <pintle/client/cluster.hpp>
#include <pintle/http/certificates.hpp>
#include <pintle/json/value.hpp>
#include <pintle/object/bytes.hpp>

#include "client/test_support.hpp"

namespace pintle {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pair;

const std::string exec_start = "exec: {apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, command: ";

class KubeconfigUser : public ::testing::Test {
 protected:
  static std::string text_with(const std::string& user, const std::string& cluster = "server: \"https://a\"") {
    return "current-context: dev\ncontexts: [{name: dev, context: {cluster: c, user: u}}]\n"
           "clusters: [{name: c, cluster: {" +
           cluster + "}}]\nusers: [{name: u, user: {" + user + "}}]\n";
  }
  Result<Cluster> load(const std::string& user, const std::string& cluster = "server: \"https://a\"") {
    return load_kubeconfig(folder_.write("config", text_with(user, cluster)));
  }
  std::string failure(const std::string& user) {
    const auto loaded = load(user);
    return loaded ? "it did not fail" : loaded.error().message;
  }

  const TemporaryFolder folder_;
};

TEST_F(KubeconfigUser, HasAPlugin) {
  const auto cluster = load(
      "exec: {apiVersion: client.authentication.k8s.io/v1, interactiveMode: IfAvailable, command: login, "
      "args: [get, \"-x\"], env: [{name: A, value: b}, {name: EMPTY}], installHint: Get it}");

  ASSERT_TRUE(cluster) << cluster.error().message;
  ASSERT_NE(cluster->exec, nullptr);
  EXPECT_EQ(cluster->exec->api_version, "client.authentication.k8s.io/v1");
  EXPECT_EQ(cluster->exec->command, "login");
  EXPECT_THAT(cluster->exec->arguments, ElementsAre("get", "-x"));
  EXPECT_THAT(cluster->exec->environment, ElementsAre(Pair("A", "b"), Pair("EMPTY", "")));
  EXPECT_EQ(cluster->exec->interactive_mode, InteractiveMode::if_available);
  EXPECT_EQ(cluster->exec->install_hint, "Get it");
  EXPECT_EQ(cluster->exec->cluster_info, "");
  EXPECT_THAT(cluster->warnings, IsEmpty());
}

TEST_F(KubeconfigUser, HasAPluginBesideItsFileOrInThePath) {
  EXPECT_EQ(load(exec_start + "./bin/login}")->exec->command, folder_.path("bin/login"));
  EXPECT_EQ(load(exec_start + "bin/login}")->exec->command, folder_.path("bin/login"));
  EXPECT_EQ(load(exec_start + "/opt/login}")->exec->command, "/opt/login");
  EXPECT_EQ(load(exec_start + "login}")->exec->command, "login");
}

// Version v1 requires interactiveMode; for v1beta1 the default is IfAvailable (trap 47).
TEST_F(KubeconfigUser, HasAnInteractiveModeByVersion) {
  const auto beta = load("exec: {apiVersion: client.authentication.k8s.io/v1beta1, command: login}");
  ASSERT_TRUE(beta) << beta.error().message;
  EXPECT_EQ(beta->exec->interactive_mode, InteractiveMode::if_available);

  EXPECT_THAT(failure("exec: {apiVersion: client.authentication.k8s.io/v1, command: login}"),
              HasSubstr("interactiveMode must be Never, IfAvailable or Always"));
}

TEST_F(KubeconfigUser, GivesThePluginInformationAboutTheCluster) {
  const std::string ca =
      http::make_authority({.common_name = "a", .not_before = WallTime(), .not_after = WallTime::max()})->certificate;
  const std::string data = Bytes(ca).to_base64();

  const auto cluster = load(exec_start + "login, provideClusterInfo: true}",
                            "server: \"https://a/x/\", tls-server-name: b, proxy-url: \"http://p:1\", "
                            "certificate-authority-data: " +
                                data +
                                ", extensions: [{name: other, extension: 1}, {name: "
                                "client.authentication.k8s.io/exec, extension: {audience: d}}]");

  ASSERT_TRUE(cluster) << cluster.error().message;
  EXPECT_TRUE(json::equal(*json::parse(cluster->exec->cluster_info), json::Value{{"server", "https://a/x/"},
                                                                                 {"tls-server-name", "b"},
                                                                                 {"certificate-authority-data", data},
                                                                                 {"proxy-url", "http://p:1"},
                                                                                 {"config", {{"audience", "d"}}}}));
}

TEST_F(KubeconfigUser, NamesAMistakeInTheInformationForThePlugin) {
  const auto cluster =
      load(exec_start + "login, provideClusterInfo: true}", "server: \"https://a\", disable-compression: perhaps");

  ASSERT_FALSE(cluster);
  EXPECT_THAT(cluster.error().message, HasSubstr("cluster \"c\": disable-compression must be true or false"));
}

TEST_F(KubeconfigUser, DoesNotUseAPluginBesideOtherCredentials) {
  const auto cluster = load("token: t, " + exec_start + "login}");

  ASSERT_TRUE(cluster);
  EXPECT_EQ(cluster->exec, nullptr);
  EXPECT_THAT(cluster->warnings, ElementsAre(HasSubstr("plugin login of context dev of")));
}

TEST_F(KubeconfigUser, SendsNothingOverPlainHttp) {
  for (const std::string& user : {exec_start + "login}", std::string("username: me, password: p")}) {
    const auto cluster = load(user, "server: \"http://a\"");
    ASSERT_TRUE(cluster);
    EXPECT_EQ(cluster->exec, nullptr);
    EXPECT_EQ(cluster->username, "");
    EXPECT_THAT(cluster->warnings, ElementsAre(HasSubstr("is not sent: http://a")));
  }
}

// The author of a Secret could otherwise run programs with the permissions of the operator.
TEST_F(KubeconfigUser, FromASecretHasNoPluginAndNoProvider) {
  for (const std::string& user : {exec_start + "/bin/sh}", exec_start + "sh}",
                                  std::string("auth-provider: {name: oidc, config: {idp-issuer-url: \"https://i\", "
                                              "client-id: c, idp-certificate-authority: /etc/shadow}}")}) {
    const auto cluster = parse_kubeconfig(text_with(user), "secret default/a");
    ASSERT_FALSE(cluster);
    EXPECT_EQ(cluster.error().code, ErrorCode::invalid);
    EXPECT_THAT(cluster.error().message,
                AllOf(HasSubstr("secret default/a"), HasSubstr("is only allowed in a kubeconfig file")));
  }
}

TEST_F(KubeconfigUser, HasAnImpersonation) {
  const auto cluster =
      load("token: t, as: jane, as-uid: u, as-groups: [dev, ops], as-user-extra: {scopes: [a, b], \"x/y\": [c]}");

  ASSERT_TRUE(cluster) << cluster.error().message;
  EXPECT_EQ(
      cluster->impersonation,
      (Impersonation{
          .user = "jane", .uid = "u", .groups = {"dev", "ops"}, .extra = {{"scopes", {"a", "b"}}, {"x/y", {"c"}}}}));
}

TEST_F(KubeconfigUser, HasAUserNameAndPassword) {
  const auto cluster = load("username: me, password: \"p\"");

  ASSERT_TRUE(cluster);
  EXPECT_EQ(cluster->username, "me");
  EXPECT_EQ(cluster->password, "p");
}

TEST_F(KubeconfigUser, HasAnOpenIdConnectProvider) {
  const auto cluster = load(
      "auth-provider: {name: oidc, config: {idp-issuer-url: \"https://idp/realm\", client-id: c, client-secret: s, "
      "id-token: i, refresh-token: r}}");

  ASSERT_TRUE(cluster) << cluster.error().message;
  ASSERT_NE(cluster->oidc, nullptr);
  EXPECT_EQ(cluster->oidc->issuer_url, "https://idp/realm");
  EXPECT_EQ(cluster->oidc->client_id, "c");
  EXPECT_EQ(cluster->oidc->client_secret, "s");
  EXPECT_EQ(cluster->oidc->id_token, "i");
  EXPECT_EQ(cluster->oidc->refresh_token, "r");
}

TEST_F(KubeconfigUser, NamesAMistake) {
  const std::pair<std::string, std::string> cases[] = {
      {"exec: login", "exec must be an object"},
      {"exec: {command: login, interactiveMode: Never}", "apiVersion must be client.authentication.k8s.io/v1 or"},
      {"exec: {apiVersion: client.authentication.k8s.io/v1alpha1, command: l}", "apiVersion must be"},
      {exec_start + "\"\"}", "has no command"},
      {exec_start + "login, args: get}", "args must be a list"},
      {exec_start + "login, args: [1]}", "args must be a list of strings"},
      {exec_start + "login, env: [{value: hidden}]}", "env must be a list of objects with a name"},
      {exec_start + "login, provideClusterInfo: please}", "provideClusterInfo must be true or false"},
      {exec_start + "login}, auth-provider: {name: oidc}", "has both exec and auth-provider"},
      {"auth-provider: {name: oidc, config: {client-id: c}}", "idp-issuer-url must begin with https://"},
      {"auth-provider: {name: oidc, config: {idp-issuer-url: \"https://i\"}}", "has no client-id"},
      {"password: hidden", "password has no username"},
      {"username: me, password: hidden, token: hidden", "has both a token and a username"},
      {"username: \"a:b\"", "must not contain \":\""},
      {"as-groups: [dev]", "without \"as\""},
      {"as: jane, as-groups: dev", "as-groups must be a list"},
      {"as: \"jane\\r\\nX: y\"", "control character"},
      {"as: jane, as-user-extra: {a: b}", "as-user-extra must contain lists of strings"},
  };
  for (const auto& [user, expected] : cases) {
    EXPECT_THAT(failure(user),
                AllOf(HasSubstr("user \"u\": "), HasSubstr(expected), Not(HasSubstr("hidden")), Not(HasSubstr("\n"))));
  }
}

}  // namespace
}  // namespace pintle
