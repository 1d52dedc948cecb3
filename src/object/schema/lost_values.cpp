// SPDX-License-Identifier: Apache-2.0
#include "lost_values.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace pintle {
namespace {

std::vector<FieldError> errors_of(const SchemaNode& node, const json::Value* value) {
  std::vector<FieldError> errors;
  if (!is_absent(value)) validate_node(node, json::Document(*value).root(), {}, "", errors);
  return errors;
}

bool adds_errors(const SchemaNode* node, const json::Value* value, const json::Value* current) {
  return node != nullptr && has_new_errors(errors_of(*node, current), errors_of(*node, value));
}

const json::Value* member_of(const json::Value& object, std::string_view name) {
  return object.get_object().if_contains(name);
}

json::Value put_back_members(const SchemaNode* node, const LostValue& lost, const json::Value& current) {
  json::Value out = current;
  const auto put_back = [&](std::string_view name) {
    const LostValue member{member_of(*lost.value, name), member_of(*lost.was, name)};
    auto made = member.put_back(node == nullptr ? nullptr : node->member(name), member_of(current, name));
    if (made) {
      out.get_object()[name] = std::move(*made);
    } else {
      out.get_object().erase(name);
    }
  };
  for (const auto& [name, value] : lost.value->get_object()) put_back(name);
  for (const auto& [name, value] : lost.was->get_object()) {
    if (!lost.value->get_object().contains(name)) put_back(name);
  }
  return out;
}

using ElementsByKey = std::map<std::string, const json::Value*>;

std::string key_of(const SchemaNode& list, const json::Value& element) {
  std::string key;
  for (const std::string& name : list.list_keys) {
    const json::Value* value = member_of(element, name);
    const SchemaNode* node = list.items->member(name);
    if (value == nullptr && node != nullptr && node->default_value) value = &*node->default_value;
    key += (value == nullptr ? "" : json::print(*value)) + "\n";
  }
  return key;
}

// Returns nothing if the keys do not identify the elements.
std::optional<ElementsByKey> by_key(const SchemaNode& list, const json::array& elements) {
  ElementsByKey out;
  for (const json::Value& element : elements) {
    if (!element.is_object() || !out.emplace(key_of(list, element), &element).second) return std::nullopt;
  }
  return out;
}

const json::Value* found_in(const ElementsByKey& elements, const std::string& key) {
  const auto found = elements.find(key);
  return found == elements.end() ? nullptr : found->second;
}

// Returns nothing if the elements have no keys, or if the conversion changes keys: an element with a changed key cannot
// be distinguished from one that was deleted.
std::optional<json::Value> put_back_by_key(const SchemaNode& list, const LostValue& lost, const json::Value& current) {
  if (list.list_type != SchemaNode::ListType::map || list.items == nullptr) return std::nullopt;
  const auto values = by_key(list, lost.value->get_array());
  const auto before = by_key(list, lost.was->get_array());
  const auto now = by_key(list, current.get_array());
  if (!values || !before || !now) return std::nullopt;
  for (const auto& [key, element] : *before) {
    if (!values->contains(key)) return std::nullopt;
  }
  json::array out;
  for (const json::Value& element : current.get_array()) {
    const std::string key = key_of(list, element);
    const LostValue one{found_in(*values, key), found_in(*before, key)};
    const bool is_known = one.value != nullptr && one.was != nullptr;
    out.push_back(is_known ? one.put_back(list.items.get(), &element).value_or(element) : element);
  }
  const json::array& all = lost.value->get_array();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string key = key_of(list, all[i]);
    const bool is_lost = !before->contains(key) && !now->contains(key);
    if (!is_lost || adds_errors(list.items.get(), &all[i], nullptr)) continue;
    out.insert(out.begin() + static_cast<std::ptrdiff_t>(std::min(i, out.size())), all[i]);
  }
  return json::Value(std::move(out));
}

std::vector<std::string> parts_of(const json::Value& element) {
  if (!element.is_object()) return {json::print(element)};
  std::vector<std::string> parts;
  for (const auto& [name, value] : element.get_object()) parts.push_back(std::string(name) + ":" + json::print(value));
  return parts;
}

