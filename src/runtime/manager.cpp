#include "manager_state.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include <pintle/base/stop.hpp>
#include <pintle/http/net_transport.hpp>

#include "crd_installer.hpp"
#include "fenced_transport.hpp"

namespace pintle {
namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

// A cluster reached through a transport that was given: nobody is asked where it is.
Cluster given_cluster() {
  return {.endpoint = std::make_shared<http::Endpoint>(), .origin = "the transport in the manager's options"};
}

// The first, with the others in its message.
Error joined(std::vector<Error> errors) {
  Error all = std::move(errors.front());
  for (std::size_t i = 1; i < errors.size(); ++i) all.message += "; " + errors[i].to_string();
  return all;
}

// Nobody else's, and of use to a person who looks for the holder.
std::string make_identity(Runtime& runtime) {
  std::array<char, 256> host{};
  if (gethostname(host.data(), host.size() - 1) != 0 || host[0] == '\0')
    std::snprintf(host.data(), host.size(), "host");
  return fmt::format("{}_{:016x}", host.data(), runtime.random());
}

// A worker that slept through the end of the lease may wake before the election does.
auto under_lease(const Fence& fence, std::function<Outcome(const Object&, Context&)> reconcile) {
  return [&fence, reconcile = std::move(reconcile)](const Object& object, Context& context) -> Outcome {
    if (auto held = fence.check(); !held) return failed(std::move(held.error()));
    return reconcile(object, context);
  };
}

}  // namespace

Manager::State::State(ManagerOptions given)
    : options(std::move(given)),
      own_runtime(options.runtime == nullptr ? make_real_runtime() : nullptr),
      runtime(options.runtime == nullptr ? *own_runtime : *options.runtime),
      mutex_(runtime),
      changed_(runtime) {}

Result<Flags> Manager::State::read_arguments() {
  if (std::exchange(arguments_read_, true)) return Flags{};
  return read_flags(options);
}

std::vector<Error> Manager::State::declaration_errors() const {
  std::vector<Error> errors;
  const auto wrong = [&](std::string what) { errors.push_back(make_error(ErrorCode::invalid, std::move(what))); };
  if (specs.empty()) wrong("manager " + options.name + " has no controller: add one before it starts");
  std::set<std::string> names;
  for (const ControllerSpec& spec : specs) {
    if (!names.insert(spec.name).second) {
      wrong("two controllers are named \"" + spec.name + "\": give one of them another .name");
    }
    for (Error& error : spec.errors()) errors.push_back(std::move(error));
  }
  if (options.leader_election) {
    for (Error& error : check(election())) errors.push_back(std::move(error));
  }
  return errors;
}

Result<void> Manager::State::start() {
  {
    const MutexLock lock(mutex_);
    if (phase_ != Phase::made) return fail(ErrorCode::invalid, "manager " + options.name + " has been started before");
    phase_ = Phase::starting;
  }
  auto started = begin_work();
  if (started) {
    log_.info(
        "started",
        {{"manager", options.name}, {"cluster", client_->cluster().origin}, {"controllers", controllers_.size()}});
    enter(Phase::running);  // from here on another thread may take it down
    return {};
  }
  request_stop();
  if (elector_ != nullptr) elector_->withdraw();
  take_down();
  enter(Phase::ended);
  return started;
}

Result<void> Manager::State::begin_work() {
  if (auto flags = read_arguments(); !flags) return fail(std::move(flags.error()));
  if (auto errors = declaration_errors(); !errors.empty()) return fail(joined(std::move(errors)));
  log_ = Log(options.log_sink != nullptr ? options.log_sink : make_stderr_sink(options.log_format), runtime,
             options.log_level);
  for (const auto step : {&State::connect, &State::serve_health, &State::install_definitions, &State::make_controllers,
                          &State::fill_caches}) {
    if (auto done = (this->*step)(); !done) return done;
  }
  if (elector_ != nullptr) {
    elector_->start();
  } else {
    start_controllers();
  }
  return {};
}

void Manager::State::start_controllers() {
  for (const auto& controller : controllers_) controller->start();
  const MutexLock lock(mutex_);
  working_ = true;
}

ClientOptions Manager::State::client_options(std::shared_ptr<http::Transport> transport, const Cluster& cluster) {
  return {.transport = std::move(transport),
          .cluster = cluster,
          .field_manager = options.name,
          .user_agent = options.name + "/" + options.version,
          .log = log_,
          .metrics = &metrics};
}

Result<void> Manager::State::connect() {
  const auto cluster = options.transport != nullptr ? Result<Cluster>(given_cluster())
                                                    : find_cluster(options.kubeconfig, options.context);
  if (!cluster) return fail(cluster.error());
  transport_ = options.transport != nullptr
                   ? options.transport
                   : std::shared_ptr<http::Transport>(http::make_network_transport(runtime, {}));
  client_ = std::make_unique<Client>(client_options(transport_, *cluster));
  if (options.leader_election) join_election(*cluster);
  events_ = std::make_unique<EventRecorder>(*client_, log_, metrics, options.name);
  dispatcher_ = std::make_unique<Dispatcher>(runtime);
  return {};
}

