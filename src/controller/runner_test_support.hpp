// SPDX-License-Identifier: Apache-2.0
// The surroundings of a ControllerRunner without a manager.
#pragma once

#include <memory>
#include <string>

#include "controller/runner/controller_runner.hpp"
#include "test_support.hpp"

namespace pintle {

// The home cluster, accessed with the client of the simulated user.
class RunnerSurroundings {
 public:
  RunnerSurroundings(testkit::Simulation& simulation, const Log& log)
      : pool_(simulation.executor()),
        dispatcher_(simulation.executor()),
        secret_clusters_(simulation.executor(), 1, [](const Cluster&) { return nullptr; }) {
    const std::shared_ptr<Client> user(std::shared_ptr<Client>(), &simulation.user());  // not owned
    const std::string home(home_cluster);
    clusters_.emplace(home, std::make_unique<ManagedCluster>(
                                home, WatchedNamespaces{}, user, user,
                                ManagedCluster::Shared{manager_, dispatcher_, metrics_, pool_, kept_, log}));
  }

  [[nodiscard]] ControllerRunner::Surroundings get(CrashGuard* crash_guard = nullptr) {
    return {.clusters = clusters_,
            .secret_clusters = secret_clusters_,
            .metrics = metrics_,
            .manager = manager_,
            .crash_guard = crash_guard};
  }
  // Fills the caches of the runners that are connected.
  [[nodiscard]] Result<void> fill_caches() {
    ManagedCluster& home = *clusters_.begin()->second;
    home.start_informers();
    return home.wait_for_sync(Instant::max(), true, {});
  }

 private:
  const std::string manager_ = "test";
  MetricsRegistry metrics_;
  json::Pool pool_;
  const std::map<GroupVersionKind, CacheProjection> kept_;
  Dispatcher dispatcher_;
  SecretClusters secret_clusters_;
  ManagedClusters clusters_;
};

}  // namespace pintle
