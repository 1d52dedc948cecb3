// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <pintle/object/merge/strategic.hpp>

#include "merge_schema.hpp"
#include "merged_list.hpp"

namespace pintle {
namespace {

using json::array;
using json::object;
using json::Value;
using json::View;

const Value* item_like(const array& items, const std::string& id, std::string_view key) {
  const auto found =
      std::find_if(items.begin(), items.end(), [&](const Value& one) { return strategic::identity(one, key) == id; });
  return found == items.end() ? nullptr : &*found;
}

// Returns whether each item has an identity, and no two items have the same.
bool have_distinct_keys(const array& items, std::string_view key) {
  std::set<std::string> seen;
  return std::all_of(items.begin(), items.end(), [&](const Value& item) {
    const std::string id = strategic::identity(item, key);
    return (key.empty() || item.is_object()) && !id.empty() && seen.insert(id).second;
  });
}

class StrategicDiff {
 public:
  object compare(const object& from, const object& to, View schema, const std::string& path, bool root) {
    object patch;
    for (const auto& [name, value] : from) {
      if (!to.contains(name)) patch[name] = nullptr;
    }
    for (const auto& [name, value] : to) {
      const Value* before = from.if_contains(name);
      if (before != nullptr && json::equal(*before, value)) continue;
      const std::string place = fmt::format("{}.{}", path, std::string_view(name));
      if (name.starts_with('$')) refuse(place, "begins with \"$\", which marks a directive");
      if (value.is_null()) refuse(place, "is null, which means removal in a patch");
      compare_member(patch, name, before, value, member_schema(schema, name, root), place);
    }
    return patch;
  }

  [[nodiscard]] std::optional<Error> take_error() { return std::move(fault_); }

 private:
  void compare_member(object& patch, std::string_view name, const Value* before, const Value& value, View schema,
                      const std::string& place) {
    if (value.is_object()) {
      const bool is_changed = before != nullptr && before->is_object();
      object change = compare(is_changed ? before->get_object() : object{}, value.get_object(), schema, place, false);
      if (is_changed && strategic::has_strategy(schema, "retainKeys")) retain_keys(change, value.get_object());
      patch[name] = std::move(change);
    } else if (value.is_array() && strategic::has_strategy(schema, "merge")) {
      const bool is_changed = before != nullptr && before->is_array();
      compare_list(patch, name, is_changed ? before->get_array() : array{}, value.get_array(), schema, place);
    } else {
      patch[name] = value;
    }
  }

  void compare_list(object& patch, std::string_view name, const array& from, const array& to, View schema,
                    const std::string& place) {
    const std::string_view key = strategic::merge_key_of(schema);
    if (!have_distinct_keys(to, key) || !have_distinct_keys(from, key)) {
      if (key.empty())
        return refuse(place, "has two equal items before or after the change, which is not allowed in a merged list");
      array whole{object{{"$patch", "replace"}}};
      whole.insert(whole.end(), to.begin(), to.end());
      patch[name] = std::move(whole);
      return;
    }
    array changes;
    array order;
    for (const Value& item : to) {
      order.push_back(key.empty() ? item : Value(object{{key, item.at(key)}}));
      const Value* before = item_like(from, strategic::identity(item, key), key);
      if (before != nullptr && json::equal(*before, item)) continue;
      changes.push_back(key.empty() ? item : change_of(before, item, key, schema, place));
    }
    array gone;
    for (const Value& item : from) {
      if (item_like(to, strategic::identity(item, key), key) != nullptr) continue;
      gone.push_back(key.empty() ? item : Value(object{{"$patch", "delete"}, {key, item.at(key)}}));
    }
    if (!gone.empty() && key.empty()) {
      patch[std::string(strategic::delete_prefix).append(name)] = std::move(gone);
    } else {
      changes.insert(changes.end(), gone.begin(), gone.end());
    }
    patch[std::string(strategic::order_prefix).append(name)] = std::move(order);
    if (!changes.empty() || to.empty()) patch[name] = std::move(changes);
  }

  // The patch of an item that is new (`before` is null) or changed.
  Value change_of(const Value* before, const Value& item, std::string_view key, View list, const std::string& place) {
    const std::string at = fmt::format("{}[{}]", place, strategic::identity(item, key));
    object change = compare(before == nullptr ? object{} : before->get_object(), item.get_object(),
                            list.member("items"), at, false);
    change[key] = item.at(key);
    if (before != nullptr && strategic::has_strategy(list, "retainKeys")) retain_keys(change, item.get_object());
    return change;
  }

  static void retain_keys(object& change, const object& kept) {
    array names;
    for (const auto& [name, value] : kept) names.emplace_back(name);
    change["$retainKeys"] = std::move(names);
  }

  void refuse(const std::string& place, std::string_view why) {
    if (!fault_)
      fault_ = Error{ErrorCode::invalid, fmt::format("a strategic merge patch cannot set {}: it {}", place, why)};
  }

  std::optional<Error> fault_;
};

}  // namespace

Result<json::Value> create_strategic_patch(const json::Value& from, const json::Value& to, json::View schema) {
  if (!from.is_object() || !to.is_object())
    return fail(ErrorCode::invalid, "a strategic merge patch can only be created from two objects");
  StrategicDiff diff;
  object patch = diff.compare(from.get_object(), to.get_object(), schema, "", true);
  if (auto error = diff.take_error()) return fail(std::move(*error));
  return Value(std::move(patch));
}

}  // namespace pintle
