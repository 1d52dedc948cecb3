// SPDX-License-Identifier: Apache-2.0
// AdvancedProvider and ClusterAccessProvider: obtain access to the clusters of an API object, and give it back when the
// object is deleted.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/result.hpp>
#include <pintle/controller/context.hpp>
#include <pintle/controller/outcome.hpp>
#include <pintle/controller/rbac_rule.hpp>
#include <pintle/controller/source.hpp>
#include <pintle/patterns/service/requests.hpp>

namespace pintle::service {

inline constexpr std::string_view mcp_cluster_id = "mcp";
inline constexpr std::string_view workload_cluster_id = "workload";

struct ObjectCluster {
  ClusterContext cluster;
  ObjectKey access_secret_key{};  ///< as ObjectClusters::mcp_access_secret_key
};

/// The clusters of one API object. Valid during the reconcile.
struct ObjectClusters {
  ClusterContext mcp_cluster;         ///< the managed control plane of the object
  ObjectKey mcp_access_secret_key{};  ///< the Secret of its kubeconfig, in the platform cluster; empty if unknown
  std::optional<ClusterContext> workload_cluster{};  ///< with ApiReconciler::workload_cluster
  ObjectKey workload_access_secret_key{};
  std::map<std::string, ObjectCluster, std::less<>> more{};  ///< by id; with ApiReconciler::more_clusters
};

/// The state of the access to the clusters of an object.
struct PINTLE_EXPORT AccessOutcome {
  Outcome outcome = done;
  /// For condition Ready while the access is not ready. Empty: the condition only states that the access is awaited.
  std::string reason{};
  std::string message{};
  /// True: the access is not ready although the outcome is `done`. The next reconcile starts when an object of
  /// AdvancedProvider::watches() changes. This member does not affect other outcomes.
  bool is_waiting = false;
  /// The access cannot be obtained: its cluster is gone, or it was denied and never granted. An object that is being
  /// deleted does not wait for the access: its clean-up counts as done, and its status and an Event report this. With
  /// LostAccessPolicy::request_again it waits, however, if the domain has been called for it and there is access to
  /// another of its clusters.
  bool is_unobtainable = false;

  /// Returns whether the clusters can be used or, in a deletion, have been given back.
  [[nodiscard]] bool is_ready() const noexcept;
};

/// Obtains access to any number of clusters, each with an id. `request` is the key of the API object. Must be
/// thread-safe; there is only one reconcile at a time for each object. If a cluster or an AccessRequest does not exist,
/// the result is the error `not_found` or an empty optional. The choice matters for LostAccessPolicy::skip_cleanup: the
/// policy applies if access_request() returns `not_found`, and does not apply if it returns an empty optional. The
/// values that ApiReconciler::additional_data has stored in slots of the Context are the same in all calls of a
/// reconcile. Objects of different kinds may have the same key, so a provider that identifies its requests by the key
/// must serve only one ApiReconciler.
class PINTLE_EXPORT AdvancedProvider {
 public:
  virtual ~AdvancedProvider() = default;

  /// Requests the clusters and the access. Access that another client deletes must be given back and requested again,
  /// also for an object that is being deleted; meanwhile the result is not ready. Called at most once in a reconcile.
  virtual AccessOutcome reconcile(const ObjectKey& request, Context& ctx) = 0;
  /// Gives back everything that was requested. Called only after the domain has cleaned up or its clean-up counts as
  /// done, then repeatedly until the result is ready. reconcile() is not called in between.
  virtual AccessOutcome reconcile_delete(const ObjectKey& request, Context& ctx) = 0;

  /// Called after a reconcile() whose result was ready.
  virtual Result<std::optional<ClusterContext>> access(std::string_view id, const ObjectKey& request, Context& ctx) = 0;
  /// Can be called at any time.
  virtual Result<std::optional<AccessRequest>> access_request(std::string_view id, const ObjectKey& request,
                                                              Context& ctx) = 0;

  /// The objects of other clusters whose changes enqueue an API object, in addition to the config and the references.
  /// Called once for each controller.
  [[nodiscard]] virtual std::vector<Watches> watches() const { return {}; }
  /// The ids of the clusters that are requested. They must be the ids that ApiReconciler uses; otherwise
  /// Manager::start() returns an error that names each difference. Empty: the ids are not compared.
  [[nodiscard]] virtual std::optional<std::set<std::string>> cluster_ids() const { return std::nullopt; }
  /// Validation errors; returned by Manager::start().
  [[nodiscard]] virtual std::vector<Error> validate() const { return {}; }
  /// The RBAC rules that these functions need.
  [[nodiscard]] virtual std::vector<RbacRule> rbac_rules() const { return {}; }
};

/// The same for objects that have no clusters other than a control plane and a workload cluster. Each of the two has
/// its own function, so the functions need no ids.
class PINTLE_EXPORT ClusterAccessProvider : public AdvancedProvider {
 public:
  /// Called after a reconcile() whose result was ready.
  virtual Result<std::optional<ClusterContext>> mcp_cluster(const ObjectKey& request, Context& ctx) = 0;
  virtual Result<std::optional<ClusterContext>> workload_cluster(const ObjectKey& request, Context& ctx) = 0;
  /// Can be called at any time.
  virtual Result<std::optional<AccessRequest>> mcp_access_request(const ObjectKey& request, Context& ctx) = 0;
  virtual Result<std::optional<AccessRequest>> workload_access_request(const ObjectKey& request, Context& ctx) = 0;

  /// Calls one of the functions above; empty for any id other than mcp_cluster_id and workload_cluster_id.
  Result<std::optional<ClusterContext>> access(std::string_view id, const ObjectKey& request, Context& ctx) override;
  Result<std::optional<AccessRequest>> access_request(std::string_view id, const ObjectKey& request,
                                                      Context& ctx) override;
};

}  // namespace pintle::service
