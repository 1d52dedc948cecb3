// SPDX-License-Identifier: Apache-2.0
// The limits and requests of a container.
#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include <pintle/object/quantity.hpp>

#include "apiserver/registry/names/name_rules.hpp"
#include "apiserver/registry/refusal.hpp"
#include "container_rules.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;
using json::View;

using Causes = std::vector<StatusCause>;

constexpr std::array<std::string_view, 3> container_resources{"cpu", "memory", "ephemeral-storage"};
// Other resources with plain names, for quotas and claims.
constexpr std::array<std::string_view, 17> other_standard_resources{"requests.cpu",
                                                                    "requests.memory",
                                                                    "requests.ephemeral-storage",
                                                                    "limits.cpu",
                                                                    "limits.memory",
                                                                    "pods",
                                                                    "limits.ephemeral-storage",
                                                                    "resourcequotas",
                                                                    "services",
                                                                    "secrets",
                                                                    "replicationcontrollers",
                                                                    "configmaps",
                                                                    "storage",
                                                                    "requests.storage",
                                                                    "persistentvolumeclaims",
                                                                    "services.nodeports",
                                                                    "services.loadbalancers"};

template <std::size_t n>
bool is_among(std::string_view name, const std::array<std::string_view, n>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_native(std::string_view name) {
  return name.find('/') == std::string_view::npos || name.find("kubernetes.io/") != std::string_view::npos;
}
bool is_huge_page(std::string_view name) { return name.starts_with("hugepages-"); }
// A resource of a device plugin: it has whole amounts, and its limit is its request.
bool is_extended_resource(std::string_view name) { return !is_native(name) && !name.starts_with("requests."); }
bool can_overcommit(std::string_view name) { return is_native(name) && !is_huge_page(name); }

void validate_resource_name(std::string_view name, const std::string& field, Causes& causes) {
  const TextErrors errors = label_key_errors(name);
  add_errors(field, name, errors, causes);
  if (name.find('/') != std::string_view::npos) {
    const bool is_proper =
        is_native(name) || (is_extended_resource(name) && label_key_errors(fmt::format("requests.{}", name)).empty());
    if (!is_proper)
      causes.push_back(invalid_value(field, Value(name), "doesn't follow extended resource name standard"));
    return;
  }
  if (is_among(name, container_resources) || is_huge_page(name)) return;
  if (errors.empty() && !is_among(name, other_standard_resources)) {
    causes.push_back(invalid_value(field, Value(name), "must be a standard resource type or fully qualified"));
  }
  causes.push_back(invalid_value(field, Value(name), "must be a standard resource for containers"));
}

void validate_amounts(View amounts, const std::string& field, Causes& causes) {
  for (const auto [name, amount] : amounts.members()) {
    const std::string at = fmt::format("{}[{}]", field, name);
    validate_resource_name(name, at, causes);
    const auto quantity = Quantity::from_json(amount);
    if (!quantity) continue;
    if (quantity->is_negative()) {
      causes.push_back(invalid_value(at, Value(quantity->to_string()), "must be greater than or equal to 0"));
    }
    if (is_extended_resource(name) && quantity->milli_value() % 1000 != 0) {
      causes.push_back(invalid_value(at, Value(quantity->to_string()), "must be an integer"));
    }
  }
}

}  // namespace

void validate_container_resources(View resources, const std::string& field, Causes& causes) {
  const View limits = resources.member("limits");
  validate_amounts(limits, field + ".limits", causes);
  validate_amounts(resources.member("requests"), field + ".requests", causes);
  for (const auto [name, amount] : resources.member("requests").members()) {
    const View limit_view = limits.member(name);
    if (!limit_view.exists()) {
      if (can_overcommit(name)) continue;
      causes.push_back(required(field + ".limits", "Limit must be set for non overcommitable resources"));
      continue;
    }
    const auto request = Quantity::from_json(amount);
    const auto limit = Quantity::from_json(limit_view);
    if (!request || !limit || *request == *limit || (can_overcommit(name) && *request <= *limit)) continue;
    causes.push_back(
        invalid_value(field + ".requests", Value(request->to_string()),
                      fmt::format("must be {} to {} limit of {}", can_overcommit(name) ? "less than or equal" : "equal",
                                  name, limit->to_string())));
  }
}

}  // namespace pintle::apiserver
