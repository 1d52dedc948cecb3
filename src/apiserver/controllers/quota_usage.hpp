// SPDX-License-Identifier: Apache-2.0
// QuotaUsage: keeps the usage in the status of ResourceQuotas, which becomes lower when objects are deleted.
#pragma once

#include <set>
#include <string>

#include "apiserver/call/service.hpp"

namespace pintle::apiserver {

// Used by one thread.
class QuotaUsage {
 public:
  explicit QuotaUsage(Service& service) : service_(service) {}

  // Counts the objects of the namespaces in which something has changed. Returns when more is due even without a write;
  // Instant::max(): never.
  Instant round();

 private:
  Service& service_;
  Version followed_ = 0;
  bool is_first_ = true;
  std::set<std::string, std::less<>> to_count_;  // namespaces
};

}  // namespace pintle::apiserver
