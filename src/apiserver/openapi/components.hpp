// SPDX-License-Identifier: Apache-2.0
// Components: the named schemas of an OpenAPI document.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include <pintle/json/document.hpp>
#include <pintle/json/value.hpp>

#include "../registry/resource.hpp"

namespace pintle::apiserver {

// Version 2 has neither oneOf nor nullable. A schema that needs them has a single type or none in version 2.
enum class Dialect { v2, v3 };

// Collects the schemas that a document refers to, and those that they refer to. Not thread-safe.
class Components {
 public:
  explicit Components(Dialect dialect) : dialect_(dialect) {}

  [[nodiscard]] Dialect dialect() const noexcept { return dialect_; }

  // Return a reference, {"$ref": …}, and add the schema that it names. `type` is a name in the table.
  json::object refer(std::string_view type);
  json::object refer(const Resource& resource);
  json::object refer_list(const Resource& resource);
  // For a subresource; empty if the table has no type for its kind.
  json::object refer(const Resource& resource, const Subresource& part);

  // All schemas by name.
  [[nodiscard]] json::object schemas() const;

 private:
  json::object reference(std::string_view name) const;
  // Adds an empty schema. Returns false if there is one already, which ends the recursion of a type that contains
  // itself.
  bool begin(const std::string& name);
  void add_kind(const std::string& name, std::string_view group, std::string_view version, std::string_view kind);

  json::object struct_schema(std::string_view type);
  json::object type_schema(std::string_view word);
  json::object named_scalar(std::string_view name, json::object schema);
  // The schema of a member. A reference is wrapped, so that other keywords may stand beside it.
  json::object member_schema(std::string_view word);
  json::object custom_schema(json::View root);

  const Dialect dialect_;
  std::map<std::string, json::object> schemas_;
};

// The name of a resource in a document: "io.k8s.api.core.v1.Pod", "dev.pintle.demo.v1.Greeting".
[[nodiscard]] std::string schema_name(const Resource& resource);

}  // namespace pintle::apiserver
