// Types of flowcontrol, version v1. Written by `pintle gen types`, which writes it anew.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/time.hpp>
#include <pintle/object/declared.hpp>
#include <pintle/object/kind.hpp>
#include <pintle/object/metadata.hpp>
#include <pintle/object/optional_box.hpp>

namespace pintle::api::flowcontrol::v1 {

struct PINTLE_EXPORT ExemptPriorityLevelConfiguration {
  std::optional<std::int32_t> lendable_percent{};
  std::optional<std::int32_t> nominal_concurrency_shares{};

  static FieldTable fields();
};

struct PINTLE_EXPORT FlowDistinguisherMethod {
  std::string type{};

  static FieldTable fields();
};

struct PINTLE_EXPORT NonResourcePolicyRule {
  std::vector<std::string> non_resource_urls{};
  std::vector<std::string> verbs{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ResourcePolicyRule {
  std::vector<std::string> api_groups{};
  std::optional<bool> cluster_scope{};
  std::vector<std::string> namespaces{};
  std::vector<std::string> resources{};
  std::vector<std::string> verbs{};

  static FieldTable fields();
};

struct PINTLE_EXPORT GroupSubject {
  std::string name{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ServiceAccountSubject {
  std::string name{};
  std::string namespace_{};

  static FieldTable fields();
};

struct PINTLE_EXPORT UserSubject {
  std::string name{};

  static FieldTable fields();
};

struct PINTLE_EXPORT Subject {
  OptionalBox<GroupSubject> group{};
  std::string kind{};
  OptionalBox<ServiceAccountSubject> service_account{};
  OptionalBox<UserSubject> user{};

  static FieldTable fields();
};

struct PINTLE_EXPORT PolicyRulesWithSubjects {
  std::vector<NonResourcePolicyRule> non_resource_rules{};
  std::vector<ResourcePolicyRule> resource_rules{};
  std::vector<Subject> subjects{};

  static FieldTable fields();
};

struct PINTLE_EXPORT PriorityLevelConfigurationReference {
  std::string name{};

  static FieldTable fields();
};

struct PINTLE_EXPORT FlowSchemaSpec {
  OptionalBox<FlowDistinguisherMethod> distinguisher_method{};
  std::optional<std::int32_t> matching_precedence{};
  PriorityLevelConfigurationReference priority_level_configuration{};
  std::vector<PolicyRulesWithSubjects> rules{};

  static FieldTable fields();
};

struct PINTLE_EXPORT FlowSchemaCondition {
  std::optional<WallTime> last_transition_time{};
  std::optional<std::string> message{};
  std::optional<std::string> reason{};
  std::optional<std::string> status{};
  std::optional<std::string> type{};

  static FieldTable fields();
};

struct PINTLE_EXPORT FlowSchemaStatus {
  std::vector<FlowSchemaCondition> conditions{};

  static FieldTable fields();
};

struct PINTLE_EXPORT FlowSchema {
  static constexpr Type type{"flowcontrol.apiserver.k8s.io/v1", "FlowSchema"};
  Metadata metadata{};
  FlowSchemaSpec spec{};
  FlowSchemaStatus status{};
};

struct PINTLE_EXPORT QueuingConfiguration {
  std::optional<std::int32_t> hand_size{};
  std::optional<std::int32_t> queue_length_limit{};
  std::optional<std::int32_t> queues{};

  static FieldTable fields();
};

struct PINTLE_EXPORT LimitResponse {
  OptionalBox<QueuingConfiguration> queuing{};
  std::string type{};

  static FieldTable fields();
};

struct PINTLE_EXPORT LimitedPriorityLevelConfiguration {
  std::optional<std::int32_t> borrowing_limit_percent{};
  std::optional<std::int32_t> lendable_percent{};
  LimitResponse limit_response{};
  std::optional<std::int32_t> nominal_concurrency_shares{};

  static FieldTable fields();
};

struct PINTLE_EXPORT PriorityLevelConfigurationSpec {
  OptionalBox<ExemptPriorityLevelConfiguration> exempt{};
  OptionalBox<LimitedPriorityLevelConfiguration> limited{};
  std::string type{};

  static FieldTable fields();
};

struct PINTLE_EXPORT PriorityLevelConfigurationCondition {
  std::optional<WallTime> last_transition_time{};
  std::optional<std::string> message{};
  std::optional<std::string> reason{};
  std::optional<std::string> status{};
  std::optional<std::string> type{};

  static FieldTable fields();
};

struct PINTLE_EXPORT PriorityLevelConfigurationStatus {
  std::vector<PriorityLevelConfigurationCondition> conditions{};

  static FieldTable fields();
};

struct PINTLE_EXPORT PriorityLevelConfiguration {
  static constexpr Type type{"flowcontrol.apiserver.k8s.io/v1", "PriorityLevelConfiguration"};
  Metadata metadata{};
  PriorityLevelConfigurationSpec spec{};
  PriorityLevelConfigurationStatus status{};
};

}  // namespace pintle::api::flowcontrol::v1
