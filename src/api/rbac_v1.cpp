// Tables of rbac, version v1. Written by `pintle gen types`, which writes it anew.
#include <pintle/api/rbac/v1.hpp>

#include <pintle/object/field_table.hpp>

namespace pintle::api::rbac::v1 {
namespace {

constexpr FieldRules atomic{.is_set = true, .merge_strategy = MergeStrategy::atomic};
constexpr FieldRules required_atomic{.is_set = true, .required = true, .merge_strategy = MergeStrategy::atomic};

}  // namespace

FieldTable AggregationRule::fields() {
  static constexpr auto rows = field_rows({
      {"clusterRoleSelectors", member<&AggregationRule::cluster_role_selectors>, atomic},
  });
  return rows;
}

FieldTable PolicyRule::fields() {
  static constexpr auto rows = field_rows({
      {"apiGroups", member<&PolicyRule::api_groups>, atomic},
      {"nonResourceURLs", member<&PolicyRule::non_resource_urls>, atomic},
      {"resourceNames", member<&PolicyRule::resource_names>, atomic},
      {"resources", member<&PolicyRule::resources>, atomic},
      {"verbs", member<&PolicyRule::verbs>, required_atomic},
  });
  return rows;
}

FieldTable ClusterRole::fields() {
  static constexpr auto rows = field_rows({
      {"aggregationRule", member<&ClusterRole::aggregation_rule>},
      {"rules", member<&ClusterRole::rules>, atomic},
  });
  return rows;
}

FieldTable RoleRef::fields() {
  static constexpr auto rows = field_rows({
      {"apiGroup", member<&RoleRef::api_group>},
      {"kind", member<&RoleRef::kind>, required},
      {"name", member<&RoleRef::name>, required},
  });
  return rows;
}

FieldTable Subject::fields() {
  static constexpr auto rows = field_rows({
      {"apiGroup", member<&Subject::api_group>},
      {"kind", member<&Subject::kind>, required},
      {"name", member<&Subject::name>, required},
      {"namespace", member<&Subject::namespace_>},
  });
  return rows;
}

FieldTable ClusterRoleBinding::fields() {
  static constexpr auto rows = field_rows({
      {"roleRef", member<&ClusterRoleBinding::role_ref>, required_atomic},
      {"subjects", member<&ClusterRoleBinding::subjects>, atomic},
  });
  return rows;
}

FieldTable Role::fields() {
  static constexpr auto rows = field_rows({
      {"rules", member<&Role::rules>, atomic},
  });
  return rows;
}

FieldTable RoleBinding::fields() {
  static constexpr auto rows = field_rows({
      {"roleRef", member<&RoleBinding::role_ref>, required_atomic},
      {"subjects", member<&RoleBinding::subjects>, atomic},
  });
  return rows;
}

}  // namespace pintle::api::rbac::v1
