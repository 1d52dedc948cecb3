// SPDX-License-Identifier: Apache-2.0
// Attributes: the facts about a request that an admission webhook receives, apart from the objects.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <pintle/base/time.hpp>
#include <pintle/json/value.hpp>

#include "apiserver/registry/resource.hpp"
#include "apiserver/registry/user.hpp"

namespace pintle::apiserver {

// Valid as long as the request.
struct Attributes {
  const Resource& resource;
  std::string_view subresource{};
  // The kind of the objects of the subresource, if it is not that of the resource: "autoscaling/v1" and "Scale".
  std::string_view api_version{};
  std::string_view kind{};
  std::string_view namespace_{};
  std::string name{};            // "" as long as the server has not generated it
  std::string_view operation{};  // "CREATE", "UPDATE", "DELETE", "CONNECT"
  json::Value options{};         // CreateOptions, UpdateOptions or DeleteOptions; null for CONNECT
  bool dry_run = false;
  std::optional<Instant> deadline{};  // of the request; webhooks have no more time
  const User& user;

  // True if the objects have the kind of the resource.
  [[nodiscard]] bool is_whole() const noexcept { return kind.empty(); }
};

}  // namespace pintle::apiserver
