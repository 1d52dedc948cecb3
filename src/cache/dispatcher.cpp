#include <pintle/cache/dispatcher.hpp>

#include <utility>

#include <pintle/base/slot_index.hpp>

namespace pintle {

class Dispatcher::Subscription {
 public:
  Subscription(std::vector<ChangeHandler> all, InformerMetrics of) : handlers(std::move(all)), metrics(of) {}

  const std::vector<ChangeHandler> handlers;
  const InformerMetrics metrics;
  SlotIndex waiting{};  // by key; guarded by the dispatcher's mutex
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
// remains, and nothing is delivered.
void merge(Change& first, Change next) {
  note_step(first, next);
  first.current = std::move(next.current);
  if (next.cause != ChangeCause::resync) first.cause = next.cause;
}

}  // namespace

void Dispatcher::Backlog::add(const std::shared_ptr<Subscription>& subscription, Change change) {
  const Object& object = change.object();
  const ObjectKeyView key = object.key_view();
  const std::uint32_t hash = SlotIndex::hash_of(key);
  const Slot slot =
      subscription->waiting.find(hash, [&](Slot one) { return waiting_[one].named_by.key_view() == key; });
  if (slot == SlotIndex::no_slot) {
    subscription->waiting.insert(
        hash, put({.subscription = subscription, .change = change, .named_by = object, .hash = hash}));
    subscription->metrics.queued(1);
  } else {
    waiting_[slot].named_by = object;
    merge(waiting_[slot].change, std::move(change));
  }
}

Dispatcher::Backlog::Slot Dispatcher::Backlog::put(Waiting waiting) {
  const bool is_new = free_ == SlotIndex::no_slot;
  const Slot slot = is_new ? static_cast<Slot>(waiting_.size()) : free_;
  if (is_new) {
    waiting_.push_back(std::move(waiting));
  } else {
    free_ = std::exchange(waiting_[slot], std::move(waiting)).hash;
  }
  order_.push_back(slot);
  return slot;
}

Dispatcher::Waiting Dispatcher::Backlog::take() {
  const Slot slot = order_.front();
  order_.pop_front();
  Waiting next = std::exchange(waiting_[slot], {.hash = free_});
  free_ = slot;
  if (next.subscription) next.subscription->waiting.erase(next.hash, slot);
  if (order_.empty() && waiting_.size() >= min_to_release) {
    *this = {};
    if (next.subscription) next.subscription->waiting = {};
  }
  return next;
}

Dispatcher::Dispatcher(Executor& executor)
    : executor_(executor),
      mutex_(executor),
      changed_(executor),
      thread_(executor.spawn({.name = "dispatcher", .may_block = false}, [this] { run(); })) {}

Dispatcher::~Dispatcher() { stop(); }

std::shared_ptr<Dispatcher::Subscription> Dispatcher::open(std::vector<ChangeHandler> handlers,
                                                           InformerMetrics metrics) {
  return std::make_shared<Subscription>(std::move(handlers), metrics);
}

void Dispatcher::push(const std::shared_ptr<Subscription>& subscription, Change change) {
  {
    const MutexLock lock(mutex_);
    if (stopped_) return;
    backlog_.add(subscription, std::move(change));
  }
  changed_.notify_all();
}

void Dispatcher::push_all(const std::shared_ptr<Subscription>& subscription, std::vector<Change> changes) {
  {
    const MutexLock lock(mutex_);
    if (stopped_) return;
    for (Change& change : changes) backlog_.add(subscription, std::move(change));
  }
  changed_.notify_all();
}

void Dispatcher::run_after_pending(std::function<void()> function) {
  {
    const MutexLock lock(mutex_);
    if (stopped_) return;
    backlog_.add(std::move(function));
  }
  changed_.notify_all();
}

void Dispatcher::run() {
  while (true) {
    Waiting next;
    {
      const MutexLock lock(mutex_);
      busy_ = false;
      while (backlog_.empty() && !stopped_) changed_.wait(mutex_);
      if (stopped_) return;
      next = backlog_.take();
      busy_ = true;
    }
    notify(next);
  }
}

void Dispatcher::notify(const Waiting& next) const {
  if (next.function) {
    next.function();
    return;
  }
  next.subscription->metrics.queued(-1);
  if (!next.change.old && !next.change.current) return;
  const Instant begun = executor_.now();
  for (const ChangeHandler& handler : next.subscription->handlers) handler(next.change);
  next.subscription->metrics.handled(executor_.now() - begun);
}

void Dispatcher::stop() {
  {
    const MutexLock lock(mutex_);
    stopped_ = true;
    backlog_ = {};
    changed_.notify_all();
  }
  thread_.join();
}

bool Dispatcher::is_idle() const {
  const MutexLock lock(mutex_);
  return backlog_.empty() && !busy_;
}

}  // namespace pintle
