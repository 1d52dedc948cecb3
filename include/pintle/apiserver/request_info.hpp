// SPDX-License-Identifier: Apache-2.0
// RequestInfo: the verb and the resource of a request to an API server, from its method and target.
#pragma once

#include <optional>
#include <string>

#include <pintle/base/annotations.hpp>
#include <pintle/http/message.hpp>

namespace pintle {

/// A plain value.
struct RequestInfo {
  std::string verb{};  ///< get, list, watch, create, update, patch, delete, deletecollection
  std::string group{};
  std::string resource{};    ///< with its subresource: "notes/status"
  std::string namespace_{};  ///< empty: a cluster-scoped resource, or all namespaces
  std::string name{};        ///< from the path or the field selector "metadata.name=NAME"; empty if neither has one
};

/// Derives the RequestInfo as kube-apiserver does. Returns nothing for a request without a resource, such as discovery.
[[nodiscard]] PINTLE_EXPORT std::optional<RequestInfo> request_info(const http::Request& request);

}  // namespace pintle
