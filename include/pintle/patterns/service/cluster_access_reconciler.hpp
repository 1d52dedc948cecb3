// SPDX-License-Identifier: Apache-2.0
// ClusterAccessReconciler: access to clusters by ClusterRequests and AccessRequests in the platform cluster. "Our"
// requests are those that this operator creates.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/required.hpp>
#include <pintle/base/time.hpp>
#include <pintle/patterns/service/cluster_access.hpp>

namespace pintle::service {

namespace internal {
struct RequestNames;
}

/// The finalizer of each of our requests. It is removed when the requested cluster or access has been given back.
inline constexpr std::string_view cluster_access_finalizer = "clusters.openmcp.cloud/clusteraccess";

/// An annotation of an AccessRequest: the URL at which its cluster is reached from the machine on which the operator is
/// developed.
inline constexpr std::string_view local_access_annotation = "clusters.open-control-plane.io/local-access";

/// A cluster of an API object in addition to its control plane and workload cluster. The functions are called in every
/// reconcile that requests the access; `request` is the key of the API object, and the values of
/// ApiReconciler::additional_data are in the slots of the Context. They run on a worker and may block. An error fails
/// the reconcile.
struct ClusterRegistration {
  Required<std::string> id;
  std::string suffix{};   ///< of the names of its requests; must not change; default: the id
  std::string purpose{};  ///< of a ClusterRequest of ours; alternatively, set cluster_request
  /// Returns the key of the ClusterRequest that requests this cluster and belongs to another owner. The result must
  /// stay the same as long as the API object exists.
  std::function<Result<ObjectKey>(const ObjectKey& request, Context& ctx)> cluster_request{};
  /// Returns the permissions that are needed in the cluster.
  Required<std::function<Result<TokenConfig>(const ObjectKey& request, Context& ctx)>> token;
};

struct ClusterAccessOptions {
  /// Used in names and labels of the requests, so it must not change. Each ApiReconciler that uses the platform cluster
  /// needs its own, also in another program; Manager::start() returns an error if two in the manager have the same.
  Required<std::string> controller_name;
  Required<std::string> platform_cluster;   ///< watched in all namespaces: NamedCluster::namespaces must be empty
  TokenConfig mcp{};                        ///< the permissions in the control plane
  std::optional<TokenConfig> workload{};    ///< if set, a workload cluster is requested with these permissions
  std::vector<ClusterRegistration> more{};  ///< requested in this order; see ApiReconciler::more_clusters
  /// The time between two reads of an awaited ClusterRequest of another owner (ClusterRegistration::cluster_request).
  /// All other requests are watched.
  Duration retry_interval = std::chrono::seconds(5);
  /// Selects the Secrets with kubeconfigs, if the platform labels them. Default: all Secrets of the platform cluster
  /// are watched, except those of Helm.
  std::string secret_label_selector{};
  /// For an operator on the machine of its developer: if an AccessRequest has the local_access_annotation, its URL is
  /// used instead of the URL in the kubeconfig.
  bool local_access = false;
};

/// The control plane is the cluster of the ClusterRequest with the name of the API object; this request belongs to
/// another owner. The workload cluster has a ClusterRequest of ours; each further cluster has either one of ours or one
/// of another owner. For each cluster there is an AccessRequest of ours. All our requests are in the namespace of the
/// control plane (mcp_namespace), which is not deleted.
///
/// Our requests are identified by their labels. A request of the same name without these labels is an error
/// (not_owned); it is neither used nor changed nor deleted. If another client deletes one of our requests, it is
/// created again once it is gone. Access to a cluster that is gone is given back. Requests for clusters that an earlier
/// version of the operator declared are given back with their object. The status names the request that is awaited or
/// denied.
///
/// A change of a request, or of the Secret that it names, starts a reconcile of its API object at once. The clients
/// come from ClusterContext::cluster_of(): they are kept while the Secret of the access is the same, and dropped with
/// the access.
///
/// A ClusterAccessReconciler serves only one ApiReconciler.
class PINTLE_EXPORT ClusterAccessReconciler final : public ClusterAccessProvider {
 public:
  explicit ClusterAccessReconciler(ClusterAccessOptions options);

  AccessOutcome reconcile(const ObjectKey& request, Context& ctx) override;
  AccessOutcome reconcile_delete(const ObjectKey& request, Context& ctx) override;
  Result<std::optional<ClusterContext>> access(std::string_view id, const ObjectKey& request, Context& ctx) override;
  Result<std::optional<AccessRequest>> access_request(std::string_view id, const ObjectKey& request,
                                                      Context& ctx) override;
  Result<std::optional<ClusterContext>> mcp_cluster(const ObjectKey& request, Context& ctx) override;
  Result<std::optional<ClusterContext>> workload_cluster(const ObjectKey& request, Context& ctx) override;
  Result<std::optional<AccessRequest>> mcp_access_request(const ObjectKey& request, Context& ctx) override;
  Result<std::optional<AccessRequest>> workload_access_request(const ObjectKey& request, Context& ctx) override;
  [[nodiscard]] std::vector<Watches> watches() const override;
  [[nodiscard]] std::optional<std::set<std::string>> cluster_ids() const override;
  [[nodiscard]] std::vector<Error> validate() const override;
  [[nodiscard]] std::vector<RbacRule> rbac_rules() const override;

 private:
  enum class Step { done, waits };

  [[nodiscard]] Result<internal::RequestNames> names_of_ours(const ClusterRegistration& registration,
                                                             const ObjectKey& request) const;
  AccessOutcome request_access(const ClusterRegistration& registration, const ObjectKey& request, Context& ctx) const;
  AccessOutcome cluster_of_others(const ClusterRegistration& registration, const internal::RequestNames& names,
                                  Context& ctx) const;
  AccessOutcome cluster_of_ours(const ClusterRegistration& registration, const internal::RequestNames& names,
                                Context& ctx) const;
  AccessOutcome access_to(const TokenConfig& token, const internal::RequestNames& names, Context& ctx) const;
  Result<AccessRequest> create_access(const TokenConfig& token, const internal::RequestNames& names,
                                      Context& ctx) const;
  Result<bool> has_access(const internal::RequestNames& names, Context& ctx) const;
  Result<bool> had_access(const internal::RequestNames& names, Context& ctx) const;
  AccessOutcome without_grant(const ClusterRequest& request, AccessOutcome awaited, const internal::RequestNames& names,
                              Context& ctx) const;
  AccessOutcome without_access(AccessOutcome awaited, const internal::RequestNames& names, Context& ctx) const;
  Result<void> ensure_namespace(const std::string& name, Context& ctx) const;
  AccessOutcome give_back(const ClusterRegistration& registration, const internal::RequestNames& names,
                          Context& ctx) const;
  Result<Step> remove(const GroupVersionKind& kind, const ObjectKey& key, const internal::RequestNames& names,
                      Context& ctx) const;
  [[nodiscard]] std::string local_url(const AccessRequest& access) const;
  [[nodiscard]] AccessOutcome waits_for(const ClusterRegistration& registration, std::string message) const;
  [[nodiscard]] const ClusterRegistration* registration(std::string_view id) const;

  const std::string controller_name_;
  const std::string platform_cluster_;
  const Duration retry_interval_;
  const std::string secret_label_selector_;
  const bool local_access_;
  const std::vector<ClusterRegistration> registrations_;  // the control plane first
};

}  // namespace pintle::service
