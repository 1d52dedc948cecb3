// SPDX-License-Identifier: Apache-2.0
#include "cost.hpp"

#include <algorithm>
#include <cstdint>
#include <span>

#include "cel/value/text.hpp"

namespace pintle::cel {

std::uint64_t size_of(const Value& value) {
  if (const auto text = value.as_string()) return count_code_points(*text);
  if (const auto data = value.as_bytes()) return data->size();
  if (const auto* list = value.as_list()) return list->size();
  if (const auto* map = value.as_map()) return map->size();
  if (const auto* inner = value.optional_value()) return size_of(*inner);
  return 1;
}

std::uint64_t cost_of_comparison(std::span<const Value> arguments) {
  return cost_of_traversal(std::min(size_of(arguments[0]), size_of(arguments[1])));
}

std::uint64_t cost_of_match(std::span<const Value> arguments) {
  // A quarter of a unit for each code point of the pattern, times the traversal of the text.
  const auto pattern = (size_of(arguments[1]) + 3) / 4;
  return cost_of_traversal(1 + size_of(arguments[0])) * pattern;
}

}  // namespace pintle::cel
