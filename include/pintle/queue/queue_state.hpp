// SPDX-License-Identifier: Apache-2.0
// QueueState: the state of a work queue, as a state machine that receives the time from its caller.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <pintle/base/slot_index.hpp>
#include <pintle/base/time.hpp>
#include <pintle/queue/queue_metrics.hpp>
#include <pintle/queue/queue_options.hpp>
#include <pintle/queue/ranked_slots.hpp>
#include <pintle/queue/rate.hpp>
#include <pintle/queue/slab.hpp>

namespace pintle {

/// A key that a worker has taken, with its causes.
template <class Key, class Cause>
struct QueueItem {
  const Key& key;  ///< owned by the queue; valid until done()
  std::vector<Cause> causes{};
  std::size_t causes_dropped = 0;  ///< causes beyond QueueState::max_causes
  int priority = 0;
  unsigned failures = 0;   ///< since the last forget()
  Instant due{};           ///< when the key became due
  std::uint32_t slot = 0;  ///< slot of its entry; valid until done()
  Instant not_before{};    ///< end of the last `min_interval` of the key, for put_back()
};

enum class AddResult {
  fresh,     ///< the key was not waiting
  merged,    ///< the key was already waiting
  rejected,  ///< QueueOptions::max_keys is reached; nothing was changed
};

/// Has one entry for each key, with its earliest due time, its highest priority, its causes and its failures. A key is
/// in work between take() and done(). It is not handed out again in that time; if it is added, it waits for done().
/// take() returns the due key with the highest effective priority: the priority with which it was added, plus one point
/// for each `ageing` since it was due or, with QueueOptions::tenant, since its `tenant_share` began, if that is later.
/// add(), take() and done() take at most amortised logarithmic time in the number of keys, and less if keys arrive in
/// order. Thread-safety: none; see WorkQueue.
template <class Key, class Cause>
class QueueState {
 public:
  using Item = QueueItem<Key, Cause>;
  static constexpr std::size_t max_causes = 16;  ///< of an entry; further causes are only counted
  static constexpr int max_priority = 1000000;   ///< priorities are limited to this value and its negative

  /// Returns whether a cause is dropped first if an entry has too many. causes_dropped does not count these causes.
  using IsDroppable = std::function<bool(const Cause&)>;

  explicit QueueState(QueueOptions<Key> rules = {}, QueueMetrics* metrics = nullptr, IsDroppable is_droppable = {})
      : rules_(std::move(rules)),
        is_minor_(std::move(is_droppable)),
        ageing_(std::clamp<Duration>(rules_.ageing, Duration(1), std::chrono::hours(1))),
        limiter_(rules_.rate),
        metrics_(metrics) {}
  QueueState(const QueueState&) = delete;
  QueueState& operator=(const QueueState&) = delete;

  /// Adds a key that becomes due at the time `due`, which may be in the past. If the key is already waiting, the
  /// earlier time and the higher priority apply, and the cause is added to its causes.
  AddResult add(const Key& key, Instant now, Instant due, int priority, Cause cause) {
    promote(now);
    const std::uint32_t hash = internal::SlotIndex::hash_of(key);
    std::uint32_t slot = index_.find(hash, [&](std::uint32_t one) { return entries_[one].key == key; });
    if (slot == internal::SlotIndex::no_slot || !entries_[slot].used) {
      if (rules_.max_keys != 0 && ready_count_ + in_work_.size() >= rules_.max_keys) return AddResult::rejected;
      if (slot == internal::SlotIndex::no_slot) slot = make_entry(key, hash);
      entries_[slot].used = true;
      ++entry_count_;
    }
    Entry& entry = entries_[slot];
    const bool merges = entry.waiting;
    priority = std::clamp(priority, -max_priority, max_priority);
    due = std::max(due, entry.rests_until);
    keep(entry, std::move(cause));
    if (!merges) {
      entry.waiting = true;
      entry.due = due;
      entry.priority = priority;
      if (metrics_ != nullptr) metrics_->added();
      if (!entry.processing) link(slot, entry, now);
      return AddResult::fresh;
    }
    if (due < entry.due || priority > entry.priority) change(slot, entry, now, due, priority);
    return AddResult::merged;
  }

