// SPDX-License-Identifier: Apache-2.0
// ApiServices: keeps one APIService for each version of a group that CustomResourceDefinitions serve, and reports that
// APIServices without a Service are available.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "apiserver/call/service.hpp"

namespace pintle::apiserver {

// Used by one thread.
class ApiServices {
 public:
  explicit ApiServices(Service& service) : service_(service) {}

  // Does the work that is due now.
  void round();

 private:
  void create(const std::string& group, const std::string& version);
  // Restores the specification that a client has changed.
  void restore(const Object& existing, const std::string& group, const std::string& version);
  void report(const Object& existing);

  Service& service_;
  std::shared_ptr<const Catalog> catalog_{};  // of the last round
  Version processed_ = 0;                     // the last write to the APIServices that was processed
};

}  // namespace pintle::apiserver
