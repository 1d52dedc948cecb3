// SPDX-License-Identifier: Apache-2.0
// Escalation: a user may only grant rights that it has, unless another right allows more.
#pragma once

#include <string_view>

#include <pintle/json/value.hpp>

#include "apiserver/registry/resource.hpp"
#include "authorizer.hpp"

namespace pintle::apiserver {

// A write of a role or of a binding.
struct RoleWrite {
  const Resource& resource;
  std::string_view namespace_{};
  std::string_view path_name{};  // the name in the path; "" for a create by POST
  const json::Value& next;
  const json::Value* old = nullptr;  // null: a create
};

// Refuses a role whose rules the user does not have, without the verb "escalate" on it, and a binding to such a role,
// without the verb "bind" on the role. Allows every other kind.
[[nodiscard]] StatusOr<void> check_escalation(const Authorizer& authorizer, const User& user, const RoleWrite& write);

}  // namespace pintle::apiserver
