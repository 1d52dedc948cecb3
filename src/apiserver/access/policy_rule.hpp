// SPDX-License-Identifier: Apache-2.0
// PolicyRule: one rule of a Role or a ClusterRole.
#pragma once

#include <string>
#include <vector>

#include <pintle/json/document.hpp>
#include <pintle/json/value.hpp>

#include "action.hpp"

namespace pintle::apiserver {

// A plain value.
struct PolicyRule {
  std::vector<std::string> verbs{};
  std::vector<std::string> groups{};
  std::vector<std::string> resources{};  // "pods", "pods/log", "*/scale", "*"
  std::vector<std::string> names{};      // empty: all
  std::vector<std::string> urls{};       // "/healthz", "/apis/*", "*"

  [[nodiscard]] static PolicyRule from_json(json::View rule);
  [[nodiscard]] bool allows(const Action& action) const;
  // "{APIGroups:[""], Resources:["pods"], Verbs:["get"]}", without members that are empty.
  [[nodiscard]] std::string text() const;
};

using PolicyRules = std::vector<PolicyRule>;

[[nodiscard]] PolicyRules parse_policy_rules(json::View rules);

// Returns the parts of `wanted` that no single rule of `held` covers, as rules with one group, one resource and at most
// one name. A wildcard is covered by a wildcard only. The verbs of one resource are in one rule.
[[nodiscard]] PolicyRules missing_rules(const PolicyRules& held, const PolicyRules& wanted);

}  // namespace pintle::apiserver
