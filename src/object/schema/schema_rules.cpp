// SPDX-License-Identifier: Apache-2.0
// Checks that a schema is structural: one place defines the type of each field, and all other rules only restrict the
// value further. The errors and their order are those of kube-apiserver.
#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "schema_errors.hpp"
#include "schema_node.hpp"

namespace pintle {
namespace {

using json::View;

template <class Visit>
void visit_nested(View schema, const std::string& path, Visit visit) {
  for (const char* list : {"allOf", "anyOf", "oneOf"}) {
    std::size_t i = 0;
    for (const View one : schema.member(list).elements()) visit(one, indexed_path(path, list, i++));
  }
  if (schema.member("not").is_object()) visit(schema.member("not"), child_path(path, "not"));
}

// Returns the first part of a schema that kube-apiserver cannot represent, as a message; "" if there is none.
std::string unrepresentable(View schema) {
  if (!schema.is_object()) return {};
  for (const char* name :
       {"id", "$schema", "$ref", "patternProperties", "dependencies", "additionalItems", "definitions"}) {
    const bool is_set =
        name == std::string_view("additionalItems") ? has_value(schema, name) : has_content(schema, name);
    const std::string_view shown = name == std::string_view("$schema") ? "schema" : name;
    if (is_set) return "OpenAPIV3Schema '" + std::string(shown) + "' is not supported";
  }
  if (schema.member("items").is_array()) return "OpenAPIV3Schema 'items' must be a schema, but is an array";
  if (schema.member("x-kubernetes-preserve-unknown-fields") == false) {
    return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
  }
  std::string found;
  const auto visit = [&](View child) {
    if (found.empty()) found = unrepresentable(child);
  };
  for (const auto [name, child] : schema.member("properties").members()) visit(child);
  visit(schema.member("items"));
  visit(schema.member("additionalProperties"));
  visit_nested(schema, "", [&](View child, const std::string&) { visit(child); });
  return found;
}

// The form of an int-or-string in older tools: anyOf of the two types.
bool is_int_or_string(View any_of) {
  const auto is_type = [&](std::size_t index, std::string_view type) {
    const View one = any_of.element(index);
    return one.is_object() && one.size() == 1 && one.member("type") == type;
  };
  return any_of.size() == 2 && is_type(0, "integer") && is_type(1, "string");
}

// The errors that make a schema not structural.
class StructureCheck {
 public:
  explicit StructureCheck(SchemaErrors& errors) : errors_(errors) {}

  void run(View schema, const std::string& path) {
    check(schema, Level::root, path);
    complete(schema, schema, path, path);
    errors_.sort();
  }

 private:
  enum class Level { root, item, field };

  void check(View schema, Level level, const std::string& path) {
    if (!schema.is_object()) return;
    const View items = schema.member("items");
    const View additional = schema.member("additionalProperties");
    if (schema.member("type") == "array" && !items.is_object()) {
      errors_.require(child_path(path, "items"), "must be specified");
    }
    check(items, Level::item, child_path(path, "items"));
    for (const auto [name, property] : schema.member("properties").members()) {
      check(property, Level::field, keyed_path(path, "properties", name));
    }
    if (has_value(schema, "additionalProperties") && level == Level::root) {
      errors_.forbid(child_path(path, "additionalProperties"), "must not be used at the root");
    }
    check(additional, Level::field, child_path(path, "additionalProperties"));
    check_int_or_string(schema, path);
    check_values(schema, is_int_or_string(schema.member("anyOf")),
                 is_int_or_string(schema.member("allOf").element(0).member("anyOf")), path);
    check_type(schema, level, path);
    check_meta(schema, level, path);
    if (schema.member("x-kubernetes-embedded-resource") == true && !has_content(schema, "properties") &&
        schema.member("x-kubernetes-preserve-unknown-fields") != true) {
      errors_.require(child_path(path, "properties"),
                      "must not be empty if x-kubernetes-embedded-resource is true without "
                      "x-kubernetes-preserve-unknown-fields");
    }
  }

