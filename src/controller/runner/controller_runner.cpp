// SPDX-License-Identifier: Apache-2.0
#include "controller_runner.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <pintle/base/exceptions.hpp>
#include <pintle/base/text.hpp>

namespace pintle {
namespace {

// Returns whether the object only waits for the garbage collector, which deletes its children. A reconcile would create
// them again. An object with a grace period, such as a Pod, still works until the period ends. A Namespace also has
// finalizers in its spec; "kubernetes" is that of the cluster, which deletes its content.
bool is_only_being_collected(const Object& object) {
  if (!object.is_deleting()) return false;
  if (object["/metadata/deletionGracePeriodSeconds"].as_integer().value_or(0) > 0) return false;
  for (const json::View finalizer : object.finalizers().elements()) {
    if (finalizer != "foregroundDeletion" && finalizer != "orphan") return false;
  }
  if (object.kind() != "Namespace" || object.api_version() != "v1") return true;
  for (const json::View finalizer : object["/spec/finalizers"].elements()) {
    if (finalizer != "kubernetes") return false;
  }
  return true;
}

constexpr std::size_t max_recent_events = 1000;

ClusterHandles clusters_of(const ControllerRunner::Surroundings& around, const std::string& field_manager,
                           const std::string& controller, bool is_cached) {
  const OwnWriteReads own_write_reads(around.metrics, controller);
  ClusterHandles clusters;
  for (const auto& [name, cluster] : around.clusters) {
    auto handle = std::make_shared<ClusterHandle>(name, cluster->reconcile_client(), field_manager);
    handle->is_cached = is_cached;
    handle->own_write_reads = own_write_reads;
    clusters.emplace(name, std::move(handle));
  }
  return clusters;
}

}  // namespace

ControllerRunner::ControllerRunner(AnyController spec, const Surroundings& around, Log log)
    : spec_(with_safe_tenant(std::move(spec))),
      workers_count_(spec_.workers.value_or(around.defaults.workers)),
      around_(around),
      cluster_(*around.clusters.find(spec_.cluster)->second),
      client_(*cluster_.reconcile_client()),
      executor_(client_.transport().executor()),
      events_(cluster_.events()),
      crash_guard_(around.crash_guard),
      log_(log.with({{"controller", spec_.name}})),
      tracing_(around.tracing),
      field_manager_(around.manager + "/" + spec_.name),
      clusters_(clusters_of(around, field_manager_, spec_.name, !spec_.get_object)),
      handle_(clusters_.find(spec_.cluster)->second),
      own_writes_(executor_, queue_),
      writes_(around_.history == nullptr ? nullptr : std::make_shared<NotedWrites>(executor_)),
      queue_metrics_(around.metrics, spec_.name),
      queue_(executor_, {.backoff = spec_.backoff, .rules = spec_.queue, .metrics = &queue_metrics_},
             [this](const ReconcileCause& cause) { return own_writes_.is_own(cause); }),
      requeue_(spec_, executor_, queue_),
      paused_(executor_, spec_.pause_annotation, spec_.pause_deletion),
      gone_(executor_),
      sweep_(executor_),
      resync_(executor_, spec_.resync_period ? Duration::zero() : around.defaults.resync_period),
      metrics_(around.metrics, spec_.name, workers_count_),
      sources_({.spec = spec_,
                .clusters = around_.clusters,
                .handles = clusters_,
                .own_writes = own_writes_,
                .writes = writes_.get(),
                .paused = paused_,
                .receiver = *this,
                .metrics = metrics_,
                .log = log_}),
      steps_({.spec = spec_,
              .client = client_,
              .handle = handle_,
              .handles = clusters_,
              .secret_clusters = around_.secret_clusters,
              .events = events_,
              .sources = sources_,
              .own_writes = own_writes_,
              .metrics = metrics_,
              .writes = writes_,
              .tracing = tracing_,
              .field_manager = field_manager_,
              .timeout = spec_.timeout.value_or(around.defaults.timeout),
              .stop = stop_,
              .log = log_}),
      mutex_(executor_),
      changed_(executor_) {
  if (around_.history == nullptr) return;
  events_.keep_recent(max_recent_events);
  for (const auto& [name, handle] : clusters_) handle->client->add_write_observer({}, writes_);
}

ControllerRunner::~ControllerRunner() {
  request_stop();
  workers_.clear();
  sources_.join_polls();
}

void ControllerRunner::start() {
  {
    const MutexLock lock(mutex_);
    running_ = workers_count_;
    for (const Poll& poll : spec_.polls) running_polls_.insert(poll.name);
  }
  if (sources_.primary() != nullptr) resync_.start();
  for (int i = 0; i < workers_count_; ++i) {
    workers_.push_back(executor_.spawn({.name = spec_.name + "-" + std::to_string(i)}, [this] { work(); }));
  }
  sources_.start(stop_.get_token());
}

Result<Outcome> ControllerRunner::run_once(const ObjectKey& key) {
  if (!has_object(key)) {
    return fail(ErrorCode::not_found, "controller " + spec_.name + " has no " + to_lower_ascii(spec_.watch.kind.kind) +
                                          " " + key.to_string());
  }
  const ReconcileCause cause{.source = ReconcileCause::Source::initial, .enqueued_at = executor_.now()};
  if (queue_.add(key, cause, std::numeric_limits<int>::max())) {
    CrashGuard::Seat seat(nullptr, spec_.name);
    bool is_done = false;
    while (!is_done) {
      auto item = queue_.get();
      if (!item) break;
      is_done = item->key == key;
      if (is_done) process(*item, seat);
      queue_.done(*item);
    }
  }
  const MutexLock lock(mutex_);
  if (last_outcome_) return *last_outcome_;
  return fail(ErrorCode::unavailable, spec_.watch.kind.kind + " " + key.to_string() +
                                          " was not reconciled; it may be paused, or only wait for its deletion");
}

void ControllerRunner::close() {
  sources_.close_channels();
  queue_.stop();
}

void ControllerRunner::request_stop() {
  close();
  stop_.request_stop();
}

bool ControllerRunner::wait_until(Instant deadline) {
  const MutexLock lock(mutex_);
  while (running_ != 0 || !running_polls_.empty()) {
    if (!changed_.wait_until(mutex_, deadline)) return running_ == 0 && running_polls_.empty();
  }
  return true;
}

std::vector<ObjectKey> ControllerRunner::busy() const {
  const MutexLock lock(mutex_);
  std::vector<ObjectKey> keys;
  for (const auto& [key, since] : busy_) keys.push_back(key);
  return keys;
}

std::vector<std::string> ControllerRunner::polls() const {
  const MutexLock lock(mutex_);
  return {running_polls_.begin(), running_polls_.end()};
}

void ControllerRunner::poll_ended(const Poll& poll) {
  const MutexLock lock(mutex_);
  running_polls_.erase(running_polls_.find(poll.name));
  changed_.notify_all();
}

bool ControllerRunner::wake(const ObjectKey& key, ReconcileCause cause, int priority) {
  // While no worker runs, for example in a standby, no key leaves the queue, and its causes would keep many former
  // states of an object in memory. A first list is delivered once, so the objects of its causes are kept.
  const auto has_workers = [this] {
    const MutexLock lock(mutex_);
    return running_ != 0;
  };
  if (cause.object && cause.source != ReconcileCause::Source::initial && !has_workers()) {
    cause.object = cause.before = {};
  }
  cause.enqueued_at = executor_.now();
  cause.priority = priority;
  if (queue_.add(key, std::move(cause), priority)) return true;
  // After stop() the queue also rejects keys, but is not full.
  if (queue_.take_rejected_count() != 0 && sweep_.note_rejected()) {
    log_.warning("the queue is full; all objects will be reconciled once no key is due",
                 {{"max_keys", spec_.queue.max_keys}});
  }
  // A worker that ended the last due key before the rejection was noted did not begin a sweep. There is room then.
  return queue_.add(key,
                    {.source = ReconcileCause::Source::overflow, .enqueued_at = executor_.now(), .priority = priority},
                    priority);
}

bool ControllerRunner::is_idle() { return queue_.is_idle(); }

void ControllerRunner::work() {
  CrashGuard::Seat seat(crash_guard_, spec_.name);
  while (true) {
    auto item = queue_.get(resync_.due());
    resync_if_due();
    if (!item && queue_.has_stopped()) break;
    if (!item) continue;
    process(*item, seat);
    seat.leave();
    queue_.done(*item);
    if (spec_.queue.max_keys != 0) sweep_after_overflow();
  }
  const MutexLock lock(mutex_);
  --running_;
  changed_.notify_all();
}

void ControllerRunner::sweep_after_overflow() {
  if (sources_.primary() == nullptr || !sweep_.is_needed() || queue_.has_due()) return;
  const ReconcileCause cause{.source = ReconcileCause::Source::overflow, .enqueued_at = executor_.now()};
  // The keys of objects that the cache may no longer have.
  std::vector<ObjectKey> gone = gone_.keys();
  if (const FinalizerReconciler* const finalized = steps_.finalized()) {
    const std::vector<ObjectKey> unguarded = finalized->unguarded_keys();
    gone.insert(gone.end(), unguarded.begin(), unguarded.end());
  }
  sweep_.run(gone, sources_.primary()->range(),
             [&](const ObjectKey& key) { return queue_.add(key, cause, low_priority); });
}

void ControllerRunner::resync_if_due() {
  if (!resync_.take()) return;
  const ObjectRange all = sources_.primary()->range();
  for (const Object& object : all) {
    wake(object.key(), {.source = ReconcileCause::Source::resync}, low_priority);
  }
}

Result<Object> ControllerRunner::cached_object(const ObjectKey& key) const {
  if (!spec_.get_object) return sources_.primary()->get(key);
  try {
    return spec_.get_object(key);
  } catch (...) {
    return fail(ErrorCode::unknown, "`get_object` threw " + note_thrown("get_object", key));
  }
}

Object ControllerRunner::find(const ObjectKey& key) const { return cached_object(key).value_or(Object()); }

bool ControllerRunner::has_object(const ObjectKey& key) const {
  if (!spec_.get_object && sources_.primary() == nullptr) return true;  // connect() was not called yet
  const auto object = cached_object(key);
  return !object || *object || gone_.next(key);
}

// Counts and logs the current exception, which a function of the declaration threw. Returns it as text. Must be called
// in a catch handler.
std::string ControllerRunner::note_thrown(std::string_view function, const ObjectKey& key) const {
  std::string what = describe_exception();
  metrics_.count_thrown(function);
  log_.error("a function of the controller threw an exception",
             {{"function", function}, {"key", key.to_string()}, {"error", what}});
  return what;
}

// Returns the spec with a tenant function that does not throw. The queue calls this function under its lock, on any
// thread.
AnyController ControllerRunner::with_safe_tenant(AnyController spec) {
  if (!spec.queue.tenant) return spec;
  spec.queue.tenant = [this, tenant = std::move(spec.queue.tenant)](const ObjectKey& key) -> std::string {
    try {
      return tenant(key);
    } catch (...) {
      note_thrown("queue.tenant", key);
      return {};
    }
  };
  return spec;
}

void ControllerRunner::defer_paused(const Queue::Item& item) {
  queue_.forget(item);
  log_.debug("the object is paused by an annotation",
             {{"key", item.key.to_string()}, {"annotation", spec_.pause_annotation}});
  paused_.add(item.key);
  // A handler that ran before add() could not see that a reconcile is due. Its change is in the cache already, so the
  // cache is checked again.
  const Object newest = find(item.key);
  if (newest && paused_.is_paused(newest)) return;
  if (paused_.take(item.key)) wake(item.key, item.causes.front(), normal_priority);
}

// Called when a worker takes the key, not when the change arrives, because by then the responses to all writes of
// earlier reconciles of the key have arrived: docs/internals/writing.md, "The event of a write may come before its
// response".
bool ControllerRunner::has_only_own_writes(const Queue::Item& item) const {
  const auto is_own = [this, &item, now = executor_.now()](const ReconcileCause& cause) {
    if (cause.due > now) return true;  // not due yet; put_back() adds it again
    // The caches count the writes of all controllers of the process as own.
    return cause.source == ReconcileCause::Source::change && cause.object &&
           own_writes_.is_change_by(item.key, cause) &&
           sources_.primary()->has_only_own_writes(cause.before, cause.object);
  };
  return item.causes_dropped == 0 && std::all_of(item.causes.begin(), item.causes.end(), is_own);
}

// Adds the causes that are not due yet to the queue again.
void ControllerRunner::put_back(const Queue::Item& item) {
  const Instant now = executor_.now();
  for (const ReconcileCause& cause : item.causes) {
    if (cause.due <= now) continue;
    // The event of the own write may have raised the priority of the item.
    const bool is_routine =
        cause.source == ReconcileCause::Source::resync || cause.source == ReconcileCause::Source::schedule;
    queue_.add_after(item.key, cause.due - now, cause, is_routine ? low_priority : item.priority);
  }
}

void ControllerRunner::process(Queue::Item& item, CrashGuard::Seat& seat) {
  const bool others_are_busy = [&] {
    const MutexLock lock(mutex_);
    return !busy_.empty();
  }();
  // While a change of another client waits, the object contains its value, and names it.
  const bool is_foreign = std::any_of(item.causes.begin(), item.causes.end(),
                                      [this](const ReconcileCause& cause) { return !own_writes_.is_own(cause); });
  if (own_writes_.holds_back(item, others_are_busy)) {
    if (is_foreign) report_dispute(item.key);
    return;
  }
  const Result<Object> found = cached_object(item.key);
  if (!found) {
    follow_up(item, failed(found.error()));
    return;
  }
  const Object& object = *found;
  if (const auto held = seat.take(item.key, object)) {
    defer_quarantined(item, object, *held);
    return;
  }
  if (!object && !has_finalized_gone(item, seat)) return;
  if (const Object last = gone_.next(item.key)) {
    reconcile_gone(last, item, seat);
    return;
  }
  if (!object) {
    queue_.forget(item);
    own_writes_.forget(item.key);
    seat.survived(item.key);
    return;
  }
  if (!spec_.get_object && is_only_being_collected(object)) {
    queue_.forget(item);
    forget_children(item.key);
    return;
  }
  if (spec_.ignore_own_writes && has_only_own_writes(item)) {
    log_.debug("skipped: all changes are own writes", {{"key", item.key.to_string()}});
    put_back(item);
    return;
  }
  if (paused_.is_paused(object)) {
    defer_paused(item);
    return;
  }
  ReconcileSpan span(tracing_, spec_, item);
  follow_up(item, state(object, item, seat, span, [this](const Object& snapshot, Context& context) {
              return steps_.reconcile(snapshot, context);
            }));
}

// Runs one step, and counts and records it.
Outcome ControllerRunner::state(const Object& object, const Queue::Item& item, CrashGuard::Seat& seat,
                                ReconcileSpan& span, const StepRunner::Step& step) {
  const Instant begun = executor_.now();
  {
    const MutexLock lock(mutex_);
    busy_.emplace(item.key, begun);
  }
  metrics_.began();
  report(item.key, nullptr);
  Noted noted;
  Outcome outcome = run_noted(object, item, step, noted);
  report(item.key, &outcome);
  metrics_.ended();
  seat.survived(item.key);
  span.set_outcome(outcome);
  {
    const MutexLock lock(mutex_);
    busy_.erase(item.key);
  }
  if (!was_interrupted(outcome)) note_end(item, begun, outcome, std::move(noted));
  return outcome;
}

// A reconcile that the stop of the process cancelled is neither success nor failure.
bool ControllerRunner::was_interrupted(const Outcome& outcome) const {
  const Error* error = outcome.as_failed();
  return error != nullptr && error->code == ErrorCode::cancelled && stop_.stop_requested();
}

void ControllerRunner::defer_quarantined(const Queue::Item& item, const Object& object, const Quarantined& held) {
  const std::string deaths = std::to_string(held.deaths);
  requeue_.add_later(
      item.key, held.rest,
      {.source = ReconcileCause::Source::timer, .note = "in quarantine after " + deaths + " crashes of the process"},
      item.priority);
  if (!held.is_first) return;
  const std::string rest = format_duration(held.rest);
  log_.error("a key is in quarantine, because the process repeatedly crashed during its reconciles",
             {{"key", item.key.to_string()}, {"deaths", held.deaths}, {"again_in", rest}});
  events_.record(object, EventType::warning, "Reconcile", "Quarantined",
                 "The operator crashed " + deaths +
                     " times in a row while it reconciled this object. The next reconcile follows in " + rest +
                     "; if the spec is changed, it follows a minute after the start of the operator.");
}

void ControllerRunner::release(const ObjectKey& key) {
  if (crash_guard_ != nullptr) crash_guard_->release(spec_.name, key);
}

void ControllerRunner::forget_children(const ObjectKey& key) {
  for (const auto& [name, cluster] : clusters_) cluster->applier.forget(key);
}

bool ControllerRunner::has_finalized_gone(const Queue::Item& item, CrashGuard::Seat& seat) {
  forget_children(item.key);
  FinalizerReconciler* const finalized = steps_.finalized();
  if (finalized == nullptr) return true;
  std::optional<ReconcileSpan> span;
  const Outcome outcome = finalized->run_gone(item.key, [&](const Object& last) {
    return state(last, item, seat, span.emplace(tracing_, spec_, item), unless_still_there(spec_.finalize));
  });
  if (!outcome.is_done()) follow_up(item, outcome);
  return outcome.is_done();
}

// A standby does not store deleted objects, because the leader handles them.
void ControllerRunner::note_gone(const Object& last) {
  const bool is_standby = [&] {
    const MutexLock lock(mutex_);
    return running_ == 0;
  }();
  if (is_standby) return;
  if (const auto given_up = gone_.add(last)) {
    log_.error("too many deleted objects of one name wait for `gone`; the oldest is dropped",
               {{"key", last.key().to_string()}, {"uid", given_up->uid()}});
  }
}

// Returns a step that does nothing while the object exists on the server: docs/internals/list-watch.md, "An object that
// leaves a selector looks deleted".
StepRunner::Step ControllerRunner::unless_still_there(const StepRunner::Step& step) const {
  if (sources_.primary() == nullptr) return step;  // the objects come from `get_object`
  const InformerOptions& watched = sources_.primary()->options();
  const bool may_only_have_left = sources_.primary()->follows_namespaces() || !watched.label_selector.empty() ||
                                  !watched.field_selector.empty() ||
                                  static_cast<bool>(watched.reflector.projection.transform);
  if (!may_only_have_left) return step;
  return [this, &step](const Object& last, Context& context) -> Outcome {
    const auto there = client_.get(spec_.watch.kind, last.key(), context.stop_token());
    const bool is_unknown =
        !there && there.error().code != ErrorCode::not_found && there.error().code != ErrorCode::unsupported;
    if (is_unknown) {
      return failed(Error(there.error()).with_operation("check whether the object was deleted or only left the cache"));
    }
    if (!there || there->uid() != last.uid()) return step(last, context);
    context.log().debug("the object left the cache, but still exists");
    return done;
  };
}

void ControllerRunner::reconcile_gone(const Object& last, const Queue::Item& item, CrashGuard::Seat& seat) {
  ReconcileSpan span(tracing_, spec_, item);
  const Outcome outcome = state(last, item, seat, span, unless_still_there(spec_.gone));
  const Error* error = outcome.as_failed();
  if (!outcome.is_done() && (error == nullptr || !error->is_terminal)) {
    follow_up(item, outcome);
    return;
  }
  if (error != nullptr) {
    steps_.log_for(item.key).error("the `gone` handler failed permanently; it is not retried",
                                   {{"error", error->to_string()}});
  }
  gone_.remove(item.key, last.uid());
  queue_.forget(item);
  if (gone_.next(item.key) || find(item.key)) wake(item.key, item.causes.back(), item.priority);
}

void ControllerRunner::follow_up(const Queue::Item& item, const Outcome& outcome) {
  if (was_interrupted(outcome)) return;
  own_writes_.end(item, outcome);
  const Duration delay = requeue_.follow_up(item, outcome);
  const Error* error = outcome.as_failed();
  if (error == nullptr) return;
  if (error->is_terminal) {
    steps_.log_for(item.key).error("reconcile failed with a terminal error; it is not retried before the next change",
                                   {{"error", error->to_string()}});
  } else {
    steps_.log_for(item.key).error(
        "reconcile failed",
        {{"error", error->to_string()}, {"retry", item.failures + 1}, {"again_in", format_duration(delay)}});
  }
}

}  // namespace pintle
