// Types of resource, version v1. Written by `pintle gen types`, which writes it anew.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <pintle/api/core/v1.hpp>
#include <pintle/base/annotations.hpp>
#include <pintle/base/time.hpp>
#include <pintle/json/fwd.hpp>
#include <pintle/object/box.hpp>
#include <pintle/object/choice.hpp>
#include <pintle/object/condition.hpp>
#include <pintle/object/declared.hpp>
#include <pintle/object/kind.hpp>
#include <pintle/object/metadata.hpp>
#include <pintle/object/optional_box.hpp>
#include <pintle/object/quantity.hpp>
#include <pintle/object/quantity_map.hpp>

namespace pintle::api::resource::v1 {

struct PINTLE_EXPORT NetworkDeviceData {
  std::optional<std::string> hardware_address{};
  std::optional<std::string> interface_name{};
  std::vector<std::string> ips{};

  static FieldTable fields();
};

struct PINTLE_EXPORT AllocatedDeviceStatus {
  std::vector<StatusCondition> conditions{};
  OptionalBox<json::Value> data{};
  std::string device{};
  std::string driver{};
  OptionalBox<NetworkDeviceData> network_data{};
  std::string pool{};
  std::optional<std::string> share_id{};

  static FieldTable fields();
};

struct PINTLE_EXPORT OpaqueDeviceConfiguration {
  std::string driver{};
  Box<json::Value> parameters{};

  static FieldTable fields();
};

struct PINTLE_EXPORT DeviceAllocationConfiguration {
  enum class Source { unset, from_claim, from_class };
  friend PINTLE_EXPORT EnumTable enum_names(Source);
  friend consteval std::string_view enum_texts(Source) { return "FromClaim|FromClass"; }

  OptionalBox<OpaqueDeviceConfiguration> opaque{};
  std::vector<std::string> requests{};
  Choice<Source> source{};

  static FieldTable fields();
};

struct PINTLE_EXPORT DeviceToleration {
  enum class Effect { unset, no_execute, no_schedule, none };
  friend PINTLE_EXPORT EnumTable enum_names(Effect);
  friend consteval std::string_view enum_texts(Effect) { return "NoExecute|NoSchedule|None"; }

  enum class Operator { unset, equal, exists };
  friend PINTLE_EXPORT EnumTable enum_names(Operator);
  friend consteval std::string_view enum_texts(Operator) { return "Equal|Exists"; }

  Choice<Effect> effect{};
  std::optional<std::string> key{};
  Choice<Operator> operator_{};
  std::optional<std::int64_t> toleration_seconds{};
  std::optional<std::string> value{};

  static FieldTable fields();
};

struct PINTLE_EXPORT DeviceRequestAllocationResult {
  std::optional<bool> admin_access{};
  std::vector<std::string> binding_conditions{};
  std::vector<std::string> binding_failure_conditions{};
  QuantityMap consumed_capacity{};
  std::string device{};
  std::string driver{};
  std::string pool{};
  std::string request{};
  std::optional<std::string> share_id{};
  std::vector<DeviceToleration> tolerations{};

  static FieldTable fields();
};

struct PINTLE_EXPORT DeviceAllocationResult {
  std::vector<DeviceAllocationConfiguration> config{};
  std::vector<DeviceRequestAllocationResult> results{};

  static FieldTable fields();
};

struct PINTLE_EXPORT AllocationResult {
  std::optional<WallTime> allocation_timestamp{};
  DeviceAllocationResult devices{};
  OptionalBox<core::v1::NodeSelector> node_selector{};

  static FieldTable fields();
};

struct PINTLE_EXPORT CELDeviceSelector {
  std::string expression{};

  static FieldTable fields();
};

struct PINTLE_EXPORT CapacityRequestPolicyRange {
  std::optional<Quantity> max{};
  Quantity min{};
  std::optional<Quantity> step{};

  static FieldTable fields();
};

struct PINTLE_EXPORT CapacityRequestPolicy {
  std::optional<Quantity> default_{};
  OptionalBox<CapacityRequestPolicyRange> valid_range{};
  std::vector<Quantity> valid_values{};

  static FieldTable fields();
};

struct PINTLE_EXPORT CapacityRequirements {
  QuantityMap requests{};

  static FieldTable fields();
};

struct PINTLE_EXPORT Counter {
  Quantity value{};

  static FieldTable fields();
};

struct PINTLE_EXPORT CounterSet {
  std::map<std::string, Counter> counters{};
  std::string name{};

  static FieldTable fields();
};

struct PINTLE_EXPORT DeviceAttribute {
  std::optional<bool> bool_{};
  std::vector<Box<json::Value>> bools{};
  std::optional<std::int64_t> int_{};
  std::vector<std::int64_t> ints{};
  std::optional<std::string> string{};
  std::vector<std::string> strings{};
  std::optional<std::string> version{};
  std::vector<std::string> versions{};

  static FieldTable fields();
};

struct PINTLE_EXPORT DeviceCapacity {
  OptionalBox<CapacityRequestPolicy> request_policy{};
  Quantity value{};

  static FieldTable fields();
};

struct PINTLE_EXPORT DeviceCounterConsumption {
  std::string counter_set{};
  std::map<std::string, Counter> counters{};

  static FieldTable fields();
};

struct PINTLE_EXPORT DeviceTaint {
  enum class Effect { unset, no_execute, no_schedule, none };
  friend PINTLE_EXPORT EnumTable enum_names(Effect);
  friend consteval std::string_view enum_texts(Effect) { return "NoExecute|NoSchedule|None"; }

  Choice<Effect> effect{};
  std::string key{};
  std::optional<WallTime> time_added{};
  std::optional<std::string> value{};

