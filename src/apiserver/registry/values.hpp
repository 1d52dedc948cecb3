// SPDX-License-Identifier: Apache-2.0
// Shorthands for json::Value in code that reads many objects.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include <pintle/json/pointer.hpp>
#include <pintle/json/value.hpp>

namespace pintle::apiserver {

// Returns the text at a JSON pointer; "" if there is none.
[[nodiscard]] inline std::string_view text_at(const json::Value& value, std::string_view pointer) noexcept {
  const json::Value* found = json::find(value, pointer);
  return found != nullptr && found->is_string() ? std::string_view(found->get_string()) : std::string_view{};
}

// Returns a member of an object; null if there is none or the value is no object.
[[nodiscard]] inline const json::Value* member(const json::Value& value, std::string_view name) noexcept {
  const json::object* object = value.if_object();
  return object == nullptr ? nullptr : object->if_contains(name);
}
[[nodiscard]] inline json::Value* member(json::Value& value, std::string_view name) noexcept {
  json::object* object = value.if_object();
  return object == nullptr ? nullptr : object->if_contains(name);
}

// True if two values are equal, including the order of members.
[[nodiscard]] inline bool identical(const json::Value& a, const json::Value& b) noexcept {
  if (a.kind() != b.kind()) return false;
  if (const json::object* object = a.if_object()) {
    return std::equal(object->begin(), object->end(), b.get_object().begin(), b.get_object().end(),
                      [](const auto& one, const auto& other) {
                        return one.key() == other.key() && identical(one.value(), other.value());
                      });
  }
  if (const json::array* list = a.if_array()) {
    return std::equal(list->begin(), list->end(), b.get_array().begin(), b.get_array().end(),
                      [](const auto& one, const auto& other) { return identical(one, other); });
  }
  return a == b;
}
// The same for values that may be missing.
[[nodiscard]] inline bool identical(const json::Value* a, const json::Value* b) noexcept {
  return a != nullptr && b != nullptr ? identical(*a, *b) : a == b;
}

// Returns a member that is an object; creates it if it is missing or no object.
inline json::object& object_in(json::Value& value, std::string_view name) {
  if (!value.is_object()) value.emplace_object();
  json::Value& found = value.get_object()[name];
  return found.is_object() ? found.get_object() : found.emplace_object();
}
inline json::object& metadata_in(json::Value& value) { return object_in(value, "metadata"); }

// Sets a member that is missing or an empty text.
inline void set_default(json::object& object, std::string_view name, json::Value value) {
  json::Value& found = object[name];
  if (found.is_null() || (found.is_string() && found.get_string().empty())) found = std::move(value);
}

// Returns the object at a JSON pointer; null if there is none.
[[nodiscard]] inline json::object* object_at(json::Value& value, std::string_view pointer) noexcept {
  json::Value* found = json::find(value, pointer);
  return found == nullptr ? nullptr : found->if_object();
}

// Calls `visit` with each object of the list at a JSON pointer.
template <class Visit>
void each_object(json::Value& value, std::string_view pointer, Visit visit) {
  json::Value* found = json::find(value, pointer);
  if (found == nullptr || !found->is_array()) return;
  for (json::Value& item : found->get_array()) {
    if (item.is_object()) visit(item);
  }
}

// Copies a member from another value, or removes it if the other value has none.
inline void copy_member(json::Value& to, const json::Value& from, std::string_view name) {
  if (const json::Value* found = member(from, name)) {
    json::Value& place = to.as_object()[name];
    if (!identical(place, *found)) place = *found;
  } else if (to.is_object()) {
    to.get_object().erase(name);
  }
}

}  // namespace pintle::apiserver
