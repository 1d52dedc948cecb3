// SPDX-License-Identifier: Apache-2.0
#include <pintle/cache/dispatcher.hpp>

#include <algorithm>
#include <atomic>
#include <utility>

#include <pintle/base/slot_index.hpp>

namespace pintle {

class Dispatcher::Subscription {
 public:
  Subscription(std::vector<ChangeHandler> all, InformerMetrics of, std::shared_ptr<Lane> in, bool short_lived)
      : handlers(std::move(all)), metrics(std::move(of)), lane(std::move(in)), delivers_short_lived(short_lived) {}

  const std::vector<ChangeHandler> handlers;
  const InformerMetrics metrics;
  const std::shared_ptr<Lane> lane;
  const bool delivers_short_lived;
  internal::SlotIndex waiting{};  // by key; guarded by the dispatcher's mutex
};

struct Dispatcher::Waiting {
  std::shared_ptr<Subscription> subscription{};
  Change change{};
  Object named_by{};                                  // an object with the key; set even if the merged change is empty
  std::uint32_t hash = 0;                             // of the key; in a free slot: the next free slot
  Instant since{};                                    // when the first of the merged changes was pushed
  std::unique_ptr<std::function<void()>> function{};  // if set, replaces `change`
};

namespace {

constexpr std::size_t min_to_release = 4096;  // changes; the memory of a smaller backlog is kept

constexpr std::size_t max_merged_versions = 32;  // versions; more steps count as unknown

// Adds the version of `first.current` to the steps of `first`, before `next` replaces it.
void note_step(Change& first, const Change& next) {
  const auto is_watch_event = [](const Change& one) { return one.current && one.cause == ChangeCause::change; };
  const bool is_merged =
      is_watch_event(first) && is_watch_event(next) && first.merged_versions.size() < max_merged_versions;
  if (is_merged) {
    first.merged_versions.emplace_back(first.current.resource_version());
  } else {
    first.merged_versions.assign(1, "");
  }
}

// Merges `next` into `first`. If an object was added and deleted before its delivery, neither `old` nor `current`
// remains, and nothing is delivered, or the deletion remains. A resync shows a state that the waiting change contains
// or has overtaken.
void merge(Change& first, Change next, bool delivers_short_lived) {
  if (next.cause == ChangeCause::resync) return;
  if (first.cause == ChangeCause::resync) {
    first = std::move(next);
    return;
  }
  note_step(first, next);
  if (delivers_short_lived && !first.old && !next.current) first.old = std::move(next.old);
  first.current = std::move(next.current);
  first.cause = next.cause;
}

}  // namespace

// The waiting changes and functions in their order, with at most one change for each key of a subscription. All members
// are guarded by the dispatcher's mutex.
class Dispatcher::Lane {
 public:
  using Slot = std::uint32_t;

  void add(const std::shared_ptr<Subscription>& subscription, Change change, Instant now) {
    const Object& object = change.object();
    const ObjectKeyView key = object.key_view();
    const std::uint32_t hash = internal::SlotIndex::hash_of(key);
    const Slot slot =
        subscription->waiting.find(hash, [&](Slot one) { return waiting_[one].named_by.key_view() == key; });
    if (slot == internal::SlotIndex::no_slot) {
      const Object named_by = object;
      subscription->waiting.insert(hash, put({.subscription = subscription,
                                              .change = std::move(change),
                                              .named_by = named_by,
                                              .hash = hash,
                                              .since = now}));
      subscription->metrics.queued(1);
    } else {
      waiting_[slot].named_by = object;
      merge(waiting_[slot].change, std::move(change), subscription->delivers_short_lived);
    }
  }

  void add(std::function<void()> function, Instant now) {
    put({.since = now, .function = std::make_unique<std::function<void()>>(std::move(function))});
  }

  [[nodiscard]] Waiting take() {
    const Slot slot = order_.front();
    order_.pop_front();
    Waiting next = std::exchange(waiting_[slot], {.hash = free_});
    free_ = slot;
    if (next.subscription) next.subscription->waiting.erase(next.hash, slot);
    if (order_.empty() && waiting_.size() >= min_to_release) {
      const auto subscription = next.subscription;
      clear();
      if (subscription) subscription->waiting = {};
    }
    return next;
  }

  void clear() {
    order_ = std::deque<Slot>();
    waiting_ = std::vector<Waiting>();
    free_ = internal::SlotIndex::no_slot;
  }

