// SPDX-License-Identifier: Apache-2.0
// Background: the thread that runs the controllers of the server.
#pragma once

#include <optional>
#include <string>

#include <pintle/base/mutex.hpp>

#include "cluster/cluster_controllers.hpp"
#include "collector.hpp"
#include "definitions.hpp"
#include "flow_schemas.hpp"
#include "kubelets.hpp"
#include "namespaces.hpp"
#include "quota_usage.hpp"
#include "role_aggregation.hpp"

namespace pintle::apiserver {

// Runs from construction to stop(). Thread-safe.
class Background {
 public:
  // `runs_cluster`: also runs the controllers of a cluster, and the life of Pods. They publish `ca_certificate`.
  Background(Service& service, Duration termination_delay, bool runs_cluster, std::string ca_certificate);
  ~Background() { stop(); }
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  void stop();
  // True if every write has been processed and nothing is left to do, now or later.
  [[nodiscard]] bool is_idle() const;

 private:
  void run();
  // Discards the state of the controllers: after a rewind it refers to writes that no longer exist.
  void begin_anew();

  Service& service_;
  const Duration termination_delay_;
  const bool runs_cluster_;
  const std::string ca_certificate_;
  Definitions definitions_;
  std::optional<Namespaces> namespaces_;
  std::optional<Collector> collector_;
  std::optional<Kubelets> kubelets_;
  std::optional<RoleAggregation> role_aggregation_;
  std::optional<FlowSchemas> flow_schemas_;
  std::optional<QuotaUsage> quota_usage_;
  std::optional<ClusterControllers> cluster_;
  mutable Mutex mutex_;
  bool stopping_ PINTLE_GUARDED_BY(mutex_) = false;
  std::uint64_t processed_ PINTLE_GUARDED_BY(mutex_) = 0;  // number of processed writes
  bool waits_for_time_ PINTLE_GUARDED_BY(mutex_) = false;
  Thread thread_;
};

}  // namespace pintle::apiserver
