// SPDX-License-Identifier: Apache-2.0
#include "unions.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <pintle/base/result.hpp>

#include "cel/library/declare.hpp"
#include "cel/value/containers.hpp"
#include "cel/value/order.hpp"

namespace pintle::cel {
namespace {

// The place of the element with the same identity; that behind the last one if there is none.
Result<std::size_t> place_in(const std::vector<Value>& elements, const Value& element, const ListKeys& keys,
                             std::size_t& work) {
  for (std::size_t i = 0; i < elements.size(); ++i) {
    auto same = same_element(elements[i], element, keys, work);
    if (!same) return fail(std::move(same.error()));
    if (*same) return i;
  }
  return elements.size();
}

}  // namespace

std::vector<Value>& Unions::added_to(const Value& set) {
  const auto found = std::ranges::find(added_, set.as_list(), [](const auto& entry) { return entry.first.as_list(); });
  return found != added_.end() ? found->second : added_.emplace_back(set, std::vector<Value>()).second;
}

Result<Value> Unions::add(const Value& first, const List& second) {
  const auto& list = *first.as_list();
  if (list.size() + second.size() > longest_list) return failure("the result of an addition is too long");
  const auto& keys = *list.keys();
  auto* added = keys.names.empty() ? &added_to(first) : nullptr;
  std::vector<Value> elements;
  for (std::size_t i = 0; i < list.size(); ++i) elements.push_back(list.at(i));
  std::size_t work = most_comparisons;
  for (std::size_t i = 0; i < second.size(); ++i) {
    auto element = second.at(i);
    const auto place = place_in(elements, element, keys, work);
    if (!place) return fail(place.error());
    if (*place < elements.size()) {
      elements[*place] = std::move(element);
      continue;
    }
    if (added != nullptr) {
      const auto earlier = place_in(*added, element, keys, work);
      if (!earlier) return fail(earlier.error());
      if (*earlier < added->size()) continue;
      added->push_back(element);
    }
    elements.push_back(std::move(element));
  }
  return Value::list(std::shared_ptr<const List>(std::make_shared<KeyedList>(std::move(elements), keys)));
}

}  // namespace pintle::cel
