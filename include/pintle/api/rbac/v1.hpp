// Types of rbac, version v1. Written by `pintle gen types`, which writes it anew.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <pintle/api/meta/v1.hpp>
#include <pintle/base/annotations.hpp>
#include <pintle/object/declared.hpp>
#include <pintle/object/kind.hpp>
#include <pintle/object/metadata.hpp>
#include <pintle/object/optional_box.hpp>

namespace pintle::api::rbac::v1 {

struct PINTLE_EXPORT AggregationRule {
  std::vector<meta::v1::LabelSelector> cluster_role_selectors{};

  static FieldTable fields();
};

struct PINTLE_EXPORT PolicyRule {
  std::vector<std::string> api_groups{};
  std::vector<std::string> non_resource_urls{};
  std::vector<std::string> resource_names{};
  std::vector<std::string> resources{};
  std::vector<std::string> verbs{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ClusterRole {
  static constexpr Type type{"rbac.authorization.k8s.io/v1", "ClusterRole"};
  Metadata metadata{};
  OptionalBox<AggregationRule> aggregation_rule{};
  std::vector<PolicyRule> rules{};

  static FieldTable fields();
};

struct PINTLE_EXPORT RoleRef {
  std::optional<std::string> api_group{};
  std::string kind{};
  std::string name{};

  static FieldTable fields();
};

struct PINTLE_EXPORT Subject {
  std::optional<std::string> api_group{};
  std::string kind{};
  std::string name{};
  std::optional<std::string> namespace_{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ClusterRoleBinding {
  static constexpr Type type{"rbac.authorization.k8s.io/v1", "ClusterRoleBinding"};
  Metadata metadata{};
  RoleRef role_ref{};
  std::vector<Subject> subjects{};

  static FieldTable fields();
};

struct PINTLE_EXPORT Role {
  static constexpr Type type{"rbac.authorization.k8s.io/v1", "Role"};
  Metadata metadata{};
  std::vector<PolicyRule> rules{};

  static FieldTable fields();
};

struct PINTLE_EXPORT RoleBinding {
  static constexpr Type type{"rbac.authorization.k8s.io/v1", "RoleBinding"};
  Metadata metadata{};
  RoleRef role_ref{};
  std::vector<Subject> subjects{};

  static FieldTable fields();
};

}  // namespace pintle::api::rbac::v1
