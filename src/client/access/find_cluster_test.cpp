// SPDX-License-Identifier: Apache-2.0
// The places where a program finds its cluster.
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
