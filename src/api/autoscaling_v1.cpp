// Tables of autoscaling, version v1. Written by `pintle gen types`, which writes it anew.
#include <pintle/api/autoscaling/v1.hpp>

#include <pintle/object/field_table.hpp>

namespace pintle::api::autoscaling::v1 {
namespace {

constexpr FieldRules required_atomic{.is_set = true, .required = true, .merge_strategy = MergeStrategy::atomic};

}  // namespace

FieldTable CrossVersionObjectReference::fields() {
  static constexpr auto rows = field_rows({
      {"apiVersion", member<&CrossVersionObjectReference::api_version>},
      {"kind", member<&CrossVersionObjectReference::kind>, required},
      {"name", member<&CrossVersionObjectReference::name>, required},
  });
  return rows;
}

FieldTable HorizontalPodAutoscalerSpec::fields() {
  static constexpr auto rows = field_rows({
      {"maxReplicas", member<&HorizontalPodAutoscalerSpec::max_replicas>, required},
      {"minReplicas", member<&HorizontalPodAutoscalerSpec::min_replicas>},
      {"scaleTargetRef", member<&HorizontalPodAutoscalerSpec::scale_target_ref>, required_atomic},
      {"targetCPUUtilizationPercentage", member<&HorizontalPodAutoscalerSpec::target_cpu_utilization_percentage>},
  });
  return rows;
}

FieldTable HorizontalPodAutoscalerStatus::fields() {
  static constexpr auto rows = field_rows({
      {"currentCPUUtilizationPercentage", member<&HorizontalPodAutoscalerStatus::current_cpu_utilization_percentage>},
      {"currentReplicas", member<&HorizontalPodAutoscalerStatus::current_replicas>, required},
      {"desiredReplicas", member<&HorizontalPodAutoscalerStatus::desired_replicas>, required},
      {"lastScaleTime", member<&HorizontalPodAutoscalerStatus::last_scale_time>},
      {"observedGeneration", member<&HorizontalPodAutoscalerStatus::observed_generation>},
  });
  return rows;
}

FieldTable ScaleSpec::fields() {
  static constexpr auto rows = field_rows({
      {"replicas", member<&ScaleSpec::replicas>},
  });
  return rows;
}

FieldTable ScaleStatus::fields() {
  static constexpr auto rows = field_rows({
      {"replicas", member<&ScaleStatus::replicas>, required},
      {"selector", member<&ScaleStatus::selector>},
  });
  return rows;
}

}  // namespace pintle::api::autoscaling::v1
