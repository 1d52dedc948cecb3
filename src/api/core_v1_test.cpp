// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <pintle/api/apiextensions/v1.hpp>
#include <pintle/api/apps/v1.hpp>
#include <pintle/api/everyday.hpp>
#include <pintle/object/codec.hpp>
#include <pintle/object/owner.hpp>

namespace pintle {
namespace {

struct Greeting {
  static constexpr Type type{"demo.pintle.dev/v1", "Greeting"};
  struct Spec {
    std::string who = "world";
    static constexpr auto fields() { return pintle::fields(field("who", &Spec::who, "Whom to greet.")); }
  };
  Metadata metadata{};
  Spec spec{};
};

TEST(ConfigMap, EncodesLikeTheHelloOperatorWritesIt) {
  const Greeting greeting{.metadata = {.name = "a", .namespace_ = "n", .uid = "u"}};
  const json::Value intent = encode_for_apply(ConfigMap{
      .metadata = owned_by(greeting),
      .data = {{"text", "Hello, " + greeting.spec.who + "!"}},
  });
  EXPECT_EQ(
      json::print(intent),
      R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","namespace":"n","ownerReferences":[)"
      R"({"apiVersion":"demo.pintle.dev/v1","kind":"Greeting","name":"a","uid":"u","controller":true,"blockOwnerDeletion":true}]},)"
      R"("data":{"text":"Hello, world!"}})");
}

TEST(ConfigMap, RoundTrips) {
  const ConfigMap map{
      .metadata = {.name = "a"}, .binary_data = {{"b", "\x01\xff"}}, .data = {{"k", "v"}}, .immutable = true};
  const json::Value value = encode(map);
  EXPECT_EQ(
      json::print(value),
      R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"binaryData":{"b":"Af8="},"data":{"k":"v"},"immutable":true})");
  const auto back = decode<ConfigMap>(Object(value));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->binary_data, map.binary_data);
  EXPECT_EQ(back->data, map.data);
  EXPECT_EQ(back->immutable, true);
}

TEST(Secret, EncodesItsDataAsBase64) {
  const Secret secret{.metadata = {.name = "a"}, .data = {{"password", "s3cret"}}, .type_ = "Opaque"};
  const json::Value value = encode(secret);
  EXPECT_EQ(
      json::print(value),
      R"({"apiVersion":"v1","kind":"Secret","metadata":{"name":"a"},"data":{"password":"czNjcmV0"},"type":"Opaque"})");
  EXPECT_EQ(decode<Secret>(Object(value))->data.at("password").data, "s3cret");
  EXPECT_EQ(decode<Secret>(*Object::parse(R"({"kind":"Secret","data":{"a":"?"}})")).error().message,
            "data.a: not valid base64");
}

TEST(OpenEnumeration, AppendingToAListKeepsUnknownValues) {
  const auto before = decode<PersistentVolumeClaim>(*Object::parse(
      R"({"kind":"PersistentVolumeClaim","metadata":{"name":"a"},"spec":{"accessModes":["Telepathy","ReadOnlyMany"]}})"));
  ASSERT_TRUE(before) << before.error().message;
  using enum api::core::v1::PersistentVolumeClaimSpec::AccessMode;
  EXPECT_EQ(before->spec.access_modes, (decltype(before->spec.access_modes){unset, "ReadOnlyMany"}));
  PersistentVolumeClaim after = *before;
  after.spec.access_modes.push_back(read_write_once);
  EXPECT_EQ(json::print(changes(*before, after).operations),
            R"([{"op":"add","path":"/spec/accessModes/2","value":"ReadWriteOnce"}])");
  // An unknown value is encoded as the empty text. A server refuses that, so a write of the whole list cannot lose the
  // value silently.
  EXPECT_EQ(json::print(encode(*before).at("spec")), R"({"accessModes":["","ReadOnlyMany"],"resources":{}})");
}

// The headers only declare `json::Value`, so a member that can be any JSON value is a box.
TEST(AnyJson, IsABoxThatRoundTrips) {
  using api::apiextensions::v1::JSONSchemaProps;
  using api::apps::v1::ControllerRevision;
  const ControllerRevision revision{
      .metadata = {.name = "a"}, .data = json::Value{{"spec", {{"replicas", 3}}}}, .revision = 2};
  const json::Value value = encode(revision);
  EXPECT_EQ(
      json::print(value),
      R"({"apiVersion":"apps/v1","kind":"ControllerRevision","metadata":{"name":"a"},"data":{"spec":{"replicas":3}},"revision":2})");
  const auto back = decode<ControllerRevision>(Object(value));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->data->at_pointer("/spec/replicas"), 3);
  EXPECT_FALSE(decode<ControllerRevision>(*Object::parse(R"({"kind":"ControllerRevision","revision":1})"))->data);

  const JSONSchemaProps schema{
      .enum_ = {json::Value(1), json::Value("a"), json::Value(nullptr), json::Value(json::array{1, 2})}};
  EXPECT_EQ(json::print(internal::Operations<JSONSchemaProps>::write(&schema)), R"({"enum":[1,"a",null,[1,2]]})");
  JSONSchemaProps read;
  internal::Reading reading;
  const Object text = *Object::parse(R"({"enum":[1,"a",null,[1,2]]})");
  ASSERT_TRUE(internal::Operations<JSONSchemaProps>::read(text.root(), &read, internal::Place{}, reading));
  EXPECT_EQ(read.enum_, schema.enum_);
}

TEST(QuantityMaps, TakeLiterals) {
  const ResourceRequirements resources{.limits = {{"memory", "1024Mi"}}};
  EXPECT_EQ(resources.limits.at("memory").to_string(), "1Gi");
}

TEST(QuantityMaps, AreReadAndWrittenAsMaps) {
  const auto quota = decode<api::core::v1::ResourceQuota>(*Object::parse(
      R"({"apiVersion":"v1","kind":"ResourceQuota","metadata":{"name":"a"},"spec":{"hard":{"pods":"4","cpu":"1500m"}}})"));
  ASSERT_TRUE(quota) << quota.error().to_string();
  EXPECT_EQ(quota->spec.hard.at("cpu").milli_value(), 1500);
  EXPECT_EQ(encode(*quota).at("spec").at("hard"), (json::Value{{"cpu", "1500m"}, {"pods", "4"}}));
}

}  // namespace
}  // namespace pintle