  void check_int_or_string(View schema, const std::string& path) {
    if (schema.member("x-kubernetes-int-or-string") != true) return;
    for (const char* name : {"x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource"}) {
      if (schema.member(name) != true) continue;
      errors_.refuse(child_path(path, name), "true", "must be false if x-kubernetes-int-or-string is true");
    }
  }

  void check_type(View schema, Level level, const std::string& path) {
    const std::string_view type = schema.member("type").text();
    const std::string place = child_path(path, "type");
    if (schema.member("x-kubernetes-embedded-resource") == true) {
      constexpr std::string_view why = "must be object if x-kubernetes-embedded-resource is true";
      if (type.empty()) {
        errors_.require(place, why);
      } else if (type != "object") {
        errors_.refuse_text(place, type, why);
      }
      if (has_value(schema, "additionalProperties")) {
        errors_.forbid(child_path(path, "additionalProperties"),
                       "must not be used if x-kubernetes-embedded-resource is set");
      }
    } else if (type.empty() && schema.member("x-kubernetes-int-or-string") != true &&
               schema.member("x-kubernetes-preserve-unknown-fields") != true) {
      errors_.require(place, level == Level::root   ? "must not be empty at the root"
                             : level == Level::item ? "must not be empty for specified array items"
                                                    : "must not be empty for specified object fields");
    }
    if (level == Level::root && !type.empty() && type != "object") {
      errors_.refuse_text(place, type, "must be object at the root");
    }
  }

  // The server defines the metadata of an object; a CRD may only restrict the names.
  void check_meta(View schema, Level level, const std::string& path) {
    const bool is_checked = level == Level::root || schema.member("x-kubernetes-embedded-resource") == true;
    const View properties = schema.member("properties");
    for (const char* name : {"kind", "apiVersion"}) {
      const View property = properties.member(name);
      if (!is_checked || !property.is_object() || property.member("type") == "string") continue;
      errors_.refuse_text(keyed_path(path, "properties", name) + ".type", property.member("type").text(),
                          "must be string");
    }
    const View metadata = properties.member("metadata");
    if (!metadata.is_object()) return;
    const std::string place = keyed_path(path, "properties", "metadata");
    if (is_checked && metadata.member("type") != "object") {
      errors_.refuse_text(place + ".type", metadata.member("type").text(), "must be object");
    }
    if (level == Level::root && !has_only_names(metadata)) {
      errors_.forbid(place,
                     "must not specify anything other than name and generateName, but metadata is implicitly "
                     "specified");
    }
  }

  static bool has_only_names(View metadata) {
    for (const auto [name, value] : metadata.members()) {
      const bool is_zero =
          value.is_null() || value == false || ((value.is_object() || value.is_array()) && value.empty());
      if (is_zero || name == "type" || name == "default") continue;
      if (name != "properties") return false;
      for (const auto [property, schema] : value.members()) {
        if (property != "name" && property != "generateName") return false;
      }
    }
    return true;
  }

  // The restrictions of a value.
  void check_values(View schema, bool skips_any_of, bool skips_first_all_of, const std::string& path) {
    std::size_t i = 0;
    for (const View one : schema.member("anyOf").elements()) {
      if (!skips_any_of) check_nested(one, false, indexed_path(path, "anyOf", i));
      ++i;
    }
    i = 0;
    for (const View one : schema.member("allOf").elements()) {
      check_nested(one, skips_first_all_of && i == 0, indexed_path(path, "allOf", i));
      ++i;
    }
    i = 0;
    for (const View one : schema.member("oneOf").elements()) check_nested(one, false, indexed_path(path, "oneOf", i++));
    check_nested(schema.member("not"), false, child_path(path, "not"));
  }

