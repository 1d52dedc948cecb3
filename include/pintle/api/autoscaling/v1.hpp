// Types of autoscaling, version v1. Written by `pintle gen types`, which writes it anew.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <pintle/base/annotations.hpp>
#include <pintle/base/time.hpp>
#include <pintle/object/declared.hpp>
#include <pintle/object/kind.hpp>
#include <pintle/object/metadata.hpp>

namespace pintle::api::autoscaling::v1 {

struct PINTLE_EXPORT CrossVersionObjectReference {
  std::optional<std::string> api_version{};
  std::string kind{};
  std::string name{};

  static FieldTable fields();
};

struct PINTLE_EXPORT HorizontalPodAutoscalerSpec {
  std::int32_t max_replicas = 0;
  std::optional<std::int32_t> min_replicas{};
  CrossVersionObjectReference scale_target_ref{};
  std::optional<std::int32_t> target_cpu_utilization_percentage{};

  static FieldTable fields();
};

struct PINTLE_EXPORT HorizontalPodAutoscalerStatus {
  std::optional<std::int32_t> current_cpu_utilization_percentage{};
  std::int32_t current_replicas = 0;
  std::int32_t desired_replicas = 0;
  std::optional<WallTime> last_scale_time{};
  std::optional<std::int64_t> observed_generation{};

  static FieldTable fields();
};

struct PINTLE_EXPORT HorizontalPodAutoscaler {
  static constexpr Type type{"autoscaling/v1", "HorizontalPodAutoscaler"};
  Metadata metadata{};
  HorizontalPodAutoscalerSpec spec{};
  HorizontalPodAutoscalerStatus status{};
};

struct PINTLE_EXPORT ScaleSpec {
  std::optional<std::int32_t> replicas{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ScaleStatus {
  std::int32_t replicas = 0;
  std::optional<std::string> selector{};

  static FieldTable fields();
};

struct PINTLE_EXPORT Scale {
  static constexpr Type type{"autoscaling/v1", "Scale"};
  Metadata metadata{};
  ScaleSpec spec{};
  ScaleStatus status{};
};

}  // namespace pintle::api::autoscaling::v1
