// Tables of flowcontrol, version v1. Written by `pintle gen types`, which writes it anew.
#include <pintle/api/flowcontrol/v1.hpp>

#include <pintle/object/field_table.hpp>

namespace pintle::api::flowcontrol::v1 {
namespace {

constexpr FieldRules atomic{.is_set = true, .merge_strategy = MergeStrategy::atomic};
constexpr FieldRules by_type{.is_set = true, .merge_strategy = MergeStrategy::map, .keys = {"type", "", "", ""}};
constexpr FieldRules required_atomic{.is_set = true, .required = true, .merge_strategy = MergeStrategy::atomic};
constexpr FieldRules required_set{.is_set = true, .required = true, .merge_strategy = MergeStrategy::set};
constexpr FieldRules set{.is_set = true, .merge_strategy = MergeStrategy::set};

}  // namespace

FieldTable ExemptPriorityLevelConfiguration::fields() {
  static constexpr auto rows = field_rows({
      {"lendablePercent", member<&ExemptPriorityLevelConfiguration::lendable_percent>},
      {"nominalConcurrencyShares", member<&ExemptPriorityLevelConfiguration::nominal_concurrency_shares>},
  });
  return rows;
}

FieldTable FlowDistinguisherMethod::fields() {
  static constexpr auto rows = field_rows({
      {"type", member<&FlowDistinguisherMethod::type>, required},
  });
  return rows;
}

FieldTable NonResourcePolicyRule::fields() {
  static constexpr auto rows = field_rows({
      {"nonResourceURLs", member<&NonResourcePolicyRule::non_resource_urls>, required_set},
      {"verbs", member<&NonResourcePolicyRule::verbs>, required_set},
  });
  return rows;
}

FieldTable ResourcePolicyRule::fields() {
  static constexpr auto rows = field_rows({
      {"apiGroups", member<&ResourcePolicyRule::api_groups>, required_set},
      {"clusterScope", member<&ResourcePolicyRule::cluster_scope>},
      {"namespaces", member<&ResourcePolicyRule::namespaces>, set},
      {"resources", member<&ResourcePolicyRule::resources>, required_set},
      {"verbs", member<&ResourcePolicyRule::verbs>, required_set},
  });
  return rows;
}

FieldTable GroupSubject::fields() {
  static constexpr auto rows = field_rows({
      {"name", member<&GroupSubject::name>, required},
  });
  return rows;
}

FieldTable ServiceAccountSubject::fields() {
  static constexpr auto rows = field_rows({
      {"name", member<&ServiceAccountSubject::name>, required},
      {"namespace", member<&ServiceAccountSubject::namespace_>, required},
  });
  return rows;
}

FieldTable UserSubject::fields() {
  static constexpr auto rows = field_rows({
      {"name", member<&UserSubject::name>, required},
  });
  return rows;
}

FieldTable Subject::fields() {
  static constexpr auto rows = field_rows({
      {"group", member<&Subject::group>},
      {"kind", member<&Subject::kind>, required},
      {"serviceAccount", member<&Subject::service_account>},
      {"user", member<&Subject::user>},
  });
  return rows;
}

FieldTable PolicyRulesWithSubjects::fields() {
  static constexpr auto rows = field_rows({
      {"nonResourceRules", member<&PolicyRulesWithSubjects::non_resource_rules>, atomic},
      {"resourceRules", member<&PolicyRulesWithSubjects::resource_rules>, atomic},
      {"subjects", member<&PolicyRulesWithSubjects::subjects>, required_atomic},
  });
  return rows;
}

FieldTable PriorityLevelConfigurationReference::fields() {
  static constexpr auto rows = field_rows({
      {"name", member<&PriorityLevelConfigurationReference::name>, required},
  });
  return rows;
}

FieldTable FlowSchemaSpec::fields() {
  static constexpr auto rows = field_rows({
      {"distinguisherMethod", member<&FlowSchemaSpec::distinguisher_method>},
      {"matchingPrecedence", member<&FlowSchemaSpec::matching_precedence>},
      {"priorityLevelConfiguration", member<&FlowSchemaSpec::priority_level_configuration>, required},
      {"rules", member<&FlowSchemaSpec::rules>, atomic},
  });
  return rows;
}

FieldTable FlowSchemaCondition::fields() {
  static constexpr auto rows = field_rows({
      {"lastTransitionTime", member<&FlowSchemaCondition::last_transition_time>},
      {"message", member<&FlowSchemaCondition::message>},
      {"reason", member<&FlowSchemaCondition::reason>},
      {"status", member<&FlowSchemaCondition::status>},
      {"type", member<&FlowSchemaCondition::type>},
  });
  return rows;
}

FieldTable FlowSchemaStatus::fields() {
  static constexpr auto rows = field_rows({
      {"conditions", member<&FlowSchemaStatus::conditions>, by_type},
  });
  return rows;
}

FieldTable QueuingConfiguration::fields() {
  static constexpr auto rows = field_rows({
      {"handSize", member<&QueuingConfiguration::hand_size>},
      {"queueLengthLimit", member<&QueuingConfiguration::queue_length_limit>},
      {"queues", member<&QueuingConfiguration::queues>},
  });
  return rows;
}

FieldTable LimitResponse::fields() {
  static constexpr auto rows = field_rows({
      {"queuing", member<&LimitResponse::queuing>},
      {"type", member<&LimitResponse::type>, required},
  });
  return rows;
}

FieldTable LimitedPriorityLevelConfiguration::fields() {
  static constexpr auto rows = field_rows({
      {"borrowingLimitPercent", member<&LimitedPriorityLevelConfiguration::borrowing_limit_percent>},
      {"lendablePercent", member<&LimitedPriorityLevelConfiguration::lendable_percent>},
      {"limitResponse", member<&LimitedPriorityLevelConfiguration::limit_response>},
      {"nominalConcurrencyShares", member<&LimitedPriorityLevelConfiguration::nominal_concurrency_shares>},
  });
  return rows;
}

FieldTable PriorityLevelConfigurationSpec::fields() {
  static constexpr auto rows = field_rows({
      {"exempt", member<&PriorityLevelConfigurationSpec::exempt>},
      {"limited", member<&PriorityLevelConfigurationSpec::limited>},
      {"type", member<&PriorityLevelConfigurationSpec::type>, required},
  });
  return rows;
}

FieldTable PriorityLevelConfigurationCondition::fields() {
  static constexpr auto rows = field_rows({
      {"lastTransitionTime", member<&PriorityLevelConfigurationCondition::last_transition_time>},
      {"message", member<&PriorityLevelConfigurationCondition::message>},
      {"reason", member<&PriorityLevelConfigurationCondition::reason>},
      {"status", member<&PriorityLevelConfigurationCondition::status>},
      {"type", member<&PriorityLevelConfigurationCondition::type>},
  });
  return rows;
}

FieldTable PriorityLevelConfigurationStatus::fields() {
  static constexpr auto rows = field_rows({
      {"conditions", member<&PriorityLevelConfigurationStatus::conditions>, by_type},
  });
  return rows;
}

}  // namespace pintle::api::flowcontrol::v1
