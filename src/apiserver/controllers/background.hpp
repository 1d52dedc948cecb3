// SPDX-License-Identifier: Apache-2.0
// Background: the thread that runs the controllers of the server.
#pragma once

#include <optional>
#include <string>

#include <pintle/base/mutex.hpp>

#include "api_services.hpp"
#include "cluster/cluster_controllers.hpp"
#include "collector.hpp"
#include "definitions.hpp"
#include "flow_schemas.hpp"
#include "kubelets.hpp"
#include "namespaces.hpp"
#include "policy_status.hpp"
#include "quota_usage.hpp"
#include "role_aggregation.hpp"

namespace pintle::apiserver {

struct BackgroundOptions {
  Duration termination_delay{};        // of a Pod on a node
  bool keeps_cluster_objects = false;  // the Service kubernetes, and APIServices for the groups of definitions
  bool runs_cluster = false;           // the controllers of workloads, and the life of Pods
  std::string ca_certificate{};        // published in each namespace, if the controllers run
};

// Runs from construction to stop(). Thread-safe.
class Background {
 public:
  Background(Service& service, BackgroundOptions options);
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
  const BackgroundOptions options_;
  Definitions definitions_;
  std::optional<Namespaces> namespaces_;
  std::optional<Collector> collector_;
  std::optional<Kubelets> kubelets_;
  std::optional<RoleAggregation> role_aggregation_;
  std::optional<FlowSchemas> flow_schemas_;
  std::optional<QuotaUsage> quota_usage_;
  std::optional<ApiServices> api_services_;
  std::optional<PolicyStatus> policy_status_;
  std::optional<ClusterControllers> cluster_;
  mutable Mutex mutex_;
  bool stopping_ PINTLE_GUARDED_BY(mutex_) = false;
  std::uint64_t processed_ PINTLE_GUARDED_BY(mutex_) = 0;  // number of processed writes
  bool waits_for_time_ PINTLE_GUARDED_BY(mutex_) = false;
  Thread thread_;
};

}  // namespace pintle::apiserver