  [[nodiscard]] bool empty() const noexcept { return order_.empty(); }
  [[nodiscard]] std::size_t size() const noexcept { return order_.size(); }
  [[nodiscard]] Instant oldest() const noexcept {
    return order_.empty() ? Instant::max() : waiting_[order_.front()].since;
  }

  bool is_ready = false;                   // in Dispatcher::ready_
  bool is_running = false;                 // a thread works on it
  Instant running_since = Instant::max();  // when the change that is being handled was pushed

 private:
  Slot put(Waiting waiting) {
    const bool is_new = free_ == internal::SlotIndex::no_slot;
    const Slot slot = is_new ? static_cast<Slot>(waiting_.size()) : free_;
    if (is_new) {
      waiting_.push_back(std::move(waiting));
    } else {
      free_ = std::exchange(waiting_[slot], std::move(waiting)).hash;
    }
    order_.push_back(slot);
    return slot;
  }

  std::vector<Waiting> waiting_;              // by slot
  Slot free_ = internal::SlotIndex::no_slot;  // the first free slot
  std::deque<Slot> order_;
};

// One change of one lane.
struct Dispatcher::Turn {
  std::shared_ptr<Lane> lane{};
  Waiting next{};
  bool needs_thread = false;  // the turn is taken over from a slow thread, and no other thread stands by
};

Dispatcher::Dispatcher(Executor& executor)
    : executor_(executor), mutex_(executor), work_(executor), stand_by_(executor) {
  add_thread();
}

Dispatcher::~Dispatcher() { stop(); }

std::shared_ptr<Dispatcher::Lane> Dispatcher::open_lane() {
  auto lane = std::make_shared<Lane>();
  bool needs_watch = false;
  {
    const MutexLock lock(mutex_);
    std::erase_if(lanes_, [](const auto& known) { return known.expired(); });
    lanes_.push_back(lane);
    needs_watch = lanes_.size() > 1 && threads_.size() == 1;
  }
  if (needs_watch) add_thread();
  return lane;
}

std::shared_ptr<Dispatcher::Subscription> Dispatcher::open(std::vector<ChangeHandler> handlers, InformerMetrics metrics,
                                                           std::shared_ptr<Lane> lane, bool delivers_short_lived) {
  if (lane == nullptr) lane = open_lane();
  return std::make_shared<Subscription>(std::move(handlers), std::move(metrics), std::move(lane), delivers_short_lived);
}

void Dispatcher::push(const std::shared_ptr<Subscription>& subscription, Change change) {
  const Instant now = executor_.now();
  CondVar* wakes = nullptr;
  {
    const MutexLock lock(mutex_);
    if (stopped_) return;
    subscription->lane->add(subscription, std::move(change), now);
    wakes = make_ready(subscription->lane);
  }
  if (wakes != nullptr) wakes->notify_one();
}

void Dispatcher::push_all(const std::shared_ptr<Subscription>& subscription, std::vector<Change> changes) {
  const Instant now = executor_.now();
  CondVar* wakes = nullptr;
  {
    const MutexLock lock(mutex_);
    if (stopped_) return;
    for (Change& change : changes) subscription->lane->add(subscription, std::move(change), now);
    wakes = make_ready(subscription->lane);
  }
  if (wakes != nullptr) wakes->notify_one();
}

void Dispatcher::run_after_pending(const std::vector<std::shared_ptr<Subscription>>& subscriptions,
                                   std::function<void()> function) {
  std::vector<std::shared_ptr<Lane>> lanes;
  for (const auto& one : subscriptions) {
    if (std::find(lanes.begin(), lanes.end(), one->lane) == lanes.end()) lanes.push_back(one->lane);
  }
  if (lanes.empty()) lanes.push_back(open_lane());
  // The last lane that gets here runs the function.
  struct Shared {
    std::atomic<std::size_t> left;
    std::function<void()> function;
  };
  const auto shared = std::make_shared<Shared>(lanes.size(), std::move(function));
  const auto run = [shared] {
    if (--shared->left == 0) shared->function();
  };
  const Instant now = executor_.now();
  CondVar* wakes = nullptr;
  {
    const MutexLock lock(mutex_);
    if (stopped_) return;
    for (const auto& lane : lanes) {
      lane->add(run, now);
      if (CondVar* const one = make_ready(lane)) wakes = one;
    }
  }
  if (wakes != nullptr) wakes->notify_one();
}

// Returns what must be notified if the lane was not ready before.
CondVar* Dispatcher::make_ready(const std::shared_ptr<Lane>& lane) {
  if (lane->is_ready || lane->is_running || lane->empty()) return nullptr;
  lane->is_ready = true;
  ready_.push_back(lane);
  if (busy_since_ == Instant::max()) return &work_;
  return is_watched_ ? nullptr : &stand_by_;
}

void Dispatcher::run(std::uint64_t self) {
  while (true) {
    Turn turn;
    if (!take_turn(self, turn)) return;
    if (turn.needs_thread) add_thread();
    notify(turn.next);
    turn.next = {};
    end_turn(self, turn);
  }
}

// Waits until this thread has to work. Returns false after stop().
bool Dispatcher::take_turn(std::uint64_t self, Turn& turn) {
  const MutexLock lock(mutex_);
  while (true) {
    if (stopped_) return false;
    if (prompt_ == 0) prompt_ = self;
    const bool takes_over = prompt_ != self && must_take_over();
    if (takes_over) prompt_ = self;
    if (prompt_ != self) {
      stand_by();
    } else if (ready_.empty()) {
      work_.wait(mutex_);
    } else {
      turn.needs_thread = takes_over && turns_ + 1 == threads_.size();
      break;
    }
  }
  turn.lane = std::move(ready_.front());
  ready_.pop_front();
  turn.lane->is_ready = false;
  turn.lane->is_running = true;
  turn.lane->running_since = turn.lane->oldest();
  turn.next = turn.lane->take();
  busy_since_ = executor_.now();
  ++turns_;
  if (!ready_.empty() && !is_watched_) stand_by_.notify_one();
  return true;
}

// Whether the lanes wait for a handler that is slow.
bool Dispatcher::must_take_over() const {
  return !ready_.empty() && busy_since_ != Instant::max() && executor_.now() - busy_since_ >= slow_after;
}

// One thread at a time watches the thread that delivers, while other lanes wait for it.
void Dispatcher::stand_by() {
  if (is_watched_ || ready_.empty() || busy_since_ == Instant::max()) {
    stand_by_.wait(mutex_);
    return;
  }
  is_watched_ = true;
  (void)stand_by_.wait_until(mutex_, after(busy_since_, slow_after));
  is_watched_ = false;
}

void Dispatcher::end_turn(std::uint64_t self, const Turn& turn) {
  const MutexLock lock(mutex_);
  --turns_;
  if (prompt_ == self) busy_since_ = Instant::max();
  turn.lane->is_running = false;
  turn.lane->running_since = Instant::max();
  // If another thread delivers now, it may wait for work.
  if (CondVar* const wakes = make_ready(turn.lane); wakes != nullptr && prompt_ != self) wakes->notify_one();
}

void Dispatcher::add_thread() {
  std::uint64_t self = 0;
  {
    const MutexLock lock(mutex_);
    self = ++last_thread_;
  }
  const std::string name = self == 1 ? "dispatcher" : "dispatcher-" + std::to_string(self);
  Thread thread = executor_.spawn({.name = name, .may_block = false}, [this, self] { run(self); });
  const MutexLock lock(mutex_);
  if (!stopped_) threads_.push_back(std::move(thread));  // otherwise it ends at once
}

void Dispatcher::notify(const Waiting& next) const {
  if (next.function) {
    (*next.function)();
    return;
  }
  next.subscription->metrics.queued(-1);
  if (!next.change.old && !next.change.current) return;
  const Instant begun = executor_.now();
  for (const ChangeHandler& handler : next.subscription->handlers) handler(next.change);
  next.subscription->metrics.handled(executor_.now() - begun);
}

Dispatcher::Backlog Dispatcher::backlog(const Lane& lane) const {
  const Instant now = executor_.now();
  const MutexLock lock(mutex_);
  const Instant oldest = std::min(lane.running_since, lane.oldest());
  return {.waiting = lane.size(), .lag = oldest < now ? Duration(now - oldest) : Duration::zero()};
}

void Dispatcher::stop() {
  std::vector<Thread> threads;
  {
    const MutexLock lock(mutex_);
    stopped_ = true;
    ready_.clear();
    for (const auto& known : lanes_) {
      if (const auto lane = known.lock()) lane->clear();
    }
    threads.swap(threads_);
    work_.notify_all();
    stand_by_.notify_all();
  }
  for (Thread& thread : threads) thread.join();
}

bool Dispatcher::is_idle() const {
  const MutexLock lock(mutex_);
  return ready_.empty() && turns_ == 0;
}

std::size_t Dispatcher::threads() const {
  const MutexLock lock(mutex_);
  return threads_.size();
}

}  // namespace pintle
