// Some types of core, version v1. Written by `pintle gen types`, which writes it anew.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <pintle/api/meta/v1.hpp>
#include <pintle/base/annotations.hpp>
#include <pintle/base/time.hpp>
#include <pintle/object/bytes.hpp>
#include <pintle/object/choice.hpp>
#include <pintle/object/condition.hpp>
#include <pintle/object/declared.hpp>
#include <pintle/object/int_or_string.hpp>
#include <pintle/object/kind.hpp>
#include <pintle/object/metadata.hpp>
#include <pintle/object/optional_box.hpp>
#include <pintle/object/quantity.hpp>
#include <pintle/object/quantity_map.hpp>

namespace pintle::api::core::v1 {

struct PINTLE_EXPORT ClientIPConfig {
  std::optional<std::int32_t> timeout_seconds{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ConfigMap {
  static constexpr Type type{"v1", "ConfigMap"};
  Metadata metadata{};
  std::map<std::string, Bytes> binary_data{};
  std::map<std::string, std::string> data{};
  std::optional<bool> immutable{};

  static FieldTable fields();
};

struct PINTLE_EXPORT PortStatus {
  enum class Protocol { unset, sctp, tcp, udp };
  friend PINTLE_EXPORT EnumTable enum_names(Protocol);
  friend consteval std::string_view enum_texts(Protocol) { return "SCTP|TCP|UDP"; }

  std::optional<std::string> error{};
  std::int32_t port = 0;
  Choice<Protocol> protocol{};

  static FieldTable fields();
};

struct PINTLE_EXPORT LoadBalancerIngress {
  std::optional<std::string> hostname{};
  std::optional<std::string> ip{};
  std::optional<std::string> ip_mode{};
  std::vector<PortStatus> ports{};

  static FieldTable fields();
};

struct PINTLE_EXPORT LoadBalancerStatus {
  std::vector<LoadBalancerIngress> ingress{};

  static FieldTable fields();
};

struct PINTLE_EXPORT LocalObjectReference {
  std::optional<std::string> name{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ModifyVolumeStatus {
  enum class Status { unset, in_progress, infeasible, pending };
  friend PINTLE_EXPORT EnumTable enum_names(Status);
  friend consteval std::string_view enum_texts(Status) { return "InProgress|Infeasible|Pending"; }

  Choice<Status> status{};
  std::optional<std::string> target_volume_attributes_class_name{};

  static FieldTable fields();
};

struct PINTLE_EXPORT NamespaceSpec {
  std::vector<std::string> finalizers{};

  static FieldTable fields();
};

struct PINTLE_EXPORT NamespaceCondition {
  std::optional<WallTime> last_transition_time{};
  std::optional<std::string> message{};
  std::optional<std::string> reason{};
  std::string status{};
  std::string type{};

  static FieldTable fields();
};

struct PINTLE_EXPORT NamespaceStatus {
  enum class Phase { unset, active, terminating };
  friend PINTLE_EXPORT EnumTable enum_names(Phase);
  friend consteval std::string_view enum_texts(Phase) { return "Active|Terminating"; }

  std::vector<NamespaceCondition> conditions{};
  Choice<Phase> phase{};

  static FieldTable fields();
};

struct PINTLE_EXPORT Namespace {
  static constexpr Type type{"v1", "Namespace"};
  Metadata metadata{};
  NamespaceSpec spec{};
  NamespaceStatus status{};
};

struct PINTLE_EXPORT ObjectReference {
  std::optional<std::string> api_version{};
  std::optional<std::string> field_path{};
  std::optional<std::string> kind{};
  std::optional<std::string> name{};
  std::optional<std::string> namespace_{};
  std::optional<std::string> resource_version{};
  std::optional<std::string> uid{};

  static FieldTable fields();
};

struct PINTLE_EXPORT TypedLocalObjectReference {
  std::optional<std::string> api_group{};
  std::string kind{};
  std::string name{};

  static FieldTable fields();
};

struct PINTLE_EXPORT TypedObjectReference {
  std::optional<std::string> api_group{};
  std::string kind{};
  std::string name{};
  std::optional<std::string> namespace_{};

  static FieldTable fields();
};

struct PINTLE_EXPORT VolumeResourceRequirements {
  QuantityMap limits{};
  QuantityMap requests{};

  static FieldTable fields();
};

struct PINTLE_EXPORT PersistentVolumeClaimSpec {
  enum class AccessMode { unset, read_only_many, read_write_many, read_write_once, read_write_once_pod };
  friend PINTLE_EXPORT EnumTable enum_names(AccessMode);
  friend consteval std::string_view enum_texts(AccessMode) {
    return "ReadOnlyMany|ReadWriteMany|ReadWriteOnce|ReadWriteOncePod";
  }

  enum class VolumeMode { unset, block, filesystem };
  friend PINTLE_EXPORT EnumTable enum_names(VolumeMode);
  friend consteval std::string_view enum_texts(VolumeMode) { return "Block|Filesystem"; }

  std::vector<Choice<AccessMode>> access_modes{};
  OptionalBox<TypedLocalObjectReference> data_source{};
  OptionalBox<TypedObjectReference> data_source_ref{};
  VolumeResourceRequirements resources{};
  OptionalBox<meta::v1::LabelSelector> selector{};
  std::optional<std::string> storage_class_name{};
  std::optional<std::string> volume_attributes_class_name{};
  Choice<VolumeMode> volume_mode{};
  std::optional<std::string> volume_name{};

  static FieldTable fields();
};

struct PINTLE_EXPORT PersistentVolumeClaimCondition {
  std::optional<WallTime> last_probe_time{};
  std::optional<WallTime> last_transition_time{};
  std::optional<std::string> message{};
  std::optional<std::string> reason{};
  std::string status{};
  std::string type{};

  static FieldTable fields();
};

struct PINTLE_EXPORT PersistentVolumeClaimStatus {
  enum class AccessMode { unset, read_only_many, read_write_many, read_write_once, read_write_once_pod };
  friend PINTLE_EXPORT EnumTable enum_names(AccessMode);
  friend consteval std::string_view enum_texts(AccessMode) {
    return "ReadOnlyMany|ReadWriteMany|ReadWriteOnce|ReadWriteOncePod";
  }

  enum class AllocatedResourceStatuses {
    unset,
    controller_resize_in_progress,
    controller_resize_infeasible,
    node_resize_in_progress,
    node_resize_infeasible,
    node_resize_pending
  };
  friend PINTLE_EXPORT EnumTable enum_names(AllocatedResourceStatuses);
  friend consteval std::string_view enum_texts(AllocatedResourceStatuses) {
    return "ControllerResizeInProgress|ControllerResizeInfeasible|NodeResizeInProgress|NodeResizeInfeasible|"
           "NodeResizePending";
  }

  enum class Phase { unset, bound, lost, pending };
  friend PINTLE_EXPORT EnumTable enum_names(Phase);
  friend consteval std::string_view enum_texts(Phase) { return "Bound|Lost|Pending"; }

  std::vector<Choice<AccessMode>> access_modes{};
  std::map<std::string, Choice<AllocatedResourceStatuses>> allocated_resource_statuses{};
  QuantityMap allocated_resources{};
  QuantityMap capacity{};
  std::vector<PersistentVolumeClaimCondition> conditions{};
  std::optional<std::string> current_volume_attributes_class_name{};
  OptionalBox<ModifyVolumeStatus> modify_volume_status{};
  Choice<Phase> phase{};

  static FieldTable fields();
};

struct PINTLE_EXPORT PersistentVolumeClaim {
  static constexpr Type type{"v1", "PersistentVolumeClaim"};
  Metadata metadata{};
  PersistentVolumeClaimSpec spec{};
  PersistentVolumeClaimStatus status{};
};

struct PINTLE_EXPORT Secret {
  static constexpr Type type{"v1", "Secret"};
  Metadata metadata{};
  std::map<std::string, Bytes> data{};
  std::optional<bool> immutable{};
  std::map<std::string, std::string> string_data{};
  std::optional<std::string> type_{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ServicePort {
  enum class Protocol { unset, sctp, tcp, udp };
  friend PINTLE_EXPORT EnumTable enum_names(Protocol);
  friend consteval std::string_view enum_texts(Protocol) { return "SCTP|TCP|UDP"; }

  std::optional<std::string> app_protocol{};
  std::optional<std::string> name{};
  std::optional<std::int32_t> node_port{};
  std::int32_t port = 0;
  Choice<Protocol> protocol{};
  std::optional<IntOrString> target_port{};

  static FieldTable fields();
};

struct PINTLE_EXPORT SessionAffinityConfig {
  OptionalBox<ClientIPConfig> client_ip{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ServiceSpec {
  enum class ExternalTrafficPolicy { unset, cluster, local };
  friend PINTLE_EXPORT EnumTable enum_names(ExternalTrafficPolicy);
  friend consteval std::string_view enum_texts(ExternalTrafficPolicy) { return "Cluster|Local"; }

  enum class InternalTrafficPolicy { unset, cluster, local };
  friend PINTLE_EXPORT EnumTable enum_names(InternalTrafficPolicy);
  friend consteval std::string_view enum_texts(InternalTrafficPolicy) { return "Cluster|Local"; }

  enum class IpFamily { unset, ipv4, ipv6 };
  friend PINTLE_EXPORT EnumTable enum_names(IpFamily);
  friend consteval std::string_view enum_texts(IpFamily) { return "IPv4|IPv6"; }

  enum class IpFamilyPolicy { unset, prefer_dual_stack, require_dual_stack, single_stack };
  friend PINTLE_EXPORT EnumTable enum_names(IpFamilyPolicy);
  friend consteval std::string_view enum_texts(IpFamilyPolicy) {
    return "PreferDualStack|RequireDualStack|SingleStack";
  }

  enum class SessionAffinity { unset, client_ip, none };
  friend PINTLE_EXPORT EnumTable enum_names(SessionAffinity);
  friend consteval std::string_view enum_texts(SessionAffinity) { return "ClientIP|None"; }

  enum class Type { unset, cluster_ip, external_name, load_balancer, node_port };
  friend PINTLE_EXPORT EnumTable enum_names(Type);
  friend consteval std::string_view enum_texts(Type) { return "ClusterIP|ExternalName|LoadBalancer|NodePort"; }

  std::optional<bool> allocate_load_balancer_node_ports{};
  std::optional<std::string> cluster_ip{};
  std::vector<std::string> cluster_ips{};
  std::vector<std::string> external_ips{};
  std::optional<std::string> external_name{};
  Choice<ExternalTrafficPolicy> external_traffic_policy{};
  std::optional<std::int32_t> health_check_node_port{};
  Choice<InternalTrafficPolicy> internal_traffic_policy{};
  std::vector<Choice<IpFamily>> ip_families{};
  Choice<IpFamilyPolicy> ip_family_policy{};
  std::optional<std::string> load_balancer_class{};
  std::optional<std::string> load_balancer_ip{};
  std::vector<std::string> load_balancer_source_ranges{};
  std::vector<ServicePort> ports{};
  std::optional<bool> publish_not_ready_addresses{};
  std::map<std::string, std::string> selector{};
  Choice<SessionAffinity> session_affinity{};
  OptionalBox<SessionAffinityConfig> session_affinity_config{};
  std::optional<std::string> traffic_distribution{};
  Choice<Type> type{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ServiceStatus {
  std::vector<StatusCondition> conditions{};
  LoadBalancerStatus load_balancer{};

  static FieldTable fields();
};

struct PINTLE_EXPORT Service {
  static constexpr Type type{"v1", "Service"};
  Metadata metadata{};
  ServiceSpec spec{};
  ServiceStatus status{};
};

struct PINTLE_EXPORT ServiceAccount {
  static constexpr Type type{"v1", "ServiceAccount"};
  Metadata metadata{};
  std::optional<bool> automount_service_account_token{};
  std::vector<LocalObjectReference> image_pull_secrets{};
  std::vector<ObjectReference> secrets{};

  static FieldTable fields();
};

}  // namespace pintle::api::core::v1
