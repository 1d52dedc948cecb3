// SPDX-License-Identifier: Apache-2.0
// FailingChangePace: limits how often foreign changes cause reconciles of a key that fails.
#pragma once

#include <algorithm>
#include <cstddef>
#include <unordered_map>

#include <pintle/base/time.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

// The first `burst` foreign changes in a row cause an immediate reconcile of a failing key, further ones cause one
// reconcile in each `interval`. Otherwise two controllers that both fail, and write a different text to one status each
// time, would run in a tight loop. At most `most` keys that fail and were changed recently are stored; beyond that all
// are dropped, which allows each of them another burst. Not thread-safe.
class FailingChangePace {
 public:
  static constexpr int burst = 20;
  static constexpr Duration interval = std::chrono::seconds(10);
  static constexpr std::size_t most = 65536;

  // Returns when a failing key may be reconciled for a change. If this is `now`, the reconcile is counted.
  [[nodiscard]] Instant turn(const ObjectKey& key, Instant now) {
    const auto found = free_at_.find(key);
    const Instant free = found == free_at_.end() ? now : std::max(found->second, now);
    const Instant due = free - (burst - 1) * interval;
    if (due > now) return due;
    if (found == free_at_.end()) make_room(now);
    free_at_[key] = free + interval;
    return now;
  }
  // The key succeeded.
  void reset(const ObjectKey& key) { free_at_.erase(key); }

 private:
  void make_room(Instant now) {
    if (free_at_.size() < most) return;
    std::erase_if(free_at_, [now](const auto& entry) { return entry.second <= now; });
    if (free_at_.size() >= most) free_at_.clear();
  }

  std::unordered_map<ObjectKey, Instant> free_at_;  // when the whole burst of a key is available again
};

}  // namespace pintle
