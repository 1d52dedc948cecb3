// SPDX-License-Identifier: Apache-2.0
#include <pintle/object/merge/strategic.hpp>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "merge_schema.hpp"
#include "merged_list.hpp"
#include "text_index.hpp"

namespace pintle {
namespace {

using json::array;
using json::object;
using json::Value;
using json::View;
using strategic::delete_prefix;
using strategic::identity;
using strategic::order_prefix;

std::string_view directive_of(const object& item) {
  const Value* directive = item.if_contains("$patch");
  return directive != nullptr && directive->is_string() ? std::string_view(directive->get_string())
                                                        : std::string_view{};
}
std::string_view directive_of(const Value& item) {
  return item.is_object() ? directive_of(item.get_object()) : std::string_view{};
}

std::vector<std::string> identities(const array& items, std::string_view merge_key) {
  std::vector<std::string> all;
  all.reserve(items.size());
  for (const Value& item : items) all.push_back(identity(item, merge_key));
  return all;
}

// The items of a list while a patch changes them, with their identities.
class PatchedItems {
 public:
  PatchedItems(array& items, std::vector<std::string> identities)
      : items_(items), identities_(std::move(identities)), gone_(identities_.size()) {}

  // Returns the index of the first item with this identity.
  [[nodiscard]] std::optional<std::size_t> find(const std::string& id) {
    if (identities_.size() <= TextIndex::few) {
      for (std::size_t i = 0; i < identities_.size(); ++i) {
        if (!gone_[i] && identities_[i] == id) return i;
      }
      return std::nullopt;
    }
    if (places_.empty()) {
      for (std::size_t i = 0; i < identities_.size(); ++i) {
        if (!gone_[i]) places_[identities_[i]].insert(i);
      }
    }
    const auto found = places_.find(id);
    return found == places_.end() || found->second.empty() ? std::nullopt : std::optional(*found->second.begin());
  }

  Value& operator[](std::size_t index) { return items_[index]; }

  void remove(std::size_t index) {
    gone_[index] = true;
    if (!places_.empty()) places_[identities_[index]].erase(index);
  }
  std::size_t add(Value item, const std::string& id) {
    const std::size_t index = items_.size();
    items_.push_back(std::move(item));
    identities_.push_back(id);
    gone_.push_back(false);
    if (!places_.empty()) places_[id].insert(index);
    return index;
  }
  // Call it after a change of an item.
  void set_identity(std::size_t index, std::string id) {
    if (identities_[index] == id) return;
    if (!places_.empty()) {
      places_[identities_[index]].erase(index);
      places_[id].insert(index);
    }
    identities_[index] = std::move(id);
  }

  // Returns the items that were not removed.
  array take() && {
    array out(items_.storage());
    out.reserve(items_.size());
    for (std::size_t i = 0; i < items_.size(); ++i) {
      if (!gone_[i]) out.push_back(std::move(items_[i]));
    }
    return out;
  }

 private:
  array& items_;
  std::vector<std::string> identities_;
  std::vector<bool> gone_;
  std::unordered_map<std::string, std::set<std::size_t>> places_{};  // of a long list, since the first search
};

// Orders a merged list: the items of the patch in the order of the patch, the other items in their former order.
// Between an item of the patch and another item, the former order applies if both existed before; otherwise, the item
// of the patch comes first.
array arrange(array merged, const std::vector<std::string>& patch_order, const std::vector<std::string>& former_order,
              std::string_view merge_key) {
  struct Item {
    std::size_t in_patch = 0;
    std::size_t former = 0;
    Value value{};
  };
  const TextIndex patch_index(patch_order);
  const TextIndex former_index(former_order);
  std::vector<Item> named;
  std::vector<Item> rest;
  for (Value& item : merged) {
    const std::string id = identity(item, merge_key);
    const auto former = former_index.find(id);
    if (const auto in_patch = patch_index.find(id)) {
      named.push_back({.in_patch = *in_patch, .former = former.value_or(0), .value = std::move(item)});
    } else {
      rest.push_back({.former = former.value_or(former_order.size()), .value = std::move(item)});
    }
  }
  std::stable_sort(named.begin(), named.end(), [](const auto& a, const auto& b) { return a.in_patch < b.in_patch; });

  array out;
  auto next = named.begin();
  for (Item& item : rest) {
    for (; next != named.end() && next->former <= item.former; ++next) out.push_back(std::move(next->value));
    out.push_back(std::move(item.value));
  }
  for (; next != named.end(); ++next) out.push_back(std::move(next->value));
  return out;
}

class Patcher {
 public:
  Result<void> merge(Value& target, const Value& patch, View schema, const std::string& path, bool root) {
    if (!patch.is_object()) return fail(ErrorCode::invalid, fmt::format("{}: the patch is not an object", path));
    if (!target.is_object()) target.emplace_object();
    return merge_object(target.get_object(), patch.get_object(), schema, path, root);
  }

