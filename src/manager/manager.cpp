// SPDX-License-Identifier: Apache-2.0
#include "manager_state.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <pintle/base/stop.hpp>
#include <pintle/manager/manager_host.hpp>
#include <pintle/object/schema/crd.hpp>

#include "crd_installer.hpp"
#include "manager/pages/pod_reach.hpp"

namespace pintle {
namespace {

// Checks the fence before each reconcile: a worker that was suspended beyond the end of the lease may continue before
// the thread of the election does.
auto under_lease(const Fence& fence, std::function<Outcome(const Object&, Context&)> reconcile) {
  return [&fence, reconcile = std::move(reconcile)](const Object& object, Context& context) -> Outcome {
    if (auto held = fence.check(); !held) return failed(std::move(held.error()));
    return reconcile(object, context);
  };
}

// Lets the host of this thread, if there is one, change the options.
ManagerOptions prepared(ManagerOptions options) {
  if (ManagerHost* host = HostedThread::current()) host->prepare(options);
  return options;
}

}  // namespace

Error joined(std::vector<Error> errors) {
  Error all = std::move(errors.front());
  for (std::size_t i = 1; i < errors.size(); ++i) all.message += "; " + errors[i].to_string();
  return all;
}

Manager::State::State(ManagerOptions given)
    : options(std::move(given)),
      own_executor(options.executor == nullptr ? make_real_executor() : nullptr),
      executor(options.executor == nullptr ? *own_executor : *options.executor),
      flags(read_flags(options)),
      caches_(executor, metrics, options.name, options.max_cache_silence),
      mutex_(executor),
      changed_(executor) {}

Result<void> Manager::State::start() {
  {
    const MutexLock lock(mutex_);
    if (phase_ != Phase::made) return fail(ErrorCode::invalid, "manager " + options.name + " was already started");
    phase_ = Phase::starting;
  }
  auto started = begin_work();
  if (started) {
    log_.info("started", {{"manager", options.name},
                          {"cluster", home().client().cluster().origin},
                          {"controllers", controllers_.size()}});
    enter(Phase::running);  // from here on another thread may stop the manager
    return {};
  }
  request_stop();
  if (elector_ != nullptr) elector_->withdraw();
  take_down(executor.now(), after(executor.now(), options.stop_timeout), [](const Error&) {});
  enter(Phase::ended);
  return started;
}

Result<void> Manager::State::begin_work() {
  if (!flags) return fail(flags.error());
  if (auto errors = start_errors(); !errors.empty()) return fail(joined(std::move(errors)));
  auto sink = make_log_sink();
  if (options.debug) {
    history_ = std::make_unique<ReconcileHistory>(executor, static_cast<std::size_t>(options.debug_history));
    sink = log_tail_ = std::make_shared<LogTail>(executor, std::move(sink));
  }
  log_ = Log(std::move(sink), executor, options.log_level);
  for (const std::string& warning : flags->warnings) log_.warning(warning);
  show_feature_gates();
  for (const auto step : {&State::open_state_dir, &State::connect, &State::serve_health, &State::serve_webhooks,
                          &State::install_definitions, &State::install_webhooks, &State::make_controllers,
                          &State::make_runnables, &State::follow_clusters, &State::fill_caches}) {
    if (auto done = (this->*step)(); !done) return done;
  }
  for (const auto& follower : followers_) follower->start();
  if (elector_ != nullptr) {
    start_all_for(Leadership::every_instance);
    elector_->start();
  } else if (!is_planning_) {
    start_controllers();
  }
  return {};
}

// The progress of the start is a line on the terminal, if the log is on one.
std::shared_ptr<LogSink> Manager::State::make_log_sink() {
  if (options.log_sink != nullptr) return options.log_sink;
  auto sink = make_stderr_sink(options.log_format);
  if (own_executor != nullptr && options.log_format != LogFormat::json) progress_ = make_progress_sink(executor, sink);
  if (progress_ != nullptr) return progress_;
  return sink;
}

Result<void> Manager::State::follow_clusters() {
  for (const auto& follower : followers_) {
    if (auto connected = follower->connect(home(), stop_.get_token()); !connected) return connected;
  }
  return {};
}

// Without leader election, everything starts here.
void Manager::State::start_controllers() {
  if (elector_ == nullptr) start_all_for(Leadership::every_instance);
  start_all_for(Leadership::lease);
  const MutexLock lock(mutex_);
  working_ = true;
}

Result<void> Manager::State::open_state_dir() {
  if (options.state_dir.empty()) return {};
  auto opened = CrashGuard::open(options.state_dir, specs, executor, log_, metrics);
  if (!opened && opened.error().code == ErrorCode::unavailable) {
    state_dir_failures(metrics).add();
    log_.warning("cannot use the state directory; the operator continues without quarantine",
                 {{"error", opened.error().to_string()}});
    return {};
  }
  if (!opened) return fail(std::move(opened.error()));
  crash_guard_ = std::move(*opened);
  if (owns_process) crash_guard_->report_fatal_signals();
  return {};
}

Result<void> Manager::State::serve_health() {
  if (options.listen.empty()) return {};
  start_checks();
  process_metrics_ = std::make_unique<ProcessMetrics>(executor, metrics, options.name, options.version);
  profile_ = std::make_unique<ProfilePages>(executor);
  if (options.debug) {
    replicas_ = make_replicas();
    debug_ = std::make_unique<DebugPages>(DebugPages::Surroundings{.executor = executor,
                                                                   .options = options,
                                                                   .history = *history_,
                                                                   .log_tail = *log_tail_,
                                                                   .inspect = [this] { return inspected(); },
                                                                   .replicas = replicas_.get(),
                                                                   .log = log_});
  }
  const bool has_webhooks = !admissions.empty() || !own_conversions().empty();
  health_ = std::make_unique<Health>(
      metrics, HealthChecks{.is_ready = [this] { return is_ready() || is_ready_to_convert(); },
                            .missing = [this] { return missing_caches(); },
                            .check_alive = [this] { return elector_ ? elector_->check_health() : Result<void>(); },
                            .check_webhooks = has_webhooks ? [this] { return check_webhooks_alive(); }
                                                           : std::function<Result<void>()>(),
                            .problems = [this] { return readiness_problems(); },
                            .check_served = [this] { return definitions_->check(); },
                            .before_metrics =
                                [this] {
                                  measure();
                                  process_metrics_->measure();
                                },
                            .debug = debug_.get(),
                            .profile = options.serving.profiling ? profile_.get() : nullptr,
                            .own = [this](HealthProbe probe) { return check_results(probe); },
                            .pages = pages,
                            .log = log_});
  page_server_ = std::make_unique<PageServer>(executor, options, *health_,
                                              options.serving.authorize ? make_page_client() : nullptr, metrics, log_);
  if (auto listening = page_server_->start(); !listening) {
    // A usage error, because another --listen can correct it.
    Error error = std::move(listening.error()).with_operation("serve health and metrics");
    error.code = ErrorCode::invalid;
    return fail(std::move(error));
  }
  listen_address = page_server_->address();
  warn_of_unreachable_pages(home().client().cluster(), listen_address, log_);
  return {};
}

// Returns the controllers, or none while they are created or destroyed. The page server ends before they do.
std::vector<ControllerRunner*> Manager::State::controllers_now() const {
  {
    const MutexLock lock(mutex_);
    if (phase_ != Phase::running && phase_ != Phase::stopping) return {};
  }
  std::vector<ControllerRunner*> all;
  for (const auto& controller : controllers_) all.push_back(controller.get());
  return all;
}

Inspected Manager::State::inspected() const {
  Inspected seen{.ready = is_ready(), .leading = is_leading(), .controllers = controllers_now()};
  seen.problems = seen.ready ? readiness_problems() : missing_caches();
  if (elector_ != nullptr) seen.election = elector_->standing();
  if (!seen.controllers.empty()) seen.caches = caches_.caches();
  return seen;
}

void Manager::State::measure() const {
  for (const ControllerRunner* controller : controllers_now()) controller->measure();
  caches_.measure();
  for (const auto& check : checks_) (void)check->result();
}

// Returns a line for each cache that the start waits for, then the progress.
std::vector<std::string> Manager::State::missing_caches() const {
  std::vector<std::string> lines = caches_.missing();
  if (!lines.empty()) lines.push_back(caches_.progress());
  return lines;
}

Result<void> Manager::State::install_definitions() {
  for (const DeclaredCrd& one : declared_crds(specs, declared_conversions(specs, conversions))) {
    if (auto installed = install(one); !installed) return installed;
  }
  return {};
}

Result<void> Manager::State::install(const DeclaredCrd& declared) {
  Client& client = clusters_.find(declared.cluster)->second->client();
  const json::Document document(declared.crd);
  const bool is_foreign = CrdView(document.root()).is_foreign();
  const bool is_converted = declared.is_converted;
  const auto latest = [this, is_converted, crd = declared.crd] { return is_converted ? with_conversion(crd) : crd; };
  if (declared.is_awaited || !is_foreign) {
    auto done = installer(client, options.sync_timeout).ensure(latest, declared.kind, stop_.get_token());
    if (done && is_converted) done = use_conversion(client, std::string(CrdView(document.root()).name()));
    if (!done) return done;
  }
  const bool is_ours = options.crds != CrdPolicy::never && !is_foreign;
  definitions_->add({.crd = declared.crd,
                     .kind = declared.kind,
                     .cluster = declared.cluster,
                     .client = &client,
                     .is_restored = options.restore_crds && is_ours,
                     .latest = latest});
  return {};
}

CrdInstaller Manager::State::installer(Client& client, Duration patience) const {
  return CrdInstaller(client, log_, options.name, options.version, options.crds, patience);
}

// Must be called before the first watch, because a failed watch is reported to it.
void Manager::State::keep_definitions() {
  definitions_ = std::make_unique<DefinitionKeeper>(
      executor, log_, metrics, [this](Client& client) { return installer(client, std::chrono::seconds(10)); });
}

Result<void> Manager::State::make_controllers() {
  for (AnyController spec : specs) {
    const bool is_fenced = fence_ && spec.leadership == Leadership::lease;
    const bool is_unfenced = fence_ && !is_fenced;
    if (is_fenced) {
      spec.reconcile = under_lease(*fence_, std::move(spec.reconcile));
      if (spec.finalize) spec.finalize = under_lease(*fence_, std::move(spec.finalize));
      if (spec.gone) spec.gone = under_lease(*fence_, std::move(spec.gone));
    }
    const ControllerRunner::Surroundings around{
        .clusters = is_unfenced ? unfenced_clusters_ : clusters_,
        .secret_clusters = is_unfenced ? *unfenced_secret_clusters_ : *secret_clusters_,
        .metrics = metrics,
        .manager = options.name,
        .crash_guard = crash_guard_.get(),
        .tracing = tracing_.get(),
        .history = history_.get(),
        .spans = spans_.get(),
        .defaults = options.defaults,
        .on_reconcile = options.on_reconcile};
    auto runner = std::make_unique<ControllerRunner>(std::move(spec), around, log_);
    if (auto connected = runner->connect(stop_.get_token()); !connected) return connected;
    controllers_.push_back(std::move(runner));
  }
  // The watches of cluster finders are added later; their permissions do not include this.
  for (ManagedCluster* cluster : all_clusters()) cluster->report_missing_namespaces(stop_.get_token());
  return {};
}

// All handlers are added before the first informer starts, and workers start after the last handler has run:
// docs/internals/list-watch.md, "Synced means that handlers have run".
Result<void> Manager::State::fill_caches() {
  const Instant deadline = after(executor.now(), options.sync_timeout);
  for (ManagedCluster* cluster : all_clusters()) caches_.add(cluster->name(), cluster->sources());
  if (webhook_server_ != nullptr) {
    const std::vector<AnyConversion> converted = own_conversions();
    const MutexLock lock(mutex_);
    for (const AnyConversion& one : converted) converted_kinds_.emplace(one.kind.group, one.kind.kind);
  }
  for (ManagedCluster* cluster : all_clusters()) cluster->start_informers();
  for (ManagedCluster* cluster : all_clusters()) {
    auto synced = wait_for_sync(*cluster, deadline);
    if (synced) continue;
    if (synced.error().code == ErrorCode::cancelled) return synced;
    for (const std::string& other : caches_.missing()) {
      if (!synced.error().message.starts_with(other.substr(0, other.find(" has not arrived")))) {
        synced.error().message += "; " + other;
      }
    }
    return synced;
  }
  return {};
}

// Logs the progress while it waits, or shows it on the terminal.
Result<void> Manager::State::wait_for_sync(ManagedCluster& cluster, Instant deadline) {
  const Duration between_lines = progress_ == nullptr ? std::chrono::seconds(10) : std::chrono::milliseconds(200);
  while (true) {
    const Instant next = std::min(deadline, after(executor.now(), between_lines));
    auto synced = cluster.wait_for_sync(next, next == deadline, stop_.get_token());
    const bool has_ended = synced || next == deadline || synced.error().code == ErrorCode::cancelled;
    if (progress_ == nullptr && !has_ended) {
      log_.info("the start waits for the first lists", {{"progress", caches_.progress()}});
    } else if (progress_ != nullptr && !has_ended) {
      progress_->show("waiting for the first lists: " + caches_.progress());
    } else if (progress_ != nullptr) {
      progress_->hide();
    }
    if (has_ended) return synced;
  }
}

Result<void> Manager::State::wait() {
  const StopCallback wake(executor, stop_.get_token(), [this] {
    const MutexLock lock(mutex_);
    changed_.notify_all();
  });
  const MutexLock lock(mutex_);
  while (!error_ && !stop_.stop_requested() && (phase_ == Phase::starting || phase_ == Phase::running)) {
    changed_.wait(mutex_);
  }
  if (error_) return fail(*error_);
  return {};
}

void Manager::State::failed(Error error) {
  const MutexLock lock(mutex_);
  if (error_) {
    error_->message += "; then: " + error.to_string();
  } else {
    error_ = std::move(error);
  }
  changed_.notify_all();
}

void Manager::State::enter(Phase phase) {
  const MutexLock lock(mutex_);
  phase_ = phase;
  changed_.notify_all();
}

bool Manager::State::is_ready() const {
  const MutexLock lock(mutex_);
  return phase_ == Phase::running && !error_ && !stop_.stop_requested();
}

bool Manager::State::is_ready_to_convert() const {
  std::set<std::pair<std::string, std::string>> converted;
  {
    const MutexLock lock(mutex_);
    if (phase_ != Phase::starting || error_ || stop_.stop_requested()) return false;
    converted = converted_kinds_;
  }
  return !converted.empty() && caches_.misses_only([&](const GroupVersionKind& kind) {
    return converted.contains({kind.group, kind.kind});
  });
}

std::vector<std::string> Manager::State::readiness_problems() const {
  const bool has_started = is_ready();
  std::vector<std::string> problems;
  if (has_started) problems = caches_.problems();
  // The webhooks are created before the manager is ready in one of these ways.
  if (!has_started && !is_ready_to_convert()) return problems;
  const auto note = [&](const Result<void>& valid) {
    if (!valid) problems.push_back(valid.error().to_string());
  };
  if (certificates_ != nullptr) note(certificates_->check());
  if (webhook_server_ != nullptr) note(webhook_server_->check());
  return problems;
}

bool Manager::State::is_leading() const {
  const MutexLock lock(mutex_);
  return working_;
}

bool Manager::State::has_lost_lease() const {
  const MutexLock lock(mutex_);
  return lost_lease_;
}

bool Manager::State::is_idle() const {
  const auto busy = [](const auto& controller) { return !controller->is_idle(); };
  return is_ready() && dispatcher_->is_idle() && std::none_of(controllers_.begin(), controllers_.end(), busy);
}

Manager::Manager(ManagerOptions options) : state_(std::make_unique<State>(prepared(std::move(options)))) {}
Manager::~Manager() { stop(); }

Result<void> Manager::start() { return state_->start(); }
Result<Plan> Manager::plan(const std::string& object) { return state_->plan(object); }
void Manager::request_stop() noexcept { state_->request_stop(); }
Result<void> Manager::wait() { return state_->wait(); }
void Manager::stop() { stop(state_->options.stop_timeout); }
void Manager::stop(Duration grace) { state_->stop(grace); }
bool Manager::is_ready() const { return state_->is_ready(); }
bool Manager::is_leading() const { return state_->is_leading(); }
bool Manager::is_idle() const { return state_->is_idle(); }
MetricsRegistry& Manager::metrics() noexcept { return state_->metrics; }
const ManagerOptions& Manager::options() const noexcept { return state_->options; }
Executor& Manager::executor() noexcept { return state_->executor; }
std::string Manager::listen_address() const { return state_->listen_address; }
Result<std::string> Manager::print_crds() const { return state_->print_crds(); }
std::vector<RbacRole> Manager::roles() const { return state_->roles(); }

}  // namespace pintle
