// SPDX-License-Identifier: Apache-2.0
#include "match_criteria.hpp"

#include <algorithm>
#include <utility>

namespace pintle::apiserver {
namespace {

using json::View;

std::vector<std::string> texts(View list) {
  std::vector<std::string> out;
  for (const View item : list.elements()) out.emplace_back(item.text());
  return out;
}

bool selects(const std::vector<std::string>& list, std::string_view wanted) {
  return std::any_of(list.begin(), list.end(), [&](const std::string& one) { return one == "*" || one == wanted; });
}

bool names_resource(std::string_view pattern, std::string_view plural, std::string_view subresource) {
  const std::size_t slash = pattern.find('/');
  const bool has_part = slash != std::string_view::npos;
  const std::string_view whole = pattern.substr(0, slash);
  const std::string_view part = has_part ? pattern.substr(slash + 1) : std::string_view{};
  return (whole == "*" || whole == plural) && ((has_part && part == "*") || part == subresource);
}

std::vector<AdmissionRule> read_rules(View rules) {
  std::vector<AdmissionRule> out;
  for (const View rule : rules.elements()) {
    out.push_back({.operations = texts(rule.member("operations")),
                   .groups = texts(rule.member("apiGroups")),
                   .versions = texts(rule.member("apiVersions")),
                   .resources = texts(rule.member("resources")),
                   .names = texts(rule.member("resourceNames")),
                   .scope = std::string(rule.member("scope").text())});
  }
  return out;
}

// A selector that cannot be read selects all objects, so that the error is not overlooked.
void read_selectors(View owner, MatchCriteria& out) {
  for (const auto& [name, selector] :
       {std::pair("namespaceSelector", &out.namespace_selector), std::pair("objectSelector", &out.object_selector)}) {
    const View given = owner.member(name);
    if (!given) continue;
    auto read = LabelSelector::from_json(given);
    if (read) {
      *selector = std::move(*read);
    } else {
      out.error = read.error().message;
    }
  }
}

}  // namespace

bool AdmissionRule::matches(const Request& request) const {
  const bool is_in_scope = scope.empty() || scope == "*" || (scope == "Namespaced") == request.namespaced;
  const bool has_name = names.empty() || std::find(names.begin(), names.end(), request.name) != names.end();
  return is_in_scope && has_name && selects(operations, request.operation) && selects(groups, request.group) &&
         selects(versions, request.version) &&
         std::any_of(resources.begin(), resources.end(),
                     [&](const std::string& one) { return names_resource(one, request.plural, request.subresource); });
}

MatchCriteria read_webhook_criteria(View webhook) {
  MatchCriteria out{.rules = read_rules(webhook.member("rules")),
                    .matches_exactly = webhook.member("matchPolicy") == "Exact"};
  read_selectors(webhook, out);
  return out;
}

MatchCriteria read_policy_criteria(View resources) {
  MatchCriteria out{.rules = read_rules(resources.member("resourceRules")),
                    .excluded = read_rules(resources.member("excludeResourceRules")),
                    .matches_without_rules = true,
                    .matches_exactly = resources.member("matchPolicy") == "Exact"};
  read_selectors(resources, out);
  return out;
}

}  // namespace pintle::apiserver
