// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "schema_errors.hpp"

namespace pintle {
namespace {

using json::View;

constexpr std::array<std::string_view, 3> meta_fields{"apiVersion", "kind", "metadata"};

class PartCheck {
 public:
  explicit PartCheck(SchemaErrors& errors) : errors_(errors) {}

  struct Context {
    bool is_root = false;
    bool is_in_meta = false;
    std::string why_no_default{};  // "": defaults are allowed
  };

  void check(View schema, const std::string& path, const Context& context) {
    if (!schema.is_object()) return;
    check_unsupported(schema, path, context);
    if (schema.member("uniqueItems") == true) {
      errors_.forbid(child_path(path, "uniqueItems"),
                     "uniqueItems cannot be set to true since the runtime complexity becomes quadratic");
    }
    check_members(schema, path, context);
    check(schema.member("not"), child_path(path, "not"), below(context));
    for (const char* list : {"allOf", "oneOf", "anyOf"}) {
      std::size_t i = 0;
      for (const View one : schema.member(list).elements()) check(one, indexed_path(path, list, i++), below(context));
    }
    check(schema.member("items"), child_path(path, "items"), below(context));
    if (schema.member("x-kubernetes-preserve-unknown-fields") == false) {
      errors_.refuse(child_path(path, "x-kubernetes-preserve-unknown-fields"), "false", "must be true or undefined");
    }
    check_map_type(schema, path);
    check_list_type(schema, path);
    if (schema.member("x-kubernetes-list-type") == "map") check_list_map(schema, path);
    check_keys(schema, path);
  }

 private:
  static Context below(Context context) {
    context.is_root = false;
    return context;
  }

  void check_unsupported(View schema, const std::string& path, const Context& context) {
    constexpr std::array<std::string_view, 6> types{"array", "boolean", "integer", "number", "object", "string"};
    const std::string_view type = schema.member("type").text();
    if (!type.empty() && std::find(types.begin(), types.end(), type) == types.end()) {
      errors_.refuse_choice(child_path(path, "type"), type,
                            R"("array", "boolean", "integer", "number", "object", "string")");
    }
    if (has_value(schema, "default") && !context.why_no_default.empty()) {
      errors_.forbid(child_path(path, "default"), "must not be set " + context.why_no_default);
    }
    for (const char* name : {"id", "additionalItems", "patternProperties", "definitions", "dependencies", "$ref"}) {
      const bool may_be_empty = name != std::string_view("id") && name != std::string_view("patternProperties") &&
                                name != std::string_view("definitions");
      if (may_be_empty ? has_value(schema, name) : has_content(schema, name)) {
        errors_.forbid(child_path(path, name), std::string(name) + " is not supported");
      }
    }
    if (type == "null") {
      errors_.forbid(child_path(path, "type"), "type cannot be set to null, use nullable as an alternative");
    }
    if (schema.member("items").is_array()) {
      errors_.forbid(child_path(path, "items"), "items must be a schema object and not an array");
    }
    if (context.is_in_meta && schema.member("x-kubernetes-embedded-resource") == true) {
      errors_.forbid(child_path(path, "x-kubernetes-embedded-resource"), "must not be used inside of resource meta");
    }
  }

  void check_members(View schema, const std::string& path, const Context& context) {
    const View additional = schema.member("additionalProperties");
    if (has_value(schema, "additionalProperties")) {
      if (has_content(schema, "properties") && additional != true) {
        errors_.forbid(child_path(path, "additionalProperties"),
                       "additionalProperties and properties are mutual exclusive");
      }
      Context inner = below(context);
      if (inner.is_in_meta) inner.why_no_default = "inside additionalProperties applying to object metadata";
      check(additional, child_path(path, "additionalProperties"), inner);
    }
    for (const auto [name, property] : schema.member("properties").members()) {
      Context inner = below(context);
      const bool is_meta = std::find(meta_fields.begin(), meta_fields.end(), name) != meta_fields.end();
      if (is_meta && (context.is_root || schema.member("x-kubernetes-embedded-resource") == true)) {
        inner.is_in_meta = true;
        if (context.is_root) inner.why_no_default = "in top-level " + std::string(name);
      }
      check(property, keyed_path(path, "properties", name), inner);
    }
  }

  // Checks the type that a schema must have because it has an extension.
  bool has_type(View schema, std::string_view wanted, std::string_view extension, const std::string& path) {
    const std::string_view type = schema.member("type").text();
    if (type == wanted) return true;
    const std::string why = "must be " + std::string(wanted) + " if " + std::string(extension) + " is specified";
    if (type.empty()) {
      errors_.require(child_path(path, "type"), why);
    } else {
      errors_.refuse_text(child_path(path, "type"), type, why);
    }
    return false;
  }

