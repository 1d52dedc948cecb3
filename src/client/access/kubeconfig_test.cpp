// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <string>
#include <vector>

#include <pintle/client/cluster.hpp>
#include <pintle/http/certificates.hpp>
#include <pintle/object/bytes.hpp>

#include "client/test_support.hpp"
#include "kubeconfig.hpp"
#include "kubeconfig_test_support.hpp"

namespace pintle {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;
using namespace kubeconfig_samples;

TEST(Kubeconfig, ReadsAllPartsOfTheCurrentContext) {
  const TemporaryFolder folder;
  folder.write("pki/ca.crt", certificate);
  folder.write("pki/me.crt", certificate);
  folder.write("pki/me.key", key);
  const std::string file = folder.write("config", R"(apiVersion: v1
kind: Config
preferences: {}
current-context: dev
contexts:
- name: other
  context: {cluster: missing, user: missing}
- name: dev
  context:
    cluster: c
    user: u
    namespace: team
clusters:
- name: c
  cluster:
    server: https://10.1.2.3:6443/k8s/clusters/a/
    certificate-authority: pki/ca.crt
    tls-server-name: kubernetes.example
    proxy-url: http://proxy:3128
users:
- name: u
  user:
    client-certificate: pki/me.crt
    client-key: pki/me.key
    token: secret
    tokenFile: tokens/mine
)");

  const auto cluster = load_kubeconfig(file);

  ASSERT_TRUE(cluster) << cluster.error().message;
  EXPECT_EQ(cluster->endpoint->url(), "https://10.1.2.3:6443/k8s/clusters/a");
  EXPECT_EQ(cluster->endpoint->ca, certificate);
  EXPECT_EQ(cluster->endpoint->client_certificate, certificate);
  EXPECT_EQ(cluster->endpoint->client_key, key);
  EXPECT_EQ(cluster->endpoint->server_name, "kubernetes.example");
  EXPECT_EQ(cluster->endpoint->proxy, "http://proxy:3128");
  EXPECT_FALSE(cluster->endpoint->insecure);
  EXPECT_EQ(cluster->token, "secret");
  EXPECT_EQ(cluster->token_file, folder.path("tokens/mine"));
  EXPECT_EQ(cluster->namespace_, "team");
  EXPECT_EQ(cluster->origin, "context dev of " + file);
  EXPECT_THAT(cluster->warnings, IsEmpty());
}

TEST(Kubeconfig, AContextWithoutAUserIsAnonymous) {
  for (const std::string user : {"", ", user: \"\"", ", user: null"}) {
    const auto cluster = parse_kubeconfig(
        "current-context: a\nclusters: [{name: c, cluster: {server: \"https://h:1\"}}]\n"
        "contexts: [{name: a, context: {cluster: c" +
            user + "}}]\n",
        "text");
    ASSERT_TRUE(cluster) << cluster.error().message;
    EXPECT_EQ(cluster->endpoint->url(), "https://h:1");
    EXPECT_EQ(cluster->token + cluster->token_file + cluster->username, "");
    EXPECT_THAT(cluster->warnings, IsEmpty());
  }
}

// Each of these values becomes a part of a URL, a header or a path of a request. A kubeconfig may come from a Secret
// that another tenant can write.
TEST(Kubeconfig, RefusesValuesThatRedirectRequests) {
  struct Case {
    std::string cluster;
    std::string user;
    std::string expected;
  };
  const std::vector<Case> cases{
      {"server: https://a, tls-server-name: \"evil.example/x?\"", "token: t", "cluster \"c\": tls-server-name must be"},
      {"server: https://a, tls-server-name: \"169.254.169.254:80\"", "token: t",
       "cluster \"c\": tls-server-name must be"},
      {"server: https://a, tls-server-name: \"a\\r\\nX: y\"", "token: t", "cluster \"c\": tls-server-name must be"},
      {"server: \"https://a%2f@b\"", "token: t", "cluster \"c\": server contains a user name"},
      {"server: \"https://a%2fb\"", "token: t", "cluster \"c\": server has"},
      {"server: \"https://a/x\\r\\nX: y\"", "token: t", "cluster \"c\": server has"},
      {"server: https://a, proxy-url: \"http://p\\r\\nX: y\"", "token: t", "cluster \"c\": proxy-url has"},
      {"server: https://a", "token: \"t\\r\\nX: y\"", "user \"u\": token contains characters"},
  };
  for (const Case& c : cases) {
    const auto cluster = parse_kubeconfig(config_with(c.cluster, c.user), "secret default/k");
    ASSERT_FALSE(cluster) << c.cluster << " " << c.user;
    EXPECT_THAT(cluster.error().message, HasSubstr(c.expected));
    EXPECT_THAT(cluster.error().message, HasSubstr("kubeconfig secret default/k: "));
  }
}

TEST(Kubeconfig, DataTakesPrecedenceOverFiles) {
  const TemporaryFolder folder;
  const std::string file = folder.write(
      "config",
      config_with("server: https://a, certificate-authority: none, certificate-authority-data: " + certificate_data,
                  "token: t"));

  const auto cluster = load_kubeconfig(file);

  ASSERT_TRUE(cluster) << cluster.error().message;
  EXPECT_EQ(cluster->endpoint->ca, certificate);
}

TEST(Kubeconfig, SelectsAContextByName) {
  const TemporaryFolder folder;
  const std::string file = folder.write("config", R"(
current-context: a
contexts:
- {name: a, context: {cluster: a, user: u}}
- {name: b, context: {cluster: b, user: u}}
clusters:
- {name: a, cluster: {server: "https://a"}}
- {name: b, cluster: {server: "https://b:8443"}}
users:
- {name: u}
)");

  const auto cluster = load_kubeconfig(file, "b");

  ASSERT_TRUE(cluster) << cluster.error().message;
  EXPECT_EQ(cluster->endpoint->host, "b");
  EXPECT_EQ(cluster->endpoint->port, 8443);
  EXPECT_EQ(cluster->namespace_, "default");
  EXPECT_EQ(cluster->token, "");
}

TEST(Kubeconfig, WarnsAboutAnUnverifiedServer) {
  const TemporaryFolder folder;
  const auto cluster = load_kubeconfig(
      folder.write("config", config_with("server: https://a, insecure-skip-tls-verify: true", "token: t")));

  ASSERT_TRUE(cluster) << cluster.error().message;
  EXPECT_TRUE(cluster->endpoint->insecure);
  EXPECT_THAT(cluster->warnings, ElementsAre(AllOf(HasSubstr("https://a"), HasSubstr("insecure-skip-tls-verify"))));
}

TEST(Kubeconfig, SendsNoTokenOverPlainHttpLikeKubectl) {
  const TemporaryFolder folder;
  const auto cluster =
      load_kubeconfig(folder.write("config", config_with("server: http://a:8001", "token: hidden, tokenFile: f")));

  ASSERT_TRUE(cluster) << cluster.error().message;
  EXPECT_EQ(cluster->token, "");
  EXPECT_EQ(cluster->token_file, "");
  EXPECT_THAT(cluster->warnings, ElementsAre(AllOf(HasSubstr("not sent"), Not(HasSubstr("hidden")))));
}

TEST(Kubeconfig, MergesFilesAndTheFirstTakesPrecedence) {
  const TemporaryFolder folder;
  const std::string first = folder.write("one/config",
                                         "contexts: [{name: dev, context: {cluster: c, user: u}}]\n"
                                         "clusters: [{name: c, cluster: {server: https://first}}]\n");
  const std::string second = folder.write("two/config",
                                          "current-context: dev\n"
                                          "contexts: [{name: dev, context: {cluster: other, user: other}}]\n"
                                          "clusters: [{name: c, cluster: {server: https://second}}]\n"
                                          "users: [{name: u, user: {tokenFile: token}}]\n");

  const auto cluster = load_kubeconfigs({first, second}, "");

  ASSERT_TRUE(cluster) << cluster.error().message;
  EXPECT_EQ(cluster->endpoint->host, "first");
  EXPECT_EQ(cluster->token_file, folder.path("two/token")) << "relative to the file that defines the user";
  EXPECT_EQ(cluster->origin, "context dev of " + first);
}

// A certificate at different times, as it is in a file and in a kubeconfig.
class KubeconfigDates : public ::testing::Test {
 protected:
  KubeconfigDates() {
    folder_.write("me.crt", certificate);
    folder_.write("me.key", key);
  }
  Result<Cluster> load(const std::string& cluster, const std::string& user, std::optional<WallTime> now) {
    file_ = folder_.write("config", config_with("server: https://a" + cluster, user));
    return load_kubeconfig(file_, "", now);
  }

