#include "controller_runner.hpp"

#include <exception>
#include <string_view>
#include <typeinfo>
#include <utility>

#include <cxxabi.h>

namespace pintle {
namespace {

// The buckets of controller-runtime.
const std::vector<double>& reconcile_buckets() {
  static const std::vector<double> buckets{
      0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.25, 1.5,
      1.75,  2.0,  2.5,   3.0,  3.5, 4.0,  4.5, 5,    6,   7,    8,   9,    10,  15,  20,  25,  30,  40,  50,   60};
  return buckets;
}

ReconcileCause cause_of(const Change& change, ReconcileCause::Source source, const GroupVersionKind& kind) {
  using Verb = ReconcileCause::Verb;
  const Object& object = change.object();
  return {.source = change.cause == ChangeCause::initial ? ReconcileCause::Source::initial : source,
          .verb = !change.old       ? Verb::added
                  : !change.current ? Verb::deleted
                                    : Verb::updated,
          .kind = kind,
          .object = object.key(),
          .resource_version = std::string(object.resource_version())};
}

int priority_of(const Change& change) {
  const bool can_wait = change.cause == ChangeCause::initial || change.cause == ChangeCause::resync;
  return can_wait ? low_priority : normal_priority;
}

// The owner that a controller reference names, if it is of this kind.
std::optional<ObjectKey> owner_of(const Object& object, const GroupVersionKind& kind, bool owner_is_namespaced) {
  for (const json::View owner : object.owner_references().elements()) {
    if (owner.member("controller") != true || owner.member("kind") != kind.kind) continue;
    // By group: the reference may name another version of the kind.
    if (GroupVersionKind(owner.member("apiVersion").text(), kind.kind).group != kind.group) continue;
    return ObjectKey{owner_is_namespaced ? std::string(object.namespace_()) : std::string(),
                     std::string(owner.member("name").text())};
  }
  return std::nullopt;
}

// Nothing is left to do for it but the collector's work: its children are being removed, and making them again would be
// a fight.
bool is_only_being_collected(const Object& object) {
  if (!object.is_deleting()) return false;
  for (const json::View finalizer : object.finalizers().elements()) {
    if (finalizer != "foregroundDeletion" && finalizer != "orphan") return false;
  }
  return true;
}

std::string type_name(const std::exception& exception) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> name(
      abi::__cxa_demangle(typeid(exception).name(), nullptr, nullptr, &status), std::free);
  return name != nullptr ? name.get() : typeid(exception).name();
}

std::string join(const std::vector<ReconcileCause>& causes) {
  std::string text;
  for (const ReconcileCause& cause : causes) text += (text.empty() ? "" : "; ") + cause.to_string();
  return text;
}

}  // namespace

struct ControllerRunner::Metrics {
  Metrics(MetricsRegistry& registry, const std::string& controller, int workers)
      : errors(
            registry.counter("controller_runtime_reconcile_errors_total", "Passes that failed.", labels(controller))),
        terminal_errors(registry.counter("controller_runtime_terminal_reconcile_errors_total",
                                         "Passes that failed in a way that a retry cannot mend.", labels(controller))),
        panics(registry.counter("controller_runtime_reconcile_panics_total", "Passes that threw.", labels(controller))),
        seconds(registry.histogram("controller_runtime_reconcile_time_seconds", "How long passes took.",
                                   labels(controller), reconcile_buckets())),
        active(registry.gauge("controller_runtime_active_workers", "Workers that are busy.", labels(controller))) {
    registry.gauge("controller_runtime_max_concurrent_reconciles", "Workers.", labels(controller)).set(workers);
    for (const char* result : {"success", "error", "requeue", "requeue_after"}) {
      total.emplace(result, registry.counter("controller_runtime_reconcile_total", "Passes by their result.",
                                             {{"controller", controller}, {"result", result}}));
    }
  }
  static Labels labels(const std::string& controller) { return {{"controller", controller}}; }

  std::map<std::string_view, Counter> total;
  Counter errors;
  Counter terminal_errors;
  Counter panics;
  Histogram seconds;
  Gauge active;
};

ControllerRunner::ControllerRunner(ControllerSpec spec, Client& client, EventRecorder& events, Log log,
                                   MetricsRegistry& metrics, const std::string& manager)
    : spec_(std::move(spec)),
      client_(client),
      runtime_(client.transport().runtime()),
      events_(events),
      log_(log.with({{"controller", spec_.name}})),
      field_manager_(manager + "/" + spec_.name),
      applier_(client, field_manager_),
      queue_metrics_(metrics, spec_.name),
      queue_(runtime_, {.backoff = spec_.backoff, .metrics = &queue_metrics_}),
      metrics_(std::make_unique<Metrics>(metrics, spec_.name, spec_.workers)),
      mutex_(runtime_),
      changed_(runtime_) {}

ControllerRunner::~ControllerRunner() {
  request_stop();
  workers_.clear();
}

void ControllerRunner::watch(Informer& informer) {
  primary_ = &informer;
  informers_.emplace(informer.resource().kind, &informer);
  informer.add_handler([this](const Change& change) {
    queue_.add(change.object().key(), cause_of(change, ReconcileCause::Source::change, spec_.kind),
               priority_of(change));
  });
}

