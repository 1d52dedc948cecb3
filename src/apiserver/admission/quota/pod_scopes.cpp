// SPDX-License-Identifier: Apache-2.0
#include "pod_scopes.hpp"

#include "amounts.hpp"

namespace pintle::apiserver {
namespace {

using json::View;

bool is_terminating(View pod) { return pod["/spec/activeDeadlineSeconds"].as_integer().value_or(-1) >= 0; }

bool states_compute(const Amounts& amounts) {
  for (const char* name : {"cpu", "memory"}) {
    if (const auto found = amounts.find(name); found != amounts.end() && !found->second.is_zero()) return true;
  }
  return false;
}

bool is_best_effort(View pod) {
  for (const char* list : {"/spec/containers", "/spec/initContainers"}) {
    for (const View container : pod[list].elements()) {
      const ContainerAmounts amounts = amounts_of_container(container);
      if (states_compute(amounts.requests) || states_compute(amounts.limits)) return false;
    }
  }
  return !states_compute(amounts_of(pod["/spec/resources/requests"])) &&
         !states_compute(amounts_of(pod["/spec/resources/limits"]));
}

bool has_priority_class(View pod, std::string_view operator_name, View values) {
  const std::string_view name = pod["/spec/priorityClassName"].text();
  if (operator_name == "Exists") return !name.empty();
  if (operator_name == "DoesNotExist") return name.empty();
  bool is_listed = false;
  for (const View value : values.elements()) is_listed = is_listed || value == name;
  return is_listed == (operator_name == "In");
}

// True if a term of a Pod affinity names namespaces or selects them.
bool has_other_namespaces(View pod) {
  const auto crosses = [](View term) {
    return !term.member("namespaces").empty() || term.member("namespaceSelector").exists();
  };
  for (const char* kind : {"/spec/affinity/podAffinity", "/spec/affinity/podAntiAffinity"}) {
    const View affinity = pod[kind];
    for (const View term : affinity.member("requiredDuringSchedulingIgnoredDuringExecution").elements()) {
      if (crosses(term)) return true;
    }
    for (const View term : affinity.member("preferredDuringSchedulingIgnoredDuringExecution").elements()) {
      if (crosses(term.member("podAffinityTerm"))) return true;
    }
  }
  return false;
}

}  // namespace

bool is_in_scope(View pod, std::string_view scope, std::string_view operator_name, View values) {
  if (scope == "Terminating") return is_terminating(pod);
  if (scope == "NotTerminating") return !is_terminating(pod);
  if (scope == "BestEffort") return is_best_effort(pod);
  if (scope == "NotBestEffort") return !is_best_effort(pod);
  if (scope == "PriorityClass") return has_priority_class(pod, operator_name, values);
  return scope == "CrossNamespacePodAffinity" && has_other_namespaces(pod);
}

}  // namespace pintle::apiserver
