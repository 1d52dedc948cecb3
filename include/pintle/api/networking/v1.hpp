// Types of networking, version v1. Written by `pintle gen types`, which writes it anew.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <pintle/api/core/v1.hpp>
#include <pintle/api/meta/v1.hpp>
#include <pintle/object/condition.hpp>
#include <pintle/object/declared.hpp>
#include <pintle/object/int_or_string.hpp>
#include <pintle/object/kind.hpp>
#include <pintle/object/metadata.hpp>
#include <pintle/object/optional_box.hpp>

namespace pintle::api::networking::v1 {

struct ServiceBackendPort {
  std::optional<std::string> name{};
  std::optional<std::int32_t> number{};

  static FieldTable fields();
};

struct IngressServiceBackend {
  std::string name{};
  ServiceBackendPort port{};

  static FieldTable fields();
};

struct IngressBackend {
  OptionalBox<core::v1::TypedLocalObjectReference> resource{};
  OptionalBox<IngressServiceBackend> service{};

  static FieldTable fields();
};

struct HTTPIngressPath {
  enum class PathType { unset, exact, implementation_specific, prefix };
  friend EnumTable enum_names(PathType);

  IngressBackend backend{};
  std::optional<std::string> path{};
  PathType path_type{};

  static FieldTable fields();
};

struct HTTPIngressRuleValue {
  std::vector<HTTPIngressPath> paths{};

  static FieldTable fields();
};

struct ParentReference {
  std::optional<std::string> group{};
  std::string name{};
  std::optional<std::string> namespace_{};
  std::string resource{};

  static FieldTable fields();
};

struct IPAddressSpec {
  ParentReference parent_ref{};

  static FieldTable fields();
};

struct IPAddress {
  static constexpr Type type{"networking.k8s.io/v1", "IPAddress"};
  Metadata metadata{};
  IPAddressSpec spec{};
};

struct IPBlock {
  std::string cidr{};
  std::vector<std::string> except{};

  static FieldTable fields();
};

struct IngressRule {
  std::optional<std::string> host{};
  OptionalBox<HTTPIngressRuleValue> http{};

  static FieldTable fields();
};

struct IngressTLS {
  std::vector<std::string> hosts{};
  std::optional<std::string> secret_name{};

  static FieldTable fields();
};

struct IngressSpec {
  OptionalBox<IngressBackend> default_backend{};
  std::optional<std::string> ingress_class_name{};
  std::vector<IngressRule> rules{};
  std::vector<IngressTLS> tls{};

  static FieldTable fields();
};

struct IngressPortStatus {
  enum class Protocol { unset, sctp, tcp, udp };
  friend EnumTable enum_names(Protocol);

  std::optional<std::string> error{};
  std::int32_t port = 0;
  Protocol protocol{};

  static FieldTable fields();
};

struct IngressLoadBalancerIngress {
  std::optional<std::string> hostname{};
  std::optional<std::string> ip{};
  std::vector<IngressPortStatus> ports{};

  static FieldTable fields();
};

struct IngressLoadBalancerStatus {
  std::vector<IngressLoadBalancerIngress> ingress{};

  static FieldTable fields();
};

struct IngressStatus {
  IngressLoadBalancerStatus load_balancer{};

  static FieldTable fields();
};

struct Ingress {
  static constexpr Type type{"networking.k8s.io/v1", "Ingress"};
  Metadata metadata{};
  IngressSpec spec{};
  IngressStatus status{};
};

struct IngressClassParametersReference {
  std::optional<std::string> api_group{};
  std::string kind{};
  std::string name{};
  std::optional<std::string> namespace_{};
  std::optional<std::string> scope{};

  static FieldTable fields();
};

struct IngressClassSpec {
  std::optional<std::string> controller{};
  OptionalBox<IngressClassParametersReference> parameters{};

  static FieldTable fields();
};

struct IngressClass {
  static constexpr Type type{"networking.k8s.io/v1", "IngressClass"};
  Metadata metadata{};
  IngressClassSpec spec{};
};

struct NetworkPolicyPeer {
  OptionalBox<IPBlock> ip_block{};
  OptionalBox<meta::v1::LabelSelector> namespace_selector{};
  OptionalBox<meta::v1::LabelSelector> pod_selector{};

  static FieldTable fields();
};

struct NetworkPolicyPort {
  enum class Protocol { unset, sctp, tcp, udp };
  friend EnumTable enum_names(Protocol);

  std::optional<std::int32_t> end_port{};
  std::optional<IntOrString> port{};
  Protocol protocol{};

  static FieldTable fields();
};

struct NetworkPolicyEgressRule {
  std::vector<NetworkPolicyPort> ports{};
  std::vector<NetworkPolicyPeer> to{};

  static FieldTable fields();
};

struct NetworkPolicyIngressRule {
  std::vector<NetworkPolicyPeer> from{};
  std::vector<NetworkPolicyPort> ports{};

  static FieldTable fields();
};

struct NetworkPolicySpec {
  enum class PolicyType { unset, egress, ingress };
  friend EnumTable enum_names(PolicyType);

  std::vector<NetworkPolicyEgressRule> egress{};
  std::vector<NetworkPolicyIngressRule> ingress{};
  meta::v1::LabelSelector pod_selector{};
  std::vector<PolicyType> policy_types{};

  static FieldTable fields();
};

struct NetworkPolicy {
  static constexpr Type type{"networking.k8s.io/v1", "NetworkPolicy"};
  Metadata metadata{};
  NetworkPolicySpec spec{};
};

struct ServiceCIDRSpec {
  std::vector<std::string> cidrs{};

  static FieldTable fields();
};

struct ServiceCIDRStatus {
  std::vector<StatusCondition> conditions{};

  static FieldTable fields();
};

struct ServiceCIDR {
  static constexpr Type type{"networking.k8s.io/v1", "ServiceCIDR"};
  Metadata metadata{};
  ServiceCIDRSpec spec{};
  ServiceCIDRStatus status{};
};

}  // namespace pintle::api::networking::v1
