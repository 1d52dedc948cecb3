// SPDX-License-Identifier: Apache-2.0
// Operations on values with a schema: the fields of a value, the differences of two values, merge and removal.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <pintle/json/document.hpp>
#include <pintle/json/value.hpp>

#include "field_set.hpp"

namespace pintle {

struct Comparison {
  FieldSet added{};
  FieldSet removed{};
  FieldSet modified{};
};

// The fields that an apply of this object claims: leaves, atomic lists and maps, items of keyed lists, entries of maps.
// A keyed list without items claims nothing, unless `with_empty_lists` is set.
[[nodiscard]] FieldSet claimed_fields(const json::Value& object, json::View schema, bool with_empty_lists = false);

// The differences of two objects, including containers that were added or removed.
[[nodiscard]] Comparison compare_fields(const json::Value& from, const json::Value& to, json::View schema);

// Returns `base` with all values of `overlay`. Error: invalid, if an item of a list map lacks a key or two items have
// the same key.
[[nodiscard]] Result<json::Value> merge_typed(const json::Value& base, const json::Value& overlay, json::View schema);

// Removes the places of a set from an object.
void remove_fields(json::Value& object, const FieldSet& gone, json::View schema);

// Returns a set with the named members above its places. The set owns them implicitly.
[[nodiscard]] FieldSet with_named_parents(const FieldSet& set, json::View schema);

// The path element of an item of a set or map; nothing if the item lacks a key. `schema`: that of the list.
[[nodiscard]] std::optional<std::string> list_element(const json::Value& item, json::View schema);

// The path elements of the items of a list; nothing if the list is atomic, if an item lacks its key, or if two items
// have the same key.
[[nodiscard]] std::optional<std::vector<std::string>> list_elements(const json::array& list, json::View schema);

}  // namespace pintle
