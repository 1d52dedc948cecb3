// SPDX-License-Identifier: Apache-2.0
// EnvironmentHost: the cluster and the process of an operator in a TestEnvironment, one implementation for each mode.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <pintle/testing/test_environment.hpp>

namespace pintle::testkit {

class EnvironmentHost {
 public:
  virtual ~EnvironmentHost() = default;

  [[nodiscard]] virtual EnvironmentMode mode() const noexcept = 0;
  [[nodiscard]] virtual Executor& executor() noexcept = 0;
  [[nodiscard]] virtual Client& user() noexcept = 0;
  [[nodiscard]] virtual Simulation* simulation() noexcept { return nullptr; }
  // A number that changes with each write, if the server is in this process.
  [[nodiscard]] virtual std::optional<std::uint64_t> writes() const { return std::nullopt; }
  // Starts a process of the operator and returns immediately. `adjust` is called for its options.
  virtual void start(std::function<int()> program, std::function<void(ManagerOptions&)> adjust) = 0;
  virtual void stop() = 0;
  [[nodiscard]] virtual bool is_ready() = 0;
  // Why the operator has ended by itself.
  [[nodiscard]] virtual std::optional<std::string> end() = 0;
};

[[nodiscard]] std::unique_ptr<EnvironmentHost> make_simulated_host(SimulationOptions options);
[[nodiscard]] std::unique_ptr<EnvironmentHost> make_real_time_host(ApiServerOptions options);
// Error: that of load_kubeconfig().
[[nodiscard]] Result<std::unique_ptr<EnvironmentHost>> make_cluster_host(const std::string& kubeconfig,
                                                                         const std::string& context);

}  // namespace pintle::testkit
