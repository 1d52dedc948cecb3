// SPDX-License-Identifier: Apache-2.0
#include "cost.hpp"

#include <algorithm>
#include <cstdint>
#include <span>

#include "cel/value/text.hpp"

namespace pintle::cel {

std::uint64_t size_of(const Value& value) {
  switch (value.kind()) {
    case Type::Kind::string: return count_code_points(*value.as_string());
    case Type::Kind::bytes: return value.as_bytes()->size();
    case Type::Kind::list: return value.as_list()->size();
    case Type::Kind::map: return value.as_map()->size();
    case Type::Kind::optional: return value.optional_value() == nullptr ? 1 : size_of(*value.optional_value());
    case Type::Kind::opaque: {
      const auto* sized = value.as_opaque<Sized>();
      return sized == nullptr ? 1 : sized->size();
    }
    default: return 1;
  }
}

std::uint64_t cost_of_elements(const Value& value) {
  if (const auto text = value.as_string()) return text->size() / 10;
  if (const auto data = value.as_bytes()) return data->size() / 10;
  const auto* list = value.as_list();
  if (list == nullptr) return 1;
  std::uint64_t cost = 0;
  for (std::size_t i = 0; i < list->size(); ++i) cost += cost_of_elements(list->at(i));
  return cost;
}

std::uint64_t cost_of_first(std::span<const Value> arguments, const Value& /*result*/) {
  return cost_of_traversal(size_of(arguments[0]));
}

std::uint64_t cost_of_first_twice(std::span<const Value> arguments, const Value& /*result*/) {
  return cost_of_traversals(size_of(arguments[0]), 2);
}

std::uint64_t cost_of_comparison(std::span<const Value> arguments) {
  // The size of a text is that of its characters, which must be counted.
  for (const Value& argument : arguments) {
    if (argument.as_string() == "") return 0;
  }
  return cost_of_traversal(std::min(size_of(arguments[0]), size_of(arguments[1])));
}

std::uint64_t cost_of_match(std::span<const Value> arguments) {
  // A quarter of a unit for each code point of the pattern, times the traversal of the text.
  const auto pattern = (size_of(arguments[1]) + 3) / 4;
  return cost_of_traversal(1 + size_of(arguments[0])) * pattern;
}

}  // namespace pintle::cel
