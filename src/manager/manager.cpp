// SPDX-License-Identifier: Apache-2.0
#include "manager_state.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include <pintle/base/stop.hpp>
#include <pintle/base/text.hpp>
#include <pintle/http/listen_address.hpp>
#include <pintle/manager/manager_host.hpp>
#include <pintle/object/names.hpp>
#include <pintle/object/schema/crd.hpp>
#include <pintle/object/selector.hpp>

#include "crd_installer.hpp"
#include "rbac.hpp"

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

// Returns why the namespaces of a controller contradict those of the manager, if one of them selects by labels.
std::optional<std::string> selector_conflict(const ManagerOptions& options, const AnyController& spec) {
  if (!spec.namespace_selector.empty() && !namespaces_of(options, spec.cluster).empty()) {
    return "selects namespaces by labels, but the manager is restricted to names; remove --namespace, or the "
           ".namespace_selector";
  }
  if (options.namespace_selector.empty() || spec.cluster != home_cluster) return std::nullopt;
  if (!spec.namespaces.empty()) {
    return "names namespaces, but the manager selects them by labels; remove --namespace-selector, or the .namespaces";
  }
  const auto is_conditional = [](const Owns& owned) { return static_cast<bool>(owned.options.active_when); };
  if (std::any_of(spec.owns.begin(), spec.owns.end(), is_conditional)) {
    return "has .active_when, which is not possible with --namespace-selector; remove one of the two";
  }
  return std::nullopt;
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

std::vector<Error> Manager::State::declaration_errors() const {
  std::vector<Error> errors = refused;
  const auto wrong = [&](std::string what) { errors.push_back(make_error(ErrorCode::invalid, std::move(what))); };
  if (specs.empty() && runnables.empty() && admissions.empty() && conversions.empty() && refused.empty()) {
    wrong("manager " + options.name + " has no controller; add one before start()");
  }
  std::set<std::string> names;
  for (const AnyController& spec : specs) {
    if (!names.insert(spec.name).second) {
      wrong("two controllers have the name \"" + spec.name + "\"; change the .name of one of them");
    }
    for (Error& error : validate(spec)) errors.push_back(std::move(error));
  }
  if (options.leader_election) {
    for (Error& error : check(election())) errors.push_back(std::move(error));
  }
  for (Error& error : cluster_errors()) errors.push_back(std::move(error));
  for (Error& error : namespace_errors()) errors.push_back(std::move(error));
  for (Error& error : part_errors()) errors.push_back(std::move(error));
  for (Error& error : kept_errors()) errors.push_back(std::move(error));
  for (Error& error : admission_errors()) errors.push_back(std::move(error));
  for (Error& error : conversion_errors()) errors.push_back(std::move(error));
  return errors;
}

// Returns the errors of the namespaces of the clusters and controllers.
std::vector<Error> Manager::State::namespace_errors() const {
  std::vector<Error> errors;
  const auto check = [&](const std::vector<std::string>& names, const std::string& where) {
    if (auto wrong = validate_namespaces(names)) errors.push_back(std::move(*wrong).with_operation(where));
  };
  check(options.namespaces, "ManagerOptions::namespaces");
  if (auto labels = LabelSelector::parse(options.namespace_selector); !labels) {
    errors.push_back(std::move(labels.error()).with_operation("ManagerOptions::namespace_selector"));
  }
  if (!options.namespace_selector.empty() && !options.namespaces.empty()) {
    errors.push_back(
        make_error(ErrorCode::invalid,
                   "the manager has names and a selector of namespaces; remove --namespace or --namespace-selector"));
  }
  for (const NamedCluster& cluster : options.clusters) {
    check(cluster.namespaces, "NamedCluster::namespaces of " + cluster.name.value());
  }
  for (const AnyController& spec : specs) {
    const std::vector<std::string>& home = namespaces_of(options, spec.cluster);
    if (auto conflict = selector_conflict(options, spec)) {
      errors.push_back(make_error(ErrorCode::invalid, "controller " + spec.name + " " + *conflict));
    }
    for (const std::string& name : spec.namespaces) {
      if (home.empty() || std::find(home.begin(), home.end(), name) != home.end()) continue;
      std::string known;
      for (const std::string& one : home) known += (known.empty() ? "" : ", ") + one;
      errors.push_back(make_error(ErrorCode::invalid, "controller " + spec.name + " watches namespace " + name +
                                                          ", but the manager is restricted to " + known +
                                                          "; add it to --namespace, or remove it from .namespaces"));
    }
  }
  return errors;
}

// Returns the errors of `cache_projections`.
std::vector<Error> Manager::State::kept_errors() const {
  std::vector<Error> errors;
  for (const auto& [kind, parts] : options.cache_projections) {
    const auto is_watched = [&kind = kind](const AnyController& spec) {
      return spec.watch.kind == kind ||
             std::any_of(spec.owns.begin(), spec.owns.end(), [&](const Owns& owned) { return owned.kind == kind; }) ||
             std::any_of(spec.watches.begin(), spec.watches.end(),
                         [&](const Watches& watched) { return watched.kind.value() == kind; });
    };
    if (std::none_of(specs.begin(), specs.end(), is_watched)) {
      errors.push_back(make_error(ErrorCode::invalid, ".cache_projections of the manager has " + kind.to_string() +
                                                          ", which no controller watches; remove it"));
    }
    if (auto usable = validate_projection(parts.projection); !usable) {
      errors.push_back(std::move(usable.error()).with_operation(".cache_projections of " + kind.to_string()));
    }
  }
  return errors;
}

// Returns the errors of the named clusters, and of the controllers that refer to them.
std::vector<Error> Manager::State::cluster_errors() const {
  std::vector<Error> errors;
  const auto wrong = [&](std::string what) { errors.push_back(make_error(ErrorCode::invalid, std::move(what))); };
  std::set<std::string> known{std::string(home_cluster)};
  for (const NamedCluster& cluster : options.clusters) {
    const std::string& name = cluster.name.value();
    if (auto error = names::validate_dns1123_label(name)) wrong("the name of cluster \"" + name + "\" " + *error);
    if (!known.insert(name).second)
      wrong("two clusters have the name \"" + name + "\"; change the .name of one of them");
  }
  const auto check = [&](const AnyController& spec, const std::string& name) {
    if (!known.contains(name)) {
      wrong("controller " + spec.name + " uses cluster \"" + name +
            "\", which is not in .clusters of the manager; add it there, or use another .cluster");
    }
  };
  for (const AnyController& spec : specs) {
    check(spec, spec.cluster);
    for (const Watches& watched : spec.watches) {
      if (!watched.cluster.empty()) check(spec, watched.cluster);
    }
  }
  return errors;
}

// Returns the errors that prevent a start. --print-crds and --print-rbac check the errors of the declaration only.
std::vector<Error> Manager::State::start_errors() const {
  std::vector<Error> errors = declaration_errors();
  for (Error& error : check_serving(options)) errors.push_back(std::move(error));
  if ((!admissions.empty() || !own_conversions().empty()) && !is_planning_) {
    for (Error& error : validate(options.webhooks)) errors.push_back(std::move(error));
  }
  for (const NamedCluster& cluster : options.clusters) {
    if (!cluster.kubeconfig.empty() || cluster.address || cluster.finder) continue;
    const std::string& name = cluster.name.value();
    errors.push_back(
        make_error(ErrorCode::invalid, "cluster " + name + " has no kubeconfig; set --" + name + "-kubeconfig"));
  }
  return errors;
}

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
  take_down();
  enter(Phase::ended);
  return started;
}

