// Types of apps, version v1. Written by `pintle gen types`, which writes it anew.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <pintle/api/core/v1.hpp>
#include <pintle/api/meta/v1.hpp>
#include <pintle/base/annotations.hpp>
#include <pintle/base/time.hpp>
#include <pintle/json/fwd.hpp>
#include <pintle/object/choice.hpp>
#include <pintle/object/declared.hpp>
#include <pintle/object/int_or_string.hpp>
#include <pintle/object/kind.hpp>
#include <pintle/object/metadata.hpp>
#include <pintle/object/optional_box.hpp>

namespace pintle::api::apps::v1 {

struct PINTLE_EXPORT ControllerRevision {
  static constexpr Type type{"apps/v1", "ControllerRevision"};
  Metadata metadata{};
  OptionalBox<json::Value> data{};
  std::int64_t revision = 0;

  static FieldTable fields();
};

struct PINTLE_EXPORT RollingUpdateDaemonSet {
  std::optional<IntOrString> max_surge{};
  std::optional<IntOrString> max_unavailable{};

  static FieldTable fields();
};

struct PINTLE_EXPORT DaemonSetUpdateStrategy {
  enum class Type { unset, on_delete, rolling_update };
  friend PINTLE_EXPORT EnumTable enum_names(Type);
  friend consteval std::string_view enum_texts(Type) { return "OnDelete|RollingUpdate"; }

  OptionalBox<RollingUpdateDaemonSet> rolling_update{};
  Choice<Type> type{};

  static FieldTable fields();
};

struct PINTLE_EXPORT DaemonSetSpec {
  std::optional<std::int32_t> min_ready_seconds{};
  std::optional<std::int32_t> revision_history_limit{};
  meta::v1::LabelSelector selector{};
  core::v1::PodTemplateSpec template_{};
  DaemonSetUpdateStrategy update_strategy{};

  static FieldTable fields();
};

struct PINTLE_EXPORT DaemonSetCondition {
  std::optional<WallTime> last_transition_time{};
  std::optional<std::string> message{};
  std::optional<std::string> reason{};
  std::string status{};
  std::string type{};

  static FieldTable fields();
};

struct PINTLE_EXPORT DaemonSetStatus {
  std::optional<std::int32_t> collision_count{};
  std::vector<DaemonSetCondition> conditions{};
  std::int32_t current_number_scheduled = 0;
  std::int32_t desired_number_scheduled = 0;
  std::optional<std::int32_t> number_available{};
  std::int32_t number_misscheduled = 0;
  std::int32_t number_ready = 0;
  std::optional<std::int32_t> number_unavailable{};
  std::optional<std::int64_t> observed_generation{};
  std::optional<std::int32_t> updated_number_scheduled{};

  static FieldTable fields();
};

struct PINTLE_EXPORT DaemonSet {
  static constexpr Type type{"apps/v1", "DaemonSet"};
  Metadata metadata{};
  DaemonSetSpec spec{};
  DaemonSetStatus status{};
};

struct PINTLE_EXPORT RollingUpdateDeployment {
  std::optional<IntOrString> max_surge{};
  std::optional<IntOrString> max_unavailable{};

  static FieldTable fields();
};

struct PINTLE_EXPORT DeploymentStrategy {
  enum class Type { unset, recreate, rolling_update };
  friend PINTLE_EXPORT EnumTable enum_names(Type);
  friend consteval std::string_view enum_texts(Type) { return "Recreate|RollingUpdate"; }

  OptionalBox<RollingUpdateDeployment> rolling_update{};
  Choice<Type> type{};

  static FieldTable fields();
};

struct PINTLE_EXPORT DeploymentSpec {
  std::optional<std::int32_t> min_ready_seconds{};
  std::optional<bool> paused{};
  std::optional<std::int32_t> progress_deadline_seconds{};
  std::optional<std::int32_t> replicas{};
  std::optional<std::int32_t> revision_history_limit{};
  meta::v1::LabelSelector selector{};
  DeploymentStrategy strategy{};
  core::v1::PodTemplateSpec template_{};

  static FieldTable fields();
};

struct PINTLE_EXPORT DeploymentCondition {
  std::optional<WallTime> last_transition_time{};
  std::optional<WallTime> last_update_time{};
  std::optional<std::string> message{};
  std::optional<std::string> reason{};
  std::string status{};
  std::string type{};

  static FieldTable fields();
};

struct PINTLE_EXPORT DeploymentStatus {
  std::optional<std::int32_t> available_replicas{};
  std::optional<std::int32_t> collision_count{};
  std::vector<DeploymentCondition> conditions{};
  std::optional<std::int64_t> observed_generation{};
  std::optional<std::int32_t> ready_replicas{};
  std::optional<std::int32_t> replicas{};
  std::optional<std::int32_t> terminating_replicas{};
  std::optional<std::int32_t> unavailable_replicas{};
  std::optional<std::int32_t> updated_replicas{};

