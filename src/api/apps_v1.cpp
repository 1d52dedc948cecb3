// Tables of apps, version v1. Written by `pintle gen types`, which writes it anew.
#include <pintle/api/apps/v1.hpp>

#include <pintle/object/field_table.hpp>

namespace pintle::api::apps::v1 {
namespace {

constexpr FieldRules atomic{.is_set = true, .merge_strategy = MergeStrategy::atomic};
constexpr FieldRules by_type{.is_set = true, .merge_strategy = MergeStrategy::map, .keys = {"type", "", "", ""}};
constexpr FieldRules required_atomic{.is_set = true, .required = true, .merge_strategy = MergeStrategy::atomic};

}  // namespace

FieldTable ControllerRevision::fields() {
  static constexpr auto rows = field_rows({
      {"data", member<&ControllerRevision::data>},
      {"revision", member<&ControllerRevision::revision>, required},
  });
  return rows;
}

FieldTable RollingUpdateDaemonSet::fields() {
  static constexpr auto rows = field_rows({
      {"maxSurge", member<&RollingUpdateDaemonSet::max_surge>},
      {"maxUnavailable", member<&RollingUpdateDaemonSet::max_unavailable>},
  });
  return rows;
}

EnumTable enum_names(DaemonSetUpdateStrategy::Type) {
  using enum DaemonSetUpdateStrategy::Type;
  static constexpr auto rows = enum_rows({
      {on_delete, "OnDelete"},
      {rolling_update, "RollingUpdate"},
  });
  return rows;
}

FieldTable DaemonSetUpdateStrategy::fields() {
  static constexpr auto rows = field_rows({
      {"rollingUpdate", member<&DaemonSetUpdateStrategy::rolling_update>},
      {"type", member<&DaemonSetUpdateStrategy::type>},
  });
  return rows;
}

FieldTable DaemonSetSpec::fields() {
  static constexpr auto rows = field_rows({
      {"minReadySeconds", member<&DaemonSetSpec::min_ready_seconds>},
      {"revisionHistoryLimit", member<&DaemonSetSpec::revision_history_limit>},
      {"selector", member<&DaemonSetSpec::selector>, required_atomic},
      {"template", member<&DaemonSetSpec::template_>, required},
      {"updateStrategy", member<&DaemonSetSpec::update_strategy>},
  });
  return rows;
}

FieldTable DaemonSetCondition::fields() {
  static constexpr auto rows = field_rows({
      {"lastTransitionTime", member<&DaemonSetCondition::last_transition_time>},
      {"message", member<&DaemonSetCondition::message>},
      {"reason", member<&DaemonSetCondition::reason>},
      {"status", member<&DaemonSetCondition::status>, required},
      {"type", member<&DaemonSetCondition::type>, required},
  });
  return rows;
}

FieldTable DaemonSetStatus::fields() {
  static constexpr auto rows = field_rows({
      {"collisionCount", member<&DaemonSetStatus::collision_count>},
      {"conditions", member<&DaemonSetStatus::conditions>, by_type},
      {"currentNumberScheduled", member<&DaemonSetStatus::current_number_scheduled>, required},
      {"desiredNumberScheduled", member<&DaemonSetStatus::desired_number_scheduled>, required},
      {"numberAvailable", member<&DaemonSetStatus::number_available>},
      {"numberMisscheduled", member<&DaemonSetStatus::number_misscheduled>, required},
      {"numberReady", member<&DaemonSetStatus::number_ready>, required},
      {"numberUnavailable", member<&DaemonSetStatus::number_unavailable>},
      {"observedGeneration", member<&DaemonSetStatus::observed_generation>},
      {"updatedNumberScheduled", member<&DaemonSetStatus::updated_number_scheduled>},
  });
  return rows;
}

FieldTable RollingUpdateDeployment::fields() {
  static constexpr auto rows = field_rows({
      {"maxSurge", member<&RollingUpdateDeployment::max_surge>},
      {"maxUnavailable", member<&RollingUpdateDeployment::max_unavailable>},
  });
  return rows;
}

EnumTable enum_names(DeploymentStrategy::Type) {
  using enum DeploymentStrategy::Type;
  static constexpr auto rows = enum_rows({
      {recreate, "Recreate"},
      {rolling_update, "RollingUpdate"},
  });
  return rows;
}

FieldTable DeploymentStrategy::fields() {
  static constexpr auto rows = field_rows({
      {"rollingUpdate", member<&DeploymentStrategy::rolling_update>},
      {"type", member<&DeploymentStrategy::type>},
  });
  return rows;
}

FieldTable DeploymentSpec::fields() {
  static constexpr auto rows = field_rows({
      {"minReadySeconds", member<&DeploymentSpec::min_ready_seconds>},
      {"paused", member<&DeploymentSpec::paused>},
      {"progressDeadlineSeconds", member<&DeploymentSpec::progress_deadline_seconds>},
      {"replicas", member<&DeploymentSpec::replicas>},
      {"revisionHistoryLimit", member<&DeploymentSpec::revision_history_limit>},
      {"selector", member<&DeploymentSpec::selector>, required_atomic},
      {"strategy", member<&DeploymentSpec::strategy>},
      {"template", member<&DeploymentSpec::template_>, required},
  });
  return rows;
}

FieldTable DeploymentCondition::fields() {
  static constexpr auto rows = field_rows({
      {"lastTransitionTime", member<&DeploymentCondition::last_transition_time>},
      {"lastUpdateTime", member<&DeploymentCondition::last_update_time>},
      {"message", member<&DeploymentCondition::message>},
      {"reason", member<&DeploymentCondition::reason>},
      {"status", member<&DeploymentCondition::status>, required},
      {"type", member<&DeploymentCondition::type>, required},
  });
  return rows;
}

FieldTable DeploymentStatus::fields() {
  static constexpr auto rows = field_rows({
      {"availableReplicas", member<&DeploymentStatus::available_replicas>},
      {"collisionCount", member<&DeploymentStatus::collision_count>},
      {"conditions", member<&DeploymentStatus::conditions>, by_type},
      {"observedGeneration", member<&DeploymentStatus::observed_generation>},
      {"readyReplicas", member<&DeploymentStatus::ready_replicas>},
      {"replicas", member<&DeploymentStatus::replicas>},
      {"terminatingReplicas", member<&DeploymentStatus::terminating_replicas>},
      {"unavailableReplicas", member<&DeploymentStatus::unavailable_replicas>},
      {"updatedReplicas", member<&DeploymentStatus::updated_replicas>},
  });
  return rows;
}

FieldTable ReplicaSetSpec::fields() {
  static constexpr auto rows = field_rows({
      {"minReadySeconds", member<&ReplicaSetSpec::min_ready_seconds>},
      {"replicas", member<&ReplicaSetSpec::replicas>},
      {"selector", member<&ReplicaSetSpec::selector>, required_atomic},
      {"template", member<&ReplicaSetSpec::template_>},
  });
  return rows;
}

FieldTable ReplicaSetCondition::fields() {
  static constexpr auto rows = field_rows({
      {"lastTransitionTime", member<&ReplicaSetCondition::last_transition_time>},
      {"message", member<&ReplicaSetCondition::message>},
      {"reason", member<&ReplicaSetCondition::reason>},
      {"status", member<&ReplicaSetCondition::status>, required},
      {"type", member<&ReplicaSetCondition::type>, required},
  });
  return rows;
}

FieldTable ReplicaSetStatus::fields() {
  static constexpr auto rows = field_rows({
      {"availableReplicas", member<&ReplicaSetStatus::available_replicas>},
      {"conditions", member<&ReplicaSetStatus::conditions>, by_type},
      {"fullyLabeledReplicas", member<&ReplicaSetStatus::fully_labeled_replicas>},
      {"observedGeneration", member<&ReplicaSetStatus::observed_generation>},
      {"readyReplicas", member<&ReplicaSetStatus::ready_replicas>},
      {"replicas", member<&ReplicaSetStatus::replicas>, required},
      {"terminatingReplicas", member<&ReplicaSetStatus::terminating_replicas>},
  });
  return rows;
}

FieldTable RollingUpdateStatefulSetStrategy::fields() {
  static constexpr auto rows = field_rows({
      {"maxUnavailable", member<&RollingUpdateStatefulSetStrategy::max_unavailable>},
      {"partition", member<&RollingUpdateStatefulSetStrategy::partition>},
  });
  return rows;
}

FieldTable StatefulSetOrdinals::fields() {
  static constexpr auto rows = field_rows({
      {"start", member<&StatefulSetOrdinals::start>},
  });
  return rows;
}

FieldTable StatefulSetPersistentVolumeClaimRetentionPolicy::fields() {
  static constexpr auto rows = field_rows({
      {"whenDeleted", member<&StatefulSetPersistentVolumeClaimRetentionPolicy::when_deleted>},
      {"whenScaled", member<&StatefulSetPersistentVolumeClaimRetentionPolicy::when_scaled>},
  });
  return rows;
}

EnumTable enum_names(StatefulSetUpdateStrategy::Type) {
  using enum StatefulSetUpdateStrategy::Type;
  static constexpr auto rows = enum_rows({
      {on_delete, "OnDelete"},
      {rolling_update, "RollingUpdate"},
  });
  return rows;
}

FieldTable StatefulSetUpdateStrategy::fields() {
  static constexpr auto rows = field_rows({
      {"rollingUpdate", member<&StatefulSetUpdateStrategy::rolling_update>},
      {"type", member<&StatefulSetUpdateStrategy::type>},
  });
  return rows;
}

EnumTable enum_names(StatefulSetSpec::PodManagementPolicy) {
  using enum StatefulSetSpec::PodManagementPolicy;
  static constexpr auto rows = enum_rows({
      {ordered_ready, "OrderedReady"},
      {parallel, "Parallel"},
  });
  return rows;
}

FieldTable StatefulSetSpec::fields() {
  static constexpr auto rows = field_rows({
      {"minReadySeconds", member<&StatefulSetSpec::min_ready_seconds>},
      {"ordinals", member<&StatefulSetSpec::ordinals>},
      {"persistentVolumeClaimRetentionPolicy", member<&StatefulSetSpec::persistent_volume_claim_retention_policy>},
      {"podManagementPolicy", member<&StatefulSetSpec::pod_management_policy>},
      {"replicas", member<&StatefulSetSpec::replicas>},
      {"revisionHistoryLimit", member<&StatefulSetSpec::revision_history_limit>},
      {"selector", member<&StatefulSetSpec::selector>, required_atomic},
      {"serviceName", member<&StatefulSetSpec::service_name>},
      {"template", member<&StatefulSetSpec::template_>, required},
      {"updateStrategy", member<&StatefulSetSpec::update_strategy>},
      {"volumeClaimTemplates", member<&StatefulSetSpec::volume_claim_templates>, atomic},
  });
  return rows;
}

FieldTable StatefulSetCondition::fields() {
  static constexpr auto rows = field_rows({
      {"lastTransitionTime", member<&StatefulSetCondition::last_transition_time>},
      {"message", member<&StatefulSetCondition::message>},
      {"reason", member<&StatefulSetCondition::reason>},
      {"status", member<&StatefulSetCondition::status>, required},
      {"type", member<&StatefulSetCondition::type>, required},
  });
  return rows;
}

FieldTable StatefulSetStatus::fields() {
  static constexpr auto rows = field_rows({
      {"availableReplicas", member<&StatefulSetStatus::available_replicas>},
      {"collisionCount", member<&StatefulSetStatus::collision_count>},
      {"conditions", member<&StatefulSetStatus::conditions>, by_type},
      {"currentReplicas", member<&StatefulSetStatus::current_replicas>},
      {"currentRevision", member<&StatefulSetStatus::current_revision>},
      {"observedGeneration", member<&StatefulSetStatus::observed_generation>},
      {"readyReplicas", member<&StatefulSetStatus::ready_replicas>},
      {"replicas", member<&StatefulSetStatus::replicas>, required},
      {"updateRevision", member<&StatefulSetStatus::update_revision>},
      {"updatedReplicas", member<&StatefulSetStatus::updated_replicas>},
  });
  return rows;
}

}  // namespace pintle::api::apps::v1
