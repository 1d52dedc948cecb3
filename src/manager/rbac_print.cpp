// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <tuple>

#include <pintle/controller/rbac_rule.hpp>
#include <pintle/json/value.hpp>

#include "rbac.hpp"

namespace pintle {
namespace {

json::array list_of(const std::vector<std::string>& texts) { return json::array(texts.begin(), texts.end()); }

json::array to_value(const std::vector<RbacRule>& rules) {
  using Texts = std::vector<std::string>;
  std::map<std::tuple<std::string, Texts, Texts>, Texts> by_verbs;
  for (const RbacRule& rule : rules) by_verbs[{rule.group, rule.names, rule.verbs}].push_back(rule.resource);
  json::array list;
  for (const auto& [about, resources] : by_verbs) {
    const auto& [group, names, verbs] = about;
    json::object made{{"apiGroups", json::array{group}}, {"resources", list_of(resources)}};
    if (!names.empty()) made["resourceNames"] = list_of(names);
    made["verbs"] = list_of(verbs);
    list.emplace_back(std::move(made));
  }
  return list;
}

}  // namespace

json::Value to_value(const RbacRole& role) {
  json::object metadata{{"name", role.name}};
  if (!role.namespace_.empty()) metadata["namespace"] = role.namespace_;
  return json::object{{"apiVersion", "rbac.authorization.k8s.io/v1"},
                      {"kind", role.namespace_.empty() ? "ClusterRole" : "Role"},
                      {"metadata", std::move(metadata)},
                      {"rules", to_value(role.rules)}};
}

std::string print_rbac(const std::vector<RbacRole>& roles) {
  std::string text;
  for (const RbacRole& role : roles) {
    text += "---\n";
    if (role.cluster != home_cluster) text += "# In the cluster " + role.cluster + ".\n";
    text += json::print_yaml(to_value(role));
  }
  return text;
}

}  // namespace pintle
