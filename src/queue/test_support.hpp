// SPDX-License-Identifier: Apache-2.0
// A simple queue as the reference for the real one.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include <pintle/queue/queue_state.hpp>

namespace pintle {

// Implements the rules of QueueState by a search over all keys.
class NaiveQueue {
 public:
  explicit NaiveQueue(QueueOptions<std::string> rules) : rules_(std::move(rules)) {}

  bool add(const std::string& key, Instant now, Instant due, int priority) {
    run_until_idle(now);
    if (!keys_.contains(key) && rules_.max_keys != 0 && due_or_in_work() >= rules_.max_keys) return false;
    Wish& wish = keys_[key];
    due = std::max(due, wish.rests_until);
    const bool raised = wish.waits && priority > wish.priority;
    const bool earlier = wish.waits && due < wish.due;
    wish.due = wish.waits ? std::min(wish.due, due) : due;
    wish.priority = wish.waits ? std::max(wish.priority, priority) : priority;
    if (!wish.waits || (!wish.is_ready && (raised || earlier)) || (wish.is_ready && raised)) wish.order = ++order_;
    wish.waits = true;
    ++wish.causes;
    run_until_idle(now);
    return true;
  }

  std::optional<std::string> take(Instant now) {
    run_until_idle(now);
    if (rules_.rate.is_limited() && !has_token(now)) return {};
    const std::string* best = nullptr;
    for (const auto& [key, wish] : keys_) {
      if (wish.is_ready && (best == nullptr || rank(wish) < rank(keys_[*best]))) best = &key;
    }
    if (best == nullptr) return {};
    Wish& taken = keys_[*best];
    taken.is_ready = taken.waits = false;
    taken.in_work = true;
    taken.causes = 0;
    taken.rests_until = now + rules_.min_interval;
    starts_.push_back(now);
    leave_tenant(*best);
    return *best;
  }

  void done(const std::string& key, Instant now) {
    run_until_idle(now);
    Wish& wish = keys_[key];
    wish.in_work = false;
    wish.due = std::max(wish.due, wish.rests_until);
    wish.order = ++order_;
    run_until_idle(now);
  }
  void fail(const std::string& key) { ++keys_[key].failures; }
  void forget(const std::string& key) { keys_[key].failures = 0; }

  [[nodiscard]] unsigned failures(const std::string& key) { return keys_[key].failures; }
  [[nodiscard]] std::size_t ready() const {
    return static_cast<std::size_t>(
        std::count_if(keys_.begin(), keys_.end(), [](const auto& one) { return one.second.is_ready; }));
  }
  [[nodiscard]] std::size_t waiting() const {
    return static_cast<std::size_t>(std::count_if(
        keys_.begin(), keys_.end(), [](const auto& one) { return one.second.waits && !one.second.in_work; }));
  }
  [[nodiscard]] std::size_t entries(Instant now) {
    run_until_idle(now);
    return keys_.size();
  }

 private:
  struct Wish {
    bool waits = false;
    bool in_work = false;
    bool is_ready = false;
    Instant due{};
    Instant counts_from{};
    Instant rests_until{};
    int priority = 0;
    unsigned failures = 0;
    int causes = 0;
    std::uint64_t order = 0;
  };

  [[nodiscard]] std::size_t due_or_in_work() const {
    return static_cast<std::size_t>(std::count_if(
        keys_.begin(), keys_.end(), [](const auto& one) { return one.second.is_ready || one.second.in_work; }));
  }

  [[nodiscard]] std::pair<Instant, std::uint64_t> rank(const Wish& wish) const {
    return {wish.counts_from - rules_.ageing * wish.priority, wish.order};
  }

  // Makes due keys ready, the earliest first, and removes keys that have no state any more.
  void run_until_idle(Instant now) {
    while (true) {
      Wish* next = nullptr;
      const std::string* name = nullptr;
      for (auto& [key, wish] : keys_) {
        if (!wish.waits || wish.in_work || wish.is_ready || wish.due > now) continue;
        if (next != nullptr && std::pair(wish.due, wish.order) > std::pair(next->due, next->order)) continue;
        next = &wish;
        name = &key;
      }
      if (next == nullptr) break;
      next->is_ready = true;
      next->order = ++order_;
      next->counts_from = next->due;
      if (!rules_.tenant) continue;
      auto& [share_ends, ready] = tenants_[rules_.tenant(*name)];
      ++ready;
      next->counts_from = std::max(next->due, share_ends);
      share_ends = next->counts_from + rules_.tenant_share;
    }
    std::erase_if(keys_, [now](const auto& one) {
      const Wish& wish = one.second;
      return !wish.waits && !wish.in_work && wish.failures == 0 && wish.rests_until <= now;
    });
  }

  void leave_tenant(const std::string& key) {
    if (!rules_.tenant) return;
    const auto tenant = tenants_.find(rules_.tenant(key));
    if (--tenant->second.second == 0) tenants_.erase(tenant);
  }

  // A bucket of `burst` tokens that refills at the rate, computed anew from the first start.
  [[nodiscard]] bool has_token(Instant now) const {
    const auto interval = Duration(static_cast<Duration::rep>(1e9 / rules_.rate.per_second));
    const Duration size = interval * rules_.rate.burst;
    Duration filled = size;
    Instant at{};
    for (const Instant start : starts_) {
      filled = std::min(size, filled + (start - at)) - interval;
      at = start;
    }
    return std::min(size, filled + (now - at)) >= interval;
  }

  const QueueOptions<std::string> rules_;
  std::map<std::string, Wish> keys_;
  std::map<std::string, std::pair<Instant, int>> tenants_;
  std::vector<Instant> starts_;
  std::uint64_t order_ = 0;
};

}  // namespace pintle
