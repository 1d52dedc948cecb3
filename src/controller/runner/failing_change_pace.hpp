// FailingChangePace: when a key that fails runs for changes that others made.
#pragma once

#include <algorithm>
#include <cstddef>
#include <unordered_map>

#include <pintle/base/time.hpp>
#include <pintle/object/object.hpp>

namespace pintle {

// A change by another runs a failing key at once, `burst` times in a row; from then on once in each `interval`. Two
// controllers that both fail, and each time write another text to one status, would wake each other without end. Holds
// the keys that fail and were changed lately, `most` at most: then all are forgotten, which costs each of them a burst.
// Thread-safety: none.
class FailingChangePace {
 public:
  static constexpr int burst = 20;
  static constexpr Duration interval = std::chrono::seconds(10);
  static constexpr std::size_t most = 65536;

  // When a key that fails may run for a change: a time until `now` counts it as one that runs.
  [[nodiscard]] Instant turn(const ObjectKey& key, Instant now) {
    const auto found = free_at_.find(key);
    const Instant free = found == free_at_.end() ? now : std::max(found->second, now);
    const Instant due = free - (burst - 1) * interval;
    if (due > now) return due;
    if (found == free_at_.end()) make_room(now);
    free_at_[key] = free + interval;
    return now;
  }
  // It succeeded.
  void reset(const ObjectKey& key) { free_at_.erase(key); }

 private:
  void make_room(Instant now) {
    if (free_at_.size() < most) return;
    std::erase_if(free_at_, [now](const auto& entry) { return entry.second <= now; });
    if (free_at_.size() >= most) free_at_.clear();
  }

  std::unordered_map<ObjectKey, Instant> free_at_;  // when its whole burst is there again
};

}  // namespace pintle
