// SPDX-License-Identifier: Apache-2.0
// Computes patches that turn one document into another.
#include <algorithm>

#include <pintle/json/patch.hpp>
#include <pintle/json/pointer.hpp>

namespace pintle::json {
namespace {

void diff_into(array& out, const std::string& at, const Value& from, const Value& to);

object operation(std::string_view op, const std::string& pointer) { return object{{"op", op}, {"path", pointer}}; }

void put(array& out, std::string_view op, const std::string& pointer, const Value& value) {
  out.emplace_back(operation(op, pointer)).get_object()["value"] = value;
}

void diff_objects(array& out, const std::string& at, const object& from, const object& to) {
  for (const auto& [key, value] : from) {
    if (!to.contains(key)) out.emplace_back(operation("remove", at + "/" + escape_token(key)));
  }
  for (const auto& [key, value] : to) {
    const std::string place = at + "/" + escape_token(key);
    if (const Value* old = from.if_contains(key)) {
      diff_into(out, place, *old, value);
    } else {
      put(out, "add", place, value);
    }
  }
}

// Skips the equal elements at both ends, compares the others in pairs, and adds or removes the surplus.
void diff_arrays(array& out, const std::string& at, const array& from, const array& to) {
  const std::size_t common = std::min(from.size(), to.size());
  std::size_t head = 0;
  while (head < common && equal(from[head], to[head])) ++head;
  std::size_t tail = 0;
  while (tail < common - head && equal(from[from.size() - 1 - tail], to[to.size() - 1 - tail])) ++tail;

  const std::size_t paired = common - tail;
  for (std::size_t i = head; i < paired; ++i) diff_into(out, at + "/" + std::to_string(i), from[i], to[i]);
  for (std::size_t i = from.size() - tail; i-- > paired;) {
    out.emplace_back(operation("remove", at + "/" + std::to_string(i)));
  }
  for (std::size_t i = paired; i < to.size() - tail; ++i) put(out, "add", at + "/" + std::to_string(i), to[i]);
}

// Replaces the operations from `start` on by one operation with the whole list, if that is shorter.
void shorten(array& out, std::size_t start, const std::string& at, const Value& to) {
  std::size_t length = 0;
  for (std::size_t i = start; i < out.size(); ++i) length += print(out[i]).size() + 1;
  array whole;
  put(whole, "replace", at, to);
  if (print(whole.front()).size() + 1 >= length) return;
  out.resize(start);
  out.push_back(std::move(whole.front()));
}

void diff_into(array& out, const std::string& at, const Value& from, const Value& to) {
  if (equal(from, to)) return;
  if (from.is_object() && to.is_object()) {
    diff_objects(out, at, from.get_object(), to.get_object());
  } else if (from.is_array() && to.is_array()) {
    const std::size_t start = out.size();
    diff_arrays(out, at, from.get_array(), to.get_array());
    shorten(out, start, at, to);
  } else {
    put(out, "replace", at, to);
  }
}

}  // namespace

Patch diff(const Value& from, const Value& to) {
  Patch patch;
  diff_into(patch.operations, "", from, to);
  return patch;
}

Value create_merge_patch(const Value& from, const Value& to) {
  if (!from.is_object() || !to.is_object()) return equal(from, to) ? Value(object()) : to;
  object changes;
  for (const auto& [key, value] : from.get_object()) {
    if (!to.get_object().contains(key)) changes[key] = nullptr;
  }
  for (const auto& [key, value] : to.get_object()) {
    const Value* old = from.get_object().if_contains(key);
    if (old == nullptr) {
      changes[key] = value;
    } else if (!equal(*old, value)) {
      changes[key] = create_merge_patch(*old, value);
    }
  }
  return changes;
}

}  // namespace pintle::json
