// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "environment_host.hpp"

namespace pintle::testkit {
namespace {

class SimulatedHost final : public EnvironmentHost {
 public:
  explicit SimulatedHost(SimulationOptions options) : simulation_(std::move(options)) {}

  [[nodiscard]] EnvironmentMode mode() const noexcept override { return EnvironmentMode::simulated; }
  [[nodiscard]] Executor& executor() noexcept override { return simulation_.executor(); }
  [[nodiscard]] Client& user() noexcept override { return simulation_.user(); }
  [[nodiscard]] Simulation* simulation() noexcept override { return &simulation_; }
  // A server that has replaced another one has other versions, too.
  [[nodiscard]] std::optional<std::uint64_t> writes() const override {
    return simulation_.server().writes() + simulation_.server().resource_version();
  }
  void start(std::function<int()> program, std::function<void(ManagerOptions&)> adjust) override {
    instance_.emplace(simulation_, std::move(program), std::move(adjust));
    instance_->start();
  }
  void stop() override { instance_.reset(); }
  [[nodiscard]] bool is_ready() override {
    return instance_ && !instance_->has_ended() && instance_->has_manager() && instance_->manager().is_ready();
  }
  [[nodiscard]] std::optional<std::string> end() override {
    if (!instance_ || !instance_->has_ended()) return std::nullopt;
    return instance_->started() ? "the manager has failed" : instance_->started().error().to_string();
  }

 private:
  mutable Simulation simulation_;
  std::optional<Instance> instance_;
};

}  // namespace

std::unique_ptr<EnvironmentHost> make_simulated_host(SimulationOptions options) {
  return std::make_unique<SimulatedHost>(std::move(options));
}

}  // namespace pintle::testkit
