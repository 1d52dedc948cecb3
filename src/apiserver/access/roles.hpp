// SPDX-License-Identifier: Apache-2.0
// Roles: the stored roles and bindings, parsed.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/object/object.hpp>

#include "apiserver/registry/user.hpp"
#include "apiserver/storage/storage.hpp"
#include "policy_rule.hpp"

namespace pintle::apiserver {

inline constexpr std::string_view rbac_group = "rbac.authorization.k8s.io";

// A RoleBinding or a ClusterRoleBinding.
struct RoleGrant {
  struct Subject {
    std::string kind{};
    std::string name{};
    std::string namespace_{};
  };
  std::string name{};
  std::string namespace_{};  // "": a ClusterRoleBinding
  std::string role_kind{};   // "Role" or "ClusterRole"
  std::string role_name{};
  std::vector<Subject> subjects{};
  std::shared_ptr<const PolicyRules> rules{};  // null: the role does not exist

  // The first subject that is the user or one of its groups; null: none.
  [[nodiscard]] const Subject* subject_for(const User& user) const;
  // "RoleBinding "a/ns" of Role "r" to User "bob"".
  [[nodiscard]] std::string describe(const Subject& subject) const;
  // "role.rbac.authorization.k8s.io "r" not found".
  [[nodiscard]] std::string missing_role() const;
};

// The state of all roles and bindings at one time. Immutable.
class Roles {
 public:
  explicit Roles(const Storage& storage);

  // Calls `visit` with each binding that applies to requests in a namespace ("": of cluster scope) and has the user as
  // a subject, until it returns false.
  using Visit = std::function<bool(const RoleGrant& grant, const RoleGrant::Subject& subject)>;
  void visit(const User& user, std::string_view namespace_, const Visit& visit) const;
  // The rules of a role to which a binding in `namespace_` refers; null if it does not exist.
  [[nodiscard]] std::shared_ptr<const PolicyRules> rules_of(std::string_view kind, std::string_view name,
                                                            std::string_view namespace_) const;

 private:
  std::map<std::string, std::shared_ptr<const PolicyRules>, std::less<>> rules_{};  // "name", "namespace/name"
  std::vector<RoleGrant> everywhere_{};
  std::map<std::string, std::vector<RoleGrant>, std::less<>> in_namespace_{};
};

}  // namespace pintle::apiserver
