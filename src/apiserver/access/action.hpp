// SPDX-License-Identifier: Apache-2.0
// Action: a request as roles describe it.
#pragma once

#include <string>

namespace pintle::apiserver {

// A verb on a resource, or on a path that is no resource.
struct Action {
  std::string verb{};
  std::string group{};
  std::string resource{};
  std::string subresource{};
  std::string namespace_{};  // "": cluster-scoped, or all namespaces
  std::string name{};
  bool is_resource = true;
  std::string path{};  // if it is no resource
};

}  // namespace pintle::apiserver
