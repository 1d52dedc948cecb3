// Tables of networking, version v1. Written by `pintle gen types`, which writes it anew.
#include <pintle/api/networking/v1.hpp>

#include <pintle/object/field_table.hpp>

namespace pintle::api::networking::v1 {
namespace {

constexpr FieldRules atomic{.is_set = true, .merge_strategy = MergeStrategy::atomic};
constexpr FieldRules required_atomic{.is_set = true, .required = true, .merge_strategy = MergeStrategy::atomic};

}  // namespace

FieldTable ServiceBackendPort::fields() {
  static constexpr auto rows = field_rows({
      {"name", member<&ServiceBackendPort::name>},
      {"number", member<&ServiceBackendPort::number>},
  });
  return rows;
}

FieldTable IngressServiceBackend::fields() {
  static constexpr auto rows = field_rows({
      {"name", member<&IngressServiceBackend::name>, required},
      {"port", member<&IngressServiceBackend::port>, atomic},
  });
  return rows;
}

FieldTable IngressBackend::fields() {
  static constexpr auto rows = field_rows({
      {"resource", member<&IngressBackend::resource>, atomic},
      {"service", member<&IngressBackend::service>},
  });
  return rows;
}

EnumTable enum_names(HTTPIngressPath::PathType) {
  using enum HTTPIngressPath::PathType;
  static constexpr auto rows = enum_rows({
      {exact, "Exact"},
      {implementation_specific, "ImplementationSpecific"},
      {prefix, "Prefix"},
  });
  return rows;
}

FieldTable HTTPIngressPath::fields() {
  static constexpr auto rows = field_rows({
      {"backend", member<&HTTPIngressPath::backend>, required},
      {"path", member<&HTTPIngressPath::path>},
      {"pathType", member<&HTTPIngressPath::path_type>, required},
  });
  return rows;
}

FieldTable HTTPIngressRuleValue::fields() {
  static constexpr auto rows = field_rows({
      {"paths", member<&HTTPIngressRuleValue::paths>, required_atomic},
  });
  return rows;
}

FieldTable ParentReference::fields() {
  static constexpr auto rows = field_rows({
      {"group", member<&ParentReference::group>},
      {"name", member<&ParentReference::name>, required},
      {"namespace", member<&ParentReference::namespace_>},
      {"resource", member<&ParentReference::resource>, required},
  });
  return rows;
}

FieldTable IPAddressSpec::fields() {
  static constexpr auto rows = field_rows({
      {"parentRef", member<&IPAddressSpec::parent_ref>, required},
  });
  return rows;
}

FieldTable IPBlock::fields() {
  static constexpr auto rows = field_rows({
      {"cidr", member<&IPBlock::cidr>, required},
      {"except", member<&IPBlock::except>, atomic},
  });
  return rows;
}

FieldTable IngressRule::fields() {
  static constexpr auto rows = field_rows({
      {"host", member<&IngressRule::host>},
      {"http", member<&IngressRule::http>},
  });
  return rows;
}

FieldTable IngressTLS::fields() {
  static constexpr auto rows = field_rows({
      {"hosts", member<&IngressTLS::hosts>, atomic},
      {"secretName", member<&IngressTLS::secret_name>},
  });
  return rows;
}

FieldTable IngressSpec::fields() {
  static constexpr auto rows = field_rows({
      {"defaultBackend", member<&IngressSpec::default_backend>},
      {"ingressClassName", member<&IngressSpec::ingress_class_name>},
      {"rules", member<&IngressSpec::rules>, atomic},
      {"tls", member<&IngressSpec::tls>, atomic},
  });
  return rows;
}

EnumTable enum_names(IngressPortStatus::Protocol) {
  using enum IngressPortStatus::Protocol;
  static constexpr auto rows = enum_rows({
      {sctp, "SCTP"},
      {tcp, "TCP"},
      {udp, "UDP"},
  });
  return rows;
}

FieldTable IngressPortStatus::fields() {
  static constexpr auto rows = field_rows({
      {"error", member<&IngressPortStatus::error>},
      {"port", member<&IngressPortStatus::port>, required},
      {"protocol", member<&IngressPortStatus::protocol>, required},
  });
  return rows;
}

FieldTable IngressLoadBalancerIngress::fields() {
  static constexpr auto rows = field_rows({
      {"hostname", member<&IngressLoadBalancerIngress::hostname>},
      {"ip", member<&IngressLoadBalancerIngress::ip>},
      {"ports", member<&IngressLoadBalancerIngress::ports>, atomic},
  });
  return rows;
}

FieldTable IngressLoadBalancerStatus::fields() {
  static constexpr auto rows = field_rows({
      {"ingress", member<&IngressLoadBalancerStatus::ingress>, atomic},
  });
  return rows;
}

FieldTable IngressStatus::fields() {
  static constexpr auto rows = field_rows({
      {"loadBalancer", member<&IngressStatus::load_balancer>},
  });
  return rows;
}

FieldTable IngressClassParametersReference::fields() {
  static constexpr auto rows = field_rows({
      {"apiGroup", member<&IngressClassParametersReference::api_group>},
      {"kind", member<&IngressClassParametersReference::kind>, required},
      {"name", member<&IngressClassParametersReference::name>, required},
      {"namespace", member<&IngressClassParametersReference::namespace_>},
      {"scope", member<&IngressClassParametersReference::scope>},
  });
  return rows;
}

FieldTable IngressClassSpec::fields() {
  static constexpr auto rows = field_rows({
      {"controller", member<&IngressClassSpec::controller>},
      {"parameters", member<&IngressClassSpec::parameters>},
  });
  return rows;
}

FieldTable NetworkPolicyPeer::fields() {
  static constexpr auto rows = field_rows({
      {"ipBlock", member<&NetworkPolicyPeer::ip_block>},
      {"namespaceSelector", member<&NetworkPolicyPeer::namespace_selector>, atomic},
      {"podSelector", member<&NetworkPolicyPeer::pod_selector>, atomic},
  });
  return rows;
}

EnumTable enum_names(NetworkPolicyPort::Protocol) {
  using enum NetworkPolicyPort::Protocol;
  static constexpr auto rows = enum_rows({
      {sctp, "SCTP"},
      {tcp, "TCP"},
      {udp, "UDP"},
  });
  return rows;
}

FieldTable NetworkPolicyPort::fields() {
  static constexpr auto rows = field_rows({
      {"endPort", member<&NetworkPolicyPort::end_port>},
      {"port", member<&NetworkPolicyPort::port>},
      {"protocol", member<&NetworkPolicyPort::protocol>},
  });
  return rows;
}

FieldTable NetworkPolicyEgressRule::fields() {
  static constexpr auto rows = field_rows({
      {"ports", member<&NetworkPolicyEgressRule::ports>, atomic},
      {"to", member<&NetworkPolicyEgressRule::to>, atomic},
  });
  return rows;
}

FieldTable NetworkPolicyIngressRule::fields() {
  static constexpr auto rows = field_rows({
      {"from", member<&NetworkPolicyIngressRule::from>, atomic},
      {"ports", member<&NetworkPolicyIngressRule::ports>, atomic},
  });
  return rows;
}

EnumTable enum_names(NetworkPolicySpec::PolicyType) {
  using enum NetworkPolicySpec::PolicyType;
  static constexpr auto rows = enum_rows({
      {egress, "Egress"},
      {ingress, "Ingress"},
  });
  return rows;
}

FieldTable NetworkPolicySpec::fields() {
  static constexpr auto rows = field_rows({
      {"egress", member<&NetworkPolicySpec::egress>, atomic},
      {"ingress", member<&NetworkPolicySpec::ingress>, atomic},
      {"podSelector", member<&NetworkPolicySpec::pod_selector>, atomic},
      {"policyTypes", member<&NetworkPolicySpec::policy_types>, atomic},
  });
  return rows;
}

FieldTable ServiceCIDRSpec::fields() {
  static constexpr auto rows = field_rows({
      {"cidrs", member<&ServiceCIDRSpec::cidrs>, atomic},
  });
  return rows;
}

FieldTable ServiceCIDRStatus::fields() {
  static constexpr auto rows = field_rows({
      {"conditions", member<&ServiceCIDRStatus::conditions>},
  });
  return rows;
}

}  // namespace pintle::api::networking::v1
