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
  OldElements old_elements(node, old);
  std::size_t index = 0;
  for (const json::View element : value.elements()) {
    if (!is_unchanged(*node.items, element, old_elements.of(element, index++))) return false;
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

bool OldElements::have_same_keys(json::View a, json::View b) const {
  return std::all_of(list_.list_keys.begin(), list_.list_keys.end(),
                     [&](const std::string& key) { return a.member(key) == b.member(key); });
}

std::uint64_t OldElements::hash_of_keys(json::View element) const {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15U;
  std::uint64_t hash = 0;
  for (const std::string& key : list_.list_keys) hash = (hash ^ element.member(key).hash()) * odd;
  return hash;
}

json::View OldElements::of(json::View element, std::size_t index) {
  constexpr std::size_t few = 16;
  if (list_.list_type != SchemaNode::ListType::map) return {};
  if (index < old_.size() && have_same_keys(element, old_.element(index))) return old_.element(index);
  if (old_.size() <= few) {
    for (const json::View other : old_.elements()) {
      if (have_same_keys(element, other)) return other;
    }
    return {};
  }
  if (by_hash_.empty()) {
    by_hash_.reserve(old_.size());
    for (const json::View other : old_.elements()) by_hash_.emplace_back(hash_of_keys(other), by_hash_.size());
    std::sort(by_hash_.begin(), by_hash_.end());
  }
  const std::uint64_t hash = hash_of_keys(element);
  for (auto next = std::lower_bound(by_hash_.begin(), by_hash_.end(), std::pair(hash, std::size_t{0}));
       next != by_hash_.end() && next->first == hash; ++next) {
    if (const json::View other = old_.element(next->second); have_same_keys(element, other)) return other;
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