LeaderElectionOptions Manager::State::election() const {
  LeaderElectionOptions made = *options.leader_election;
  if (made.name.empty()) made.name = options.name;
  return made;
}

// Warnings about the cluster are the first client's to tell.
void Manager::State::join_election(const Cluster& found) {
  Cluster cluster = found;
  cluster.warnings.clear();
  LeaderElectionOptions made = election();
  if (made.namespace_.empty()) made.namespace_ = cluster.namespace_;
  if (made.identity.empty()) made.identity = make_identity(runtime);
  fence_.emplace(runtime, made.namespace_ + "/" + made.name);
  elector_ = std::make_unique<Elector>(
      std::make_unique<Client>(client_options(transport_, cluster)), std::move(made), *fence_, log_, metrics,
      Leadership{.begin = [this] { start_controllers(); }, .lost = [this](const Error& why) { lease_lost(why); }});
  leader_client_ =
      std::make_unique<Client>(client_options(std::make_shared<FencedTransport>(transport_, *fence_), cluster));
}

Result<void> Manager::State::serve_health() {
  if (options.listen.empty()) return {};
  debug_ = std::make_unique<DebugPages>(options, log_, [this] { return inspected(); });
  health_ = std::make_unique<Health>(
      metrics, HealthChecks{.is_ready = [this] { return is_ready(); },
                            .check_alive = [this] { return elector_ ? elector_->check_health() : Result<void>(); },
                            .before_metrics = [this] { measure(); },
                            .debug = options.debug ? debug_.get() : nullptr});
  server_ =
      std::make_unique<http::Server>(runtime, *health_, http::ServerOptions{.listen = options.listen, .log = log_});
  if (auto listening = server_->start(); !listening) {
    // Another --listen mends it, so it counts as usage.
    Error error = std::move(listening.error()).during("serve health and metrics");
    error.code = ErrorCode::invalid;
    return fail(std::move(error));
  }
  const std::string url = server_->url();
  listen_address = url.substr(url.find("//") + 2);
  log_.info("serving health and metrics", {{"url", url}});
  return {};
}

// The controllers, while they are all there: the server ends before they do.
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
  return {.ready = is_ready(), .leading = is_leading(), .controllers = controllers_now()};
}

void Manager::State::measure() const {
  for (const ControllerRunner* controller : controllers_now()) controller->measure();
}

Result<void> Manager::State::install_definitions() {
  CrdInstaller installer(*client_, log_, options.name, options.version, options.crds, options.sync_timeout);
  for (const ControllerSpec& spec : specs) {
    if (!spec.crd) continue;
    auto ensured = installer.ensure(*spec.crd, spec.kind, stop_.get_token());
    if (!ensured) return std::move(ensured).during("install the definition of " + spec.kind.to_string());
  }
  return {};
}

Result<void> Manager::State::make_controllers() {
  for (ControllerSpec spec : specs) {
    if (fence_) {
      spec.reconcile = under_lease(*fence_, std::move(spec.reconcile));
      if (spec.finalize) spec.finalize = under_lease(*fence_, std::move(spec.finalize));
    }
    auto runner =
        std::make_unique<ControllerRunner>(std::move(spec), client_of_passes(), *events_, log_, metrics, options.name);
    const auto source = [this](InformerScope scope) { return informer(std::move(scope)); };
    if (auto connected = runner->connect(source, options.namespace_); !connected) return connected;
    controllers_.push_back(std::move(runner));
  }
  return {};
}

Result<Informer*> Manager::State::informer(InformerScope scope) {
  const InformerId id{scope.kind, scope.namespace_, scope.label_selector, scope.field_selector};
  if (const auto known = informers_.find(id); known != informers_.end()) return known->second.get();
  auto resource = client_->resource(scope.kind, stop_.get_token());
  if (!resource) return fail(std::move(resource.error()));
  if (!resource->namespaced) scope.namespace_.clear();
  // The client of the passes, since it shows what that one writes.
  auto made = std::make_unique<Informer>(client_of_passes(), *dispatcher_, log_,
                                         InformerOptions{.resource = std::move(*resource),
                                                         .namespace_ = std::move(scope.namespace_),
                                                         .label_selector = std::move(scope.label_selector),
                                                         .field_selector = std::move(scope.field_selector),
                                                         .metrics = &metrics,
                                                         .name = options.name});
  return informers_.emplace(id, std::move(made)).first->second.get();
}

