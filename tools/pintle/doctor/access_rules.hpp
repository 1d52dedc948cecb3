// SPDX-License-Identifier: Apache-2.0
// The evaluation of RBAC rules, as the API server does it.
#pragma once

#include <string>
#include <vector>

#include <pintle/base/result.hpp>
#include <pintle/object/object.hpp>

#include "doctor/cluster_reader.hpp"

namespace pintle::doctor {

// One permission. A need with a URL has no resource.
struct Need {
  std::string group{};
  std::string resource{};  // "pods", "pods/status"
  std::string verb{};
  std::string name{};        // of one object; empty: all
  std::string namespace_{};  // empty: all
  std::string url{};         // "/metrics"
};

struct ServiceAccount {
  std::string namespace_{};
  std::string name{};

  [[nodiscard]] std::string user() const;  // "system:serviceaccount:NAMESPACE:NAME"
  [[nodiscard]] std::vector<std::string> groups() const;
};

// The rules of a role that is bound to a ServiceAccount.
struct Grant {
  std::string namespace_{};  // of a RoleBinding; empty: the whole cluster
  Object role{};
};

[[nodiscard]] bool is_allowed_by(json::View rule, const Need& need);
[[nodiscard]] bool is_allowed_by(const Grant& grant, const Need& need);
[[nodiscard]] bool is_allowed_by(const std::vector<Grant>& grants, const Need& need);

// Returns the permissions that a Role or ClusterRole contains, in its order.
[[nodiscard]] std::vector<Need> needs_of(const Object& role);

// Returns the roles that are bound to the ServiceAccount or to one of its groups. Error: that of the first of the four
// lists that cannot be read.
[[nodiscard]] Result<std::vector<Grant>> read_grants(ClusterReader& cluster, const ServiceAccount& account);

}  // namespace pintle::doctor
