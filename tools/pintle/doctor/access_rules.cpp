// SPDX-License-Identifier: Apache-2.0
#include "doctor/access_rules.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace pintle::doctor {
namespace {

const std::string rbac_version = "rbac.authorization.k8s.io/v1";

bool has(json::View texts, std::string_view text) {
  for (const json::View one : texts.elements()) {
    if (one == text) return true;
  }
  return false;
}

// "*" includes all subresources, "*/scale" the subresource of all resources, and "pods" no subresource.
bool has_resource(json::View resources, std::string_view resource) {
  const auto slash = resource.find('/');
  return has(resources, "*") || has(resources, resource) ||
         (slash != std::string_view::npos && has(resources, fmt::format("*{}", resource.substr(slash))));
}

bool has_url(json::View urls, std::string_view url) {
  for (const json::View one : urls.elements()) {
    std::string_view pattern = one.text();
    if (pattern == url) return true;
    if (!pattern.ends_with('*')) continue;
    pattern.remove_suffix(1);
    if (url.starts_with(pattern)) return true;
  }
  return false;
}

bool is_subject(json::View subject, std::string_view binding_namespace, const ServiceAccount& account) {
  const std::string_view kind = subject.member("kind").text();
  const std::string_view name = subject.member("name").text();
  if (kind == "User") return name == account.user();
  if (kind == "Group") {
    const std::vector<std::string> groups = account.groups();
    return std::ranges::find(groups, name) != groups.end();
  }
  const std::string_view given = subject.member("namespace").text();
  return kind == "ServiceAccount" && name == account.name &&
         (given.empty() ? binding_namespace : given) == account.namespace_;
}

using Roles = std::map<std::pair<std::string, ObjectKey>, Object>;  // by kind and key

Result<void> read_roles(ClusterReader& cluster, const std::string& kind, Roles& roles) {
  const auto& read = cluster.list({rbac_version, kind});
  if (!read) return fail(read.error());
  for (const Object& role : read->objects) roles.emplace(std::pair(kind, role.key()), role);
  return {};
}

Result<void> read_bindings(ClusterReader& cluster, const std::string& kind, const ServiceAccount& account,
                           const Roles& roles, std::vector<Grant>& grants) {
  const auto& read = cluster.list({rbac_version, kind});
  if (!read) return fail(read.error());
  for (const Object& binding : read->objects) {
    const json::View subjects = binding["/subjects"];
    bool is_bound = false;
    for (const json::View one : subjects.elements()) {
      is_bound = is_bound || is_subject(one, binding.namespace_(), account);
    }
    if (!is_bound) continue;
    const std::string role_kind(binding["/roleRef/kind"].text());
    const ObjectKey key{role_kind == "Role" ? std::string(binding.namespace_()) : std::string(),
                        std::string(binding["/roleRef/name"].text())};
    const auto role = roles.find({role_kind, key});
    if (role != roles.end()) grants.push_back({std::string(binding.namespace_()), role->second});
  }
  return {};
}

}  // namespace

std::string ServiceAccount::user() const { return fmt::format("system:serviceaccount:{}:{}", namespace_, name); }

std::vector<std::string> ServiceAccount::groups() const {
  return {"system:serviceaccounts", "system:serviceaccounts:" + namespace_, "system:authenticated"};
}

bool is_allowed_by(json::View rule, const Need& need) {
  const json::View verbs = rule.member("verbs");
  if (!has(verbs, "*") && !has(verbs, need.verb)) return false;
  if (!need.url.empty()) return has_url(rule.member("nonResourceURLs"), need.url);
  const json::View groups = rule.member("apiGroups");
  const json::View names = rule.member("resourceNames");
  return (has(groups, "*") || has(groups, need.group)) && has_resource(rule.member("resources"), need.resource) &&
         (names.empty() || (!need.name.empty() && has(names, need.name)));
}

bool is_allowed_by(const Grant& grant, const Need& need) {
  if (!grant.namespace_.empty() && (grant.namespace_ != need.namespace_ || !need.url.empty())) return false;
  const json::View rules = grant.role["/rules"];
  for (const json::View rule : rules.elements()) {
    if (is_allowed_by(rule, need)) return true;
  }
  return false;
}

bool is_allowed_by(const std::vector<Grant>& grants, const Need& need) {
  return std::ranges::any_of(grants, [&](const Grant& grant) { return is_allowed_by(grant, need); });
}

std::vector<Need> needs_of(const Object& role) {
  std::vector<Need> needs;
  const std::string namespace_(role.namespace_());
  const auto add = [&](json::View group, json::View resource, json::View rule, std::string_view name) {
    for (const json::View verb : rule.member("verbs").elements()) {
      needs.push_back({.group = std::string(group.text()),
                       .resource = std::string(resource.text()),
                       .verb = std::string(verb.text()),
                       .name = std::string(name),
                       .namespace_ = namespace_});
    }
  };
  const json::View rules = role["/rules"];
  for (const json::View rule : rules.elements()) {
    const json::View names = rule.member("resourceNames");
    for (const json::View group : rule.member("apiGroups").elements()) {
      for (const json::View resource : rule.member("resources").elements()) {
        for (const json::View name : names.elements()) add(group, resource, rule, name.text());
        if (names.empty()) add(group, resource, rule, "");
      }
    }
    for (const json::View url : rule.member("nonResourceURLs").elements()) {
      for (const json::View verb : rule.member("verbs").elements()) {
        needs.push_back({.verb = std::string(verb.text()), .url = std::string(url.text())});
      }
    }
  }
  return needs;
}

Result<std::vector<Grant>> read_grants(ClusterReader& cluster, const ServiceAccount& account) {
  Roles roles;
  std::vector<Grant> grants;
  for (const char* kind : {"ClusterRole", "Role"}) {
    if (auto read = read_roles(cluster, kind, roles); !read) return fail(std::move(read.error()));
  }
  for (const char* kind : {"ClusterRoleBinding", "RoleBinding"}) {
    if (auto read = read_bindings(cluster, kind, account, roles, grants); !read) return fail(std::move(read.error()));
  }
  return grants;
}

}  // namespace pintle::doctor
