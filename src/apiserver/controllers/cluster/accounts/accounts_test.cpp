// SPDX-License-Identifier: Apache-2.0
// The service accounts of namespaces, and tokens in Secrets.
#include <chrono>

#include <pintle/object/bytes.hpp>

#include "../test_support.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

const std::string account_secrets = "/api/v1/namespaces/default/secrets";
const std::string account_path = "/api/v1/namespaces/default/serviceaccounts";

class AccountsTest : public ClusterTest {
 protected:
  AccountsTest() : ClusterTest({.controllers = true, .ca_certificate = "PEM"}) {}

  TestReply make_secret(const std::string& name, const std::string& account) {
    return post(account_secrets, R"({"metadata":{"name":")" + name +
                                     R"(","annotations":{"kubernetes.io/service-account.name":")" + account +
                                     R"("}},"type":"kubernetes.io/service-account-token"})");
  }
  std::string token_in(const std::string& secret) {
    return Bytes::from_base64(get(account_secrets + "/" + secret).at("/data/token")).value().data;
  }
  TestReply review(const std::string& token) {
    return post("/apis/authentication.k8s.io/v1/tokenreviews", R"({"spec":{"token":")" + token + R"("}})");
  }
};

TEST_F(AccountsTest, EachNamespaceHasAnAccountAndTheCertificate) {
  post("/api/v1/namespaces", config_map("shop"));
  run_until_idle();
  for (const char* space : {"default", "kube-system", "shop"}) {
    const std::string path = std::string("/api/v1/namespaces/") + space;
    EXPECT_EQ(get(path + "/serviceaccounts/default").status, 200) << space;
    EXPECT_EQ(get(path + "/configmaps/kube-root-ca.crt").at("/data"), R"({"ca.crt":"PEM"})") << space;
  }
  EXPECT_EQ(post(account_path + "/default/token", "{}").status, 201);
}

TEST_F(AccountsTest, TheyAreMadeAgainAfterAChange) {
  run_until_idle();
  const std::string uid = get(account_path + "/default").at("/metadata/uid");
  remove(account_path + "/default");
  merge(config_maps + "/kube-root-ca.crt", R"({"data":{"ca.crt":"other"}})");
  remove("/api/v1/namespaces/kube-system/configmaps/kube-root-ca.crt");
  run_until_idle();
  EXPECT_EQ(get(account_path + "/default").status, 200);
  EXPECT_NE(get(account_path + "/default").at("/metadata/uid"), uid);
  EXPECT_EQ(get(config_maps + "/kube-root-ca.crt").at("/data/ca.crt"), "PEM");
  EXPECT_EQ(get("/api/v1/namespaces/kube-system/configmaps/kube-root-ca.crt").status, 200);
}

TEST_F(AccountsTest, ANamespaceIsDeletedWithThem) {
  post("/api/v1/namespaces", config_map("shop"));
  run_until_idle();
  remove("/api/v1/namespaces/shop");
  run_until_idle();
  EXPECT_EQ(get("/api/v1/namespaces/shop").status, 404);
}

TEST_F(AccountsTest, ASecretGetsTheTokenOfItsAccount) {
  post(account_path, R"({"metadata":{"name":"robot"}})");
  ASSERT_EQ(make_secret("s", "robot").status, 201);
  run_until_idle();
  const auto secret = get(account_secrets + "/s");
  EXPECT_EQ(secret.at("/metadata/annotations/kubernetes.io~1service-account.uid"),
            get(account_path + "/robot").at("/metadata/uid"));
  EXPECT_EQ(secret.at("/data/namespace"), Bytes(std::string("default")).to_base64());
  EXPECT_EQ(secret.at("/data/ca.crt"), Bytes(std::string("PEM")).to_base64());
  const std::string token = token_in("s");
  const auto reviewed = review(token);
  EXPECT_EQ(reviewed.at("/status/user/username"), "system:serviceaccount:default:robot") << reviewed.body;
  EXPECT_EQ(reviewed.at("/status/user/groups"),
            R"(["system:serviceaccounts","system:serviceaccounts:default","system:authenticated"])");
  executor_.sleep_for(24h * 365);
  EXPECT_EQ(review(token).at("/status/authenticated"), "true") << "it does not expire";

  merge(account_secrets + "/s", R"({"data":{"token":null}})");
  run_until_idle();
  EXPECT_EQ(token_in("s"), token) << "it is filled in again";
  merge(account_secrets + "/s", R"({"data":{"token":"eA=="}})");
  EXPECT_NE(review(token).at("/status/authenticated"), "true") << "the Secret no longer contains it";
}

TEST_F(AccountsTest, ASecretIsDeletedWithItsAccount) {
  post(account_path, R"({"metadata":{"name":"robot"}})");
  make_secret("s", "robot");
  make_secret("stray", "nobody");
  run_until_idle();
  EXPECT_EQ(names("secrets"), "s");
  const std::string token = token_in("s");
  remove(account_path + "/robot");
  EXPECT_NE(review(token).at("/status/authenticated"), "true");
  run_until_idle();
  EXPECT_EQ(names("secrets"), "");
}

TEST_F(AccountsTest, ASecretWithoutTheNameOfAnAccountIsRefused) {
  const auto refused =
      post(account_secrets, R"({"metadata":{"name":"s"},"type":"kubernetes.io/service-account-token"})");
  EXPECT_EQ(refused.status, 422);
  EXPECT_EQ(refused.causes(), "FieldValueRequired@metadata.annotations[kubernetes.io/service-account.name]");
}

}  // namespace
}  // namespace pintle
