// SPDX-License-Identifier: Apache-2.0
// Clusters of one manager: the home cluster, named clusters, and how their addresses are found.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/log.hpp>
#include <pintle/base/required.hpp>
#include <pintle/client/cluster.hpp>
#include <pintle/object/kind.hpp>

namespace pintle {

class Client;
class Object;
class Executor;
struct RbacRule;  ///< controller/rbac_rule.hpp

/// The name of the manager's own cluster. It holds the lease of the leader election. Controllers that name no cluster
/// use it.
inline constexpr std::string_view home_cluster = "home";

/// The parameters of a ClusterFinder; valid during the call.
struct ClusterFinderContext {
  Client& home;  ///< client of the home cluster
  Executor& executor;
  Log log{};
  std::stop_token stop{};  ///< requested when the manager stops
};

/// The objects of one kind in the home cluster that a ClusterFinder watches.
struct ClusterWatch {
  GroupVersionKind kind{};
  std::string namespace_{};  ///< empty: all namespaces
  std::string label_selector{};
  std::string field_selector{};
};

/// The address of a cluster, as far as it is available without waiting.
struct ClusterUpdate {
  std::optional<Cluster> cluster{};  ///< empty: unknown at the moment; the manager keeps the current address
  /// Objects that the result depends on. Their kinds must be among watches().
  std::vector<std::pair<GroupVersionKind, ObjectKey>> depends_on{};
};

/// Determines the address of a cluster, for example by a request object in the home cluster: once when the manager
/// starts, and again when objects change on which the address depends.
class PINTLE_EXPORT ClusterFinder {
 public:
  virtual ~ClusterFinder() = default;
  /// Called once by Manager::start(), which returns its error. May block. An exception counts as an error.
  [[nodiscard]] virtual Result<Cluster> find(const ClusterFinderContext& search) = 0;
  /// Returns the watches that the manager keeps while it runs. The manager calls refresh() after each change of an
  /// object that the last result depends on. As long as there is no result, it calls refresh() after each change of any
  /// watched object. If the list is empty, the cluster stays at the address that find() returned.
  [[nodiscard]] virtual std::vector<ClusterWatch> watches() const { return {}; }
  /// Returns the current address of the cluster. May send requests, but must not wait for changes by other programs.
  /// Called on a thread of the manager, never concurrently, in every process, with or without the lease. The first call
  /// follows soon after the start. A write by this function can cause another call. After a call that was caused by a
  /// change, the next such call follows only after a pause. The pause grows with each of these calls from 10 ms to 5
  /// minutes. If no change arrives during a pause and the minute after it, the next pause is 10 ms again. An error is
  /// logged, and the call is repeated after pauses that grow from 1 s to 5 minutes. After a call has returned an
  /// address, every request uses that address and its credentials. If it belongs to another server, watches begin anew
  /// on that server.
  [[nodiscard]] virtual Result<ClusterUpdate> refresh(const ClusterFinderContext& search);
  /// The permissions that the finder needs in the home cluster.
  [[nodiscard]] virtual std::vector<RbacRule> rbac_rules() const = 0;
};

/// Another cluster, with the name by which controllers, watches and Context::cluster() refer to it. The name must be a
/// DNS label. The program has the flags --NAME-kubeconfig and --NAME-context for the cluster. With leader election, the
/// writes of controllers with Leadership::lease to this cluster require the lease of the manager, like their writes to
/// the home cluster.
struct NamedCluster {
  Required<std::string> name;
  std::string kubeconfig{};               ///< path of the file
  std::string context{};                  ///< context of the kubeconfig; default: its current context
  std::vector<std::string> namespaces{};  ///< to watch; default: all
  std::optional<Cluster> address{};       ///< used instead of a kubeconfig
  /// Used if there is neither an address nor a kubeconfig.
  std::shared_ptr<ClusterFinder> finder{};
};

/// Returns the cluster that a kubeconfig in a Secret describes. The kubeconfig is the value of `data_key` in the data
/// of the Secret and must not refer to files. With `now`, the dates of its certificates are checked, as by
/// load_kubeconfig(). Error: invalid; the message names the Secret and the defect.
[[nodiscard]] PINTLE_EXPORT Result<Cluster> cluster_in_secret(const Object& secret,
                                                              std::string_view data_key = "kubeconfig",
                                                              std::optional<WallTime> now = {});

}  // namespace pintle
