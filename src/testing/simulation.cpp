// SPDX-License-Identifier: Apache-2.0
#include <pintle/testing/simulation.hpp>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <pintle/manager/manager_host.hpp>

#include "simulated_roles.hpp"

namespace pintle::testkit {
namespace {

constexpr std::size_t max_deferred = 16;      // a webhook may send requests while others wait for it
constexpr std::uint64_t outside_process = 0;  // of the servers and the user

// While it exists, this thread belongs to a process.
class InProcess {
 public:
  InProcess(SimulatedExecutor& executor, std::uint64_t process)
      : executor_(executor), before_(executor.enter_process(process)) {}
  ~InProcess() { executor_.enter_process(before_); }
  InProcess(const InProcess&) = delete;
  InProcess& operator=(const InProcess&) = delete;

 private:
  SimulatedExecutor& executor_;
  const std::uint64_t before_;
};

// The webhooks of an instance. The network in front of them goes on while the instance is frozen, so that the timeouts
// of callers apply.
class WebhookFront final : public http::Handler {
 public:
  WebhookFront(SimulatedExecutor& executor, std::uint64_t process, http::Handler& webhooks)
      : executor_(executor), process_(process), webhooks_(webhooks) {}

  http::Response handle(const http::Request& request) override {
    const Instant now = executor_.now();
    if (const Instant until = executor_.frozen_until(process_); until > now) {
      return {.delayed = {.delay = until - now, .make_response = [this, request] { return handle(request); }}};
    }
    const std::uint64_t before = executor_.start_threads_in(process_);
    http::Response response = webhooks_.handle(request);
    executor_.start_threads_in(before);
    return response;
  }

