// AdvancedProvider, ClusterAccessProvider: how the clusters that belong to one API object are reached, and what is
// given back at its end.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/result.hpp>
#include <pintle/controller/context.hpp>
#include <pintle/controller/outcome.hpp>
#include <pintle/controller/rbac_rule.hpp>
#include <pintle/controller/source.hpp>
#include <pintle/patterns/service/requests.hpp>

namespace pintle::service {

inline constexpr std::string_view mcp_cluster_id = "mcp";
inline constexpr std::string_view workload_cluster_id = "workload";

struct RequestCluster {
  ClusterContext cluster;
  ObjectKey access_secret_key{};  // as mcp_access_secret_key
};

// The clusters that belong to one API object. Valid as long as the pass.
struct RequestClusters {
  ClusterContext mcp_cluster;         // its managed control plane
  ObjectKey mcp_access_secret_key{};  // where the kubeconfig is, in the platform cluster; empty when nobody says
  std::optional<ClusterContext> workload_cluster{};  // where its load runs; with ApiReconciler::workload_cluster
  ObjectKey workload_access_secret_key{};
  std::map<std::string, RequestCluster, std::less<>> more{};  // by id; those of ApiReconciler::more_clusters
};

// How far the access to the clusters of an object is.
struct AccessOutcome {
  Outcome outcome = settled;
  // For the Ready condition while the access is not ready, where there is more to say than that it is awaited.
  std::string reason{};
  std::string message{};
  // With a settled outcome: the access is not ready, and a change of an object that AdvancedProvider::watches() names
  // starts the next reconcile.
  bool waits = false;
  // The access cannot come: its cluster is gone, or it was denied and never granted. An object that is being deleted
  // does not wait for it: its clean-up counts as done, which its status and an Event say.
  bool cannot_come = false;

  // The clusters can be used, or have been given back.
  [[nodiscard]] bool is_ready() const noexcept;
};

// Any number of clusters, each known by an id. `request` is the key of the API object. Thread-safe, with one pass at a
// time for each object. What is not there is not_found, or none. What ApiReconciler::additional_data has left in the
// slots of the Context is the same in every call of a pass.
class AdvancedProvider {
 public:
  virtual ~AdvancedProvider() = default;

  // Asks for the clusters and the access, at most once in a reconcile.
  virtual AccessOutcome reconcile(const ObjectKey& request, Context& ctx) = 0;
  // Gives back what was asked for; called again until it is ready. reconcile() is not called in between, unless the
  // access went before the domain has cleaned up.
  virtual AccessOutcome reconcile_delete(const ObjectKey& request, Context& ctx) = 0;

  // After a reconcile() that was ready.
  virtual Result<std::optional<ClusterContext>> access(std::string_view id, const ObjectKey& request, Context& ctx) = 0;
  // At any time.
  virtual Result<std::optional<AccessRequest>> access_request(std::string_view id, const ObjectKey& request,
                                                              Context& ctx) = 0;

  // The objects of other clusters whose changes wake an API object, in addition to the config and the references.
  // Called once for each controller.
  [[nodiscard]] virtual std::vector<Watches> watches() const { return {}; }
  // The ids of the clusters that it asks for. They must be the ones that ApiReconciler uses: Manager::start() returns
  // an error that names each difference. None: not compared.
  [[nodiscard]] virtual std::optional<std::set<std::string>> cluster_ids() const { return std::nullopt; }
  // Errors of its declaration; returned by Manager::start().
  [[nodiscard]] virtual std::vector<Error> faults() const { return {}; }
  // The rights that all this takes.
  [[nodiscard]] virtual std::vector<RbacRule> needs() const { return {}; }
};

// The same for those that have a control plane and a workload cluster: no id to tell apart.
class ClusterAccessProvider : public AdvancedProvider {
 public:
  // After a reconcile() that was ready.
  virtual Result<std::optional<ClusterContext>> mcp_cluster(const ObjectKey& request, Context& ctx) = 0;
  virtual Result<std::optional<ClusterContext>> workload_cluster(const ObjectKey& request, Context& ctx) = 0;
  // At any time.
  virtual Result<std::optional<AccessRequest>> mcp_access_request(const ObjectKey& request, Context& ctx) = 0;
  virtual Result<std::optional<AccessRequest>> workload_access_request(const ObjectKey& request, Context& ctx) = 0;

  // One of the two; none for another id.
  Result<std::optional<ClusterContext>> access(std::string_view id, const ObjectKey& request, Context& ctx) override;
  Result<std::optional<AccessRequest>> access_request(std::string_view id, const ObjectKey& request,
                                                      Context& ctx) override;
};

}  // namespace pintle::service
