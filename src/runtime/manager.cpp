#include "manager_state.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <pintle/http/net_transport.hpp>

#include "crd_installer.hpp"

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

}  // namespace

Manager::State::State(ManagerOptions given)
    : options(std::move(given)),
      own_runtime(options.runtime == nullptr ? make_real_runtime() : nullptr),
      runtime(options.runtime == nullptr ? *own_runtime : *options.runtime),
      mutex_(runtime) {}

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
  return errors;
}

Result<void> Manager::State::start() {
  if (auto flags = read_arguments(); !flags) return fail(std::move(flags.error()));
  if (auto errors = declaration_errors(); !errors.empty()) return fail(std::move(errors.front()));
  log_ = Log(options.log_sink != nullptr ? options.log_sink : make_stderr_sink(options.log_format), runtime,
             options.log_level);
  for (const auto step : {&State::connect, &State::serve_health, &State::install_definitions, &State::make_controllers,
                          &State::fill_caches}) {
    if (auto done = (this->*step)(); !done) {
      stop();
      return done;
    }
  }
  for (const auto& controller : controllers_) controller->start();
  {
    const MutexLock lock(mutex_);
    ready_ = true;
  }
  log_.info("started",
            {{"manager", options.name}, {"cluster", client_->cluster().origin}, {"controllers", controllers_.size()}});
  return {};
}

Result<void> Manager::State::connect() {
  auto cluster = options.transport != nullptr ? Result<Cluster>(given_cluster())
                                              : find_cluster(options.kubeconfig, options.context);
  if (!cluster) return fail(std::move(cluster.error()));
  transport_ = options.transport != nullptr
                   ? options.transport
                   : std::shared_ptr<http::Transport>(http::make_network_transport(runtime, {}));
  client_ = std::make_unique<Client>(ClientOptions{.transport = transport_,
                                                   .cluster = std::move(*cluster),
                                                   .field_manager = options.name,
                                                   .user_agent = options.name + "/" + options.version,
                                                   .log = log_,
                                                   .metrics = &metrics});
  events_ = std::make_unique<EventRecorder>(*client_, log_, metrics, options.name);
  dispatcher_ = std::make_unique<Dispatcher>(runtime);
  return {};
}

Result<void> Manager::State::serve_health() {
  if (options.listen.empty()) return {};
  health_ = std::make_unique<Health>(metrics, [this] { return is_ready(); });
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
  for (const ControllerSpec& spec : specs) {
    auto runner = std::make_unique<ControllerRunner>(spec, *client_, *events_, log_, metrics, options.name);
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
  auto made = std::make_unique<Informer>(*client_, *dispatcher_, log_,
                                         InformerOptions{.resource = std::move(*resource),
                                                         .namespace_ = std::move(scope.namespace_),
                                                         .label_selector = std::move(scope.label_selector),
                                                         .field_selector = std::move(scope.field_selector)});
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

void Manager::State::stop() {
  request_stop();
  {
    const MutexLock lock(mutex_);
    ready_ = false;
  }
  stop_controllers();
  for (const auto& [id, informer] : informers_) informer->stop();
  if (dispatcher_ != nullptr) dispatcher_->stop();
  controllers_.clear();
  if (events_ != nullptr) events_->stop(std::min<Duration>(options.stop_grace, std::chrono::seconds(2)));
  events_.reset();
  if (server_ != nullptr) server_->stop();
  // Ours ends here, and with it whatever the informers still had in flight; one that was given belongs to its giver.
  if (transport_ != nullptr && options.transport == nullptr) transport_->shutdown();
  informers_.clear();
  dispatcher_.reset();
  client_.reset();
  transport_.reset();
}

void Manager::State::stop_controllers() {
  for (const auto& controller : controllers_) controller->request_stop();
  const Instant deadline = after(runtime.now(), options.stop_grace);
  for (const auto& controller : controllers_) {
    if (controller->wait_until(deadline)) continue;
    for (const ObjectKey& key : controller->busy()) {
      log_.error("a pass ignores its stop token beyond the grace time; waiting for it",
                 {{"controller", controller->spec().name}, {"key", key.to_string()}});
    }
  }
}

bool Manager::State::is_ready() const {
  const MutexLock lock(mutex_);
  return ready_;
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
void Manager::stop() { state_->stop(); }
bool Manager::is_ready() const { return state_->is_ready(); }
bool Manager::is_quiet() const { return state_->is_quiet(); }
MetricsRegistry& Manager::metrics() noexcept { return state_->metrics; }
const ManagerOptions& Manager::options() const noexcept { return state_->options; }
Runtime& Manager::runtime() noexcept { return state_->runtime; }
std::string Manager::listen_address() const { return state_->listen_address; }
std::string Manager::print_crds() const { return state_->print_crds(); }

}  // namespace pintle
