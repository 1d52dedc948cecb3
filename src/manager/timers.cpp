// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <utility>

#include <pintle/base/mutex.hpp>
#include <pintle/base/random.hpp>
#include <pintle/manager/timer.hpp>
#include <pintle/object/template_hash.hpp>

namespace pintle::internal {
namespace {

// Equal for two states of an object that differ only in what the operator itself or the server usually writes.
std::string essence_of(const Object& object) {
  json::object content;
  for (const auto [name, value] : object.root().members()) {
    if (name != "metadata" && name != "status") content[name] = value.to_value();
  }
  for (const char* name : {"labels", "annotations", "finalizers", "ownerReferences", "deletionTimestamp"}) {
    content[std::string("metadata.") + name] = object.metadata().member(name).to_value();
  }
  return template_hash(json::Value(std::move(content)));
}

}  // namespace

class [[gnu::visibility("hidden")]] Timers::State {
 public:
  State(Executor& executor, TimerOptions options) : executor_(executor), options_(options), mutex_(executor) {}

  Outcome reconcile(const Object& object, bool matches, const std::function<Outcome()>& body);
  void release(const ObjectKey& key) {
    const MutexLock lock(mutex_);
    entries_.erase(key);
  }
  [[nodiscard]] std::size_t size() const {
    const MutexLock lock(mutex_);
    return entries_.size();
  }

 private:
  // The times of one object.
  struct Entry {
    std::string uid{};
    std::string essence{};  // only with `idle`
    Instant changed{};      // when the newest essence arrived
    Instant due{};          // without `idle`
    Instant first{};        // the first call
    bool was_called = false;
    unsigned failures = 0;
  };
  [[nodiscard]] Entry noted(const Object& object, Instant now);
  void schedule(Entry& entry, Instant begun, const Outcome& outcome);
  void keep(const ObjectKey& key, const Entry& entry);
  [[nodiscard]] Instant due(const Entry& entry) const {
    return options_.idle > Duration::zero() ? std::max(entry.due, after(entry.changed, options_.idle)) : entry.due;
  }

  Executor& executor_;
  const TimerOptions options_;
  mutable Mutex mutex_;
  std::map<ObjectKey, Entry> entries_ PINTLE_GUARDED_BY(mutex_);
};

Outcome Timers::State::reconcile(const Object& object, bool matches, const std::function<Outcome()>& body) {
  const ObjectKey key = object.key();
  if (!matches || object.is_deleting()) {
    release(key);
    return done;
  }
  const Instant now = executor_.now();
  Entry entry = noted(object, now);
  if (due(entry) > now) return requeue_after(due(entry) - now);
  Outcome outcome = body();
  const Error* error = outcome.as_failed();
  if (error != nullptr && error->code == ErrorCode::cancelled) return outcome;
  schedule(entry, now, outcome);
  keep(key, entry);
  // The controller reports the failure and retries it soon; that reconcile only determines the time that is left.
  if (error != nullptr) {
    Error reported = *error;
    reported.is_terminal = false;
    return failed(std::move(reported));
  }
  return requeue_after(due(entry) - executor_.now());
}

Timers::State::Entry Timers::State::noted(const Object& object, Instant now) {
  const std::string essence = options_.idle > Duration::zero() ? essence_of(object) : std::string();
  const MutexLock lock(mutex_);
  Entry& entry = entries_[object.key()];
  if (entry.uid != object.uid()) {
    entry = {.uid = std::string(object.uid()),
             .essence = essence,
             .changed = now,
             .due = after(now, options_.initial_delay)};
  } else if (entry.essence != essence) {
    entry.essence = essence;
    entry.changed = now;
  }
  return entry;
}

void Timers::State::schedule(Entry& entry, Instant begun, const Outcome& outcome) {
  const Instant now = executor_.now();
  if (!std::exchange(entry.was_called, true)) entry.first = begun;
  const Error* error = outcome.as_failed();
  const bool is_failed = outcome.is_requeue() || (error != nullptr && !error->is_terminal);
  if (is_failed) {
    const Duration delay = options_.backoff.delay(entry.failures++, Random::to_unit(executor_.random()));
    const Duration requested =
        error != nullptr ? Duration(error->retry_after.value_or(Duration::zero())) : Duration::zero();
    entry.due = after(now, std::max(delay, requested));
    return;
  }
  entry.failures = 0;
  if (const RequeueAfter* again = outcome.as_requeue_after()) {
    entry.due = after(now, again->delay);
  } else if (options_.sharp) {
    const auto elapsed = (now - entry.first) / options_.interval;
    entry.due = after(entry.first, (elapsed + 1) * options_.interval);
  } else {
    entry.due = after(now, options_.interval);
  }
}

// An object that was deleted during the call has no times any more.
void Timers::State::keep(const ObjectKey& key, const Entry& entry) {
  const MutexLock lock(mutex_);
  const auto found = entries_.find(key);
  if (found != entries_.end() && found->second.uid == entry.uid) found->second = entry;
}

Timers::Timers(Executor& executor, TimerOptions options) : state_(std::make_unique<State>(executor, options)) {}
Timers::~Timers() = default;
Outcome Timers::reconcile(const Object& object, bool matches, const std::function<Outcome()>& body) {
  return state_->reconcile(object, matches, body);
}
void Timers::release(const ObjectKey& key) { state_->release(key); }
std::size_t Timers::size() const { return state_->size(); }

}  // namespace pintle::internal
