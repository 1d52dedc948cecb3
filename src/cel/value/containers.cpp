// SPDX-License-Identifier: Apache-2.0
#include "containers.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include <pintle/base/result.hpp>

#include "order.hpp"

namespace pintle::cel {

EntryMap::EntryMap(std::vector<std::pair<Value, Value>> entries, Type type)
    : entries_(std::move(entries)), type_(std::move(type)) {
  sort();
  remove_duplicates();
}

void EntryMap::sort() {
  order_.resize(entries_.size());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::ranges::stable_sort(
      order_, [this](std::size_t a, std::size_t b) { return key_less(entries_[a].first, entries_[b].first); });
}

void EntryMap::remove_duplicates() {
  std::vector<std::size_t> kept;
  for (const auto index : order_) {
    const bool is_first = kept.empty() || key_less(entries_[kept.back()].first, entries_[index].first);
    if (is_first) {
      kept.push_back(index);
    } else {
      entries_[kept.back()].second = entries_[index].second;
    }
  }
  if (kept.size() == entries_.size()) return;
  std::ranges::sort(kept);
  std::vector<std::pair<Value, Value>> entries;
  for (const auto index : kept) entries.push_back(std::move(entries_[index]));
  entries_ = std::move(entries);
  sort();
}

std::vector<std::size_t>::const_iterator EntryMap::place_of(const Value& key) const {
  return std::ranges::partition_point(order_, [&](std::size_t index) { return key_less(entries_[index].first, key); });
}

Result<std::optional<Value>> EntryMap::find(const Value& key) const {
  const auto found = place_of(key);
  if (found == order_.end() || key_less(key, entries_[*found].first)) return std::optional<Value>();
  return std::optional(entries_[*found].second);
}

bool EntryMap::insert(Value key, Value value) {
  const auto place = place_of(key);
  if (place != order_.end() && !key_less(key, entries_[*place].first)) return false;
  order_.insert(place, entries_.size());
  entries_.emplace_back(std::move(key), std::move(value));
  return true;
}

}  // namespace pintle::cel
