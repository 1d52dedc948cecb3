// QueueState: what a work queue knows, as a state machine that is told the time.
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
#include <pintle/queue/ranked_slots.hpp>
#include <pintle/queue/rate.hpp>
#include <pintle/queue/slab.hpp>

namespace pintle {

// In which order, and how often, keys are handed out.
template <class Key>
struct QueueRules {
  // A key that waits gains one point of priority in this time, so that none waits for ever; at most an hour. With the
  // default, a key of priority -100 is overtaken by those that become due in the 10 s after it, and by no later ones.
  Duration ageing = std::chrono::milliseconds(100);
  // Whose a key is. Each of a tenant's keys that wait counts as having come one `tenant_share` after the one before,
  // so that ten thousand keys of one tenant do not stand before the only one of another. Default: all are one tenant's.
  // Called under the lock of the queue; must not throw.
  std::function<std::string(const Key&)> tenant{};
  Duration tenant_share = std::chrono::milliseconds(10);
  // A key that would be one more than these is refused; 0: no bound but the number of distinct keys.
  std::size_t max_keys = 0;
  Duration pace{};  // the least time from one turn of a key to its next
  Rate rate{};      // of turns, all keys together
};

// A key handed to a worker, with why it is there.
template <class Key, class Cause>
struct QueueItem {
  const Key& key;  // the queue's own, until done()
  std::vector<Cause> causes{};
  std::size_t causes_dropped = 0;  // beyond QueueState::max_causes
  int priority = 0;
  unsigned failures = 0;   // since the last forget()
  Instant due{};           // since when it could have been handed out
  std::uint32_t slot = 0;  // of its entry, until done()
  Instant rested_until{};  // by the pace, before it was taken
};

enum class QueueAdd {
  fresh,    // the key was not waiting
  merged,   // it was
  refused,  // there is no room: nothing was changed
};

// One entry a key: its earliest due time, its highest priority, its causes and its failures. A key that is being
// processed is not handed out again; what is added meanwhile waits for done(). Hands out, of what is due, the key that
// has gained the most priority: what it was added with and a point for each `ageing` since it was due. An operation
// costs the logarithm of the number of keys at most, and less when keys come in order. Thread-safety: none; see
// WorkQueue.
template <class Key, class Cause>
class QueueState {
 public:
  using Item = QueueItem<Key, Cause>;
  static constexpr std::size_t max_causes = 16;     // an entry; later ones are counted
  static constexpr int highest_priority = 1000000;  // higher ones count as this, and lower ones than its negative

  // `is_minor` picks causes that may make room for others of an entry that has too many; they are not counted then.
  using IsMinor = std::function<bool(const Cause&)>;

  explicit QueueState(QueueRules<Key> rules = {}, QueueMetrics* metrics = nullptr, IsMinor is_minor = {})
      : rules_(std::move(rules)),
        is_minor_(std::move(is_minor)),
        ageing_(std::clamp<Duration>(rules_.ageing, Duration(1), std::chrono::hours(1))),
        limiter_(rules_.rate),
        metrics_(metrics) {}
  QueueState(const QueueState&) = delete;
  QueueState& operator=(const QueueState&) = delete;

  // Wants the key handed out at `due` (`now` or before: at once). Merges with what is there: the earlier time and the
  // higher priority win, causes add up.
  QueueAdd add(const Key& key, Instant now, Instant due, int priority, Cause cause) {
    promote(now);
    const std::uint32_t hash = SlotIndex::hash_of(key);
    std::uint32_t slot = index_.find(hash, [&](std::uint32_t one) { return entries_[one].key == key; });
    if (slot == SlotIndex::no_slot || !entries_[slot].used) {
      if (rules_.max_keys != 0 && entry_count_ >= rules_.max_keys) return QueueAdd::refused;
      if (slot == SlotIndex::no_slot) slot = make_entry(key, hash);
      entries_[slot].used = true;
      ++entry_count_;
    }
    Entry& entry = entries_[slot];
    const bool merges = entry.waiting;
    priority = std::clamp(priority, -highest_priority, highest_priority);
    due = std::max(due, entry.rests_until);
    keep(entry, std::move(cause));
    if (!merges) {
      entry.waiting = true;
      entry.due = due;
      entry.priority = priority;
      if (metrics_ != nullptr) metrics_->added();
      if (!entry.processing) link(slot, entry, now);
      return QueueAdd::fresh;
    }
    if (due < entry.due || priority > entry.priority) change(slot, entry, now, due, priority);
    return QueueAdd::merged;
  }

