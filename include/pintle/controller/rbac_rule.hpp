// RbacRule and RbacRole: rights in a cluster, as --print-rbac writes them.
#pragma once

#include <string>
#include <vector>

#include <pintle/controller/clusters.hpp>

namespace pintle {

// {"apps", "deployments", {"get", "list"}}, or {"", "pods/log", {"get"}}.
struct RbacRule {
  std::string group{};               // "" is that of the core kinds
  std::string resource{};            // in the plural
  std::vector<std::string> verbs{};  // get, list, watch, create, update, patch, delete, deletecollection
  std::vector<std::string> names{};  // of these objects alone; default: of all
  bool cluster_wide = false;         // for kinds without a namespace, and for more namespaces than the manager watches
  std::string cluster{};             // where; default: that of the controller

  friend bool operator==(const RbacRule&, const RbacRule&) = default;
};

struct RbacRole {
  std::string name{};
  std::string namespace_{};  // none: a ClusterRole
  std::vector<RbacRule> rules{};
  std::string cluster{home_cluster};  // of the manager, where it belongs
};

// As YAML documents, those for other clusters than home with a comment that says so; resources of one group with the
// same verbs share a rule.
[[nodiscard]] std::string print_rbac(const std::vector<RbacRole>& roles);

}  // namespace pintle
