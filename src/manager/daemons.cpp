// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include <pintle/base/exceptions.hpp>
#include <pintle/base/mutex.hpp>
#include <pintle/base/random.hpp>
#include <pintle/base/stop.hpp>
#include <pintle/controller/status_writer.hpp>
#include <pintle/manager/daemon.hpp>

namespace pintle::internal {
namespace {

constexpr const char* condition_type = "DaemonRunning";

// The minimum time after which a run clears the failure of the run before it.
constexpr Duration min_recovery = std::chrono::seconds(1);

// How long a free place is kept for an object that was woken to take it.
constexpr Duration invitation = std::chrono::seconds(1);

}  // namespace

class [[gnu::visibility("hidden")]] Daemons::State {
 public:
  State(Manager& manager, DaemonOptions options, Body body, std::shared_ptr<ChannelSource> wake)
      : options_(std::move(options)),
        body_(std::move(body)),
        wake_(std::move(wake)),
        executor_(manager.executor()),
        running_gauge_(manager.metrics().gauge("pintle_daemons", "Daemons that run.", labels())),
        waiting_gauge_(manager.metrics().gauge("pintle_daemons_waiting",
                                               "Objects that wait because there are too many daemons.", labels())),
        failures_(
            manager.metrics().counter("pintle_daemon_failures_total", "Daemons that returned an error.", labels())),
        mutex_(executor_),
        changed_(executor_) {}

  Outcome reconcile(const Object& object, bool is_wanted, Context& context);
  Outcome finalize(const Object& object);
  void release(const ObjectKey& key);
  Result<void> supervise(const std::stop_token& stop);

 private:
  // The daemon of one object. The members after `uid` are guarded by the mutex, except `stop`.
  struct Entry {
    ObjectKey key{};
    std::string uid{};
    std::stop_source stop{};
    Log log{};
    Object latest{};
    std::optional<Instant> warn_at{};  // set when a stop is requested
    Duration warn_after{};
    bool has_ended = false;
    std::string failure{};   // of the last run that ended; empty once the run after it has lasted
    std::string reported{};  // the failure for which the key was last woken; empty with `failure`
    Instant reported_at{};
    Duration recovers_after{};             // how long the next run must last to clear the failure
    std::optional<Instant> recovers_at{};  // set while such a run has not lasted for this time
    Thread thread{};                       // joinable until it was joined
  };
  using EntryPtr = std::shared_ptr<Entry>;
  // Keys to wake, with the notes for their causes.
  using Due = std::vector<std::pair<ObjectKey, std::string>>;
  enum class Verdict { nothing, starts, waits, runs, finished, failed };

  [[nodiscard]] Labels labels() const { return {{"controller", options_.name}}; }
  [[nodiscard]] Verdict admit(const Object& object, bool is_wanted, const Log& log, EntryPtr& started)
      PINTLE_REQUIRES(mutex_);
  [[nodiscard]] bool has_room_for(const ObjectKey& key, bool is_invited) PINTLE_REQUIRES(mutex_);
  void stop_entry(Entry& entry) PINTLE_REQUIRES(mutex_);
  bool take_invitation(const ObjectKey& key) PINTLE_REQUIRES(mutex_);
  void forget_waiting(const ObjectKey& key) PINTLE_REQUIRES(mutex_);
  void start(const EntryPtr& entry, Context& context);
  void report(Verdict verdict, const std::string& failure, Context& context) const;
  void run(const EntryPtr& entry, const internal::DaemonSurroundings& around);
  [[nodiscard]] bool note_failure(Entry& entry, const std::string& failure, Duration delay);
  [[nodiscard]] Result<void> run_once(const EntryPtr& entry, const internal::DaemonSurroundings& around);
  [[nodiscard]] std::vector<EntryPtr> take_ended() PINTLE_REQUIRES(mutex_);
  [[nodiscard]] std::vector<EntryPtr> to_stop() PINTLE_REQUIRES(mutex_);
  [[nodiscard]] Instant warn_about_late(Instant now) PINTLE_REQUIRES(mutex_);
  [[nodiscard]] Instant clear_failures(Instant now, Due& due) PINTLE_REQUIRES(mutex_);
  [[nodiscard]] Instant invite(Instant now, Due& due) PINTLE_REQUIRES(mutex_);
  void settle(const std::vector<EntryPtr>& ended);

