// The clusters that one manager works with.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <pintle/base/log.hpp>
#include <pintle/base/required.hpp>
#include <pintle/client/cluster.hpp>
#include <pintle/object/kind.hpp>

namespace pintle {

class Client;
class Object;
class Runtime;
struct RbacRule;  // controller/rbac_rule.hpp

// The name of the manager's own cluster: there it elects its leader, and there controllers work that name no other.
inline constexpr std::string_view home_cluster = "home";

// What a ClusterFinder works with; valid as long as the call.
struct ClusterSearch {
  Client& home;  // of the manager's own cluster
  Runtime& runtime;
  Log log{};
  std::stop_token stop{};  // requested when the manager is to stop
};

// Objects of one kind in the manager's own cluster.
struct ClusterWatch {
  GroupVersionKind kind{};
  std::string namespace_{};  // empty: all
  std::string label_selector{};
  std::string field_selector{};
};

// Where a cluster is, as far as that is known without waiting.
struct ClusterWhereabouts {
  std::optional<Cluster> cluster{};  // none: not known now; the manager goes on with the one it has
  // The objects that this depends on, of the kinds that are watched.
  std::vector<std::pair<GroupVersionKind, ObjectKey>> depends_on{};
};

// Finds out where a cluster is, for instance by a request in the manager's own cluster: when the manager starts, and
// again when an object changes that says so.
class ClusterFinder {
 public:
  virtual ~ClusterFinder() = default;
  // Called once by Manager::start(), which returns its error; may block, and may throw (which is an error).
  [[nodiscard]] virtual Result<Cluster> find(const ClusterSearch& search) = 0;
  // The watches that the manager keeps while it runs. The manager calls look() after each change of an object that the
  // last result depended on; while there is no result, after each change of any watched object. If the list is empty,
  // the cluster stays at the address that find() returned.
  [[nodiscard]] virtual std::vector<ClusterWatch> watches() const { return {}; }
  // Where the cluster is by now; must not wait for others. Called on a thread of the manager, never twice at once, in
  // every process, with or without the lease; the first time soon after the start. What it writes itself may have it
  // called again. The first call after a quiet minute comes at once, further ones in a row after pauses that grow from
  // 10 ms to 5 minutes. An error is logged, and the call repeated after pauses that grow from 1 s to 5 minutes. From an
  // answer on, every request goes to that cluster with those credentials; if the server is another one, watches begin
  // there anew.
  [[nodiscard]] virtual Result<ClusterWhereabouts> look(const ClusterSearch& search) {
    (void)search;
    return ClusterWhereabouts{};
  }
  // The rights in the manager's own cluster that this takes.
  [[nodiscard]] virtual std::vector<RbacRule> needs() const = 0;
};

// Another cluster, by the name that controllers, watches and Context::cluster() call it: a DNS label. The program has
// the flags --NAME-kubeconfig and --NAME-context for it. Writes there need the manager's lease as those at home do.
struct NamedCluster {
  Required<std::string> name;
  std::string kubeconfig{};          // file
  std::string context{};             // of it; default: the current one
  std::string namespace_{};          // watch only this one there; default: all
  std::optional<Cluster> address{};  // in place of a kubeconfig
  // Used when there is neither an address nor a kubeconfig.
  std::shared_ptr<ClusterFinder> finder{};
};

// The cluster that a kubeconfig in a Secret leads to: its data under `data_key`, which may name no files. Error:
// invalid, naming the Secret and what is wrong in it.
[[nodiscard]] Result<Cluster> cluster_in_secret(const Object& secret, std::string_view data_key = "kubeconfig");

}  // namespace pintle
