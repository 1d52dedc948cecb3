// SPDX-License-Identifier: Apache-2.0
// ResourceTarget: the resource in the target of a request to an API server.
#pragma once

#include <optional>
#include <string_view>

#include <pintle/base/annotations.hpp>

namespace pintle {

/// The members refer to the text of the target, which must outlive them.
struct ResourceTarget {
  std::string_view group_version{};  ///< "/api/v1", "/apis/apps/v1"
  bool in_namespace = false;
  std::string_view plural{};
  std::string_view namespace_{};   ///< percent-encoded; "" unless in_namespace
  std::string_view name{};         ///< percent-encoded; "" for a collection
  bool is_named = false;           ///< true: one object; false: a collection
  std::string_view subresource{};  ///< "" for the object itself
  bool watches = false;
};

/// Returns nothing if the target is not a resource: discovery, /version, /healthz.
[[nodiscard]] PINTLE_EXPORT std::optional<ResourceTarget> read_resource_target(std::string_view target);

}  // namespace pintle
