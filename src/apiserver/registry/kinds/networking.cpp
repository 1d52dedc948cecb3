// SPDX-License-Identifier: Apache-2.0
// The rules of Ingress, NetworkPolicy, Endpoints and EndpointSlice.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "../cells.hpp"
#include "../rules.hpp"
#include "apiserver/registry/names/address_rules.hpp"
#include "apiserver/registry/names/name_rules.hpp"
#include "apiserver/registry/values.hpp"
#include "network/ingress_rules.hpp"

namespace pintle::apiserver {
namespace {

using json::object;
using json::Value;
using json::View;

class Ingress final : public BuiltinStrategy {
 public:
  using BuiltinStrategy::BuiltinStrategy;

  bool has_own_cells() const override { return true; }

  void validate(const Value& next, const Value* old, std::vector<StatusCause>& causes) const override {
    BuiltinStrategy::validate(next, old, causes);
    const Value& spec = *member(next, "spec");
    if (old != nullptr && identical(&spec, member(*old, "spec"))) return;
    const json::Document document(spec);
    validate_ingress(document.root(), causes);
  }

 protected:
  Value cell(std::string_view column, View ingress, WallTime /*now*/) const override {
    if (column == "Class") return Value(text_cell(ingress["/spec/ingressClassName"]));
    if (column == "Hosts") return Value(hosts(ingress["/spec/rules"]));
    if (column == "Address") return Value(addresses(ingress["/status/loadBalancer/ingress"]));
    return ingress["/spec/tls"].empty() ? "80" : "80, 443";
  }

 private:
  static std::string hosts(View rules) {
    std::vector<std::string> all;
    for (const View rule : rules.elements()) {
      if (const std::string_view host = rule.member("host").text(); !host.empty()) all.emplace_back(host);
    }
    return all.empty() ? "*" : first_three(all);
  }

  static std::string addresses(View list) {
    std::string out;
    for (const View one : list.elements()) {
      const std::string_view ip = one.member("ip").text();
      out += fmt::format("{}{}", out.empty() ? "" : ",", ip.empty() ? one.member("hostname").text() : ip);
    }
    return out;
  }
};

void validate_policy_port(View port, const std::string& field, std::vector<StatusCause>& causes) {
  constexpr std::int64_t highest = 65'535;
  constexpr const char* range = "must be between 1 and 65535, inclusive";
  const View first = port.member("port");
  const auto number = first.as_integer();
  const auto last = port.member("endPort").as_integer();
  const auto in_range = [](std::int64_t one) { return one >= 1 && one <= highest; };
  if (first.is_string()) add_errors(field + ".port", first.text(), port_name_errors(first.text()), causes);
  if (number && !in_range(*number)) causes.push_back(invalid_value(field + ".port", Value(*number), range));
  if (!last) return;
  const std::string at = field + ".endPort";
  if (!first.exists()) {
    causes.push_back(invalid_value(at, Value(*last), "may not be specified when `port` is not specified"));
  } else if (!number) {
    causes.push_back(invalid_value(at, Value(*last), "may not be specified when `port` is non-numeric"));
  } else {
    if (*last < *number) causes.push_back(invalid_value(at, Value(*number), "must be greater than or equal to `port`"));
    if (!in_range(*last)) causes.push_back(invalid_value(at, Value(*last), range));
  }
}

class NetworkPolicy final : public BuiltinStrategy {
 public:
  using BuiltinStrategy::BuiltinStrategy;

  bool has_own_cells() const override { return true; }

  void validate(const Value& next, const Value* old, std::vector<StatusCause>& causes) const override {
    BuiltinStrategy::validate(next, old, causes);
    const json::Document document(next);
    validate_policy_selector(document.root().member("spec"), causes);
    for (const char* direction : {"ingress", "egress"}) {
      std::size_t i = 0;
      for (const View rule : document.root()["/spec"].member(direction).elements()) {
        std::size_t k = 0;
        for (const View port : rule.member("ports").elements()) {
          validate_policy_port(port, fmt::format("spec.{}[{}].ports[{}]", direction, i, k++), causes);
        }
        validate_policy_peers(rule, fmt::format("spec.{}[{}]", direction, i), causes);
        ++i;
      }
    }
  }

 protected:
  void set_defaults(Value& policy) const override {
    for (const char* direction : {"/spec/ingress", "/spec/egress"}) {
      each_object(policy, direction, [](Value& rule) {
        each_object(rule, "/ports", [](Value& port) { set_default(port.get_object(), "protocol", "TCP"); });
      });
    }
    object& spec = object_in(policy, "spec");
    if (spec.contains("policyTypes")) return;
    json::array types{"Ingress"};
    if (spec.contains("egress")) types.emplace_back("Egress");
    spec["policyTypes"] = std::move(types);
  }

