// SPDX-License-Identifier: Apache-2.0
// Tests of the structs that `pintle gen types` generates from a CRD.
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include <pintle/json/pointer.hpp>
#include <pintle/object/codec.hpp>
#include <pintle/object/schema/crd.hpp>

#include "shop/v1.hpp"

namespace pintle {
namespace {

using shop::v1::Database;

json::Value crd_of_file() {
  std::ifstream file("tests/gen/crds/database.yaml");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return json::parse_yaml_stream(text).value().back();
}

TEST(GeneratedTypes, ReadAndWriteEveryMember) {
  const char* text =
      R"({"apiVersion":"shop.example.com/v1","kind":"Database","metadata":{"name":"a"},"spec":{)"
      R"("engine":"8.0-legacy","mode":"fast","level":"high","image":"r.example.com/db","replicas":2,"huge":5000000000,)"
      R"("ratio":0.5,"public":true,"port":"sql","storage":"10Gi","certificate":"AAEC",)"
      R"("notBefore":"2026-01-02T03:04:05Z","settings":{"a":"b"},"sorted":["x"],"matrix":[[1,2],[]],"flags":[true],)"
      R"("users":[{"name":"u","class":"c","grants":["write"]}],)"
      R"("backup":{"schedule":"0 3 * * *","spec":{"keep":3}},"tuning":{},"template":{"any":[1]}},)"
      R"("status":{"phase":"Ready","conditions":[{"type":"Ready","status":"True","reason":"Fine",)"
      R"("message":"","lastTransitionTime":"2026-01-02T03:04:05Z","observedGeneration":1}]}})";
  const auto database = decode<Database>(*Object::parse(text));

  ASSERT_TRUE(database) << database.error().message;
  EXPECT_EQ(json::print(encode(*database)), text);
  EXPECT_EQ(database->spec.engine, Database::Spec::Engine::_8_0_legacy);
  EXPECT_EQ(database->spec.backup->spec->keep, 3);
}

TEST(GeneratedTypes, AreBuiltLikeAnyStruct) {
  // [database]
  const Database database{
      .metadata = {.name = "orders"},
      .spec = {.engine = Database::Spec::Engine::postgres,
               .image = "r.example.com/db",
               .storage = Quantity("10Gi"),
               .users = {{.name = "app", .grants = {Database::Spec::User::Grant::read}}},
               .backup = Database::Spec::Backup{.schedule = "0 3 * * *"}},
  };
  // [/database]
  const json::Value value = encode(database);
  EXPECT_EQ(
      json::print(*json::find(value, "/spec")),
      R"({"engine":"Postgres","mode":"safe","level":"low","image":"r.example.com/db","replicas":3,"public":false,"port":5432,)"
      R"("storage":"10Gi","users":[{"name":"app","class":"","grants":["read"]}],)"
      R"("backup":{"schedule":"0 3 * * *"},"tuning":{}})");
}

TEST(GeneratedTypes, NameThePathOfAnError) {
  const auto refused = [](const char* spec) {
    return decode<Database>(*Object::parse(std::string(R"({"spec":)") + spec + "}")).error().message;
  };
  EXPECT_EQ(refused(R"({"users":[{"name":"u","grants":["drop"]}]})"),
            R"(spec.users[0].grants[0]: "drop" is not one of read, write)");
  EXPECT_EQ(refused(R"({"backup":{"spec":{"keep":"x"}}})"), "spec.backup.spec.keep: expected an integer, got a string");
}

TEST(GeneratedTypes, KeepTheRulesOfTheCrd) {
  const json::Value given = crd_of_file();
  const json::Value ours = crd_of<Database>();
  for (const char* pointer : {
           "/spec/group",
           "/spec/names",
           "/spec/scope",
           "/spec/versions/0/subresources",
           "/spec/versions/0/schema/openAPIV3Schema/properties/spec/required",
           "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/engine/enum",
           "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/image/pattern",
           "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/image/maxLength",
           "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/mode",
           "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/replicas/default",
           "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/replicas/maximum",
           "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/ratio/minimum",
           "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/port/default",
           "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/settings",
           "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/huge",
           "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/public",
           "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/sorted",
           "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/tuning",
           "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/users",
           "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/matrix",
           "/spec/versions/0/schema/openAPIV3Schema/properties/status/properties/conditions/x-kubernetes-list-map-keys",
       }) {
    SCOPED_TRACE(pointer);
    const json::Value* wanted = json::find(given, pointer);
    const json::Value* got = json::find(ours, pointer);
    ASSERT_TRUE(wanted != nullptr && got != nullptr);
    EXPECT_EQ(*got, *wanted);
  }
  const auto sound = validate_crd(ours);
  EXPECT_TRUE(sound) << sound.error().message;
}

}  // namespace
}  // namespace pintle