 private:
  SimulatedExecutor& executor_;
  const std::uint64_t process_;
  http::Handler& webhooks_;
};

std::unique_ptr<Client> make_user(const std::shared_ptr<http::InProcessTransport>& transport, Cluster cluster) {
  return std::make_unique<Client>(ClientOptions{
      .transport = transport, .cluster = std::move(cluster), .field_manager = "user", .user_agent = "user"});
}

const std::string home_host = "localhost";

Cluster reached_as(const std::string& host) {
  return {.endpoint = std::make_shared<http::Endpoint>(http::Endpoint{.host = host}), .origin = "simulation"};
}

bool evaluates_roles(const ApiServerOptions& options) { return options.authorization == ApiServerAuthorization::rbac; }

// Returns nothing if the options contain no valid cluster; Manager::start() returns that error.
std::optional<std::string> host_of(const NamedCluster& named) {
  const auto cluster =
      named.address ? Result<Cluster>(*named.address) : load_kubeconfig(named.kubeconfig, named.context);
  return cluster ? std::optional(cluster->endpoint->host) : std::nullopt;
}

}  // namespace

SimulatedCluster::SimulatedCluster(SimulatedExecutor& executor, ApiServerOptions options, const std::string& name)
    : server_(executor, options),
      entrance_(server_, evaluates_roles(options)),
      address_(reached_as(name)),
      transport_(std::make_shared<http::InProcessTransport>(executor, entrance_, http::FaultPlan(), max_deferred)),
      user_(make_user(transport_, address_)) {}

SimulatedCluster::~SimulatedCluster() {
  user_.reset();
  transport_->stop();
  server_.stop();
}

std::string SimulatedCluster::kubeconfig() const {
  const std::string& host = address_.endpoint->host;
  return json::print(
      json::Value{{"current-context", host},
                  {"contexts", json::array{{{"name", host}, {"context", {{"cluster", host}, {"user", host}}}}}},
                  {"clusters", json::array{{{"name", host}, {"cluster", {{"server", "http://" + host}}}}}},
                  {"users", json::array{{{"name", host}, {"user", json::object{}}}}}});
}

http::Response Simulation::ClusterRouter::handle(const http::Request& request) {
  const auto other = request.endpoint == nullptr ? others_.end() : others_.find(request.endpoint->host);
  ApiServer& server = other == others_.end() ? *first_ : other->second->server();
  return server.handle(evaluates_roles_ ? as_administrator(request) : request);
}

http::Response SimulatedCluster::Entrance::handle(const http::Request& request) {
  return server_.handle(evaluates_roles_ ? as_administrator(request) : request);
}

Simulation::Simulation(SimulationOptions setup)
    : on_missing_permission_(std::move(setup.on_missing_permission)),
      on_request_(std::move(setup.on_request)),
      on_send_(std::move(setup.on_send)),
      on_reconcile_(std::move(setup.on_reconcile)),
      enforce_roles_(setup.enforce_roles),
      executor_({.seed = setup.seed,
                 .scheduling = std::move(setup.scheduling),
                 .replay = std::move(setup.replay),
                 .stacks = std::move(setup.stacks)}),
      network_(executor_),
      server_options_(with_network(std::move(setup.server))),
      server_(std::make_unique<ApiServer>(executor_, server_options_)),
      switchboard_(server_, others_, evaluates_roles(server_options_)),
      random_(setup.seed * 2 + 1),
      transport_(std::make_shared<http::InProcessTransport>(executor_, switchboard_, http::FaultPlan(), max_deferred)),
      user_(make_user(transport_, reached_as(home_host))) {}

Simulation::~Simulation() {
  user_.reset();
  transport_->stop();
  server_->stop();
}

ApiServerOptions Simulation::with_network(ApiServerOptions options) {
  if (options.webhooks.transport != nullptr) return options;
  options.webhooks.transport = network_.transport();
  options.webhooks.find_service = [this](std::string_view service) { return network_.find_service(service); };
  return options;
}

void Simulation::restart_server(std::uint64_t first_version) {
  ApiServerOptions options = server_options_;
  options.first_version = first_version;
  auto made = std::make_unique<ApiServer>(executor_, options);
  if (first_version == 0 && made->resource_version() <= server_->resource_version()) {
    // The wall clock, from which the first version derives, is not beyond the version of the previous server.
    options.first_version = server_->resource_version() + 1;
    made = std::make_unique<ApiServer>(executor_, std::move(options));
  }
  ended_.push_back(std::exchange(server_, std::move(made)));
  ended_.back()->stop();
}

SimulatedCluster& Simulation::add_cluster(const std::string& name) {
  return *others_.emplace(name, std::make_unique<SimulatedCluster>(executor_, server_options_, name)).first->second;
}

std::shared_ptr<http::InProcessTransport> Simulation::connect(http::FaultPlan faults) {
  return std::make_shared<http::InProcessTransport>(executor_, switchboard_, std::move(faults), max_deferred);
}

Result<void> Simulation::install(const json::Value& crd) {
  const Object wanted{json::Value(crd)};
  const json::View names = wanted["/spec/names"];
  const GroupVersionKind kind(
      std::string(wanted["/spec/group"].text()) + "/" + std::string(wanted["/spec/versions/0/name"].text()),
      std::string(names.member("kind").text()));
  const auto created = user_->create(crd);
  if (!created && created.error().code != ErrorCode::already_exists) return fail(created.error());
  const bool is_served = wait_until([&] {
    user_->invalidate_discovery(kind);
    return user_->resource(kind).has_value();
  });
  if (is_served) return {};
  return fail(ErrorCode::timeout, "the simulated server does not serve " + kind.to_string() +
                                      " after 10 minutes; check the conditions of the CustomResourceDefinition");
}

bool Simulation::wait_until(const std::function<bool()>& condition, Duration limit) {
  constexpr Duration step = std::chrono::milliseconds(20);
  const Instant deadline = after(executor_.now(), limit);
  while (!condition()) {
    if (executor_.now() >= deadline) return false;
    executor_.sleep_for(step);
  }
  return true;
}

bool Simulation::run_until_idle(Duration quiet, Duration limit) {
  const Instant deadline = after(executor_.now(), limit);
  while (executor_.now() < deadline) {
    const std::uint64_t before = writes();
    executor_.sleep_for(quiet);
    if (writes() == before && is_idle()) return true;
  }
  return false;
}

std::uint64_t Simulation::writes() const {
  std::uint64_t sum = server_->writes();
  for (const auto& [name, other] : others_) sum += other->server().writes();
  return sum;
}

bool Simulation::is_idle() const {
  return server_->is_idle() && std::all_of(others_.begin(), others_.end(),
                                           [](const auto& other) { return other.second->server().is_idle(); });
}

namespace {

// Only records the options of a manager: those of main(), and then, if the program reaches that, those that its flags
// have set.
class OptionsRecorder final : public ManagerHost {
 public:
  void prepare(ManagerOptions& options) override { recorded = options; }
  int run(Manager& manager) override {
    recorded = manager.options();
    return 0;
  }

  std::optional<ManagerOptions> recorded{};
};

}  // namespace

Result<ManagerOptions> options_of_program(const std::function<int()>& program) {
  OptionsRecorder recorder;
  const HostedThread hosted(recorder);
  const int code = program();
  if (recorder.recorded) return std::move(*recorder.recorded);
  return fail(ErrorCode::invalid, "the program ended with the code " + std::to_string(code) +
                                      " and has constructed no manager on the thread of main()");
}

// The managers of a program belong to the instance.
class Instance::Host final : public ManagerHost {
 public:
  explicit Host(Instance& instance) : instance_(instance) {}
  void prepare(ManagerOptions& options) override {
    if (instance_.adjust_) instance_.adjust_(options);
    options = instance_.simulated(std::move(options));
  }
  int run(Manager& manager) override {
    instance_.use(manager);
    instance_.run_manager();
    instance_.wait_for_stop();
    manager.stop();
    instance_.manager_ = nullptr;
    return instance_.started_ ? 0 : 1;
  }

