// SPDX-License-Identifier: Apache-2.0
// Errors in kubeconfigs.
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

}  // namespace
}  // namespace pintle
