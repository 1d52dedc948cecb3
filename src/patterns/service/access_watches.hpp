// SPDX-License-Identifier: Apache-2.0
// access_watches: the changes in the platform cluster that enqueue API objects.
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

// A change of one of these objects enqueues an API object:
// - its AccessRequests, which are watched by the label of the controller;
// - the ClusterRequests of the same names, and the ClusterRequest of its control plane;
// - all requests for it that have the labels of ours, also for clusters that are not in the options any more;
// - the Secrets that its AccessRequests name in their status.
//
// A change of a ClusterRequest that ClusterRegistration::cluster_request returns enqueues nothing.
[[nodiscard]] std::vector<Watches> access_watches(const AccessWatchOptions& options);

}  // namespace pintle::service
