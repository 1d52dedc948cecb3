// SPDX-License-Identifier: Apache-2.0
// Checks the change of a value against the rules about its previous value.
#include <algorithm>

#include "schema_node.hpp"

namespace pintle {
namespace {

// The element of a list map that has the same keys; missing if there is none.
json::View same_element(const SchemaNode& list, json::View element, json::View others) {
  for (const json::View other : others.elements()) {
    const auto is_same = [&](const std::string& key) { return element.member(key) == other.member(key); };
    if (std::all_of(list.list_keys.begin(), list.list_keys.end(), is_same)) return other;
  }
  return {};
}

void check_transition(const SchemaNode& node, const TransitionRule& rule, json::View value, json::View old,
                      const std::string& path, std::vector<FieldError>& errors) {
  const bool is_kept =
      rule.stays.empty() ? value == old : !old.member(rule.stays).exists() || value.member(rule.stays).exists();
  if (is_kept) return;
  const std::string type = node.type.empty() ? "any" : node.type;
  errors.push_back({rule.reason, "Invalid value: \"" + type + "\": " + rule.message,
                    rule.stays.empty() ? path : child_path(path, rule.stays)});
}

}  // namespace

void validate_transition(const SchemaNode& node, json::View value, json::View old, const std::string& path,
                         std::vector<FieldError>& errors) {
  if (!value.exists() || !old.exists()) return;
  for (const TransitionRule& rule : node.transitions) check_transition(node, rule, value, old, path, errors);
  for (const auto [name, member] : value.members()) {
    const SchemaNode* of_member = node.member(name);
    if (of_member != nullptr) {
      validate_transition(*of_member, member, old.member(name), child_path(path, name), errors);
    }
  }
  if (node.list_type != SchemaNode::ListType::map || node.items == nullptr) return;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const json::View element = value.element(i);
    validate_transition(*node.items, element, same_element(node, element, old), path + "[" + std::to_string(i) + "]",
                        errors);
  }
}

}  // namespace pintle
