// SPDX-License-Identifier: Apache-2.0
// The reviews of authentication.k8s.io and authorization.k8s.io.
#include "apiserver/test_server.hpp"

namespace pintle {
namespace {

const std::string authentication = "/apis/authentication.k8s.io/v1";
const std::string authorization = "/apis/authorization.k8s.io/v1";

class Reviews : public ServerTest {
 protected:
  Reviews() : ServerTest({.token = "sesame"}) {}
  TestReply send(const std::string& method, std::string target, std::string body = "") {
    return call(method, std::move(target), std::move(body), "application/json", {{"Authorization", "Bearer sesame"}});
  }
  TestReply review_token(const std::string& token) {
    return send("POST", authentication + "/tokenreviews", R"({"spec":{"token":")" + token + R"("}})");
  }
};

TEST_F(Reviews, OnlyTheTokenOfTheServerIsAuthenticated) {
  const auto known = review_token("sesame");
  EXPECT_EQ(known.status, 201);
  EXPECT_EQ(known.at("/kind"), "TokenReview");
  EXPECT_EQ(known.at("/status/authenticated"), "true");
  EXPECT_EQ(known.at("/status/user/username"), "admin");
  EXPECT_EQ(known.at("/status/user/groups"), R"(["system:masters","system:authenticated"])");

  const auto unknown = review_token("sesam");
  EXPECT_EQ(unknown.status, 201);
  EXPECT_EQ(unknown.at("/status/authenticated"), "");
  EXPECT_EQ(unknown.at("/status/user"), "{}");
  EXPECT_NE(unknown.at("/status/error"), "");

  EXPECT_EQ(review_token("").status, 400);
}

TEST_F(Reviews, EverythingIsAllowedWithAReason) {
  const auto allowed = send("POST", authorization + "/subjectaccessreviews",
                            R"({"spec":{"user":"jane","groups":["a"],"extra":{"x":["y"]},
                               "nonResourceAttributes":{"path":"/metrics","verb":"get"}},"status":{"allowed":false}})");
  EXPECT_EQ(allowed.status, 201);
  EXPECT_EQ(allowed.at("/status/allowed"), "true");
  EXPECT_NE(allowed.at("/status/reason").find("does not authorize requests"), std::string::npos);
  EXPECT_EQ(allowed.at("/spec/nonResourceAttributes/path"), "/metrics");

  const auto self = send("POST", authorization + "/selfsubjectaccessreviews",
                         R"({"spec":{"resourceAttributes":{"verb":"get","resource":"secrets"}}})");
  EXPECT_EQ(self.at("/status/allowed"), "true");
  EXPECT_EQ(send("POST", authorization + "/selfsubjectrulesreviews", R"({"spec":{"namespace":"default"}})")
                .at("/status/resourceRules/0/verbs"),
            R"(["*"])");
  EXPECT_EQ(send("POST", authentication + "/selfsubjectreviews", "{}").at("/status/userInfo/username"), "admin");
}

// server-facts 21
TEST_F(Reviews, AReviewOfTheSenderHasATime) {
  EXPECT_NE(send("POST", authentication + "/selfsubjectreviews", "{}").at("/metadata/creationTimestamp"), "");
}

TEST_F(Reviews, AnAccessReviewNeedsAUserAndAttributes) {
  const std::string target = authorization + "/subjectaccessreviews";
  EXPECT_EQ(send("POST", target, "{}").causes(),
            "FieldValueInvalid@spec.resourceAttributes FieldValueInvalid@spec.user");
  EXPECT_EQ(
      send("POST", target, R"({"spec":{"groups":["g"],"resourceAttributes":{},"nonResourceAttributes":{}}})").causes(),
      "FieldValueInvalid@spec.nonResourceAttributes");
}

