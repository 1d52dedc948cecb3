// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <string>
#include <vector>

#include <pintle/client/cluster.hpp>
#include <pintle/http/certificates.hpp>
#include <pintle/object/bytes.hpp>

#include "client/test_support.hpp"
#include "kubeconfig.hpp"

namespace pintle {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

constexpr WallTime issued = WallTime(std::chrono::seconds(1'700'000'000));  // 2023-11-14T22:13:20Z
constexpr WallTime expiry = issued + std::chrono::hours(1);

http::KeyPair new_pair() {
  return http::make_authority({.common_name = "a", .not_before = issued, .not_after = expiry}).value();
}

const http::KeyPair identity = new_pair();
const std::string& certificate = identity.certificate;
const std::string& key = identity.key;
// A key with the passphrase "secret".
const std::string locked_key = R"(-----BEGIN ENCRYPTED PRIVATE KEY-----
MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAgAadpN5vnJrQICCAAw
DAYIKoZIhvcNAgkFADAdBglghkgBZQMEAQIEEFwvJqXFWgR3b44sPjdfLyYEgZDQ
ssgQRKDSR9knyypjKXeuGv0C3bFMg03U+05KqO5EQXzx/HzfO+XJvdGjXQZ/FC9H
ptstnDC5K3++rjOhenRP76bitFm3T3/ow8OnaJkG/udMXTMOd27ZMcnKfZLXO4se
rKeeEybxJITtmfszTGIQc+IA6ETUxtY6dWTwz7aDGNcnSEpBxY7aUrB2a1H1bPE=
-----END ENCRYPTED PRIVATE KEY-----
)";
const std::string certificate_data = Bytes(certificate).to_base64();

// Returns a kubeconfig with one context of one cluster and one user, with these fields.
std::string config_with(const std::string& cluster, const std::string& user) {
  return "current-context: dev\n"
         "contexts: [{name: dev, context: {cluster: c, user: u}}]\n"
         "clusters: [{name: c, cluster: {" +
         cluster +
         "}}]\n"
         "users: [{name: u, user: {" +
         user + "}}]\n";
}

std::string plain_config(const std::string& name) {
  return "current-context: " + name + "\ncontexts: [{name: " + name + ", context: {cluster: " + name +
         ", user: " + name + "}}]\nclusters: [{name: " + name + ", cluster: {server: \"https://" + name +
         "\"}}]\nusers: [{name: " + name + ", user: {token: of-" + name + "}}]\n";
}

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

struct BadCase {
  std::string name;
  std::string text;
  std::string context;
  std::vector<std::string> expected;
};

class BadKubeconfig : public ::testing::TestWithParam<BadCase> {};

TEST_P(BadKubeconfig, IsReportedInOneLineWithPlaceAndRemedy) {
  const TemporaryFolder folder;
  folder.write("empty", "");
  folder.write("good.crt", certificate);
  folder.write("good.key", key);
  folder.write("locked.key", locked_key);
  const std::string file = folder.write("config", GetParam().text);

  const auto cluster = load_kubeconfig(file, GetParam().context);

  ASSERT_FALSE(cluster);
  const std::string& message = cluster.error().message;
  EXPECT_THAT(message, StartsWith("kubeconfig " + file + ": "));
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  EXPECT_THAT(message, Not(HasSubstr("hidden")));
  for (const std::string& part : GetParam().expected) EXPECT_THAT(message, HasSubstr(part));
}

const std::string two_contexts = "current-context: gone\ncontexts: [{name: a}, {name: b}]\n";

INSTANTIATE_TEST_SUITE_P(
    All, BadKubeconfig,
    ::testing::Values(
        BadCase{"Empty", "", "", {"has no contexts"}},
        BadCase{"BrokenYaml", "clusters:\n- name: [a\nusers: }\n", "", {"line"}},
        BadCase{"NotAnObject", "- 1\n", "", {"not a kubeconfig"}},
        BadCase{"ClustersNoList", "clusters: {}\n", "", {"clusters must be a list"}},
        BadCase{"EntryWithoutName", "users: [{user: {}}]\n", "", {"users[0] must have a name"}},
        BadCase{"TwoOfAName", "users: [{name: a}, {name: a}]\n", "", {"two users are named \"a\""}},
        BadCase{"NoCurrentContext", "contexts: [{name: a}, {name: b}]\n", "", {"current-context is not set", "a, b"}},
        BadCase{"CurrentContextGone", two_contexts, "", {"current-context is \"gone\"", "a, b"}},
        BadCase{"UnknownContext", two_contexts, "c", {"there is no context \"c\"", "a, b"}},
        BadCase{"ContextWithoutCluster", two_contexts, "a", {"context \"a\": names no cluster", "none"}},
        BadCase{"ContextWithoutUser",
                "contexts: [{name: a, context: {cluster: c}}]\nclusters: [{name: c}]\n",
                "a",
                {"context \"a\": names no user"}},
        BadCase{"ClusterGone",
                "contexts: [{name: a, context: {cluster: x, user: u}}]\nclusters: [{name: c}]\n",
                "a",
                {"context \"a\": cluster \"x\" is not in", "there are: c"}},
        BadCase{"UserGone",
                "contexts: [{name: a, context: {cluster: c, user: x}}]\nclusters: [{name: c}]\n",
                "a",
                {"user \"x\" is not in", "there are: none"}},
        BadCase{"NoServer", config_with("", ""), "", {"cluster \"c\": has no server"}},
        BadCase{"BadScheme", config_with("server: ftp://a", ""), "", {"server must begin with https://"}},
        BadCase{"BadPort", config_with("server: \"https://a:99999\"", ""), "", {"port"}},
        BadCase{"PasswordInServer", config_with("server: \"https://me:hidden@a\"", ""), "", {"user name or password"}},
        BadCase{"BadProxy", config_with("server: https://a, proxy-url: \"ftp://p\"", ""), "", {"proxy-url must begin"}},
        BadCase{"MissingCa",
                config_with("server: https://a, certificate-authority: no.crt", ""),
                "",
                {"certificate-authority: ", "no.crt: No such file"}},
        BadCase{"CaIsNoPem",
                config_with("server: https://a, certificate-authority: config", ""),
                "",
                {"certificate-authority /", "/config is not a PEM certificate"}},
        BadCase{"CaIsEmpty",
                config_with("server: https://a, certificate-authority: empty", ""),
                "",
                {"certificate-authority: ", "/empty is empty"}},
        BadCase{"CaIsAFolder", config_with("server: https://a, certificate-authority: .", ""), "", {"directory"}},
        BadCase{"CaIsNoBase64",
                config_with("server: https://a, certificate-authority-data: \"%%\"", ""),
                "",
                {"certificate-authority-data is not base64"}},
        BadCase{"CaIsBase64OfNoPem",
                config_with("server: https://a, certificate-authority-data: aGVsbG8=", ""),
                "",
                {"cluster \"c\": certificate-authority-data is not a PEM certificate"}},
        BadCase{"CaIsCutOff",
                config_with("server: https://a, certificate-authority-data: " +
                                Bytes(certificate + certificate.substr(0, 300)).to_base64(),
                            ""),
                "",
                {"certificate-authority-data is not a PEM certificate: certificate 2 in it is truncated or malformed"}},
        BadCase{"InsecureWithCa",
                config_with("server: https://a, insecure-skip-tls-verify: true, certificate-authority: good.crt", ""),
                "",
                {"both insecure-skip-tls-verify"}},
        BadCase{"InsecureIsNoFlag",
                config_with("server: https://a, insecure-skip-tls-verify: maybe", ""),
                "",
                {"insecure-skip-tls-verify must be true or false"}},
        BadCase{"CertificateWithoutKey",
                config_with("server: https://a", "client-certificate: good.crt"),
                "",
                {"user \"u\": client-certificate has no client-key"}},
        BadCase{"KeyWithoutCertificate",
                config_with("server: https://a", "client-key: good.key"),
                "",
                {"client-key has no client-certificate"}},
        BadCase{"MissingCertificate",
                config_with("server: https://a", "client-certificate: no.crt, client-key: good.key"),
                "",
                {"client-certificate: ", "No such file"}},
        BadCase{"KeyIsNoKey",
                config_with("server: https://a", "client-certificate: good.crt, client-key: good.crt"),
                "",
                {"client-key /", "/good.crt is not a PEM private key"}},
        BadCase{"KeyOfAnotherCertificate",
                config_with("server: https://a", "client-certificate-data: " + certificate_data +
                                                     ", client-key-data: " + Bytes(new_pair().key).to_base64()),
                "",
                {"user \"u\": client-key-data does not belong to client-certificate-data"}},
        BadCase{"LockedKey",
                config_with("server: https://a", "client-certificate: good.crt, client-key: locked.key"),
                "",
                {"client-key /", "/locked.key is encrypted"}},
        BadCase{"TokenIsANumber", config_with("server: https://a", "token: 12345"), "", {"token must be a string"}},
        BadCase{"AuthProvider", config_with("server: https://a", "auth-provider: {name: gcp}"), "", {"auth-provider"}}),
    [](const auto& tested) { return tested.param.name; });

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

// The environment in which a process searches for its cluster.
class FindCluster : public ::testing::Test {
 protected:
  void pod(const TemporaryFolder& root) const {
    root.write("var/run/secrets/kubernetes.io/serviceaccount/token", "secret");
    root.write("var/run/secrets/kubernetes.io/serviceaccount/ca.crt", certificate);
    root.write("var/run/secrets/kubernetes.io/serviceaccount/namespace", "team\n");
  }

  TemporaryFolder home_;
  ScopedVariable home_variable_{"HOME", home_.path("").c_str()};
  ScopedVariable list_{"KUBECONFIG", nullptr};
  ScopedVariable host_{"KUBERNETES_SERVICE_HOST", nullptr};
  ScopedVariable port_{"KUBERNETES_SERVICE_PORT", nullptr};
};

TEST_F(FindCluster, PrefersTheGivenFile) {
  const ScopedVariable list("KUBECONFIG", "/nowhere");
  const std::string file = home_.write("mine", plain_config("mine"));

  EXPECT_EQ(find_cluster(file)->endpoint->host, "mine");
}

TEST_F(FindCluster, ChecksTheDatesOfCertificatesWhereverItFindsThem) {
  const std::string text = config_with("server: https://a", "client-certificate-data: " + certificate_data +
                                                                ", client-key-data: " + Bytes(key).to_base64());
  const std::string file = home_.write("listed", text);
  const WallTime late = expiry + std::chrono::hours(1);

  EXPECT_THAT(find_cluster(file, "", late).error().message, HasSubstr("expired"));
  home_.write(".kube/config", text);
  EXPECT_THAT(find_cluster("", "", late).error().message, HasSubstr("expired"));
  const ScopedVariable list("KUBECONFIG", file.c_str());
  EXPECT_THAT(find_cluster("", "", late).error().message, HasSubstr("expired"));
  EXPECT_TRUE(find_cluster("", "", expiry));
}

TEST_F(FindCluster, MergesTheFilesOfTheVariableAndSkipsMissingOnes) {
  const std::string list =
      "/nowhere::" + home_.write("a", plain_config("a")) + ":" + home_.write("b", plain_config("b"));
  const ScopedVariable variable("KUBECONFIG", list.c_str());

  EXPECT_EQ(find_cluster()->endpoint->host, "a");
  EXPECT_EQ(find_cluster("", "b")->token, "of-b");
  EXPECT_THAT(find_cluster("", "c").error().message, HasSubstr("choose one of: a, b"));
}

TEST_F(FindCluster, ReportsThatNoFileOfTheVariableExists) {
  const ScopedVariable variable("KUBECONFIG", "/nowhere/a:/nowhere/b");

  EXPECT_THAT(find_cluster().error().message,
              AllOf(HasSubstr("/nowhere/a:/nowhere/b"), HasSubstr("none of these files")));
}

TEST_F(FindCluster, FallsBackToTheFileAtHome) {
  home_.write(".kube/config", plain_config("home"));

  EXPECT_EQ(find_cluster()->endpoint->host, "home");
}

TEST_F(FindCluster, ListsTheAttemptedSources) {
  const auto cluster = find_cluster();

  ASSERT_FALSE(cluster);
  EXPECT_EQ(cluster.error().code, ErrorCode::invalid);
  EXPECT_THAT(cluster.error().message, AllOf(HasSubstr("$KUBECONFIG is not set"), HasSubstr("KUBERNETES_SERVICE_HOST"),
                                             HasSubstr(".kube/config"), HasSubstr("specify a kubeconfig")));
}

TEST_F(FindCluster, ReadsTheServiceAccountOfAPod) {
  const ScopedVariable host("KUBERNETES_SERVICE_HOST", "fd00::1");
  const ScopedVariable port("KUBERNETES_SERVICE_PORT", "443");
  pod(home_);

  const auto cluster = load_in_cluster(home_.path("."));

  ASSERT_TRUE(cluster) << cluster.error().message;
  EXPECT_EQ(cluster->endpoint->host, "fd00::1");
  EXPECT_TRUE(cluster->endpoint->tls);
  EXPECT_EQ(cluster->endpoint->ca, certificate);
  EXPECT_EQ(cluster->token, "");
  EXPECT_THAT(cluster->token_file, HasSubstr("serviceaccount/token"));
  EXPECT_EQ(cluster->namespace_, "team");
  EXPECT_EQ(cluster->origin, "in-cluster");
  EXPECT_THAT(cluster->warnings, IsEmpty());
  EXPECT_THAT(load_in_cluster(home_.path("."), expiry + std::chrono::hours(1))->warnings,
              ElementsAre(HasSubstr("serviceaccount/ca.crt (in-cluster) has expired")));
}

TEST_F(FindCluster, NamesTheMissingPartsOfAPod) {
  EXPECT_THAT(load_in_cluster().error().message, HasSubstr("does not run in a pod"));

  const ScopedVariable host("KUBERNETES_SERVICE_HOST", "10.0.0.1");
  const ScopedVariable port("KUBERNETES_SERVICE_PORT", "443");

  EXPECT_THAT(
      load_in_cluster(home_.path(".")).error().message,
      AllOf(StartsWith("in-cluster: "), HasSubstr("token: No such file"), HasSubstr("automountServiceAccountToken")));
  EXPECT_THAT(find_cluster("", "dev").error().message, HasSubstr("context \"dev\" is requested"));
}

}  // namespace
}  // namespace pintle
