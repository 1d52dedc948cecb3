// SPDX-License-Identifier: Apache-2.0
#include "doctor/webhook_lock.hpp"

#include <string_view>

#include <pintle/object/selector.hpp>

namespace pintle::doctor {
namespace {

struct Essential {
  const char* group;
  const char* resource;
  bool is_namespaced;
};

// Without them no Pod starts, and no instance leads.
constexpr Essential all_essential[] = {
    {"", "pods", true}, {"coordination.k8s.io", "leases", true}, {"", "nodes", false}, {"", "namespaces", false}};

bool includes(json::View list, std::string_view text) {
  for (const json::View one : list.elements()) {
    if (one == text || one == "*") return true;
  }
  return false;
}

// "*/*" and "pods/*" include the resource itself and its subresources.
bool includes_resource(json::View list, const std::string& resource) {
  return includes(list, resource) || includes(list, resource + "/*") || includes(list, "*/*");
}

bool matches(json::View rule, const Essential& one) {
  const std::string_view scope = rule.member("scope").text();
  if (scope == (one.is_namespaced ? "Cluster" : "Namespaced")) return false;
  const json::View operations = rule.member("operations");
  return (includes(operations, "CREATE") || includes(operations, "UPDATE")) &&
         includes(rule.member("apiGroups"), one.group) && includes_resource(rule.member("resources"), one.resource);
}

bool has_match(json::View rules, const Essential& one) {
  for (const json::View rule : rules.elements()) {
    if (matches(rule, one)) return true;
  }
  return false;
}

}  // namespace

Result<std::string> locked_resources(ClusterReader& cluster, json::View webhook) {
  const std::string_view namespace_ = webhook["/clientConfig/service/namespace"].text();
  if (namespace_.empty() || webhook.member("failurePolicy") == "Ignore") return std::string();
  if (!webhook.member("objectSelector").empty() || !webhook.member("matchConditions").empty()) return std::string();
  const auto selector = LabelSelector::from_json(webhook.member("namespaceSelector"));
  if (!selector) return fail(selector.error());
  bool selects_own = true;
  if (!selector->empty()) {
    const auto own = cluster.get(namespace_type, {.name = std::string(namespace_)});
    if (!own && own.error().code != ErrorCode::not_found) return fail(own.error());
    selects_own = own && selector->matches(own->labels());
  }
  std::string all;
  for (const Essential& one : all_essential) {
    // The selector applies to the labels of a Namespace itself, and not to other cluster-scoped objects.
    const bool is_selected = selects_own || one.resource == std::string_view("nodes");
    if (!is_selected || !has_match(webhook.member("rules"), one)) continue;
    all += (all.empty() ? "" : ", ") + std::string(one.resource);
  }
  return all;
}

}  // namespace pintle::doctor
