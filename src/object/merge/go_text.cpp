// SPDX-License-Identifier: Apache-2.0
#include "go_text.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace pintle {

std::string go_text(const json::Value& value) {
  if (const json::array* list = value.if_array()) {
    std::vector<std::string> items;
    for (const json::Value& item : *list) items.push_back(go_text(item));
    return fmt::format("[{}]", fmt::join(items, " "));
  }
  if (const json::object* map = value.if_object()) {
    std::vector<std::pair<std::string_view, const json::Value*>> members;
    for (const auto& each : *map) members.emplace_back(each.key(), &each.value());
    std::sort(members.begin(), members.end());
    std::vector<std::string> texts;
    for (const auto& [name, member] : members) texts.push_back(fmt::format("{}:{}", name, go_text(*member)));
    return fmt::format("map[{}]", fmt::join(texts, " "));
  }
  if (value.is_string()) return std::string(value.get_string());
  return value.is_null() ? "<nil>" : json::print(value);
}

}  // namespace pintle
