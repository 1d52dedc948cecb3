// SPDX-License-Identifier: Apache-2.0
// Rules: the properties of built-in kinds beyond the facts of the table.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "builtin.hpp"

namespace pintle::apiserver {

using StrategyPtr = std::shared_ptr<const BuiltinStrategy>;

// A field selector whose pointer does not follow from its label, or that has a value if nothing is stored.
struct FieldRule {
  std::string_view label{};
  std::string_view pointer{};
  std::string_view fallback{};
  std::string_view other_pointer{};  // the place whose value counts if nothing is stored at the pointer
};

struct KindRules {
  std::string_view group{};
  std::string_view kind{};
  StrategyPtr (*strategy)(BuiltinKind) = nullptr;  // none: BuiltinStrategy
  std::string_view stored_as{};                    // the API version, if the kind has two
  std::string_view collection{};                   // empty: its own
  bool has_generation = false;
  bool needs_version = false;  // an update without a resourceVersion is refused
  bool puts = false;           // an update creates a missing object
  std::span<const FieldRule> fields{};
  std::string_view deprecation{};  // a warning to every client that uses the kind
  // The members of metadata that a write of the subresource status may change.
  std::string_view status_metadata = "labels annotations ownerReferences finalizers";
};

// Returns the rules of a kind in any version; empty rules if there are none.
[[nodiscard]] KindRules rules_of(std::string_view group, std::string_view kind);

// The strategies. Each file in kinds/ has one family.
[[nodiscard]] StrategyPtr api_service_strategy(BuiltinKind kind);
[[nodiscard]] StrategyPtr autoscaler_strategy(BuiltinKind kind);
[[nodiscard]] StrategyPtr certificate_strategy(BuiltinKind kind);
[[nodiscard]] StrategyPtr component_status_strategy(BuiltinKind kind);
[[nodiscard]] StrategyPtr config_map_strategy(BuiltinKind kind);
[[nodiscard]] StrategyPtr cron_job_strategy(BuiltinKind kind);
[[nodiscard]] StrategyPtr daemon_set_strategy(BuiltinKind kind);
[[nodiscard]] StrategyPtr definition_strategy(BuiltinKind kind);
[[nodiscard]] StrategyPtr deployment_strategy(BuiltinKind kind);
[[nodiscard]] StrategyPtr disruption_budget_strategy(BuiltinKind kind);
[[nodiscard]] StrategyPtr endpoint_slice_strategy(BuiltinKind kind);
[[nodiscard]] StrategyPtr endpoints_strategy(BuiltinKind kind);
[[nodiscard]] StrategyPtr event_strategy(BuiltinKind kind);
[[nodiscard]] StrategyPtr ingress_strategy(BuiltinKind kind);
[[nodiscard]] StrategyPtr job_strategy(BuiltinKind kind);
[[nodiscard]] StrategyPtr lease_strategy(BuiltinKind kind);
[[nodiscard]] StrategyPtr limit_range_strategy(BuiltinKind kind);
[[nodiscard]] StrategyPtr mutating_policy_strategy(BuiltinKind kind);
[[nodiscard]] StrategyPtr namespace_strategy(BuiltinKind kind);
[[nodiscard]] StrategyPtr network_policy_strategy(BuiltinKind kind);
[[nodiscard]] StrategyPtr node_strategy(BuiltinKind kind);
[[nodiscard]] StrategyPtr pod_strategy(BuiltinKind kind);
[[nodiscard]] StrategyPtr pod_template_strategy(BuiltinKind kind);
[[nodiscard]] StrategyPtr policy_binding_strategy(BuiltinKind kind);
[[nodiscard]] StrategyPtr priority_class_strategy(BuiltinKind kind);
[[nodiscard]] StrategyPtr replicas_strategy(BuiltinKind kind);  // ReplicaSet, ReplicationController
[[nodiscard]] StrategyPtr resource_quota_strategy(BuiltinKind kind);
[[nodiscard]] StrategyPtr role_binding_strategy(BuiltinKind kind);
[[nodiscard]] StrategyPtr role_strategy(BuiltinKind kind);
[[nodiscard]] StrategyPtr secret_strategy(BuiltinKind kind);
[[nodiscard]] StrategyPtr service_strategy(BuiltinKind kind);
[[nodiscard]] StrategyPtr shown_strategy(BuiltinKind kind);  // any kind without another one
[[nodiscard]] StrategyPtr stateful_set_strategy(BuiltinKind kind);
[[nodiscard]] StrategyPtr storage_class_strategy(BuiltinKind kind);
[[nodiscard]] StrategyPtr validating_policy_strategy(BuiltinKind kind);
[[nodiscard]] StrategyPtr volume_claim_strategy(BuiltinKind kind);
[[nodiscard]] StrategyPtr volume_strategy(BuiltinKind kind);
[[nodiscard]] StrategyPtr webhooks_strategy(BuiltinKind kind);

}  // namespace pintle::apiserver
