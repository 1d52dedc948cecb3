// RequestedCluster: access to a cluster for the whole operator, such as the onboarding cluster, by requests in the
// platform cluster.
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include <pintle/base/required.hpp>
#include <pintle/base/time.hpp>
#include <pintle/controller/clusters.hpp>
#include <pintle/patterns/service/requests.hpp>

namespace pintle::service {

struct RequestedClusterOptions {
  Required<std::string> controller_name;         // in names and labels of the requests: it must not change
  Required<std::string> namespace_;              // of the requests, in the platform cluster; it has to be there
  std::string local_name = "onboarding";         // the requests are named "<controller>--<local name>"
  std::string purpose = "onboarding";            // of the ClusterRequest
  TokenConfig token{};                           // what is done in the cluster
  Duration interval = std::chrono::seconds(10);  // from one look at a request to the next
  Duration timeout = std::chrono::minutes(5);    // for each request to be granted, and for the Secret
  // Of the Secrets with kubeconfigs, if the platform labels them. Default: every Secret of the namespace is watched,
  // except those of Helm.
  std::string secret_label_selector{};
};

// Finds the cluster when a manager starts that runs in the platform cluster:
//
//   ManagerOptions{.clusters = {{.name = "onboarding",
//                                .finder = std::make_shared<service::RequestedCluster>(
//                                    service::RequestedClusterOptions{.controller_name = "greeting",
//                                                                     .namespace_ = "greeting-system"})}}}
//
// It creates a ClusterRequest and, once that is granted, an AccessRequest, or uses those that an earlier process made,
// and reads the Secret that the AccessRequest names. The requests stay when the operator ends, for its next process.
//
// While the manager runs, the requests and the Secret are watched: a kubeconfig that the platform replaces is used at
// once, a request that was deleted is made again, with the access to a cluster that is gone given back, and a new grant
// leads to its cluster. Until then, and while a request is denied or the kubeconfig cannot be read, which is logged,
// the last kubeconfig counts. Thread-safe.
class RequestedCluster final : public ClusterFinder {
 public:
  explicit RequestedCluster(RequestedClusterOptions options) : options_(std::move(options)) {}

  // Errors: forbidden, when a request is denied, at once; timeout, naming the request that is awaited and the last
  // error of the server if there was one; not_ours, for a request of the same name with the label of another
  // controller; cancelled; those of the client that waiting does not mend.
  [[nodiscard]] Result<Cluster> find(const ClusterSearch& search) override;
  [[nodiscard]] std::vector<ClusterWatch> watches() const override;
  // Errors: as those of find(), but for timeout.
  [[nodiscard]] Result<ClusterWhereabouts> look(const ClusterSearch& search) override;
  [[nodiscard]] std::vector<RbacRule> needs() const override;

 private:
  const RequestedClusterOptions options_;
};

}  // namespace pintle::service
