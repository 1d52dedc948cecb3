// SPDX-License-Identifier: Apache-2.0
// NodeLifecycle: the condition Ready of a Node, and the taints that follow from its conditions.
#pragma once

#include "../cluster_controller.hpp"
#include "../cluster_objects.hpp"

namespace pintle::apiserver {

// A Node without the condition Ready becomes ready, as if its kubelet had started. Later its conditions are those that
// clients write.
class NodeLifecycle final : public ClusterController {
 public:
  explicit NodeLifecycle(ClusterObjects& objects) : objects_(objects) {}

  Instant reconcile(const Object& node) override;

 private:
  ClusterObjects& objects_;
};

}  // namespace pintle::apiserver
