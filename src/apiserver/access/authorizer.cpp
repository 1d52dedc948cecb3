// SPDX-License-Identifier: Apache-2.0
#include "authorizer.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "service_account.hpp"

namespace pintle::apiserver {
namespace {

// Several errors as kube-apiserver prints them: each once.
class RoleErrors {
 public:
  void add(std::string error) {
    if (std::find(errors_.begin(), errors_.end(), error) == errors_.end()) errors_.push_back(std::move(error));
  }
  [[nodiscard]] std::string text() const {
    if (errors_.size() == 1) return errors_.front();
    std::string all;
    for (const std::string& error : errors_) all += (all.empty() ? "[" : ", ") + error;
    return all.empty() ? all : all + "]";
  }

 private:
  std::vector<std::string> errors_;
};

std::string quoted(std::string_view text) { return json::print(json::Value(text)); }

std::string describe(const User& user, const Action& action) {
  if (!action.is_resource) {
    return fmt::format("User {} cannot {} path {}", quoted(user.name), action.verb, quoted(action.path));
  }
  const std::string resource =
      action.subresource.empty() ? action.resource : action.resource + "/" + action.subresource;
  const std::string place =
      action.namespace_.empty() ? "at the cluster scope" : "in the namespace " + quoted(action.namespace_);
  return fmt::format("User {} cannot {} resource {} in API group {} {}", quoted(user.name), action.verb,
                     quoted(resource), quoted(action.group), place);
}

}  // namespace

std::shared_ptr<const Roles> Authorizer::roles() const {
  const MutexLock lock(mutex_);
  const std::array<Version, 5> now{storage_.last_write("clusterroles.rbac.authorization.k8s.io"),
                                   storage_.last_write("clusterrolebindings.rbac.authorization.k8s.io"),
                                   storage_.last_write("roles.rbac.authorization.k8s.io"),
                                   storage_.last_write("rolebindings.rbac.authorization.k8s.io"), storage_.rewinds()};
  if (roles_ == nullptr || read_at_ != now) {
    roles_ = std::make_shared<const Roles>(storage_);
    read_at_ = now;
  }
  return roles_;
}

Authorizer::Decision Authorizer::authorize(const User& user, const Action& action) const {
  if (!evaluates_roles_) {
    return {.is_allowed = true, .reason = "this server does not authorize requests: all requests are allowed"};
  }
  if (user.is_in(masters_group)) return {.is_allowed = true};
  Decision out;
  RoleErrors errors;
  roles()->visit(user, action.namespace_, [&](const RoleGrant& grant, const RoleGrant::Subject& subject) {
    if (grant.rules == nullptr) {
      errors.add(grant.missing_role());
      return true;
    }
    out.is_allowed = std::any_of(grant.rules->begin(), grant.rules->end(),
                                 [&](const PolicyRule& rule) { return rule.allows(action); });
    if (out.is_allowed) out.reason = "RBAC: allowed by " + grant.describe(subject);
    return !out.is_allowed;
  });
  if (!out.is_allowed && !errors.text().empty()) out.reason = "RBAC: " + errors.text();
  return out;
}

StatusOr<void> Authorizer::check(const User& user, const Action& action) const {
  if (!evaluates_roles_) return {};
  const Decision decision = authorize(user, action);
  return decision.is_allowed ? StatusOr<void>() : refuse(not_allowed(user, action, decision.reason));
}

Authorizer::HeldRules Authorizer::rules_of(const User& user, std::string_view namespace_) const {
  if (!evaluates_roles_) {
    return {.rules = {{.verbs = {"*"}, .groups = {"*"}, .resources = {"*"}}, {.verbs = {"*"}, .urls = {"*"}}}};
  }
  HeldRules out;
  RoleErrors errors;
  roles()->visit(user, namespace_, [&](const RoleGrant& grant, const RoleGrant::Subject&) {
    if (grant.rules == nullptr) {
      errors.add(grant.missing_role());
    } else {
      out.rules.insert(out.rules.end(), grant.rules->begin(), grant.rules->end());
    }
    return true;
  });
  out.error = errors.text();
  return out;
}

AuthorizerFunction Authorizer::checks_of(const User& user) const {
  if (!evaluates_roles_) return {};
  return [this, &user](const AuthorizerQuery& query) {
    const Action action{.verb = query.verb,
                        .group = query.group,
                        .resource = query.resource,
                        .subresource = query.subresource,
                        .namespace_ = query.namespace_,
                        .name = query.name,
                        .is_resource = query.path.empty(),
                        .path = query.path};
    User account;
    if (!query.account_name.empty()) {
      const ServiceAccountName name{.namespace_ = query.account_namespace, .name = query.account_name};
      account = {.name = name.user(), .groups = name.groups()};
    }
    Decision decided = authorize(query.account_name.empty() ? user : account, action);
    return AuthorizerAnswer{.is_allowed = decided.is_allowed, .reason = std::move(decided.reason)};
  };
}

Refusal not_allowed(const User& user, const Action& action, std::string_view why) {
  std::string what = describe(user, action);
  if (!why.empty()) what += fmt::format(": {}", why);
  return forbidden({.group = action.group, .kind = action.resource, .name = action.name}, what);
}

}  // namespace pintle::apiserver
