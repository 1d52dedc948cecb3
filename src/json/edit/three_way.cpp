// SPDX-License-Identifier: Apache-2.0
#include <pintle/json/three_way.hpp>

#include <optional>

namespace pintle::json {
namespace {

// Returns the change to `current`; nothing if `current` already has all that `wanted` requires.
std::optional<Value> changed(const Value* base, const Value& current, const Value& wanted);

const Value* member_of(const Value* value, std::string_view name) {
  const object* members = value == nullptr ? nullptr : value->if_object();
  return members == nullptr ? nullptr : members->if_contains(name);
}

const Value* element_of(const Value* value, std::size_t at) {
  const array* elements = value == nullptr ? nullptr : value->if_array();
  return elements == nullptr || at >= elements->size() ? nullptr : &(*elements)[at];
}

bool has_value(const object& members, std::string_view name) {
  const Value* value = members.if_contains(name);
  return value != nullptr && !value->is_null();
}

object changed_members(const Value* base, const object& current, const object& wanted) {
  object patch;
  for (const auto& [name, value] : wanted) {
    if (value.is_null()) continue;
    const Value* there = current.if_contains(name);
    auto change = there == nullptr ? std::optional(value) : changed(member_of(base, name), *there, value);
    if (change) patch.emplace(name, std::move(*change));
  }
  if (base == nullptr || !base->is_object()) return patch;
  for (const auto& [name, value] : base->get_object()) {
    if (!has_value(wanted, name) && has_value(current, name)) patch.emplace(name, nullptr);
  }
  return patch;
}

bool is_up_to_date(const Value* base, const array& current, const array& wanted) {
  if (current.size() != wanted.size()) return false;
  for (std::size_t at = 0; at < wanted.size(); ++at) {
    if (changed(element_of(base, at), current[at], wanted[at])) return false;
  }
  return true;
}

std::optional<Value> changed(const Value* base, const Value& current, const Value& wanted) {
  if (current.is_object() && wanted.is_object()) {
    object patch = changed_members(base, current.get_object(), wanted.get_object());
    return patch.empty() ? std::nullopt : std::optional<Value>(std::move(patch));
  }
  if (current.is_array() && wanted.is_array()) {
    return is_up_to_date(base, current.get_array(), wanted.get_array()) ? std::nullopt : std::optional(wanted);
  }
  return equal(current, wanted) ? std::nullopt : std::optional(wanted);
}

}  // namespace

Value create_three_way_merge_patch(const Value& base, const Value& current, const Value& wanted) {
  return changed(&base, current, wanted).value_or(object());
}

}  // namespace pintle::json
