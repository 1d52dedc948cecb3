// SPDX-License-Identifier: Apache-2.0
// RbacRule and RbacRole: permissions in a cluster, in the form that --print-rbac prints.
#pragma once

#include <string>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/controller/clusters.hpp>

namespace pintle {

/// Examples: {"apps", "deployments", {"get", "list"}} and {"", "pods/log", {"get"}}.
struct RbacRule {
  std::string group{};               ///< "" for the core group
  std::string resource{};            ///< plural name
  std::vector<std::string> verbs{};  ///< get, list, watch, create, update, patch, delete, deletecollection
  std::vector<std::string> names{};  ///< names of objects; default: all objects
  bool cluster_wide = false;         ///< for cluster-scoped kinds, and for namespaces that the manager does not watch
  std::string cluster{};             ///< name of the cluster; default: that of the controller

  friend bool operator==(const RbacRule&, const RbacRule&) = default;
};

struct RbacRole {
  std::string name{};
  std::string namespace_{};  ///< empty: a ClusterRole
  std::vector<RbacRule> rules{};
  std::string cluster{home_cluster};  ///< the cluster in which the role is needed, by its name in the manager
};

/// Prints roles as YAML documents. A role for a cluster other than the home cluster has a comment that names the
/// cluster. Resources of one group with the same verbs share a rule.
[[nodiscard]] PINTLE_EXPORT std::string print_rbac(const std::vector<RbacRole>& roles);

}  // namespace pintle
