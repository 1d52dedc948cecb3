// Types of apiextensions, version v1. Written by `pintle gen types`, which writes it anew.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/time.hpp>
#include <pintle/json/fwd.hpp>
#include <pintle/object/box.hpp>
#include <pintle/object/bytes.hpp>
#include <pintle/object/choice.hpp>
#include <pintle/object/declared.hpp>
#include <pintle/object/kind.hpp>
#include <pintle/object/metadata.hpp>
#include <pintle/object/optional_box.hpp>

namespace pintle::api::apiextensions::v1 {

struct PINTLE_EXPORT CustomResourceColumnDefinition {
  std::optional<std::string> description{};
  std::optional<std::string> format{};
  std::string json_path{};
  std::string name{};
  std::optional<std::int32_t> priority{};
  std::string type{};

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

struct PINTLE_EXPORT WebhookConversion {
  OptionalBox<WebhookClientConfig> client_config{};
  std::vector<std::string> conversion_review_versions{};

  static FieldTable fields();
};

struct PINTLE_EXPORT CustomResourceConversion {
  std::string strategy{};
  OptionalBox<WebhookConversion> webhook{};

  static FieldTable fields();
};

struct PINTLE_EXPORT CustomResourceDefinitionNames {
  std::vector<std::string> categories{};
  std::string kind{};
  std::optional<std::string> list_kind{};
  std::string plural{};
  std::vector<std::string> short_names{};
  std::optional<std::string> singular{};

  static FieldTable fields();
};

struct PINTLE_EXPORT CustomResourceSubresourceScale {
  std::optional<std::string> label_selector_path{};
  std::string spec_replicas_path{};
  std::string status_replicas_path{};

  static FieldTable fields();
};

struct PINTLE_EXPORT CustomResourceSubresources {
  OptionalBox<CustomResourceSubresourceScale> scale{};
  OptionalBox<json::Value> status{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ExternalDocumentation {
  std::optional<std::string> description{};
  std::optional<std::string> url{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ValidationRule {
  enum class Reason { unset, field_value_duplicate, field_value_forbidden, field_value_invalid, field_value_required };
  friend PINTLE_EXPORT EnumTable enum_names(Reason);
  friend consteval std::string_view enum_texts(Reason) {
    return "FieldValueDuplicate|FieldValueForbidden|FieldValueInvalid|FieldValueRequired";
  }

  std::optional<std::string> field_path{};
  std::optional<std::string> message{};
  std::optional<std::string> message_expression{};
  std::optional<bool> optional_old_self{};
  Choice<Reason> reason{};
  std::string rule{};

  static FieldTable fields();
};

struct PINTLE_EXPORT JSONSchemaProps {
  std::optional<std::string> ref{};
  std::optional<std::string> schema{};
  OptionalBox<json::Value> additional_items{};
  OptionalBox<json::Value> additional_properties{};
  std::vector<Box<JSONSchemaProps>> all_of{};
  std::vector<Box<JSONSchemaProps>> any_of{};
  OptionalBox<json::Value> default_{};
  std::map<std::string, Box<JSONSchemaProps>> definitions{};
  std::map<std::string, Box<json::Value>> dependencies{};
  std::optional<std::string> description{};
  std::vector<Box<json::Value>> enum_{};
  OptionalBox<json::Value> example{};
  std::optional<bool> exclusive_maximum{};
  std::optional<bool> exclusive_minimum{};
  OptionalBox<ExternalDocumentation> external_docs{};
  std::optional<std::string> format{};
  std::optional<std::string> id{};
  OptionalBox<json::Value> items{};
  std::optional<std::int64_t> max_items{};
  std::optional<std::int64_t> max_length{};
  std::optional<std::int64_t> max_properties{};
  std::optional<double> maximum{};
  std::optional<std::int64_t> min_items{};
  std::optional<std::int64_t> min_length{};
  std::optional<std::int64_t> min_properties{};
  std::optional<double> minimum{};
  std::optional<double> multiple_of{};
  std::optional<Box<JSONSchemaProps>> not_{};
  std::optional<bool> nullable{};
  std::vector<Box<JSONSchemaProps>> one_of{};
  std::optional<std::string> pattern{};
  std::map<std::string, Box<JSONSchemaProps>> pattern_properties{};
  std::map<std::string, Box<JSONSchemaProps>> properties{};
  std::vector<std::string> required{};
  std::optional<std::string> title{};
  std::optional<std::string> type{};
  std::optional<bool> unique_items{};
  std::optional<bool> x_kubernetes_embedded_resource{};
  std::optional<bool> x_kubernetes_int_or_string{};
  std::vector<std::string> x_kubernetes_list_map_keys{};
  std::optional<std::string> x_kubernetes_list_type{};
  std::optional<std::string> x_kubernetes_map_type{};
  std::optional<bool> x_kubernetes_preserve_unknown_fields{};
  std::vector<ValidationRule> x_kubernetes_validations{};

  static FieldTable fields();
};

struct PINTLE_EXPORT CustomResourceValidation {
  OptionalBox<JSONSchemaProps> open_api_v3_schema{};

  static FieldTable fields();
};

struct PINTLE_EXPORT SelectableField {
  std::string json_path{};

  static FieldTable fields();
};

struct PINTLE_EXPORT CustomResourceDefinitionVersion {
  std::vector<CustomResourceColumnDefinition> additional_printer_columns{};
  std::optional<bool> deprecated{};
  std::optional<std::string> deprecation_warning{};
  std::string name{};
  OptionalBox<CustomResourceValidation> schema{};
  std::vector<SelectableField> selectable_fields{};
  bool served = false;
  bool storage = false;
  OptionalBox<CustomResourceSubresources> subresources{};

  static FieldTable fields();
};

struct PINTLE_EXPORT CustomResourceDefinitionSpec {
  OptionalBox<CustomResourceConversion> conversion{};
  std::string group{};
  CustomResourceDefinitionNames names{};
  std::optional<bool> preserve_unknown_fields{};
  std::string scope{};
  std::vector<CustomResourceDefinitionVersion> versions{};

  static FieldTable fields();
};

struct PINTLE_EXPORT CustomResourceDefinitionCondition {
  std::optional<WallTime> last_transition_time{};
  std::optional<std::string> message{};
  std::optional<std::int64_t> observed_generation{};
  std::optional<std::string> reason{};
  std::string status{};
  std::string type{};

  static FieldTable fields();
};

struct PINTLE_EXPORT CustomResourceDefinitionStatus {
  CustomResourceDefinitionNames accepted_names{};
  std::vector<CustomResourceDefinitionCondition> conditions{};
  std::optional<std::int64_t> observed_generation{};
  std::vector<std::string> stored_versions{};

  static FieldTable fields();
};

struct PINTLE_EXPORT CustomResourceDefinition {
  static constexpr Type type{"apiextensions.k8s.io/v1", "CustomResourceDefinition"};
  Metadata metadata{};
  CustomResourceDefinitionSpec spec{};
  CustomResourceDefinitionStatus status{};
};

}  // namespace pintle::api::apiextensions::v1
