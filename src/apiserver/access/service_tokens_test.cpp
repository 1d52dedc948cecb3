// SPDX-License-Identifier: Apache-2.0
// The tokens of service accounts (server-facts 13).
#include <chrono>
#include <string>

#include <pintle/object/bytes.hpp>

#include "../test_server.hpp"

namespace pintle {
namespace {

using namespace std::chrono_literals;

const std::string accounts = "/api/v1/namespaces/default/serviceaccounts";
// The part of a token with this index.
std::string part_of_token(const std::string& token, int index) {
  std::size_t begin = 0;
  for (int i = 0; i < index; ++i) begin = token.find('.', begin) + 1;
  std::string part = token.substr(begin, token.find('.', begin) - begin);
  for (char& c : part) c = c == '-' ? '+' : c == '_' ? '/' : c;
  part.append((4 - part.size() % 4) % 4, '=');
  return Bytes::from_base64(part).value().data;
}

const std::string token_review = "/apis/authentication.k8s.io/v1/tokenreviews";

class ServiceTokensTest : public ServerTest {
 protected:
  explicit ServiceTokensTest(std::uint64_t seed = 1)
      : ServerTest({.token = "root", .authorization = ApiServerAuthorization::rbac}, seed) {
    EXPECT_EQ(admin("POST", accounts, R"({"metadata":{"name":"robot"}})").status, 201);
  }
  TestReply as(const std::string& token, const std::string& method, std::string target, std::string body = "") {
    return call(method, std::move(target), std::move(body), "application/json", {{"Authorization", "Bearer " + token}});
  }
  TestReply admin(const std::string& method, std::string target, std::string body = "") {
    return as("root", method, std::move(target), std::move(body));
  }
  TestReply request(const std::string& spec = "{}") {
    return admin("POST", accounts + "/robot/token", R"({"spec":)" + spec + "}");
  }
  std::string token(const std::string& spec = "{}") { return request(spec).at("/status/token"); }
  TestReply self(const std::string& token) {
    return as(token, "POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", "{}");
  }
};

TEST_F(ServiceTokensTest, ATokenAuthenticatesTheServiceAccountWithItsGroups) {
  const TestReply made = request();
  EXPECT_EQ(made.status, 201);
  EXPECT_EQ(made.at("/kind"), "TokenRequest");
  EXPECT_EQ(made.at("/spec/audiences"), R"(["https://kubernetes.default.svc"])");
  EXPECT_EQ(made.at("/spec/expirationSeconds"), "3600");
  const TestReply review = self(made.at("/status/token"));
  EXPECT_EQ(review.at("/status/userInfo/username"), "system:serviceaccount:default:robot");
  EXPECT_EQ(review.at("/status/userInfo/uid"), admin("GET", accounts + "/robot").at("/metadata/uid"));
  EXPECT_EQ(review.at("/status/userInfo/groups"),
            R"(["system:serviceaccounts","system:serviceaccounts:default","system:authenticated"])");
  EXPECT_EQ(review.at("/status/userInfo/extra/authentication.kubernetes.io~1credential-id/0").substr(0, 4), "JTI=");
}

TEST_F(ServiceTokensTest, ATokenExpires) {
  const std::string short_lived = token(R"({"expirationSeconds":600})");
  executor_.sleep_for(599s);
  EXPECT_EQ(self(short_lived).status, 201);
  executor_.sleep_for(1s);
  EXPECT_EQ(self(short_lived).status, 401);
  EXPECT_EQ(request(R"({"expirationSeconds":599})").causes(), "FieldValueInvalid@spec.expirationSeconds");
  EXPECT_EQ(request(R"({"expirationSeconds":4294967297})").causes(), "FieldValueInvalid@spec.expirationSeconds");
}

TEST_F(ServiceTokensTest, ATokenEndsWithItsServiceAccount) {
  const std::string issued = token();
  ASSERT_EQ(admin("DELETE", accounts + "/robot").status, 200);
  EXPECT_EQ(self(issued).status, 401);
  ASSERT_EQ(admin("POST", accounts, R"({"metadata":{"name":"robot"}})").status, 201);
  EXPECT_EQ(self(issued).status, 401) << "another account with the same name";
  EXPECT_EQ(admin("POST", accounts + "/nobody/token", "{}").status, 404);
}

TEST_F(ServiceTokensTest, ATokenThatWasChangedIsRefused) {
  std::string issued = token();
  const std::size_t payload = issued.find('.') + 10;
  issued[payload] = issued[payload] == 'A' ? 'B' : 'A';
  EXPECT_EQ(self(issued).status, 401);
  EXPECT_EQ(self("a.b.c").status, 401);
  const std::string one = token();
  const std::string other = token(R"({"expirationSeconds":7200})");
  EXPECT_EQ(self(other.substr(0, other.rfind('.')) + one.substr(one.rfind('.'))).status, 401)
      << "the signature of another token";
  EXPECT_EQ(self(issued.substr(0, issued.rfind('.') + 1)).status, 401) << "without a signature";
}

TEST_F(ServiceTokensTest, ATokenIsValidForItsAudiencesOnly) {
  const std::string issued = token(R"({"audiences":["vault"]})");
  EXPECT_EQ(self(issued).status, 401) << "the server is no audience";
  const auto review = [&](const std::string& audiences) {
    return admin("POST", token_review, R"({"spec":{"token":")" + issued + R"(","audiences":)" + audiences + "}}");
  };
  EXPECT_EQ(review(R"(["x","vault"])").at("/status/authenticated"), "true");
  EXPECT_EQ(review(R"(["x","vault"])").at("/status/audiences"), R"(["vault"])");
  EXPECT_EQ(review(R"(["x"])").at("/status/error"), "invalid bearer token");
}

TEST_F(ServiceTokensTest, ABoundTokenEndsWithItsPod) {
  ASSERT_EQ(admin("POST", "/api/v1/nodes", R"({"metadata":{"name":"n1"}})").status, 201);
  ASSERT_EQ(admin("POST", "/api/v1/namespaces/default/pods",
                  R"({"metadata":{"name":"p"},"spec":{"nodeName":"n1","serviceAccountName":"robot",
                     "containers":[{"name":"c","image":"i"}]}})")
                .status,
            201);
  const std::string bound = R"({"boundObjectRef":{"kind":"Pod","apiVersion":"v1","name":"p"}})";
  const std::string issued = token(bound);
  const std::string extra = "/status/userInfo/extra/authentication.kubernetes.io~1";
  EXPECT_EQ(self(issued).at(extra + "pod-name"), R"(["p"])");
  EXPECT_EQ(self(issued).at(extra + "node-name"), R"(["n1"])");
  ASSERT_EQ(admin("DELETE", "/api/v1/namespaces/default/pods/p?gracePeriodSeconds=0").status, 200);
  EXPECT_EQ(self(issued).status, 401);
  EXPECT_EQ(request(bound).status, 404);
  EXPECT_EQ(request(R"({"boundObjectRef":{"kind":"ConfigMap","apiVersion":"v1","name":"p"}})").status, 400);
}

TEST_F(ServiceTokensTest, APodWithAnotherServiceAccountIsRefused) {
  ASSERT_EQ(admin("POST", "/api/v1/namespaces/default/pods",
                  R"({"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i"}]}})")
                .status,
            201);
  EXPECT_EQ(request(R"({"boundObjectRef":{"kind":"Pod","apiVersion":"v1","name":"p"}})").status, 400);
}

TEST_F(ServiceTokensTest, ARefusalStatesItsReason) {
  ASSERT_EQ(admin("POST", "/api/v1/namespaces/default/secrets", R"({"metadata":{"name":"s"}})").status, 201);
  const auto message = [this](const std::string& spec) { return request(spec).at("/message"); };
  const auto bound_to = [&](const std::string& object) { return message(R"({"boundObjectRef":)" + object + "}"); };
  EXPECT_EQ(message(R"({"expirationSeconds":10})"),
            "TokenRequest.authentication.k8s.io \"\" is invalid: spec.expirationSeconds: Invalid value: 10: may not "
            "specify a duration less than 10 minutes");
  EXPECT_EQ(bound_to(R"({"kind":"ConfigMap","apiVersion":"v1","name":"c"})"),
            "cannot bind token to object of type /v1, Kind=ConfigMap");
  EXPECT_EQ(bound_to(R"({"kind":"Job","apiVersion":"batch/v1","name":"j"})"),
            "cannot bind token to object of type batch/v1, Kind=Job");
  EXPECT_EQ(bound_to(R"({"kind":"Secret","apiVersion":"v1","name":"none"})"), "secrets \"none\" not found");
  EXPECT_EQ(bound_to(R"({"kind":"Secret","apiVersion":"v1","name":"s","uid":"u"})"),
            "Operation cannot be fulfilled on Secret \"s\": the UID in the bound object reference (u) does not match "
            "the UID in record. The object might have been deleted and then recreated");
  EXPECT_EQ(admin("POST", accounts + "/robot/token", R"({"metadata":{"name":"other"}})").at("/message"),
            "TokenRequest.authentication.k8s.io \"robot\" is invalid: metadata.name: Invalid value: \"other\": must "
            "match the service account name if specified");
}

TEST_F(ServiceTokensTest, ADryRunIssuesNone) {
  EXPECT_EQ(admin("POST", accounts + "/robot/token?dryRun=All", "{}").at("/status/token"), "");
}

TEST_F(ServiceTokensTest, TheIssuerPublishesItsKey) {
  const TestReply document = admin("GET", "/.well-known/openid-configuration");
  EXPECT_EQ(document.at("/issuer"), "https://kubernetes.default.svc");
  const TestReply keys = admin("GET", "/openid/v1/jwks");
  EXPECT_EQ(keys.headers.get("Content-Type"), "application/jwk-set+json");
  EXPECT_EQ(keys.at("/keys/0/alg"), document.at("/id_token_signing_alg_values_supported/0"));
  EXPECT_EQ(keys.at("/keys/0/alg"), "RS256");
  EXPECT_EQ(keys.at("/keys/0/kty"), "RSA");
  EXPECT_EQ(keys.at("/keys/0/e"), "AQAB");
  EXPECT_EQ(keys.at("/keys/0/n").size(), 342U) << "2048 bits";
  EXPECT_EQ(json::parse(part_of_token(token(), 0)).value().at("kid"), keys.json.at("keys").at(0).at("kid"));
  EXPECT_EQ(as(token(), "GET", "/openid/v1/jwks").status, 200) << "service accounts may read it";
}

TEST(ServiceTokensOfASimulation, DependOnTheSeedOnly) {
  const auto token_of = [](std::uint64_t seed) {
    SimulatedExecutor executor({.seed = seed});
    ApiServer server(executor);
    const auto post = [&](std::string target, std::string body) {
      return server.handle({.method = "POST",
                            .target = std::move(target),
                            .headers = {{"Content-Type", "application/json"}},
                            .body = std::move(body)});
    };
    EXPECT_EQ(post(accounts, R"({"metadata":{"name":"robot"}})").status, 201);
    return post(accounts + "/robot/token", "{}").body;
  };
  EXPECT_EQ(token_of(1), token_of(1));
  EXPECT_NE(token_of(1), token_of(2));
}

}  // namespace
}  // namespace pintle