  /// True if a key is due that no worker has, and the rate allows taking it.
  [[nodiscard]] bool can_take(Instant now) {
    return has_ready(now) && (!rules_.rate.is_limited() || limiter_.next() <= now);
  }
  /// Returns the next key at the time `now` and marks it as in work, or returns nothing.
  [[nodiscard]] std::optional<Item> take(Instant now) {
    std::optional<Item> item;
    if (!can_take(now)) return item;
    const std::uint32_t slot = first_live(ready_)->slot;
    Entry& entry = entries_[slot];
    ready_.pop();
    stop_waiting(entry);
    entry.processing = true;
    entry.since = now;
    const Instant not_before = entry.rests_until;
    if (rules_.min_interval > Duration::zero()) entry.rests_until = after(now, rules_.min_interval);
    if (rules_.rate.is_limited()) limiter_.spend(now);
    if (metrics_ != nullptr) metrics_->handed_out(now - entry.due);
    entry.in_work_at = static_cast<std::uint32_t>(in_work_.size());
    in_work_.push_back(slot);
    item.emplace(Item{.key = entry.key,
                      .causes = std::exchange(entry.causes, {}),
                      .causes_dropped = std::exchange(entry.causes_dropped, 0U),
                      .priority = entry.priority,
                      .failures = entry.failures,
                      .due = entry.due,
                      .slot = slot,
                      .not_before = not_before});
    return item;
  }

  /// Returns an item to the queue before done(), so that its key waits until `due` with its causes as if it had not
  /// been taken: pace, rate and failures do not change. If the key was added meanwhile, both are merged as by add().
  void put_back(Item& item, Instant now, Instant due, int priority) {
    entries_[item.slot].rests_until = item.not_before;
    if (rules_.rate.is_limited()) limiter_.refund();
    for (Cause& cause : std::exchange(item.causes, {})) add(item.key, now, due, priority, std::move(cause));
    entries_[item.slot].causes_dropped += static_cast<std::uint32_t>(std::exchange(item.causes_dropped, 0U));
  }

  /// Ends the processing of an item. If its key was added meanwhile, the key waits again. Call it once for each item;
  /// the causes of the item become invalid.
  void done(Item& item, Instant now) {
    Entry& entry = entries_[item.slot];
    if (!entry.processing) return;
    promote(now);
    entry.processing = false;
    entries_[in_work_.back()].in_work_at = entry.in_work_at;
    in_work_[entry.in_work_at] = in_work_.back();
    in_work_.pop_back();
    if (metrics_ != nullptr) metrics_->finished(now - entry.since);
    // The memory is kept for the next causes of the key, which are usually few.
    if (entry.causes.capacity() == 0 && item.causes.capacity() <= max_reserved_causes) {
      entry.causes = std::move(item.causes);
      entry.causes.clear();
    }
    if (entry.waiting) {
      entry.due = std::max(entry.due, entry.rests_until);
      link(item.slot, entry, now);
    } else {
      tidy(item.slot, entry, now);
    }
  }

  /// Increments the number of failures and returns its previous value. Call it between take() and done().
  unsigned fail(const Item& item) { return entries_[item.slot].failures++; }
  /// Clears the failures; the key stays waiting or in work. Call it between take() and done().
  void forget(const Item& item) { entries_[item.slot].failures = 0; }

  /// No key can be taken before this time. Instant::max() if no key waits and no entry rests because of min_interval.
  [[nodiscard]] Instant next_due() {
    Instant next = Instant::max();
    if (const internal::RankedSlot* delayed = first_live(delayed_)) next = Instant(Duration(delayed->rank));
    if (ready_count_ != 0) next = Instant::min();
    return next != Instant::max() && rules_.rate.is_limited() ? std::max(next, limiter_.next()) : next;
  }
  /// Whether take() and done() depend on the time. If not, the caller may pass an earlier time.
  [[nodiscard]] bool uses_clock() const noexcept {
    return metrics_ != nullptr || delayed_.size() != 0 || rules_.rate.is_limited() ||
           rules_.min_interval > Duration::zero();
  }
  /// True if a key is due that no worker has.
  [[nodiscard]] bool has_ready(Instant now) {
    promote(now);
    return ready_count_ != 0;
  }

  /// Removes all waiting keys and clears all failures. Keys in work remain until done().
  void clear_waiting(Instant now) {
    for (std::uint32_t slot = 0; slot < entries_.size(); ++slot) {
      Entry& entry = entries_[slot];
      if (!entry.used) continue;
      if (entry.waiting) stop_waiting(entry);
      entry.failures = 0;
      entry.causes.clear();
      entry.causes_dropped = 0;
      tidy(slot, entry, now);
    }
  }

  [[nodiscard]] std::size_t waiting() const noexcept { return ready_count_ + delayed_count_; }
  [[nodiscard]] std::size_t ready() const noexcept { return ready_count_; }
  [[nodiscard]] std::size_t processing() const noexcept { return in_work_.size(); }
  [[nodiscard]] std::size_t entries() const noexcept { return entry_count_; }

