// What a request needs, in the words of RBAC.
#pragma once

#include <pintle/apiserver/request_info.hpp>
#include <pintle/controller/rbac_rule.hpp>
#include <pintle/http/message.hpp>

namespace pintle::testing {

[[nodiscard]] bool is_allowed_by(const RequestInfo& asked, const RbacRole& role, const RbacRule& rule);

// An apply makes an object that is not there, which takes the right to create it as well.
[[nodiscard]] bool may_create(const http::Request& request, const RequestInfo& asked);

}  // namespace pintle::testing