TEST_F(Reviews, TheRequirementsOfSelectorsAreChecked) {
  const auto review = [&](const std::string& attributes) {
    return send("POST", authorization + "/subjectaccessreviews",
                R"({"spec":{"user":"u","resourceAttributes":{)" + attributes + "}}}");
  };
  EXPECT_EQ(
      review(R"("fieldSelector":{"requirements":[{"operator":"In"},{"key":"a","operator":"Exists","values":["b"]}]})")
          .causes(),
      "FieldValueRequired@spec.resourceAttributes.fieldSelector.requirements[0].key "
      "FieldValueRequired@spec.resourceAttributes.fieldSelector.requirements[0].values "
      "FieldValueForbidden@spec.resourceAttributes.fieldSelector.requirements[1].values");
  EXPECT_EQ(review(R"("labelSelector":{"requirements":[{"key":"a b","operator":"In","values":["c d"]}]})").causes(),
            "FieldValueInvalid@spec.resourceAttributes.labelSelector.requirements[0].key "
            "FieldValueInvalid@spec.resourceAttributes.labelSelector.requirements[0].values[0]");
}

TEST_F(Reviews, SayWhichSelectorsCannotBeRead) {
  const auto error_of = [&](const std::string& attributes) {
    return send("POST", authorization + "/subjectaccessreviews",
                R"({"spec":{"user":"u","resourceAttributes":{)" + attributes + "}}}")
        .at("/status/evaluationError");
  };
  EXPECT_EQ(error_of(R"("fieldSelector":{"requirements":[{"key":"a","operator":"In","values":["b"]}]})"), "");
  EXPECT_EQ(error_of(R"("fieldSelector":{"requirements":[{"key":"a","operator":"Exists"},
                                                         {"key":"a","operator":"In","values":["b"]}]})"),
            "spec.resourceAttributes.fieldSelector partially ignored due to parse error");
  EXPECT_EQ(error_of(R"("fieldSelector":{"rawSelector":"a"},"labelSelector":{"rawSelector":"a in"})"),
            "spec.resourceAttributes.fieldSelector ignored due to parse error; "
            "spec.resourceAttributes.labelSelector ignored due to parse error");
}

TEST_F(Reviews, CanOnlyBeCreatedAndAreNeverStored) {
  const std::uint64_t writes = server_.writes();
  ASSERT_EQ(review_token("sesame").status, 201);
  EXPECT_EQ(server_.writes(), writes);
  for (const char* method : {"GET", "DELETE", "PUT"}) {
    EXPECT_EQ(send(method, authentication + "/tokenreviews").status, 405) << method;
  }
  EXPECT_EQ(send("GET", authentication + "/tokenreviews/a").status, 405);
  const auto listed = send("GET", authentication);
  EXPECT_EQ(listed.at("/resources/1/name"), "tokenreviews");
  EXPECT_EQ(listed.at("/resources/1/verbs"), R"(["create"])");
  EXPECT_EQ(listed.at("/resources/1/storageVersionHash"), "");
}

TEST_F(Reviews, AreReadFromTheProtobufOfKubectl) {
  const auto field = [](char number, const std::string& value) {
    return std::string({static_cast<char>(number << 3 | 2), static_cast<char>(value.size())}) + value;
  };
  const std::string type = field(1, "authorization.k8s.io/v1") + field(2, "SelfSubjectAccessReview");
  const std::string path = field(1, "/metrics") + field(2, "get");
  const std::string raw = field(1, field(1, "")) + field(2, field(2, path));
  const auto response = call("POST", authorization + "/selfsubjectaccessreviews",
                             std::string("k8s\0", 4) + field(1, type) + field(2, raw),
                             "application/vnd.kubernetes.protobuf", {{"Authorization", "Bearer sesame"}});
  EXPECT_EQ(response.status, 201) << response.body;
  EXPECT_EQ(response.at("/spec/nonResourceAttributes"), R"({"path":"/metrics","verb":"get"})");
  EXPECT_EQ(response.at("/status/allowed"), "true");
}

class OpenReviews : public ServerTest {};

TEST_F(OpenReviews, WithoutAServerTokenAllUsersAreAnonymous) {
  EXPECT_EQ(post(authentication + "/tokenreviews", R"({"spec":{"token":"sesame"}})").at("/status/authenticated"), "");
  EXPECT_EQ(post(authentication + "/selfsubjectreviews", "{}").at("/status/userInfo/username"), "system:anonymous");
}

}  // namespace
}  // namespace pintle
