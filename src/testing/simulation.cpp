#include <pintle/testing/simulation.hpp>

#include <utility>

namespace pintle::testing {

Simulation::Simulation(SimulationSetup setup)
    : on_lacking_(std::move(setup.on_lacking)),
      enforce_roles_(setup.enforce_roles),
      runtime_({.seed = setup.seed, .replay = std::move(setup.replay)}),
      server_(runtime_, std::move(setup.server)),
      random_(setup.seed * 2 + 1),
      transport_(std::make_shared<http::MemoryTransport>(runtime_, server_)),
      user_(std::make_unique<Client>(ClientOptions{.transport = transport_,
                                                   .cluster = {.endpoint = std::make_shared<http::Endpoint>()},
                                                   .field_manager = "user",
                                                   .user_agent = "user"})) {}

Simulation::~Simulation() {
  user_.reset();
  transport_->shutdown();
  server_.stop();
}

std::shared_ptr<http::MemoryTransport> Simulation::connect(http::FaultPlan faults) {
  return std::make_shared<http::MemoryTransport>(runtime_, server_, std::move(faults));
}

bool Simulation::wait_until(const std::function<bool()>& condition, Duration limit) {
  constexpr Duration step = std::chrono::milliseconds(20);
  const Instant deadline = after(runtime_.now(), limit);
  while (!condition()) {
    if (runtime_.now() >= deadline) return false;
    runtime_.sleep_for(step);
  }
  return true;
}

bool Simulation::settle(Duration quiet, Duration limit) {
  const Instant deadline = after(runtime_.now(), limit);
  while (runtime_.now() < deadline) {
    const std::uint64_t writes = server_.writes();
    runtime_.sleep_for(quiet);
    if (server_.writes() == writes && server_.idle()) return true;
  }
  return false;
}

Instance::Instance(Simulation& simulation, ManagerOptions options, const std::function<void(Manager&)>& add_controllers,
                   http::FaultPlan faults)
    : simulation_(simulation),
      recorder_(make_recorder()),
      transport_(recorder_ == nullptr
                     ? simulation.connect(std::move(faults))
                     : std::make_shared<http::MemoryTransport>(simulation.runtime(), *recorder_, std::move(faults))) {
  options.runtime = &simulation.runtime();
  options.transport = transport_;
  manager_ = std::make_unique<Manager>(std::move(options));
  add_controllers(*manager_);
  if (recorder_ != nullptr) recorder_->hold_to(manager_->options().name, manager_->roles());
}

std::unique_ptr<RbacRecorder> Instance::make_recorder() const {
  if (!simulation_.on_lacking_ && !simulation_.enforce_roles_) return nullptr;
  return std::make_unique<RbacRecorder>(simulation_.runtime(), simulation_.server(),
                                        simulation_.enforce_roles_ ? RbacMode::enforce : RbacMode::record);
}

Instance::~Instance() { stop(); }

void Instance::start() {
  process_ = simulation_.runtime().spawn({.name = "process"}, [this] { started_ = manager_->start(); });
}

void Instance::join() { process_.join(); }

void Instance::stop() {
  if (manager_ == nullptr) return;
  manager_->request_stop();
  process_.join();
  manager_->stop();
  manager_.reset();
  transport_->shutdown();
  if (!simulation_.on_lacking_) return;
  for (const std::string& what : recorder_->lacking()) simulation_.on_lacking_(what);
}

void Instance::crash() {
  transport_->crash();
  stop();
}

}  // namespace pintle::testing
