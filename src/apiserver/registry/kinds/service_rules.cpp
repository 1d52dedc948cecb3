// SPDX-License-Identifier: Apache-2.0
#include "service_rules.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <pintle/base/text.hpp>

#include "../cells.hpp"
#include "apiserver/registry/names/address_rules.hpp"
#include "apiserver/registry/names/label_rules.hpp"
#include "apiserver/registry/names/name_rules.hpp"
#include "apiserver/registry/refusal.hpp"
#include "apiserver/registry/values.hpp"

namespace pintle::apiserver {
namespace {

using json::object;
using json::Value;
using json::View;

using Causes = std::vector<StatusCause>;

bool is_headless_spec(View spec) { return spec.member("clusterIP") == "None"; }
bool opens_node_ports(std::string_view type) { return type == "NodePort" || type == "LoadBalancer"; }

void validate_service_port(View port, bool needs_name, std::set<std::string_view>& names, const std::string& field,
                           Causes& causes) {
  const std::string_view name = port.member("name").text();
  if (needs_name && name.empty()) {
    causes.push_back(required(field + ".name"));
  } else if (!name.empty()) {
    add_errors(field + ".name", name, dns_label_errors(name), causes);
    if (!names.insert(name).second) causes.push_back(duplicate_value(field + ".name", Value(name)));
  }
  const std::int64_t number = integer_cell(port.member("port"));
  add_errors(field + ".port", number, port_errors(number), causes);
  if (port.member("protocol").text().empty()) causes.push_back(required(field + ".protocol"));
  const View target = port.member("targetPort");
  if (target.is_string()) {
    add_errors(field + ".targetPort", target.text(), port_name_errors(target.text()), causes);
  } else {
    add_errors(field + ".targetPort", integer_cell(target), port_errors(integer_cell(target)), causes);
  }
  if (const View protocol = port.member("appProtocol")) {
    add_errors(field + ".appProtocol", protocol.text(), label_key_errors(protocol.text()), causes);
  }
}

void validate_external_name(View spec, Causes& causes) {
  for (const char* name : {"clusterIPs", "ipFamilies", "ipFamilyPolicy"}) {
    if (!spec.member(name).exists()) continue;
    causes.push_back(forbidden_field(fmt::format("spec.{}", name), "may not be set for ExternalName services"));
  }
  std::string_view target = spec.member("externalName").text();
  if (target.ends_with('.')) target.remove_suffix(1);
  if (target.empty()) {
    causes.push_back(required("spec.externalName"));
  } else {
    add_errors("spec.externalName", target, subdomain_errors(target), causes);
  }
}

void validate_affinity_time(View spec, Causes& causes) {
  constexpr std::int64_t longest_affinity = 86400;
  const View config = spec.member("sessionAffinityConfig");
  if (spec.member("sessionAffinity") != "ClientIP") {
    if (config.exists() && spec.member("sessionAffinity") == "None") {
      causes.push_back(forbidden_field("spec.sessionAffinityConfig", "must not be set when session affinity is None"));
    }
    return;
  }
  const std::int64_t seconds = integer_cell(config["/clientIP/timeoutSeconds"]);
  if (seconds > 0 && seconds <= longest_affinity) return;
  causes.push_back(invalid_value("spec.sessionAffinityConfig.clientIP.timeoutSeconds", Value(seconds),
                                 fmt::format("must be greater than 0 and less than {}", longest_affinity)));
}

void validate_addresses(View spec, Causes& causes) {
  const View address = spec.member("clusterIP");
  const View addresses = spec.member("clusterIPs");
  if (!address.text().empty() && addresses.element(0) != address.text()) {
    causes.push_back(invalid_value("spec.clusterIPs", addresses.to_value(), "first value must match `clusterIP`"));
  }
  if (addresses.size() > 1 && addresses.element(0) == "None") {
    causes.push_back(invalid_value("spec.clusterIPs", addresses.to_value(), "'None' must be the first and only value"));
  }
  if (addresses.size() > 2) {
    causes.push_back(invalid_value("spec.clusterIPs", addresses.to_value(), "may only hold up to 2 values"));
  }
}

void validate_external_addresses(View addresses, Causes& causes) {
  std::size_t i = 0;
  for (const View address : addresses.elements()) {
    const std::string at = fmt::format("spec.externalIPs[{}]", i++);
    const TextErrors errors = address_errors(address.text());
    add_errors(at, address.text(), errors.empty() ? special_address_errors(address.text()) : errors, causes);
  }
}

void validate_source_ranges(View ranges, Causes& causes) {
  std::size_t i = 0;
  for (const View range : ranges.elements()) {
    const std::string_view text = trim(range.text());  // blanks around a range are accepted
    add_errors(fmt::format("spec.LoadBalancerSourceRanges[{}]", i++), text, range_text_errors(text), causes);
  }
}

bool needs_health_port(View spec) {
  return spec.member("type") == "LoadBalancer" && spec.member("externalTrafficPolicy") == "Local";
}

void validate_health_port(View spec, Causes& causes) {
  const std::string at = "spec.healthCheckNodePort";
  const std::int64_t port = integer_cell(spec.member("healthCheckNodePort"));
  if (needs_health_port(spec)) {
    add_errors(at, port, port_errors(port), causes);
  } else if (port != 0) {
    causes.push_back(invalid_value(
        at, Value(port), "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'"));
  }
}

// The server prints a port as a struct.
Value printed_port(View port) {
  return {{"Name", ""},
          {"Protocol", port.member("protocol").text()},
          {"AppProtocol", nullptr},
          {"Port", integer_cell(port.member("port"))},
          {"TargetPort", 0},
          {"NodePort", 0}};
}

void validate_distinct_ports(View ports, Causes& causes) {
  std::set<std::pair<std::string_view, std::int64_t>> seen;
  std::set<std::pair<std::string_view, std::int64_t>> seen_on_nodes;
  for (std::size_t i = 0; i < ports.size(); ++i) {
    const View port = ports.element(i);
    const std::int64_t node_port = integer_cell(port.member("nodePort"));
    if (node_port == 0 || seen_on_nodes.emplace(port.member("protocol").text(), node_port).second) continue;
    causes.push_back(duplicate_value(fmt::format("spec.ports[{}].nodePort", i), Value(node_port)));
  }
  for (std::size_t i = 0; i < ports.size(); ++i) {
    const View port = ports.element(i);
    if (seen.emplace(port.member("protocol").text(), integer_cell(port.member("port"))).second) continue;
    causes.push_back(duplicate_value(fmt::format("spec.ports[{}]", i), printed_port(port)));
  }
}

// Members that need a type or an access from outside.
void validate_parts_of_type(View spec, Causes& causes) {
  const std::string_view type = spec.member("type").text();
  if (type == "ClusterIP") {
    std::size_t i = 0;
    for (const View port : spec.member("ports").elements()) {
      const std::string at = fmt::format("spec.ports[{}].nodePort", i++);
      if (integer_cell(port.member("nodePort")) == 0) continue;
      causes.push_back(forbidden_field(at, "may not be used when `type` is 'ClusterIP'"));
    }
  }
  validate_distinct_ports(spec.member("ports"), causes);
  validate_source_ranges(spec.member("loadBalancerSourceRanges"), causes);
  constexpr std::string_view only_balancers = "may only be used when `type` is 'LoadBalancer'";
  if (type != "LoadBalancer") {
    if (!spec.member("loadBalancerSourceRanges").empty()) {
      causes.push_back(forbidden_field("spec.LoadBalancerSourceRanges", only_balancers));
    }
    for (const char* name : {"allocateLoadBalancerNodePorts", "loadBalancerClass"}) {
      if (spec.member(name).exists()) causes.push_back(forbidden_field(fmt::format("spec.{}", name), only_balancers));
    }
  } else if (const View class_name = spec.member("loadBalancerClass")) {
    add_errors("spec.loadBalancerClass", class_name.text(), label_key_errors(class_name.text()), causes);
  }
  const View policy = spec.member("externalTrafficPolicy");
  const bool is_reachable = opens_node_ports(type) || (type == "ClusterIP" && !spec.member("externalIPs").empty());
  if (!is_reachable && !policy.text().empty()) {
    causes.push_back(invalid_value("spec.externalTrafficPolicy", policy.to_value(),
                                   "may only be set for externally-accessible services"));
  }
  validate_health_port(spec, causes);
  const View distribution = spec.member("trafficDistribution");
  if (distribution.exists() && distribution != "PreferClose" && distribution != "PreferSameZone" &&
      distribution != "PreferSameNode") {
    causes.push_back(not_supported("spec.trafficDistribution", distribution.to_value(),
                                   {"PreferClose", "PreferSameZone", "PreferSameNode"}));
  }
}

void validate_node_ports(View spec, Causes& causes) {
  if (!opens_node_ports(spec.member("type").text())) return;
  std::size_t i = 0;
  for (const View port : spec.member("ports").elements()) {
    const std::string at = fmt::format("spec.ports[{}].nodePort", i++);
    const std::int64_t node_port = integer_cell(port.member("nodePort"));
    if (node_port == 0 || (node_port >= first_node_port && node_port < first_node_port + node_ports)) continue;
    causes.push_back(
        invalid_value(at, Value(node_port),
                      fmt::format("provided port is not in the valid range. The range of valid ports is {}-{}",
                                  first_node_port, first_node_port + node_ports - 1)));
  }
}

// An address stays, unless the Service begins or ends to have none.
void validate_change(View spec, View old, Causes& causes) {
  const View health_port = spec.member("healthCheckNodePort");
  if (needs_health_port(spec) && needs_health_port(old) &&
      integer_cell(health_port) != integer_cell(old.member("healthCheckNodePort"))) {
    causes.push_back(forbidden_field("spec.healthCheckNodePort", "field is immutable"));
  }
  if (spec.member("type") == "ExternalName" || old.member("type") == "ExternalName") return;
  if (is_headless_spec(spec) && is_headless_spec(old)) return;
  const View addresses = spec.member("clusterIPs");
  const View before = old.member("clusterIPs");
  const std::size_t count = addresses.size() == before.size() ? before.size() : std::min<std::size_t>(before.size(), 1);
  for (std::size_t i = 0; i < count; ++i) {
    if (addresses.element(i) == before.element(i).text()) continue;
    causes.push_back(
        invalid_value(fmt::format("spec.clusterIPs[{}]", i), addresses.to_value(), "may not change once set"));
  }
  if (is_headless_spec(spec) || is_headless_spec(old)) return;
  const View families = spec.member("ipFamilies");
  if (families.size() != old.member("ipFamilies").size() || families == old.member("ipFamilies")) return;
  causes.push_back(invalid_value("spec.ipFamilies[0]", families.to_value(), "may not change once set"));
}

bool has_same_member(const Value& next, const Value& old, const char* pointer) {
  const Value* is = json::find(next, pointer);
  const Value* was = json::find(old, pointer);
  return is != nullptr && was != nullptr && json::equal(*is, *was);
}

std::set<std::int64_t> node_ports_of(const Value& service) {
  std::set<std::int64_t> out;
  const json::Document document(service);
  for (const View port : document.root()["/spec/ports"].elements()) out.insert(integer_cell(port.member("nodePort")));
  return out;
}

}  // namespace

void validate_service(View spec, View old, Causes& causes) {
  if (old.exists()) validate_change(spec, old, causes);
  const std::string_view type = spec.member("type").text();
  const View ports = spec.member("ports");
  if (ports.empty() && !is_headless_spec(spec) && type != "ExternalName") causes.push_back(required("spec.ports"));
  if (opens_node_ports(type) && is_headless_spec(spec)) {
    causes.push_back(invalid_value("spec.clusterIPs[0]", Value("None"),
                                   fmt::format("may not be set to 'None' for {} services", type)));
  }
  if (type == "ExternalName") validate_external_name(spec, causes);
  std::set<std::string_view> names;
  std::size_t i = 0;
  for (const View port : ports.elements()) {
    validate_service_port(port, ports.size() > 1, names, fmt::format("spec.ports[{}]", i++), causes);
  }
  validate_labels(spec.member("selector"), "spec.selector", causes);
  validate_affinity_time(spec, causes);
  if (type != "ExternalName") validate_addresses(spec, causes);
  validate_external_addresses(spec.member("externalIPs"), causes);
  validate_parts_of_type(spec, causes);
  validate_node_ports(spec, causes);
}

void drop_parts_of_old_type(Value& next, const Value& old) {
  const std::string type(text_at(next, "/spec/type"));
  const std::string_view before = text_at(old, "/spec/type");
  const bool loses_health_port = before == "LoadBalancer" && text_at(old, "/spec/externalTrafficPolicy") == "Local" &&
                                 (type != "LoadBalancer" || text_at(next, "/spec/externalTrafficPolicy") != "Local");
  if (loses_health_port && has_same_member(next, old, "/spec/healthCheckNodePort")) {
    object_in(next, "spec").erase("healthCheckNodePort");
  }
  if (type == before) return;
  object& spec = object_in(next, "spec");
  const auto drop_same = [&](const char* name) {
    if (has_same_member(next, old, fmt::format("/spec/{}", name).c_str())) spec.erase(name);
  };
  if (type == "ExternalName") {
    for (const char* name : {"clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy"}) drop_same(name);
  }
  if (opens_node_ports(before) && !opens_node_ports(type)) {
    if (node_ports_of(next) == node_ports_of(old)) {
      each_object(next, "/spec/ports", [](Value& port) { port.get_object().erase("nodePort"); });
    }
    drop_same("externalTrafficPolicy");
  }
  if (before == "LoadBalancer") {
    for (const char* name : {"allocateLoadBalancerNodePorts", "loadBalancerClass"}) drop_same(name);
  }
}

}  // namespace pintle::apiserver
