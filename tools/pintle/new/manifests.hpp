// SPDX-License-Identifier: Apache-2.0
// The manifests of a new project: the files that its operator writes by --print-deploy.
#pragma once

#include <map>
#include <string>
#include <vector>

#include <pintle/base/result.hpp>

namespace pintle::tools {

// The parts that the code of the operator determines.
struct ManifestOptions {
  std::string name{};
  bool has_webhooks = false;
  std::string crds{};      // the output of --print-crds
  std::string roles{};     // the output of --print-rbac for the cluster of the operator
  std::string platform{};  // the name of another cluster; empty: there is none
  std::string platform_roles{};
};

// The flags with which the operator of a new project runs in a cluster. cmake/manifests.cmake of the project has them.
[[nodiscard]] std::vector<std::string> deploy_flags();

// Returns the files below deploy/ and charts/NAME/ by their paths in the project. Error: invalid, if a text is not YAML
// or not a role.
[[nodiscard]] Result<std::map<std::string, std::string>> project_manifests(const ManifestOptions& options);

}  // namespace pintle::tools
