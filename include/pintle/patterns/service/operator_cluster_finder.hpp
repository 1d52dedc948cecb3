// SPDX-License-Identifier: Apache-2.0
// OperatorClusterFinder: access to a cluster for the whole operator, such as the onboarding cluster, by requests in the
// platform cluster.
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/required.hpp>
#include <pintle/base/time.hpp>
#include <pintle/controller/clusters.hpp>
#include <pintle/patterns/service/requests.hpp>

namespace pintle::service {

struct RequestedClusterOptions {
  Required<std::string> controller_name;         ///< used in names and labels of the requests, so it must not change
  Required<std::string> namespace_;              ///< of the requests, in the platform cluster; must exist
  std::string local_name = "onboarding";         ///< the requests are named "<controller>--<local name>"
  std::string purpose = "onboarding";            ///< of the ClusterRequest
  TokenConfig token{};                           ///< the permissions in the cluster
  Duration interval = std::chrono::seconds(10);  ///< between two reads of a request
  Duration timeout = std::chrono::minutes(5);    ///< for the grant of each request, and for the Secret
  /// Selects the Secrets with kubeconfigs, if the platform labels them. Default: all Secrets of the namespace are
  /// watched, except those of Helm.
  std::string secret_label_selector{};
};

/// Finds the cluster at the start of a manager that runs in the platform cluster:
///
///   ManagerOptions{.clusters = {{.name = "onboarding",
///                                .finder = std::make_shared<service::OperatorClusterFinder>(
///                                    service::RequestedClusterOptions{.controller_name = "greeting",
///                                                                     .namespace_ = "greeting-system"})}}}
///
/// It creates a ClusterRequest and, once that is granted, an AccessRequest, or uses those that an earlier process
/// created. It then reads the Secret that the AccessRequest names. The requests stay when the operator ends, for its
/// next process.
///
/// While the manager runs, the requests and the Secret are watched. If the platform replaces the kubeconfig, the new
/// kubeconfig is used at once. A request that was deleted is created again; access to a cluster that is gone is given
/// back first. Once the new requests are granted, their cluster is used. Until there is a new kubeconfig, the last one
/// is used. It is also used while a request is denied or the kubeconfig cannot be read, which is logged. Thread-safe.
class PINTLE_EXPORT OperatorClusterFinder final : public ClusterFinder {
 public:
  explicit OperatorClusterFinder(RequestedClusterOptions options) : options_(std::move(options)) {}

  /// Errors: `forbidden`, at once, if a request is denied; `timeout`, with the request that is awaited and the last
  /// error of the server, if any; `not_owned`, if a request of the same name has the label of another controller;
  /// `invalid`, if the Secret has no usable kubeconfig; `cancelled`; errors of the client that are not temporary.
  [[nodiscard]] Result<Cluster> find(const ClusterFinderContext& search) override;
  [[nodiscard]] std::vector<ClusterWatch> watches() const override;
  /// Errors: those of find(), and temporary errors of the client, because this function does not wait.
  [[nodiscard]] Result<ClusterUpdate> refresh(const ClusterFinderContext& search) override;
  [[nodiscard]] std::vector<RbacRule> rbac_rules() const override;

 private:
  const RequestedClusterOptions options_;
};

}  // namespace pintle::service
