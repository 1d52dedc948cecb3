// Types of networking, version v1. Written by `pintle gen types`, which writes it anew.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <pintle/api/core/v1.hpp>
#include <pintle/api/meta/v1.hpp>
#include <pintle/base/annotations.hpp>
#include <pintle/object/choice.hpp>
#include <pintle/object/condition.hpp>
#include <pintle/object/declared.hpp>
#include <pintle/object/int_or_string.hpp>
#include <pintle/object/kind.hpp>
#include <pintle/object/metadata.hpp>
#include <pintle/object/optional_box.hpp>

namespace pintle::api::networking::v1 {

struct PINTLE_EXPORT ServiceBackendPort {
  std::optional<std::string> name{};
  std::optional<std::int32_t> number{};

  static FieldTable fields();
};

struct PINTLE_EXPORT IngressServiceBackend {
  std::string name{};
  ServiceBackendPort port{};

  static FieldTable fields();
};

struct PINTLE_EXPORT IngressBackend {
  OptionalBox<core::v1::TypedLocalObjectReference> resource{};
  OptionalBox<IngressServiceBackend> service{};

  static FieldTable fields();
};

struct PINTLE_EXPORT HTTPIngressPath {
  enum class PathType { unset, exact, implementation_specific, prefix };
  friend PINTLE_EXPORT EnumTable enum_names(PathType);
  friend consteval std::string_view enum_texts(PathType) { return "Exact|ImplementationSpecific|Prefix"; }

  IngressBackend backend{};
  std::optional<std::string> path{};
  Choice<PathType> path_type{};

  static FieldTable fields();
};

struct PINTLE_EXPORT HTTPIngressRuleValue {
  std::vector<HTTPIngressPath> paths{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ParentReference {
  std::optional<std::string> group{};
  std::string name{};
  std::optional<std::string> namespace_{};
  std::string resource{};

  static FieldTable fields();
};

struct PINTLE_EXPORT IPAddressSpec {
  ParentReference parent_ref{};

  static FieldTable fields();
};

struct PINTLE_EXPORT IPAddress {
  static constexpr Type type{"networking.k8s.io/v1", "IPAddress"};
  Metadata metadata{};
  IPAddressSpec spec{};
};

struct PINTLE_EXPORT IPBlock {
  std::string cidr{};
  std::vector<std::string> except{};

  static FieldTable fields();
};

struct PINTLE_EXPORT IngressRule {
  std::optional<std::string> host{};
  OptionalBox<HTTPIngressRuleValue> http{};

  static FieldTable fields();
};

struct PINTLE_EXPORT IngressTLS {
  std::vector<std::string> hosts{};
  std::optional<std::string> secret_name{};

  static FieldTable fields();
};

struct PINTLE_EXPORT IngressSpec {
  OptionalBox<IngressBackend> default_backend{};
  std::optional<std::string> ingress_class_name{};
  std::vector<IngressRule> rules{};
  std::vector<IngressTLS> tls{};

  static FieldTable fields();
};

struct PINTLE_EXPORT IngressPortStatus {
  enum class Protocol { unset, sctp, tcp, udp };
  friend PINTLE_EXPORT EnumTable enum_names(Protocol);
  friend consteval std::string_view enum_texts(Protocol) { return "SCTP|TCP|UDP"; }

  std::optional<std::string> error{};
  std::int32_t port = 0;
  Choice<Protocol> protocol{};

  static FieldTable fields();
};

struct PINTLE_EXPORT IngressLoadBalancerIngress {
  std::optional<std::string> hostname{};
  std::optional<std::string> ip{};
  std::vector<IngressPortStatus> ports{};

  static FieldTable fields();
};

struct PINTLE_EXPORT IngressLoadBalancerStatus {
  std::vector<IngressLoadBalancerIngress> ingress{};

  static FieldTable fields();
};

struct PINTLE_EXPORT IngressStatus {
  IngressLoadBalancerStatus load_balancer{};

  static FieldTable fields();
};

struct PINTLE_EXPORT Ingress {
  static constexpr Type type{"networking.k8s.io/v1", "Ingress"};
  Metadata metadata{};
  IngressSpec spec{};
  IngressStatus status{};
};

struct PINTLE_EXPORT IngressClassParametersReference {
  std::optional<std::string> api_group{};
  std::string kind{};
  std::string name{};
  std::optional<std::string> namespace_{};
  std::optional<std::string> scope{};

  static FieldTable fields();
};

struct PINTLE_EXPORT IngressClassSpec {
  std::optional<std::string> controller{};
  OptionalBox<IngressClassParametersReference> parameters{};

  static FieldTable fields();
};

struct PINTLE_EXPORT IngressClass {
  static constexpr Type type{"networking.k8s.io/v1", "IngressClass"};
  Metadata metadata{};
  IngressClassSpec spec{};
};

struct PINTLE_EXPORT NetworkPolicyPeer {
  OptionalBox<IPBlock> ip_block{};
  OptionalBox<meta::v1::LabelSelector> namespace_selector{};
  OptionalBox<meta::v1::LabelSelector> pod_selector{};

  static FieldTable fields();
};

struct PINTLE_EXPORT NetworkPolicyPort {
  enum class Protocol { unset, sctp, tcp, udp };
  friend PINTLE_EXPORT EnumTable enum_names(Protocol);
  friend consteval std::string_view enum_texts(Protocol) { return "SCTP|TCP|UDP"; }

  std::optional<std::int32_t> end_port{};
  std::optional<IntOrString> port{};
  Choice<Protocol> protocol{};

  static FieldTable fields();
};

struct PINTLE_EXPORT NetworkPolicyEgressRule {
  std::vector<NetworkPolicyPort> ports{};
  std::vector<NetworkPolicyPeer> to{};

  static FieldTable fields();
};

struct PINTLE_EXPORT NetworkPolicyIngressRule {
  std::vector<NetworkPolicyPeer> from{};
  std::vector<NetworkPolicyPort> ports{};

  static FieldTable fields();
};

struct PINTLE_EXPORT NetworkPolicySpec {
  enum class PolicyType { unset, egress, ingress };
  friend PINTLE_EXPORT EnumTable enum_names(PolicyType);
  friend consteval std::string_view enum_texts(PolicyType) { return "Egress|Ingress"; }

  std::vector<NetworkPolicyEgressRule> egress{};
  std::vector<NetworkPolicyIngressRule> ingress{};
  meta::v1::LabelSelector pod_selector{};
  std::vector<Choice<PolicyType>> policy_types{};

  static FieldTable fields();
};

struct PINTLE_EXPORT NetworkPolicy {
  static constexpr Type type{"networking.k8s.io/v1", "NetworkPolicy"};
  Metadata metadata{};
  NetworkPolicySpec spec{};
};

struct PINTLE_EXPORT ServiceCIDRSpec {
  std::vector<std::string> cidrs{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ServiceCIDRStatus {
  std::vector<StatusCondition> conditions{};

  static FieldTable fields();
};

struct PINTLE_EXPORT ServiceCIDR {
  static constexpr Type type{"networking.k8s.io/v1", "ServiceCIDR"};
  Metadata metadata{};
  ServiceCIDRSpec spec{};
  ServiceCIDRStatus status{};
};

}  // namespace pintle::api::networking::v1
