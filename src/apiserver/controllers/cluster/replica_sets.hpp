// SPDX-License-Identifier: Apache-2.0
// ReplicaSets: keeps the number of Pods of each ReplicaSet, or of each ReplicationController.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cluster_controller.hpp"
#include "cluster_objects.hpp"

namespace pintle::apiserver {

class ReplicaSets final : public ClusterController {
 public:
  // `collection`: "replicasets.apps" or "replicationcontrollers".
  ReplicaSets(ClusterObjects& objects, std::string_view collection) : objects_(objects), collection_(collection) {}

  Instant reconcile(const Object& replica_set) override;

 private:
  // Returns why the server refuses its Pods, if it does.
  std::optional<std::string> scale(const Object& replica_set, std::vector<Object> pods);
  // Returns when a further Pod becomes available.
  Instant write_status(const Object& replica_set, const std::vector<Object>& pods,
                       const std::optional<std::string>& refusal);

  ClusterObjects& objects_;
  const std::string_view collection_;
};

}  // namespace pintle::apiserver
