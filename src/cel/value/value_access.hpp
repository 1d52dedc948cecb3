// SPDX-License-Identifier: Apache-2.0
// ValueAccess: changes a value in place, for the evaluator.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include <pintle/cel/value.hpp>

namespace pintle::cel {

class EntryMap;

// Reads a member of a map that Value::from_json() made of a view, faster than Map::find(). Returns whether it exists;
// nothing for another map.
[[nodiscard]] std::optional<bool> read_json_member(const Map& map, std::string_view name, Value& out);

class ValueAccess {
 public:
  // Appends elements to a list that an expression made, if nothing else refers to it. Otherwise returns false.
  [[nodiscard]] static bool append(Value& list, std::vector<Value>& elements);
  // Returns the map that a value contains, if an expression made it and nothing else refers to it. Otherwise null.
  [[nodiscard]] static EntryMap* own_map(Value& map);
};

}  // namespace pintle::cel