  const TemporaryFolder folder_;
  std::string file_;
  const std::string user_ = "client-certificate: me.crt, client-key: me.key";
};

TEST_F(KubeconfigDates, ACertificateIsAcceptedWhileItIsValid) {
  for (const WallTime now : {issued, expiry}) {
    const auto cluster = load(", certificate-authority: me.crt", user_, now);
    ASSERT_TRUE(cluster) << cluster.error().message;
    EXPECT_THAT(cluster->warnings, IsEmpty());
  }
  EXPECT_TRUE(load("", user_, std::nullopt)) << "no date is checked without a time";
}

TEST_F(KubeconfigDates, AnExpiredClientCertificateIsAnErrorWithFileAndDate) {
  const auto cluster = load("", user_, expiry + std::chrono::seconds(1));

  ASSERT_FALSE(cluster);
  EXPECT_EQ(cluster.error().code, ErrorCode::invalid);
  EXPECT_EQ(cluster.error().message, "kubeconfig " + file_ + ": user \"u\": client-certificate " +
                                         folder_.path("me.crt") +
                                         " expired at 2023-11-14T23:13:20Z; renew it, or "
                                         "correct the clock of this machine");
  const auto embedded =
      parse_kubeconfig(config_with("server: https://a", "client-certificate-data: " + certificate_data +
                                                            ", client-key-data: " + Bytes(key).to_base64()),
                       "secret team/access", "", expiry + std::chrono::hours(1));
  ASSERT_FALSE(embedded);
  EXPECT_THAT(embedded.error().message, StartsWith("kubeconfig secret team/access: user \"u\": client-certificate-data "
                                                   "expired at 2023-11-14T23:13:20Z"));
}

TEST_F(KubeconfigDates, WarnsOfAnExpiredClientCertificateBesideAToken) {
  const auto cluster = load("", user_ + ", token: t", expiry + std::chrono::hours(1));

  ASSERT_TRUE(cluster) << cluster.error().message;
  EXPECT_THAT(cluster->warnings,
              ElementsAre("client-certificate " + folder_.path("me.crt") + " (context dev of " + file_ +
                          ") expired at 2023-11-14T23:13:20Z; renew it, or remove it to use "
                          "only the token"));
}

TEST_F(KubeconfigDates, WarnsOfAClientCertificateThatIsNotYetValid) {
  const auto cluster = load("", user_, issued - std::chrono::seconds(1));

  ASSERT_TRUE(cluster) << cluster.error().message;
  EXPECT_THAT(cluster->warnings, ElementsAre(AllOf(HasSubstr("me.crt (context dev of " + file_ +
                                                             ") is not valid before "
                                                             "2023-11-14T22:13:20Z"))));
}

TEST_F(KubeconfigDates, WarnsOfAnAuthorityOnlyIfEachOfItsCertificatesHasExpired) {
  const auto later =
      http::make_authority({.common_name = "b", .not_before = issued, .not_after = expiry + std::chrono::hours(2)});
  folder_.write("ca.crt", later->certificate + certificate);
  const std::string authority = ", certificate-authority: ca.crt";

  const auto one = load(authority, "token: t", expiry + std::chrono::hours(1));
  const auto all = load(authority, "token: t", expiry + std::chrono::hours(3));

  ASSERT_TRUE(one) << one.error().message;
  EXPECT_THAT(one->warnings, IsEmpty());
  ASSERT_TRUE(all) << all.error().message;
  EXPECT_THAT(all->warnings, ElementsAre(AllOf(StartsWith("each certificate in certificate-authority " +
                                                          folder_.path("ca.crt") + " (context dev of " + file_ +
                                                          ") has expired, the last one at "
                                                          "2023-11-15T01:13:20Z"))));
}

TEST(Kubeconfig, ReportsAMissingFile) {
  const auto cluster = load_kubeconfig("/nowhere/config");

  ASSERT_FALSE(cluster);
  EXPECT_EQ(cluster.error().code, ErrorCode::invalid);
  EXPECT_THAT(cluster.error().message, StartsWith("kubeconfig /nowhere/config: No such file or directory"));
}

TEST(Kubeconfig, IsReadFromATextToo) {
  const auto cluster = parse_kubeconfig(plain_config("a"), "secret team/access");
  ASSERT_TRUE(cluster) << cluster.error().to_string();
  EXPECT_EQ(cluster->endpoint->host, "a");
  EXPECT_EQ(cluster->token, "of-a");
  EXPECT_EQ(cluster->origin, "context a of secret team/access");
}

// If a text could name files, its author could have files of this process read and sent, as a token, to another server.
TEST(Kubeconfig, ATextNamesNoFiles) {
  const TemporaryFolder folder;
  const std::string file = folder.write("token", "t");
  for (const auto& [cluster, user] : {std::pair<std::string, std::string>{"", "tokenFile: " + file},
                                      {"certificate-authority: " + file, ""},
                                      {"", "client-certificate: " + file},
                                      {"", "client-key: " + file + ", client-certificate-data: " + certificate_data}}) {
    const auto refused = parse_kubeconfig(
        config_with("server: \"https://a\"" + (cluster.empty() ? "" : ", " + cluster), user), "secret team/access");
    ASSERT_FALSE(refused) << cluster << user;
    EXPECT_THAT(refused.error().message,
                AllOf(HasSubstr("kubeconfig secret team/access: "), HasSubstr("names a file")));
  }
}

TEST(Kubeconfig, ReportsUnsupportedCredentialsAsUnsupported) {
  const TemporaryFolder folder;
  const auto cluster =
      load_kubeconfig(folder.write("config", config_with("server: https://a", "auth-provider: {name: gcp}")));

  ASSERT_FALSE(cluster);
  EXPECT_EQ(cluster.error().code, ErrorCode::unsupported);
}

}  // namespace
}  // namespace pintle
