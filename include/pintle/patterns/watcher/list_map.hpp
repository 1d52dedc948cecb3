// SPDX-License-Identifier: Apache-2.0
// ListMap: a map of lists that many threads share.
#pragma once

#include <cstddef>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <pintle/base/mutex.hpp>

namespace pintle::watcher {

/// Each list has its own lock, so that an operation on one key does not wait for an operation on another key. Lists
/// keep their order. A key stays, with an empty list, until remove_key(). Functions that are passed to the map may call
/// the map, except `match`, which runs under the lock of its key. Thread-safe.
template <class Key, class Value>
class ListMap {
 public:
  using Match = std::function<bool(const Value&)>;

  explicit ListMap(Executor& executor) : executor_(executor), mutex_(executor) {}

  /// Empty if there is no such key or index.
  [[nodiscard]] std::optional<Value> item_at(const Key& key, std::size_t index) const {
    const auto list = find(key);
    if (list == nullptr) return std::nullopt;
    const MutexLock lock(list->mutex);
    return index < list->items.size() ? std::optional<Value>(list->items[index]) : std::nullopt;
  }

  /// Calls `visit` for each item of a key, on a copy of the list as it is at the start.
  void range(const Key& key, const std::function<void(std::size_t index, const Value& value)>& visit) const {
    const std::vector<Value> items = items_of(find(key));
    for (std::size_t index = 0; index < items.size(); ++index) visit(index, items[index]);
  }
  /// The same for all keys that exist at the start.
  void range_all(const std::function<void(const Key& key, std::size_t index, const Value& value)>& visit) const {
    for (const Key& key : keys()) {
      range(key, [&](std::size_t index, const Value& value) { visit(key, index, value); });
    }
  }

  [[nodiscard]] std::vector<Key> keys() const {
    const MutexLock lock(mutex_);
    std::vector<Key> keys;
    keys.reserve(lists_.size());
    for (const auto& [key, list] : lists_) keys.push_back(key);
    return keys;
  }
  /// The number of keys, including those with an empty list.
  [[nodiscard]] std::size_t size() const {
    const MutexLock lock(mutex_);
    return lists_.size();
  }
  [[nodiscard]] std::size_t key_size(const Key& key) const {
    const auto list = find(key);
    if (list == nullptr) return 0;
    const MutexLock lock(list->mutex);
    return list->items.size();
  }

  void add_item(const Key& key, std::vector<Value> items) {
    while (!append(*find_or_make(key), items)) {}
  }
  void add_item(const Key& key, Value item) { add_item(key, std::vector<Value>{std::move(item)}); }

  void remove_key(const Key& key) {
    std::shared_ptr<List> list;
    {
      const MutexLock lock(mutex_);
      const auto found = lists_.find(key);
      if (found == lists_.end()) return;
      list = std::move(found->second);
      lists_.erase(found);
    }
    const MutexLock lock(list->mutex);
    list->is_removed = true;
  }
  /// Removes the first item that matches. Returns whether there was one.
  bool remove_item(const Key& key, const Match& match) { return remove_items(key, match, 1) == 1; }
  /// Removes the first `limit` items that match, or all of them if `limit` is less than 1. Returns how many were
  /// removed.
  std::size_t remove_items(const Key& key, const Match& match, int limit) {
    const auto list = find(key);
    if (list == nullptr) return 0;
    const MutexLock lock(list->mutex);
    std::vector<std::size_t> places;
    for (std::size_t place = 0; place < list->items.size(); ++place) {
      if (limit > 0 && places.size() == static_cast<std::size_t>(limit)) break;
      if (match(list->items[place])) places.push_back(place);
    }
    for (auto place = places.rbegin(); place != places.rend(); ++place) {
      list->items.erase(list->items.begin() + static_cast<std::ptrdiff_t>(*place));
    }
    return places.size();
  }
  /// No effect if there is no such key or index.
  void remove_item_at(const Key& key, std::size_t index) {
    const auto list = find(key);
    if (list == nullptr) return;
    const MutexLock lock(list->mutex);
    if (index < list->items.size()) list->items.erase(list->items.begin() + static_cast<std::ptrdiff_t>(index));
  }

 private:
  struct List {
    explicit List(Executor& executor) : mutex(executor) {}
    mutable Mutex mutex;
    std::vector<Value> items PINTLE_GUARDED_BY(mutex);
    bool is_removed PINTLE_GUARDED_BY(mutex) = false;  // together with its key; later items need a new list
  };

  [[nodiscard]] std::shared_ptr<List> find(const Key& key) const {
    const MutexLock lock(mutex_);
    const auto found = lists_.find(key);
    return found == lists_.end() ? nullptr : found->second;
  }
  [[nodiscard]] std::shared_ptr<List> find_or_make(const Key& key) {
    const MutexLock lock(mutex_);
    auto& list = lists_[key];
    if (list == nullptr) list = std::make_shared<List>(executor_);
    return list;
  }
  [[nodiscard]] static bool append(List& list, std::vector<Value>& items) {
    const MutexLock lock(list.mutex);
    if (list.is_removed) return false;
    list.items.insert(list.items.end(), std::make_move_iterator(items.begin()), std::make_move_iterator(items.end()));
    return true;
  }
  [[nodiscard]] static std::vector<Value> items_of(const std::shared_ptr<List>& list) {
    if (list == nullptr) return {};
    const MutexLock lock(list->mutex);
    return list->items;
  }

  Executor& executor_;
  mutable Mutex mutex_;
  std::map<Key, std::shared_ptr<List>> lists_ PINTLE_GUARDED_BY(mutex_);
};

}  // namespace pintle::watcher
