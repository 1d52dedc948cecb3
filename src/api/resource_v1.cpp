// Tables of resource, version v1. Written by `pintle gen types`, which writes it anew.
#include <pintle/api/resource/v1.hpp>

#include <pintle/object/field_table.hpp>

namespace pintle::api::resource::v1 {
namespace {

constexpr FieldRules atomic{.is_set = true, .merge_strategy = MergeStrategy::atomic};
constexpr FieldRules by_driver_and_device_and_pool_and_share_id{
    .is_set = true, .merge_strategy = MergeStrategy::map, .keys = {"driver", "device", "pool", "shareID"}};
constexpr FieldRules by_uid{.is_set = true, .merge_strategy = MergeStrategy::map, .keys = {"uid", "", "", ""}};

}  // namespace

FieldTable NetworkDeviceData::fields() {
  static constexpr auto rows = field_rows({
      {"hardwareAddress", member<&NetworkDeviceData::hardware_address>},
      {"interfaceName", member<&NetworkDeviceData::interface_name>},
      {"ips", member<&NetworkDeviceData::ips>, atomic},
  });
  return rows;
}

FieldTable AllocatedDeviceStatus::fields() {
  static constexpr auto rows = field_rows({
      {"conditions", member<&AllocatedDeviceStatus::conditions>},
      {"data", member<&AllocatedDeviceStatus::data>},
      {"device", member<&AllocatedDeviceStatus::device>, required},
      {"driver", member<&AllocatedDeviceStatus::driver>, required},
      {"networkData", member<&AllocatedDeviceStatus::network_data>},
      {"pool", member<&AllocatedDeviceStatus::pool>, required},
      {"shareID", member<&AllocatedDeviceStatus::share_id>},
  });
  return rows;
}

FieldTable OpaqueDeviceConfiguration::fields() {
  static constexpr auto rows = field_rows({
      {"driver", member<&OpaqueDeviceConfiguration::driver>, required},
      {"parameters", member<&OpaqueDeviceConfiguration::parameters>, required},
  });
  return rows;
}

EnumTable enum_names(DeviceAllocationConfiguration::Source) {
  using enum DeviceAllocationConfiguration::Source;
  static constexpr auto rows = enum_rows({
      {from_claim, "FromClaim"},
      {from_class, "FromClass"},
  });
  return rows;
}

FieldTable DeviceAllocationConfiguration::fields() {
  static constexpr auto rows = field_rows({
      {"opaque", member<&DeviceAllocationConfiguration::opaque>},
      {"requests", member<&DeviceAllocationConfiguration::requests>, atomic},
      {"source", member<&DeviceAllocationConfiguration::source>, required},
  });
  return rows;
}

EnumTable enum_names(DeviceToleration::Effect) {
  using enum DeviceToleration::Effect;
  static constexpr auto rows = enum_rows({
      {no_execute, "NoExecute"},
      {no_schedule, "NoSchedule"},
      {none, "None"},
  });
  return rows;
}

EnumTable enum_names(DeviceToleration::Operator) {
  using enum DeviceToleration::Operator;
  static constexpr auto rows = enum_rows({
      {equal, "Equal"},
      {exists, "Exists"},
  });
  return rows;
}

FieldTable DeviceToleration::fields() {
  static constexpr auto rows = field_rows({
      {"effect", member<&DeviceToleration::effect>},
      {"key", member<&DeviceToleration::key>},
      {"operator", member<&DeviceToleration::operator_>},
      {"tolerationSeconds", member<&DeviceToleration::toleration_seconds>},
      {"value", member<&DeviceToleration::value>},
  });
  return rows;
}

FieldTable DeviceRequestAllocationResult::fields() {
  static constexpr auto rows = field_rows({
      {"adminAccess", member<&DeviceRequestAllocationResult::admin_access>},
      {"bindingConditions", member<&DeviceRequestAllocationResult::binding_conditions>, atomic},
      {"bindingFailureConditions", member<&DeviceRequestAllocationResult::binding_failure_conditions>, atomic},
      {"consumedCapacity", member<&DeviceRequestAllocationResult::consumed_capacity>},
      {"device", member<&DeviceRequestAllocationResult::device>, required},
      {"driver", member<&DeviceRequestAllocationResult::driver>, required},
      {"pool", member<&DeviceRequestAllocationResult::pool>, required},
      {"request", member<&DeviceRequestAllocationResult::request>, required},
      {"shareID", member<&DeviceRequestAllocationResult::share_id>},
      {"tolerations", member<&DeviceRequestAllocationResult::tolerations>, atomic},
  });
  return rows;
}

FieldTable DeviceAllocationResult::fields() {
  static constexpr auto rows = field_rows({
      {"config", member<&DeviceAllocationResult::config>, atomic},
      {"results", member<&DeviceAllocationResult::results>, atomic},
  });
  return rows;
}

FieldTable AllocationResult::fields() {
  static constexpr auto rows = field_rows({
      {"allocationTimestamp", member<&AllocationResult::allocation_timestamp>},
      {"devices", member<&AllocationResult::devices>},
      {"nodeSelector", member<&AllocationResult::node_selector>, atomic},
  });
  return rows;
}

FieldTable CELDeviceSelector::fields() {
  static constexpr auto rows = field_rows({
      {"expression", member<&CELDeviceSelector::expression>, required},
  });
  return rows;
}

FieldTable CapacityRequestPolicyRange::fields() {
  static constexpr auto rows = field_rows({
      {"max", member<&CapacityRequestPolicyRange::max>},
      {"min", member<&CapacityRequestPolicyRange::min>, required},
      {"step", member<&CapacityRequestPolicyRange::step>},
  });
  return rows;
}

FieldTable CapacityRequestPolicy::fields() {
  static constexpr auto rows = field_rows({
      {"default", member<&CapacityRequestPolicy::default_>},
      {"validRange", member<&CapacityRequestPolicy::valid_range>},
      {"validValues", member<&CapacityRequestPolicy::valid_values>, atomic},
  });
  return rows;
}

FieldTable CapacityRequirements::fields() {
  static constexpr auto rows = field_rows({
      {"requests", member<&CapacityRequirements::requests>},
  });
  return rows;
}

FieldTable Counter::fields() {
  static constexpr auto rows = field_rows({
      {"value", member<&Counter::value>, required},
  });
  return rows;
}

FieldTable CounterSet::fields() {
  static constexpr auto rows = field_rows({
      {"counters", member<&CounterSet::counters>, required},
      {"name", member<&CounterSet::name>, required},
  });
  return rows;
}

FieldTable DeviceAttribute::fields() {
  static constexpr auto rows = field_rows({
      {"bool", member<&DeviceAttribute::bool_>},
      {"bools", member<&DeviceAttribute::bools>, atomic},
      {"int", member<&DeviceAttribute::int_>},
      {"ints", member<&DeviceAttribute::ints>, atomic},
      {"string", member<&DeviceAttribute::string>},
      {"strings", member<&DeviceAttribute::strings>, atomic},
      {"version", member<&DeviceAttribute::version>},
      {"versions", member<&DeviceAttribute::versions>, atomic},
  });
  return rows;
}

FieldTable DeviceCapacity::fields() {
  static constexpr auto rows = field_rows({
      {"requestPolicy", member<&DeviceCapacity::request_policy>},
      {"value", member<&DeviceCapacity::value>, required},
  });
  return rows;
}

FieldTable DeviceCounterConsumption::fields() {
  static constexpr auto rows = field_rows({
      {"counterSet", member<&DeviceCounterConsumption::counter_set>, required},
      {"counters", member<&DeviceCounterConsumption::counters>, required},
  });
  return rows;
}

EnumTable enum_names(DeviceTaint::Effect) {
  using enum DeviceTaint::Effect;
  static constexpr auto rows = enum_rows({
      {no_execute, "NoExecute"},
      {no_schedule, "NoSchedule"},
      {none, "None"},
  });
  return rows;
}

FieldTable DeviceTaint::fields() {
  static constexpr auto rows = field_rows({
      {"effect", member<&DeviceTaint::effect>, required},
      {"key", member<&DeviceTaint::key>, required},
      {"timeAdded", member<&DeviceTaint::time_added>},
      {"value", member<&DeviceTaint::value>},
  });
  return rows;
}

FieldTable NodeAllocatableResourceMapping::fields() {
  static constexpr auto rows = field_rows({
      {"allocationMultiplier", member<&NodeAllocatableResourceMapping::allocation_multiplier>},
      {"capacityKey", member<&NodeAllocatableResourceMapping::capacity_key>},
  });
  return rows;
}

FieldTable Device::fields() {
  static constexpr auto rows = field_rows({
      {"allNodes", member<&Device::all_nodes>},
      {"allowMultipleAllocations", member<&Device::allow_multiple_allocations>},
      {"attributes", member<&Device::attributes>},
      {"bindingConditions", member<&Device::binding_conditions>, atomic},
      {"bindingFailureConditions", member<&Device::binding_failure_conditions>, atomic},
      {"bindsToNode", member<&Device::binds_to_node>},
      {"capacity", member<&Device::capacity>},
      {"consumesCounters", member<&Device::consumes_counters>, atomic},
      {"name", member<&Device::name>, required},
      {"nodeAllocatableResourceMappings", member<&Device::node_allocatable_resource_mappings>},
      {"nodeName", member<&Device::node_name>},
      {"nodeSelector", member<&Device::node_selector>, atomic},
      {"taints", member<&Device::taints>, atomic},
  });
  return rows;
}

FieldTable DeviceClaimConfiguration::fields() {
  static constexpr auto rows = field_rows({
      {"opaque", member<&DeviceClaimConfiguration::opaque>},
      {"requests", member<&DeviceClaimConfiguration::requests>, atomic},
  });
  return rows;
}

FieldTable DeviceConstraint::fields() {
  static constexpr auto rows = field_rows({
      {"distinctAttribute", member<&DeviceConstraint::distinct_attribute>},
      {"matchAttribute", member<&DeviceConstraint::match_attribute>},
      {"requests", member<&DeviceConstraint::requests>, atomic},
  });
  return rows;
}

FieldTable DeviceSelector::fields() {
  static constexpr auto rows = field_rows({
      {"cel", member<&DeviceSelector::cel>},
  });
  return rows;
}

EnumTable enum_names(DeviceSubRequest::AllocationMode) {
  using enum DeviceSubRequest::AllocationMode;
  static constexpr auto rows = enum_rows({
      {all, "All"},
      {exact_count, "ExactCount"},
  });
  return rows;
}

FieldTable DeviceSubRequest::fields() {
  static constexpr auto rows = field_rows({
      {"allocationMode", member<&DeviceSubRequest::allocation_mode>},
      {"capacity", member<&DeviceSubRequest::capacity>},
      {"count", member<&DeviceSubRequest::count>},
      {"deviceClassName", member<&DeviceSubRequest::device_class_name>, required},
      {"name", member<&DeviceSubRequest::name>, required},
      {"selectors", member<&DeviceSubRequest::selectors>, atomic},
      {"tolerations", member<&DeviceSubRequest::tolerations>, atomic},
  });
  return rows;
}

EnumTable enum_names(ExactDeviceRequest::AllocationMode) {
  using enum ExactDeviceRequest::AllocationMode;
  static constexpr auto rows = enum_rows({
      {all, "All"},
      {exact_count, "ExactCount"},
  });
  return rows;
}

FieldTable ExactDeviceRequest::fields() {
  static constexpr auto rows = field_rows({
      {"adminAccess", member<&ExactDeviceRequest::admin_access>},
      {"allocationMode", member<&ExactDeviceRequest::allocation_mode>},
      {"capacity", member<&ExactDeviceRequest::capacity>},
      {"count", member<&ExactDeviceRequest::count>},
      {"deviceClassName", member<&ExactDeviceRequest::device_class_name>, required},
      {"selectors", member<&ExactDeviceRequest::selectors>, atomic},
      {"tolerations", member<&ExactDeviceRequest::tolerations>, atomic},
  });
  return rows;
}

FieldTable DeviceRequest::fields() {
  static constexpr auto rows = field_rows({
      {"exactly", member<&DeviceRequest::exactly>},
      {"firstAvailable", member<&DeviceRequest::first_available>, atomic},
      {"name", member<&DeviceRequest::name>, required},
  });
  return rows;
}

FieldTable DeviceClaim::fields() {
  static constexpr auto rows = field_rows({
      {"config", member<&DeviceClaim::config>, atomic},
      {"constraints", member<&DeviceClaim::constraints>, atomic},
      {"requests", member<&DeviceClaim::requests>, atomic},
  });
  return rows;
}

FieldTable DeviceClassConfiguration::fields() {
  static constexpr auto rows = field_rows({
      {"opaque", member<&DeviceClassConfiguration::opaque>},
  });
  return rows;
}

FieldTable DeviceClassSpec::fields() {
  static constexpr auto rows = field_rows({
      {"config", member<&DeviceClassSpec::config>, atomic},
      {"extendedResourceName", member<&DeviceClassSpec::extended_resource_name>},
      {"selectors", member<&DeviceClassSpec::selectors>, atomic},
  });
  return rows;
}

FieldTable ResourceClaimSpec::fields() {
  static constexpr auto rows = field_rows({
      {"devices", member<&ResourceClaimSpec::devices>},
  });
  return rows;
}

FieldTable ResourceClaimConsumerReference::fields() {
  static constexpr auto rows = field_rows({
      {"apiGroup", member<&ResourceClaimConsumerReference::api_group>},
      {"name", member<&ResourceClaimConsumerReference::name>, required},
      {"resource", member<&ResourceClaimConsumerReference::resource>, required},
      {"uid", member<&ResourceClaimConsumerReference::uid>, required},
  });
  return rows;
}

FieldTable ResourceClaimStatus::fields() {
  static constexpr auto rows = field_rows({
      {"allocation", member<&ResourceClaimStatus::allocation>},
      {"devices", member<&ResourceClaimStatus::devices>, by_driver_and_device_and_pool_and_share_id},
      {"reservedFor", member<&ResourceClaimStatus::reserved_for>, by_uid},
  });
  return rows;
}

FieldTable ResourceClaimTemplateSpec::fields() {
  static constexpr auto rows = field_rows({
      {"metadata", member<&ResourceClaimTemplateSpec::metadata>},
      {"spec", member<&ResourceClaimTemplateSpec::spec>, required},
  });
  return rows;
}

FieldTable ResourcePool::fields() {
  static constexpr auto rows = field_rows({
      {"generation", member<&ResourcePool::generation>, required},
      {"name", member<&ResourcePool::name>, required},
      {"resourceSliceCount", member<&ResourcePool::resource_slice_count>, required},
  });
  return rows;
}

FieldTable ResourceSliceSpec::fields() {
  static constexpr auto rows = field_rows({
      {"allNodes", member<&ResourceSliceSpec::all_nodes>},
      {"devices", member<&ResourceSliceSpec::devices>, atomic},
      {"driver", member<&ResourceSliceSpec::driver>, required},
      {"nodeName", member<&ResourceSliceSpec::node_name>},
      {"nodeSelector", member<&ResourceSliceSpec::node_selector>, atomic},
      {"perDeviceNodeSelection", member<&ResourceSliceSpec::per_device_node_selection>},
      {"pool", member<&ResourceSliceSpec::pool>, required},
      {"sharedCounters", member<&ResourceSliceSpec::shared_counters>, atomic},
  });
  return rows;
}

}  // namespace pintle::api::resource::v1
