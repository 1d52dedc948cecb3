// SPDX-License-Identifier: Apache-2.0
// The users of an ApiServer, and what they may do.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/result.hpp>

namespace pintle {

/// A user that is authenticated by a bearer token. The group system:authenticated is added.
struct ApiServerUser {
  std::string token{};
  std::string name{};
  std::string uid{};
  std::vector<std::string> groups{};
};

/// Which requests an ApiServer allows.
enum class ApiServerAuthorization {
  allow_all,
  /// Those that the stored Roles, ClusterRoles and bindings allow, as in a cluster. The server starts with the roles
  /// and bindings of a cluster (cluster-admin, view, system:discovery, …). A user in the group system:masters may do
  /// everything. A request without credentials is from system:anonymous.
  rbac,
};

/// Parses the users of a token file, as `pintle dev --token-file` does. Each line contains token, name, uid and,
/// optionally, the groups, separated by commas: `t0ken,bob,bob-uid,"dev,ops"`. Error: invalid, with the number of the
/// line.
[[nodiscard]] PINTLE_EXPORT Result<std::vector<ApiServerUser>> parse_token_file(std::string_view text);

}  // namespace pintle
