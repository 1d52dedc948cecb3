// SPDX-License-Identifier: Apache-2.0
// Compares requests with the rules of RBAC.
#pragma once

#include <pintle/apiserver/request_info.hpp>
#include <pintle/controller/rbac_rule.hpp>
#include <pintle/http/message.hpp>

namespace pintle::testkit {

[[nodiscard]] bool is_allowed_by(const RequestInfo& info, const RbacRole& role, const RbacRule& rule);

// Whether the request is an apply. An apply creates a missing object, which requires the verb create as well.
[[nodiscard]] bool may_create(const http::Request& request, const RequestInfo& info);

}  // namespace pintle::testkit
