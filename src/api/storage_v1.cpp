// Tables of storage, version v1. Written by `pintle gen types`, which writes it anew.
#include <pintle/api/storage/v1.hpp>

#include <pintle/object/field_table.hpp>

namespace pintle::api::storage::v1 {
namespace {

constexpr FieldRules atomic{.is_set = true, .merge_strategy = MergeStrategy::atomic};
constexpr FieldRules required_by_name{
    .is_set = true, .required = true, .merge_strategy = MergeStrategy::map, .keys = {"name", "", "", ""}};
constexpr FieldRules set{.is_set = true, .merge_strategy = MergeStrategy::set};

}  // namespace

FieldTable TokenRequest::fields() {
  static constexpr auto rows = field_rows({
      {"audience", member<&TokenRequest::audience>, required},
      {"expirationSeconds", member<&TokenRequest::expiration_seconds>},
  });
  return rows;
}

FieldTable CSIDriverSpec::fields() {
  static constexpr auto rows = field_rows({
      {"attachRequired", member<&CSIDriverSpec::attach_required>},
      {"fsGroupPolicy", member<&CSIDriverSpec::fs_group_policy>},
      {"nodeAllocatableUpdatePeriodSeconds", member<&CSIDriverSpec::node_allocatable_update_period_seconds>},
      {"podInfoOnMount", member<&CSIDriverSpec::pod_info_on_mount>},
      {"preventPodSchedulingIfMissing", member<&CSIDriverSpec::prevent_pod_scheduling_if_missing>},
      {"requiresRepublish", member<&CSIDriverSpec::requires_republish>},
      {"seLinuxMount", member<&CSIDriverSpec::se_linux_mount>},
      {"serviceAccountTokenInSecrets", member<&CSIDriverSpec::service_account_token_in_secrets>},
      {"storageCapacity", member<&CSIDriverSpec::storage_capacity>},
      {"tokenRequests", member<&CSIDriverSpec::token_requests>, atomic},
      {"volumeLifecycleModes", member<&CSIDriverSpec::volume_lifecycle_modes>, set},
  });
  return rows;
}

FieldTable VolumeNodeResources::fields() {
  static constexpr auto rows = field_rows({
      {"count", member<&VolumeNodeResources::count>},
  });
  return rows;
}

FieldTable CSINodeDriver::fields() {
  static constexpr auto rows = field_rows({
      {"allocatable", member<&CSINodeDriver::allocatable>},
      {"name", member<&CSINodeDriver::name>, required},
      {"nodeID", member<&CSINodeDriver::node_id>, required},
      {"topologyKeys", member<&CSINodeDriver::topology_keys>, atomic},
  });
  return rows;
}

FieldTable CSINodeSpec::fields() {
  static constexpr auto rows = field_rows({
      {"drivers", member<&CSINodeSpec::drivers>, required_by_name},
  });
  return rows;
}

FieldTable CSIStorageCapacity::fields() {
  static constexpr auto rows = field_rows({
      {"capacity", member<&CSIStorageCapacity::capacity>},
      {"maximumVolumeSize", member<&CSIStorageCapacity::maximum_volume_size>},
      {"nodeTopology", member<&CSIStorageCapacity::node_topology>, atomic},
      {"storageClassName", member<&CSIStorageCapacity::storage_class_name>, required},
  });
  return rows;
}

EnumTable enum_names(StorageClass::ReclaimPolicy) {
  using enum StorageClass::ReclaimPolicy;
  static constexpr auto rows = enum_rows({
      {delete_, "Delete"},
      {recycle, "Recycle"},
      {retain, "Retain"},
  });
  return rows;
}

EnumTable enum_names(StorageClass::VolumeBindingMode) {
  using enum StorageClass::VolumeBindingMode;
  static constexpr auto rows = enum_rows({
      {immediate, "Immediate"},
      {wait_for_first_consumer, "WaitForFirstConsumer"},
  });
  return rows;
}

FieldTable StorageClass::fields() {
  static constexpr auto rows = field_rows({
      {"allowVolumeExpansion", member<&StorageClass::allow_volume_expansion>},
      {"allowedTopologies", member<&StorageClass::allowed_topologies>, atomic},
      {"mountOptions", member<&StorageClass::mount_options>, atomic},
      {"parameters", member<&StorageClass::parameters>},
      {"provisioner", member<&StorageClass::provisioner>, required},
      {"reclaimPolicy", member<&StorageClass::reclaim_policy>},
      {"volumeBindingMode", member<&StorageClass::volume_binding_mode>},
  });
  return rows;
}

FieldTable VolumeAttachmentSource::fields() {
  static constexpr auto rows = field_rows({
      {"inlineVolumeSpec", member<&VolumeAttachmentSource::inline_volume_spec>},
      {"persistentVolumeName", member<&VolumeAttachmentSource::persistent_volume_name>},
  });
  return rows;
}

FieldTable VolumeAttachmentSpec::fields() {
  static constexpr auto rows = field_rows({
      {"attacher", member<&VolumeAttachmentSpec::attacher>, required},
      {"nodeName", member<&VolumeAttachmentSpec::node_name>, required},
      {"source", member<&VolumeAttachmentSpec::source>, required},
  });
  return rows;
}

FieldTable VolumeError::fields() {
  static constexpr auto rows = field_rows({
      {"errorCode", member<&VolumeError::error_code>},
      {"message", member<&VolumeError::message>},
      {"time", member<&VolumeError::time>},
  });
  return rows;
}

FieldTable VolumeAttachmentStatus::fields() {
  static constexpr auto rows = field_rows({
      {"attachError", member<&VolumeAttachmentStatus::attach_error>},
      {"attached", member<&VolumeAttachmentStatus::attached>, required},
      {"attachmentMetadata", member<&VolumeAttachmentStatus::attachment_metadata>},
      {"detachError", member<&VolumeAttachmentStatus::detach_error>},
  });
  return rows;
}

FieldTable VolumeAttributesClass::fields() {
  static constexpr auto rows = field_rows({
      {"driverName", member<&VolumeAttributesClass::driver_name>, required},
      {"parameters", member<&VolumeAttributesClass::parameters>},
  });
  return rows;
}

}  // namespace pintle::api::storage::v1
