// SPDX-License-Identifier: Apache-2.0
#include "merge_schema.hpp"

#include <pintle/base/result.hpp>

namespace pintle {
namespace {

constexpr std::string_view object_meta_text = R"({
  "type": "object",
  "properties": {
    "annotations": {"type": "object", "additionalProperties": {"type": "string"}},
    "creationTimestamp": {"type": "string"},
    "deletionGracePeriodSeconds": {"type": "integer"},
    "deletionTimestamp": {"type": "string"},
    "finalizers": {"type": "array", "items": {"type": "string"},
      "x-kubernetes-list-type": "set", "x-kubernetes-patch-strategy": "merge"},
    "generateName": {"type": "string"},
    "generation": {"type": "integer"},
    "labels": {"type": "object", "additionalProperties": {"type": "string"}},
    "managedFields": {"type": "array", "x-kubernetes-list-type": "atomic"},
    "name": {"type": "string"},
    "namespace": {"type": "string"},
    "ownerReferences": {"type": "array", "items": {"type": "object", "x-kubernetes-map-type": "atomic"},
      "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["uid"],
      "x-kubernetes-patch-strategy": "merge", "x-kubernetes-patch-merge-key": "uid"},
    "resourceVersion": {"type": "string"},
    "selfLink": {"type": "string"},
    "uid": {"type": "string"}
  }
})";

}  // namespace

json::View object_meta_schema() {
  static const json::Document document = json::Document::parse(object_meta_text).value();
  return document.root();
}

json::View member_schema(json::View schema, std::string_view name, bool root) {
  if (root && name == "metadata") return object_meta_schema();
  if (const json::View named = schema.member("properties").member(name)) return named;
  const json::View other = schema.member("additionalProperties");
  return other.is_object() ? other : json::View();
}

bool names_member(json::View schema, std::string_view name, bool root) {
  return (root && name == "metadata") || schema.member("properties").member(name).exists();
}

bool is_atomic_map(json::View schema) { return schema.member("x-kubernetes-map-type") == "atomic"; }

ListType list_type(json::View schema) {
  const json::View type = schema.member("x-kubernetes-list-type");
  if (type == "set") return ListType::set;
  if (type == "map" && !schema.member("x-kubernetes-list-map-keys").empty()) return ListType::map;
  return ListType::atomic;
}

std::vector<std::string_view> list_keys(json::View schema) {
  std::vector<std::string_view> keys;
  for (const json::View key : schema.member("x-kubernetes-list-map-keys").elements()) keys.push_back(key.text());
  return keys;
}

}  // namespace pintle
