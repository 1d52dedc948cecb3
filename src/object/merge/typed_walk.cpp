// SPDX-License-Identifier: Apache-2.0
#include "typed_walk.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "merge_schema.hpp"
#include "text_index.hpp"

namespace pintle {
namespace {

using json::array;
using json::object;
using json::Value;
using json::View;

std::string member_element(std::string_view name) { return std::string("f:").append(name); }

const object* as_map(const Value* value) { return value == nullptr ? nullptr : value->if_object(); }
const array* as_list(const Value* value) { return value == nullptr ? nullptr : value->if_array(); }

class Claimer {
 public:
  explicit Claimer(bool with_empty_lists) : with_empty_lists_(with_empty_lists) {}

  void claim(const Value& value, View schema, bool root, FieldSet& set) const {
    if (value.is_object() && !is_atomic_map(schema)) return claim_map(value.get_object(), schema, root, set);
    const auto elements = value.is_array() ? list_elements(value.get_array(), schema) : std::nullopt;
    if (!elements || (elements->empty() && with_empty_lists_)) return set.insert();
    for (std::size_t i = 0; i < elements->size(); ++i) {
      FieldSet& below = set.below((*elements)[i]);
      below.insert();
      claim(value.get_array()[i], schema.member("items"), false, below);
    }
  }

 private:
  void claim_map(const object& map, View schema, bool root, FieldSet& set) const {
    for (const auto& [name, value] : map) {
      FieldSet& below = set.below(member_element(name));
      claim(value, member_schema(schema, name, root), false, below);
      const bool hollow = value.is_null() || (value.is_object() && value.get_object().empty());
      if (hollow || !names_member(schema, name, root)) below.insert();
    }
  }

  const bool with_empty_lists_;
};

void put_below(FieldSet& set, std::string_view element, FieldSet below) {
  if (!below.empty()) set.below(element) = std::move(below);
}

// Compares two values. One of them may be null.
class Comparer {
 public:
  void compare(const Value* from, const Value* to, View schema, bool root, FieldSet& added, FieldSet& removed,
               FieldSet& modified) {
    if (from == nullptr && to == nullptr) return;
    const object* from_map = is_atomic_map(schema) ? nullptr : as_map(from);
    const object* to_map = is_atomic_map(schema) ? nullptr : as_map(to);
    const auto size = [](const object* map) { return map == nullptr ? 0 : map->size(); };
    if (size(from_map) + size(to_map) > 0) {
      maps(from_map, to_map, schema, root, added, removed, modified);
    } else {
      const auto from_items = elements(as_list(from), schema);
      const auto to_items = elements(as_list(to), schema);
      const bool by_item = (from_items || to_items) && !(as_list(from) && !from_items) && !(as_list(to) && !to_items);
      if (by_item) lists(as_list(from), from_items, as_list(to), to_items, schema, added, removed, modified);
    }
    if (from == nullptr) {
      added.insert();
    } else if (to == nullptr) {
      removed.insert();
    } else if (from->kind() != to->kind() || is_leaf(*from, schema)) {
      if (!json::equal(*from, *to)) modified.insert();
    }
  }

 private:
  void compare_below(const Value* from, const Value* to, View schema, std::string_view element, FieldSet& added,
                     FieldSet& removed, FieldSet& modified) {
    Comparison below;
    compare(from, to, schema, false, below.added, below.removed, below.modified);
    put_below(added, element, std::move(below.added));
    put_below(removed, element, std::move(below.removed));
    put_below(modified, element, std::move(below.modified));
  }

  static std::optional<std::vector<std::string>> elements(const array* list, View schema) {
    return list == nullptr || list->empty() ? std::nullopt : list_elements(*list, schema);
  }

  static bool is_leaf(const Value& value, View schema) {
    if (value.is_object()) return is_atomic_map(schema);
    return !value.is_array() || !list_elements(value.get_array(), schema);
  }

  void maps(const object* from, const object* to, View schema, bool root, FieldSet& added, FieldSet& removed,
            FieldSet& modified) {
    const auto visit = [&](std::string_view name) {
      const Value* before = from == nullptr ? nullptr : from->if_contains(name);
      const Value* after = to == nullptr ? nullptr : to->if_contains(name);
      if (before != nullptr && after != nullptr && json::equal(*before, *after)) return;
      compare_below(before, after, member_schema(schema, name, root), member_element(name), added, removed, modified);
    };
    if (from != nullptr) {
      for (const auto& member : *from) visit(member.key());
    }
    if (to == nullptr) return;
    for (const auto& member : *to) {
      if (from == nullptr || !from->contains(member.key())) visit(member.key());
    }
  }