  void check_map_type(View schema, const std::string& path) {
    constexpr std::string_view name = "x-kubernetes-map-type";
    if (!has_value(schema, name)) return;
    (void)has_type(schema, "object", name, path);
    const std::string_view type = schema.member(name).text();
    if (type != "atomic" && type != "granular") {
      errors_.refuse_choice(child_path(path, name), type, R"("atomic", "granular")");
    }
  }

  void check_list_type(View schema, const std::string& path) {
    constexpr std::string_view name = "x-kubernetes-list-type";
    const std::string_view type = schema.member(name).text();
    const bool has_keys = has_content(schema, "x-kubernetes-list-map-keys");
    if (!has_value(schema, name)) {
      if (has_keys) {
        errors_.require(child_path(path, name), "must be map if x-kubernetes-list-map-keys is non-empty");
      }
      return;
    }
    if (has_type(schema, "array", name, path) && type == "set") check_set_items(schema.member("items"), path);
    if (type != "atomic" && type != "set" && type != "map") {
      errors_.refuse_choice(child_path(path, name), type, R"("atomic", "map", "set")");
    }
    if (has_keys && type != "map") {
      errors_.refuse_text(child_path(path, name), type, "must be map if x-kubernetes-list-map-keys is non-empty");
    }
  }

  void check_set_items(View items, const std::string& path) {
    constexpr std::string_view why = "must be atomic as item of a list with x-kubernetes-list-type=set";
    const View list_type = items.member("x-kubernetes-list-type");
    const std::string place = child_path(path, "items");
    if (items.member("type") == "array" && list_type.exists() && list_type != "atomic") {
      errors_.refuse_text(place + ".x-kubernetes-list-type", list_type.text(), why);
    }
    if (items.member("type") == "object" && items.member("x-kubernetes-map-type") != "atomic") {
      errors_.refuse(place + ".x-kubernetes-map-type", "null", why);
    }
  }

  void check_list_map(View schema, const std::string& path) {
    constexpr std::string_view name = "x-kubernetes-list-map-keys";
    const View keys = schema.member(name);
    if (keys.empty()) {
      errors_.require(child_path(path, name), "must not be empty if x-kubernetes-list-type is map");
    }
    const View items = schema.member("items");
    if (!has_value(schema, "items")) {
      return errors_.require(child_path(path, "items"), "must have a schema if x-kubernetes-list-type is map");
    }
    if (!items.is_object()) return;
    const std::string_view type = items.member("type").text();
    if (type != "object") {
      return errors_.refuse_text(child_path(path, "items") + ".type", type,
                                 "must be object if parent array's x-kubernetes-list-type is map");
    }
    std::vector<std::string_view> seen;
    for (const View key : keys.elements()) {
      const View property = items.member("properties").member(key.text());
      const View key_type = property.member("type");
      if (!property.exists()) {
        errors_.refuse(child_path(path, name), keys.print(), "entries must all be names of item properties");
      } else if (key_type == "array" || key_type == "object") {
        errors_.refuse_text(keyed_path(child_path(path, "items"), "properties", key.text()) + ".type", type,
                            "must be a scalar type if parent array's x-kubernetes-list-type is map");
      }
      if (std::find(seen.begin(), seen.end(), key.text()) != seen.end()) {
        errors_.refuse(child_path(path, name), keys.print(), "must not contain duplicate entries");
      }
      seen.push_back(key.text());
    }
  }

  // The items of a set or map are never null, and the keys of a map always have a value.
  void check_keys(View schema, const std::string& path) {
    const std::string_view type = schema.member("x-kubernetes-list-type").text();
    const View items = schema.member("items");
    if ((type != "set" && type != "map") || !items.is_object()) return;
    const std::string place = child_path(path, "items");
    if (items.member("nullable") == true) {
      errors_.forbid(place + ".nullable", "cannot be nullable when x-kubernetes-list-type is " + std::string(type));
    }
    if (type == "set") return;
    for (const View key : schema.member("x-kubernetes-list-map-keys").elements()) {
      const View property = items.member("properties").member(key.text());
      if (!property.exists()) continue;
      const std::string at = keyed_path(place, "properties", key.text());
      bool is_required = false;
      for (const View required : items.member("required").elements()) is_required |= required == key.text();
      if (!is_required && !has_value(property, "default")) {
        errors_.require(at + ".default",
                        "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required "
                        "property");
      }
      if (property.member("nullable") == true) {
        errors_.forbid(at + ".nullable", "this property is in x-kubernetes-list-map-keys, so it cannot be nullable");
      }
    }
  }

  SchemaErrors& errors_;
};

}  // namespace

void check_schema_parts(View schema, const std::string& path, SchemaErrors& errors) {
  PartCheck(errors).check(schema, path, {.is_root = true});
}

}  // namespace pintle
