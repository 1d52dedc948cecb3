// SPDX-License-Identifier: Apache-2.0
#include "escalation.hpp"

#include <memory>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <pintle/json/document.hpp>

#include "apiserver/registry/values.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;

const PolicyRules& all_rights() {
  static const PolicyRules rules{{.verbs = {"*"}, .groups = {"*"}, .resources = {"*"}},
                                 {.verbs = {"*"}, .urls = {"*"}}};
  return rules;
}

std::string quoted_list(const std::vector<std::string>& texts) {
  std::string out = "[";
  for (std::size_t i = 0; i < texts.size(); ++i) out += (i > 0 ? " " : "") + json::print(Value(texts[i]));
  return out + "]";
}

// One check of one user.
class EscalationCheck {
 public:
  EscalationCheck(const Authorizer& authorizer, const User& user, const RoleWrite& write)
      : authorizer_(authorizer), user_(user), write_(write), name_(text_at(write.next, "/metadata/name")) {}

  StatusOr<void> role() const {
    if (may("escalate", write_.resource.plural, write_.path_name) || changes_only_references()) return {};
    const json::Document document(write_.next);
    if (auto held = check_held(parse_policy_rules(document.root().member("rules"))); !held) return held;
    const bool aggregates = has_aggregation(&write_.next) || has_aggregation(write_.old);
    if (aggregates && !check_held(all_rights())) {
      return refuse(refusal("must have cluster-admin privileges to use the aggregationRule"));
    }
    return {};
  }

  StatusOr<void> binding() const {
    const std::string_view kind = text_at(write_.next, "/roleRef/kind");
    const std::string_view name = text_at(write_.next, "/roleRef/name");
    if (changes_only_references() || (!name.empty() && may("bind", kind == "Role" ? "roles" : "clusterroles", name))) {
      return {};
    }
    if (kind != "Role" && kind != "ClusterRole") {
      return refuse(internal_error(fmt::format("unsupported role reference kind: {}", json::print(Value(kind)))));
    }
    const auto rules = authorizer_.roles()->rules_of(kind, name, write_.namespace_);
    if (rules == nullptr) return refuse(not_found(write_.resource.named(name)));
    return check_held(*rules);
  }

 private:
  [[nodiscard]] bool may(std::string_view verb, std::string_view resource, std::string_view name) const {
    return authorizer_
        .authorize(user_, {.verb = std::string(verb),
                           .group = std::string(rbac_group),
                           .resource = std::string(resource),
                           .namespace_ = std::string(write_.namespace_),
                           .name = std::string(name)})
        .is_allowed;
  }

  [[nodiscard]] Refusal refusal(std::string_view why) const { return forbidden(write_.resource.named(name_), why); }

  [[nodiscard]] StatusOr<void> check_held(const PolicyRules& wanted) const {
    const Authorizer::HeldRules held = authorizer_.rules_of(user_, write_.namespace_);
    std::set<std::string> missing;
    for (const PolicyRule& rule : missing_rules(held.rules, wanted)) missing.insert(rule.text());
    if (missing.empty()) return {};
    std::string why = fmt::format("user {} (groups={}) is attempting to grant RBAC permissions not currently held:",
                                  json::print(Value(user_.name)), quoted_list(user_.groups));
    for (const std::string& rule : missing) why += "\n" + rule;
    if (!held.error.empty()) why += fmt::format("; resolution errors: [{}]", held.error);
    return refuse(refusal(why));
  }

  // A garbage collector must be able to delete each role.
  [[nodiscard]] bool changes_only_references() const {
    if (write_.old == nullptr) return false;
    Value before = *write_.old;
    Value after = write_.next;
    for (Value* object : {&before, &after}) {
      for (const char* name : {"ownerReferences", "finalizers", "managedFields"}) metadata_in(*object).erase(name);
    }
    return json::equal(before, after);
  }

  static bool has_aggregation(const Value* role) {
    const Value* rule = role == nullptr ? nullptr : json::find(*role, "/aggregationRule");
    return rule != nullptr && !rule->is_null();
  }

  const Authorizer& authorizer_;
  const User& user_;
  const RoleWrite& write_;
  const std::string_view name_;
};

}  // namespace

StatusOr<void> check_escalation(const Authorizer& authorizer, const User& user, const RoleWrite& write) {
  if (!authorizer.evaluates_roles() || write.resource.group != rbac_group || user.is_in(masters_group)) return {};
  const EscalationCheck check(authorizer, user, write);
  return write.resource.kind.ends_with("Binding") ? check.binding() : check.role();
}

}  // namespace pintle::apiserver