  void lists(const array* from, const std::optional<std::vector<std::string>>& from_items, const array* to,
             const std::optional<std::vector<std::string>>& to_items, View schema, FieldSet& added, FieldSet& removed,
             FieldSet& modified) {
    const std::vector<std::string> none;
    const TextIndex from_index(from_items ? *from_items : none);
    const TextIndex to_index(to_items ? *to_items : none);
    const auto find = [](const array* list, const TextIndex& index, const std::string& element) -> const Value* {
      const auto at = index.find(element);
      return at ? &(*list)[*at] : nullptr;
    };
    const auto visit = [&](const std::string& element) {
      compare_below(find(from, from_index, element), find(to, to_index, element), schema.member("items"), element,
                    added, removed, modified);
    };
    if (from_items) std::for_each(from_items->begin(), from_items->end(), visit);
    if (!to_items) return;
    for (const std::string& element : *to_items) {
      if (!from_index.find(element)) visit(element);
    }
  }
};

FieldSet named_parents(const FieldSet& set, View schema, bool root) {
  FieldSet out;
  if (set.holds_this()) out.insert();
  for (const auto& [element, below] : set.children()) {
    const bool is_member = element.starts_with("f:");
    const std::string_view name = std::string_view(element).substr(2);
    const View here = is_member ? member_schema(schema, name, root) : schema.member("items");
    FieldSet& child = out.below(element);
    child = named_parents(below, here, false);
    if (is_member && names_member(schema, name, root)) child.insert();
  }
  return out;
}

void remove_below(Value& value, const FieldSet& gone, View schema, bool root) {
  if (object* map = value.if_object(); map != nullptr && !is_atomic_map(schema)) {
    for (const auto& [element, below] : gone.children()) {
      if (!element.starts_with("f:")) continue;
      const std::string_view name = std::string_view(element).substr(2);
      Value* member = map->if_contains(name);
      if (member == nullptr) continue;
      if (below.holds_this()) {
        map->erase(name);
      } else {
        remove_below(*member, below, member_schema(schema, name, root), false);
      }
    }
    return;
  }
  if (!value.is_array()) return;
  const auto elements = list_elements(value.get_array(), schema);
  if (!elements) return;
  array kept;
  for (std::size_t i = 0; i < elements->size(); ++i) {
    Value& item = value.get_array()[i];
    const FieldSet* below = gone.child((*elements)[i]);
    if (below != nullptr && below->holds_this()) continue;
    if (below != nullptr) remove_below(item, *below, schema.member("items"), false);
    kept.push_back(std::move(item));
  }
  value = std::move(kept);
}

}  // namespace

std::optional<std::string> list_element(const Value& item, View schema) {
  if (list_type(schema) == ListType::set) return "v:" + json::print(item);
  if (!item.is_object()) return std::nullopt;
  std::vector<std::string_view> keys = list_keys(schema);
  std::sort(keys.begin(), keys.end());
  object identity;
  for (const std::string_view key : keys) {
    const Value* value = item.get_object().if_contains(key);
    const View fallback = schema.member("items").member("properties").member(key).member("default");
    if (value == nullptr && !fallback.exists()) return std::nullopt;
    identity[key] = value != nullptr ? *value : fallback.to_value();
  }
  return "k:" + json::print(identity);
}

std::optional<std::vector<std::string>> list_elements(const array& list, View schema) {
  if (list_type(schema) == ListType::atomic) return std::nullopt;
  std::vector<std::string> elements;
  elements.reserve(list.size());
  for (const Value& item : list) {
    auto element = list_element(item, schema);
    if (!element) return std::nullopt;
    elements.push_back(std::move(*element));
  }
  if (TextIndex(elements).has_equal_texts()) return std::nullopt;
  return elements;
}

FieldSet claimed_fields(const Value& value, View schema, bool with_empty_lists) {
  FieldSet set;
  Claimer(with_empty_lists).claim(value, schema, true, set);
  set.tidy();
  return set;
}

Comparison compare_fields(const Value& from, const Value& to, View schema) {
  Comparison out;
  Comparer().compare(&from, &to, schema, true, out.added, out.removed, out.modified);
  return out;
}

void remove_fields(Value& value, const FieldSet& gone, View schema) { remove_below(value, gone, schema, true); }

FieldSet with_named_parents(const FieldSet& set, View schema) { return named_parents(set, schema, true); }

}  // namespace pintle