 private:
  Result<void> merge_object(object& target, const object& patch, View schema, const std::string& path, bool root) {
    const std::string_view directive = directive_of(patch);
    if (directive == "replace" || directive == "delete") {
      target.clear();
      if (directive == "delete") return {};
    } else if (patch.contains("$patch") && directive != "merge") {
      return fail(ErrorCode::invalid, fmt::format("{}: $patch must be replace, delete or merge", path));
    }
    if (auto kept = retain_keys(target, patch, path); !kept) return kept;
    for (const auto& [name, value] : patch) {
      if (name.starts_with(delete_prefix)) drop_primitives(target, name.substr(delete_prefix.size()), value);
    }
    for (const auto& [name, value] : patch) {
      if (name.starts_with('$')) continue;
      if (auto merged = merge_member(target, patch, name, value, schema, path, root); !merged) return merged;
    }
    for (const auto& [name, order] : patch) {
      if (!name.starts_with(order_prefix) || patch.contains(name.substr(order_prefix.size()))) continue;
      const std::string_view list_name = name.substr(order_prefix.size());
      Value* list = target.if_contains(list_name);
      if (list == nullptr || !list->is_array() || !order.is_array()) continue;
      const std::string key(strategic::merge_key_of(member_schema(schema, list_name, root)));
      const auto former = identities(list->get_array(), key);
      *list = arrange(std::move(list->get_array()), identities(order.get_array(), key), former, key);
    }
    return {};
  }

  Result<void> retain_keys(object& target, const object& patch, const std::string& path) {
    const Value* retained = patch.if_contains("$retainKeys");
    if (retained == nullptr) return {};
    if (!retained->is_array()) return fail(ErrorCode::invalid, fmt::format("{}: $retainKeys must be a list", path));
    std::unordered_set<std::string_view> names;
    for (const Value& one : retained->get_array()) {
      if (one.is_string()) names.insert(std::string_view(one.get_string()));
    }
    const auto keeps = [&](std::string_view name) { return names.contains(name); };
    for (const auto& [name, value] : patch) {
      if (!name.starts_with('$') && !value.is_null() && !keeps(name)) {
        return fail(ErrorCode::invalid, fmt::format("{}: {} is set but not in $retainKeys", path, std::string(name)));
      }
    }
    for (auto member = target.begin(); member != target.end();) {
      member = keeps(member->key()) ? member + 1 : target.erase(member);
    }
    return {};
  }

  static void drop_primitives(object& target, std::string_view name, const Value& values) {
    Value* list = target.if_contains(name);
    if (list == nullptr || !list->is_array() || !values.is_array()) return;
    const std::unordered_set<Value> gone(values.get_array().begin(), values.get_array().end());
    array kept;
    for (Value& item : list->get_array()) {
      if (!gone.contains(item)) kept.push_back(std::move(item));
    }
    *list = std::move(kept);
  }

  Result<void> merge_member(object& target, const object& patch, std::string_view name, const Value& value, View schema,
                            const std::string& path, bool root) {
    if (value.is_null()) {
      target.erase(name);
      return {};
    }
    const View here = member_schema(schema, name, root);
    const std::string place = fmt::format("{}.{}", path, name);
    if (value.is_object()) {
      const bool deletes = directive_of(value) == "delete";
      if (deletes) {
        target.erase(name);
        return {};
      }
      Value& member = target[name];
      if (strategic::has_strategy(here, "replace")) {
        member = value;
        return {};
      }
      if (!member.is_object()) member.emplace_object();
      return merge_object(member.get_object(), value.get_object(), here, place, false);
    }
    if (value.is_array() && strategic::has_strategy(here, "merge")) {
      const Value* order = patch.if_contains(std::string(order_prefix).append(name));
      Value& member = target[name];
      if (!member.is_array()) member.emplace_array();
      return merge_list(member.get_array(), value.get_array(), order, here, place);
    }
    target[name] = value;
    return {};
  }

  Result<void> merge_list(array& target, const array& patch, const Value* order, View schema, const std::string& path) {
    const std::string key(strategic::merge_key_of(schema));
    if (std::any_of(patch.begin(), patch.end(), [](const Value& item) { return directive_of(item) == "replace"; })) {
      target.clear();
      for (const Value& item : patch) {
        if (directive_of(item).empty()) target.push_back(item);
      }
      return {};
    }
    const std::vector<std::string> former = identities(target, key);
    PatchedItems items(target, former);
    std::vector<std::string> named;
    for (const Value& item : patch) {
      const std::string_view directive = directive_of(item);
      const std::string id = identity(item, key);
      if (id.empty()) return fail(ErrorCode::invalid, fmt::format("{}: an item has no merge key {}", path, key));
      auto found = items.find(id);
      if (directive == "delete") {
        if (found) items.remove(*found);
        continue;
      }
      named.push_back(id);
      if (!found) found = items.add(item.is_object() ? Value(object{}) : item, id);
      if (!item.is_object()) continue;
      Value& merged_item = items[*found];
      if (auto merged = merge(merged_item, item, schema.member("items"), fmt::format("{}[{}]", path, id), false);
          !merged) {
        return merged;
      }
      items.set_identity(*found, identity(merged_item, key));
    }
    if (order != nullptr && order->is_array()) named = identities(order->get_array(), key);
    target = arrange(std::move(items).take(), named, former, key);
    return {};
  }
};

}  // namespace

Result<void> apply_strategic_patch(json::Value& target, const json::Value& patch, json::View schema) {
  return Patcher().merge(target, patch, schema, "", true);
}

}  // namespace pintle
