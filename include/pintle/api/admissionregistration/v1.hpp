// Types of admissionregistration, version v1. Written by `pintle gen types`, which writes it anew.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <pintle/api/meta/v1.hpp>
#include <pintle/base/annotations.hpp>
#include <pintle/object/bytes.hpp>
#include <pintle/object/choice.hpp>
#include <pintle/object/condition.hpp>
#include <pintle/object/declared.hpp>
#include <pintle/object/kind.hpp>
#include <pintle/object/metadata.hpp>
#include <pintle/object/optional_box.hpp>

namespace pintle::api::admissionregistration::v1 {

struct PINTLE_EXPORT ApplyConfiguration {
  std::optional<std::string> expression{};

  static FieldTable fields();
};

struct PINTLE_EXPORT AuditAnnotation {
  std::string key{};
  std::string value_expression{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ExpressionWarning {
  std::string field_ref{};
  std::string warning{};

  static FieldTable fields();
};

struct PINTLE_EXPORT JSONPatch {
  std::optional<std::string> expression{};

  static FieldTable fields();
};

struct PINTLE_EXPORT MatchCondition {
  std::string expression{};
  std::string name{};

  static FieldTable fields();
};

struct PINTLE_EXPORT NamedRuleWithOperations {
  enum class Operation { unset, any, connect, create, delete_, update };
  friend PINTLE_EXPORT EnumTable enum_names(Operation);
  friend consteval std::string_view enum_texts(Operation) { return "*|CONNECT|CREATE|DELETE|UPDATE"; }

  enum class Scope { unset, any, cluster, namespaced };
  friend PINTLE_EXPORT EnumTable enum_names(Scope);
  friend consteval std::string_view enum_texts(Scope) { return "*|Cluster|Namespaced"; }

  std::vector<std::string> api_groups{};
  std::vector<std::string> api_versions{};
  std::vector<Choice<Operation>> operations{};
  std::vector<std::string> resource_names{};
  std::vector<std::string> resources{};
  Choice<Scope> scope{};

  static FieldTable fields();
};

struct PINTLE_EXPORT MatchResources {
  enum class MatchPolicy { unset, equivalent, exact };
  friend PINTLE_EXPORT EnumTable enum_names(MatchPolicy);
  friend consteval std::string_view enum_texts(MatchPolicy) { return "Equivalent|Exact"; }

  std::vector<NamedRuleWithOperations> exclude_resource_rules{};
  Choice<MatchPolicy> match_policy{};
  OptionalBox<meta::v1::LabelSelector> namespace_selector{};
  OptionalBox<meta::v1::LabelSelector> object_selector{};
  std::vector<NamedRuleWithOperations> resource_rules{};

  static FieldTable fields();
};

struct PINTLE_EXPORT Mutation {
  enum class PatchType { unset, apply_configuration, json_patch };
  friend PINTLE_EXPORT EnumTable enum_names(PatchType);
  friend consteval std::string_view enum_texts(PatchType) { return "ApplyConfiguration|JSONPatch"; }

  OptionalBox<ApplyConfiguration> apply_configuration{};
  OptionalBox<JSONPatch> json_patch{};
  Choice<PatchType> patch_type{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ParamKind {
  std::optional<std::string> api_version{};
  std::optional<std::string> kind{};

  static FieldTable fields();
};

struct PINTLE_EXPORT Variable {
  std::string expression{};
  std::string name{};

  static FieldTable fields();
};

struct PINTLE_EXPORT MutatingAdmissionPolicySpec {
  enum class FailurePolicy { unset, fail, ignore };
  friend PINTLE_EXPORT EnumTable enum_names(FailurePolicy);
  friend consteval std::string_view enum_texts(FailurePolicy) { return "Fail|Ignore"; }

  enum class ReinvocationPolicy { unset, if_needed, never };
  friend PINTLE_EXPORT EnumTable enum_names(ReinvocationPolicy);
  friend consteval std::string_view enum_texts(ReinvocationPolicy) { return "IfNeeded|Never"; }

  Choice<FailurePolicy> failure_policy{};
  std::vector<MatchCondition> match_conditions{};
  OptionalBox<MatchResources> match_constraints{};
  std::vector<Mutation> mutations{};
  OptionalBox<ParamKind> param_kind{};
  Choice<ReinvocationPolicy> reinvocation_policy{};
  std::vector<Variable> variables{};

  static FieldTable fields();
};

struct PINTLE_EXPORT MutatingAdmissionPolicy {
  static constexpr Type type{"admissionregistration.k8s.io/v1", "MutatingAdmissionPolicy"};
  Metadata metadata{};
  MutatingAdmissionPolicySpec spec{};
};

struct PINTLE_EXPORT ParamRef {
  std::optional<std::string> name{};
  std::optional<std::string> namespace_{};
  std::optional<std::string> parameter_not_found_action{};
  OptionalBox<meta::v1::LabelSelector> selector{};

  static FieldTable fields();
};

struct PINTLE_EXPORT MutatingAdmissionPolicyBindingSpec {
  OptionalBox<MatchResources> match_resources{};
  OptionalBox<ParamRef> param_ref{};
  std::optional<std::string> policy_name{};

  static FieldTable fields();
};

struct PINTLE_EXPORT MutatingAdmissionPolicyBinding {
  static constexpr Type type{"admissionregistration.k8s.io/v1", "MutatingAdmissionPolicyBinding"};
  Metadata metadata{};
  MutatingAdmissionPolicyBindingSpec spec{};
};

struct PINTLE_EXPORT RuleWithOperations {
  enum class Operation { unset, any, connect, create, delete_, update };
  friend PINTLE_EXPORT EnumTable enum_names(Operation);
  friend consteval std::string_view enum_texts(Operation) { return "*|CONNECT|CREATE|DELETE|UPDATE"; }

  enum class Scope { unset, any, cluster, namespaced };
  friend PINTLE_EXPORT EnumTable enum_names(Scope);
  friend consteval std::string_view enum_texts(Scope) { return "*|Cluster|Namespaced"; }

  std::vector<std::string> api_groups{};
  std::vector<std::string> api_versions{};
  std::vector<Choice<Operation>> operations{};
  std::vector<std::string> resources{};
  Choice<Scope> scope{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ServiceReference {
  std::string name{};
  std::string namespace_{};
  std::optional<std::string> path{};
  std::optional<std::int32_t> port{};

  static FieldTable fields();
};

struct PINTLE_EXPORT WebhookClientConfig {
  std::optional<Bytes> ca_bundle{};
  OptionalBox<ServiceReference> service{};
  std::optional<std::string> url{};

  static FieldTable fields();
};

struct PINTLE_EXPORT MutatingWebhook {
  enum class FailurePolicy { unset, fail, ignore };
  friend PINTLE_EXPORT EnumTable enum_names(FailurePolicy);
  friend consteval std::string_view enum_texts(FailurePolicy) { return "Fail|Ignore"; }

  enum class MatchPolicy { unset, equivalent, exact };
  friend PINTLE_EXPORT EnumTable enum_names(MatchPolicy);
  friend consteval std::string_view enum_texts(MatchPolicy) { return "Equivalent|Exact"; }

  enum class ReinvocationPolicy { unset, if_needed, never };
  friend PINTLE_EXPORT EnumTable enum_names(ReinvocationPolicy);
  friend consteval std::string_view enum_texts(ReinvocationPolicy) { return "IfNeeded|Never"; }

  enum class SideEffects { unset, none, none_on_dry_run, some, unknown };
  friend PINTLE_EXPORT EnumTable enum_names(SideEffects);
  friend consteval std::string_view enum_texts(SideEffects) { return "None|NoneOnDryRun|Some|Unknown"; }

  std::vector<std::string> admission_review_versions{};
  WebhookClientConfig client_config{};
  Choice<FailurePolicy> failure_policy{};
  std::vector<MatchCondition> match_conditions{};
  Choice<MatchPolicy> match_policy{};
  std::string name{};
  OptionalBox<meta::v1::LabelSelector> namespace_selector{};
  OptionalBox<meta::v1::LabelSelector> object_selector{};
  Choice<ReinvocationPolicy> reinvocation_policy{};
  std::vector<RuleWithOperations> rules{};
  Choice<SideEffects> side_effects{};
  std::optional<std::int32_t> timeout_seconds{};

  static FieldTable fields();
};

struct PINTLE_EXPORT MutatingWebhookConfiguration {
  static constexpr Type type{"admissionregistration.k8s.io/v1", "MutatingWebhookConfiguration"};
  Metadata metadata{};
  std::vector<MutatingWebhook> webhooks{};

  static FieldTable fields();
};

struct PINTLE_EXPORT TypeChecking {
  std::vector<ExpressionWarning> expression_warnings{};

  static FieldTable fields();
};

struct PINTLE_EXPORT Validation {
  std::string expression{};
  std::optional<std::string> message{};
  std::optional<std::string> message_expression{};
  std::optional<std::string> reason{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ValidatingAdmissionPolicySpec {
  enum class FailurePolicy { unset, fail, ignore };
  friend PINTLE_EXPORT EnumTable enum_names(FailurePolicy);
  friend consteval std::string_view enum_texts(FailurePolicy) { return "Fail|Ignore"; }

  std::vector<AuditAnnotation> audit_annotations{};
  Choice<FailurePolicy> failure_policy{};
  std::vector<MatchCondition> match_conditions{};
  OptionalBox<MatchResources> match_constraints{};
  OptionalBox<ParamKind> param_kind{};
  std::vector<Validation> validations{};
  std::vector<Variable> variables{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ValidatingAdmissionPolicyStatus {
  std::vector<StatusCondition> conditions{};
  std::optional<std::int64_t> observed_generation{};
  OptionalBox<TypeChecking> type_checking{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ValidatingAdmissionPolicy {
  static constexpr Type type{"admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy"};
  Metadata metadata{};
  ValidatingAdmissionPolicySpec spec{};
  ValidatingAdmissionPolicyStatus status{};
};

struct PINTLE_EXPORT ValidatingAdmissionPolicyBindingSpec {
  enum class ValidationAction { unset, audit, deny, warn };
  friend PINTLE_EXPORT EnumTable enum_names(ValidationAction);
  friend consteval std::string_view enum_texts(ValidationAction) { return "Audit|Deny|Warn"; }

  OptionalBox<MatchResources> match_resources{};
  OptionalBox<ParamRef> param_ref{};
  std::string policy_name{};
  std::vector<Choice<ValidationAction>> validation_actions{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ValidatingAdmissionPolicyBinding {
  static constexpr Type type{"admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicyBinding"};
  Metadata metadata{};
  ValidatingAdmissionPolicyBindingSpec spec{};
};

struct PINTLE_EXPORT ValidatingWebhook {
  enum class FailurePolicy { unset, fail, ignore };
  friend PINTLE_EXPORT EnumTable enum_names(FailurePolicy);
  friend consteval std::string_view enum_texts(FailurePolicy) { return "Fail|Ignore"; }

  enum class MatchPolicy { unset, equivalent, exact };
  friend PINTLE_EXPORT EnumTable enum_names(MatchPolicy);
  friend consteval std::string_view enum_texts(MatchPolicy) { return "Equivalent|Exact"; }

  enum class SideEffects { unset, none, none_on_dry_run, some, unknown };
  friend PINTLE_EXPORT EnumTable enum_names(SideEffects);
  friend consteval std::string_view enum_texts(SideEffects) { return "None|NoneOnDryRun|Some|Unknown"; }

  std::vector<std::string> admission_review_versions{};
  WebhookClientConfig client_config{};
  Choice<FailurePolicy> failure_policy{};
  std::vector<MatchCondition> match_conditions{};
  Choice<MatchPolicy> match_policy{};
  std::string name{};
  OptionalBox<meta::v1::LabelSelector> namespace_selector{};
  OptionalBox<meta::v1::LabelSelector> object_selector{};
  std::vector<RuleWithOperations> rules{};
  Choice<SideEffects> side_effects{};
  std::optional<std::int32_t> timeout_seconds{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ValidatingWebhookConfiguration {
  static constexpr Type type{"admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration"};
  Metadata metadata{};
  std::vector<ValidatingWebhook> webhooks{};

  static FieldTable fields();
};

}  // namespace pintle::api::admissionregistration::v1