  Value cell(std::string_view /*Pod-Selector*/, View policy, WallTime /*now*/) const override {
    return Value(selector_cell(policy["/spec/podSelector"]));
  }
};

// An address to which traffic is sent.
void validate_target(const std::string& field, std::string_view address, const TextErrors& errors,
                     std::vector<StatusCause>& causes) {
  add_errors(field, address, errors.empty() ? special_address_errors(address) : errors, causes);
}

class Endpoints final : public BuiltinStrategy {
 public:
  using BuiltinStrategy::BuiltinStrategy;

  bool has_own_cells() const override { return true; }

  void validate(const Value& next, const Value* old, std::vector<StatusCause>& causes) const override {
    BuiltinStrategy::validate(next, old, causes);
    if (old != nullptr && identical(member(next, "subsets"), member(*old, "subsets"))) return;
    const json::Document document(next);
    std::size_t i = 0;
    for (const View subset : document.root()["/subsets"].elements()) {
      for (const char* list : {"addresses", "notReadyAddresses"}) {
        std::size_t k = 0;
        for (const View one : subset.member(list).elements()) {
          const std::string_view ip = one.member("ip").text();
          validate_target(fmt::format("subsets[{}].{}[{}].ip", i, list, k++), ip, address_errors(ip), causes);
        }
      }
      ++i;
    }
  }

 protected:
  void set_defaults(Value& endpoints) const override {
    each_object(endpoints, "/subsets", [](Value& subset) {
      each_object(subset, "/ports", [](Value& port) { set_default(port.get_object(), "protocol", "TCP"); });
    });
  }

  Value cell(std::string_view /*Endpoints*/, View endpoints, WallTime /*now*/) const override {
    std::vector<std::string> all;
    for (const View subset : endpoints.member("subsets").elements()) {
      const View ports = subset.member("ports");
      for (const View address : subset.member("addresses").elements()) {
        const std::string_view ip = address.member("ip").text();
        if (ports.empty()) all.emplace_back(ip);
        for (const View port : ports.elements()) {
          all.push_back(fmt::format("{}:{}", ip, integer_cell(port.member("port"))));
        }
      }
    }
    return Value(all.empty() ? "<none>" : first_three(all));
  }
};

class EndpointSlice final : public BuiltinStrategy {
 public:
  using BuiltinStrategy::BuiltinStrategy;

  bool has_own_cells() const override { return true; }

  void validate(const Value& next, const Value* old, std::vector<StatusCause>& causes) const override {
    BuiltinStrategy::validate(next, old, causes);
    const std::string_view type = text_at(next, "/addressType");
    if (type.empty()) causes.push_back(required("addressType"));
    if (old != nullptr && text_at(*old, "/addressType") != type) {
      causes.push_back(immutable_field("addressType", Value(type)));
    }
    if (old == nullptr || !identical(member(next, "endpoints"), member(*old, "endpoints"))) {
      validate_addresses_of(next, type, causes);
    }
  }

 protected:
  void set_defaults(Value& slice) const override {
    each_object(slice, "/ports", [](Value& port) {
      port.get_object().emplace("name", "");
      set_default(port.get_object(), "protocol", "TCP");
    });
  }

  static void validate_addresses_of(const Value& slice, std::string_view type, std::vector<StatusCause>& causes) {
    if (type != "IPv4" && type != "IPv6") return;
    const json::Document document(slice);
    std::size_t i = 0;
    for (const View endpoint : document.root()["/endpoints"].elements()) {
      std::size_t k = 0;
      for (const View one : endpoint.member("addresses").elements()) {
        const std::string_view ip = one.text();
        validate_target(fmt::format("endpoints[{}].addresses[{}]", i, k++), ip,
                        type == "IPv4" ? ipv4_address_errors(ip) : ipv6_address_errors(ip), causes);
      }
      ++i;
    }
  }

  Value cell(std::string_view column, View slice, WallTime /*now*/) const override {
    if (column == "AddressType") return Value(slice.member("addressType").text());
    std::vector<std::string> all;
    if (column == "Ports") {
      for (const View port : slice.member("ports").elements()) {
        const View number = port.member("port");
        all.push_back(number.exists() ? std::to_string(integer_cell(number)) : "*");
      }
    } else {
      for (const View endpoint : slice.member("endpoints").elements()) {
        for (const View address : endpoint.member("addresses").elements()) all.emplace_back(address.text());
      }
    }
    return Value(all.empty() ? "<unset>" : first_three(all));
  }
};

}  // namespace

StrategyPtr ingress_strategy(BuiltinKind kind) { return std::make_shared<Ingress>(std::move(kind)); }
StrategyPtr network_policy_strategy(BuiltinKind kind) { return std::make_shared<NetworkPolicy>(std::move(kind)); }
StrategyPtr endpoints_strategy(BuiltinKind kind) { return std::make_shared<Endpoints>(std::move(kind)); }
StrategyPtr endpoint_slice_strategy(BuiltinKind kind) { return std::make_shared<EndpointSlice>(std::move(kind)); }

}  // namespace pintle::apiserver
