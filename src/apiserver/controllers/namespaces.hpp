// SPDX-License-Identifier: Apache-2.0
// Namespaces: deletes the objects in a terminating namespace, then the namespace.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "apiserver/call/service.hpp"

namespace pintle::apiserver {

// Its deletions are sent to policies and webhooks. A namespace in which a deletion was refused is processed again after
// a growing delay. Used by one thread.
class Namespaces {
 public:
  Namespaces(Service& service, Duration termination_delay) : service_(service), termination_delay_(termination_delay) {}

  // Does the work that is due now. Returns when more is due even without a write; Instant::max(): never.
  Instant round();

 private:
  // The objects that are left in a namespace: their number for each resource ("pods.") and for each finalizer. A
  // resource whose deletion was refused only has an error.
  struct Remainder {
    std::map<std::string, std::size_t> objects{};
    std::map<std::string, std::size_t> finalizers{};
    std::vector<std::string> errors{};
  };
  struct Terminating {
    Instant since{};
    int refusals = 0;
    Instant retry{};  // not processed before
  };
  Instant process(const Object& namespace_, Terminating& state);
  // Deletes the objects in a namespace, Pods before all others. Adds those that are left.
  void empty(std::string_view name, Remainder& left);
  void empty(const Resource& resource, std::string_view name, Remainder& left);
  // Writes the objects that are left in a namespace to its status.
  void report(const Object& namespace_, const Remainder& left);
  void release(const Object& namespace_);

  Service& service_;
  const Duration termination_delay_;
  Version processed_ = 0;                           // the last write to the namespaces that was processed
  std::map<std::string, Terminating> terminating_;  // by uid, from when a namespace was first observed terminating
};

}  // namespace pintle::apiserver
