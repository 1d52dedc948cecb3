// Walks over one or two values with a schema at hand: which fields there are, what differs, what a merge or removal
// gives.
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

// The fields an apply of this object claims: leaves, atomic lists and maps, items of keyed lists, entries of maps. A
// keyed list without items claims nothing, unless `with_empty_lists`.
[[nodiscard]] FieldSet claimed_fields(const json::Value& object, json::View schema, bool with_empty_lists = false);

// What is different, also the containers that appeared or went.
[[nodiscard]] Comparison compare_fields(const json::Value& from, const json::Value& to, json::View schema);

// `base` with everything that `overlay` says. Error: invalid for a list map with an item that lacks a key, or two of
// one key.
[[nodiscard]] Result<json::Value> merge_typed(const json::Value& base, const json::Value& overlay, json::View schema);

// Takes the places of a set out of an object.
void remove_fields(json::Value& object, const FieldSet& gone, json::View schema);

// A set together with the named members on the way to its places, which it holds implicitly.
[[nodiscard]] FieldSet with_named_parents(const FieldSet& set, json::View schema);

// The path elements of a list's items; none when the list is atomic, or an item lacks its key or repeats another's.
[[nodiscard]] std::optional<std::vector<std::string>> list_elements(const json::array& list, json::View schema);

}  // namespace pintle