  // A schema inside allOf, anyOf, oneOf or not.
  void check_nested(View schema, bool skips_any_of, const std::string& path) {
    if (!schema.is_object()) return;
    check_values(schema, skips_any_of, false, path);
    check_nested(schema.member("items"), false, child_path(path, "items"));
    for (const auto [name, property] : schema.member("properties").members()) {
      check_nested(property, false, keyed_path(path, "properties", name));
    }
    const auto forbid = [&](bool is_set, const char* name, const char* wanted) {
      if (is_set) errors_.forbid(child_path(path, name), "must be " + std::string(wanted) + " to be structural");
    };
    forbid(!schema.member("type").text().empty(), "type", "empty");
    forbid(has_value(schema, "additionalProperties"), "additionalProperties", "undefined");
    forbid(has_value(schema, "default"), "default", "undefined");
    for (const char* name : {"title", "description"}) forbid(has_content(schema, name), name, "empty");
    for (const char* name : {"nullable", "x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource",
                             "x-kubernetes-int-or-string"}) {
      forbid(schema.member(name) == true, name, "false");
    }
    forbid(has_content(schema, "x-kubernetes-list-map-keys"), "x-kubernetes-list-map-keys", "empty");
    for (const char* name : {"x-kubernetes-list-type", "x-kubernetes-map-type"}) {
      forbid(has_value(schema, name), name, "undefined");
    }
    forbid(has_content(schema, "x-kubernetes-validations"), "x-kubernetes-validations", "empty");
    if (has_value(schema.member("properties"), "metadata")) {
      errors_.forbid(keyed_path(path, "properties", "metadata"), "must not be specified in a nested context");
    }
  }

  // Each field that the root restricts has a place that defines its type. `place` is that of the structure.
  void complete(View values, View structure, const std::string& place, const std::string& path) {
    visit_nested(values, path,
                 [&](View nested, const std::string& at) { complete_nested(nested, structure, place, at); });
  }

  void complete_nested(View nested, View structure, const std::string& place, const std::string& path) {
    if (!nested.is_object()) return;
    if (!structure.is_object()) return errors_.require(place, "because it is defined in " + path);
    complete(nested, structure, place, path);
    complete_nested(nested.member("items"), structure.member("items"), child_path(place, "items"),
                    child_path(path, "items"));
    for (const auto [name, property] : nested.member("properties").members()) {
      complete_nested(property, structure.member("properties").member(name), keyed_path(place, "properties", name),
                      keyed_path(path, "properties", name));
    }
  }

  SchemaErrors& errors_;
};

void check_default(const SchemaNode& node, const std::string& path, std::vector<FieldError>& errors) {
  if (!node.default_value) return;
  const std::string place = child_path(path, "default");
  json::Value value = *node.default_value;
  std::vector<std::string> pruned;
  prune_node(node, value, node.embedded, pruned);
  if (!pruned.empty()) {
    errors.push_back({"FieldValueInvalid",
                      "Invalid value: " + json::print(*node.default_value) + ": must not have unknown fields", place});
  }
  if (value.is_null() && node.nullable) return;
  const json::Document document(value);
  validate_node(node, document.root(), {}, place, errors);
}

void check_defaults(const SchemaNode& node, const std::string& path, std::vector<FieldError>& errors) {
  check_default(node, path, errors);
  for (const auto& [name, property] : node.properties)
    check_defaults(*property, keyed_path(path, "properties", name), errors);
  if (node.additional != nullptr) check_defaults(*node.additional, child_path(path, "additionalProperties"), errors);
  if (node.items != nullptr) check_defaults(*node.items, child_path(path, "items"), errors);
}

}  // namespace

void check_schema(View schema, const SchemaNode& node, const std::string& path, std::vector<FieldError>& errors) {
  SchemaErrors first;
  if (schema.member("nullable") == true) {
    first.forbid(child_path(path, "nullable"), "nullable cannot be true at the root");
  }
  const std::string unsupported = unrepresentable(schema);
  SchemaErrors structure;
  std::vector<FieldError> defaults;
  if (unsupported.empty()) {
    StructureCheck(structure).run(schema, path);
    if (structure.empty()) check_defaults(node, path, defaults);
  }
  SchemaErrors parts;
  check_schema_parts(schema, path, parts);
  for (auto* list : {&first.all(), &structure.all(), &defaults, &parts.all()}) {
    errors.insert(errors.end(), std::make_move_iterator(list->begin()), std::make_move_iterator(list->end()));
  }
  if (errors.empty() && !unsupported.empty()) {
    errors.push_back({"FieldValueInvalid", "Invalid value: \"\": " + unsupported, path});
  }
}

}  // namespace pintle
