// SPDX-License-Identifier: Apache-2.0
// The rules of PodDisruptionBudget, PriorityClass, LimitRange and ResourceQuota.
#include <utility>

#include <fmt/format.h>

#include "../workload_rules.hpp"
#include "apiserver/registry/cells.hpp"
#include "apiserver/registry/names/label_rules.hpp"
#include "apiserver/registry/rules.hpp"
#include "apiserver/registry/values.hpp"
#include "limit_rules.hpp"

namespace pintle::apiserver {
namespace {

using json::object;
using json::Value;
using json::View;

std::string amount_cell(View value) {
  if (!value.exists()) return "N/A";
  return value.is_string() ? std::string(value.text()) : value.print();
}

class DisruptionBudget final : public BuiltinStrategy {
 public:
  using BuiltinStrategy::BuiltinStrategy;

  bool has_own_cells() const override { return true; }

  void validate(const Value& next, const Value* old, std::vector<StatusCause>& causes) const override {
    BuiltinStrategy::validate(next, old, causes);
    const json::Document document(next);
    const View spec = document.root().member("spec");
    const View least = spec.member("minAvailable");
    const View most = spec.member("maxUnavailable");
    if (least.exists() && most.exists()) {
      causes.push_back(invalid_value("spec", spec.to_value(), "minAvailable and maxUnavailable cannot be both set"));
    }
    for (const auto& [amount, field] :
         {std::pair(least, "spec.minAvailable"), std::pair(most, "spec.maxUnavailable")}) {
      if (!amount.exists()) continue;
      validate_count_or_percent(amount, field, causes);
      validate_at_most_all(amount, field, causes);
    }
    validate_selector(spec.member("selector"), "spec.selector", causes);
  }

 protected:
  Value cell(std::string_view column, View budget, WallTime /*now*/) const override {
    if (column == "Min Available") return Value(amount_cell(budget["/spec/minAvailable"]));
    if (column == "Max Unavailable") return Value(amount_cell(budget["/spec/maxUnavailable"]));
    return integer_cell(budget["/status/disruptionsAllowed"]);
  }
};

constexpr std::string_view system_prefix = "system-";
constexpr std::int64_t highest_priority = 1'000'000'000;

// Only the two classes of the server itself have such names.
void check_system_class(std::string_view name, std::int64_t value, std::vector<StatusCause>& causes) {
  std::string why;
  const bool is_node = name == "system-node-critical";
  if (!is_node && name != "system-cluster-critical") {
    why = fmt::format("{} is not a known system priority class", name);
  } else if (const std::int64_t known = is_node ? 2'000'001'000 : 2'000'000'000; value != known) {
    why = fmt::format("value of {} PriorityClass must be {}", name, known);
  }
  if (why.empty()) return;
  causes.push_back(forbidden_field(
      "metadata.name", fmt::format("priority class names with '{}' prefix are reserved for system use only. error: {}",
                                   system_prefix, why)));
}

class PriorityClass final : public BuiltinStrategy {
 public:
  using BuiltinStrategy::BuiltinStrategy;

  bool has_own_cells() const override { return true; }

  void validate(const Value& next, const Value* old, std::vector<StatusCause>& causes) const override {
    BuiltinStrategy::validate(next, old, causes);
    if (old != nullptr && *member(next, "value") != *member(*old, "value")) {
      causes.push_back(forbidden_field("value", "may not be changed in an update."));
    }
    const std::string_view name = text_at(next, "/metadata/name");
    const Value* given = member(next, "value");
    const std::int64_t value = given != nullptr && given->is_int64() ? given->get_int64() : 0;
    if (name.starts_with(system_prefix)) {
      check_system_class(name, value, causes);
    } else if (value > highest_priority) {
      causes.push_back(forbidden_field(
          "value", fmt::format("maximum allowed value of a user defined priority is {}", highest_priority)));
    }
  }

 protected:
  void set_defaults(Value& value) const override {
    set_default(value.as_object(), "preemptionPolicy", "PreemptLowerPriority");
  }

  Value cell(std::string_view column, View object, WallTime /*now*/) const override {
    if (column == "Value") return integer_cell(object.member("value"));
    if (column == "Global-Default") return object.member("globalDefault") == true;
    return Value(object.member("preemptionPolicy").text());
  }
};

// Copies the amounts of `from` that `to` does not contain.
void inherit(object& limit, std::string_view to, std::string_view from) {
  const Value* found = limit.if_contains(from);
  if (found == nullptr || !found->is_object()) return;
  const object amounts = found->get_object();
  Value& place = limit[to];
  if (!place.is_object()) place.emplace_object();
  for (const auto& [name, amount] : amounts) place.get_object().emplace(name, amount);
}

class LimitRange final : public BuiltinStrategy {
 public:
  using BuiltinStrategy::BuiltinStrategy;

  bool has_own_cells() const override { return true; }

  void validate(const Value& next, const Value* old, std::vector<StatusCause>& causes) const override {
    BuiltinStrategy::validate(next, old, causes);
    const json::Document document(next);
    validate_limits(document.root()["/spec/limits"], causes);
  }

 protected:
  void set_defaults(Value& range) const override {
    each_object(range, "/spec/limits", [](Value& limit) {
      if (text_at(limit, "/type") != "Container") return;
      inherit(limit.get_object(), "default", "max");
      inherit(limit.get_object(), "defaultRequest", "default");
      inherit(limit.get_object(), "defaultRequest", "min");
    });
  }

  Value cell(std::string_view /*Created At*/, View range, WallTime /*now*/) const override {
    return Value(range["/metadata/creationTimestamp"].text());
  }
};

class ResourceQuota final : public BuiltinStrategy {
 public:
  using BuiltinStrategy::BuiltinStrategy;

  bool has_own_cells() const override { return true; }

  void validate(const Value& next, const Value* old, std::vector<StatusCause>& causes) const override {
    BuiltinStrategy::validate(next, old, causes);
    const json::Document document(next);
    const json::Document before = old == nullptr ? json::Document() : json::Document(*old);
    validate_quota(document.root().member("spec"), before.root().member("spec"), causes);
  }

 protected:
  // "pods: 0/9". Names that begin with "limits" belong to the column Limit, the others to the column Request.
  Value cell(std::string_view column, View quota, WallTime /*now*/) const override {
    std::string out;
    for (const auto [name, hard] : quota["/status/hard"].members()) {
      if (name.starts_with("limits") != (column == "Limit")) continue;
      const View used = quota["/status/used"].member(name);
      out += fmt::format("{}{}: {}/{}", out.empty() ? "" : ", ", name, text_cell(used, "0"), hard.text());
    }
    return Value(out);
  }
};

}  // namespace

StrategyPtr disruption_budget_strategy(BuiltinKind kind) { return std::make_shared<DisruptionBudget>(std::move(kind)); }
StrategyPtr priority_class_strategy(BuiltinKind kind) { return std::make_shared<PriorityClass>(std::move(kind)); }
StrategyPtr limit_range_strategy(BuiltinKind kind) { return std::make_shared<LimitRange>(std::move(kind)); }
StrategyPtr resource_quota_strategy(BuiltinKind kind) { return std::make_shared<ResourceQuota>(std::move(kind)); }

}  // namespace pintle::apiserver
