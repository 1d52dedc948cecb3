// SPDX-License-Identifier: Apache-2.0
// The parts that creating and applying a strategic merge patch of a list share.
#pragma once

#include <string>
#include <string_view>

#include <pintle/json/document.hpp>
#include <pintle/json/value.hpp>

namespace pintle::strategic {

inline constexpr std::string_view order_prefix = "$setElementOrder/";
inline constexpr std::string_view delete_prefix = "$deleteFromPrimitiveList/";

[[nodiscard]] inline bool has_strategy(json::View schema, std::string_view strategy) {
  return schema.member("x-kubernetes-patch-strategy").text().find(strategy) != std::string_view::npos;
}
[[nodiscard]] inline std::string_view merge_key_of(json::View schema) {
  return schema.member("x-kubernetes-patch-merge-key").text();
}

// The identity of an item of a merged list: the value of its merge key; without a merge key, the item itself. Empty if
// the item lacks its merge key.
[[nodiscard]] inline std::string identity(const json::Value& item, std::string_view merge_key) {
  if (merge_key.empty() || !item.is_object()) return json::print(item);
  const json::Value* key = item.get_object().if_contains(merge_key);
  return key == nullptr ? std::string() : json::print(*key);
}

}  // namespace pintle::strategic
