// Tables of discovery, version v1. Written by `pintle gen types`, which writes it anew.
#include <pintle/api/discovery/v1.hpp>

#include <pintle/object/field_table.hpp>

namespace pintle::api::discovery::v1 {
namespace {

constexpr FieldRules atomic{.is_set = true, .merge_strategy = MergeStrategy::atomic};
constexpr FieldRules required_set{.is_set = true, .required = true, .merge_strategy = MergeStrategy::set};

}  // namespace

FieldTable EndpointConditions::fields() {
  static constexpr auto rows = field_rows({
      {"ready", member<&EndpointConditions::ready>},
      {"serving", member<&EndpointConditions::serving>},
      {"terminating", member<&EndpointConditions::terminating>},
  });
  return rows;
}

FieldTable ForNode::fields() {
  static constexpr auto rows = field_rows({
      {"name", member<&ForNode::name>, required},
  });
  return rows;
}

FieldTable ForZone::fields() {
  static constexpr auto rows = field_rows({
      {"name", member<&ForZone::name>, required},
  });
  return rows;
}

FieldTable EndpointHints::fields() {
  static constexpr auto rows = field_rows({
      {"forNodes", member<&EndpointHints::for_nodes>, atomic},
      {"forZones", member<&EndpointHints::for_zones>, atomic},
  });
  return rows;
}

FieldTable Endpoint::fields() {
  static constexpr auto rows = field_rows({
      {"addresses", member<&Endpoint::addresses>, required_set},
      {"conditions", member<&Endpoint::conditions>},
      {"deprecatedTopology", member<&Endpoint::deprecated_topology>},
      {"hints", member<&Endpoint::hints>},
      {"hostname", member<&Endpoint::hostname>},
      {"nodeName", member<&Endpoint::node_name>},
      {"targetRef", member<&Endpoint::target_ref>, atomic},
      {"zone", member<&Endpoint::zone>},
  });
  return rows;
}

EnumTable enum_names(EndpointPort::Protocol) {
  using enum EndpointPort::Protocol;
  static constexpr auto rows = enum_rows({
      {sctp, "SCTP"},
      {tcp, "TCP"},
      {udp, "UDP"},
  });
  return rows;
}

FieldTable EndpointPort::fields() {
  static constexpr auto rows = field_rows({
      {"appProtocol", member<&EndpointPort::app_protocol>},
      {"name", member<&EndpointPort::name>},
      {"port", member<&EndpointPort::port>},
      {"protocol", member<&EndpointPort::protocol>},
  });
  return rows;
}

EnumTable enum_names(EndpointSlice::AddressType) {
  using enum EndpointSlice::AddressType;
  static constexpr auto rows = enum_rows({
      {fqdn, "FQDN"},
      {ipv4, "IPv4"},
      {ipv6, "IPv6"},
  });
  return rows;
}

FieldTable EndpointSlice::fields() {
  static constexpr auto rows = field_rows({
      {"addressType", member<&EndpointSlice::address_type>, required},
      {"endpoints", member<&EndpointSlice::endpoints>, atomic},
      {"ports", member<&EndpointSlice::ports>, atomic},
  });
  return rows;
}

}  // namespace pintle::api::discovery::v1
