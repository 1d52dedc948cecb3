// SPDX-License-Identifier: Apache-2.0
#include "container_rules.hpp"

#include <cstdint>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "../../cells.hpp"
#include "apiserver/registry/names/name_rules.hpp"
#include "apiserver/registry/refusal.hpp"
#include "handler_rules.hpp"
#include "security_rules.hpp"
#include "variable_rules.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;
using json::View;

using Causes = std::vector<StatusCause>;
using ContainerNames = std::set<std::string_view>;

void validate_container_ports(View ports, const std::string& field, Causes& causes) {
  std::set<std::string_view> names;
  std::size_t i = 0;
  for (const View port : ports.elements()) {
    const std::string at = fmt::format("{}[{}]", field, i++);
    if (const std::string_view name = port.member("name").text(); !name.empty()) {
      const TextErrors errors = port_name_errors(name);
      add_errors(at + ".name", name, errors, causes);
      if (errors.empty() && !names.insert(name).second) causes.push_back(duplicate_value(at + ".name", Value(name)));
    }
    const std::int64_t number = integer_cell(port.member("containerPort"));
    if (number == 0) {
      causes.push_back(required(at + ".containerPort"));
    } else {
      add_errors(at + ".containerPort", number, port_errors(number), causes);
    }
    if (const std::int64_t host = integer_cell(port.member("hostPort")); host != 0) {
      add_errors(at + ".hostPort", host, port_errors(host), causes);
    }
    if (port.member("protocol").text().empty()) causes.push_back(required(at + ".protocol"));
  }
}

// Two containers cannot listen at the same port of their node.
void validate_host_ports(View container, std::set<std::string>& seen, const std::string& field, Causes& causes) {
  std::size_t i = 0;
  for (const View port : container.member("ports").elements()) {
    const std::string at = fmt::format("{}.ports[{}].hostPort", field, i++);
    const std::int64_t number = integer_cell(port.member("hostPort"));
    if (number == 0) continue;
    const std::string name =
        fmt::format("{}/{}/{}", port.member("protocol").text(), port.member("hostIP").text(), number);
    if (!seen.insert(name).second) causes.push_back(duplicate_value(at, Value(name)));
  }
}

// The rules for every container.
void validate_container(View container, const Volumes& volumes, const std::string& field, Causes& causes) {
  const std::string_view name = container.member("name").text();
  if (name.empty()) {
    causes.push_back(required(field + ".name"));
  } else {
    add_errors(field + ".name", name, dns_label_errors(name), causes);
  }
  if (container.member("image").text().empty()) causes.push_back(required(field + ".image"));
  validate_container_ports(container.member("ports"), field + ".ports", causes);
  validate_environment(container, field, causes);
  validate_mounts(container, volumes, field, causes);
  validate_container_resources(container.member("resources"), field + ".resources", causes);
  validate_container_security(container.member("securityContext"), field + ".securityContext", causes);
}

void validate_init_container(View container, const GracePeriod& period, const std::string& field, Causes& causes) {
  const std::string_view restarts = container.member("restartPolicy").text();
  if (restarts == "Always") return validate_handlers(container, period, field, causes);
  for (const char* name : {"lifecycle", "livenessProbe", "readinessProbe", "startupProbe"}) {
    if (!container.member(name).exists()) continue;
    causes.push_back(forbidden_field(fmt::format("{}.{}", field, name),
                                     "may not be set for init containers without restartPolicy=Always"));
  }
}

}  // namespace

void validate_containers(View spec, const Volumes& volumes, const std::string& field, Causes& causes) {
  const GracePeriod period = spec.member("terminationGracePeriodSeconds").as_integer();
  const View containers = spec.member("containers");
  if (containers.empty()) causes.push_back(required(field + ".containers"));
  ContainerNames names;
  std::size_t i = 0;
  for (const View container : containers.elements()) {
    const std::string at = fmt::format("{}.containers[{}]", field, i++);
    validate_container(container, volumes, at, causes);
    const std::string_view name = container.member("name").text();
    if (!names.insert(name).second) causes.push_back(duplicate_value(at + ".name", Value(name)));
    validate_handlers(container, period, at, causes);
  }
  std::set<std::string> ports;
  i = 0;
  for (const View container : containers.elements()) {
    validate_host_ports(container, ports, fmt::format("{}.containers[{}]", field, i++), causes);
  }
  i = 0;
  for (const View container : spec.member("initContainers").elements()) {
    const std::string at = fmt::format("{}.initContainers[{}]", field, i++);
    validate_container(container, volumes, at, causes);
    const std::string_view name = container.member("name").text();
    if (!name.empty() && !names.insert(name).second) causes.push_back(duplicate_value(at + ".name", Value(name)));
    // They run one after another.
    std::set<std::string> own_ports;
    validate_host_ports(container, own_ports, at, causes);
    validate_init_container(container, period, at, causes);
  }
}

}  // namespace pintle::apiserver