  static FieldTable fields();
};

struct PINTLE_EXPORT Deployment {
  static constexpr Type type{"apps/v1", "Deployment"};
  Metadata metadata{};
  DeploymentSpec spec{};
  DeploymentStatus status{};
};

struct PINTLE_EXPORT ReplicaSetSpec {
  std::optional<std::int32_t> min_ready_seconds{};
  std::optional<std::int32_t> replicas{};
  meta::v1::LabelSelector selector{};
  core::v1::PodTemplateSpec template_{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ReplicaSetCondition {
  std::optional<WallTime> last_transition_time{};
  std::optional<std::string> message{};
  std::optional<std::string> reason{};
  std::string status{};
  std::string type{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ReplicaSetStatus {
  std::optional<std::int32_t> available_replicas{};
  std::vector<ReplicaSetCondition> conditions{};
  std::optional<std::int32_t> fully_labeled_replicas{};
  std::optional<std::int64_t> observed_generation{};
  std::optional<std::int32_t> ready_replicas{};
  std::int32_t replicas = 0;
  std::optional<std::int32_t> terminating_replicas{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ReplicaSet {
  static constexpr Type type{"apps/v1", "ReplicaSet"};
  Metadata metadata{};
  ReplicaSetSpec spec{};
  ReplicaSetStatus status{};
};

struct PINTLE_EXPORT RollingUpdateStatefulSetStrategy {
  std::optional<IntOrString> max_unavailable{};
  std::optional<std::int32_t> partition{};

  static FieldTable fields();
};

struct PINTLE_EXPORT StatefulSetOrdinals {
  std::optional<std::int32_t> start{};

  static FieldTable fields();
};

struct PINTLE_EXPORT StatefulSetPersistentVolumeClaimRetentionPolicy {
  std::optional<std::string> when_deleted{};
  std::optional<std::string> when_scaled{};

  static FieldTable fields();
};

struct PINTLE_EXPORT StatefulSetUpdateStrategy {
  enum class Type { unset, on_delete, rolling_update };
  friend PINTLE_EXPORT EnumTable enum_names(Type);
  friend consteval std::string_view enum_texts(Type) { return "OnDelete|RollingUpdate"; }

  OptionalBox<RollingUpdateStatefulSetStrategy> rolling_update{};
  Choice<Type> type{};

  static FieldTable fields();
};

struct PINTLE_EXPORT StatefulSetSpec {
  enum class PodManagementPolicy { unset, ordered_ready, parallel };
  friend PINTLE_EXPORT EnumTable enum_names(PodManagementPolicy);
  friend consteval std::string_view enum_texts(PodManagementPolicy) { return "OrderedReady|Parallel"; }

  std::optional<std::int32_t> min_ready_seconds{};
  OptionalBox<StatefulSetOrdinals> ordinals{};
  OptionalBox<StatefulSetPersistentVolumeClaimRetentionPolicy> persistent_volume_claim_retention_policy{};
  Choice<PodManagementPolicy> pod_management_policy{};
  std::optional<std::int32_t> replicas{};
  std::optional<std::int32_t> revision_history_limit{};
  meta::v1::LabelSelector selector{};
  std::optional<std::string> service_name{};
  core::v1::PodTemplateSpec template_{};
  StatefulSetUpdateStrategy update_strategy{};
  std::vector<core::v1::PersistentVolumeClaim> volume_claim_templates{};

  static FieldTable fields();
};

struct PINTLE_EXPORT StatefulSetCondition {
  std::optional<WallTime> last_transition_time{};
  std::optional<std::string> message{};
  std::optional<std::string> reason{};
  std::string status{};
  std::string type{};

  static FieldTable fields();
};

struct PINTLE_EXPORT StatefulSetStatus {
  std::optional<std::int32_t> available_replicas{};
  std::optional<std::int32_t> collision_count{};
  std::vector<StatefulSetCondition> conditions{};
  std::optional<std::int32_t> current_replicas{};
  std::optional<std::string> current_revision{};
  std::optional<std::int64_t> observed_generation{};
  std::optional<std::int32_t> ready_replicas{};
  std::int32_t replicas = 0;
  std::optional<std::string> update_revision{};
  std::optional<std::int32_t> updated_replicas{};

  static FieldTable fields();
};

struct PINTLE_EXPORT StatefulSet {
  static constexpr Type type{"apps/v1", "StatefulSet"};
  Metadata metadata{};
  StatefulSetSpec spec{};
  StatefulSetStatus status{};
};

}  // namespace pintle::api::apps::v1
