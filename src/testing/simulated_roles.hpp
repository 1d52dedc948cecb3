// SPDX-License-Identifier: Apache-2.0
// The roles of a manager in a simulated server that evaluates roles.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/controller/rbac_rule.hpp>
#include <pintle/http/handler.hpp>

namespace pintle::testkit {

// The sender of a request without credentials: an administrator.
[[nodiscard]] http::Request as_administrator(http::Request request);
// The sender of the requests of a manager: the service account with its name in the namespace default.
[[nodiscard]] std::shared_ptr<const http::CertificateSubject> account_of(std::string_view manager);

// Stores the printed roles of a manager and binds them to its account, as an administrator does before the first start.
// Creates the namespaces of the roles. `host` is the cluster. Returns an error for each object that the server refuses.
[[nodiscard]] std::vector<std::string> grant_printed_roles(http::Handler& clusters, const std::string& host,
                                                           std::string_view manager,
                                                           const std::vector<RbacRole>& roles);

}  // namespace pintle::testkit
