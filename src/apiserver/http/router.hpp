// Router: from a path to the resource, namespace, name and sub-resource it means.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../registry/catalog.hpp"

namespace pintle::apiserver {

// /api/v1/… or /apis/G/V/…, taken apart; the rest of the path decides what it is about.
struct Route {
  std::string group{};
  std::string version{};
  ResourcePtr resource{};  // none: the group and version themselves
  std::string namespace_{};
  bool names_namespace = false;
  std::string name{};
  std::string subresource{};
};

enum class RouteFault {
  nothing_there,  // 404 as text: no such path
  no_resource,    // 404 as Status: a built-in group without such a resource
};

// The parts of a path in UTF-8 (what is none is mended, as it may be part of an answer), undecoded slashes apart; empty
// ones left out.
[[nodiscard]] std::vector<std::string> path_parts(std::string_view target);

// `parts` begins behind "api" or "apis". The catalog must outlive nothing: what is returned holds what it needs.
[[nodiscard]] tl::expected<Route, RouteFault> route(const Catalog& catalog, std::vector<std::string> parts, bool core);

}  // namespace pintle::apiserver
