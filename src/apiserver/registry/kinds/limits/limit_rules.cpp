// SPDX-License-Identifier: Apache-2.0
#include "limit_rules.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <pintle/object/quantity.hpp>

#include "apiserver/registry/metadata.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;
using json::View;

using Causes = std::vector<StatusCause>;

template <std::size_t Size>
bool has_text(const std::array<std::string_view, Size>& texts, std::string_view text) {
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

constexpr std::array<std::string_view, 5> amount_lists{"min", "max", "default", "defaultRequest",
                                                       "maxLimitRequestRatio"};

StatusCause invalid_amount(std::string field, const Quantity& amount, std::string_view why) {
  return invalid_value(std::move(field), Value(amount.to_string()), why);
}

// The amounts of one resource in an item of a LimitRange.
class LimitCheck {
 public:
  LimitCheck(View limit, std::string_view name, const std::string& field, Causes& causes)
      : limit_(limit), name_(name), field_(field), causes_(causes) {}

  void check() const {
    check_order("min", "max", "min", "min value", "max value");
    check_order("min", "defaultRequest", "defaultRequest", "min value", "default request value");
    check_order("defaultRequest", "max", "defaultRequest", "default request value", "max value");
    check_order("defaultRequest", "default", "defaultRequest", "default request value", "default limit value");
    check_order("min", "default", "default", "min value", "default value");
    check_order("default", "max", "default", "default value", "max value");
    check_ratio();
  }

 private:
  [[nodiscard]] std::optional<Quantity> amount(std::string_view list) const {
    const View found = limit_.member(list).member(name_);
    auto quantity = Quantity::from_json(found);
    return found.exists() && quantity ? std::optional(*quantity) : std::nullopt;
  }

  [[nodiscard]] std::string at(std::string_view list) const { return fmt::format("{}.{}[{}]", field_, list, name_); }

  // kube-apiserver shows the value of the list `place`, but the other one if that is "default".
  void check_order(std::string_view low, std::string_view high, std::string_view place, std::string_view low_name,
                   std::string_view high_name) const {
    const auto lower = amount(low);
    const auto upper = amount(high);
    if (!lower || !upper || *lower <= *upper) return;
    const Quantity& shown = (place == low) != (place == "default") ? *lower : *upper;
    causes_.push_back(invalid_amount(
        at(place), shown,
        fmt::format("{} {} is greater than {} {}", low_name, lower->to_string(), high_name, upper->to_string())));
  }

  void check_ratio() const {
    const auto ratio = amount("maxLimitRequestRatio");
    if (!ratio) return;
    const std::string place = at("maxLimitRequestRatio");
    if (*ratio < Quantity(1)) {
      causes_.push_back(invalid_amount(place, *ratio, fmt::format("ratio {} is less than 1", ratio->to_string())));
    }
    const auto low = amount("min");
    const auto high = amount("max");
    if (!low || !high || low->is_zero()) return;
    const double limit = high->as_double() / low->as_double();
    if (ratio->as_double() <= limit) return;
    causes_.push_back(invalid_amount(
        place, *ratio, fmt::format("ratio {} is greater than max/min = {:f}", ratio->to_string(), limit)));
  }

  View limit_;
  std::string_view name_;
  const std::string& field_;
  Causes& causes_;
};

void validate_limit_type(std::string_view type, const std::string& field, Causes& causes) {
  constexpr std::array<std::string_view, 3> types{"Pod", "Container", "PersistentVolumeClaim"};
  if (const auto error = qualified_name_error(type)) return causes.push_back(invalid_value(field, Value(type), *error));
  if (type.find('/') != std::string_view::npos || has_text(types, type)) return;
  causes.push_back(invalid_value(field, Value(type), "must be a standard limit type or fully qualified"));
}

void validate_limit(View limit, const std::string& field, Causes& causes) {
  const std::string_view type = limit.member("type").text();
  if (type == "Pod") {
    for (const char* list : {"default", "defaultRequest"}) {
      if (limit.member(list).empty()) continue;
      causes.push_back(forbidden_field(fmt::format("{}.{}", field, list), "may not be specified when `type` is 'Pod'"));
    }
  }
  if (type == "PersistentVolumeClaim" && !limit["/min/storage"].exists() && !limit["/max/storage"].exists()) {
    causes.push_back(
        required(field + ".limits", "either minimum or maximum storage value is required, but neither was provided"));
  }
  std::set<std::string_view> names;
  for (const std::string_view list : amount_lists) {
    if (type == "Pod" && list.starts_with("default")) continue;
    for (const auto [name, amount] : limit.member(list).members()) names.insert(name);
  }
  for (const std::string_view name : names) LimitCheck(limit, name, field, causes).check();
}

// ---- quotas ----

constexpr std::array<std::string_view, 2> cpu_and_memory{"cpu", "memory"};
constexpr std::array<std::string_view, 9> counted_resources{"pods",
                                                            "resourcequotas",
                                                            "services",
                                                            "replicationcontrollers",
                                                            "secrets",
                                                            "configmaps",
                                                            "services.nodeports",
                                                            "services.loadbalancers",
                                                            "persistentvolumeclaims"};

// Returns the name without "requests." or "limits.".
std::string_view requested_resource(std::string_view name) {
  for (const std::string_view prefix : {"requests.", "limits."}) {
    if (name.starts_with(prefix)) return name.substr(prefix.size());
  }
  return name;
}

bool is_quota_resource(std::string_view name) {
  const std::string_view resource = requested_resource(name);
  return has_text(counted_resources, name) || has_text(cpu_and_memory, resource) || resource == "ephemeral-storage" ||
         name == "requests.storage" || (resource.starts_with("hugepages-") && !name.starts_with("limits."));
}

bool has_whole_amounts(std::string_view name) {
  return has_text(counted_resources, name) ||
         (name.find('/') != std::string_view::npos && name.find("kubernetes.io/") == std::string_view::npos &&
          !name.starts_with("requests."));
}

void validate_quota_amount(std::string_view name, View amount, Causes& causes) {
  const std::string field = fmt::format("spec.hard[{}]", name);
  const auto refuse_name = [&](std::string_view why) { causes.push_back(invalid_value(field, Value(name), why)); };
  if (const auto error = qualified_name_error(name)) {
    refuse_name(*error);
  } else if (name.find('/') == std::string_view::npos && !is_quota_resource(name)) {
    if (name != "storage") refuse_name("must be a standard resource type or fully qualified");
    refuse_name("must be a standard resource for quota");
  }
  const auto quantity = Quantity::from_json(amount);
  if (!quantity) return;
  if (quantity->is_negative()) {
    causes.push_back(invalid_amount(field, *quantity, "must be greater than or equal to 0"));
  }
  if (has_whole_amounts(name) && quantity->milli_value() % 1000 != 0) {
    causes.push_back(invalid_amount(field, *quantity, "must be an integer"));
  }
}

bool fits_scope(std::string_view scope, std::string_view name) {
  if (name == "pods") return true;
  return scope != "BestEffort" && has_text(cpu_and_memory, requested_resource(name));
}

bool is_known_scope(std::string_view scope) {
  constexpr std::array<std::string_view, 7> known{"Terminating",          "NotTerminating", "BestEffort",
                                                  "NotBestEffort",        "PriorityClass",  "CrossNamespacePodAffinity",
                                                  "VolumeAttributesClass"};
  return has_text(known, scope);
}

void validate_scopes(View spec, Causes& causes) {
  const View scopes = spec.member("scopes");
  const auto refuse_scopes = [&](std::string_view why) {
    causes.push_back(invalid_value("spec.scopes", scopes.to_value(), why));
  };
  std::set<std::string_view> seen;
  for (const View each : scopes.elements()) {
    const std::string_view scope = each.text();
    seen.insert(scope);
    if (scope == "VolumeAttributesClass") continue;
    if (!is_known_scope(scope)) refuse_scopes("unsupported scope");
    for (const auto [name, amount] : spec.member("hard").members()) {
      if (is_quota_resource(name) && !fits_scope(scope, name)) refuse_scopes("unsupported scope applied to resource");
    }
  }
  for (const auto& [one, other] :
       {std::pair("BestEffort", "NotBestEffort"), std::pair("Terminating", "NotTerminating")}) {
    if (seen.contains(one) && seen.contains(other)) refuse_scopes("conflicting scopes");
  }
}

// The causes do not name the requirement.
void validate_scope_requirement(View requirement, Causes& causes) {
  constexpr std::array<std::string_view, 5> plain{"BestEffort", "NotBestEffort", "Terminating", "NotTerminating",
                                                  "CrossNamespacePodAffinity"};
  const std::string field = "spec.scopeSelector.matchExpressions";
  const std::string_view scope = requirement.member("scopeName").text();
  const std::string_view op = requirement.member("operator").text();
  const View values = requirement.member("values");
  if (has_text(plain, scope) && op != "Exists") {
    causes.push_back(invalid_value(
        field + ".operator", Value(op),
        "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, "
        "ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or "
        "ResourceQuotaScopeCrossNamespacePodAffinity"));
  }
  if (op == "In" || op == "NotIn") {
    if (values.empty()) {
      causes.push_back(required(field + ".values",
                                "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector"));
    }
  } else if (op != "Exists" && op != "DoesNotExist") {
    causes.push_back(invalid_value(field + ".operator", Value(op), "not a valid selector operator"));
  } else if (!values.empty()) {
    causes.push_back(invalid_value(field + ".values", values.to_value(),
                                   "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector"));
  }
}

void validate_scope_selector(View spec, Causes& causes) {
  const View selector = spec.member("scopeSelector");
  std::set<std::string_view> seen;
  for (const View requirement : selector.member("matchExpressions").elements()) {
    const std::string_view scope = requirement.member("scopeName").text();
    seen.insert(scope);
    if (!is_known_scope(scope)) {
      causes.push_back(
          invalid_value("spec.scopeSelector.matchExpressions.scopeName", Value(scope), "unsupported scope"));
    }
    for (const auto [name, amount] : spec.member("hard").members()) {
      if (scope == "VolumeAttributesClass" || !is_quota_resource(name) || fits_scope(scope, name)) continue;
      causes.push_back(invalid_value("spec.scopeSelector.matchExpressions", selector.to_value(),
                                     "unsupported scope applied to resource"));
    }
    validate_scope_requirement(requirement, causes);
  }
  for (const auto& [one, other] :
       {std::pair("BestEffort", "NotBestEffort"), std::pair("Terminating", "NotTerminating")}) {
    if (!seen.contains(one) || !seen.contains(other)) continue;
    causes.push_back(
        invalid_value("spec.scopeSelector.matchExpressions", spec.member("scopes").to_value(), "conflicting scopes"));
  }
}

std::set<std::string_view> set_of(View texts) {
  std::set<std::string_view> out;
  for (const View text : texts.elements()) out.insert(text.text());
  return out;
}

}  // namespace

void validate_limits(View limits, Causes& causes) {
  std::set<std::string_view> types;
  std::size_t i = 0;
  for (const View limit : limits.elements()) {
    const std::string field = fmt::format("spec.limits[{}]", i++);
    const std::string_view type = limit.member("type").text();
    validate_limit_type(type, field + ".type", causes);
    if (!types.insert(type).second) causes.push_back(duplicate_value(field + ".type", Value(type)));
    validate_limit(limit, field, causes);
  }
}

void validate_quota(View spec, View old, Causes& causes) {
  for (const auto [name, amount] : spec.member("hard").members()) validate_quota_amount(name, amount, causes);
  validate_scopes(spec, causes);
  validate_scope_selector(spec, causes);
  if (!old.exists() || set_of(spec.member("scopes")) == set_of(old.member("scopes"))) return;
  causes.push_back(immutable_field("spec.scopes", spec.member("scopes").to_value()));
}

}  // namespace pintle::apiserver
