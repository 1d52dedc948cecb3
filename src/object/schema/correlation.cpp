// SPDX-License-Identifier: Apache-2.0
#include "correlation.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

namespace pintle {
namespace {

bool is_unchanged_list(const SchemaNode& node, json::View value, json::View old) {
  if (value.size() != old.size()) return false;
  if (node.list_type != SchemaNode::ListType::map || node.items == nullptr) return value == old;
  std::size_t index = 0;
  for (const json::View element : value.elements()) {
    if (!is_unchanged(*node.items, element, old_element(node, element, index++, old))) return false;
  }
  return true;
}

bool is_unchanged_object(const SchemaNode& node, json::View value, json::View old) {
  if (value.size() != old.size()) return false;
  for (const auto [name, member] : value.members()) {
    const SchemaNode* of_member = node.member(name);
    if (of_member == nullptr || !is_unchanged(*of_member, member, old.member(name))) return false;
  }
  return true;
}

}  // namespace

json::View old_element(const SchemaNode& list, json::View element, std::size_t index, json::View others) {
  if (list.list_type != SchemaNode::ListType::map) return {};
  const auto has_same_keys = [&](json::View other) {
    return std::all_of(list.list_keys.begin(), list.list_keys.end(),
                       [&](const std::string& key) { return element.member(key) == other.member(key); });
  };
  // Most updates keep the order.
  if (index < others.size() && has_same_keys(others.element(index))) return others.element(index);
  for (const json::View other : others.elements()) {
    if (has_same_keys(other)) return other;
  }
  return {};
}

bool is_unchanged(const SchemaNode& node, json::View value, json::View old) {
  if (!value.exists() || !old.exists()) return false;
  if (value.is_array() && old.is_array()) return is_unchanged_list(node, value, old);
  if (value.is_object() && old.is_object()) return is_unchanged_object(node, value, old);
  return value == old;
}

}  // namespace pintle
