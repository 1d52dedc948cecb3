// Types of discovery, version v1. Written by `pintle gen types`, which writes it anew.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <pintle/api/core/v1/small_kinds.hpp>
#include <pintle/base/annotations.hpp>
#include <pintle/object/choice.hpp>
#include <pintle/object/declared.hpp>
#include <pintle/object/kind.hpp>
#include <pintle/object/metadata.hpp>
#include <pintle/object/optional_box.hpp>

namespace pintle::api::discovery::v1 {

struct PINTLE_EXPORT EndpointConditions {
  std::optional<bool> ready{};
  std::optional<bool> serving{};
  std::optional<bool> terminating{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ForNode {
  std::string name{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ForZone {
  std::string name{};

  static FieldTable fields();
};

struct PINTLE_EXPORT EndpointHints {
  std::vector<ForNode> for_nodes{};
  std::vector<ForZone> for_zones{};

  static FieldTable fields();
};

struct PINTLE_EXPORT Endpoint {
  std::vector<std::string> addresses{};
  EndpointConditions conditions{};
  std::map<std::string, std::string> deprecated_topology{};
  OptionalBox<EndpointHints> hints{};
  std::optional<std::string> hostname{};
  std::optional<std::string> node_name{};
  OptionalBox<core::v1::ObjectReference> target_ref{};
  std::optional<std::string> zone{};

  static FieldTable fields();
};

struct PINTLE_EXPORT EndpointPort {
  enum class Protocol { unset, sctp, tcp, udp };
  friend PINTLE_EXPORT EnumTable enum_names(Protocol);
  friend consteval std::string_view enum_texts(Protocol) { return "SCTP|TCP|UDP"; }

  std::optional<std::string> app_protocol{};
  std::optional<std::string> name{};
  std::optional<std::int32_t> port{};
  Choice<Protocol> protocol{};

  static FieldTable fields();
};

struct PINTLE_EXPORT EndpointSlice {
  static constexpr Type type{"discovery.k8s.io/v1", "EndpointSlice"};

  enum class AddressType { unset, fqdn, ipv4, ipv6 };
  friend PINTLE_EXPORT EnumTable enum_names(AddressType);
  friend consteval std::string_view enum_texts(AddressType) { return "FQDN|IPv4|IPv6"; }

  Metadata metadata{};
  Choice<AddressType> address_type{};
  std::vector<Endpoint> endpoints{};
  std::vector<EndpointPort> ports{};

  static FieldTable fields();
};

}  // namespace pintle::api::discovery::v1