  const DaemonOptions options_;
  const Body body_;
  const std::shared_ptr<ChannelSource> wake_;
  Executor& executor_;
  const Gauge running_gauge_;
  const Gauge waiting_gauge_;
  const Counter failures_;
  Mutex mutex_;
  CondVar changed_;
  std::map<ObjectKey, EntryPtr> entries_ PINTLE_GUARDED_BY(mutex_);
  std::deque<ObjectKey> waiting_ PINTLE_GUARDED_BY(mutex_);
  // The keys that were removed from `waiting_` and woken, with the ends of their invitations.
  std::map<ObjectKey, Instant> invited_ PINTLE_GUARDED_BY(mutex_);
  std::size_t threads_ PINTLE_GUARDED_BY(mutex_) = 0;
  bool is_closed_ PINTLE_GUARDED_BY(mutex_) = false;
};

Outcome Daemons::State::reconcile(const Object& object, bool is_wanted, Context& context) {
  EntryPtr entry;
  std::string failure;
  Verdict verdict{};
  {
    const MutexLock lock(mutex_);
    verdict = admit(object, is_wanted, context.log(), entry);
    if (entry != nullptr) failure = entry->failure;
  }
  if (verdict == Verdict::starts) start(entry, context);
  report(verdict, failure, context);
  return done;
}

// Decides about the daemon of an object. `entry` receives its daemon.
Daemons::State::Verdict Daemons::State::admit(const Object& object, bool is_wanted, const Log& log, EntryPtr& entry) {
  const ObjectKey key = object.key();
  const bool is_invited = take_invitation(key);
  if (const auto found = entries_.find(key); found != entries_.end()) {
    Entry& known = *found->second;
    if (is_wanted && known.uid == object.uid() && !known.warn_at) {
      known.latest = object;
      entry = found->second;
      if (!known.failure.empty()) return Verdict::failed;
      return known.has_ended ? Verdict::finished : Verdict::runs;
    }
    // A daemon that has finished needs no thread; its end was handled.
    if (known.has_ended && !known.thread.joinable()) {
      entries_.erase(found);
    } else {
      stop_entry(known);
      return Verdict::nothing;  // its end causes the next reconcile
    }
  }
  if (!is_wanted || is_closed_) {
    forget_waiting(key);
    return Verdict::nothing;
  }
  if (!has_room_for(key, is_invited)) {
    if (std::find(waiting_.begin(), waiting_.end(), key) == waiting_.end()) waiting_.push_back(key);
    waiting_gauge_.set(static_cast<double>(waiting_.size()));
    return Verdict::waits;
  }
  forget_waiting(key);
  entry = std::make_shared<Entry>();
  entry->key = key;
  entry->uid = object.uid();
  entry->log = log;
  entry->latest = object;
  entries_.emplace(key, entry);
  running_gauge_.set(static_cast<double>(++threads_));
  return Verdict::starts;
}

// Objects that were invited go first, then those that have waited for longer.
bool Daemons::State::has_room_for(const ObjectKey& key, bool is_invited) {
  const auto ahead = is_invited ? 0 : std::find(waiting_.begin(), waiting_.end(), key) - waiting_.begin();
  return threads_ + invited_.size() + static_cast<std::size_t>(ahead) < options_.max_daemons;
}

// Returns whether the object was woken to take a free place, which its reconcile now either takes or leaves to others.
bool Daemons::State::take_invitation(const ObjectKey& key) {
  if (invited_.erase(key) == 0) return false;
  changed_.notify_all();
  return true;
}

void Daemons::State::forget_waiting(const ObjectKey& key) {
  (void)take_invitation(key);
  if (std::erase(waiting_, key) != 0) waiting_gauge_.set(static_cast<double>(waiting_.size()));
}

void Daemons::State::stop_entry(Entry& entry) {
  if (entry.warn_at) return;
  entry.warn_after = options_.grace;
  entry.warn_at = after(executor_.now(), options_.grace);
  changed_.notify_all();
}

void Daemons::State::start(const EntryPtr& entry, Context& context) {
  const internal::DaemonSurroundings around{.client = context.client(),
                                            .executor = executor_,
                                            .log = entry->log,
                                            .stop = entry->stop.get_token(),
                                            .latest_object = [this, entry] {
                                              const MutexLock lock(mutex_);
                                              return entry->latest;
                                            }};
  Thread thread =
      executor_.spawn({.name = options_.name + "/" + entry->key.name}, [this, entry, around] { run(entry, around); });
  const MutexLock lock(mutex_);
  entry->thread = std::move(thread);
  changed_.notify_all();
}

void Daemons::State::report(Verdict verdict, const std::string& failure, Context& context) const {
  if (!options_.has_conditions) return;
  const auto set = [&](ConditionStatus status, const char* reason, std::string message) {
    context.status().set_condition(
        {.type = condition_type, .status = status, .reason = reason, .message = std::move(message)});
  };
  switch (verdict) {
    case Verdict::nothing: context.status().remove_condition(condition_type); break;
    case Verdict::waits:
      set(ConditionStatus::false_, "TooManyDaemons",
          "All " + std::to_string(options_.max_daemons) + " daemons of " + options_.name +
              " run. The daemon of this object starts when another one ends.");
      break;
    case Verdict::starts:
    case Verdict::runs: set(ConditionStatus::true_, "Running", "The daemon of this object runs."); break;
    case Verdict::finished: set(ConditionStatus::false_, "Finished", "The daemon of this object has finished."); break;
    case Verdict::failed: set(ConditionStatus::false_, "Failed", failure); break;
  }
}

void Daemons::State::run(const EntryPtr& entry, const internal::DaemonSurroundings& around) {
  std::string failure;
  for (unsigned attempt = 0; !around.stop.stop_requested(); ++attempt) {
    const Instant begun = executor_.now();
    const auto ended = run_once(entry, around);
    failure.clear();
    if (around.stop.stop_requested()) break;
    if (ended) {
      entry->log.info("the daemon has finished");
      break;
    }
    failures_.add();
    failure = ended.error().to_string();
    if (ended.error().is_terminal) {
      entry->log.error("the daemon failed with a terminal error; it is not started again", {{"error", failure}});
      break;
    }
    if (executor_.now() - begun >= options_.backoff.cap) attempt = 0;
    const Duration delay = options_.backoff.delay(attempt, Random::to_unit(executor_.random()));
    if (note_failure(*entry, failure, delay)) wake_->send(entry->key, "the daemon failed");
    entry->log.error("the daemon failed", {{"error", failure}, {"again_in", format_duration(delay)}});
    executor_.sleep_for(delay, around.stop);
  }
  const MutexLock lock(mutex_);
  entry->failure = std::move(failure);
  entry->has_ended = true;
  changed_.notify_all();
}

// Stores the failure of a run. Returns whether it must be reported. A daemon that only fails must not write a status
// for each attempt, so a failure that only differs in its text is reported after the longest back-off.
bool Daemons::State::note_failure(Entry& entry, const std::string& failure, Duration delay) {
  const MutexLock lock(mutex_);
  const Instant now = executor_.now();
  entry.failure = failure;
  entry.recovers_after = std::max(delay, min_recovery);
  entry.recovers_at.reset();
  const bool is_first = entry.reported.empty();
  const bool has_changed = entry.reported != failure && now - entry.reported_at >= options_.backoff.cap;
  if (!options_.has_conditions || (!is_first && !has_changed)) return false;
  entry.reported = failure;
  entry.reported_at = now;
  return true;
}

Result<void> Daemons::State::run_once(const EntryPtr& entry, const internal::DaemonSurroundings& around) {
  Object object;
  {
    const MutexLock lock(mutex_);
    object = entry->latest;
    if (!entry->failure.empty()) {
      entry->recovers_at = after(executor_.now(), entry->recovers_after);
      changed_.notify_all();
    }
  }
  try {
    return body_(object, around);
  } catch (...) {
    return fail(ErrorCode::unknown, "the daemon threw " + describe_exception());
  }
}

Outcome Daemons::State::finalize(const Object& object) {
  const MutexLock lock(mutex_);
  forget_waiting(object.key());
  const auto found = entries_.find(object.key());
  if (found == entries_.end()) return done;
  if (found->second->has_ended && !found->second->thread.joinable()) {
    entries_.erase(found);
    return done;
  }
  stop_entry(*found->second);
  return requeue_after(std::chrono::hours(1));  // the end of the daemon causes a reconcile before that time
}

void Daemons::State::release(const ObjectKey& key) {
  const MutexLock lock(mutex_);
  forget_waiting(key);
  const auto found = entries_.find(key);
  if (found == entries_.end()) return;
  if (found->second->has_ended && !found->second->thread.joinable()) {
    entries_.erase(found);
  } else {
    stop_entry(*found->second);
  }
}

// Returns the daemons whose threads have ended and were not joined yet.
std::vector<Daemons::State::EntryPtr> Daemons::State::take_ended() {
  std::vector<EntryPtr> ended;
  for (const auto& [key, entry] : entries_) {
    if (entry->has_ended && entry->thread.joinable()) ended.push_back(entry);
  }
  return ended;
}

// Returns the daemons that must end and were not requested to stop yet. The request is made without the lock, because
// it calls functions of the user.
std::vector<Daemons::State::EntryPtr> Daemons::State::to_stop() {
  std::vector<EntryPtr> all;
  for (const auto& [key, entry] : entries_) {
    if (entry->warn_at && !entry->stop.stop_requested()) all.push_back(entry);
  }
  return all;
}

// Logs the daemons that ignore the request to stop. Returns when to log again.
Instant Daemons::State::warn_about_late(Instant now) {
  Instant next = Instant::max();
  for (const auto& [key, entry] : entries_) {
    if (!entry->warn_at || entry->has_ended) continue;
    if (*entry->warn_at <= now) {
      entry->log.warning("a daemon ignores its stop token and still runs",
                         {{"after", format_duration(entry->warn_after)}});
      entry->warn_at = after(now, entry->warn_after);
      entry->warn_after *= 2;
    }
    next = std::min(next, *entry->warn_at);
  }
  return next;
}

// Clears the failure of each daemon whose current run has lasted as long as the delay before it. A daemon that fails
// after a short time therefore stays failed as its back-off grows. Returns when the next failure is due.
Instant Daemons::State::clear_failures(Instant now, Due& due) {
  Instant next = Instant::max();
  for (const auto& [key, entry] : entries_) {
    if (!entry->recovers_at || entry->has_ended) continue;
    if (*entry->recovers_at > now) {
      next = std::min(next, *entry->recovers_at);
      continue;
    }
    entry->recovers_at.reset();
    entry->failure.clear();
    entry->reported.clear();
    if (options_.has_conditions) due.emplace_back(key, "the daemon runs again");
  }
  return next;
}

// Wakes the objects that have waited for the longest time, one for each free place. An object that is not reconciled
// soon, for example because it is paused, loses its place to the next one; its next reconcile makes it wait again.
// Returns when the next invitation ends.
Instant Daemons::State::invite(Instant now, Due& due) {
  if (is_closed_) return Instant::max();
  std::erase_if(invited_, [now](const auto& one) { return one.second <= now; });
  while (!waiting_.empty() && threads_ + invited_.size() < options_.max_daemons) {
    due.emplace_back(waiting_.front(), "a daemon ended");
    invited_.emplace(std::move(waiting_.front()), after(now, invitation));
    waiting_.pop_front();
    waiting_gauge_.set(static_cast<double>(waiting_.size()));
  }
  Instant next = Instant::max();
  for (const auto& [key, end] : invited_) next = std::min(next, end);
  return next;
}

// Joins the threads of ended daemons and enqueues their keys, which may go on.
void Daemons::State::settle(const std::vector<EntryPtr>& ended) {
  std::vector<ObjectKey> keys;
  for (const EntryPtr& entry : ended) {
    Thread thread;
    {
      const MutexLock lock(mutex_);
      thread = std::move(entry->thread);
      running_gauge_.set(static_cast<double>(--threads_));
      if (entry->warn_at) entries_.erase(entry->key);
    }
    thread.join();
    keys.push_back(entry->key);
  }
  for (const ObjectKey& key : keys) wake_->send(key, "a daemon ended");
}

Result<void> Daemons::State::supervise(const std::stop_token& stop) {
  const StopCallback wake(executor_, stop, [this] {
    const MutexLock lock(mutex_);
    changed_.notify_all();
  });
  while (true) {
    std::vector<EntryPtr> ended;
    std::vector<EntryPtr> stopped;
    Due due;
    {
      const MutexLock lock(mutex_);
      while (true) {
        if (stop.stop_requested() && !std::exchange(is_closed_, true)) {
          for (const auto& [key, entry] : entries_) stop_entry(*entry);
        }
        const Instant now = executor_.now();
        const Instant next = std::min({warn_about_late(now), clear_failures(now, due), invite(now, due)});
        ended = take_ended();
        stopped = to_stop();
        if (!ended.empty() || !stopped.empty() || !due.empty() || (is_closed_ && threads_ == 0)) break;
        changed_.wait_until(mutex_, next);
      }
    }
    for (const EntryPtr& entry : stopped) entry->stop.request_stop();
    if (ended.empty() && stopped.empty() && due.empty()) return {};
    for (auto& [key, note] : due) wake_->send(std::move(key), std::move(note));
    settle(ended);
  }
}

Daemons::Daemons(Manager& manager, DaemonOptions options, Body body, std::shared_ptr<ChannelSource> wake)
    : state_(std::make_unique<State>(manager, std::move(options), std::move(body), std::move(wake))) {}
Daemons::~Daemons() = default;
Outcome Daemons::reconcile(const Object& object, bool is_wanted, Context& context) {
  return state_->reconcile(object, is_wanted, context);
}
Outcome Daemons::finalize(const Object& object) { return state_->finalize(object); }
void Daemons::release(const ObjectKey& key) { state_->release(key); }
Result<void> Daemons::supervise(const std::stop_token& stop) { return state_->supervise(stop); }

}  // namespace pintle::internal
