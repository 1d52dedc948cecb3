// The clusters that one manager works with.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <pintle/base/required.hpp>
#include <pintle/client/cluster.hpp>

namespace pintle {

// The name of the manager's own cluster: there it elects its leader, and there controllers work that name no other.
inline constexpr std::string_view home_cluster = "home";

// Another cluster, by the name that controllers, watches and Context::cluster() call it: a DNS label. The program has
// the flags --NAME-kubeconfig and --NAME-context for it. Writes there need the manager's lease as those at home do.
struct NamedCluster {
  Required<std::string> name;
  std::string kubeconfig{};          // file
  std::string context{};             // of it; default: the current one
  std::string namespace_{};          // watch only this one there; default: all
  std::optional<Cluster> address{};  // in place of a kubeconfig
};

}  // namespace pintle
