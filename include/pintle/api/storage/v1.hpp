// Types of storage, version v1. Written by `pintle gen types`, which writes it anew.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <pintle/api/core/v1.hpp>
#include <pintle/api/meta/v1.hpp>
#include <pintle/base/annotations.hpp>
#include <pintle/base/time.hpp>
#include <pintle/object/choice.hpp>
#include <pintle/object/declared.hpp>
#include <pintle/object/kind.hpp>
#include <pintle/object/metadata.hpp>
#include <pintle/object/optional_box.hpp>
#include <pintle/object/quantity.hpp>

namespace pintle::api::storage::v1 {

struct PINTLE_EXPORT TokenRequest {
  std::string audience{};
  std::optional<std::int64_t> expiration_seconds{};

  static FieldTable fields();
};

struct PINTLE_EXPORT CSIDriverSpec {
  std::optional<bool> attach_required{};
  std::optional<std::string> fs_group_policy{};
  std::optional<std::int64_t> node_allocatable_update_period_seconds{};
  std::optional<bool> pod_info_on_mount{};
  std::optional<bool> prevent_pod_scheduling_if_missing{};
  std::optional<bool> requires_republish{};
  std::optional<bool> se_linux_mount{};
  std::optional<bool> service_account_token_in_secrets{};
  std::optional<bool> storage_capacity{};
  std::vector<TokenRequest> token_requests{};
  std::vector<std::string> volume_lifecycle_modes{};

  static FieldTable fields();
};

struct PINTLE_EXPORT CSIDriver {
  static constexpr Type type{"storage.k8s.io/v1", "CSIDriver"};
  Metadata metadata{};
  CSIDriverSpec spec{};
};

struct PINTLE_EXPORT VolumeNodeResources {
  std::optional<std::int32_t> count{};

  static FieldTable fields();
};

struct PINTLE_EXPORT CSINodeDriver {
  OptionalBox<VolumeNodeResources> allocatable{};
  std::string name{};
  std::string node_id{};
  std::vector<std::string> topology_keys{};

  static FieldTable fields();
};

struct PINTLE_EXPORT CSINodeSpec {
  std::vector<CSINodeDriver> drivers{};

  static FieldTable fields();
};

struct PINTLE_EXPORT CSINode {
  static constexpr Type type{"storage.k8s.io/v1", "CSINode"};
  Metadata metadata{};
  CSINodeSpec spec{};
};

struct PINTLE_EXPORT CSIStorageCapacity {
  static constexpr Type type{"storage.k8s.io/v1", "CSIStorageCapacity"};
  Metadata metadata{};
  std::optional<Quantity> capacity{};
  std::optional<Quantity> maximum_volume_size{};
  OptionalBox<meta::v1::LabelSelector> node_topology{};
  std::string storage_class_name{};

  static FieldTable fields();
};

struct PINTLE_EXPORT StorageClass {
  static constexpr Type type{"storage.k8s.io/v1", "StorageClass"};

  enum class ReclaimPolicy { unset, delete_, recycle, retain };
  friend PINTLE_EXPORT EnumTable enum_names(ReclaimPolicy);
  friend consteval std::string_view enum_texts(ReclaimPolicy) { return "Delete|Recycle|Retain"; }

  enum class VolumeBindingMode { unset, immediate, wait_for_first_consumer };
  friend PINTLE_EXPORT EnumTable enum_names(VolumeBindingMode);
  friend consteval std::string_view enum_texts(VolumeBindingMode) { return "Immediate|WaitForFirstConsumer"; }

  Metadata metadata{};
  std::optional<bool> allow_volume_expansion{};
  std::vector<core::v1::TopologySelectorTerm> allowed_topologies{};
  std::vector<std::string> mount_options{};
  std::map<std::string, std::string> parameters{};
  std::string provisioner{};
  Choice<ReclaimPolicy> reclaim_policy{};
  Choice<VolumeBindingMode> volume_binding_mode{};

  static FieldTable fields();
};

struct PINTLE_EXPORT VolumeAttachmentSource {
  OptionalBox<core::v1::PersistentVolumeSpec> inline_volume_spec{};
  std::optional<std::string> persistent_volume_name{};

  static FieldTable fields();
};

struct PINTLE_EXPORT VolumeAttachmentSpec {
  std::string attacher{};
  std::string node_name{};
  VolumeAttachmentSource source{};

  static FieldTable fields();
};

struct PINTLE_EXPORT VolumeError {
  std::optional<std::int32_t> error_code{};
  std::optional<std::string> message{};
  std::optional<WallTime> time{};

  static FieldTable fields();
};

struct PINTLE_EXPORT VolumeAttachmentStatus {
  OptionalBox<VolumeError> attach_error{};
  bool attached = false;
  std::map<std::string, std::string> attachment_metadata{};
  OptionalBox<VolumeError> detach_error{};

  static FieldTable fields();
};

struct PINTLE_EXPORT VolumeAttachment {
  static constexpr Type type{"storage.k8s.io/v1", "VolumeAttachment"};
  Metadata metadata{};
  VolumeAttachmentSpec spec{};
  VolumeAttachmentStatus status{};
};

struct PINTLE_EXPORT VolumeAttributesClass {
  static constexpr Type type{"storage.k8s.io/v1", "VolumeAttributesClass"};
  Metadata metadata{};
  std::string driver_name{};
  std::map<std::string, std::string> parameters{};

  static FieldTable fields();
};

}  // namespace pintle::api::storage::v1