  static FieldTable fields();
};

struct PINTLE_EXPORT NodeAllocatableResourceMapping {
  std::optional<Quantity> allocation_multiplier{};
  std::optional<std::string> capacity_key{};

  static FieldTable fields();
};

struct PINTLE_EXPORT Device {
  std::optional<bool> all_nodes{};
  std::optional<bool> allow_multiple_allocations{};
  std::map<std::string, DeviceAttribute> attributes{};
  std::vector<std::string> binding_conditions{};
  std::vector<std::string> binding_failure_conditions{};
  std::optional<bool> binds_to_node{};
  std::map<std::string, DeviceCapacity> capacity{};
  std::vector<DeviceCounterConsumption> consumes_counters{};
  std::string name{};
  std::map<std::string, NodeAllocatableResourceMapping> node_allocatable_resource_mappings{};
  std::optional<std::string> node_name{};
  OptionalBox<core::v1::NodeSelector> node_selector{};
  std::vector<DeviceTaint> taints{};

  static FieldTable fields();
};

struct PINTLE_EXPORT DeviceClaimConfiguration {
  OptionalBox<OpaqueDeviceConfiguration> opaque{};
  std::vector<std::string> requests{};

  static FieldTable fields();
};

struct PINTLE_EXPORT DeviceConstraint {
  std::optional<std::string> distinct_attribute{};
  std::optional<std::string> match_attribute{};
  std::vector<std::string> requests{};

  static FieldTable fields();
};

struct PINTLE_EXPORT DeviceSelector {
  OptionalBox<CELDeviceSelector> cel{};

  static FieldTable fields();
};

struct PINTLE_EXPORT DeviceSubRequest {
  enum class AllocationMode { unset, all, exact_count };
  friend PINTLE_EXPORT EnumTable enum_names(AllocationMode);
  friend consteval std::string_view enum_texts(AllocationMode) { return "All|ExactCount"; }

  Choice<AllocationMode> allocation_mode{};
  OptionalBox<CapacityRequirements> capacity{};
  std::optional<std::int64_t> count{};
  std::string device_class_name{};
  std::string name{};
  std::vector<DeviceSelector> selectors{};
  std::vector<DeviceToleration> tolerations{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ExactDeviceRequest {
  enum class AllocationMode { unset, all, exact_count };
  friend PINTLE_EXPORT EnumTable enum_names(AllocationMode);
  friend consteval std::string_view enum_texts(AllocationMode) { return "All|ExactCount"; }

  std::optional<bool> admin_access{};
  Choice<AllocationMode> allocation_mode{};
  OptionalBox<CapacityRequirements> capacity{};
  std::optional<std::int64_t> count{};
  std::string device_class_name{};
  std::vector<DeviceSelector> selectors{};
  std::vector<DeviceToleration> tolerations{};

  static FieldTable fields();
};

struct PINTLE_EXPORT DeviceRequest {
  OptionalBox<ExactDeviceRequest> exactly{};
  std::vector<DeviceSubRequest> first_available{};
  std::string name{};

  static FieldTable fields();
};

struct PINTLE_EXPORT DeviceClaim {
  std::vector<DeviceClaimConfiguration> config{};
  std::vector<DeviceConstraint> constraints{};
  std::vector<DeviceRequest> requests{};

  static FieldTable fields();
};

struct PINTLE_EXPORT DeviceClassConfiguration {
  OptionalBox<OpaqueDeviceConfiguration> opaque{};

  static FieldTable fields();
};

struct PINTLE_EXPORT DeviceClassSpec {
  std::vector<DeviceClassConfiguration> config{};
  std::optional<std::string> extended_resource_name{};
  std::vector<DeviceSelector> selectors{};

  static FieldTable fields();
};

struct PINTLE_EXPORT DeviceClass {
  static constexpr Type type{"resource.k8s.io/v1", "DeviceClass"};
  Metadata metadata{};
  DeviceClassSpec spec{};
};

struct PINTLE_EXPORT ResourceClaimSpec {
  DeviceClaim devices{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ResourceClaimConsumerReference {
  std::optional<std::string> api_group{};
  std::string name{};
  std::string resource{};
  std::string uid{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ResourceClaimStatus {
  OptionalBox<AllocationResult> allocation{};
  std::vector<AllocatedDeviceStatus> devices{};
  std::vector<ResourceClaimConsumerReference> reserved_for{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ResourceClaim {
  static constexpr Type type{"resource.k8s.io/v1", "ResourceClaim"};
  Metadata metadata{};
  ResourceClaimSpec spec{};
  ResourceClaimStatus status{};
};

struct PINTLE_EXPORT ResourceClaimTemplateSpec {
  Metadata metadata{};
  ResourceClaimSpec spec{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ResourceClaimTemplate {
  static constexpr Type type{"resource.k8s.io/v1", "ResourceClaimTemplate"};
  Metadata metadata{};
  ResourceClaimTemplateSpec spec{};
};

struct PINTLE_EXPORT ResourcePool {
  std::int64_t generation = 0;
  std::string name{};
  std::int64_t resource_slice_count = 0;

  static FieldTable fields();
};

struct PINTLE_EXPORT ResourceSliceSpec {
  std::optional<bool> all_nodes{};
  std::vector<Device> devices{};
  std::string driver{};
  std::optional<std::string> node_name{};
  OptionalBox<core::v1::NodeSelector> node_selector{};
  std::optional<bool> per_device_node_selection{};
  ResourcePool pool{};
  std::vector<CounterSet> shared_counters{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ResourceSlice {
  static constexpr Type type{"resource.k8s.io/v1", "ResourceSlice"};
  Metadata metadata{};
  ResourceSliceSpec spec{};
};

}  // namespace pintle::api::resource::v1
