// SPDX-License-Identifier: Apache-2.0
// ReplicaSets: keeps the number of Pods of each ReplicaSet.
#pragma once

#include "cluster_controller.hpp"
#include "cluster_objects.hpp"

namespace pintle::apiserver {

// Pods without a controller are not adopted.
class ReplicaSets final : public ClusterController {
 public:
  explicit ReplicaSets(ClusterObjects& objects) : objects_(objects) {}

  Instant reconcile(const Object& replica_set) override;

 private:
  void scale(const Object& replica_set, std::vector<Object> pods);
  // Returns when a further Pod becomes available.
  Instant write_status(const Object& replica_set, const std::vector<Object>& pods);

  ClusterObjects& objects_;
};

}  // namespace pintle::apiserver