  /// Updates the metrics that grow with time.
  void measure(Instant now) const {
    if (metrics_ == nullptr) return;
    Duration together{};
    Duration longest{};
    for (const std::uint32_t slot : in_work_) {
      const Duration worked = now - entries_[slot].since;
      together += worked;
      longest = std::max(longest, worked);
    }
    metrics_->processing(together, longest);
  }

  /// A read-only view of an entry.
  struct EntryView {
    const Key& key;
    bool waiting;
    bool processing;
    Instant due;    ///< valid if the key waits
    Instant taken;  ///< valid if the key is in work
    int priority;
    unsigned failures;
    const std::vector<Cause>& causes;
    std::size_t causes_dropped;
  };
  template <class Visitor>
  void for_each_entry(Visitor visitor) const {
    for (std::uint32_t slot = 0; slot < entries_.size(); ++slot) {
      const Entry& entry = entries_[slot];
      if (!entry.used) continue;
      visitor(EntryView{entry.key, entry.waiting, entry.processing, entry.due, entry.since, entry.priority,
                        entry.failures, entry.causes, entry.causes_dropped});
    }
  }

 private:
  struct Tenant {
    Instant share_ends{};  // earliest arrival time of the next key of the tenant, for its rank
    std::size_t ready = 0;
  };
  using Tenants = std::unordered_map<std::string, Tenant>;

  struct Entry {
    Key key{};
    std::uint64_t stamp = 0;  // of the key in ready_ or delayed_; 0: it is in neither
    Instant due{};
    Instant since{};  // start of the ageing; while the key is in work: when it was taken
    Instant rests_until{};
    typename Tenants::value_type* tenant = nullptr;
    std::vector<Cause> causes{};
    std::uint32_t causes_dropped = 0;
    std::uint32_t hash = 0;
    std::uint32_t in_work_at = 0;  // position in in_work_, while the key is in work
    int priority = 0;
    unsigned failures = 0;
    bool used = false;        // false: the entry has no state, but the index still refers to it
    bool is_spare = false;    // in spare_
    bool waiting = false;     // for a worker, or for done() while it is in work
    bool processing = false;  // in work
    bool is_ready = false;    // true: in ready_; false: in delayed_
  };
  using Entries = internal::Slab<Entry>;

  std::uint32_t make_entry(const Key& key, std::uint32_t hash) {
    const std::uint32_t slot = free_slot();
    Entry& entry = entries_[slot];
    entry.key = key;
    entry.hash = hash;
    index_.insert(hash, slot);
    return slot;
  }

  // Keys are often added again, so an unused entry keeps its slot and its place in the index until another key needs
  // it.
  std::uint32_t free_slot() {
    while (!spare_.empty() && !entries_.has_room()) {
      const std::uint32_t slot = spare_.back();
      spare_.pop_back();
      Entry& entry = entries_[slot];
      entry.is_spare = false;
      if (entry.used) continue;
      index_.erase(entry.hash, slot);
      return slot;
    }
    return entries_.add();
  }

  void keep(Entry& entry, Cause cause) {
    if (entry.causes.size() >= max_causes && is_minor_) {
      const auto minor = std::find_if(entry.causes.begin(), entry.causes.end(), is_minor_);
      if (minor == entry.causes.end() && is_minor_(cause)) return;
      if (minor != entry.causes.end()) entry.causes.erase(minor);
    }
    if (entry.causes.size() < max_causes) {
      entry.causes.push_back(std::move(cause));
    } else {
      ++entry.causes_dropped;
    }
  }

  void change(std::uint32_t slot, Entry& entry, Instant now, Instant due, int priority) {
    const int before = std::exchange(entry.priority, std::max(entry.priority, priority));
    entry.due = std::min(entry.due, due);
    if (entry.processing) return;
    if (!entry.is_ready) {
      --delayed_count_;
      link(slot, entry, now);
    } else if (entry.priority != before) {
      // The key keeps the time that it has already waited.
      leave_ready(before);
      enter_ready(slot, entry);
    }
  }

  void link(std::uint32_t slot, Entry& entry, Instant now) {
    if (entry.due <= now) {
      make_ready(slot, entry);
      return;
    }
    entry.is_ready = false;
    ++delayed_count_;
    delay(slot, entry, entry.due);
  }

  void delay(std::uint32_t slot, Entry& entry, Instant until) {
    entry.stamp = ++last_stamp_;
    delayed_.push({until.time_since_epoch().count(), entry.stamp, slot});
    sweep_if_stale(delayed_, entry_count_);
  }

