// Tables of policy, version v1. Written by `pintle gen types`, which writes it anew.
#include <pintle/api/policy/v1.hpp>

#include <pintle/object/field_table.hpp>

namespace pintle::api::policy::v1 {
namespace {

constexpr FieldRules atomic{.is_set = true, .merge_strategy = MergeStrategy::atomic};

}  // namespace

FieldTable Eviction::fields() {
  static constexpr auto rows = field_rows({
      {"deleteOptions", member<&Eviction::delete_options>},
  });
  return rows;
}

EnumTable enum_names(PodDisruptionBudgetSpec::UnhealthyPodEvictionPolicy) {
  using enum PodDisruptionBudgetSpec::UnhealthyPodEvictionPolicy;
  static constexpr auto rows = enum_rows({
      {always_allow, "AlwaysAllow"},
      {if_healthy_budget, "IfHealthyBudget"},
  });
  return rows;
}

FieldTable PodDisruptionBudgetSpec::fields() {
  static constexpr auto rows = field_rows({
      {"maxUnavailable", member<&PodDisruptionBudgetSpec::max_unavailable>},
      {"minAvailable", member<&PodDisruptionBudgetSpec::min_available>},
      {"selector", member<&PodDisruptionBudgetSpec::selector>, atomic},
      {"unhealthyPodEvictionPolicy", member<&PodDisruptionBudgetSpec::unhealthy_pod_eviction_policy>},
  });
  return rows;
}

FieldTable PodDisruptionBudgetStatus::fields() {
  static constexpr auto rows = field_rows({
      {"conditions", member<&PodDisruptionBudgetStatus::conditions>},
      {"currentHealthy", member<&PodDisruptionBudgetStatus::current_healthy>},
      {"desiredHealthy", member<&PodDisruptionBudgetStatus::desired_healthy>},
      {"disruptedPods", member<&PodDisruptionBudgetStatus::disrupted_pods>},
      {"disruptionsAllowed", member<&PodDisruptionBudgetStatus::disruptions_allowed>},
      {"expectedPods", member<&PodDisruptionBudgetStatus::expected_pods>},
      {"observedGeneration", member<&PodDisruptionBudgetStatus::observed_generation>},
  });
  return rows;
}

}  // namespace pintle::api::policy::v1
