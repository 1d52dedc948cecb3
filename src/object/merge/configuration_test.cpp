// SPDX-License-Identifier: Apache-2.0
#include <pintle/object/merge/configuration.hpp>

#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace pintle {
namespace {

constexpr const char* configuration_schema = R"({"properties": {
  "spec": {"properties": {
    "image": {}, "args": {"items": {}},
    "selector": {"x-kubernetes-map-type": "atomic", "properties": {"a": {}}},
    "tags": {"x-kubernetes-list-type": "set", "items": {}},
    "containers": {"x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"],
      "items": {"properties": {"name": {}, "image": {}, "args": {"items": {}}}}},
    "any": {"x-kubernetes-preserve-unknown-fields": true, "properties": {"a": {}}}}}}})";

std::string merge(std::string_view object, std::string_view config) {
  static const auto schema = json::Document::parse(configuration_schema).value();
  const auto merged = merge_configuration(json::parse(object).value(), json::parse(config).value(), schema.root());
  return merged ? json::print(*merged) : merged.error().message;
}

TEST(MergeConfiguration, MergesObjectsSetsAndListsWithKeys) {
  EXPECT_EQ(merge(R"({"spec":{"image":"a","args":["x"]}})", R"({"spec":{"image":"b"}})"),
            R"({"spec":{"image":"b","args":["x"]}})");
  EXPECT_EQ(merge(R"({"spec":{"tags":["a","b"]}})", R"({"spec":{"tags":["c","b"]}})"),
            R"({"spec":{"tags":["a","c","b"]}})");
  EXPECT_EQ(merge(R"({"spec":{"containers":[{"name":"a","image":"1"}]}})",
                  R"({"spec":{"containers":[{"name":"a","image":"2"},{"name":"b"}]}})"),
            R"({"spec":{"containers":[{"name":"a","image":"2"},{"name":"b"}]}})");
  EXPECT_EQ(merge(R"({"metadata":{"labels":{"a":"1"}}})", R"({"metadata":{"labels":{"b":"2"}}})"),
            R"({"metadata":{"labels":{"a":"1","b":"2"}}})");
}

TEST(MergeConfiguration, RefusesAtomicListsAndMaps) {
  EXPECT_EQ(merge("{}", R"({"spec":{"args":["x"],"selector":{"a":"b"}}})"),
            "invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .spec.args, .spec.selector");
  EXPECT_EQ(merge("{}", R"({"spec":{"containers":[{"name":"a","args":[]}]}})"),
            "invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .spec.containers[0].args");
}

TEST(MergeConfiguration, RefusesMembersThatTheSchemaDoesNotDeclare) {
  EXPECT_EQ(merge("{}", R"({"nosuch":1})"),
            "failed to convert patch object to typed object: .nosuch: field not declared in schema");
  EXPECT_EQ(merge("{}", R"({"metadata":{"nosuch":1}})"),
            "failed to convert patch object to typed object: .metadata.nosuch: field not declared in schema");
  EXPECT_EQ(merge("{}", R"({"apiVersion":"v1","kind":"K","spec":{"any":{"b":1}}})"),
            R"({"apiVersion":"v1","kind":"K","spec":{"any":{"b":1}}})");
}

TEST(MergeConfiguration, RefusesAnItemWithoutItsKey) {
  EXPECT_EQ(merge("{}", R"({"spec":{"containers":[{"image":"a"}]}})"),
            "failed to merge patch: .spec.containers: an item lacks its key or has the key of another item");
}

}  // namespace
}  // namespace pintle
