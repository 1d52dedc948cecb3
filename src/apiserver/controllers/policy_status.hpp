// SPDX-License-Identifier: Apache-2.0
// PolicyStatus: checks the types of the expressions of ValidatingAdmissionPolicies, and reports them in their status.
#pragma once

#include "apiserver/call/service.hpp"

namespace pintle::apiserver {

// Used by one thread.
class PolicyStatus {
 public:
  explicit PolicyStatus(Service& service) : service_(service) {}

  // Checks the policies that have changed since the last round.
  void round();

 private:
  void report(const Object& policy);

  Service& service_;
  Version processed_ = 0;  // the last write to the policies that was processed
};

}  // namespace pintle::apiserver
