// SPDX-License-Identifier: Apache-2.0
#include <pintle/object/merge/strategic.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "merge_schema.hpp"
#include "merged_list.hpp"

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

std::optional<std::size_t> index_in(const std::vector<std::string>& all, const std::string& one) {
  const auto found = std::find(all.begin(), all.end(), one);
  if (found == all.end()) return std::nullopt;
  return static_cast<std::size_t>(found - all.begin());
}

// Orders a merged list: the items of the patch in the order of the patch, the other items in their former order.
// Between an item of the patch and another item, the former order applies if both existed before; otherwise, the item
// of the patch comes first.
array arrange(array merged, const std::vector<std::string>& patch_order, const std::vector<std::string>& former_order,
              std::string_view merge_key) {
  std::vector<std::pair<std::size_t, Value>> named;
  std::vector<std::pair<std::size_t, Value>> rest;
  for (Value& item : merged) {
    const std::string id = identity(item, merge_key);
    if (const auto at = index_in(patch_order, id)) {
      named.emplace_back(*at, std::move(item));
    } else {
      rest.emplace_back(index_in(former_order, id).value_or(former_order.size()), std::move(item));
    }
  }
  std::stable_sort(named.begin(), named.end(), [](const auto& a, const auto& b) { return a.first < b.first; });

  array out;
  auto next = named.begin();
  for (auto& [former, item] : rest) {
    while (next != named.end() && index_in(former_order, identity(next->second, merge_key)).value_or(0) <= former) {
      out.push_back(std::move(next++->second));
    }
    out.push_back(std::move(item));
  }
  for (; next != named.end(); ++next) out.push_back(std::move(next->second));
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
    const auto keeps = [&](std::string_view name) {
      const array& names = retained->get_array();
      return std::any_of(names.begin(), names.end(),
                         [&](const Value& one) { return one.is_string() && one.get_string() == name; });
    };
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
    array kept;
    for (Value& item : list->get_array()) {
      const array& gone = values.get_array();
      if (std::find(gone.begin(), gone.end(), item) == gone.end()) kept.push_back(std::move(item));
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
    std::vector<std::string> named;
    for (const Value& item : patch) {
      const std::string_view directive = directive_of(item);
      const std::string id = identity(item, key);
      if (id.empty()) return fail(ErrorCode::invalid, fmt::format("{}: an item has no merge key {}", path, key));
      auto found =
          std::find_if(target.begin(), target.end(), [&](const Value& one) { return identity(one, key) == id; });
      if (directive == "delete") {
        if (found != target.end()) target.erase(found);
        continue;
      }
      named.push_back(id);
      if (found == target.end()) found = target.insert(target.end(), item.is_object() ? Value(object{}) : item);
      if (!item.is_object()) continue;
      if (auto merged = merge(*found, item, schema.member("items"), fmt::format("{}[{}]", path, id), false); !merged) {
        return merged;
      }
    }
    if (order != nullptr && order->is_array()) named = identities(order->get_array(), key);
    target = arrange(std::move(target), named, former, key);
    return {};
  }
};

}  // namespace

Result<void> apply_strategic_patch(json::Value& target, const json::Value& patch, json::View schema) {
  return Patcher().merge(target, patch, schema, "", true);
}

}  // namespace pintle
