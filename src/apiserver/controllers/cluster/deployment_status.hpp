// SPDX-License-Identifier: Apache-2.0
// The status of a Deployment: its counts and conditions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <pintle/base/time.hpp>
#include <pintle/json/document.hpp>
#include <pintle/json/value.hpp>
#include <pintle/object/object.hpp>

namespace pintle::apiserver {

struct DeploymentCounts {
  std::int64_t wanted = 0;
  std::int64_t max_unavailable = 0;
  std::int64_t replicas = 0;
  std::int64_t updated = 0;
  std::int64_t ready = 0;
  std::int64_t available = 0;
  std::string current{};  // the name of the ReplicaSet with the current template; "": none
  json::View failure{};   // why that ReplicaSet cannot create Pods: its condition
};

struct DeploymentStatus {
  json::object status{};
  std::optional<WallTime> deadline{};  // when the rollout fails unless it progresses
};

[[nodiscard]] DeploymentStatus deployment_status(const Object& deployment, const DeploymentCounts& counts,
                                                 WallTime now);

}  // namespace pintle::apiserver
