// SPDX-License-Identifier: Apache-2.0
// BudgetStatus: how many Pods a PodDisruptionBudget allows to evict.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <pintle/base/result.hpp>

#include "../cluster_controller.hpp"
#include "../cluster_objects.hpp"

namespace pintle::apiserver {

class BudgetStatus final : public ClusterController {
 public:
  explicit BudgetStatus(ClusterObjects& objects) : objects_(objects) {}

  Instant reconcile(const Object& budget) override;

 private:
  // The number of Pods that the controllers of the existing ones are to have, and that of Pods that must be healthy.
  struct Wanted {
    std::int64_t expected = 0;
    std::int64_t healthy = 0;
  };
  // Error: invalid, if a Pod has a controller whose number of Pods is not known.
  [[nodiscard]] Result<Wanted> wanted_by(const Object& budget, const std::vector<Object>& pods) const;
  [[nodiscard]] Result<std::int64_t> pods_of_controllers(const std::vector<Object>& pods) const;
  [[nodiscard]] std::optional<std::int64_t> scale_of(const Object& pod, std::string& controller) const;
  // Returns when an evicted Pod that still exists counts again.
  Instant write(const Object& budget, const std::vector<Object>& pods, const Wanted& wanted);
  void write_failure(const Object& budget, const std::string& why);

  ClusterObjects& objects_;
};

}  // namespace pintle::apiserver
