// SPDX-License-Identifier: Apache-2.0
// The rules of Service. Addresses and node ports are derived from the uid, so two Services of one server may in theory
// have the same ones.
#include <fmt/format.h>

#include <pintle/object/names.hpp>

#include "../cells.hpp"
#include "../rules.hpp"
#include "apiserver/registry/metadata.hpp"
#include "apiserver/registry/values.hpp"
#include "service_rules.hpp"

namespace pintle::apiserver {
namespace {

using json::object;
using json::Value;
using json::View;

constexpr int affinity_seconds = 10800;

// FNV-1a: the number for a text is the same on all platforms.
std::uint32_t number_of(std::string_view text) {
  std::uint32_t hash = 2166136261U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return hash;
}

// Returns an address in 10.96.0.0/12, after the first addresses, which a cluster reserves.
std::string address_of(std::string_view uid) {
  constexpr std::uint32_t reserved = 256;
  const std::uint32_t at = reserved + number_of(uid) % ((1U << 20U) - 2 * reserved);
  return fmt::format("10.{}.{}.{}", 96U + (at >> 16U), (at >> 8U) & 255U, at & 255U);
}

bool has_node_ports(const Value& service) {
  const std::string_view type = text_at(service, "/spec/type");
  return type == "NodePort" || type == "LoadBalancer";
}

// A load balancer that sends traffic only to nodes with a Pod checks at this port whether a node has one.
bool has_health_port(const Value& service) {
  return text_at(service, "/spec/type") == "LoadBalancer" && text_at(service, "/spec/externalTrafficPolicy") == "Local";
}

bool is_headless(const Value& service) { return text_at(service, "/spec/clusterIP") == "None"; }

void set_families(object& spec, bool headless) {
  // A headless Service without a selector gets both address families.
  const bool both = headless && !spec.contains("selector");
  spec.emplace("ipFamilies", both ? json::array{"IPv4", "IPv6"} : json::array{"IPv4"});
  set_default(spec, "ipFamilyPolicy", both ? "RequireDualStack" : "SingleStack");
}

void give_node_ports(Value& service) {
  const Value* allocates = json::find(service, "/spec/allocateLoadBalancerNodePorts");
  if (allocates != nullptr && *allocates == Value(false)) return;
  const std::string uid(text_at(service, "/metadata/uid"));
  int next = static_cast<int>(number_of(uid) % node_ports);
  each_object(service, "/spec/ports", [&](Value& port) {
    Value& given = port.get_object()["nodePort"];
    if (given.is_null() || given == Value(0)) given = first_node_port + next++ % node_ports;
  });
}

void give_health_port(Value& service) {
  Value& given = object_in(service, "spec")["healthCheckNodePort"];
  if (!given.is_null() && given != Value(0)) return;
  const std::uint32_t number = number_of(fmt::format("health of {}", text_at(service, "/metadata/uid")));
  given = first_node_port + static_cast<int>(number % node_ports);
}

void give_addresses(Value& service) {
  if (text_at(service, "/spec/type") == "ExternalName") return;
  object& spec = object_in(service, "spec");
  set_default(spec, "clusterIP", Value(address_of(text_at(service, "/metadata/uid"))));
  if (!spec.contains("clusterIPs")) spec["clusterIPs"] = json::array{text_at(service, "/spec/clusterIP")};
  set_families(spec, is_headless(service));
  if (has_node_ports(service)) give_node_ports(service);
  if (has_health_port(service)) give_health_port(service);
}

// ---- what is shown ----

std::string external_address(View service) {
  const View spec = service.member("spec");
  const std::string own = list_cell(spec.member("externalIPs"));
  if (spec.member("type") == "ExternalName") return std::string(spec.member("externalName").text());
  if (spec.member("type") != "LoadBalancer") return own.empty() ? "<none>" : own;
  std::string out;
  for (const View one : service["/status/loadBalancer/ingress"].elements()) {
    const std::string_view ip = one.member("ip").text();
    out += fmt::format("{}{}", out.empty() ? "" : ",", ip.empty() ? one.member("hostname").text() : ip);
  }
  if (!own.empty()) out += out.empty() ? own : "," + own;
  return out.empty() ? "<pending>" : out;
}

std::string ports_cell(View ports) {
  std::string out;
  for (const View port : ports.elements()) {
    const std::int64_t node = integer_cell(port.member("nodePort"));
    out += fmt::format("{}{}{}/{}", out.empty() ? "" : ",", integer_cell(port.member("port")),
                       node == 0 ? "" : fmt::format(":{}", node), port.member("protocol").text());
  }
  return out.empty() ? "<none>" : out;
}

class ServiceStrategy final : public BuiltinStrategy {
 public:
  using BuiltinStrategy::BuiltinStrategy;

