// SPDX-License-Identifier: Apache-2.0
// The affinity of Pods to nodes and to other Pods.
#include <cstdint>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "../../cells.hpp"
#include "apiserver/registry/names/label_rules.hpp"
#include "apiserver/registry/names/name_rules.hpp"
#include "apiserver/registry/refusal.hpp"
#include "scheduling_rules.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;
using json::View;

using Causes = std::vector<StatusCause>;

constexpr const char* required_terms = "requiredDuringSchedulingIgnoredDuringExecution";
constexpr const char* preferred_terms = "preferredDuringSchedulingIgnoredDuringExecution";

void validate_node_requirement(View requirement, bool checks_values, const std::string& field, Causes& causes) {
  const std::string_view op = requirement.member("operator").text();
  const View values = requirement.member("values");
  if (op == "In" || op == "NotIn") {
    if (values.empty()) {
      causes.push_back(required(field + ".values", "must be specified when `operator` is 'In' or 'NotIn'"));
    }
  } else if (op == "Exists" || op == "DoesNotExist") {
    if (!values.empty()) {
      causes.push_back(
          forbidden_field(field + ".values", "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
    }
  } else if (op == "Gt" || op == "Lt") {
    if (values.size() != 1) {
      causes.push_back(required(field + ".values", "must be specified single value when `operator` is 'Lt' or 'Gt'"));
    }
  } else {
    causes.push_back(invalid_value(field + ".operator", Value(op), "not a valid selector operator"));
  }
  const std::string_view key = requirement.member("key").text();
  add_errors(field + ".key", key, label_key_errors(key), causes);
  std::size_t i = 0;
  for (const View value : values.elements()) {
    const std::string at = fmt::format("{}.values[{}]", field, i++);
    if (checks_values) add_errors(at, value.text(), label_value_errors(value.text()), causes);
  }
}

// The only field of a node that can be selected is its name.
void validate_node_field(View requirement, const std::string& field, Causes& causes) {
  const std::string_view op = requirement.member("operator").text();
  const View values = requirement.member("values");
  if (op != "In" && op != "NotIn") {
    causes.push_back(invalid_value(field + ".operator", Value(op), "not a valid selector operator"));
  } else if (values.size() != 1) {
    causes.push_back(required(field + ".values",
                              "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"));
  }
  const std::string_view key = requirement.member("key").text();
  if (key != "metadata.name") {
    return causes.push_back(invalid_value(field + ".key", Value(key), "not a valid field selector key"));
  }
  std::size_t i = 0;
  for (const View value : values.elements()) {
    add_errors(fmt::format("{}.values[{}]", field, i++), value.text(), subdomain_errors(value.text()), causes);
  }
}

void validate_node_term(View term, bool checks_values, const std::string& field, Causes& causes) {
  std::size_t i = 0;
  for (const View requirement : term.member("matchExpressions").elements()) {
    validate_node_requirement(requirement, checks_values, fmt::format("{}.matchExpressions[{}]", field, i++), causes);
  }
  i = 0;
  for (const View requirement : term.member("matchFields").elements()) {
    validate_node_field(requirement, fmt::format("{}.matchFields[{}]", field, i++), causes);
  }
}

void validate_weight(View term, const std::string& field, Causes& causes) {
  constexpr std::int64_t highest_weight = 100;
  const std::int64_t weight = integer_cell(term.member("weight"));
  if (weight >= 1 && weight <= highest_weight) return;
  causes.push_back(invalid_value(field + ".weight", Value(weight), "must be in the range 1-100"));
}

void validate_label_keys(View term, const char* name, const std::string& field, Causes& causes) {
  const View keys = term.member(name);
  const std::string at = fmt::format("{}.{}", field, name);
  if (keys.empty()) return;
  if (!term.member("labelSelector").exists()) {
    return causes.push_back(forbidden_field(at, "must not be specified when labelSelector is not set"));
  }
  std::size_t i = 0;
  for (const View key : keys.elements()) {
    add_errors(fmt::format("{}[{}]", at, i++), key.text(), label_key_errors(key.text()), causes);
  }
}

void validate_pod_term(View term, const std::string& field, Causes& causes) {
  validate_selector(term.member("labelSelector"), field + ".labelSelector", causes);
  validate_selector(term.member("namespaceSelector"), field + ".namespaceSelector", causes);
  for (const View name : term.member("namespaces").elements()) {
    add_errors(field + ".namespace", name.text(), dns_label_errors(name.text()), causes);
  }
  validate_label_keys(term, "matchLabelKeys", field, causes);
  validate_label_keys(term, "mismatchLabelKeys", field, causes);
  std::set<std::string_view> others;
  for (const View key : term.member("mismatchLabelKeys").elements()) others.insert(key.text());
  std::size_t i = 0;
  for (const View key : term.member("matchLabelKeys").elements()) {
    const std::string at = fmt::format("{}.matchLabelKeys[{}]", field, i++);
    if (!others.contains(key.text())) continue;
    causes.push_back(invalid_value(at, Value(key.text()), "exists in both matchLabelKeys and mismatchLabelKeys"));
  }
  const std::string_view topology = term.member("topologyKey").text();
  if (topology.empty()) causes.push_back(required(field + ".topologyKey", "can not be empty"));
  add_errors(field + ".topologyKey", topology, label_key_errors(topology), causes);
}

void validate_pod_affinity(View affinity, const std::string& field, Causes& causes) {
  std::size_t i = 0;
  for (const View term : affinity.member(required_terms).elements()) {
    validate_pod_term(term, fmt::format("{}.{}[{}]", field, required_terms, i++), causes);
  }
  i = 0;
  for (const View weighted : affinity.member(preferred_terms).elements()) {
    const std::string at = fmt::format("{}.{}[{}]", field, preferred_terms, i++);
    validate_weight(weighted, at, causes);
    validate_pod_term(weighted.member("podAffinityTerm"), at + ".podAffinityTerm", causes);
  }
}

void validate_node_affinity(View affinity, const std::string& field, Causes& causes) {
  if (const View selector = affinity.member(required_terms)) {
    validate_node_selector(selector, fmt::format("{}.{}", field, required_terms), causes);
  }
  std::size_t i = 0;
  for (const View weighted : affinity.member(preferred_terms).elements()) {
    const std::string at = fmt::format("{}.{}[{}]", field, preferred_terms, i++);
    validate_weight(weighted, at, causes);
    validate_node_term(weighted.member("preference"), false, at + ".preference", causes);
  }
}

}  // namespace

void validate_node_selector(View selector, const std::string& field, Causes& causes) {
  const View terms = selector.member("nodeSelectorTerms");
  const std::string at = field + ".nodeSelectorTerms";
  if (terms.empty()) return causes.push_back(required(at, "must have at least one node selector term"));
  std::size_t i = 0;
  for (const View term : terms.elements()) validate_node_term(term, true, fmt::format("{}[{}]", at, i++), causes);
}

void validate_affinity(View affinity, const std::string& field, Causes& causes) {
  validate_node_affinity(affinity.member("nodeAffinity"), field + ".nodeAffinity", causes);
  validate_pod_affinity(affinity.member("podAffinity"), field + ".podAffinity", causes);
  validate_pod_affinity(affinity.member("podAntiAffinity"), field + ".podAntiAffinity", causes);
}

}  // namespace pintle::apiserver