Result<void> Manager::State::begin_work() {
  if (!flags) return fail(flags.error());
  if (auto errors = start_errors(); !errors.empty()) return fail(joined(std::move(errors)));
  auto sink = options.log_sink != nullptr ? options.log_sink : make_stderr_sink(options.log_format);
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
  health_ = std::make_unique<Health>(
      metrics, HealthChecks{.is_ready = [this] { return is_ready(); },
                            .missing = [this] { return missing_caches(); },
                            .check_alive = [this] { return elector_ ? elector_->check_health() : Result<void>(); },
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
  const bool is_in_pod = home().client().cluster().origin == in_cluster_origin;
  if (const auto address = http::parse_listen_address(listen_address); is_in_pod && address && address->is_loopback()) {
    log_.warning("only this pod can connect to --listen, so the probes of the kubelet fail",
                 {{"listen", listen_address}, {"next", "use 0.0.0.0:" + std::to_string(address->port)}});
  }
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
    auto done = installer(client, options.sync_timeout).ensure(latest(), declared.kind, stop_.get_token());
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

// Logs the progress while it waits.
Result<void> Manager::State::wait_for_sync(ManagedCluster& cluster, Instant deadline) {
  constexpr Duration between_lines = std::chrono::seconds(10);
  while (true) {
    const Instant next = std::min(deadline, after(executor.now(), between_lines));
    auto synced = cluster.wait_for_sync(next, next == deadline, stop_.get_token());
    if (synced || next == deadline || synced.error().code == ErrorCode::cancelled) return synced;
    log_.info("the start waits for the first lists", {{"progress", caches_.progress()}});
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

void Manager::State::stop(Duration grace, const std::function<void(const Error&)>& on_ignored) {
  request_stop();
  {
    const MutexLock lock(mutex_);
    while (phase_ == Phase::starting || phase_ == Phase::stopping) changed_.wait(mutex_);
    if (phase_ == Phase::made) phase_ = Phase::ended;
    if (phase_ == Phase::ended) return;
    phase_ = Phase::stopping;
    working_ = false;
  }
  const Instant deadline = after(executor.now(), grace);
  if (elector_ != nullptr) elector_->withdraw();
  request_reconciles_to_stop();
  if (auto ignored = await_reconciles(deadline)) {
    if (on_ignored) on_ignored(*ignored);
    failed(std::move(*ignored));
  }
  take_down();
  enter(Phase::ended);
}

// Stops reconciles immediately and without the grace time, because another instance may begin. The caller of wait()
// stops the other parts.
void Manager::State::lease_lost(const Error& why) {
  request_reconciles_to_stop();
  log_.error("the lease is lost; stopping", {{"error", why.to_string()}});
  {
    const MutexLock lock(mutex_);
    lost_lease_ = true;
    working_ = false;
  }
  failed(why);
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

void Manager::State::request_reconciles_to_stop() {
  if (crash_guard_ != nullptr) crash_guard_->stop();
  for (const auto& controller : controllers_) controller->request_stop();
  for (const auto& runnable : running_) runnable->request_stop();
}

// Waits for the reconciles until the deadline or until the end of the lease, which moves while the lease is renewed.
// Returns an error that names the reconciles that still run then.
std::optional<Error> Manager::State::await_reconciles(Instant deadline) {
  const auto limit = [&] { return elector_ != nullptr ? std::min(deadline, elector_->ends()) : deadline; };
  std::string running;
  Duration pause = std::chrono::seconds(5);
  Instant notice = after(executor.now(), pause);
  for (const auto& controller : controllers_) {
    bool ended = false;
    while (!ended && executor.now() < limit()) {
      ended = controller->wait_until(std::min(limit(), notice));
      if (ended || executor.now() < notice) continue;
      log_what_runs();
      notice = after(executor.now(), pause *= 2);
    }
    if (ended || controller->wait_until(executor.now())) continue;
    for (const ObjectKey& key : controller->busy()) {
      log_.error("a reconcile ignores its stop token and still runs",
                 {{"controller", controller->spec().name}, {"key", key.to_string()}});
      running += (running.empty() ? "" : ", ") + controller->spec().name + " of " + key.to_string();
    }
  }
  for (const auto& runnable : running_) {
    if (runnable->wait_until(limit())) continue;
    log_.error("a runnable ignores its stop token and still runs", {{"runnable", runnable->name()}});
    running += (running.empty() ? "" : ", ") + std::string("runnable ") + runnable->name();
  }
  if (running.empty()) return std::nullopt;
  return make_error(ErrorCode::timeout, "these reconciles ignore their stop token and still run: " + running);
}

// Logs the reconciles for which the stop waits.
void Manager::State::log_what_runs() const {
  for (const auto& controller : controllers_) {
    for (const ObjectKey& key : controller->busy()) {
      log_.warning("the stop waits for a reconcile, which must observe its stop token (Context::stop_token)",
                   {{"controller", controller->spec().name}, {"key", key.to_string()}});
    }
  }
}

void Manager::State::take_down() {
  for (const auto& controller : controllers_) controller->wait_until(Instant::max());
  running_.clear();
  // The last writes of reconciles may need the webhooks.
  if (certificates_ != nullptr) certificates_->stop();
  if (webhook_server_ != nullptr) webhook_server_->stop();
  // The lease is released after all reconciles have ended, because the next instance begins immediately then.
  if (elector_ != nullptr) elector_->resign();
  if (definitions_ != nullptr) definitions_->stop();
  for (const auto& follower : followers_) follower->stop();
  for (ManagedCluster* cluster : all_clusters()) cluster->stop_informers();
  if (dispatcher_ != nullptr) dispatcher_->stop();
  page_server_.reset();  // uses the controllers and the checks
  for (const auto& check : checks_) check->request_stop();
  checks_.clear();
  controllers_.clear();
  crash_guard_.reset();
  const Duration grace = std::min<Duration>(options.stop_timeout, std::chrono::seconds(2));
  for (ManagedCluster* cluster : all_clusters()) cluster->stop_events(grace);
  if (exporter_ != nullptr) exporter_->stop(grace);
  // The shutdown ends the open requests of the informers. A given transport belongs to the caller and stays open.
  if (transport_ != nullptr && options.transport == nullptr) transport_->stop();
  webhook_server_.reset();  // uses the tracer
  certificates_.reset();
  secret_clusters_.reset();
  caches_.close();
  unfenced_secret_clusters_.reset();
  definitions_.reset();
  followers_.clear();
  cache_readers_.clear();
  unfenced_clusters_.clear();
  clusters_.clear();
  dispatcher_.reset();
  elector_.reset();
  reconcile_transport_.reset();
  tracing_.reset();
  exporter_.reset();
  decltype(credentials_) credentials;  // destroyed, which ends a plugin, after the lock is released
  {
    const MutexLock lock(mutex_);
    credentials.swap(credentials_);
  }
  recorder_.reset();
  transport_.reset();
}

bool Manager::State::is_ready() const {
  const MutexLock lock(mutex_);
  return phase_ == Phase::running && !error_ && !stop_.stop_requested();
}

std::vector<std::string> Manager::State::readiness_problems() const {
  std::vector<std::string> problems = caches_.problems();
  // Set before the manager is ready.
  if (!is_ready() || certificates_ == nullptr) return problems;
  if (const auto valid = certificates_->check(); !valid) problems.push_back(valid.error().to_string());
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
