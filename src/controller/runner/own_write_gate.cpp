// SPDX-License-Identifier: Apache-2.0
#include "own_write_gate.hpp"

#include <algorithm>
#include <utility>

namespace pintle {
namespace {

using Source = ReconcileCause::Source;

// The time that a response may take after the event of its write. The server sends both at the same time.
constexpr Duration response_delay = std::chrono::milliseconds(100);

// A retry is not caused by a change.
bool is_retry(const ReconcileCause& cause) { return cause.source == Source::retry; }

bool is_awaited(const ReconcileCause& cause) { return cause.source == Source::retry || cause.source == Source::timer; }

// Merges the confirmations of one object into the last one, which then has the state before the first.
void collapse(std::vector<ReconcileCause>& causes) {
  for (std::size_t last = causes.size(); last-- > 0;) {
    if (!causes[last].is_own_write) continue;
    for (std::size_t at = last; at-- > 0;) {
      if (!causes[at].is_own_write || causes[at].object.uid() != causes[last].object.uid()) continue;
      if (causes[last].verb != ReconcileCause::Verb::deleted) {
        causes[last].verb = causes[at].verb;
        causes[last].before = causes[at].before;
      }
      causes.erase(causes.begin() + static_cast<std::ptrdiff_t>(at));
      --last;
    }
  }
}

}  // namespace

bool OwnWriteGate::is_own(const ReconcileCause& cause) const {
  return cause.is_own_write || written_.maker_of(cause, {}) != WrittenBy::another;
}

bool OwnWriteGate::is_change_by(const ObjectKey& key, const ReconcileCause& cause) const {
  return cause.before && written_.maker_of(cause, key) == WrittenBy::key;
}

bool OwnWriteGate::note_write(const GroupVersionKind& kind, const Informer::Write& write) {
  const ObjectKey* const key = written_.bound_key();
  if (key == nullptr) return false;
  const std::vector<WrittenField> fields = written_fields(write);
  if (fields.empty()) return false;
  const MutexLock lock(mutex_);
  return disputes_.note(*key, kind, write.after ? write.after : write.before, fields, executor_.now());
}

std::optional<FieldDisputes::Field> OwnWriteGate::take_disputed(const ObjectKey& key) {
  const MutexLock lock(mutex_);
  return disputes_.take_unreported(key);
}

void OwnWriteGate::forget(const ObjectKey& key) {
  const MutexLock lock(mutex_);
  disputes_.forget(key);
}

// Called when a worker takes the key, not when the change arrives, because by then the responses to all writes of
// earlier reconciles of the key have arrived: docs/internals/writing.md, "The event of a write may come before its
// response".
bool OwnWriteGate::holds_back(ControllerQueue::Item& item, bool others_are_busy) {
  const Instant now = executor_.now();
  WrittenBy maker = WrittenBy::key;
  bool is_foreign = item.causes_dropped != 0;
  bool is_certain = is_foreign;
  bool is_news = is_foreign;
  Instant newest{};  // when the newest cause that seems to be foreign was queued
  Instant next = Instant::max();
  bool is_due_later = false;
  for (ReconcileCause& cause : item.causes) {
    if (cause.due > now) {
      next = std::min(next, cause.due);
      is_due_later = is_due_later || is_awaited(cause);
      continue;
    }
    const WrittenBy by = written_.maker_of(cause, item.key);
    cause.is_own_write = cause.is_own_write || by != WrittenBy::another;
    if (!cause.is_own_write) {
      is_foreign = true;
      is_news = is_news || !is_retry(cause);
      newest = std::max(newest, cause.enqueued_at);
      if (!written_.note_judgement(cause, item.key)) is_certain = true;
    }
    maker = std::min(maker, by == WrittenBy::another ? WrittenBy::controller : by);
  }
  const MutexLock lock(mutex_);
  if (const Instant turn = disputes_.turn(item.key, item.causes, item.causes_dropped != 0, now); turn > now) {
    disputes_.merge(item.key, item.causes, now);
    put_back(item, std::min(next, turn));
    return true;
  }
  if (is_foreign) {
    if (const Instant turn = turn_of_failing(item, now); turn > now) {
      put_back(item, std::min(next, turn));
      return true;
    }
    // A reconcile of another key may have made the change and still wait for the response.
    if (!is_certain && others_are_busy && newest + response_delay > now && written_.was_misjudged(item.key)) {
      put_back(item, std::min(next, newest + response_delay));
      return true;
    }
    if (is_news) confirmations_.reset(item.key);
    return false;
  }
  if (!is_due_later) {
    const auto decision = confirmations_.on_confirmation(item.key, maker, now);
    switch (decision.turn) {
      case ConfirmationPace::Turn::run: confirmations_.begin(item.key); return false;
      case ConfirmationPace::Turn::wait: next = std::min(next, decision.until); break;
      case ConfirmationPace::Turn::never:
        std::erase_if(item.causes, [](const auto& cause) { return cause.is_own_write; });
        break;
    }
  }
  put_back(item, next);
  return true;
}

// Returns `now`, unless the key fails and a series of foreign changes is the only cause of its reconciles.
Instant OwnWriteGate::turn_of_failing(const ControllerQueue::Item& item, Instant now) {
  const auto is_other = [now](const ReconcileCause& cause) {
    return cause.due <= now && !cause.is_own_write && cause.source != Source::change && cause.source != Source::owned &&
           cause.source != Source::mapped;
  };
  if (item.causes_dropped != 0 || (item.failures == 0 && !confirmations_.failed_for_good(item.key))) return now;
  if (std::any_of(item.causes.begin(), item.causes.end(), is_other)) return now;
  return failing_changes_.turn(item.key, now);
}

// The item gets the highest priority of its other causes, because the priority of a confirmation does not count.
void OwnWriteGate::put_back(ControllerQueue::Item& item, Instant due) {
  if (item.causes.empty()) return;
  collapse(item.causes);
  std::optional<int> priority;
  for (const ReconcileCause& cause : item.causes) {
    if (!cause.is_own_write) priority = std::max(priority.value_or(cause.priority), cause.priority);
  }
  queue_.put_back(item, due, priority.value_or(item.priority));
}

void OwnWriteGate::end(const ControllerQueue::Item& item, const Outcome& outcome) {
  const Error* error = outcome.as_failed();
  const MutexLock lock(mutex_);
  if (error == nullptr) failing_changes_.reset(item.key);
  confirmations_.end(item.key, error != nullptr && error->is_terminal, executor_.now(), [this](unsigned runs) {
    // Without any back-off the confirmations would cause a tight loop.
    const Duration delay = queue_.next_backoff(runs);
    return delay > Duration::zero() ? delay : controller_backoff.delay(runs);
  });
}

}  // namespace pintle