// Every handler is in place before the first informer starts; workers start after the last handler has been told (trap
// 30).
Result<void> Manager::State::fill_caches() {
  const Instant deadline = after(runtime.now(), options.sync_timeout);
  for (const auto& [id, informer] : informers_) informer->start();
  for (const auto& [id, informer] : informers_) {
    if (auto synced = informer->wait_for_sync(deadline, stop_.get_token()); !synced) return synced;
  }
  return {};
}

Result<void> Manager::State::wait() {
  const StopCallback wake(runtime, stop_.get_token(), [this] {
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
  const Instant deadline = after(runtime.now(), grace);
  if (elector_ != nullptr) elector_->withdraw();
  request_passes_to_stop();
  if (auto ignored = await_passes(deadline)) {
    if (on_ignored) on_ignored(*ignored);
    failed(std::move(*ignored));
  }
  take_down();
  enter(Phase::ended);
}

// Trap 63: at once, and only this; whoever waits for the manager takes the rest down.
void Manager::State::lease_lost(const Error& why) {
  request_passes_to_stop();
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

void Manager::State::request_passes_to_stop() {
  for (const auto& controller : controllers_) controller->request_stop();
}

// Answers which passes still run as their time is over: at the deadline, or with the lease under which they run. That
// moves on while it is renewed.
std::optional<Error> Manager::State::await_passes(Instant deadline) {
  const auto limit = [&] { return elector_ != nullptr ? std::min(deadline, elector_->ends()) : deadline; };
  std::string running;
  for (const auto& controller : controllers_) {
    bool ended = controller->wait_until(limit());
    while (!ended && runtime.now() < limit()) ended = controller->wait_until(limit());
    if (ended) continue;
    for (const ObjectKey& key : controller->busy()) {
      log_.error("a pass still runs although its time is over",
                 {{"controller", controller->spec().name}, {"key", key.to_string()}});
      running += (running.empty() ? "" : ", ") + controller->spec().name + " of " + key.to_string();
    }
  }
  if (running.empty()) return std::nullopt;
  return make_error(ErrorCode::timeout, "these passes still run although their time is over: " + running);
}

void Manager::State::take_down() {
  for (const auto& controller : controllers_) controller->wait_until(Instant::max());
  // Trap 59: the work has ended.
  if (elector_ != nullptr) elector_->resign();
  for (const auto& [id, informer] : informers_) informer->stop();
  if (dispatcher_ != nullptr) dispatcher_->stop();
  if (server_ != nullptr) server_->stop();  // it shows the controllers
  controllers_.clear();
  if (events_ != nullptr) events_->stop(std::min<Duration>(options.stop_grace, std::chrono::seconds(2)));
  events_.reset();
  // Ours ends here, and with it whatever the informers still had in flight; one that was given belongs to its giver.
  if (transport_ != nullptr && options.transport == nullptr) transport_->shutdown();
  informers_.clear();
  dispatcher_.reset();
  elector_.reset();
  leader_client_.reset();
  client_.reset();
  transport_.reset();
}

bool Manager::State::is_ready() const {
  const MutexLock lock(mutex_);
  return phase_ == Phase::running && !error_ && !stop_.stop_requested();
}

bool Manager::State::is_leading() const {
  const MutexLock lock(mutex_);
  return working_;
}

bool Manager::State::has_lost_lease() const {
  const MutexLock lock(mutex_);
  return lost_lease_;
}

bool Manager::State::is_quiet() const {
  const auto busy = [](const auto& controller) { return !controller->is_quiet(); };
  return is_ready() && dispatcher_->is_quiet() && std::none_of(controllers_.begin(), controllers_.end(), busy);
}

std::string Manager::State::print_crds() const {
  std::string text;
  for (const ControllerSpec& spec : specs) {
    if (spec.crd) text += "---\n" + json::print_yaml(*spec.crd);
  }
  return text;
}

Manager::Manager(ManagerOptions options) : state_(std::make_unique<State>(std::move(options))) {}
Manager::~Manager() { stop(); }

void Manager::add(ControllerSpec controller) {
  if (controller.name.empty()) controller.name = lower(controller.kind.kind);
  state_->specs.push_back(std::move(controller));
}

Result<void> Manager::start() { return state_->start(); }
void Manager::request_stop() noexcept { state_->request_stop(); }
Result<void> Manager::wait() { return state_->wait(); }
void Manager::stop() { stop(state_->options.stop_grace); }
void Manager::stop(Duration grace) { state_->stop(grace); }
bool Manager::is_ready() const { return state_->is_ready(); }
bool Manager::is_leading() const { return state_->is_leading(); }
bool Manager::is_quiet() const { return state_->is_quiet(); }
MetricsRegistry& Manager::metrics() noexcept { return state_->metrics; }
const ManagerOptions& Manager::options() const noexcept { return state_->options; }
Runtime& Manager::runtime() noexcept { return state_->runtime; }
std::string Manager::listen_address() const { return state_->listen_address; }
std::string Manager::print_crds() const { return state_->print_crds(); }

}  // namespace pintle
