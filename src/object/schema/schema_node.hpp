// SPDX-License-Identifier: Apache-2.0
// SchemaNode: one node of a parsed schema, against which values are checked.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <re2/re2.h>

#include <pintle/json/value.hpp>
#include <pintle/object/schema/structural.hpp>

#include "object/number.hpp"

namespace pintle {

// A number in a rule, and its text in messages.
struct Limit {
  Number number{};
  std::string text{};
};

// An entry of x-kubernetes-validations: a rule in CEL.
struct ValidationRule {
  std::string rule{};
  std::string message{};
  std::string message_expression{};
  std::string field_path{};
  std::optional<std::string> reason{};
  std::optional<bool> optional_old_self{};
};

struct SchemaNode {
  enum class ListType { atomic, set, map };

  std::string type{};  // "" for any
  std::string format{};
  bool nullable = false;
  bool int_or_string = false;
  bool preserve_unknown = false;
  bool embedded = false;
  std::optional<json::Value> default_value{};

  std::map<std::string, std::unique_ptr<SchemaNode>, std::less<>> properties{};
  std::unique_ptr<SchemaNode> additional{};
  bool any_additional = false;  // additionalProperties: true
  std::unique_ptr<SchemaNode> items{};
  std::vector<std::string> required{};
  ListType list_type = ListType::atomic;
  std::vector<std::string> list_keys{};
  bool atomic_map = false;

  std::optional<Limit> minimum{};
  std::optional<Limit> maximum{};
  bool exclusive_minimum = false;
  bool exclusive_maximum = false;
  std::optional<Limit> multiple_of{};
  std::optional<std::uint64_t> min_length{};
  std::optional<std::uint64_t> max_length{};
  std::optional<std::uint64_t> min_items{};
  std::optional<std::uint64_t> max_items{};
  std::optional<std::uint64_t> min_properties{};
  std::optional<std::uint64_t> max_properties{};
  std::string pattern_text{};
  std::unique_ptr<RE2> pattern{};
  std::vector<json::Value> choices{};  // enum

  std::vector<ValidationRule> rules{};  // not evaluated by this layer

  std::vector<std::unique_ptr<SchemaNode>> all_of{};
  std::vector<std::unique_ptr<SchemaNode>> any_of{};
  std::vector<std::unique_ptr<SchemaNode>> one_of{};
  std::unique_ptr<SchemaNode> not_of{};

  // The node of a member: that of the property or that of additionalProperties; null if there is neither.
  [[nodiscard]] const SchemaNode* member(std::string_view name) const {
    const auto found = properties.find(name);
    return found != properties.end() ? found->second.get() : additional.get();
  }
};

// Reads a node and the nodes below it. Adds malformed parts to `errors`.
[[nodiscard]] std::unique_ptr<SchemaNode> read_schema(json::View schema, const std::string& path,
                                                      std::vector<FieldError>& errors);

// Checks that the schema of a whole object is structural. `node` is what read_schema() returns for it.
void check_schema(json::View schema, const SchemaNode& node, const std::string& path, std::vector<FieldError>& errors);

// `old` is the value before an update, or missing. The errors of a value that an update does not change are left out.
void validate_node(const SchemaNode& node, json::View value, json::View old, const std::string& path,
                   std::vector<FieldError>& errors);
void default_node(const SchemaNode& node, json::Value& value);
// Adds the paths of the first members that it removes to `pruned`, which gets at most 100.
void prune_node(const SchemaNode& node, json::Value& value, bool keeps_meta, std::vector<std::string>& pruned);

// Returns whether a text has a format; always true for formats that Kubernetes does not check.
[[nodiscard]] bool has_format(std::string_view format, std::string_view text);

[[nodiscard]] std::string child_path(const std::string& path, std::string_view name);

}  // namespace pintle