  void make_ready(std::uint32_t slot, Entry& entry) {
    entry.is_ready = true;
    entry.since = entry.due;
    if (rules_.tenant) {
      entry.tenant = &*tenants_.try_emplace(rules_.tenant(entry.key)).first;
      Tenant& tenant = entry.tenant->second;
      ++tenant.ready;
      entry.since = std::max(entry.due, tenant.share_ends);
      tenant.share_ends = entry.since + rules_.tenant_share;
    }
    enter_ready(slot, entry);
  }

  // Adds the entry to ready_, in the order of the effective priority.
  void enter_ready(std::uint32_t slot, Entry& entry) {
    entry.stamp = ++last_stamp_;
    ready_.push({(entry.since.time_since_epoch() - ageing_ * entry.priority).count(), entry.stamp, slot});
    ++ready_count_;
    if (metrics_ != nullptr) metrics_->ready(entry.priority, 1);
    sweep_if_stale(ready_, ready_count_);
  }

  void leave_ready(int priority) {
    --ready_count_;
    if (metrics_ != nullptr) metrics_->ready(priority, -1);
  }

  void stop_waiting(Entry& entry) {
    entry.waiting = false;
    if (entry.processing) return;
    entry.stamp = 0;
    if (!entry.is_ready) {
      --delayed_count_;
      return;
    }
    entry.is_ready = false;
    leave_ready(entry.priority);
    if (entry.tenant != nullptr && --entry.tenant->second.ready == 0) tenants_.erase(entry.tenant->first);
    entry.tenant = nullptr;
  }

  // Makes delayed keys ready that are due now.
  void promote(Instant now) {
    if (delayed_.size() != 0) promote_delayed(now);
  }
  void promote_delayed(Instant now) {
    while (const internal::RankedSlot* first = first_live(delayed_)) {
      if (first->rank > now.time_since_epoch().count()) return;
      const std::uint32_t slot = first->slot;
      delayed_.pop();
      Entry& entry = entries_[slot];
      entry.stamp = 0;
      if (entry.waiting) {
        --delayed_count_;
        make_ready(slot, entry);
      } else {
        tidy(slot, entry, now);
      }
    }
  }

  // Releases an entry that has no state any more.
  void tidy(std::uint32_t slot, Entry& entry, Instant now) {
    if (entry.waiting || entry.processing || entry.failures != 0) return;
    if (entry.rests_until > now) {
      delay(slot, entry, entry.rests_until);
      return;
    }
    entry.used = false;
    entry.stamp = 0;
    entry.rests_until = {};
    if (!std::exchange(entry.is_spare, true)) spare_.push_back(slot);
    if (--entry_count_ == 0 && entries_.size() >= min_to_release) release_memory();
  }

  void release_memory() {
    entries_ = {};
    spare_ = {};
    ready_ = {};
    delayed_ = {};
    index_ = {};
  }

  [[nodiscard]] bool is_live(const internal::RankedSlot& one) const { return entries_[one.slot].stamp == one.stamp; }

  [[nodiscard]] const internal::RankedSlot* first_live(internal::RankedSlots& slots) const {
    const internal::RankedSlot* first = slots.first();
    while (first != nullptr && !is_live(*first)) {
      slots.pop();
      first = slots.first();
    }
    return first;
  }

  void sweep_if_stale(internal::RankedSlots& slots, std::size_t live) const {
    if (slots.size() <= min_to_release + 2 * live) return;
    slots.sweep([this](const internal::RankedSlot& one) { return is_live(one); });
  }

  static constexpr std::size_t max_reserved_causes = 4;
  static constexpr std::size_t min_to_release = 4096;  // a queue with fewer entries keeps its memory

  const QueueOptions<Key> rules_;
  const IsDroppable is_minor_;
  const Duration ageing_;
  RateLimiter limiter_;
  QueueMetrics* const metrics_;
  Entries entries_;
  std::vector<std::uint32_t> spare_;  // slots that were released; some may be in use again
  internal::SlotIndex index_;
  std::size_t entry_count_ = 0;
  internal::RankedSlots ready_;    // by effective priority
  internal::RankedSlots delayed_;  // by the time at which they are due or can be released
  Tenants tenants_;
  std::uint64_t last_stamp_ = 0;
  std::size_t ready_count_ = 0;
  std::size_t delayed_count_ = 0;
  std::vector<std::uint32_t> in_work_;  // slots of the keys in work
};

}  // namespace pintle
