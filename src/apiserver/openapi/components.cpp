// SPDX-License-Identifier: Apache-2.0
#include "components.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "../registry/type_rows.hpp"
#include "../registry/words.hpp"

namespace pintle::apiserver {
namespace {

using json::array;
using json::object;
using json::Value;
using json::View;

constexpr std::string_view group_version_kind = "x-kubernetes-group-version-kind";

// "core.v1.Pod" → "io.k8s.api.core.v1.Pod"
std::string full_name(std::string_view type) {
  const std::string_view package = cut(type, '.').first;
  std::string_view home = "io.k8s.api";
  if (package == "meta") home = "io.k8s.apimachinery.pkg.apis";
  if (package == "apiextensions") home = "io.k8s.apiextensions-apiserver.pkg.apis";
  if (package == "apiregistration") home = "io.k8s.kube-aggregator.pkg.apis";
  return fmt::format("{}.{}", home, type);
}

// The table's name for the type of a built-in kind: "rbac.authorization.k8s.io" "v1" "Role" → "rbac.v1.Role".
std::string type_name(std::string_view group, std::string_view version, std::string_view kind) {
  return fmt::format("{}.{}.{}", group.empty() ? "core" : cut(group, '.').first, version, kind);
}

std::string custom_name(const Resource& resource) {
  auto labels = split(resource.group, '.');
  std::reverse(labels.begin(), labels.end());
  return fmt::format("{}.{}.{}", fmt::join(labels, "."), resource.version, resource.kind);
}

// Converts a schema to version 2, which cannot express all of it.
object to_v2(View schema) {
  const bool allows_any_type = schema.member("nullable") == true || schema.member("x-kubernetes-int-or-string") == true;
  const bool is_open = schema.member("x-kubernetes-preserve-unknown-fields") == true;
  object out;
  for (const auto [name, value] : schema.members()) {
    const bool is_inside = name == "properties" || name == "items" || name == "additionalProperties";
    if (name == "oneOf" || name == "anyOf" || name == "allOf" || name == "not" || name == "nullable") continue;
    if ((allows_any_type && (is_inside || name == "type")) || (is_open && is_inside)) continue;
    if (name == "properties") {
      object properties;
      for (const auto [property, inner] : value.members()) properties[property] = to_v2(inner);
      out[name] = std::move(properties);
    } else if (is_inside && value.is_object()) {
      out[name] = to_v2(value);
    } else {
      out[name] = value.to_value();
    }
  }
  return out;
}

}  // namespace

std::string schema_name(const Resource& resource) {
  if (resource.custom) return custom_name(resource);
  return full_name(type_name(resource.group, resource.version, resource.kind));
}

json::object Components::refer(std::string_view type) {
  const std::string name = full_name(type);
  if (begin(name)) schemas_[name] = struct_schema(type);
  return reference(name);
}

json::object Components::refer(const Resource& resource) {
  const std::string name = schema_name(resource);
  if (!resource.custom) {
    refer(type_name(resource.group, resource.version, resource.kind));
  } else if (begin(name)) {
    schemas_[name] = custom_schema(resource.strategy->schema());
  }
  add_kind(name, resource.group, resource.version, resource.kind);
  return reference(name);
}

json::object Components::refer_list(const Resource& resource) {
  const std::string name = schema_name(resource) + "List";
  if (begin(name)) {
    object properties{{"apiVersion", object{{"type", "string"}}},
                      {"items", object{{"type", "array"}, {"items", refer(resource)}}},
                      {"kind", object{{"type", "string"}}},
                      {"metadata", member_schema("meta.v1.ListMeta")}};
    schemas_[name] = {{"type", "object"}, {"required", array{"items"}}, {"properties", std::move(properties)}};
  }
  add_kind(name, resource.group, resource.version, resource.list_kind);
  return reference(name);
}

json::object Components::refer(const Resource& resource, const Subresource& part) {
  if (part.group.empty() && part.kind == resource.kind) return refer(resource);
  const std::string_view group = part.group.empty() ? resource.group : part.group;
  const std::string_view version = part.group.empty() ? resource.version : part.version;
  const std::string type = type_name(group, version, part.kind);
  if (find_type(type) == nullptr) return {};
  object out = refer(type);
  add_kind(full_name(type), group, version, part.kind);
  return out;
}

json::object Components::schemas() const {
  object out;
  out.reserve(schemas_.size());
  for (const auto& [name, schema] : schemas_) out.emplace(name, schema);
  return out;
}

json::object Components::reference(std::string_view name) const {
  const std::string_view place = dialect_ == Dialect::v2 ? "#/definitions/" : "#/components/schemas/";
  return {{"$ref", fmt::format("{}{}", place, name)}};
}

bool Components::begin(const std::string& name) { return schemas_.try_emplace(name).second; }

void Components::add_kind(const std::string& name, std::string_view group, std::string_view version,
                          std::string_view kind) {
  schemas_[name][group_version_kind] = array{object{{"group", group}, {"kind", kind}, {"version", version}}};
}

json::object Components::struct_schema(std::string_view type) {
  const TypeRow row = row_of(*find_type(type));
  object properties;
  array required;
  for (const MemberRow& member : row.members) {
    // `kubectl explain` prints the name of this type.
    object schema = member.name == "fieldsV1" ? named_scalar("apis.meta.v1.FieldsV1", {{"type", "object"}})
                                              : member_schema(member.type);
    add_marks(schema, member);
    const std::string_view fallback = member.fallback();
    if (!fallback.empty() && fallback != "null") schema["default"] = json::parse(fallback).value();
    if (member.is_marked("required")) required.emplace_back(member.name);
    properties[member.name] = std::move(schema);
  }
  object out{{"type", "object"}};
  if (!required.empty()) out["required"] = std::move(required);
  out["properties"] = std::move(properties);
  if (row.is_atomic) out["x-kubernetes-map-type"] = "atomic";
  return out;
}

json::object Components::type_schema(std::string_view word) {
  const auto one_of = [this](const char* first, const char* second) -> object {
    if (dialect_ == Dialect::v2) return {{"type", "string"}};
    return {{"oneOf", array{object{{"type", first}}, object{{"type", second}}}}};
  };
  if (word.starts_with("[]")) return {{"type", "array"}, {"items", type_schema(word.substr(2))}};
  if (word.starts_with("{}")) return {{"type", "object"}, {"additionalProperties", type_schema(word.substr(2))}};
  if (word == "any") return {{"x-kubernetes-preserve-unknown-fields", true}};  // kubectl explain fails for {}
  if (word == "bytes") return {{"type", "string"}, {"format", "byte"}};
  if (word == "int32" || word == "int64") return {{"type", "integer"}, {"format", word}};
  if (word == "double") return {{"type", "number"}, {"format", word}};
  if (word == "time" || word == "microtime") {
    return named_scalar(word == "time" ? "apis.meta.v1.Time" : "apis.meta.v1.MicroTime",
                        {{"type", "string"}, {"format", "date-time"}});
  }
  if (word == "quantity") return named_scalar("api.resource.Quantity", one_of("string", "number"));
  if (word == "int-or-string") {
    object schema = one_of("integer", "string");
    schema["format"] = word;
    return named_scalar("util.intstr.IntOrString", std::move(schema));
  }
  return find_type(word) == nullptr ? object{{"type", word}} : refer(word);
}

json::object Components::named_scalar(std::string_view name, json::object schema) {
  std::string full = fmt::format("io.k8s.apimachinery.pkg.{}", name);
  object out = reference(full);
  schemas_.try_emplace(std::move(full), std::move(schema));
  return out;
}

json::object Components::member_schema(std::string_view word) {
  object schema = type_schema(word);
  if (dialect_ == Dialect::v2 || !schema.contains("$ref")) return schema;
  return {{"allOf", array{std::move(schema)}}};
}

json::object Components::custom_schema(View root) {
  Value schema = dialect_ == Dialect::v2 ? to_v2(root) : root.to_value();
  if (!schema.is_object()) schema = object{{"type", "object"}};
  object& out = schema.get_object();
  // In version 2, a schema without properties, or one that allows any content, does not describe its metadata either.
  if (!out.contains("properties") && dialect_ == Dialect::v2) {
    out.erase("x-kubernetes-preserve-unknown-fields");
    return std::move(out);
  }
  Value& properties = out["properties"];
  if (!properties.is_object()) properties.emplace_object();
  properties.get_object()["apiVersion"] = object{{"type", "string"}};
  properties.get_object()["kind"] = object{{"type", "string"}};
  properties.get_object()["metadata"] = member_schema("meta.v1.ObjectMeta");
  return std::move(out);
}

}  // namespace pintle::apiserver
