// SPDX-License-Identifier: Apache-2.0
#include "scheduling_rules.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "../../cells.hpp"
#include "apiserver/registry/names/label_rules.hpp"
#include "apiserver/registry/names/name_rules.hpp"
#include "apiserver/registry/refusal.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;
using json::View;

using Causes = std::vector<StatusCause>;

void validate_toleration(View toleration, const std::string& field, Causes& causes) {
  const std::string_view key = toleration.member("key").text();
  const std::string_view op = toleration.member("operator").text();
  const std::string_view value = toleration.member("value").text();
  const std::string_view effect = toleration.member("effect").text();
  if (!key.empty()) add_errors(field + ".key", key, label_key_errors(key), causes);
  const std::string at = field + ".operator";
  if (key.empty() && op != "Exists") {
    causes.push_back(invalid_value(
        at, Value(op), "operator must be Exists when `key` is empty, which means \"match all values and all keys\""));
  }
  if (toleration.member("tolerationSeconds").exists() && effect != "NoExecute") {
    causes.push_back(
        invalid_value(field + ".effect", Value(effect), "effect must be 'NoExecute' when `tolerationSeconds` is set"));
  }
  if (op.empty() || op == "Equal") {
    const TextErrors errors = label_value_errors(value);
    if (!errors.empty()) causes.push_back(invalid_value(at, Value(value), fmt::format("{}", fmt::join(errors, ";"))));
  } else if (op == "Exists" && !value.empty()) {
    causes.push_back(invalid_value(at, Value(value), "value must be empty when `operator` is 'Exists'"));
  }
}

std::set<std::string_view> keys_of(View selector) {
  std::set<std::string_view> out;
  for (const auto [key, value] : selector.member("matchLabels").members()) out.insert(key);
  for (const View one : selector.member("matchExpressions").elements()) out.insert(one.member("key").text());
  return out;
}

void validate_spread_keys(View constraint, const std::string& field, Causes& causes) {
  const View keys = constraint.member("matchLabelKeys");
  const View selector = constraint.member("labelSelector");
  if (keys.empty()) return;
  if (!selector.exists()) {
    causes.push_back(forbidden_field(field, "must not be specified when labelSelector is not set"));
  }
  const auto selected = keys_of(selector);
  std::size_t i = 0;
  for (const View key : keys.elements()) {
    const std::string at = fmt::format("{}[{}]", field, i++);
    add_errors(at, key.text(), label_key_errors(key.text()), causes);
    if (selected.contains(key.text())) {
      causes.push_back(invalid_value(at, Value(key.text()), "exists in both matchLabelKeys and labelSelector"));
    }
  }
}

void validate_spread_constraint(View constraint, const std::string& field, Causes& causes) {
  const std::int64_t skew = integer_cell(constraint.member("maxSkew"));
  if (skew <= 0) causes.push_back(invalid_value(field + ".maxSkew", Value(skew), "must be greater than zero"));
  if (constraint.member("topologyKey").text().empty()) {
    causes.push_back(required(field + ".topologyKey", "can not be empty"));
  }
  const std::string_view action = constraint.member("whenUnsatisfiable").text();
  if (action.empty()) {
    causes.push_back(not_supported(field + ".whenUnsatisfiable", Value(""), {"DoNotSchedule", "ScheduleAnyway"}));
  }
  const View domains = constraint.member("minDomains");
  if (domains.exists() && integer_cell(domains) <= 0) {
    causes.push_back(invalid_value(field + ".minDomains", domains.to_value(), "must be greater than zero"));
  }
  if (domains.exists() && action != "DoNotSchedule") {
    causes.push_back(
        invalid_value(field + ".minDomains", domains.to_value(),
                      fmt::format("can only use minDomains if whenUnsatisfiable=DoNotSchedule, not {}", action)));
  }
  validate_spread_keys(constraint, field + ".matchLabelKeys", causes);
  validate_selector(constraint.member("labelSelector"), field + ".labelSelector", causes);
}

}  // namespace

void validate_tolerations(View tolerations, const std::string& field, Causes& causes) {
  std::size_t i = 0;
  for (const View toleration : tolerations.elements()) {
    validate_toleration(toleration, fmt::format("{}[{}]", field, i++), causes);
  }
}

void validate_spread(View constraints, const std::string& field, Causes& causes) {
  std::vector<std::string> all;
  for (const View one : constraints.elements()) {
    all.push_back(fmt::format("{{{}, {}}}", one.member("topologyKey").text(), one.member("whenUnsatisfiable").text()));
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string at = fmt::format("{}[{}]", field, i);
    const auto next = all.begin() + static_cast<std::ptrdiff_t>(i) + 1;
    validate_spread_constraint(constraints.element(i), at, causes);
    if (std::find(next, all.end(), all[i]) == all.end()) continue;
    causes.push_back(duplicate_value(at + ".{topologyKey, whenUnsatisfiable}", Value(all[i])));
  }
}

void validate_gates(View spec, const std::string& field, Causes& causes) {
  std::size_t i = 0;
  for (const View gate : spec.member("readinessGates").elements()) {
    const std::string_view type = gate.member("conditionType").text();
    add_errors(fmt::format("{}.readinessGates[{}].conditionType", field, i++), type, label_key_errors(type), causes);
  }
  std::set<std::string_view> seen;
  i = 0;
  for (const View gate : spec.member("schedulingGates").elements()) {
    const std::string at = fmt::format("{}.schedulingGates[{}]", field, i++);
    const std::string_view name = gate.member("name").text();
    add_errors(at, name, label_key_errors(name), causes);
    if (!seen.insert(name).second) causes.push_back(duplicate_value(at, Value(name)));
  }
}

}  // namespace pintle::apiserver
