// SPDX-License-Identifier: Apache-2.0
// RoleAggregation: gives each ClusterRole with an aggregationRule the rules of the ClusterRoles that it selects.
#pragma once

#include <vector>

#include "apiserver/call/service.hpp"

namespace pintle::apiserver {

// Used by one thread.
class RoleAggregation {
 public:
  explicit RoleAggregation(Service& service) : service_(service) {}

  // Does the work that is due now.
  void round();

 private:
  void aggregate(const Object& role, const std::vector<Object>& roles);

  Service& service_;
  Version processed_ = 0;  // the last write to the ClusterRoles that was processed
};

}  // namespace pintle::apiserver
