// SPDX-License-Identifier: Apache-2.0
#include <pintle/testing/matchers.hpp>

#include <gmock/gmock.h>

#include <pintle/api/everyday.hpp>
#include <pintle/object/codec.hpp>
#include <pintle/object/owner.hpp>

namespace pintle::testkit {
namespace {

using ::testing::HasSubstr;

Object object(std::string_view yaml) { return Object(json::parse_yaml(yaml).value()); }

// Checks the result and the message of a matcher.
void expect(bool holds, const std::string& message, const CheckResult& result) {
  EXPECT_EQ(result.holds, holds);
  EXPECT_EQ(result.message, message);
}

const Object web = object(R"(
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
  generation: 3
  labels: {app: api}
  annotations: {note: x}
  finalizers: [a/b]
  ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: shop, uid: u1, controller: true}]
spec: {replicas: 2, ports: [1, 2]}
status:
  conditions: [{type: Ready, status: "True", reason: Fine, message: all run}, {type: Stale, status: "False", reason: Fresh}]
)");

TEST(Matchers, ReadMetadataAndDescribeWhatTheyFind) {
  expect(true, "label app is \"api\"", has_label("app", "api")(web));
  expect(false, "label app is \"api\" instead of \"web\"", has_label("app", "web")(web));
  expect(false, "label tier is missing", has_label("tier", "")(web));
  expect(false, "annotation note is \"x\" instead of \"y\"", has_annotation("note", "y")(web));
  expect(true, R"(the finalizers are ["a/b"])", has_finalizer("a/b")(web));
  expect(false, R"(the finalizers are ["a/b"])", has_finalizer("a")(web));
  expect(false, "the object is not being deleted", is_deleting()(web));
}

TEST(Matchers, ReadConditions) {
  expect(true, "condition Ready is True with the reason Fine: all run", has_condition("Ready")(web));
  expect(true, "condition Stale is False with the reason Fresh", has_condition("Stale", "False", "Fresh")(web));
  expect(false, "condition Stale is False with the reason Fresh, instead of False with the reason Yes",
         has_condition("Stale", "False", "Yes")(web));
  expect(false, "condition Stale is False with the reason Fresh, instead of True", has_condition("Stale")(web));
  expect(false, "condition Lost is missing", has_condition("Lost", "False")(web));
}

TEST(Matchers, ReadyMeansTheCurrentGeneration) {
  expect(true, "condition Ready is True with the reason Fine: all run", is_ready()(web));
  json::Value older = web.to_value();
  older.at("status").as_object()["observedGeneration"] = 2;
  expect(false, "condition Ready is True with the reason Fine: all run, for generation 2 instead of 3",
         is_ready()(Object(older)));
  // The generation in the condition takes precedence.
  older.at("status").at("conditions").at(0).as_object()["observedGeneration"] = 3;
  EXPECT_TRUE(is_ready()(Object(older)));
  older.at("status").at("conditions").at(0).as_object()["status"] = "Unknown";
  EXPECT_FALSE(is_ready()(Object(older)));
  expect(false, "condition Ready is missing", is_ready()(Object()));
}

TEST(Matchers, AControllerIsFoundByItsUidOrItsName) {
  const ConfigMap shop{.metadata = {.name = "shop", .uid = "u1"}};
  const ConfigMap recreated{.metadata = {.name = "shop", .uid = "u2"}};
  EXPECT_TRUE(is_controlled_by(shop)(web));
  EXPECT_TRUE(is_controlled_by(ConfigMap{.metadata = {.name = "shop"}})(web));
  EXPECT_FALSE(is_controlled_by(Secret{.metadata = {.name = "shop"}})(web));
  expect(false, "the controller is v1 ConfigMap shop (uid u1) instead of v1 ConfigMap shop (uid u2)",
         is_controlled_by(recreated)(web));
  expect(false, "the object has no controller", is_controlled_by(shop)(Object()));
}

TEST(Matchers, DataOfASecretIsDecoded) {
  const Object map = object("{apiVersion: v1, kind: ConfigMap, data: {a: eA==}}");
  const Object secret = object("{apiVersion: v1, kind: Secret, data: {a: eA==}}");
  EXPECT_TRUE(has_data("a", "eA==")(map));
  EXPECT_TRUE(has_data("a", "x")(secret));
  expect(false, "data \"a\" is \"x\" instead of \"eA==\"", has_data("a", "eA==")(secret));
  expect(false, "data \"b\" is missing", has_data("b", "")(secret));
}

TEST(Matchers, FieldsAndPartsAreComparedByValue) {
  expect(true, "/spec/replicas is 2", has_field("/spec/replicas", 2.0)(web));
  expect(false, "/spec/replicas is 2 instead of 3", has_field("/spec/replicas", 3)(web));
  expect(false, "/spec/paused is missing instead of true", has_field("/spec/paused", true)(web));
  EXPECT_TRUE(has_field("/spec/paused", nullptr)(web));
  expect(false, "/spec/replicas is 2 instead of missing", has_field("/spec/replicas", nullptr)(web));

  EXPECT_TRUE(contains({{"spec", {{"replicas", 2}}}})(web));
  EXPECT_TRUE(contains_yaml("{metadata: {labels: {app: api}}, spec: {ports: [1, 2], paused: null}}")(web));
  expect(false, "/spec/ports/1 is 2 instead of 3", contains_yaml("spec: {ports: [1, 3]}")(web));
  expect(false, "/spec/ports is [1,2] instead of [1]", contains_yaml("spec: {ports: [1]}")(web));
  expect(false, R"(/spec/replicas is 2 instead of {"a":1})", contains_yaml("spec: {replicas: {a: 1}}")(web));
  expect(false, "/status/phase is missing instead of \"Bound\"", contains_yaml("status: {phase: Bound}")(web));
  const CheckResult unreadable = contains_yaml("{")(web);
  EXPECT_FALSE(unreadable);
  EXPECT_THAT(unreadable.message, HasSubstr("invalid YAML"));
}

TEST(Matchers, Combine) {
  const auto is_api = has_label("app", "api");
  const auto is_web = has_label("app", "web");
  expect(true, "label app is \"api\"; /spec/replicas is 2", all_of(is_api, has_field("/spec/replicas", 2))(web));
  expect(false, "label app is \"api\" instead of \"web\"", all_of(is_api, is_web, is_api)(web));
  expect(true, "label app is \"api\" instead of \"web\"; label app is \"api\"", any_of(is_web, is_api)(web));
  EXPECT_FALSE(any_of(is_web, is_deleting())(web));
  expect(true, "label app is \"api\" instead of \"web\"", negated(is_web)(web));
  EXPECT_FALSE(negated(all_of(is_api))(web));
}

TEST(Matchers, FunctionsOfStructsCombineWithMatchersOfObjects) {
  const ConfigMap map =
      decode<ConfigMap>(object("{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {x: v}}")).value();
  const auto has_one = [](const ConfigMap& one) { return one.data.size() == 1; };
  const auto refuses = [](const ConfigMap&) -> Result<void> { return fail(ErrorCode::invalid, "not this one"); };
  EXPECT_TRUE(match(map, has_one));
  EXPECT_TRUE(match(map, all_of(has_one, has_data("x", "v"))));
  expect(false, "data \"x\" is \"v\" instead of \"z\"", match(map, all_of(has_one, has_data("x", "z"))));
  expect(false, "not this one", match(map, refuses));
  EXPECT_FALSE(match(map, negated([](const ConfigMap&) { return true; })));
}

}  // namespace
}  // namespace pintle::testkit
