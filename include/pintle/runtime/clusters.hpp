// The clusters that one manager works with.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/log.hpp>
#include <pintle/base/required.hpp>
#include <pintle/client/cluster.hpp>

namespace pintle {

class Client;
class Object;
class Runtime;
struct RbacRule;  // runtime/rbac_rule.hpp

// The name of the manager's own cluster: there it elects its leader, and there controllers work that name no other.
inline constexpr std::string_view home_cluster = "home";

// What a ClusterFinder works with; valid as long as the call.
struct ClusterSearch {
  Client& home;  // of the manager's own cluster
  Runtime& runtime;
  Log log{};
  std::stop_token stop{};  // requested when the manager is to stop
};

// Finds out where a cluster is when the manager starts, for instance by a request in the manager's own cluster.
class ClusterFinder {
 public:
  virtual ~ClusterFinder() = default;
  // Called once by Manager::start(), which returns its error; may block, and may throw (which is an error).
  [[nodiscard]] virtual Result<Cluster> find(const ClusterSearch& search) = 0;
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