  bool has_own_cells() const override { return true; }
  names::ValidationError validate_name(std::string_view name) const override { return dns1035_label_error(name); }

  void prepare_create(Value& service) const override {
    BuiltinStrategy::prepare_create(service);
    give_addresses(service);
  }

  // An update that omits an assigned value keeps it.
  void prepare_update(Value& next, const Value& old) const override {
    drop_parts_of_old_type(next, old);
    take_new_address(next, old);
    if (text_at(next, "/spec/type") != "ExternalName" && text_at(old, "/spec/type") != "ExternalName") {
      object& spec = object_in(next, "spec");
      for (const char* name : {"clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy"}) {
        const Value* was = json::find(old, fmt::format("/spec/{}", name));
        if (was != nullptr) spec.emplace(name, *was);
      }
    }
    if (const Value* was = json::find(old, "/spec/healthCheckNodePort");
        was != nullptr && has_health_port(next) && has_health_port(old)) {
      object_in(next, "spec").emplace("healthCheckNodePort", *was);
    }
    if (has_node_ports(next)) {
      each_object(next, "/spec/ports", [&](Value& port) { keep_node_port(port, old); });
    }
    give_addresses(next);
  }

  void validate(const Value& next, const Value* old, std::vector<StatusCause>& causes) const override {
    BuiltinStrategy::validate(next, old, causes);
    const Value& spec = *member(next, "spec");
    const Value* before = old == nullptr ? nullptr : member(*old, "spec");
    if (before != nullptr && identical(spec, *before)) return;
    const json::Document document(spec);
    const json::Document accepted(before == nullptr ? Value() : *before);
    validate_service(document.root(), before == nullptr ? View() : accepted.root(), causes);
  }

 protected:
  void set_defaults(Value& service) const override {
    object& spec = object_in(service, "spec");
    set_default(spec, "type", "ClusterIP");
    set_default(spec, "sessionAffinity", "None");
    if (text_at(service, "/spec/sessionAffinity") == "ClientIP") {
      object_in(spec["sessionAffinityConfig"], "clientIP").emplace("timeoutSeconds", affinity_seconds);
    }
    if (text_at(service, "/spec/clusterIP").empty()) spec.erase("clusterIP");
    each_object(service, "/spec/ports", [](Value& port) {
      Value target = *member(port, "port");
      Value& found = port.get_object()["targetPort"];
      if (found.is_null() || found == Value(0) || found == Value("")) found = std::move(target);
    });
    if (text_at(service, "/spec/type") != "ExternalName") set_default(spec, "internalTrafficPolicy", "Cluster");
    if (has_node_ports(service)) set_default(spec, "externalTrafficPolicy", "Cluster");
    if (text_at(service, "/spec/type") == "LoadBalancer") spec.emplace("allocateLoadBalancerNodePorts", true);
  }

  Value cell(std::string_view column, View service, WallTime /*now*/) const override {
    const View spec = service.member("spec");
    if (column == "Type") return Value(spec.member("type").text());
    if (column == "Cluster-IP") return Value(text_cell(spec.member("clusterIP")));
    if (column == "External-IP") return Value(external_address(service));
    if (column == "Port(s)") return Value(ports_cell(spec.member("ports")));
    return Value(selector_cell(spec.member("selector")));
  }

 private:
  // A client may change `clusterIP` alone.
  static void take_new_address(Value& next, const Value& old) {
    const std::string_view address = text_at(next, "/spec/clusterIP");
    const Value* is = json::find(next, "/spec/clusterIPs");
    const Value* was = json::find(old, "/spec/clusterIPs");
    if (address.empty() || address == text_at(old, "/spec/clusterIP")) return;
    if (is != nullptr && was != nullptr && !json::equal(*is, *was)) return;
    object_in(next, "spec")["clusterIPs"] = json::array{Value(address)};
  }

  static void keep_node_port(Value& port, const Value& old) {
    const Value* before = json::find(old, "/spec/ports");
    if (before == nullptr || !before->is_array() || port.get_object().contains("nodePort")) return;
    for (const Value& one : before->get_array()) {
      const Value* given = member(one, "nodePort");
      if (given == nullptr || text_at(one, "/protocol") != text_at(port, "/protocol")) continue;
      if (*member(one, "port") != *member(port, "port")) continue;
      Value copy = *given;
      port.get_object()["nodePort"] = std::move(copy);
      return;
    }
  }
};

}  // namespace

StrategyPtr service_strategy(BuiltinKind kind) { return std::make_shared<ServiceStrategy>(std::move(kind)); }

}  // namespace pintle::apiserver
