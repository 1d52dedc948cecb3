// SPDX-License-Identifier: Apache-2.0
#include "admission_review.hpp"

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <pintle/base/executor.hpp>
#include <pintle/json/pointer.hpp>
#include <pintle/json/value.hpp>
#include <pintle/object/bytes.hpp>

namespace pintle {
namespace {

using ::testing::HasSubstr;

std::string review_text(const std::string& request) {
  return R"({"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":)" + request + "}";
}

json::Value answer_of(const AdmissionVerdict& verdict, const json::Patch& patch = {}) {
  return json::parse(print_admission_review("u-1", verdict, patch)).value();
}

std::string text_at(const json::Value& value, const char* pointer) {
  const json::Value* found = json::find(value, pointer);
  return found == nullptr ? "missing" : json::print(*found);
}

TEST(AdmissionReview, ReadsAllMembersOfARequest) {
  const auto request = read_admission_review(review_text(R"({
    "uid": "u-1", "operation": "UPDATE", "name": "a", "namespace": "shop", "dryRun": true, "subResource": "status",
    "kind": {"group": "example.com", "version": "v2", "kind": "Greeting"},
    "resource": {"group": "example.com", "version": "v2", "resource": "greetings"},
    "requestKind": {"group": "example.com", "version": "v1", "kind": "Greeting"},
    "requestResource": {"group": "example.com", "version": "v1", "resource": "greetings"},
    "requestSubResource": "status",
    "userInfo": {"username": "anna", "uid": "7", "groups": ["g"], "extra": {"scope": ["x", "y"]}},
    "object": {"metadata": {"name": "new"}}, "oldObject": {"metadata": {"name": "old"}},
    "options": {"kind": "UpdateOptions", "fieldManager": "me"}})"));

  ASSERT_TRUE(request) << request.error().to_string();
  EXPECT_EQ(request->uid, "u-1");
  EXPECT_EQ(request->operation, AdmissionOperation::update);
  EXPECT_EQ(request->describe(), "UPDATE of greetings.example.com/status shop/a");
  EXPECT_TRUE(request->is_dry_run);
  EXPECT_EQ(request->kind.version, "v2");
  EXPECT_EQ(request->original_kind.version, "v1");
  EXPECT_EQ(request->original_resource.version, "v1");
  EXPECT_EQ(request->original_subresource, "status");
  EXPECT_EQ(request->user.name, "anna");
  EXPECT_EQ(request->user.groups, std::vector<std::string>{"g"});
  EXPECT_EQ(request->user.extra.at("scope").size(), 2U);
  EXPECT_EQ(request->object.name(), "new");
  EXPECT_EQ(request->old_object.name(), "old");
  EXPECT_EQ(request->options["/fieldManager"], "me");
}

TEST(AdmissionReview, NamesTheMemberThatIsWrong) {
  const std::string kind = R"("kind":{"version":"v1","kind":"A"},)";
  const std::pair<std::string, std::string> cases[] = {
      {"", "not JSON"},
      {"[]", "not a JSON object"},
      {R"({"kind":"Pod","apiVersion":"admission.k8s.io/v1","request":{}})",
       "kind: expected AdmissionReview, got \"Pod\""},
      {R"({"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1beta1"})", "admissionReviewVersions"},
      {R"({"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1"})", "request: missing"},
      {review_text("{" + kind + R"("operation":"CREATE","object":{}})"), "request.uid"},
      {review_text(R"({"uid":"u","operation":"CREATE","object":{}})"), "request.kind.kind"},
      {review_text("{" + kind + R"("uid":"u","operation":"create","object":{}})"), "got \"create\""},
      {review_text("{" + kind + R"("uid":"u","operation":"CREATE","object":null})"), "request.object: missing"},
      {review_text("{" + kind + R"("uid":"u","operation":"DELETE","object":null})"), "request.oldObject: missing"},
      {review_text("{" + kind + R"("uid":"u","operation":"CREATE","object":[]})"),
       "request.object: expected an object"},
      {std::string(300, '[') + std::string(300, ']'), "not JSON"},
  };
  for (const auto& [body, expected] : cases) {
    const auto request = read_admission_review(body);
    ASSERT_FALSE(request) << body;
    EXPECT_EQ(request.error().code, ErrorCode::invalid);
    EXPECT_THAT(request.error().message, HasSubstr(expected));
  }
}

// The reviews that a kube-apiserver sent.
TEST(AdmissionReview, ReadsTheRecordedReviews) {
  std::size_t count = 0;
  for (const char* name : {"webhook-validate", "webhook-mutate", "webhook-user"}) {
    std::ifstream file("tests/data/conformance/scenarios/" + std::string(name) + ".json");
    std::stringstream text;
    text << file.rdbuf();
    const auto scenario = json::Document::parse(text.str());
    ASSERT_TRUE(scenario) << name;
    for (const json::View step : scenario->root()["/steps"].elements()) {
      for (const json::View call : step.member("expect").elements()) {
        if (call["/body/request/uid"].exists() && call["/body/kind"] == "AdmissionReview") {
          const auto request = read_admission_review(call["/body"].print());
          ASSERT_TRUE(request) << request.error().message << "\n" << call.print();
          EXPECT_EQ(request->uid, "<any>");
          ++count;
        }
      }
    }
  }
  EXPECT_GT(count, 5U);
}

// The response has the uid and the version of the request, and a patchType only with a patch (trap 79).
TEST(AdmissionReview, AdmitsWithTheUidAndNothingElse) {
  EXPECT_EQ(print_admission_review("u-1", admitted()),
            R"({"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":{"uid":"u-1","allowed":true}})");
}

TEST(AdmissionReview, WritesThePatchOnlyIfThereIsOne) {
  const json::Value with = answer_of(admitted(), json::Patch{}.add("/spec", 1));
  EXPECT_EQ(text_at(with, "/response/patchType"), "\"JSONPatch\"");
  const auto decoded = Bytes::from_base64(json::find(with, "/response/patch")->as_string().c_str());
  EXPECT_EQ(decoded->data, R"([{"op":"add","path":"/spec","value":1}])");

  const json::Value denial = answer_of(denied("no"), json::Patch{}.add("/spec", 1));
  EXPECT_EQ(text_at(denial, "/response/patch"), "missing");
  EXPECT_EQ(text_at(denial, "/response/patchType"), "missing");
}

TEST(AdmissionReview, WritesADenialWithItsFields) {
  FieldErrors fields;
  fields.invalid("spec.count", "12", "must be at most 10").required("spec.name");
  const json::Value review = answer_of(denied(fields).with_warning("old\nform").with_audit_annotation("team", "a"));

  EXPECT_EQ(text_at(review, "/response/allowed"), "false");
  EXPECT_EQ(text_at(review, "/response/status/code"), "422");
  EXPECT_EQ(text_at(review, "/response/status/reason"), "\"Invalid\"");
  EXPECT_EQ(text_at(review, "/response/status/message"),
            R"("spec.count: Invalid value: 12: must be at most 10, spec.name: Required value")");
  EXPECT_EQ(text_at(review, "/response/status/details/causes/1"),
            R"({"reason":"FieldValueRequired","message":"Required value","field":"spec.name"})");
  EXPECT_EQ(text_at(review, "/response/warnings"), R"(["old form"])");
  EXPECT_EQ(text_at(review, "/response/auditAnnotations"), R"({"team":"a"})");
}

TEST(AdmissionReview, ADenialNeverHasACodeOfASuccess) {
  EXPECT_EQ(text_at(answer_of(denied("no", 200)), "/response/status/code"), "403");
  EXPECT_EQ(text_at(answer_of(denied("no", 409, "Conflict")), "/response/status/code"), "409");
  EXPECT_EQ(text_at(answer_of(denied(FieldErrors())), "/response/allowed"), "true");
}

// The members of a review, and its error, do not depend on the reviews before it.
TEST(AdmissionReview, ReadsManyReviewsLikeSingleOnes) {
  const auto executor = make_real_executor();
  std::vector<Object> objects;
  std::vector<std::string> expected;
  {
    AdmissionReviewReader reader(*executor);
    for (int i = 0; i < 50; ++i) {
      const std::string number = std::to_string(i);
      const bool is_delete = i % 5 == 0;
      std::string body = review_text(
          R"({"uid":"u-)" + number + R"(","operation":")" + (is_delete ? "DELETE" : "UPDATE") +
          R"(","kind":{"version":"v1","kind":"Pod"},"object":)" +
          (is_delete ? "null" : R"({"metadata":{"name":"a","uid":")" + number + R"("},"spec":{"n":)" + number + "}}") +
          R"(,"oldObject":{"metadata":{"name":"a","labels":{"l)" + std::to_string(i % 3) + R"(":"x"}}},"options":{}})");
      if (i % 7 == 0) body.pop_back();

      const auto one = read_admission_review(body);
      const auto read = reader.read(body);

      ASSERT_EQ(read.has_value(), one.has_value()) << body;
      if (!read) {
        EXPECT_EQ(read.error().message, one.error().message);
        continue;
      }
      EXPECT_EQ(read->uid, "u-" + number);
      EXPECT_EQ(read->object.print(), one->object.print());
      EXPECT_EQ(read->options.print(), "{}");
      objects.push_back(read->old_object);
      expected.push_back(one->old_object.print());
    }
  }
  for (std::size_t i = 0; i < objects.size(); ++i) EXPECT_EQ(objects[i].print(), expected[i]);
}

}  // namespace
}  // namespace pintle
