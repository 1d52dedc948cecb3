// SPDX-License-Identifier: Apache-2.0
// Router: the resource, namespace, name and subresource that a path addresses.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../registry/catalog.hpp"

namespace pintle::apiserver {

// The parsed path /api/v1/… or /apis/G/V/….
struct Route {
  std::string group{};
  std::string version{};
  ResourcePtr resource{};  // null: the path addresses the group version itself
  std::string namespace_{};
  bool names_namespace = false;
  std::string name{};
  std::string subresource{};
};

enum class RouteFault {
  nothing_there,  // 404 as text: there is no such path
  no_resource,    // 404 as Status: a built-in group has no such resource
};

// Returns the decoded parts of a path without empty ones. An encoded slash does not separate parts. Invalid UTF-8 is
// sanitized, because a response may repeat a part.
[[nodiscard]] std::vector<std::string> path_parts(std::string_view target);

// `parts` begins after "api" or "apis". The result shares the resource, so it may outlive the catalog.
[[nodiscard]] tl::expected<Route, RouteFault> route(const Catalog& catalog, std::vector<std::string> parts, bool core);

}  // namespace pintle::apiserver