void ControllerRunner::watch_owned(Informer& informer) {
  informers_.emplace(informer.resource().kind, &informer);
  const GroupVersionKind kind = informer.resource().kind;
  informer.add_handler([this, kind](const Change& change) {
    const bool namespaced = primary_->resource().namespaced;
    const auto before = change.old ? owner_of(change.old, spec_.kind, namespaced) : std::nullopt;
    const auto now = change.current ? owner_of(change.current, spec_.kind, namespaced) : std::nullopt;
    const auto wake = [&](const ObjectKey& owner) {
      queue_.add(owner, cause_of(change, ReconcileCause::Source::owned, kind), priority_of(change));
    };
    if (now) wake(*now);
    if (before && before != now) wake(*before);
  });
}

void ControllerRunner::start() {
  {
    const MutexLock lock(mutex_);
    running_ = spec_.workers;
  }
  for (int i = 0; i < spec_.workers; ++i) {
    workers_.push_back(runtime_.spawn({.name = spec_.name + "-" + std::to_string(i)}, [this] { work(); }));
  }
}

void ControllerRunner::request_stop() {
  queue_.shutdown();
  stop_.request_stop();
}

bool ControllerRunner::wait_until(Instant deadline) {
  const MutexLock lock(mutex_);
  while (running_ != 0) {
    if (!changed_.wait_until(mutex_, deadline)) return running_ == 0;
  }
  return true;
}

std::vector<ObjectKey> ControllerRunner::busy() const {
  const MutexLock lock(mutex_);
  std::vector<ObjectKey> keys;
  for (const auto& [key, since] : busy_) keys.push_back(key);
  return keys;
}

bool ControllerRunner::is_quiet() { return queue_.is_quiet(); }

void ControllerRunner::work() {
  while (auto item = queue_.get()) {
    pass(*item);
    queue_.done(*item);
  }
  const MutexLock lock(mutex_);
  --running_;
  changed_.notify_all();
}

void ControllerRunner::pass(const Queue::Item& item) {
  const Object object = primary_->store().get(item.key);
  if (!object || is_only_being_collected(object)) {
    queue_.forget(item);
    applier_.forget(item.key);
    return;
  }
  const Instant begin = runtime_.now();
  {
    const MutexLock lock(mutex_);
    busy_.emplace(item.key, begin);
  }
  metrics_->active.add(1);
  const Outcome outcome = reconcile(object, item);
  metrics_->active.add(-1);
  {
    const MutexLock lock(mutex_);
    busy_.erase(item.key);
  }
  const Error* error = outcome.as_failed();
  // Cut short by the stop: neither success nor failure.
  if (error != nullptr && error->code == ErrorCode::cancelled && stop_.stop_requested()) return;
  metrics_->seconds.observe(std::chrono::duration<double>(runtime_.now() - begin).count());
  metrics_->total.at(metric_label(outcome)).add();
  follow_up(item, outcome);
}

// The one place where exceptions of user code end.
Outcome ControllerRunner::reconcile(const Object& object, const Queue::Item& item) {
  const Log log = log_.with({{"key", item.key.to_string()}});
  if (log.enabled(LogLevel::debug)) log.debug("reconcile", {{"causes", join(item.causes)}});
  Context::Pass pass{.object = object,
                     .causes = item.causes,
                     .informers = informers_,
                     .client = client_,
                     .applier = applier_,
                     .events = events_,
                     .controller = spec_.name,
                     .field_manager = field_manager_,
                     .log = log,
                     .stop = stop_.get_token()};
  Context context(pass);
  try {
    return spec_.reconcile(object, context);
  } catch (const std::exception& exception) {
    metrics_->panics.add();
    return failed(make_error(ErrorCode::unknown, "reconcile threw " + type_name(exception) + ": " + exception.what()));
  } catch (...) {
    metrics_->panics.add();
    return failed(make_error(ErrorCode::unknown, "reconcile threw something that is not a std::exception"));
  }
}

// R3 and R4: an error backs off, unless it is terminal; a time or a settled pass clears the failures, and clears them
// before the key is added again (trap 40).
void ControllerRunner::follow_up(const Queue::Item& item, const Outcome& outcome) {
  using Source = ReconcileCause::Source;
  const ReconcileCause retry{
      .source = Source::retry, .kind = spec_.kind, .object = item.key, .retry = item.failures + 1};
  if (const Error* error = outcome.as_failed()) {
    metrics_->errors.add();
    if (error->is_terminal) {
      metrics_->terminal_errors.add();
      queue_.forget(item);
      log_.error("reconcile failed; it is not tried again until something changes",
                 {{"key", item.key.to_string()}, {"error", error->to_string()}});
      return;
    }
    const Duration delay = queue_.add_backed_off(item, retry, error->retry_after.value_or(Duration::zero()));
    log_.error("reconcile failed", {{"key", item.key.to_string()},
                                    {"error", error->to_string()},
                                    {"retry", item.failures + 1},
                                    {"again_in", format_duration(delay)}});
    return;
  }
  if (outcome.is_look_again()) {
    queue_.add_backed_off(item, retry);
    return;
  }
  queue_.forget(item);
  if (const LookAgainIn* again = outcome.as_look_again_in()) {
    queue_.add_after(item.key, again->delay, {.source = Source::timer, .kind = spec_.kind, .object = item.key});
  }
}

}  // namespace pintle