 private:
  Instance& instance_;
};

Instance::Instance(Simulation& simulation, ManagerOptions options, const std::function<void(Manager&)>& add_controllers,
                   http::FaultPlan faults)
    : simulation_(simulation),
      number_(++simulation.instances_),
      host_("10.0.0." + std::to_string(number_)),
      options_(std::move(options)),
      add_controllers_(add_controllers),
      recorders_(simulation, number_),
      mutex_(simulation.executor()),
      changed_(simulation.executor()) {
  connect(std::move(faults));
  make_manager();
}

Instance::Instance(Simulation& simulation, std::function<int()> program, std::function<void(ManagerOptions&)> adjust,
                   http::FaultPlan faults)
    : simulation_(simulation),
      number_(++simulation.instances_),
      host_("10.0.0." + std::to_string(number_)),
      program_(std::move(program)),
      adjust_(std::move(adjust)),
      recorders_(simulation, number_),
      mutex_(simulation.executor()),
      changed_(simulation.executor()) {
  connect(std::move(faults));
}

void Instance::connect(http::FaultPlan faults) {
  const InProcess inside(simulation_.executor(), process_number());
  transport_ =
      std::make_shared<http::InProcessTransport>(simulation_.executor(), recorders_, std::move(faults), max_deferred);
  is_connected_ = true;
}

ManagerOptions Instance::simulated(ManagerOptions options) {
  options.executor = &simulation_.executor();
  options.transport = transport_;
  if (simulation_.on_reconcile_) {
    options.on_reconcile = [&simulation = simulation_, number = number_,
                            own = std::move(options.on_reconcile)](const ReconcileReport& report) {
      simulation.on_reconcile_(number, report);
      if (own) own(report);
    };
  }
  if (!options.webhooks.serve) {
    options.webhooks.serve = [this](Executor& executor, http::Handler& handler, const http::ServerOptions& server) {
      webhook_fronts_.push_back(std::make_unique<WebhookFront>(simulation_.executor(), process_number(), handler));
      const InProcess outside(simulation_.executor(), outside_process);
      const auto start = simulation_.network().server_factory({.host = host_, .service = webhook_service()});
      return start(executor, *webhook_fronts_.back(), server);
    };
  }
  return options;
}

// As the flags of the manager have set it.
std::string Instance::webhook_service() {
  const ManagerOptions& options = manager().options();
  const WebhookOptions& webhooks = options.webhooks;
  return (webhooks.service.empty() ? options.name : webhooks.service) + "." +
         (webhooks.service_namespace.empty() ? "default" : webhooks.service_namespace);
}

void Instance::make_manager() {
  const InProcess inside(simulation_.executor(), process_number());
  own_manager_ = std::make_unique<Manager>(simulated(options_));
  add_controllers_(*own_manager_);
  use(*own_manager_);
}

void Instance::use(Manager& manager) {
  recorders_.by_host.clear();
  if (simulation_.on_missing_permission_ || simulation_.enforce_roles_) hold_to_roles(manager);
  if (evaluates_roles(simulation_.server_options_)) grant_roles(manager);
  {
    const MutexLock lock(mutex_);
    manager_ = &manager;
  }
  changed_.notify_all();
}

http::Response Instance::Recorders::pass_on(const http::Request& request) {
  const auto recorder = by_host.find(request.endpoint == nullptr ? home_host : request.endpoint->host);
  return recorder == by_host.end() ? simulation_.switchboard_.handle(request) : recorder->second.handle(request);
}

http::Response Instance::Recorders::served(const http::Request& request) {
  if (account == nullptr || request.headers.get("Authorization")) return pass_on(request);
  http::Request sent = request;
  sent.peer = account;
  return pass_on(sent);
}

http::Response Instance::Recorders::handle(const http::Request& request) {
  if (simulation_.on_send_) simulation_.on_send_(instance_, request);
  // The threads of the instance run the code of the server, which goes on while the instance is frozen.
  const InProcess serving(simulation_.executor(), outside_process);
  http::Response response = served(request);
  if (response.deferred) {
    response.deferred = [this, request, wait = std::move(response.deferred)] {
      const InProcess waiting(simulation_.executor(), outside_process);
      http::Response late = wait();
      if (simulation_.on_request_) simulation_.on_request_(instance_, request, late);
      return late;
    };
  } else if (simulation_.on_request_) {
    simulation_.on_request_(instance_, request, response);
  }
  return response;
}

std::map<std::string, std::vector<RbacRole>> Instance::roles_by_host(const Manager& manager) {
  hosts_.emplace(home_cluster, home_host);
  for (const NamedCluster& named : manager.options().clusters) {
    if (auto host = host_of(named)) hosts_.emplace(named.name.value(), std::move(*host));
  }
  std::map<std::string, std::vector<RbacRole>> roles;
  for (RbacRole& role : manager.roles()) {
    if (const auto host = hosts_.find(role.cluster); host != hosts_.end())
      roles[host->second].push_back(std::move(role));
  }
  return roles;
}

void Instance::grant_roles(const Manager& manager) {
  const std::string& name = manager.options().name;
  recorders_.account = account_of(name);
  for (const auto& [host, roles] : roles_by_host(manager)) {
    for (const std::string& error : grant_printed_roles(simulation_.switchboard_, host, name, roles)) {
      if (simulation_.on_missing_permission_) {
        simulation_.on_missing_permission_("the roles of manager " + name + " cannot be stored: " + error);
      }
    }
  }
}

void Instance::hold_to_roles(const Manager& manager) {
  const RbacMode mode = simulation_.enforce_roles_ ? RbacMode::enforce : RbacMode::record;
  auto roles = roles_by_host(manager);
  for (const auto& [cluster, host] : hosts_) {
    const auto [recorder, is_new] =
        recorders_.by_host.try_emplace(host, simulation_.executor(), simulation_.switchboard_, mode);
    if (is_new) recorder->second.set_roles(manager.options().name, std::move(roles[host]), cluster);
  }
}

const RbacRecorder* Instance::rbac(std::string_view cluster) const noexcept {
  const auto host = hosts_.find(cluster);
  return host == hosts_.end() ? nullptr : &recorders_.by_host.find(host->second)->second;
}

Instance::~Instance() { stop(); }

void Instance::start() {
  if (!is_connected_) connect({});
  if (!program_ && manager_ == nullptr) make_manager();
  has_ended_ = false;
  const InProcess inside(simulation_.executor(), process_number());
  process_ = simulation_.executor().spawn({.name = "process"}, [this] { program_ ? run_program() : run_manager(); });
  if (!program_) return;
  const MutexLock lock(mutex_);
  while (manager_ == nullptr && !has_ended_) changed_.wait(mutex_);
}

void Instance::run_program() {
  Host host(*this);
  {
    const HostedThread hosted(host);
    const int code = program_();
    if (!has_ended_) {
      started_ = fail(ErrorCode::invalid, "the program ended with the code " + std::to_string(code) +
                                              " before run_until_signal(); it must call it with its manager");
    }
  }
  {
    const MutexLock lock(mutex_);
    has_ended_ = true;
  }
  changed_.notify_all();
}

void Instance::run_manager() {
  started_ = manager().start();
  {
    const MutexLock lock(mutex_);
    has_started_ = true;
  }
  changed_.notify_all();
  if (started_) (void)manager().wait();
  has_ended_ = true;
}

void Instance::wait_for_stop() {
  const MutexLock lock(mutex_);
  while (!must_stop_) changed_.wait(mutex_);
}

void Instance::join() {
  const MutexLock lock(mutex_);
  while (!has_started_ && process_.joinable() && has_manager()) changed_.wait(mutex_);
}

void Instance::stop() {
  if (!has_manager() && !process_.joinable()) return;
  if (has_manager()) manager().request_stop();
  {
    const MutexLock lock(mutex_);
    must_stop_ = true;
  }
  changed_.notify_all();
  process_.join();
  {
    const MutexLock lock(mutex_);
    has_started_ = false;
    must_stop_ = false;
  }
  if (own_manager_ != nullptr) {
    own_manager_->stop();
    manager_ = nullptr;
    own_manager_.reset();
  }
  transport_->stop();
  is_connected_ = false;
  if (!simulation_.on_missing_permission_) return;
  for (const auto& [host, recorder] : recorders_.by_host) {
    for (const std::string& what : recorder.missing()) simulation_.on_missing_permission_(what);
  }
}

void Instance::crash() {
  transport_->crash();
  simulation_.network().crash(host_);
  thaw();
  stop();
}

void Instance::freeze(Duration time) {
  simulation_.executor().freeze(process_number(), after(simulation_.executor().now(), time));
}

void Instance::thaw() { simulation_.executor().thaw(process_number()); }

}  // namespace pintle::testkit
