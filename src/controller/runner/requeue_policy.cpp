// SPDX-License-Identifier: Apache-2.0
#include "requeue_policy.hpp"

#include <algorithm>
#include <utility>

namespace pintle {
namespace {

using Source = ReconcileCause::Source;

std::optional<Schedule> schedule_of(const AnyController& spec) {
  if (spec.schedule.empty()) return {};
  auto schedule = Schedule::parse(spec.schedule, spec.time_zone);
  return schedule ? std::optional<Schedule>(*schedule) : std::nullopt;
}

}  // namespace

RequeuePolicy::RequeuePolicy(const AnyController& spec, Executor& executor, ControllerQueue& queue)
    : spec_(spec), executor_(executor), queue_(queue), schedule_(schedule_of(spec)) {}

// The failures are cleared before the key is added again, so that the next failure waits the shortest delay.
Duration RequeuePolicy::follow_up(const ControllerQueue::Item& item, const Outcome& outcome) {
  const auto retry = [&, now = executor_.now()](Instant due) {
    return ReconcileCause{
        .source = Source::retry, .enqueued_at = now, .due = due, .retry = item.failures + 1, .priority = item.priority};
  };
  Duration next_backoff{};
  const Error* error = outcome.as_failed();
  // A back-off without a delay would be a tight loop.
  const Duration at_least = spec_.backoff.delay(item.failures) > Duration::zero() ? Duration::zero() : min_delay;
  if (error != nullptr && !error->is_terminal) {
    next_backoff = queue_.add_rate_limited(item, retry, std::max(at_least, error->retry_after.value_or(at_least)));
  } else if (outcome.is_requeue()) {
    queue_.add_rate_limited(item, retry, at_least);
  } else {
    queue_.forget(item);
    if (const RequeueAfter* again = outcome.as_requeue_after()) {
      add_later(item.key, delay_of(*again, item), {.source = Source::timer}, item.priority);
    }
  }
  add_recurring(item.key);
  return next_backoff;
}

// A delay of zero or less means immediately. If a reconcile repeatedly returns less than `min_delay`, and no other
// cause occurs in between, the delay is `min_delay`.
Duration RequeuePolicy::delay_of(const RequeueAfter& again, const ControllerQueue::Item& item) {
  if (again.delay >= min_delay) return again.delay;
  const auto repeats = [](const ReconcileCause& cause) {
    return cause.is_own_write || (cause.source == Source::timer && cause.due - cause.enqueued_at <= min_delay);
  };
  const bool is_repeated = item.causes_dropped == 0 && std::all_of(item.causes.begin(), item.causes.end(), repeats);
  return is_repeated ? min_delay : std::max(again.delay, Duration::zero());
}

void RequeuePolicy::add_recurring(const ObjectKey& key) {
  if (const Duration period = spec_.resync_period.value_or(Duration::zero()); period > Duration::zero()) {
    add_later(key, std::max(period, min_delay), {.source = Source::resync}, low_priority);
  }
  if (schedule_) {
    const WallTime now = executor_.wall_now();
    add_later(key, schedule_->next(now) - now, {.source = Source::schedule, .note = spec_.schedule}, low_priority);
  }
}

void RequeuePolicy::add_later(const ObjectKey& key, Duration delay, ReconcileCause cause, int priority) {
  cause.enqueued_at = executor_.now();
  cause.due = after(cause.enqueued_at, delay);
  cause.priority = priority;
  queue_.add_after(key, delay, std::move(cause), priority);
}

}  // namespace pintle
