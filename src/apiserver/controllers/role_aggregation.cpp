// SPDX-License-Identifier: Apache-2.0
#include "role_aggregation.hpp"

#include <algorithm>
#include <utility>

#include <pintle/object/merge/managed_fields.hpp>
#include <pintle/object/selector.hpp>

#include "apiserver/objects/write.hpp"
#include "apiserver/registry/values.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;

constexpr std::string_view cluster_roles = "clusterroles.rbac.authorization.k8s.io";

json::array rules_of_role(const Object& role) {
  json::array out;
  for (const json::View rule : role["/rules"].elements()) out.push_back(rule.to_value());
  return out;
}

bool is_selected(const Object& role, json::View selectors) {
  for (const json::View given : selectors.elements()) {
    const auto selector = LabelSelector::from_json(given);
    if (selector && selector->matches(role.labels())) return true;
  }
  return false;
}

}  // namespace

void RoleAggregation::round() {
  const Version written = service_.storage.last_write(cluster_roles);
  if (written == std::exchange(processed_, written)) return;
  const std::vector<Object> roles = service_.storage.objects(cluster_roles);
  for (const Object& role : roles) {
    if (role["/aggregationRule"].is_object()) aggregate(role, roles);
  }
}

// An aggregated role may select another one, so its own write leads to another round.
void RoleAggregation::aggregate(const Object& role, const std::vector<Object>& roles) {
  json::array rules;
  for (const Object& other : roles) {
    if (other.name() == role.name() || !is_selected(other, role["/aggregationRule/clusterRoleSelectors"])) continue;
    for (Value& rule : rules_of_role(other)) {
      const bool is_there =
          std::any_of(rules.begin(), rules.end(), [&](const Value& known) { return json::equal(known, rule); });
      if (!is_there) rules.push_back(std::move(rule));
    }
  }
  if (json::equal(Value(rules), Value(rules_of_role(role)))) return;
  const ResourcePtr resource = service_.registry.catalog()->of_collection(cluster_roles);
  const Value config{{"apiVersion", resource->api_version()},
                     {"kind", resource->kind},
                     {"metadata", {{"name", role.name()}}},
                     {"rules", std::move(rules)}};
  const FieldManager manager{.name = "clusterrole-aggregation-controller", .api_version = resource->api_version()};
  Edit edit{.applies = true};
  edit.make = [&](const Value& current) -> StatusOr<Value> {
    auto merged = apply_configuration(current, config, resource->strategy->schema(), manager,
                                      {.force = true, .now = service_.executor.wall_now()});
    if (!merged) return refuse(internal_error(merged.error().message));
    return std::move(*merged);
  };
  // A role that was deleted meanwhile needs no rules.
  (void)edit_object(service_, *resource, "", role.name(), edit, {.manager = manager.name});
}

}  // namespace pintle::apiserver
