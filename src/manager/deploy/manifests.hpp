// SPDX-License-Identifier: Apache-2.0
// Manifests: the objects that run an operator in a cluster, as --print-deploy prints them.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <pintle/controller/rbac_rule.hpp>
#include <pintle/json/value.hpp>
#include <pintle/manager/manager.hpp>

namespace pintle {

enum class DeployFormat { yaml, kustomize, helm };

// The flags of --print-deploy.
struct DeployOptions {
  DeployFormat format = DeployFormat::yaml;
  std::string out{};          // folder; empty: standard output
  std::string image{};        // empty: "NAME:VERSION"
  std::string namespace_{};   // empty: name of the operator
  std::int64_t replicas = 0;  // 0: two with leader election, otherwise one
  bool has_service_monitor = false;
};

// A flag that the Deployment passes to the operator.
struct DeployedFlag {
  std::string name{};
  std::string text{};  // of a switch: "true" or "false"
  bool is_switch = false;
};

// The source of the objects. The options are those of the operator in the cluster.
struct ManifestSource {
  const ManagerOptions& options;
  const DeployOptions& deploy;
  std::vector<DeployedFlag> flags{};
  std::vector<json::Value> crds{};
  std::vector<RbacRole> roles{};
  std::vector<json::Value> webhook_configurations{};
  bool has_webhooks = false;
};

// Sets the options that an operator needs in a cluster and that were not given: pages and webhooks listen on all
// addresses, the CRDs are among the manifests, the operator replaces the webhook configurations of its earlier
// versions, and the kubeconfigs of other clusters come from Secrets. Appends these flags to `flags`. Error: invalid,
// for a setting with which the operator cannot run in a pod or the manifests cannot be installed.
[[nodiscard]] Result<void> set_up_for_cluster(ManagerOptions& options, const DeployOptions& deploy,
                                              std::vector<DeployedFlag>& flags, bool has_webhooks);

// Returns the namespace of the operator; for a chart, the text that becomes the namespace of the release.
[[nodiscard]] std::string deploy_namespace(const DeployOptions& deploy, const ManagerOptions& options);

// Returns the path in the pod at which the kubeconfig of another cluster is, from the Secret NAME-CLUSTER.
[[nodiscard]] std::string kubeconfig_in_pod(const std::string& operator_name, const std::string& cluster);

// Returns the first line of each written file. A file without it is never replaced.
[[nodiscard]] std::string deploy_mark(const std::string& operator_name);

// Returns the texts of the files by their names. In the format yaml there is one file. Each object is in the namespace
// of the operator, unless it is cluster-scoped or the role of a watched namespace. Roles for other clusters are only in
// the format kustomize, in "CLUSTER/rbac.yaml", which is not a resource of the kustomization.
[[nodiscard]] std::map<std::string, std::string> print_deployment(const ManifestSource& deployment);

}  // namespace pintle