  // Whether a key is due that no worker has, and the rate lets it go.
  [[nodiscard]] bool can_take(Instant now) {
    return has_ready(now) && (!rules_.rate.is_limited() || limiter_.next() <= now);
  }
  // The next key at `now`, marked as being processed.
  [[nodiscard]] std::optional<Item> take(Instant now) {
    std::optional<Item> item;
    if (!can_take(now)) return item;
    const std::uint32_t slot = first_live(ready_)->slot;
    Entry& entry = entries_[slot];
    ready_.pop();
    stop_waiting(entry);
    entry.processing = true;
    entry.since = now;
    const Instant rested_until = entry.rests_until;
    if (rules_.pace > Duration::zero()) entry.rests_until = after(now, rules_.pace);
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
                      .rested_until = rested_until});
    return item;
  }

  // For an item that was taken, before done(): it is to be handed out at `due`, with its causes, as if it had not been
  // taken: the pace, the rate and its failures do not change. Merges with what was added meanwhile, as add() does.
  void give_back(Item& item, Instant now, Instant due, int priority) {
    entries_[item.slot].rests_until = item.rested_until;
    if (rules_.rate.is_limited()) limiter_.refund();
    for (Cause& cause : std::exchange(item.causes, {})) add(item.key, now, due, priority, std::move(cause));
    entries_[item.slot].causes_dropped += static_cast<std::uint32_t>(std::exchange(item.causes_dropped, 0U));
  }

  // Ends the processing of a key that was taken; it waits again if it was added meanwhile. Once an item,
  // whose causes go.
  void done(Item& item, Instant now) {
    Entry& entry = entries_[item.slot];
    if (!entry.processing) return;
    promote(now);
    entry.processing = false;
    entries_[in_work_.back()].in_work_at = entry.in_work_at;
    in_work_[entry.in_work_at] = in_work_.back();
    in_work_.pop_back();
    if (metrics_ != nullptr) metrics_->finished(now - entry.since);
    // Its memory serves the next causes, which are mostly as few.
    if (entry.causes.capacity() == 0 && item.causes.capacity() <= few_causes) {
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

  // Between take() and done(). Counts one more failure; answers how many there were before.
  unsigned fail(const Item& item) { return entries_[item.slot].failures++; }
  // The same. Clears the failure count; whether the key waits, or is processed, does not change.
  void forget(const Item& item) { entries_[item.slot].failures = 0; }

  // From when on take() may have something; Instant::max() when nothing waits.
  [[nodiscard]] Instant next_turn() {
    Instant next = Instant::max();
    if (const RankedSlot* delayed = first_live(delayed_)) next = Instant(Duration(delayed->rank));
    if (ready_count_ != 0) next = Instant::min();
    return next != Instant::max() && rules_.rate.is_limited() ? std::max(next, limiter_.next()) : next;
  }
  // Whether take() and done() have a use for the time; where they have none, they may be told an earlier one.
  [[nodiscard]] bool heeds_time() const noexcept {
    return metrics_ != nullptr || delayed_.size() != 0 || rules_.rate.is_limited() || rules_.pace > Duration::zero();
  }
  // Whether a key is due that no worker has.
  [[nodiscard]] bool has_ready(Instant now) {
    promote(now);
    return ready_count_ != 0;
  }

  // Forgets every key that waits, and all failures; what is processed remains until done().
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

  // Brings the metrics that grow with time up to date.
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

  // What somebody who looks sees of an entry.
  struct Glimpse {
    const Key& key;
    bool waiting;
    bool processing;
    Instant due;    // if it waits
    Instant taken;  // if it is processed
    int priority;
    unsigned failures;
    const std::vector<Cause>& causes;
    std::size_t causes_dropped;
  };
  template <class Visitor>
  void visit(Visitor visitor) const {
    for (std::uint32_t slot = 0; slot < entries_.size(); ++slot) {
      const Entry& entry = entries_[slot];
      if (!entry.used) continue;
      visitor(Glimpse{entry.key, entry.waiting, entry.processing, entry.due, entry.since, entry.priority,
                      entry.failures, entry.causes, entry.causes_dropped});
    }
  }

 private:
  struct Tenant {
    Instant share_ends{};  // the next of its keys counts as having come no earlier
    std::size_t ready = 0;
  };
  using Tenants = std::unordered_map<std::string, Tenant>;

  struct Entry {
    Key key{};
    std::uint64_t stamp = 0;  // of its place in ready_ or delayed_; 0: in neither
    Instant due{};
    Instant since{};  // when it began to gain priority, or, while it is processed, when it was taken
    Instant rests_until{};
    typename Tenants::value_type* tenant = nullptr;
    std::vector<Cause> causes{};
    std::uint32_t causes_dropped = 0;
    std::uint32_t hash = 0;
    std::uint32_t in_work_at = 0;  // its place in in_work_, while it is processed
    int priority = 0;
    unsigned failures = 0;
    bool used = false;        // false: nothing is known of the key, but the index still leads here
    bool is_spare = false;    // in spare_
    bool waiting = false;     // wants to be handed out
    bool processing = false;  // is handed out
    bool is_ready = false;    // in ready_, else in delayed_
  };
  using Entries = Slab<Entry>;

  std::uint32_t make_entry(const Key& key, std::uint32_t hash) {
    const std::uint32_t slot = free_slot();
    Entry& entry = entries_[slot];
    entry.key = key;
    entry.hash = hash;
    index_.insert(hash, slot);
    return slot;
  }

  // Keys come back, so a forgotten one leaves its slot, and the index, when another needs the room.
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
      // It keeps the time that it has waited.
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

  // Among those that are ready, by what it has gained.
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

  // What was delayed and is due now becomes ready.
  void promote(Instant now) {
    if (delayed_.size() != 0) promote_delayed(now);
  }
  void promote_delayed(Instant now) {
    while (const RankedSlot* first = first_live(delayed_)) {
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

  // Forgets an entry that says nothing any more.
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
    if (--entry_count_ == 0 && entries_.size() >= least_to_release) release_memory();
  }

  void release_memory() {
    entries_ = {};
    spare_ = {};
    ready_ = {};
    delayed_ = {};
    index_ = {};
  }

  [[nodiscard]] bool is_live(const RankedSlot& one) const { return entries_[one.slot].stamp == one.stamp; }

  [[nodiscard]] const RankedSlot* first_live(RankedSlots& slots) const {
    const RankedSlot* first = slots.first();
    while (first != nullptr && !is_live(*first)) {
      slots.pop();
      first = slots.first();
    }
    return first;
  }

  void sweep_if_stale(RankedSlots& slots, std::size_t live) const {
    if (slots.size() <= least_to_release + 2 * live) return;
    slots.sweep([this](const RankedSlot& one) { return is_live(one); });
  }

  static constexpr std::size_t few_causes = 4;
  static constexpr std::size_t least_to_release = 4096;  // entries; fewer are not worth giving back

  const QueueRules<Key> rules_;
  const IsMinor is_minor_;
  const Duration ageing_;
  RateLimiter limiter_;
  QueueMetrics* const metrics_;
  Entries entries_;
  std::vector<std::uint32_t> spare_;  // slots whose keys may be forgotten; some came back
  SlotIndex index_;
  std::size_t entry_count_ = 0;
  RankedSlots ready_;    // by what they have gained
  RankedSlots delayed_;  // by when they are due, or may be forgotten
  Tenants tenants_;
  std::uint64_t last_stamp_ = 0;
  std::size_t ready_count_ = 0;
  std::size_t delayed_count_ = 0;
  std::vector<std::uint32_t> in_work_;  // slots of the keys that are processed
};

}  // namespace pintle
