// SPDX-License-Identifier: Apache-2.0
#include "event_loop.hpp"

#include <algorithm>
#include <initializer_list>
#include <utility>

#include <pintle/controller/finalizers.hpp>
#include <pintle/controller/status_writer.hpp>
#include <pintle/patterns/crud/errors.hpp>
#include <pintle/patterns/crud/reconcile_flags.hpp>

#include "metric_names.hpp"

namespace pintle::crud {
namespace {

using Source = ReconcileCause::Source;

bool all_causes(const Context& context, std::initializer_list<Source> sources) {
  return std::all_of(context.causes().begin(), context.causes().end(), [&](const ReconcileCause& cause) {
    return std::find(sources.begin(), sources.end(), cause.source) != sources.end();
  });
}

Histogram event_seconds(MetricsRegistry& metrics, const char* event) {
  return metrics.histogram(metric_name("event"), "Duration of the processing of events, in seconds.",
                           {{"event", event}}, default_buckets());
}

Counter watch_events(MetricsRegistry& metrics, const char* kind) {
  return metrics.counter(metric_name("watch_event_total", "informer"), "Events that watches delivered.",
                         {{"kind", kind}});
}

}  // namespace

EventLoop::EventLoop(Framework framework, const FrameworkOptions& config, std::string finalizer,
                     MetricsRegistry& metrics, Executor& executor)
    : framework_(std::move(framework)),
      router_(config.resource_router.value()),
      finalizer_(std::move(finalizer)),
      is_paced_(config.rate_wait > Duration::zero()),
      executor_(executor),
      pacer_(executor, config.rate_wait),
      update_seconds_(event_seconds(metrics, "update")),
      delete_seconds_(event_seconds(metrics, "delete")),
      cache_size_(metrics.gauge(metric_name("cache_size", "informer"), "Objects in the cache.")),
      created_(watch_events(metrics, "create")),
      updated_(watch_events(metrics, "update")),
      deleted_(watch_events(metrics, "delete")),
      failed_(watch_events(metrics, "error")),
      closed_(metrics.counter(metric_name("watcher_close_total", "informer"), "Watches that have ended.")),
      mutex_(executor) {}

Outcome EventLoop::process(const Object& object, Context& context) {
  if (const Duration wait = pace(object.key(), context); wait > Duration::zero()) return requeue_after(wait);
  return finalizer_.empty() ? handle(object, context) : finalized(object, context);
}

Outcome EventLoop::handle(const Object& object, Context& context) {
  const bool deletes = object.is_deleting();
  Outcome outcome = with_metrics(deletes ? delete_seconds_ : update_seconds_,
                                 [&] { return framework_.process_event(object, context); });
  if (deletes && !finalizer_.empty() && outcome.is_done()) {
    const MutexLock lock(mutex_);
    finalized_.emplace(object.uid());
  }
  return outcome;
}

Outcome EventLoop::finalized(const Object& object, Context& context) {
  FinalizerReconciler with_finalizer(
      context.client(),
      {.name = finalizer_, .policy = FinalizerPolicy::add_then_stop, .field_manager = context.field_manager()});
  Finalizers finalizers(context.client(), finalizer_, context.field_manager());
  const bool is_present = finalizers.is_present(object);
  if (object.is_deleting() && !is_present) return done;
  if (const auto set = router_.resource_set(object); !set) {
    // More than one set handles the object. One of them may have created something that must be deleted, so the
    // finalizer is neither added nor removed.
    if (!is_no_resource_set(set.error())) {
      Error ambiguous = set.error();
      if (is_present) ambiguous.message += "; the finalizer " + finalizer_ + " stays on the object until then";
      return failed(std::move(ambiguous));
    }
    if (!is_present) return framework_.process_event(object, context);
    if (auto removed = finalizers.remove(object, context.stop_token()); !removed) {
      return failed(std::move(removed.error()));
    }
    context.log().info("the finalizer is removed, because no resource set handles the object",
                       {{"finalizer", finalizer_}});
    return done;
  }
  const auto handle_newest = [this](const Object& newest, Context& same) {
    same.status().set_observed_object(newest);
    return handle(newest, same);
  };
  const auto write_status = [&context]() -> Result<void> {
    StatusWriter writer(context.client(), context.field_manager());
    auto written = writer.flush(context.status(), context.stop_token());
    if (!written) return fail(std::move(written.error()));
    return {};
  };
  return with_finalizer.run(object, context, handle_newest, handle_newest, {.before_removal = write_status});
}

// Paces a reconcile whose only causes are the initial list, a resync, or the timer of an earlier turn. Any other
// reconcile runs at once.
Duration EventLoop::pace(const ObjectKey& key, const Context& context) {
  if (!is_paced_) return Duration::zero();
  if (all_causes(context, {Source::initial, Source::resync})) return pacer_.take_turn(key);
  if (all_causes(context, {Source::initial, Source::resync, Source::timer})) return pacer_.wait_for_turn(key);
  pacer_.forget(key);
  return Duration::zero();
}

Outcome EventLoop::process_gone(const Object& last, Context& context) {
  if (was_finalized(last)) return done;
  Outcome outcome = with_metrics(delete_seconds_, [&] { return framework_.delete_func(last, context); });
  // The object is gone, so there is no finalizer to keep: a cancelled deletion is done.
  const bool is_over = outcome.as_requeue_after() != nullptr && !requested_requeue_after(context);
  return is_over ? Outcome(done) : outcome;
}

bool EventLoop::was_finalized(const Object& last) {
  pacer_.forget(last.key());
  const MutexLock lock(mutex_);
  return finalized_.erase(std::string(last.uid())) != 0;
}

Outcome EventLoop::with_metrics(const Histogram& seconds_taken, const std::function<Outcome()>& event) {
  const Instant begun = executor_.now();
  Outcome outcome = event();
  seconds_taken.observe(seconds(executor_.now() - begun));
  return outcome;
}

void EventLoop::observe(const Change& change) {
  if (!change.old) cache_size_.add();
  if (!change.current) cache_size_.add(-1);
  if (change.cause == ChangeCause::initial || change.cause == ChangeCause::resync) return;
  const bool deletes = !change.current || change.current.is_deleting();
  (deletes ? deleted_ : change.old ? updated_ : created_).add();
}

void EventLoop::watch_ended(const Error* error) {
  closed_.add();
  if (error != nullptr) failed_.add();
}

}  // namespace pintle::crud
