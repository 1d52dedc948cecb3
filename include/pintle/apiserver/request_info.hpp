// RequestInfo: what a request to the API is about, from its method and target alone.
#pragma once

#include <optional>
#include <string>

#include <pintle/http/message.hpp>

namespace pintle {

// A plain value.
struct RequestInfo {
  std::string verb{};  // get, list, watch, create, update, patch, delete, deletecollection
  std::string group{};
  std::string resource{};    // with its sub-resource: "notes/status"
  std::string namespace_{};  // none: of the cluster, or all namespaces
  std::string name{};        // none: no single object; a list or watch that selects one by its name is about that
};

// As kube-apiserver derives it. None for what is about no resource, such as discovery.
[[nodiscard]] std::optional<RequestInfo> request_info(const http::Request& request);

}  // namespace pintle
