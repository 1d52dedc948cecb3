// Components: the named schemas of an OpenAPI document.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include <pintle/json/document.hpp>
#include <pintle/json/value.hpp>

#include "../registry/resource.hpp"

namespace pintle::apiserver {

// Version 2 knows no oneOf and no nullable, and wants a type where it says anything of one.
enum class Dialect { v2, v3 };

// What is referred to, and all that refers to in turn. Not thread-safe.
class Components {
 public:
  explicit Components(Dialect dialect) : dialect_(dialect) {}

  [[nodiscard]] Dialect dialect() const noexcept { return dialect_; }

  // References, {"$ref": …}; what they name is added. A type is one of the table.
  json::object refer(std::string_view type);
  json::object refer(const Resource& resource);
  json::object refer_list(const Resource& resource);
  // Of a sub-resource; empty for a kind that nothing is known of.
  json::object refer(const Resource& resource, const Subresource& part);

  // By name.
  [[nodiscard]] json::object schemas() const;

 private:
  json::object reference(std::string_view name) const;
  // Adds an empty schema and says whether there was none: what holds itself ends here.
  bool begin(const std::string& name);
  void add_kind(const std::string& name, std::string_view group, std::string_view version, std::string_view kind);

  json::object struct_schema(std::string_view type);
  json::object type_schema(std::string_view word);
  json::object named_scalar(std::string_view name, json::object schema);
  // A reference beside which more may stand.
  json::object member_schema(std::string_view word);
  json::object custom_schema(json::View root);

  const Dialect dialect_;
  std::map<std::string, json::object> schemas_;
};

// How a resource is named in a document: "io.k8s.api.core.v1.Pod", "dev.pintle.demo.v1.Greeting".
[[nodiscard]] std::string schema_name(const Resource& resource);

}  // namespace pintle::apiserver
