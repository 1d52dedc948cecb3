// Tables of meta, version v1. Written by `pintle gen types`, which writes it anew.
#include <pintle/api/meta/v1.hpp>

#include <pintle/object/field_table.hpp>

namespace pintle::api::meta::v1 {
namespace {

constexpr FieldRules atomic{.is_set = true, .merge_strategy = MergeStrategy::atomic};
constexpr FieldRules required_atomic{.is_set = true, .required = true, .merge_strategy = MergeStrategy::atomic};

}  // namespace

FieldTable APIResource::fields() {
  static constexpr auto rows = field_rows({
      {"categories", member<&APIResource::categories>, atomic},
      {"group", member<&APIResource::group>},
      {"kind", member<&APIResource::kind>, required},
      {"name", member<&APIResource::name>, required},
      {"namespaced", member<&APIResource::namespaced>, required},
      {"shortNames", member<&APIResource::short_names>, atomic},
      {"singularName", member<&APIResource::singular_name>, required},
      {"storageVersionHash", member<&APIResource::storage_version_hash>},
      {"verbs", member<&APIResource::verbs>, required},
      {"version", member<&APIResource::version>},
  });
  return rows;
}

FieldTable APIResourceList::fields() {
  static constexpr auto rows = field_rows({
      {"apiVersion", member<&APIResourceList::api_version>},
      {"groupVersion", member<&APIResourceList::group_version>, required},
      {"kind", member<&APIResourceList::kind>},
      {"resources", member<&APIResourceList::resources>, required_atomic},
  });
  return rows;
}

FieldTable Preconditions::fields() {
  static constexpr auto rows = field_rows({
      {"resourceVersion", member<&Preconditions::resource_version>},
      {"uid", member<&Preconditions::uid>},
  });
  return rows;
}

FieldTable DeleteOptions::fields() {
  static constexpr auto rows = field_rows({
      {"apiVersion", member<&DeleteOptions::api_version>},
      {"dryRun", member<&DeleteOptions::dry_run>, atomic},
      {"gracePeriodSeconds", member<&DeleteOptions::grace_period_seconds>},
      {"ignoreStoreReadErrorWithClusterBreakingPotential",
       member<&DeleteOptions::ignore_store_read_error_with_cluster_breaking_potential>},
      {"kind", member<&DeleteOptions::kind>},
      {"orphanDependents", member<&DeleteOptions::orphan_dependents>},
      {"preconditions", member<&DeleteOptions::preconditions>},
      {"propagationPolicy", member<&DeleteOptions::propagation_policy>},
  });
  return rows;
}

FieldTable FieldSelectorRequirement::fields() {
  static constexpr auto rows = field_rows({
      {"key", member<&FieldSelectorRequirement::key>, required},
      {"operator", member<&FieldSelectorRequirement::operator_>, required},
      {"values", member<&FieldSelectorRequirement::values>, atomic},
  });
  return rows;
}

FieldTable LabelSelectorRequirement::fields() {
  static constexpr auto rows = field_rows({
      {"key", member<&LabelSelectorRequirement::key>, required},
      {"operator", member<&LabelSelectorRequirement::operator_>, required},
      {"values", member<&LabelSelectorRequirement::values>, atomic},
  });
  return rows;
}

FieldTable LabelSelector::fields() {
  static constexpr auto rows = field_rows({
      {"matchExpressions", member<&LabelSelector::match_expressions>, atomic},
      {"matchLabels", member<&LabelSelector::match_labels>},
  });
  return rows;
}

FieldTable ShardInfo::fields() {
  static constexpr auto rows = field_rows({
      {"selector", member<&ShardInfo::selector>, required},
  });
  return rows;
}

FieldTable ListMeta::fields() {
  static constexpr auto rows = field_rows({
      {"continue", member<&ListMeta::continue_>},
      {"remainingItemCount", member<&ListMeta::remaining_item_count>},
      {"resourceVersion", member<&ListMeta::resource_version>},
      {"selfLink", member<&ListMeta::self_link>},
      {"shardInfo", member<&ListMeta::shard_info>},
  });
  return rows;
}

FieldTable StatusCause::fields() {
  static constexpr auto rows = field_rows({
      {"field", member<&StatusCause::field>},
      {"message", member<&StatusCause::message>},
      {"reason", member<&StatusCause::reason>},
  });
  return rows;
}

FieldTable StatusDetails::fields() {
  static constexpr auto rows = field_rows({
      {"causes", member<&StatusDetails::causes>, atomic},
      {"group", member<&StatusDetails::group>},
      {"kind", member<&StatusDetails::kind>},
      {"name", member<&StatusDetails::name>},
      {"retryAfterSeconds", member<&StatusDetails::retry_after_seconds>},
      {"uid", member<&StatusDetails::uid>},
  });
  return rows;
}

FieldTable Status::fields() {
  static constexpr auto rows = field_rows({
      {"apiVersion", member<&Status::api_version>},
      {"code", member<&Status::code>},
      {"details", member<&Status::details>},
      {"kind", member<&Status::kind>},
      {"message", member<&Status::message>},
      {"metadata", member<&Status::metadata>},
      {"reason", member<&Status::reason>},
      {"status", member<&Status::status>},
  });
  return rows;
}

FieldTable WatchEvent::fields() {
  static constexpr auto rows = field_rows({
      {"object", member<&WatchEvent::object>, required},
      {"type", member<&WatchEvent::type>, required},
  });
  return rows;
}

}  // namespace pintle::api::meta::v1
