// SPDX-License-Identifier: Apache-2.0
// Computes the patch of an update: the difference of two structs, applied to the complete object from which they were
// decoded.
#include <algorithm>
#include <utility>

#include <pintle/object/codec.hpp>
#include <pintle/object/precondition.hpp>

namespace pintle::internal {
namespace {

void carry_over(json::Value& target, const json::Value& before, const json::Value& after);

void carry_members(json::object& target, const json::object& before, const json::object& after) {
  for (const auto& [name, value] : before) {
    if (!after.contains(name)) target.stable_erase(name);
  }
  for (const auto& [name, value] : after) {
    const json::Value* old = before.if_contains(name);
    if (old != nullptr && json::equal(*old, value)) continue;  // also a default of the struct that the object lacks
    json::Value* held = target.if_contains(name);
    if (held != nullptr && old != nullptr) {
      carry_over(*held, *old, value);
    } else {
      target[name] = value;
    }
  }
}

// Keeps the unchanged elements at both ends; pairs the elements between them by position.
void carry_elements(json::array& target, const json::array& before, const json::array& after) {
  const std::size_t common = std::min(before.size(), after.size());
  std::size_t head = 0;
  while (head < common && json::equal(before[head], after[head])) ++head;
  std::size_t tail = 0;
  while (tail < common - head && json::equal(before[before.size() - 1 - tail], after[after.size() - 1 - tail])) ++tail;

  const std::size_t paired = common - tail;
  for (std::size_t i = head; i < paired; ++i) carry_over(target[i], before[i], after[i]);
  const auto at = [&target](std::size_t i) { return target.begin() + static_cast<std::ptrdiff_t>(i); };
  target.erase(at(paired), at(before.size() - tail));
  for (std::size_t i = paired; i < after.size() - tail; ++i) target.insert(at(i), after[i]);
}

void carry_over(json::Value& target, const json::Value& before, const json::Value& after) {
  if (json::equal(before, after)) return;
  if (target.is_object() && before.is_object() && after.is_object()) {
    carry_members(target.get_object(), before.get_object(), after.get_object());
  } else if (target.is_array() && before.is_array() && after.is_array() &&
             target.get_array().size() == before.get_array().size()) {
    carry_elements(target.get_array(), before.get_array(), after.get_array());
  } else {
    target = after;
  }
}

}  // namespace

json::Patch changes(const Object& snapshot, const json::Value& before, const json::Value& after) {
  const json::Value held = snapshot.exists() ? snapshot.to_value() : before;
  json::Value wanted(held);
  carry_over(wanted, before, after);
  json::Patch patch = json::diff(held, wanted);
  require_resource_version(patch, before);
  return patch;
}

}  // namespace pintle::internal
