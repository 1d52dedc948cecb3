// ClusterAccessReconciler: access to clusters by ClusterRequests and AccessRequests in the platform cluster.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <pintle/base/required.hpp>
#include <pintle/base/time.hpp>
#include <pintle/patterns/service/cluster_access.hpp>

namespace pintle::service {

struct RequestNames;

// On every request of ours, until what it stands for has been given back.
inline constexpr std::string_view cluster_access_finalizer = "clusters.openmcp.cloud/clusteraccess";

// On an AccessRequest, the URL at which its cluster is reached from where the operator is being developed.
inline constexpr std::string_view local_access_annotation = "clusters.open-control-plane.io/local-access";

// A cluster of an API object besides its control plane and workload cluster. Its functions are asked in every pass that
// asks for the access, for the API object of the key `request`; what ApiReconciler::additional_data has found is in the
// slots of the Context. They run on a worker and may block. An error fails the pass.
struct ClusterRegistration {
  Required<std::string> id;
  std::string suffix{};   // of the names of its requests, which must not change; default: the id
  std::string purpose{};  // of a ClusterRequest of ours; the alternative:
  // Which ClusterRequest of somebody else leads there; the same one as long as the API object is there.
  std::function<Result<ObjectKey>(const ObjectKey& request, Context& ctx)> cluster_request{};
  // What is done there.
  Required<std::function<Result<TokenConfig>(const ObjectKey& request, Context& ctx)>> token;
};

struct ClusterAccessOptions {
  Required<std::string> controller_name;    // in names and labels of the requests: it must not change
  Required<std::string> platform_cluster;   // watched in all namespaces: NamedCluster::namespace_ has to be empty
  TokenConfig mcp{};                        // what is done in the control plane
  std::optional<TokenConfig> workload{};    // ask for a workload cluster too, for this
  std::vector<ClusterRegistration> more{};  // and for these, in this order; see ApiReconciler::more_clusters
  // How often a ClusterRequest that ClusterRegistration::cluster_request names is looked for while it is awaited. All
  // other requests are watched.
  Duration retry_interval = std::chrono::seconds(5);
  // Of the Secrets with kubeconfigs, if the platform labels them. Default: every Secret of the platform cluster is
  // watched, except those of Helm.
  std::string secret_label_selector{};
  // For an operator on the machine of its developer: the URL of local_access_annotation, where an AccessRequest has
  // one, counts instead of that in the kubeconfig.
  bool local_access = false;
};

// The control plane is that of the ClusterRequest which is named as the API object; it belongs to somebody else. The
// workload cluster gets a ClusterRequest of ours; more clusters have one or the other. For each there is an
// AccessRequest of ours, with those in the namespace of the control plane (mcp_namespace), which stays.
//
// Requests of ours are known by their labels. A request of the same name without them is an error (not_ours); it is
// neither used nor changed nor deleted. A request of ours that is deleted by another client is made again once it is
// gone; access to a cluster that is gone is given back. The status says what is awaited, or denied.
//
// A change of a request, or of the Secret that it names, starts a reconcile of its API object at once. The clients come
// from ClusterContext::cluster_of: kept while the Secret of the access is the same, forgotten with the access.
class ClusterAccessReconciler final : public ClusterAccessProvider {
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
  [[nodiscard]] std::vector<Error> faults() const override;
  [[nodiscard]] std::vector<RbacRule> needs() const override;

 private:
  enum class Step { done, waits };

  [[nodiscard]] Result<RequestNames> names_of_ours(const ClusterRegistration& registration,
                                                   const ObjectKey& request) const;
  AccessOutcome ask(const ClusterRegistration& registration, const ObjectKey& request, Context& ctx) const;
  AccessOutcome cluster_of_others(const ClusterRegistration& registration, const RequestNames& names,
                                  Context& ctx) const;
  AccessOutcome cluster_of_ours(const ClusterRegistration& registration, const RequestNames& names, Context& ctx) const;
  AccessOutcome access_to(const TokenConfig& token, const RequestNames& names, Context& ctx) const;
  Result<AccessRequest> create_access(const TokenConfig& token, const RequestNames& names, Context& ctx) const;
  Result<bool> has_access(const RequestNames& names, Context& ctx) const;
  AccessOutcome without_access(AccessOutcome awaited, const RequestNames& names, Context& ctx) const;
  Result<void> ensure_namespace(const std::string& name, Context& ctx) const;
  AccessOutcome give_back(const ClusterRegistration& registration, const RequestNames& names, Context& ctx) const;
  Result<Step> remove(const GroupVersionKind& kind, const ObjectKey& key, const RequestNames& names,
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
