// SPDX-License-Identifier: Apache-2.0
// ExpiringCache: values that are valid for a limited time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include <pintle/base/time.hpp>

namespace pintle {

// Keeps at most `limit` values; a further one replaces the value that would expire first. Thread-safety: that of a
// plain value.
template <class Value>
class ExpiringCache {
 public:
  explicit ExpiringCache(std::size_t limit) : limit_(limit) {}

  // Returns null if there is no valid value. The pointer is valid until the next put().
  [[nodiscard]] const Value* find(const std::string& key, Instant now) const {
    const auto found = entries_.find(key);
    return found == entries_.end() || found->second.until <= now ? nullptr : &found->second.value;
  }
  void put(const std::string& key, Value value, Instant until) {
    if (entries_.size() >= limit_ && !entries_.contains(key)) {
      entries_.erase(std::min_element(entries_.begin(), entries_.end(),
                                      [](const auto& a, const auto& b) { return a.second.until < b.second.until; }));
    }
    entries_.insert_or_assign(key, Entry{std::move(value), until});
  }
  [[nodiscard]] std::size_t size() const noexcept { return entries_.size(); }

 private:
  struct Entry {
    Value value;
    Instant until;
  };

  const std::size_t limit_;
  std::map<std::string, Entry> entries_;
};

}  // namespace pintle
