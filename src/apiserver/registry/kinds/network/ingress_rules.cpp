// SPDX-License-Identifier: Apache-2.0
#include "ingress_rules.hpp"

#include <cstdint>
#include <string_view>

#include <fmt/format.h>

#include "../../cells.hpp"
#include "apiserver/registry/names/address_rules.hpp"
#include "apiserver/registry/names/label_rules.hpp"
#include "apiserver/registry/names/name_rules.hpp"
#include "apiserver/registry/refusal.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;
using json::View;

using Causes = std::vector<StatusCause>;

void validate_service_backend(View service, const std::string& field, Causes& causes) {
  const std::string_view name = service.member("name").text();
  if (name.empty()) {
    causes.push_back(required(field + ".service.name"));
  } else {
    add_errors(field + ".service.name", name, dns1035_label_errors(name), causes);
  }
  const std::string_view port = service["/port/name"].text();
  const std::int64_t number = integer_cell(service["/port/number"]);
  if (!port.empty() && number != 0) {
    causes.push_back(invalid_value(field, Value(""), "cannot set both port name & port number"));
  } else if (!port.empty()) {
    add_errors(field + ".service.port.name", port, port_name_errors(port), causes);
  } else if (number != 0) {
    add_errors(field + ".service.port.number", number, port_errors(number), causes);
  } else {
    causes.push_back(required(field, "port name or number is required"));
  }
}

void validate_backend(View backend, const std::string& field, Causes& causes) {
  const View resource = backend.member("resource");
  const View service = backend.member("service");
  if (resource.exists() && service.exists()) {
    causes.push_back(invalid_value(field, Value(""), "cannot set both resource and service backends"));
  } else if (service.exists()) {
    validate_service_backend(service, field, causes);
  } else if (resource.exists()) {
    for (const char* name : {"kind", "name"}) {
      if (resource.member(name).text().empty()) causes.push_back(required(fmt::format("{}.resource.{}", field, name)));
    }
  } else {
    causes.push_back(invalid_value(field, Value(""), "resource or service backend is required"));
  }
}

void validate_path(View path, const std::string& field, Causes& causes) {
  const std::string_view type = path.member("pathType").text();
  const std::string_view text = path.member("path").text();
  const auto refuse_text = [&](const std::string& why) {
    causes.push_back(invalid_value(field + ".path", Value(text), why));
  };
  if (type.empty()) return causes.push_back(required(field + ".pathType", "pathType must be specified"));
  const bool is_strict = type == "Exact" || type == "Prefix";
  if (!text.starts_with('/') && (is_strict || !text.empty())) refuse_text("must be an absolute path");
  if (is_strict) {
    for (const std::string_view wrong : {"//", "/./", "/../", "%2f", "%2F"}) {
      if (text.find(wrong) != std::string_view::npos) refuse_text(fmt::format("must not contain '{}'", wrong));
    }
    for (const std::string_view wrong : {"/..", "/."}) {
      if (text.ends_with(wrong)) refuse_text(fmt::format("cannot end with '{}'", wrong));
    }
  }
  validate_backend(path.member("backend"), field + ".backend", causes);
}

void validate_host(std::string_view host, const std::string& field, Causes& causes) {
  const bool is_wildcard = host.find('*') != std::string_view::npos;
  add_errors(field, host, is_wildcard ? wildcard_subdomain_errors(host) : subdomain_errors(host), causes);
}

void validate_tls(View list, Causes& causes) {
  std::size_t i = 0;
  for (const View tls : list.elements()) {
    const std::string at = fmt::format("spec.tls[{}]", i++);
    std::size_t k = 0;
    for (const View host : tls.member("hosts").elements()) {
      validate_host(host.text(), fmt::format("{}.hosts[{}]", at, k++), causes);
    }
    const std::string_view secret = tls.member("secretName").text();
    if (!secret.empty()) add_errors(at + ".secretName", secret, subdomain_errors(secret), causes);
  }
}

}  // namespace

void validate_ingress(View spec, Causes& causes) {
  const View rules = spec.member("rules");
  if (rules.empty() && !spec.member("defaultBackend").exists()) {
    causes.push_back(invalid_value("spec", rules.to_value(), "either `defaultBackend` or `rules` must be specified"));
  }
  if (const View backend = spec.member("defaultBackend")) validate_backend(backend, "spec.defaultBackend", causes);
  std::size_t i = 0;
  for (const View rule : rules.elements()) {
    const std::string at = fmt::format("spec.rules[{}]", i++);
    if (const std::string_view host = rule.member("host").text(); !host.empty()) {
      validate_host(host, at + ".host", causes);
    }
    const View http = rule.member("http");
    if (!http.exists()) continue;
    if (http.member("paths").empty()) causes.push_back(required(at + ".http.paths"));
    std::size_t k = 0;
    for (const View path : http.member("paths").elements()) {
      validate_path(path, fmt::format("{}.http.paths[{}]", at, k++), causes);
    }
  }
  validate_tls(spec.member("tls"), causes);
  const std::string_view class_name = spec.member("ingressClassName").text();
  if (spec.member("ingressClassName").exists()) {
    add_errors("spec.ingressClassName", class_name, subdomain_errors(class_name), causes);
  }
}

void validate_policy_selector(View spec, Causes& causes) {
  validate_selector(spec.member("podSelector"), "spec.podSelector", causes);
}

void validate_block(View block, const std::string& field, Causes& causes) {
  const std::string_view text = block.member("cidr").text();
  if (text.empty()) return causes.push_back(required(field + ".cidr"));
  add_errors(field + ".cidr", text, range_text_errors(text), causes);
  const auto whole = parse_range(text);
  if (!whole) return;
  std::size_t i = 0;
  for (const View except : block.member("except").elements()) {
    const std::string at = fmt::format("{}.except[{}]", field, i++);
    add_errors(at, except.text(), range_text_errors(except.text()), causes);
    const auto part = parse_range(except.text());
    if (!part || whole->is_larger_than(*part)) continue;
    causes.push_back(invalid_value(at, Value(except.text()), "must be a strict subset of `cidr`"));
  }
}

void validate_policy_peers(View rule, const std::string& field, Causes& causes) {
  for (const char* direction : {"from", "to"}) {
    std::size_t i = 0;
    for (const View peer : rule.member(direction).elements()) {
      const std::string at = fmt::format("{}.{}[{}]", field, direction, i++);
      validate_selector(peer.member("podSelector"), at + ".podSelector", causes);
      validate_selector(peer.member("namespaceSelector"), at + ".namespaceSelector", causes);
      const View block = peer.member("ipBlock");
      if (block.exists()) validate_block(block, at + ".ipBlock", causes);
      if (peer.empty()) {
        causes.push_back(required(at, "must specify a peer"));
      } else if (block.exists() && peer.size() > 1) {
        causes.push_back(forbidden_field(at, "may not specify both ipBlock and another peer"));
      }
    }
  }
}

}  // namespace pintle::apiserver
