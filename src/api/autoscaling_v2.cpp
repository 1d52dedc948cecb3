// Tables of autoscaling, version v2. Written by `pintle gen types`, which writes it anew.
#include <pintle/api/autoscaling/v2.hpp>

#include <pintle/object/field_table.hpp>

namespace pintle::api::autoscaling::v2 {
namespace {

constexpr FieldRules atomic{.is_set = true, .merge_strategy = MergeStrategy::atomic};
constexpr FieldRules by_type{.is_set = true, .merge_strategy = MergeStrategy::map, .keys = {"type", "", "", ""}};

}  // namespace

FieldTable MetricTarget::fields() {
  static constexpr auto rows = field_rows({
      {"averageUtilization", member<&MetricTarget::average_utilization>},
      {"averageValue", member<&MetricTarget::average_value>},
      {"type", member<&MetricTarget::type>, required},
      {"value", member<&MetricTarget::value>},
  });
  return rows;
}

FieldTable ContainerResourceMetricSource::fields() {
  static constexpr auto rows = field_rows({
      {"container", member<&ContainerResourceMetricSource::container>, required},
      {"name", member<&ContainerResourceMetricSource::name>, required},
      {"target", member<&ContainerResourceMetricSource::target>, required},
  });
  return rows;
}

FieldTable MetricValueStatus::fields() {
  static constexpr auto rows = field_rows({
      {"averageUtilization", member<&MetricValueStatus::average_utilization>},
      {"averageValue", member<&MetricValueStatus::average_value>},
      {"value", member<&MetricValueStatus::value>},
  });
  return rows;
}

FieldTable ContainerResourceMetricStatus::fields() {
  static constexpr auto rows = field_rows({
      {"container", member<&ContainerResourceMetricStatus::container>, required},
      {"current", member<&ContainerResourceMetricStatus::current>, required},
      {"name", member<&ContainerResourceMetricStatus::name>, required},
  });
  return rows;
}

FieldTable CrossVersionObjectReference::fields() {
  static constexpr auto rows = field_rows({
      {"apiVersion", member<&CrossVersionObjectReference::api_version>},
      {"kind", member<&CrossVersionObjectReference::kind>, required},
      {"name", member<&CrossVersionObjectReference::name>, required},
  });
  return rows;
}

FieldTable MetricIdentifier::fields() {
  static constexpr auto rows = field_rows({
      {"name", member<&MetricIdentifier::name>, required},
      {"selector", member<&MetricIdentifier::selector>, atomic},
  });
  return rows;
}

FieldTable ExternalMetricSource::fields() {
  static constexpr auto rows = field_rows({
      {"metric", member<&ExternalMetricSource::metric>, required},
      {"target", member<&ExternalMetricSource::target>, required},
  });
  return rows;
}

FieldTable ExternalMetricStatus::fields() {
  static constexpr auto rows = field_rows({
      {"current", member<&ExternalMetricStatus::current>, required},
      {"metric", member<&ExternalMetricStatus::metric>, required},
  });
  return rows;
}

FieldTable HPAScalingPolicy::fields() {
  static constexpr auto rows = field_rows({
      {"periodSeconds", member<&HPAScalingPolicy::period_seconds>, required},
      {"type", member<&HPAScalingPolicy::type>, required},
      {"value", member<&HPAScalingPolicy::value>, required},
  });
  return rows;
}

FieldTable HPAScalingRules::fields() {
  static constexpr auto rows = field_rows({
      {"policies", member<&HPAScalingRules::policies>, atomic},
      {"selectPolicy", member<&HPAScalingRules::select_policy>},
      {"stabilizationWindowSeconds", member<&HPAScalingRules::stabilization_window_seconds>},
      {"tolerance", member<&HPAScalingRules::tolerance>},
  });
  return rows;
}

FieldTable HorizontalPodAutoscalerBehavior::fields() {
  static constexpr auto rows = field_rows({
      {"scaleDown", member<&HorizontalPodAutoscalerBehavior::scale_down>},
      {"scaleUp", member<&HorizontalPodAutoscalerBehavior::scale_up>},
  });
  return rows;
}

FieldTable ObjectMetricSource::fields() {
  static constexpr auto rows = field_rows({
      {"describedObject", member<&ObjectMetricSource::described_object>, required},
      {"metric", member<&ObjectMetricSource::metric>, required},
      {"target", member<&ObjectMetricSource::target>, required},
  });
  return rows;
}

FieldTable PodsMetricSource::fields() {
  static constexpr auto rows = field_rows({
      {"metric", member<&PodsMetricSource::metric>, required},
      {"target", member<&PodsMetricSource::target>, required},
  });
  return rows;
}

FieldTable ResourceMetricSource::fields() {
  static constexpr auto rows = field_rows({
      {"name", member<&ResourceMetricSource::name>, required},
      {"target", member<&ResourceMetricSource::target>, required},
  });
  return rows;
}

FieldTable MetricSpec::fields() {
  static constexpr auto rows = field_rows({
      {"containerResource", member<&MetricSpec::container_resource>},
      {"external", member<&MetricSpec::external>},
      {"object", member<&MetricSpec::object>},
      {"pods", member<&MetricSpec::pods>},
      {"resource", member<&MetricSpec::resource>},
      {"type", member<&MetricSpec::type>, required},
  });
  return rows;
}

FieldTable HorizontalPodAutoscalerSpec::fields() {
  static constexpr auto rows = field_rows({
      {"behavior", member<&HorizontalPodAutoscalerSpec::behavior>},
      {"maxReplicas", member<&HorizontalPodAutoscalerSpec::max_replicas>, required},
      {"metrics", member<&HorizontalPodAutoscalerSpec::metrics>, atomic},
      {"minReplicas", member<&HorizontalPodAutoscalerSpec::min_replicas>},
      {"scaleTargetRef", member<&HorizontalPodAutoscalerSpec::scale_target_ref>, required},
  });
  return rows;
}

FieldTable HorizontalPodAutoscalerCondition::fields() {
  static constexpr auto rows = field_rows({
      {"lastTransitionTime", member<&HorizontalPodAutoscalerCondition::last_transition_time>},
      {"message", member<&HorizontalPodAutoscalerCondition::message>},
      {"reason", member<&HorizontalPodAutoscalerCondition::reason>},
      {"status", member<&HorizontalPodAutoscalerCondition::status>, required},
      {"type", member<&HorizontalPodAutoscalerCondition::type>, required},
  });
  return rows;
}

FieldTable ObjectMetricStatus::fields() {
  static constexpr auto rows = field_rows({
      {"current", member<&ObjectMetricStatus::current>, required},
      {"describedObject", member<&ObjectMetricStatus::described_object>, required},
      {"metric", member<&ObjectMetricStatus::metric>, required},
  });
  return rows;
}

FieldTable PodsMetricStatus::fields() {
  static constexpr auto rows = field_rows({
      {"current", member<&PodsMetricStatus::current>, required},
      {"metric", member<&PodsMetricStatus::metric>, required},
  });
  return rows;
}

FieldTable ResourceMetricStatus::fields() {
  static constexpr auto rows = field_rows({
      {"current", member<&ResourceMetricStatus::current>, required},
      {"name", member<&ResourceMetricStatus::name>, required},
  });
  return rows;
}

FieldTable MetricStatus::fields() {
  static constexpr auto rows = field_rows({
      {"containerResource", member<&MetricStatus::container_resource>},
      {"external", member<&MetricStatus::external>},
      {"object", member<&MetricStatus::object>},
      {"pods", member<&MetricStatus::pods>},
      {"resource", member<&MetricStatus::resource>},
      {"type", member<&MetricStatus::type>, required},
  });
  return rows;
}

FieldTable HorizontalPodAutoscalerStatus::fields() {
  static constexpr auto rows = field_rows({
      {"conditions", member<&HorizontalPodAutoscalerStatus::conditions>, by_type},
      {"currentMetrics", member<&HorizontalPodAutoscalerStatus::current_metrics>, atomic},
      {"currentReplicas", member<&HorizontalPodAutoscalerStatus::current_replicas>},
      {"desiredReplicas", member<&HorizontalPodAutoscalerStatus::desired_replicas>, required},
      {"lastScaleTime", member<&HorizontalPodAutoscalerStatus::last_scale_time>},
      {"observedGeneration", member<&HorizontalPodAutoscalerStatus::observed_generation>},
  });
  return rows;
}

}  // namespace pintle::api::autoscaling::v2
