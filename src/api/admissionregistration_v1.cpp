// Tables of admissionregistration, version v1. Written by `pintle gen types`, which writes it anew.
#include <pintle/api/admissionregistration/v1.hpp>

#include <pintle/object/field_table.hpp>

namespace pintle::api::admissionregistration::v1 {
namespace {

constexpr FieldRules atomic{.is_set = true, .merge_strategy = MergeStrategy::atomic};
constexpr FieldRules by_name{.is_set = true, .merge_strategy = MergeStrategy::map, .keys = {"name", "", "", ""}};
constexpr FieldRules required_atomic{.is_set = true, .required = true, .merge_strategy = MergeStrategy::atomic};
constexpr FieldRules required_set{.is_set = true, .required = true, .merge_strategy = MergeStrategy::set};

}  // namespace

FieldTable ApplyConfiguration::fields() {
  static constexpr auto rows = field_rows({
      {"expression", member<&ApplyConfiguration::expression>},
  });
  return rows;
}

FieldTable AuditAnnotation::fields() {
  static constexpr auto rows = field_rows({
      {"key", member<&AuditAnnotation::key>, required},
      {"valueExpression", member<&AuditAnnotation::value_expression>, required},
  });
  return rows;
}

FieldTable ExpressionWarning::fields() {
  static constexpr auto rows = field_rows({
      {"fieldRef", member<&ExpressionWarning::field_ref>, required},
      {"warning", member<&ExpressionWarning::warning>, required},
  });
  return rows;
}

FieldTable JSONPatch::fields() {
  static constexpr auto rows = field_rows({
      {"expression", member<&JSONPatch::expression>},
  });
  return rows;
}

FieldTable MatchCondition::fields() {
  static constexpr auto rows = field_rows({
      {"expression", member<&MatchCondition::expression>, required},
      {"name", member<&MatchCondition::name>, required},
  });
  return rows;
}

EnumTable enum_names(NamedRuleWithOperations::Operation) {
  using enum NamedRuleWithOperations::Operation;
  static constexpr auto rows = enum_rows({
      {any, "*"},
      {connect, "CONNECT"},
      {create, "CREATE"},
      {delete_, "DELETE"},
      {update, "UPDATE"},
  });
  return rows;
}

EnumTable enum_names(NamedRuleWithOperations::Scope) {
  using enum NamedRuleWithOperations::Scope;
  static constexpr auto rows = enum_rows({
      {any, "*"},
      {cluster, "Cluster"},
      {namespaced, "Namespaced"},
  });
  return rows;
}

FieldTable NamedRuleWithOperations::fields() {
  static constexpr auto rows = field_rows({
      {"apiGroups", member<&NamedRuleWithOperations::api_groups>, atomic},
      {"apiVersions", member<&NamedRuleWithOperations::api_versions>, atomic},
      {"operations", member<&NamedRuleWithOperations::operations>, atomic},
      {"resourceNames", member<&NamedRuleWithOperations::resource_names>, atomic},
      {"resources", member<&NamedRuleWithOperations::resources>, atomic},
      {"scope", member<&NamedRuleWithOperations::scope>},
  });
  return rows;
}

EnumTable enum_names(MatchResources::MatchPolicy) {
  using enum MatchResources::MatchPolicy;
  static constexpr auto rows = enum_rows({
      {equivalent, "Equivalent"},
      {exact, "Exact"},
  });
  return rows;
}

FieldTable MatchResources::fields() {
  static constexpr auto rows = field_rows({
      {"excludeResourceRules", member<&MatchResources::exclude_resource_rules>, atomic},
      {"matchPolicy", member<&MatchResources::match_policy>},
      {"namespaceSelector", member<&MatchResources::namespace_selector>, atomic},
      {"objectSelector", member<&MatchResources::object_selector>, atomic},
      {"resourceRules", member<&MatchResources::resource_rules>, atomic},
  });
  return rows;
}

EnumTable enum_names(Mutation::PatchType) {
  using enum Mutation::PatchType;
  static constexpr auto rows = enum_rows({
      {apply_configuration, "ApplyConfiguration"},
      {json_patch, "JSONPatch"},
  });
  return rows;
}

FieldTable Mutation::fields() {
  static constexpr auto rows = field_rows({
      {"applyConfiguration", member<&Mutation::apply_configuration>},
      {"jsonPatch", member<&Mutation::json_patch>},
      {"patchType", member<&Mutation::patch_type>, required},
  });
  return rows;
}

FieldTable ParamKind::fields() {
  static constexpr auto rows = field_rows({
      {"apiVersion", member<&ParamKind::api_version>},
      {"kind", member<&ParamKind::kind>},
  });
  return rows;
}

FieldTable Variable::fields() {
  static constexpr auto rows = field_rows({
      {"expression", member<&Variable::expression>, required},
      {"name", member<&Variable::name>, required},
  });
  return rows;
}

EnumTable enum_names(MutatingAdmissionPolicySpec::FailurePolicy) {
  using enum MutatingAdmissionPolicySpec::FailurePolicy;
  static constexpr auto rows = enum_rows({
      {fail, "Fail"},
      {ignore, "Ignore"},
  });
  return rows;
}

EnumTable enum_names(MutatingAdmissionPolicySpec::ReinvocationPolicy) {
  using enum MutatingAdmissionPolicySpec::ReinvocationPolicy;
  static constexpr auto rows = enum_rows({
      {if_needed, "IfNeeded"},
      {never, "Never"},
  });
  return rows;
}

FieldTable MutatingAdmissionPolicySpec::fields() {
  static constexpr auto rows = field_rows({
      {"failurePolicy", member<&MutatingAdmissionPolicySpec::failure_policy>},
      {"matchConditions", member<&MutatingAdmissionPolicySpec::match_conditions>, by_name},
      {"matchConstraints", member<&MutatingAdmissionPolicySpec::match_constraints>, atomic},
      {"mutations", member<&MutatingAdmissionPolicySpec::mutations>, atomic},
      {"paramKind", member<&MutatingAdmissionPolicySpec::param_kind>, atomic},
      {"reinvocationPolicy", member<&MutatingAdmissionPolicySpec::reinvocation_policy>},
      {"variables", member<&MutatingAdmissionPolicySpec::variables>, atomic},
  });
  return rows;
}

FieldTable ParamRef::fields() {
  static constexpr auto rows = field_rows({
      {"name", member<&ParamRef::name>},
      {"namespace", member<&ParamRef::namespace_>},
      {"parameterNotFoundAction", member<&ParamRef::parameter_not_found_action>},
      {"selector", member<&ParamRef::selector>, atomic},
  });
  return rows;
}

FieldTable MutatingAdmissionPolicyBindingSpec::fields() {
  static constexpr auto rows = field_rows({
      {"matchResources", member<&MutatingAdmissionPolicyBindingSpec::match_resources>, atomic},
      {"paramRef", member<&MutatingAdmissionPolicyBindingSpec::param_ref>, atomic},
      {"policyName", member<&MutatingAdmissionPolicyBindingSpec::policy_name>},
  });
  return rows;
}

EnumTable enum_names(RuleWithOperations::Operation) {
  using enum RuleWithOperations::Operation;
  static constexpr auto rows = enum_rows({
      {any, "*"},
      {connect, "CONNECT"},
      {create, "CREATE"},
      {delete_, "DELETE"},
      {update, "UPDATE"},
  });
  return rows;
}

EnumTable enum_names(RuleWithOperations::Scope) {
  using enum RuleWithOperations::Scope;
  static constexpr auto rows = enum_rows({
      {any, "*"},
      {cluster, "Cluster"},
      {namespaced, "Namespaced"},
  });
  return rows;
}

FieldTable RuleWithOperations::fields() {
  static constexpr auto rows = field_rows({
      {"apiGroups", member<&RuleWithOperations::api_groups>, atomic},
      {"apiVersions", member<&RuleWithOperations::api_versions>, atomic},
      {"operations", member<&RuleWithOperations::operations>, atomic},
      {"resources", member<&RuleWithOperations::resources>, atomic},
      {"scope", member<&RuleWithOperations::scope>},
  });
  return rows;
}

FieldTable ServiceReference::fields() {
  static constexpr auto rows = field_rows({
      {"name", member<&ServiceReference::name>, required},
      {"namespace", member<&ServiceReference::namespace_>, required},
      {"path", member<&ServiceReference::path>},
      {"port", member<&ServiceReference::port>},
  });
  return rows;
}

FieldTable WebhookClientConfig::fields() {
  static constexpr auto rows = field_rows({
      {"caBundle", member<&WebhookClientConfig::ca_bundle>},
      {"service", member<&WebhookClientConfig::service>},
      {"url", member<&WebhookClientConfig::url>},
  });
  return rows;
}

EnumTable enum_names(MutatingWebhook::FailurePolicy) {
  using enum MutatingWebhook::FailurePolicy;
  static constexpr auto rows = enum_rows({
      {fail, "Fail"},
      {ignore, "Ignore"},
  });
  return rows;
}

EnumTable enum_names(MutatingWebhook::MatchPolicy) {
  using enum MutatingWebhook::MatchPolicy;
  static constexpr auto rows = enum_rows({
      {equivalent, "Equivalent"},
      {exact, "Exact"},
  });
  return rows;
}

EnumTable enum_names(MutatingWebhook::ReinvocationPolicy) {
  using enum MutatingWebhook::ReinvocationPolicy;
  static constexpr auto rows = enum_rows({
      {if_needed, "IfNeeded"},
      {never, "Never"},
  });
  return rows;
}

EnumTable enum_names(MutatingWebhook::SideEffects) {
  using enum MutatingWebhook::SideEffects;
  static constexpr auto rows = enum_rows({
      {none, "None"},
      {none_on_dry_run, "NoneOnDryRun"},
      {some, "Some"},
      {unknown, "Unknown"},
  });
  return rows;
}

FieldTable MutatingWebhook::fields() {
  static constexpr auto rows = field_rows({
      {"admissionReviewVersions", member<&MutatingWebhook::admission_review_versions>, required_atomic},
      {"clientConfig", member<&MutatingWebhook::client_config>, required},
      {"failurePolicy", member<&MutatingWebhook::failure_policy>},
      {"matchConditions", member<&MutatingWebhook::match_conditions>, by_name},
      {"matchPolicy", member<&MutatingWebhook::match_policy>},
      {"name", member<&MutatingWebhook::name>, required},
      {"namespaceSelector", member<&MutatingWebhook::namespace_selector>, atomic},
      {"objectSelector", member<&MutatingWebhook::object_selector>, atomic},
      {"reinvocationPolicy", member<&MutatingWebhook::reinvocation_policy>},
      {"rules", member<&MutatingWebhook::rules>, atomic},
      {"sideEffects", member<&MutatingWebhook::side_effects>, required},
      {"timeoutSeconds", member<&MutatingWebhook::timeout_seconds>},
  });
  return rows;
}

FieldTable MutatingWebhookConfiguration::fields() {
  static constexpr auto rows = field_rows({
      {"webhooks", member<&MutatingWebhookConfiguration::webhooks>, by_name},
  });
  return rows;
}

FieldTable TypeChecking::fields() {
  static constexpr auto rows = field_rows({
      {"expressionWarnings", member<&TypeChecking::expression_warnings>, atomic},
  });
  return rows;
}

FieldTable Validation::fields() {
  static constexpr auto rows = field_rows({
      {"expression", member<&Validation::expression>, required},
      {"message", member<&Validation::message>},
      {"messageExpression", member<&Validation::message_expression>},
      {"reason", member<&Validation::reason>},
  });
  return rows;
}

EnumTable enum_names(ValidatingAdmissionPolicySpec::FailurePolicy) {
  using enum ValidatingAdmissionPolicySpec::FailurePolicy;
  static constexpr auto rows = enum_rows({
      {fail, "Fail"},
      {ignore, "Ignore"},
  });
  return rows;
}

FieldTable ValidatingAdmissionPolicySpec::fields() {
  static constexpr auto rows = field_rows({
      {"auditAnnotations", member<&ValidatingAdmissionPolicySpec::audit_annotations>, atomic},
      {"failurePolicy", member<&ValidatingAdmissionPolicySpec::failure_policy>},
      {"matchConditions", member<&ValidatingAdmissionPolicySpec::match_conditions>, by_name},
      {"matchConstraints", member<&ValidatingAdmissionPolicySpec::match_constraints>, atomic},
      {"paramKind", member<&ValidatingAdmissionPolicySpec::param_kind>, atomic},
      {"validations", member<&ValidatingAdmissionPolicySpec::validations>, atomic},
      {"variables", member<&ValidatingAdmissionPolicySpec::variables>, by_name},
  });
  return rows;
}

FieldTable ValidatingAdmissionPolicyStatus::fields() {
  static constexpr auto rows = field_rows({
      {"conditions", member<&ValidatingAdmissionPolicyStatus::conditions>},
      {"observedGeneration", member<&ValidatingAdmissionPolicyStatus::observed_generation>},
      {"typeChecking", member<&ValidatingAdmissionPolicyStatus::type_checking>},
  });
  return rows;
}

EnumTable enum_names(ValidatingAdmissionPolicyBindingSpec::ValidationAction) {
  using enum ValidatingAdmissionPolicyBindingSpec::ValidationAction;
  static constexpr auto rows = enum_rows({
      {audit, "Audit"},
      {deny, "Deny"},
      {warn, "Warn"},
  });
  return rows;
}

FieldTable ValidatingAdmissionPolicyBindingSpec::fields() {
  static constexpr auto rows = field_rows({
      {"matchResources", member<&ValidatingAdmissionPolicyBindingSpec::match_resources>, atomic},
      {"paramRef", member<&ValidatingAdmissionPolicyBindingSpec::param_ref>, atomic},
      {"policyName", member<&ValidatingAdmissionPolicyBindingSpec::policy_name>, required},
      {"validationActions", member<&ValidatingAdmissionPolicyBindingSpec::validation_actions>, required_set},
  });
  return rows;
}

EnumTable enum_names(ValidatingWebhook::FailurePolicy) {
  using enum ValidatingWebhook::FailurePolicy;
  static constexpr auto rows = enum_rows({
      {fail, "Fail"},
      {ignore, "Ignore"},
  });
  return rows;
}

EnumTable enum_names(ValidatingWebhook::MatchPolicy) {
  using enum ValidatingWebhook::MatchPolicy;
  static constexpr auto rows = enum_rows({
      {equivalent, "Equivalent"},
      {exact, "Exact"},
  });
  return rows;
}

EnumTable enum_names(ValidatingWebhook::SideEffects) {
  using enum ValidatingWebhook::SideEffects;
  static constexpr auto rows = enum_rows({
      {none, "None"},
      {none_on_dry_run, "NoneOnDryRun"},
      {some, "Some"},
      {unknown, "Unknown"},
  });
  return rows;
}

FieldTable ValidatingWebhook::fields() {
  static constexpr auto rows = field_rows({
      {"admissionReviewVersions", member<&ValidatingWebhook::admission_review_versions>, required_atomic},
      {"clientConfig", member<&ValidatingWebhook::client_config>, required},
      {"failurePolicy", member<&ValidatingWebhook::failure_policy>},
      {"matchConditions", member<&ValidatingWebhook::match_conditions>, by_name},
      {"matchPolicy", member<&ValidatingWebhook::match_policy>},
      {"name", member<&ValidatingWebhook::name>, required},
      {"namespaceSelector", member<&ValidatingWebhook::namespace_selector>, atomic},
      {"objectSelector", member<&ValidatingWebhook::object_selector>, atomic},
      {"rules", member<&ValidatingWebhook::rules>, atomic},
      {"sideEffects", member<&ValidatingWebhook::side_effects>, required},
      {"timeoutSeconds", member<&ValidatingWebhook::timeout_seconds>},
  });
  return rows;
}

FieldTable ValidatingWebhookConfiguration::fields() {
  static constexpr auto rows = field_rows({
      {"webhooks", member<&ValidatingWebhookConfiguration::webhooks>, by_name},
  });
  return rows;
}

}  // namespace pintle::api::admissionregistration::v1
