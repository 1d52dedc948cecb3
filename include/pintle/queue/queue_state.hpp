// QueueState: what a work queue knows, as a state machine that is told the time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include <pintle/base/time.hpp>

namespace pintle {

// A key handed to a worker, with why it is there.
template <class Key, class Cause>
struct QueueItem {
  Key key{};
  std::vector<Cause> causes{};
  std::size_t causes_dropped = 0;  // beyond QueueState::max_causes
  int priority = 0;
  unsigned failures = 0;  // since the last forget()
};

// One entry a key: its earliest due time, its highest priority, its causes and its failures. A key that is being
// processed is not handed out again; what is added meanwhile waits for done(). Hands out what is due by priority, then
// in the order it became due. Holds at most one entry for each distinct key added. Thread-safety: none; see WorkQueue.
template <class Key, class Cause>
class QueueState {
 public:
  using Item = QueueItem<Key, Cause>;
  static constexpr std::size_t max_causes = 16;  // an entry; later ones are counted

  // Wants the key handed out at `due` (now or before: at once). Merges with what is there: the earlier time and the
  // higher priority win, causes add up.
  void add(const Key& key, Instant due, int priority, Cause cause) {
    Entry& entry = entries_[key];
    const bool waited = entry.waiting;
    if (waited && !entry.processing) unlink(key, entry);
    entry.due = waited ? std::min(entry.due, due) : due;
    entry.priority = waited ? std::max(entry.priority, priority) : priority;
    if (entry.causes.size() < max_causes) {
      entry.causes.push_back(std::move(cause));
    } else {
      ++entry.causes_dropped;
    }
    entry.waiting = true;
    if (!entry.processing) link(key, entry);
  }

  // The next key that is due at `now`, marked as being processed.
  [[nodiscard]] std::optional<Item> take(Instant now) {
    promote(now);
    if (ready_.empty()) return std::nullopt;
    const Key key = std::get<2>(*ready_.begin());
    Entry& entry = entries_.find(key)->second;
    unlink(key, entry);
    entry.waiting = false;
    entry.processing = true;
    ++processing_;
    return Item{.key = key,
                .causes = std::exchange(entry.causes, {}),
                .causes_dropped = std::exchange(entry.causes_dropped, 0),
                .priority = entry.priority,
                .failures = entry.failures};
  }

  // Ends the processing of a key that was taken; it waits again if it was added meanwhile.
  void done(const Key& key) {
    const auto found = entries_.find(key);
    if (found == entries_.end() || !found->second.processing) return;
    Entry& entry = found->second;
    entry.processing = false;
    --processing_;
    if (entry.waiting) link(key, entry);
    tidy(found);
  }

  // Counts one more failure; answers how many there were before.
  unsigned fail(const Key& key) { return entries_[key].failures++; }

  // Clears the failure count; says nothing of whether the key waits or is processed.
  void forget(const Key& key) {
    const auto found = entries_.find(key);
    if (found == entries_.end()) return;
    found->second.failures = 0;
    tidy(found);
  }

  // When the earliest key that is not yet due becomes so; Instant::max() when there is none.
  [[nodiscard]] Instant next_due() const noexcept {
    return delayed_.empty() ? Instant::max() : std::get<0>(*delayed_.begin());
  }
  [[nodiscard]] bool has_ready(Instant now) {
    promote(now);
    return !ready_.empty();
  }

  [[nodiscard]] std::size_t waiting() const noexcept { return ready_.size() + delayed_.size(); }
  [[nodiscard]] std::size_t ready() const noexcept { return ready_.size(); }
  [[nodiscard]] std::size_t processing() const noexcept { return processing_; }
  [[nodiscard]] std::size_t entries() const noexcept { return entries_.size(); }

 private:
  struct Entry {
    Instant due{};
    std::uint64_t order = 0;
    int priority = 0;
    unsigned failures = 0;
    bool waiting = false;     // wants to be handed out
    bool processing = false;  // is handed out
    bool is_ready = false;    // linked in ready_, else in delayed_
    std::vector<Cause> causes{};
    std::size_t causes_dropped = 0;
  };
  using Entries = std::unordered_map<Key, Entry>;

  void link(const Key& key, Entry& entry) {
    entry.order = ++order_;
    entry.is_ready = false;
    delayed_.emplace(entry.due, entry.order, key);
  }
  void unlink(const Key& key, Entry& entry) {
    if (entry.is_ready) {
      ready_.erase({-static_cast<std::int64_t>(entry.priority), entry.order, key});
    } else {
      delayed_.erase({entry.due, entry.order, key});
    }
  }
  void promote(Instant now) {
    while (!delayed_.empty() && std::get<0>(*delayed_.begin()) <= now) {
      auto node = delayed_.extract(delayed_.begin());
      const Key& key = std::get<2>(node.value());
      Entry& entry = entries_.find(key)->second;
      entry.is_ready = true;
      ready_.emplace(-static_cast<std::int64_t>(entry.priority), entry.order, key);
    }
  }
  void tidy(typename Entries::iterator at) {
    const Entry& entry = at->second;
    if (!entry.waiting && !entry.processing && entry.failures == 0) entries_.erase(at);
  }

  Entries entries_;
  std::set<std::tuple<Instant, std::uint64_t, Key>> delayed_;
  std::set<std::tuple<std::int64_t, std::uint64_t, Key>> ready_;
  std::uint64_t order_ = 0;
  std::size_t processing_ = 0;
};

}  // namespace pintle
