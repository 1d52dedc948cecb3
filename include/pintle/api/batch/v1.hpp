// Types of batch, version v1. Written by `pintle gen types`, which writes it anew.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <pintle/api/core/v1.hpp>
#include <pintle/api/core/v1/small_kinds.hpp>
#include <pintle/api/meta/v1.hpp>
#include <pintle/base/annotations.hpp>
#include <pintle/base/time.hpp>
#include <pintle/object/choice.hpp>
#include <pintle/object/declared.hpp>
#include <pintle/object/kind.hpp>
#include <pintle/object/metadata.hpp>
#include <pintle/object/optional_box.hpp>

namespace pintle::api::batch::v1 {

struct PINTLE_EXPORT PodFailurePolicyOnExitCodesRequirement {
  enum class Operator { unset, in, not_in };
  friend PINTLE_EXPORT EnumTable enum_names(Operator);
  friend consteval std::string_view enum_texts(Operator) { return "In|NotIn"; }

  std::optional<std::string> container_name{};
  Choice<Operator> operator_{};
  std::vector<std::int32_t> values{};

  static FieldTable fields();
};

struct PINTLE_EXPORT PodFailurePolicyOnPodConditionsPattern {
  std::optional<std::string> status{};
  std::string type{};

  static FieldTable fields();
};

struct PINTLE_EXPORT PodFailurePolicyRule {
  enum class Action { unset, count, fail_index, fail_job, ignore };
  friend PINTLE_EXPORT EnumTable enum_names(Action);
  friend consteval std::string_view enum_texts(Action) { return "Count|FailIndex|FailJob|Ignore"; }

  Choice<Action> action{};
  OptionalBox<PodFailurePolicyOnExitCodesRequirement> on_exit_codes{};
  std::vector<PodFailurePolicyOnPodConditionsPattern> on_pod_conditions{};

  static FieldTable fields();
};

struct PINTLE_EXPORT PodFailurePolicy {
  std::vector<PodFailurePolicyRule> rules{};

  static FieldTable fields();
};

struct PINTLE_EXPORT SuccessPolicyRule {
  std::optional<std::int32_t> succeeded_count{};
  std::optional<std::string> succeeded_indexes{};

  static FieldTable fields();
};

struct PINTLE_EXPORT SuccessPolicy {
  std::vector<SuccessPolicyRule> rules{};

  static FieldTable fields();
};

struct PINTLE_EXPORT JobSpec {
  enum class CompletionMode { unset, indexed, non_indexed };
  friend PINTLE_EXPORT EnumTable enum_names(CompletionMode);
  friend consteval std::string_view enum_texts(CompletionMode) { return "Indexed|NonIndexed"; }

  enum class PodReplacementPolicy { unset, failed, terminating_or_failed };
  friend PINTLE_EXPORT EnumTable enum_names(PodReplacementPolicy);
  friend consteval std::string_view enum_texts(PodReplacementPolicy) { return "Failed|TerminatingOrFailed"; }

  std::optional<std::int64_t> active_deadline_seconds{};
  std::optional<std::int32_t> backoff_limit{};
  std::optional<std::int32_t> backoff_limit_per_index{};
  Choice<CompletionMode> completion_mode{};
  std::optional<std::int32_t> completions{};
  std::optional<std::string> managed_by{};
  std::optional<bool> manual_selector{};
  std::optional<std::int32_t> max_failed_indexes{};
  std::optional<std::int32_t> parallelism{};
  OptionalBox<PodFailurePolicy> pod_failure_policy{};
  Choice<PodReplacementPolicy> pod_replacement_policy{};
  OptionalBox<meta::v1::LabelSelector> selector{};
  OptionalBox<SuccessPolicy> success_policy{};
  std::optional<bool> suspend{};
  core::v1::PodTemplateSpec template_{};
  std::optional<std::int32_t> ttl_seconds_after_finished{};

  static FieldTable fields();
};

struct PINTLE_EXPORT JobTemplateSpec {
  Metadata metadata{};
  JobSpec spec{};

  static FieldTable fields();
};

struct PINTLE_EXPORT CronJobSpec {
  enum class ConcurrencyPolicy { unset, allow, forbid, replace };
  friend PINTLE_EXPORT EnumTable enum_names(ConcurrencyPolicy);
  friend consteval std::string_view enum_texts(ConcurrencyPolicy) { return "Allow|Forbid|Replace"; }

  Choice<ConcurrencyPolicy> concurrency_policy{};
  std::optional<std::int32_t> failed_jobs_history_limit{};
  JobTemplateSpec job_template{};
  std::string schedule{};
  std::optional<std::int64_t> starting_deadline_seconds{};
  std::optional<std::int32_t> successful_jobs_history_limit{};
  std::optional<bool> suspend{};
  std::optional<std::string> time_zone{};

  static FieldTable fields();
};

struct PINTLE_EXPORT CronJobStatus {
  std::vector<core::v1::ObjectReference> active{};
  std::optional<WallTime> last_schedule_time{};
  std::optional<WallTime> last_successful_time{};

  static FieldTable fields();
};

struct PINTLE_EXPORT CronJob {
  static constexpr Type type{"batch/v1", "CronJob"};
  Metadata metadata{};
  CronJobSpec spec{};
  CronJobStatus status{};
};

struct PINTLE_EXPORT JobCondition {
  std::optional<WallTime> last_probe_time{};
  std::optional<WallTime> last_transition_time{};
  std::optional<std::string> message{};
  std::optional<std::string> reason{};
  std::string status{};
  std::string type{};

  static FieldTable fields();
};

struct PINTLE_EXPORT UncountedTerminatedPods {
  std::vector<std::string> failed{};
  std::vector<std::string> succeeded{};

  static FieldTable fields();
};

struct PINTLE_EXPORT JobStatus {
  std::optional<std::int32_t> active{};
  std::optional<std::string> completed_indexes{};
  std::optional<WallTime> completion_time{};
  std::vector<JobCondition> conditions{};
  std::optional<std::int32_t> failed{};
  std::optional<std::string> failed_indexes{};
  std::optional<std::int32_t> ready{};
  std::optional<WallTime> start_time{};
  std::optional<std::int32_t> succeeded{};
  std::optional<std::int32_t> terminating{};
  OptionalBox<UncountedTerminatedPods> uncounted_terminated_pods{};

  static FieldTable fields();
};

struct PINTLE_EXPORT Job {
  static constexpr Type type{"batch/v1", "Job"};
  Metadata metadata{};
  JobSpec spec{};
  JobStatus status{};
};

}  // namespace pintle::api::batch::v1
