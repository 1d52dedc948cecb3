// Tables of authorization, version v1. Written by `pintle gen types`, which writes it anew.
#include <pintle/api/authorization/v1.hpp>

#include <pintle/object/field_table.hpp>

namespace pintle::api::authorization::v1 {
namespace {

constexpr FieldRules atomic{.is_set = true, .merge_strategy = MergeStrategy::atomic};
constexpr FieldRules required_atomic{.is_set = true, .required = true, .merge_strategy = MergeStrategy::atomic};

}  // namespace

FieldTable FieldSelectorAttributes::fields() {
  static constexpr auto rows = field_rows({
      {"rawSelector", member<&FieldSelectorAttributes::raw_selector>},
      {"requirements", member<&FieldSelectorAttributes::requirements>, atomic},
  });
  return rows;
}

FieldTable LabelSelectorAttributes::fields() {
  static constexpr auto rows = field_rows({
      {"rawSelector", member<&LabelSelectorAttributes::raw_selector>},
      {"requirements", member<&LabelSelectorAttributes::requirements>, atomic},
  });
  return rows;
}

FieldTable NonResourceAttributes::fields() {
  static constexpr auto rows = field_rows({
      {"path", member<&NonResourceAttributes::path>},
      {"verb", member<&NonResourceAttributes::verb>},
  });
  return rows;
}

FieldTable ResourceAttributes::fields() {
  static constexpr auto rows = field_rows({
      {"fieldSelector", member<&ResourceAttributes::field_selector>},
      {"group", member<&ResourceAttributes::group>},
      {"labelSelector", member<&ResourceAttributes::label_selector>},
      {"name", member<&ResourceAttributes::name>},
      {"namespace", member<&ResourceAttributes::namespace_>},
      {"resource", member<&ResourceAttributes::resource>},
      {"subresource", member<&ResourceAttributes::subresource>},
      {"verb", member<&ResourceAttributes::verb>},
      {"version", member<&ResourceAttributes::version>},
  });
  return rows;
}

FieldTable SubjectAccessReviewSpec::fields() {
  static constexpr auto rows = field_rows({
      {"extra", member<&SubjectAccessReviewSpec::extra>},
      {"groups", member<&SubjectAccessReviewSpec::groups>, atomic},
      {"nonResourceAttributes", member<&SubjectAccessReviewSpec::non_resource_attributes>},
      {"resourceAttributes", member<&SubjectAccessReviewSpec::resource_attributes>},
      {"uid", member<&SubjectAccessReviewSpec::uid>},
      {"user", member<&SubjectAccessReviewSpec::user>},
  });
  return rows;
}

FieldTable SubjectAccessReviewStatus::fields() {
  static constexpr auto rows = field_rows({
      {"allowed", member<&SubjectAccessReviewStatus::allowed>, required},
      {"denied", member<&SubjectAccessReviewStatus::denied>},
      {"evaluationError", member<&SubjectAccessReviewStatus::evaluation_error>},
      {"reason", member<&SubjectAccessReviewStatus::reason>},
  });
  return rows;
}

FieldTable NonResourceRule::fields() {
  static constexpr auto rows = field_rows({
      {"nonResourceURLs", member<&NonResourceRule::non_resource_urls>, atomic},
      {"verbs", member<&NonResourceRule::verbs>, required_atomic},
  });
  return rows;
}

FieldTable ResourceRule::fields() {
  static constexpr auto rows = field_rows({
      {"apiGroups", member<&ResourceRule::api_groups>, atomic},
      {"resourceNames", member<&ResourceRule::resource_names>, atomic},
      {"resources", member<&ResourceRule::resources>, atomic},
      {"verbs", member<&ResourceRule::verbs>, required_atomic},
  });
  return rows;
}

FieldTable SelfSubjectAccessReviewSpec::fields() {
  static constexpr auto rows = field_rows({
      {"nonResourceAttributes", member<&SelfSubjectAccessReviewSpec::non_resource_attributes>},
      {"resourceAttributes", member<&SelfSubjectAccessReviewSpec::resource_attributes>},
  });
  return rows;
}

FieldTable SelfSubjectRulesReviewSpec::fields() {
  static constexpr auto rows = field_rows({
      {"namespace", member<&SelfSubjectRulesReviewSpec::namespace_>},
  });
  return rows;
}

FieldTable SubjectRulesReviewStatus::fields() {
  static constexpr auto rows = field_rows({
      {"evaluationError", member<&SubjectRulesReviewStatus::evaluation_error>},
      {"incomplete", member<&SubjectRulesReviewStatus::incomplete>, required},
      {"nonResourceRules", member<&SubjectRulesReviewStatus::non_resource_rules>, required_atomic},
      {"resourceRules", member<&SubjectRulesReviewStatus::resource_rules>, required_atomic},
  });
  return rows;
}

}  // namespace pintle::api::authorization::v1
