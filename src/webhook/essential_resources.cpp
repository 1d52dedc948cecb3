// SPDX-License-Identifier: Apache-2.0
#include "essential_resources.hpp"

#include <algorithm>

namespace pintle {
namespace {

constexpr EssentialResource all_essential[] = {
    {"", "pods", true, true},
    {"", "pods/binding", true, true},
    {"", "pods/status", true, true},
    {"coordination.k8s.io", "leases", true, true},
    {"", "nodes", false, true},
    {"", "nodes/status", false, true},
    {"", "namespaces", false, true},
    {"discovery.k8s.io", "endpointslices", true, true},
    {"", "serviceaccounts/token", true, true},
    {"", "namespaces/finalize", false},
    {"", "secrets"},
    {"", "configmaps"},
    {"", "serviceaccounts"},
    {"", "services"},
    {"", "endpoints"},
    {"apps", "deployments"},
    {"apps", "replicasets"},
    {"apps", "daemonsets"},
    {"apps", "statefulsets"},
    {"apiextensions.k8s.io", "customresourcedefinitions", false},
    {"apiextensions.k8s.io", "customresourcedefinitions/status", false},
    {"apiregistration.k8s.io", "apiservices", false},
    {"apiregistration.k8s.io", "apiservices/status", false},
    {"rbac.authorization.k8s.io", "roles"},
    {"rbac.authorization.k8s.io", "rolebindings"},
    {"rbac.authorization.k8s.io", "clusterroles", false},
    {"rbac.authorization.k8s.io", "clusterrolebindings", false},
    {"certificates.k8s.io", "certificatesigningrequests", false},
    {"certificates.k8s.io", "certificatesigningrequests/approval", false},
    {"certificates.k8s.io", "certificatesigningrequests/status", false},
    {"authentication.k8s.io", "tokenreviews", false},
    {"authorization.k8s.io", "subjectaccessreviews", false},
    {"authorization.k8s.io", "localsubjectaccessreviews"},
};

bool includes(json::View list, std::string_view text) {
  for (const json::View one : list.elements()) {
    if (one == text || one == "*") return true;
  }
  return false;
}

struct ResourceParts {
  explicit ResourceParts(std::string_view text)
      : resource(text.substr(0, text.find('/'))),
        subresource(text.find('/') == std::string_view::npos ? std::string_view() : text.substr(text.find('/') + 1)) {}

  std::string_view resource;
  std::string_view subresource;
};

// "*" matches all resources without their subresources, and "pods/*" also matches "pods".
bool includes_resource(json::View list, std::string_view name) {
  const ResourceParts wanted(name);
  for (const json::View one : list.elements()) {
    const ResourceParts rule(one.text());
    const bool has_resource = rule.resource == "*" || rule.resource == wanted.resource;
    if (has_resource && (rule.subresource == "*" || rule.subresource == wanted.subresource)) return true;
  }
  return false;
}

bool matches(json::View rule, const EssentialResource& one, std::initializer_list<std::string_view> operations) {
  const std::string_view scope = rule.member("scope").text();
  if (scope == (one.is_namespaced ? "Cluster" : "Namespaced")) return false;
  const json::View sent = rule.member("operations");
  return std::any_of(operations.begin(), operations.end(),
                     [&](std::string_view operation) { return includes(sent, operation); }) &&
         includes(rule.member("apiGroups"), one.group) && includes_resource(rule.member("resources"), one.name);
}

}  // namespace

std::vector<EssentialResource> essential_resources(json::View rules,
                                                   std::initializer_list<std::string_view> operations) {
  std::vector<EssentialResource> found;
  for (const EssentialResource& one : all_essential) {
    for (const json::View rule : rules.elements()) {
      if (!matches(rule, one, operations)) continue;
      found.push_back(one);
      break;
    }
  }
  return found;
}

}  // namespace pintle
