// Types of autoscaling, version v2. Written by `pintle gen types`, which writes it anew.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <pintle/api/meta/v1.hpp>
#include <pintle/base/annotations.hpp>
#include <pintle/base/time.hpp>
#include <pintle/object/declared.hpp>
#include <pintle/object/kind.hpp>
#include <pintle/object/metadata.hpp>
#include <pintle/object/optional_box.hpp>
#include <pintle/object/quantity.hpp>

namespace pintle::api::autoscaling::v2 {

struct PINTLE_EXPORT MetricTarget {
  std::optional<std::int32_t> average_utilization{};
  std::optional<Quantity> average_value{};
  std::string type{};
  std::optional<Quantity> value{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ContainerResourceMetricSource {
  std::string container{};
  std::string name{};
  MetricTarget target{};

  static FieldTable fields();
};

struct PINTLE_EXPORT MetricValueStatus {
  std::optional<std::int32_t> average_utilization{};
  std::optional<Quantity> average_value{};
  std::optional<Quantity> value{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ContainerResourceMetricStatus {
  std::string container{};
  MetricValueStatus current{};
  std::string name{};

  static FieldTable fields();
};

struct PINTLE_EXPORT CrossVersionObjectReference {
  std::optional<std::string> api_version{};
  std::string kind{};
  std::string name{};

  static FieldTable fields();
};

struct PINTLE_EXPORT MetricIdentifier {
  std::string name{};
  OptionalBox<meta::v1::LabelSelector> selector{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ExternalMetricSource {
  MetricIdentifier metric{};
  MetricTarget target{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ExternalMetricStatus {
  MetricValueStatus current{};
  MetricIdentifier metric{};

  static FieldTable fields();
};

struct PINTLE_EXPORT HPAScalingPolicy {
  std::int32_t period_seconds = 0;
  std::string type{};
  std::int32_t value = 0;

  static FieldTable fields();
};

struct PINTLE_EXPORT HPAScalingRules {
  std::vector<HPAScalingPolicy> policies{};
  std::optional<std::string> select_policy{};
  std::optional<std::int32_t> stabilization_window_seconds{};
  std::optional<Quantity> tolerance{};

  static FieldTable fields();
};

struct PINTLE_EXPORT HorizontalPodAutoscalerBehavior {
  OptionalBox<HPAScalingRules> scale_down{};
  OptionalBox<HPAScalingRules> scale_up{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ObjectMetricSource {
  CrossVersionObjectReference described_object{};
  MetricIdentifier metric{};
  MetricTarget target{};

  static FieldTable fields();
};

struct PINTLE_EXPORT PodsMetricSource {
  MetricIdentifier metric{};
  MetricTarget target{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ResourceMetricSource {
  std::string name{};
  MetricTarget target{};

  static FieldTable fields();
};

struct PINTLE_EXPORT MetricSpec {
  OptionalBox<ContainerResourceMetricSource> container_resource{};
  OptionalBox<ExternalMetricSource> external{};
  OptionalBox<ObjectMetricSource> object{};
  OptionalBox<PodsMetricSource> pods{};
  OptionalBox<ResourceMetricSource> resource{};
  std::string type{};

  static FieldTable fields();
};

struct PINTLE_EXPORT HorizontalPodAutoscalerSpec {
  OptionalBox<HorizontalPodAutoscalerBehavior> behavior{};
  std::int32_t max_replicas = 0;
  std::vector<MetricSpec> metrics{};
  std::optional<std::int32_t> min_replicas{};
  CrossVersionObjectReference scale_target_ref{};

  static FieldTable fields();
};

struct PINTLE_EXPORT HorizontalPodAutoscalerCondition {
  std::optional<WallTime> last_transition_time{};
  std::optional<std::string> message{};
  std::optional<std::string> reason{};
  std::string status{};
  std::string type{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ObjectMetricStatus {
  MetricValueStatus current{};
  CrossVersionObjectReference described_object{};
  MetricIdentifier metric{};

  static FieldTable fields();
};

struct PINTLE_EXPORT PodsMetricStatus {
  MetricValueStatus current{};
  MetricIdentifier metric{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ResourceMetricStatus {
  MetricValueStatus current{};
  std::string name{};

  static FieldTable fields();
};

struct PINTLE_EXPORT MetricStatus {
  OptionalBox<ContainerResourceMetricStatus> container_resource{};
  OptionalBox<ExternalMetricStatus> external{};
  OptionalBox<ObjectMetricStatus> object{};
  OptionalBox<PodsMetricStatus> pods{};
  OptionalBox<ResourceMetricStatus> resource{};
  std::string type{};

  static FieldTable fields();
};

struct PINTLE_EXPORT HorizontalPodAutoscalerStatus {
  std::vector<HorizontalPodAutoscalerCondition> conditions{};
  std::vector<MetricStatus> current_metrics{};
  std::optional<std::int32_t> current_replicas{};
  std::int32_t desired_replicas = 0;
  std::optional<WallTime> last_scale_time{};
  std::optional<std::int64_t> observed_generation{};

  static FieldTable fields();
};

struct PINTLE_EXPORT HorizontalPodAutoscaler {
  static constexpr Type type{"autoscaling/v2", "HorizontalPodAutoscaler"};
  Metadata metadata{};
  HorizontalPodAutoscalerSpec spec{};
  HorizontalPodAutoscalerStatus status{};
};

}  // namespace pintle::api::autoscaling::v2