// Returns whether each element of `was` was probably made of the one of `value` at the same place: no element has more
// in common with another place, which a conversion that sorts or drops elements would cause.
bool have_same_places(const json::array& value, const json::array& was) {
  if (value.size() != was.size()) return false;
  constexpr std::size_t several = std::numeric_limits<std::size_t>::max();
  std::map<std::string, std::size_t> place_of;
  for (std::size_t i = 0; i < was.size(); ++i) {
    for (std::string& part : parts_of(was[i])) {
      const auto [found, is_new] = place_of.emplace(std::move(part), i);
      if (!is_new && found->second != i) found->second = several;
    }
  }
  for (std::size_t i = 0; i < value.size(); ++i) {
    std::map<std::size_t, std::size_t> common{{i, 0}};
    for (const std::string& part : parts_of(value[i])) {
      const auto found = place_of.find(part);
      if (found != place_of.end() && found->second != several) ++common[found->second];
    }
    for (const auto& [place, count] : common) {
      if (count > common[i]) return false;
    }
  }
  return true;
}

json::Value put_back_by_equality(const SchemaNode* items, const LostValue& lost, const json::Value& current) {
  const json::array& values = lost.value->get_array();
  const json::array& before = lost.was->get_array();
  if (!have_same_places(values, before)) return current;
  std::map<std::string, std::vector<std::size_t>> places;  // of equal elements; the first one is at the end
  for (std::size_t i = before.size(); i > 0; --i) places[json::print(before[i - 1])].push_back(i - 1);
  json::array out;
  for (const json::Value& element : current.get_array()) {
    std::vector<std::size_t>& left = places[json::print(element)];
    if (left.empty()) {
      out.push_back(element);
      continue;
    }
    const LostValue one{&values[left.back()], &before[left.back()]};
    left.pop_back();
    out.push_back(one.put_back(items, &element).value_or(element));
  }
  return json::Value(std::move(out));
}

template <class IsKind>
bool are_all(const LostValue& lost, const json::Value* current, const IsKind& is_kind) {
  return !is_absent(lost.value) && !is_absent(lost.was) && !is_absent(current) && is_kind(*lost.value) &&
         is_kind(*lost.was) && is_kind(*current);
}

}  // namespace

bool is_absent(const json::Value* value) { return value == nullptr || value->is_null(); }

bool is_equal(const json::Value* a, const json::Value* b) {
  return is_absent(a) || is_absent(b) ? is_absent(a) == is_absent(b) : json::equal(*a, *b);
}

bool has_new_errors(std::span<const FieldError> before, std::span<const FieldError> after) {
  const auto rule_of = [](const FieldError& error) {
    std::string path;
    bool is_index = false;
    for (const char c : error.field) {
      if (c == ']') is_index = false;
      if (!is_index) path += c;
      if (c == '[') is_index = true;
    }
    return std::pair(std::move(path), error.reason);
  };
  std::map<std::pair<std::string, std::string>, std::size_t> allowed;
  for (const FieldError& error : before) ++allowed[rule_of(error)];
  return std::any_of(after.begin(), after.end(), [&](const FieldError& error) {
    std::size_t& left = allowed[rule_of(error)];
    return left == 0 || left-- == 0;
  });
}

std::optional<json::Value> LostValue::put_back(const SchemaNode* node, const json::Value* current) const {
  if (is_equal(current, was) && !adds_errors(node, value, current)) {
    return is_absent(value) ? std::nullopt : std::optional(*value);
  }
  if (are_all(*this, current, [](const json::Value& one) { return one.is_object(); })) {
    return put_back_members(node, *this, *current);
  }
  if (are_all(*this, current, [](const json::Value& one) { return one.is_array(); })) {
    auto made = node == nullptr ? std::nullopt : put_back_by_key(*node, *this, *current);
    return made ? made : put_back_by_equality(node == nullptr ? nullptr : node->items.get(), *this, *current);
  }
  return current == nullptr ? std::nullopt : std::optional(*current);
}

}  // namespace pintle
