// SPDX-License-Identifier: Apache-2.0
#include "roles.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <pintle/base/text.hpp>

#include "service_account.hpp"

namespace pintle::apiserver {
namespace {

std::shared_ptr<const PolicyRules> rules_in(const Object& role) {
  return std::make_shared<const PolicyRules>(parse_policy_rules(role["/rules"]));
}

RoleGrant parse_grant(const Object& binding) {
  RoleGrant out{.name = std::string(binding.name()),
                .namespace_ = std::string(binding.namespace_()),
                .role_kind = std::string(binding["/roleRef/kind"].text()),
                .role_name = std::string(binding["/roleRef/name"].text())};
  for (const json::View subject : binding["/subjects"].elements()) {
    out.subjects.push_back({.kind = std::string(subject.member("kind").text()),
                            .name = std::string(subject.member("name").text()),
                            .namespace_ = std::string(subject.member("namespace").text())});
  }
  return out;
}

// A service account without a namespace is in that of the binding.
bool is_subject(const RoleGrant::Subject& subject, std::string_view namespace_, const User& user) {
  if (subject.kind == "User") return subject.name == user.name;
  if (subject.kind == "Group") return user.is_in(subject.name);
  if (subject.kind != "ServiceAccount") return false;
  const std::string_view space = subject.namespace_.empty() ? namespace_ : std::string_view(subject.namespace_);
  return !space.empty() &&
         user.name == ServiceAccountName{.namespace_ = std::string(space), .name = subject.name}.user();
}

bool visit_grants(const std::vector<RoleGrant>& grants, const User& user, const Roles::Visit& visit) {
  return std::all_of(grants.begin(), grants.end(), [&](const RoleGrant& grant) {
    const RoleGrant::Subject* subject = grant.subject_for(user);
    return subject == nullptr || visit(grant, *subject);
  });
}

}  // namespace

const RoleGrant::Subject* RoleGrant::subject_for(const User& user) const {
  const auto found = std::find_if(subjects.begin(), subjects.end(),
                                  [&](const Subject& subject) { return is_subject(subject, namespace_, user); });
  return found == subjects.end() ? nullptr : &*found;
}

std::string RoleGrant::describe(const Subject& subject) const {
  std::string to = subject.name;
  if (subject.kind == "ServiceAccount") to += "/" + (subject.namespace_.empty() ? namespace_ : subject.namespace_);
  const std::string own = namespace_.empty() ? name : name + "/" + namespace_;
  return fmt::format("{} \"{}\" of {} \"{}\" to {} \"{}\"", namespace_.empty() ? "ClusterRoleBinding" : "RoleBinding",
                     own, role_kind, role_name, subject.kind, to);
}

std::string RoleGrant::missing_role() const {
  return fmt::format("{}.{} \"{}\" not found", to_lower_ascii(role_kind), rbac_group, role_name);
}

Roles::Roles(const Storage& storage) {
  for (const char* collection : {"clusterroles.rbac.authorization.k8s.io", "roles.rbac.authorization.k8s.io"}) {
    for (const Object& role : storage.objects(collection)) {
      rules_.emplace(storage_key(role.namespace_(), role.name()), rules_in(role));
    }
  }
  const auto read = [&](const Object& binding) {
    RoleGrant grant = parse_grant(binding);
    grant.rules = rules_of(grant.role_kind, grant.role_name, grant.namespace_);
    return grant;
  };
  for (const Object& binding : storage.objects("clusterrolebindings.rbac.authorization.k8s.io")) {
    everywhere_.push_back(read(binding));
  }
  for (const Object& binding : storage.objects("rolebindings.rbac.authorization.k8s.io")) {
    in_namespace_[std::string(binding.namespace_())].push_back(read(binding));
  }
}

void Roles::visit(const User& user, std::string_view namespace_, const Visit& visit) const {
  if (!visit_grants(everywhere_, user, visit) || namespace_.empty()) return;
  const auto found = in_namespace_.find(namespace_);
  if (found != in_namespace_.end()) (void)visit_grants(found->second, user, visit);
}

std::shared_ptr<const PolicyRules> Roles::rules_of(std::string_view kind, std::string_view name,
                                                   std::string_view namespace_) const {
  const auto found = rules_.find(storage_key(kind == "Role" ? namespace_ : std::string_view{}, name));
  return found == rules_.end() ? nullptr : found->second;
}

}  // namespace pintle::apiserver
