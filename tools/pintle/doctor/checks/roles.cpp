// SPDX-License-Identifier: Apache-2.0
// The check roles: compares the roles that the program prints with those that its ServiceAccount has.
#include <functional>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "doctor/checks/checks.hpp"
#include "doctor/deployments.hpp"

namespace pintle::doctor {
namespace {

constexpr std::size_t max_reviews = 200;

using IsAllowed = std::function<Result<bool>(const Need&)>;

// Missing permissions of one rule: group, resource, name and URL, with the verbs.
using MissingRules = std::map<std::tuple<std::string, std::string, std::string, std::string>, std::set<std::string>>;

std::string print_rule(const MissingRules::value_type& rule) {
  const auto& [group, resource, name, url] = rule.first;
  const std::string verbs = fmt::format(R"(verbs: ["{}"])", fmt::join(rule.second, R"(", ")"));
  if (!url.empty()) return fmt::format(R"({{nonResourceURLs: ["{}"], {}}})", url, verbs);
  const std::string names = name.empty() ? "" : fmt::format(R"(resourceNames: ["{}"], )", name);
  return fmt::format(R"({{apiGroups: ["{}"], resources: ["{}"], {}{}}})", group, resource, names, verbs);
}

// The roles of the program against one user.
class RoleComparison {
 public:
  RoleComparison(const CheckInput& input, Lines& lines, std::string user, const ServiceAccount* account)
      : input_(input), lines_(lines), user_(std::move(user)), account_(account) {}

  // Error: that of `is_allowed`.
  Result<void> report(const IsAllowed& is_allowed) {
    std::size_t count = 0;
    bool has_all = true;
    for (const Object& role : input_.program->roles) {
      const std::vector<Need> needs = needs_of(role);
      std::vector<Need> missing;
      for (const Need& need : needs) {
        const auto allowed = is_allowed(need);
        if (!allowed) return fail(allowed.error());
        if (!*allowed) missing.push_back(need);
      }
      count += needs.size();
      has_all = has_all && missing.empty();
      report_missing(role, missing, missing.size() == needs.size());
    }
    if (has_all) lines_.ok(user_, fmt::format("has all {} permissions that the program needs", count));
    return {};
  }

 private:
  void report_missing(const Object& role, const std::vector<Need>& missing, bool is_all) {
    if (missing.empty()) return;
    const std::string where =
        role.namespace_().empty() ? "in all namespaces" : fmt::format("in namespace {}", role.namespace_());
    const std::string remedy = action(role);
    if (is_all) {
      const std::string detail =
          fmt::format("lacks all {} permissions of {} {} {}", missing.size(), role.kind(), role.name(), where);
      return lines_.fail(user_, detail, remedy);
    }
    MissingRules rules;
    for (const Need& need : missing) rules[{need.group, need.resource, need.name, need.url}].insert(need.verb);
    for (const auto& rule : rules)
      lines_.fail(user_, fmt::format("lacks the rule {} {}", print_rule(rule), where), remedy);
  }

  // If the role of the program is in the cluster but not bound, only a binding is missing.
  [[nodiscard]] std::string action(const Object& role) const {
    const std::string kind(role.kind());
    std::string apply = fmt::format("{} --print-rbac | kubectl apply -f -", input_.program->command);
    if (account_ == nullptr) return apply + fmt::format(", and bind the {} {} to this user", kind, role.name());
    const bool is_cluster_role = kind == "ClusterRole";
    const std::string in = is_cluster_role ? "" : fmt::format(" --namespace={}", role.namespace_());
    std::string bind = fmt::format(
        "kubectl create {} {}{} --{}={} --serviceaccount={}:{}", is_cluster_role ? "clusterrolebinding" : "rolebinding",
        role.name(), in, is_cluster_role ? "clusterrole" : "role", role.name(), account_->namespace_, account_->name);
    const auto installed = input_.cluster.get({"rbac.authorization.k8s.io/v1", kind}, role.key());
    if (!installed) return apply + "; " + bind;
    const Grant grant{std::string(role.namespace_()), *installed};
    for (const Need& need : needs_of(role)) {
      if (!is_allowed_by(grant, need)) return apply;
    }
    return bind;
  }

  const CheckInput& input_;
  Lines& lines_;
  const std::string user_;
  const ServiceAccount* const account_;
};

json::object resource_attributes(const Need& need) {
  const auto slash = need.resource.find('/');
  json::object attributes{{"group", need.group}, {"resource", need.resource.substr(0, slash)}, {"verb", need.verb}};
  if (slash != std::string::npos) attributes["subresource"] = need.resource.substr(slash + 1);
  if (!need.namespace_.empty()) attributes["namespace"] = need.namespace_;
  if (!need.name.empty()) attributes["name"] = need.name;
  return attributes;
}

// Reviews the access of the ServiceAccount, or without one that of the user of the kubeconfig.
IsAllowed by_review(ClusterReader& cluster, const ServiceAccount* account) {
  return [&cluster, account, count = std::size_t{0}](const Need& need) mutable -> Result<bool> {
    if (++count > max_reviews) return fail(ErrorCode::unsupported, "the program has too many rules to review");
    json::object spec;
    if (need.url.empty()) {
      spec["resourceAttributes"] = resource_attributes(need);
    } else {
      spec["nonResourceAttributes"] = json::object{{"path", need.url}, {"verb", need.verb}};
    }
    if (account == nullptr) return cluster.review("SelfSubjectAccessReview", spec);
    const std::vector<std::string> groups = account->groups();
    spec["user"] = account->user();
    spec["groups"] = json::array(groups.begin(), groups.end());
    return cluster.review("SubjectAccessReview", spec);
  };
}

void check_account(const CheckInput& input, const ServiceAccount& account, Lines& lines) {
  const std::string subject = fmt::format("ServiceAccount {}/{}", account.namespace_, account.name);
  RoleComparison comparison(input, lines, subject, &account);
  const auto grants = read_grants(input.cluster, account);
  if (grants) {
    (void)comparison.report([&](const Need& need) -> Result<bool> { return is_allowed_by(*grants, need); });
    return;
  }
  // Without the permission to read roles, the server can still review the access.
  if (comparison.report(by_review(input.cluster, &account))) return;
  lines.unreadable(subject, grants.error(), {"rbac.authorization.k8s.io", "*"});
}

void check_user(const CheckInput& input, Lines& lines) {
  const std::string subject =
      "user of the kubeconfig (no Deployment has the label " + deployment_label(input.program->name) + ")";
  RoleComparison comparison(input, lines, subject, nullptr);
  const auto done = comparison.report(by_review(input.cluster, nullptr));
  if (!done) {
    lines.unreadable(subject, done.error(), {"authorization.k8s.io", "selfsubjectaccessreviews", "create"});
  }
}

}  // namespace

void check_roles(const CheckInput& input, Lines& lines) {
  if (!input.program) return lines.skip("roles", "no program is given", "add `-- PROGRAM` to compare its roles");
  const auto& deployments = deployments_of_program(input);
  if (!deployments) return lines.unreadable("Deployments", deployments.error(), {"apps", "deployments"});
  std::set<std::pair<std::string, std::string>> checked;
  for (const Object& deployment : deployments->objects) {
    const ServiceAccount account = service_account_of(deployment);
    if (checked.emplace(account.namespace_, account.name).second) check_account(input, account, lines);
  }
  if (checked.empty()) check_user(input, lines);
}

}  // namespace pintle::doctor
