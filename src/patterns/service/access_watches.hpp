// access_watches: which changes in the platform cluster wake which API objects.
#pragma once

#include <string>
#include <vector>

#include <pintle/controller/source.hpp>

#include "request_names.hpp"

namespace pintle::service {

struct AccessWatchOptions {
  std::string platform_cluster{};
  std::string controller{};
  std::vector<NamedRequests> clusters{};
  std::string secret_label_selector{};
};

// An API object is woken by:
// - its AccessRequests, which are watched by the label of the controller;
// - the ClusterRequests of the same names, and that of its control plane;
// - the Secrets that its AccessRequests name in their status.
// A ClusterRequest that a function names is not watched.
[[nodiscard]] std::vector<Watches> access_watches(const AccessWatchOptions& options);

}  // namespace pintle::service
