// SPDX-License-Identifier: Apache-2.0
// The admission of connections to Pods.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apiserver/call/service.hpp"
#include "apiserver/registry/refusal.hpp"
#include "apiserver/registry/user.hpp"

namespace pintle::apiserver {

// A request for pods/proxy.
struct Connection {
  std::string_view namespace_{};
  std::string_view name{};  // of the Pod, as in the path of the request: "https:web:8443"
  std::string_view path{};  // at the Pod; "" if the request has none
};

// Calls the policies and webhooks for the operation CONNECT, which may refuse a request to a Pod. May block. Adds
// their warnings, also if they refuse.
[[nodiscard]] StatusOr<void> admit_connection(Service& service, const User& user, const Connection& connection,
                                              std::vector<std::string>& warnings);

}  // namespace pintle::apiserver
