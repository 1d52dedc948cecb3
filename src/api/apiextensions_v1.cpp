// Tables of apiextensions, version v1. Written by `pintle gen types`, which writes it anew.
#include <pintle/api/apiextensions/v1.hpp>

#include <pintle/object/field_table.hpp>

namespace pintle::api::apiextensions::v1 {
namespace {

constexpr FieldRules atomic{.is_set = true, .merge_strategy = MergeStrategy::atomic};
constexpr FieldRules by_rule{.is_set = true, .merge_strategy = MergeStrategy::map, .keys = {"rule", "", "", ""}};
constexpr FieldRules by_type{.is_set = true, .merge_strategy = MergeStrategy::map, .keys = {"type", "", "", ""}};
constexpr FieldRules required_atomic{.is_set = true, .required = true, .merge_strategy = MergeStrategy::atomic};

}  // namespace

FieldTable CustomResourceColumnDefinition::fields() {
  static constexpr auto rows = field_rows({
      {"description", member<&CustomResourceColumnDefinition::description>},
      {"format", member<&CustomResourceColumnDefinition::format>},
      {"jsonPath", member<&CustomResourceColumnDefinition::json_path>, required},
      {"name", member<&CustomResourceColumnDefinition::name>, required},
      {"priority", member<&CustomResourceColumnDefinition::priority>},
      {"type", member<&CustomResourceColumnDefinition::type>, required},
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

FieldTable WebhookConversion::fields() {
  static constexpr auto rows = field_rows({
      {"clientConfig", member<&WebhookConversion::client_config>},
      {"conversionReviewVersions", member<&WebhookConversion::conversion_review_versions>, required_atomic},
  });
  return rows;
}

FieldTable CustomResourceConversion::fields() {
  static constexpr auto rows = field_rows({
      {"strategy", member<&CustomResourceConversion::strategy>, required},
      {"webhook", member<&CustomResourceConversion::webhook>},
  });
  return rows;
}

FieldTable CustomResourceDefinitionNames::fields() {
  static constexpr auto rows = field_rows({
      {"categories", member<&CustomResourceDefinitionNames::categories>, atomic},
      {"kind", member<&CustomResourceDefinitionNames::kind>, required},
      {"listKind", member<&CustomResourceDefinitionNames::list_kind>},
      {"plural", member<&CustomResourceDefinitionNames::plural>, required},
      {"shortNames", member<&CustomResourceDefinitionNames::short_names>, atomic},
      {"singular", member<&CustomResourceDefinitionNames::singular>},
  });
  return rows;
}

FieldTable CustomResourceSubresourceScale::fields() {
  static constexpr auto rows = field_rows({
      {"labelSelectorPath", member<&CustomResourceSubresourceScale::label_selector_path>},
      {"specReplicasPath", member<&CustomResourceSubresourceScale::spec_replicas_path>, required},
      {"statusReplicasPath", member<&CustomResourceSubresourceScale::status_replicas_path>, required},
  });
  return rows;
}

FieldTable CustomResourceSubresources::fields() {
  static constexpr auto rows = field_rows({
      {"scale", member<&CustomResourceSubresources::scale>},
      {"status", member<&CustomResourceSubresources::status>},
  });
  return rows;
}

FieldTable ExternalDocumentation::fields() {
  static constexpr auto rows = field_rows({
      {"description", member<&ExternalDocumentation::description>},
      {"url", member<&ExternalDocumentation::url>},
  });
  return rows;
}

EnumTable enum_names(ValidationRule::Reason) {
  using enum ValidationRule::Reason;
  static constexpr auto rows = enum_rows({
      {field_value_duplicate, "FieldValueDuplicate"},
      {field_value_forbidden, "FieldValueForbidden"},
      {field_value_invalid, "FieldValueInvalid"},
      {field_value_required, "FieldValueRequired"},
  });
  return rows;
}

FieldTable ValidationRule::fields() {
  static constexpr auto rows = field_rows({
      {"fieldPath", member<&ValidationRule::field_path>},
      {"message", member<&ValidationRule::message>},
      {"messageExpression", member<&ValidationRule::message_expression>},
      {"optionalOldSelf", member<&ValidationRule::optional_old_self>},
      {"reason", member<&ValidationRule::reason>},
      {"rule", member<&ValidationRule::rule>, required},
  });
  return rows;
}

FieldTable JSONSchemaProps::fields() {
  static constexpr auto rows = field_rows({
      {"$ref", member<&JSONSchemaProps::ref>},
      {"$schema", member<&JSONSchemaProps::schema>},
      {"additionalItems", member<&JSONSchemaProps::additional_items>},
      {"additionalProperties", member<&JSONSchemaProps::additional_properties>},
      {"allOf", member<&JSONSchemaProps::all_of>, atomic},
      {"anyOf", member<&JSONSchemaProps::any_of>, atomic},
      {"default", member<&JSONSchemaProps::default_>},
      {"definitions", member<&JSONSchemaProps::definitions>},
      {"dependencies", member<&JSONSchemaProps::dependencies>},
      {"description", member<&JSONSchemaProps::description>},
      {"enum", member<&JSONSchemaProps::enum_>, atomic},
      {"example", member<&JSONSchemaProps::example>},
      {"exclusiveMaximum", member<&JSONSchemaProps::exclusive_maximum>},
      {"exclusiveMinimum", member<&JSONSchemaProps::exclusive_minimum>},
      {"externalDocs", member<&JSONSchemaProps::external_docs>},
      {"format", member<&JSONSchemaProps::format>},
      {"id", member<&JSONSchemaProps::id>},
      {"items", member<&JSONSchemaProps::items>},
      {"maxItems", member<&JSONSchemaProps::max_items>},
      {"maxLength", member<&JSONSchemaProps::max_length>},
      {"maxProperties", member<&JSONSchemaProps::max_properties>},
      {"maximum", member<&JSONSchemaProps::maximum>},
      {"minItems", member<&JSONSchemaProps::min_items>},
      {"minLength", member<&JSONSchemaProps::min_length>},
      {"minProperties", member<&JSONSchemaProps::min_properties>},
      {"minimum", member<&JSONSchemaProps::minimum>},
      {"multipleOf", member<&JSONSchemaProps::multiple_of>},
      {"not", member<&JSONSchemaProps::not_>},
      {"nullable", member<&JSONSchemaProps::nullable>},
      {"oneOf", member<&JSONSchemaProps::one_of>, atomic},
      {"pattern", member<&JSONSchemaProps::pattern>},
      {"patternProperties", member<&JSONSchemaProps::pattern_properties>},
      {"properties", member<&JSONSchemaProps::properties>},
      {"required", member<&JSONSchemaProps::required>, atomic},
      {"title", member<&JSONSchemaProps::title>},
      {"type", member<&JSONSchemaProps::type>},
      {"uniqueItems", member<&JSONSchemaProps::unique_items>},
      {"x-kubernetes-embedded-resource", member<&JSONSchemaProps::x_kubernetes_embedded_resource>},
      {"x-kubernetes-int-or-string", member<&JSONSchemaProps::x_kubernetes_int_or_string>},
      {"x-kubernetes-list-map-keys", member<&JSONSchemaProps::x_kubernetes_list_map_keys>, atomic},
      {"x-kubernetes-list-type", member<&JSONSchemaProps::x_kubernetes_list_type>},
      {"x-kubernetes-map-type", member<&JSONSchemaProps::x_kubernetes_map_type>},
      {"x-kubernetes-preserve-unknown-fields", member<&JSONSchemaProps::x_kubernetes_preserve_unknown_fields>},
      {"x-kubernetes-validations", member<&JSONSchemaProps::x_kubernetes_validations>, by_rule},
  });
  return rows;
}

FieldTable CustomResourceValidation::fields() {
  static constexpr auto rows = field_rows({
      {"openAPIV3Schema", member<&CustomResourceValidation::open_api_v3_schema>},
  });
  return rows;
}

FieldTable SelectableField::fields() {
  static constexpr auto rows = field_rows({
      {"jsonPath", member<&SelectableField::json_path>, required},
  });
  return rows;
}

FieldTable CustomResourceDefinitionVersion::fields() {
  static constexpr auto rows = field_rows({
      {"additionalPrinterColumns", member<&CustomResourceDefinitionVersion::additional_printer_columns>, atomic},
      {"deprecated", member<&CustomResourceDefinitionVersion::deprecated>},
      {"deprecationWarning", member<&CustomResourceDefinitionVersion::deprecation_warning>},
      {"name", member<&CustomResourceDefinitionVersion::name>, required},
      {"schema", member<&CustomResourceDefinitionVersion::schema>},
      {"selectableFields", member<&CustomResourceDefinitionVersion::selectable_fields>, atomic},
      {"served", member<&CustomResourceDefinitionVersion::served>, required},
      {"storage", member<&CustomResourceDefinitionVersion::storage>, required},
      {"subresources", member<&CustomResourceDefinitionVersion::subresources>},
  });
  return rows;
}

FieldTable CustomResourceDefinitionSpec::fields() {
  static constexpr auto rows = field_rows({
      {"conversion", member<&CustomResourceDefinitionSpec::conversion>},
      {"group", member<&CustomResourceDefinitionSpec::group>, required},
      {"names", member<&CustomResourceDefinitionSpec::names>, required},
      {"preserveUnknownFields", member<&CustomResourceDefinitionSpec::preserve_unknown_fields>},
      {"scope", member<&CustomResourceDefinitionSpec::scope>, required},
      {"versions", member<&CustomResourceDefinitionSpec::versions>, required_atomic},
  });
  return rows;
}

FieldTable CustomResourceDefinitionCondition::fields() {
  static constexpr auto rows = field_rows({
      {"lastTransitionTime", member<&CustomResourceDefinitionCondition::last_transition_time>},
      {"message", member<&CustomResourceDefinitionCondition::message>},
      {"observedGeneration", member<&CustomResourceDefinitionCondition::observed_generation>},
      {"reason", member<&CustomResourceDefinitionCondition::reason>},
      {"status", member<&CustomResourceDefinitionCondition::status>, required},
      {"type", member<&CustomResourceDefinitionCondition::type>, required},
  });
  return rows;
}

FieldTable CustomResourceDefinitionStatus::fields() {
  static constexpr auto rows = field_rows({
      {"acceptedNames", member<&CustomResourceDefinitionStatus::accepted_names>},
      {"conditions", member<&CustomResourceDefinitionStatus::conditions>, by_type},
      {"observedGeneration", member<&CustomResourceDefinitionStatus::observed_generation>},
      {"storedVersions", member<&CustomResourceDefinitionStatus::stored_versions>, atomic},
  });
  return rows;
}

}  // namespace pintle::api::apiextensions::v1
