// SPDX-License-Identifier: Apache-2.0
// Checks that a schema is structural: one place defines the type of each field, and all other rules only restrict the
// value further.
#include <algorithm>
#include <iterator>

#include "schema_node.hpp"

namespace pintle {
namespace {

void require(std::vector<FieldError>& errors, std::string path, std::string_view why) {
  errors.push_back({"FieldValueRequired", "Required value: " + std::string(why), std::move(path)});
}
void refuse(std::vector<FieldError>& errors, std::string path, std::string_view why) {
  errors.push_back({"FieldValueInvalid", "Invalid value: " + std::string(why), std::move(path)});
}
void forbid(std::vector<FieldError>& errors, std::string path, std::string_view why) {
  errors.push_back({"FieldValueForbidden", "Forbidden: " + std::string(why), std::move(path)});
}

bool is_scalar(const SchemaNode& node) {
  return node.int_or_string || (!node.type.empty() && node.type != "object" && node.type != "array");
}

void check_type(const SchemaNode& node, const std::string& path, bool root, std::vector<FieldError>& errors) {
  static constexpr std::string_view types[] = {"array", "boolean", "integer", "number", "object", "string"};
  const std::string place = child_path(path, "type");
  if (root && node.type != "object") {
    if (node.type.empty()) return require(errors, place, "must not be empty at the root");
    return refuse(errors, place, "\"" + node.type + "\": must be object at the root");
  }
  if (node.int_or_string) {
    if (!node.type.empty()) forbid(errors, place, "must be empty if x-kubernetes-int-or-string is true");
    return;
  }
  if (node.type.empty()) {
    if (!node.preserve_unknown) require(errors, place, "must not be empty for specified fields");
    return;
  }
  if (std::find(std::begin(types), std::end(types), node.type) == std::end(types)) {
    errors.push_back({"FieldValueNotSupported", "Unsupported value: \"" + node.type + "\"", place});
  }
}

void check_members(const SchemaNode& node, const std::string& path, bool root, std::vector<FieldError>& errors) {
  const bool has_additional = node.additional != nullptr || node.any_additional;
  if (has_additional && !node.properties.empty()) {
    forbid(errors, child_path(path, "additionalProperties"),
           "additionalProperties and properties are mutual exclusive");
  }
  if (root && has_additional) forbid(errors, child_path(path, "additionalProperties"), "must not be used at the root");
  if (root && node.nullable) forbid(errors, child_path(path, "nullable"), "nullable cannot be true at the root");
  if (!node.embedded) return;
  if (node.type != "object")
    refuse(errors, child_path(path, "type"), "must be object if x-kubernetes-embedded-resource is true");
  if (node.properties.empty() && !node.preserve_unknown) {
    require(errors, child_path(path, "properties"),
            "must not be empty if x-kubernetes-embedded-resource is true without "
            "x-kubernetes-preserve-unknown-fields");
  }
}

// The server checks the metadata of an object; a CRD may only restrict the names.
void check_metadata(const SchemaNode& node, const std::string& path, std::vector<FieldError>& errors) {
  const auto found = node.properties.find("metadata");
  if (found == node.properties.end()) return;
  for (const auto& [name, property] : found->second->properties) {
    if (name != "name" && name != "generateName") {
      forbid(errors, child_path(path, "properties[metadata]"),
             "must not specify anything other than name and generateName");
      return;
    }
  }
}

void check_list_keys(const SchemaNode& node, const std::string& path, std::vector<FieldError>& errors) {
  const std::string place = child_path(path, "x-kubernetes-list-map-keys");
  if (node.list_keys.empty()) require(errors, place, "must not be empty if x-kubernetes-list-type is map");
  if (node.items == nullptr) return;
  if (node.items->type != "object") {
    refuse(errors, child_path(path, "items") + ".type", "must be object if x-kubernetes-list-type is map");
  }
  for (const std::string& key : node.list_keys) {
    const auto property = node.items->properties.find(key);
    const auto& required = node.items->required;
    if (property == node.items->properties.end() || !is_scalar(*property->second)) {
      refuse(errors, place, "\"" + key + "\": must be a scalar property of the items");
    } else if (!property->second->default_value && std::find(required.begin(), required.end(), key) == required.end()) {
      require(errors, child_path(path, "items") + ".properties[" + key + "].default",
              "this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property");
    }
  }
}

void check_list(const SchemaNode& node, const std::string& path, std::vector<FieldError>& errors) {
  if (node.type == "array" && node.items == nullptr) require(errors, child_path(path, "items"), "must be specified");
  if (node.list_type != SchemaNode::ListType::atomic && node.type != "array") {
    refuse(errors, child_path(path, "type"), "must be array if x-kubernetes-list-type is specified");
  }
  if (node.list_type == SchemaNode::ListType::map) {
    check_list_keys(node, path, errors);
  } else if (!node.list_keys.empty()) {
    refuse(errors, child_path(path, "x-kubernetes-list-type"),
           "must be map if x-kubernetes-list-map-keys is not empty");
  }
  if (node.list_type != SchemaNode::ListType::set || node.items == nullptr) return;
  if (node.items->nullable) forbid(errors, child_path(path, "items") + ".nullable", "cannot be true in a set");
  const bool merges = (node.items->type == "object" && !node.items->atomic_map) ||
                      (node.items->type == "array" && node.items->list_type != SchemaNode::ListType::atomic);
  if (merges) refuse(errors, child_path(path, "items"), "the items of a set must be scalar or atomic");
}

void check_default(const SchemaNode& node, const std::string& path, std::vector<FieldError>& errors) {
  if (!node.default_value) return;
  const std::string place = child_path(path, "default");
  json::Value value = *node.default_value;
  std::vector<std::string> pruned;
  prune_node(node, value, "", node.embedded, pruned);
  if (!pruned.empty()) refuse(errors, place, "must not have unknown fields: " + pruned.front());
  if (value.is_null() && node.nullable) return;
  const json::Document document(value);
  validate_node(node, document.root(), {}, place, errors);
}

// Checks a node inside allOf, anyOf, oneOf or not. `structure` is the node outside, which defines the types.
void check_nested(const SchemaNode& node, const SchemaNode& structure, const std::string& path, bool may_have_type,
                  std::vector<FieldError>& errors);

void check_all_nested(const std::vector<std::unique_ptr<SchemaNode>>& nodes, const SchemaNode& structure,
                      const std::string& path, bool may_have_type, std::vector<FieldError>& errors) {
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    check_nested(*nodes[i], structure, path + "[" + std::to_string(i) + "]", may_have_type, errors);
  }
}

// The types of an int-or-string may also be in anyOf, the form of older tools.
void check_logic(const SchemaNode& node, const SchemaNode& structure, const std::string& path,
                 std::vector<FieldError>& errors) {
  check_all_nested(node.all_of, structure, child_path(path, "allOf"), false, errors);
  check_all_nested(node.any_of, structure, child_path(path, "anyOf"), structure.int_or_string, errors);
  check_all_nested(node.one_of, structure, child_path(path, "oneOf"), false, errors);
  if (node.not_of != nullptr) check_nested(*node.not_of, structure, child_path(path, "not"), false, errors);
}

void check_nested(const SchemaNode& node, const SchemaNode& structure, const std::string& path, bool may_have_type,
                  std::vector<FieldError>& errors) {
  const auto only_outside = [&](std::string_view name) {
    forbid(errors, child_path(path, name), "must not be set inside allOf, anyOf, oneOf or not");
  };
  if (!node.type.empty() && !may_have_type) only_outside("type");
  if (node.default_value) only_outside("default");
  if (node.nullable) only_outside("nullable");
  if (node.additional != nullptr || node.any_additional) only_outside("additionalProperties");
  for (const auto& [name, property] : node.properties) {
    const std::string place = child_path(path, "properties") + "[" + name + "]";
    if (const SchemaNode* outside = structure.member(name)) {
      check_nested(*property, *outside, place, false, errors);
    } else if (!structure.preserve_unknown) {
      require(errors, place,
              "because it is defined inside allOf, anyOf, oneOf or not, it must be defined outside as well");
    }
  }
  if (node.items != nullptr && structure.items != nullptr) {
    check_nested(*node.items, *structure.items, child_path(path, "items"), false, errors);
  }
  check_logic(node, structure, path, errors);
}

}  // namespace

void check_structural(const SchemaNode& node, const std::string& path, bool root, std::vector<FieldError>& errors) {
  check_type(node, path, root, errors);
  check_members(node, path, root, errors);
  if (root) check_metadata(node, path, errors);
  check_list(node, path, errors);
  check_logic(node, node, path, errors);
  for (const auto& [name, property] : node.properties) {
    check_structural(*property, child_path(path, "properties") + "[" + name + "]", false, errors);
  }
  if (node.additional != nullptr)
    check_structural(*node.additional, child_path(path, "additionalProperties"), false, errors);
  if (node.items != nullptr) check_structural(*node.items, child_path(path, "items"), false, errors);
  check_default(node, path, errors);
}

}  // namespace pintle
