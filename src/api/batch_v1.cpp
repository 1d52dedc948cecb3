// Tables of batch, version v1. Written by `pintle gen types`, which writes it anew.
#include <pintle/api/batch/v1.hpp>

#include <pintle/object/field_table.hpp>

namespace pintle::api::batch::v1 {
namespace {

constexpr FieldRules atomic{.is_set = true, .merge_strategy = MergeStrategy::atomic};
constexpr FieldRules required_atomic{.is_set = true, .required = true, .merge_strategy = MergeStrategy::atomic};
constexpr FieldRules required_set{.is_set = true, .required = true, .merge_strategy = MergeStrategy::set};
constexpr FieldRules set{.is_set = true, .merge_strategy = MergeStrategy::set};

}  // namespace

EnumTable enum_names(PodFailurePolicyOnExitCodesRequirement::Operator) {
  using enum PodFailurePolicyOnExitCodesRequirement::Operator;
  static constexpr auto rows = enum_rows({
      {in, "In"},
      {not_in, "NotIn"},
  });
  return rows;
}

FieldTable PodFailurePolicyOnExitCodesRequirement::fields() {
  static constexpr auto rows = field_rows({
      {"containerName", member<&PodFailurePolicyOnExitCodesRequirement::container_name>},
      {"operator", member<&PodFailurePolicyOnExitCodesRequirement::operator_>, required},
      {"values", member<&PodFailurePolicyOnExitCodesRequirement::values>, required_set},
  });
  return rows;
}

FieldTable PodFailurePolicyOnPodConditionsPattern::fields() {
  static constexpr auto rows = field_rows({
      {"status", member<&PodFailurePolicyOnPodConditionsPattern::status>},
      {"type", member<&PodFailurePolicyOnPodConditionsPattern::type>, required},
  });
  return rows;
}

EnumTable enum_names(PodFailurePolicyRule::Action) {
  using enum PodFailurePolicyRule::Action;
  static constexpr auto rows = enum_rows({
      {count, "Count"},
      {fail_index, "FailIndex"},
      {fail_job, "FailJob"},
      {ignore, "Ignore"},
  });
  return rows;
}

FieldTable PodFailurePolicyRule::fields() {
  static constexpr auto rows = field_rows({
      {"action", member<&PodFailurePolicyRule::action>, required},
      {"onExitCodes", member<&PodFailurePolicyRule::on_exit_codes>},
      {"onPodConditions", member<&PodFailurePolicyRule::on_pod_conditions>, atomic},
  });
  return rows;
}

FieldTable PodFailurePolicy::fields() {
  static constexpr auto rows = field_rows({
      {"rules", member<&PodFailurePolicy::rules>, required_atomic},
  });
  return rows;
}

FieldTable SuccessPolicyRule::fields() {
  static constexpr auto rows = field_rows({
      {"succeededCount", member<&SuccessPolicyRule::succeeded_count>},
      {"succeededIndexes", member<&SuccessPolicyRule::succeeded_indexes>},
  });
  return rows;
}

FieldTable SuccessPolicy::fields() {
  static constexpr auto rows = field_rows({
      {"rules", member<&SuccessPolicy::rules>, required_atomic},
  });
  return rows;
}

EnumTable enum_names(JobSpec::CompletionMode) {
  using enum JobSpec::CompletionMode;
  static constexpr auto rows = enum_rows({
      {indexed, "Indexed"},
      {non_indexed, "NonIndexed"},
  });
  return rows;
}

EnumTable enum_names(JobSpec::PodReplacementPolicy) {
  using enum JobSpec::PodReplacementPolicy;
  static constexpr auto rows = enum_rows({
      {failed, "Failed"},
      {terminating_or_failed, "TerminatingOrFailed"},
  });
  return rows;
}

FieldTable JobSpec::fields() {
  static constexpr auto rows = field_rows({
      {"activeDeadlineSeconds", member<&JobSpec::active_deadline_seconds>},
      {"backoffLimit", member<&JobSpec::backoff_limit>},
      {"backoffLimitPerIndex", member<&JobSpec::backoff_limit_per_index>},
      {"completionMode", member<&JobSpec::completion_mode>},
      {"completions", member<&JobSpec::completions>},
      {"managedBy", member<&JobSpec::managed_by>},
      {"manualSelector", member<&JobSpec::manual_selector>},
      {"maxFailedIndexes", member<&JobSpec::max_failed_indexes>},
      {"parallelism", member<&JobSpec::parallelism>},
      {"podFailurePolicy", member<&JobSpec::pod_failure_policy>},
      {"podReplacementPolicy", member<&JobSpec::pod_replacement_policy>},
      {"selector", member<&JobSpec::selector>, atomic},
      {"successPolicy", member<&JobSpec::success_policy>},
      {"suspend", member<&JobSpec::suspend>},
      {"template", member<&JobSpec::template_>, required},
      {"ttlSecondsAfterFinished", member<&JobSpec::ttl_seconds_after_finished>},
  });
  return rows;
}

FieldTable JobTemplateSpec::fields() {
  static constexpr auto rows = field_rows({
      {"metadata", member<&JobTemplateSpec::metadata>},
      {"spec", member<&JobTemplateSpec::spec>},
  });
  return rows;
}

EnumTable enum_names(CronJobSpec::ConcurrencyPolicy) {
  using enum CronJobSpec::ConcurrencyPolicy;
  static constexpr auto rows = enum_rows({
      {allow, "Allow"},
      {forbid, "Forbid"},
      {replace, "Replace"},
  });
  return rows;
}

FieldTable CronJobSpec::fields() {
  static constexpr auto rows = field_rows({
      {"concurrencyPolicy", member<&CronJobSpec::concurrency_policy>},
      {"failedJobsHistoryLimit", member<&CronJobSpec::failed_jobs_history_limit>},
      {"jobTemplate", member<&CronJobSpec::job_template>, required},
      {"schedule", member<&CronJobSpec::schedule>, required},
      {"startingDeadlineSeconds", member<&CronJobSpec::starting_deadline_seconds>},
      {"successfulJobsHistoryLimit", member<&CronJobSpec::successful_jobs_history_limit>},
      {"suspend", member<&CronJobSpec::suspend>},
      {"timeZone", member<&CronJobSpec::time_zone>},
  });
  return rows;
}

FieldTable CronJobStatus::fields() {
  static constexpr auto rows = field_rows({
      {"active", member<&CronJobStatus::active>, atomic},
      {"lastScheduleTime", member<&CronJobStatus::last_schedule_time>},
      {"lastSuccessfulTime", member<&CronJobStatus::last_successful_time>},
  });
  return rows;
}

FieldTable JobCondition::fields() {
  static constexpr auto rows = field_rows({
      {"lastProbeTime", member<&JobCondition::last_probe_time>},
      {"lastTransitionTime", member<&JobCondition::last_transition_time>},
      {"message", member<&JobCondition::message>},
      {"reason", member<&JobCondition::reason>},
      {"status", member<&JobCondition::status>, required},
      {"type", member<&JobCondition::type>, required},
  });
  return rows;
}

FieldTable UncountedTerminatedPods::fields() {
  static constexpr auto rows = field_rows({
      {"failed", member<&UncountedTerminatedPods::failed>, set},
      {"succeeded", member<&UncountedTerminatedPods::succeeded>, set},
  });
  return rows;
}

FieldTable JobStatus::fields() {
  static constexpr auto rows = field_rows({
      {"active", member<&JobStatus::active>},
      {"completedIndexes", member<&JobStatus::completed_indexes>},
      {"completionTime", member<&JobStatus::completion_time>},
      {"conditions", member<&JobStatus::conditions>, atomic},
      {"failed", member<&JobStatus::failed>},
      {"failedIndexes", member<&JobStatus::failed_indexes>},
      {"ready", member<&JobStatus::ready>},
      {"startTime", member<&JobStatus::start_time>},
      {"succeeded", member<&JobStatus::succeeded>},
      {"terminating", member<&JobStatus::terminating>},
      {"uncountedTerminatedPods", member<&JobStatus::uncounted_terminated_pods>},
  });
  return rows;
}

}  // namespace pintle::api::batch::v1
