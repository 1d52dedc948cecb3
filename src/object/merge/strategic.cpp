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

#include "go_text.hpp"
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

// An error with the message of kube-apiserver as its cause. `is_bad`: kube-apiserver responds with 400, not with 500.
tl::unexpected<Error> patch_error(const std::string& path, std::string_view why, std::string server_message,
                                  bool is_bad = false) {
  Error error = make_error(ErrorCode::invalid, fmt::format("{}: {}", path, why));
  error.causes.push_back({.reason = is_bad ? "BadRequest" : "", .message = std::move(server_message), .field = path});
  return fail(std::move(error));
}

tl::unexpected<Error> no_merge_key(const std::string& path, const Value& item, std::string_view key) {
  return patch_error(path, fmt::format("an item has no merge key {}", key),
                     fmt::format("map: {} does not contain declared merge key: {}", go_text(item), key));
}

tl::unexpected<Error> unknown_directive(const std::string& path, const object& patch) {
  return patch_error(
      path, "$patch must be replace or delete",
      fmt::format("unknown patch type: {} in map: {}", go_text(patch.at("$patch")), go_text(Value(patch))));
}

tl::unexpected<Error> wrong_retain_keys(const std::string& path, std::string_view why) {
  return patch_error(path, why, "invalid patch format of retainKeys", true);
}

// A name for the type of a value in Go.
std::string_view go_type_of(const Value& value) {
  if (value.is_object()) return "map";
  if (value.is_array()) return "list";
  if (value.is_string()) return "string";
  if (value.is_bool()) return "bool";
  return value.is_double() ? "float64" : "int64";
}

bool has_directive(const Value& value) { return value.is_object() && value.get_object().contains("$patch"); }

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
    } else if (patch.contains("$patch")) {
      return unknown_directive(path, patch);
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
    if (!retained->is_array()) return wrong_retain_keys(path, "$retainKeys must be a list");
    std::unordered_set<std::string_view> names;
    for (const Value& one : retained->get_array()) {
      if (one.is_string()) names.insert(std::string_view(one.get_string()));
    }
    const auto keeps = [&](std::string_view name) { return names.contains(name); };
    for (const auto& [name, value] : patch) {
      if (!name.starts_with('$') && !value.is_null() && !keeps(name)) {
        return wrong_retain_keys(path, fmt::format("{} is set but not in $retainKeys", std::string_view(name)));
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
      const Value* before = target.if_contains(name);
      if (has_directive(value) && (before == nullptr || !before->is_object())) {
        target.erase(name);  // there is nothing to which it applies
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
      if (!member.is_array()) return add_list(member.emplace_array(), value.get_array(), order, here, place);
      return merge_list(member.get_array(), value.get_array(), order, here, place);
    }
    target[name] = value;
    return {};
  }

  // Fills a new list. Its items need no merge key.
  Result<void> add_list(array& target, const array& patch, const Value* order, View schema, const std::string& path) {
    for (const Value& item : patch) {
      if (has_directive(item)) continue;
      Value& added = target.emplace_back(item);
      if (!item.is_object()) continue;
      added.emplace_object();
      if (auto merged = merge(added, item, schema.member("items"), path, false); !merged) return merged;
    }
    if (order == nullptr || !order->is_array()) return {};
    const std::string key(strategic::merge_key_of(schema));
    target = arrange(std::move(target), identities(order->get_array(), key), {}, key);
    return {};
  }

  // Refuses lists whose items do not all have one type.
  static Result<void> check_items(const array& target, const array& patch, const std::string& path) {
    std::string_view type;
    for (const array* list : {&target, &patch}) {
      for (const Value& item : *list) {
        if (item.is_null()) continue;
        if (type.empty()) type = go_type_of(item);
        if (type == go_type_of(item)) continue;
        return patch_error(path, "the items have different types",
                           fmt::format("list element types are not identical: [{} {}]", go_text(Value(target)),
                                       go_text(Value(patch))));
      }
    }
    return {};
  }

  static Result<void> check_directive(const object& item, const std::string& path) {
    const std::string_view directive = directive_of(item);
    if (directive == "delete" || directive == "replace") return {};
    if (directive != "merge") return unknown_directive(path, item);
    return patch_error(path, "$patch of an item must be replace or delete",
                       "merging lists cannot yet be specified in the patch");
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
    if (auto same = check_items(target, patch, path); !same) return same;
    const std::vector<std::string> former = identities(target, key);
    PatchedItems items(target, former);
    std::vector<std::string> named;
    for (const Value& item : patch) {
      const std::string_view directive = directive_of(item);
      const std::string id = identity(item, key);
      if (has_directive(item)) {
        if (auto known = check_directive(item.get_object(), path); !known) return known;
      }
      if (id.empty()) return no_merge_key(path, item, key);
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
