// SPDX-License-Identifier: Apache-2.0
// ApiCatalog: all resources that an API server serves, and the lookup of a resource by the names that people use.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/result.hpp>
#include <pintle/client/resource.hpp>

namespace pintle {

struct ApiGroup {
  std::string name{};                   ///< "apps"; empty: the core group
  std::vector<std::string> versions{};  ///< the preferred version first
};

/// A group and version whose resources are unknown, for example because the server of an aggregated API is down.
struct UnavailableApi {
  std::string api_version{};  ///< "metrics.k8s.io/v1beta1"
  std::string why{};
};

/// A plain value; concurrent reads are safe.
struct PINTLE_EXPORT ApiCatalog {
  std::vector<ApiGroup> groups{};  ///< the core group first, then in the order of precedence
  /// In the order of the groups and of their versions.
  std::vector<Resource> resources{};
  std::vector<UnavailableApi> unavailable{};

  /// The version that the server prefers for a group, "" for an unknown group.
  [[nodiscard]] std::string_view preferred_version(std::string_view group) const;
  /// Finds a resource by its plural, singular or short name or its kind: "deployments", "deploy", "Deployment",
  /// "deployments.apps", "deployments.v1.apps". Upper and lower case are equal before the first dot, but not after it.
  /// If several resources match, a plural takes precedence over a singular, and a singular over a short name. Among
  /// equal matches, the first group is selected, in its preferred version. Errors: unsupported, with the most similar
  /// plural if there is one, if no resource matches; unavailable if it may be in an unavailable API.
  [[nodiscard]] Result<Resource> find(std::string_view name) const;
};

}  // namespace pintle
