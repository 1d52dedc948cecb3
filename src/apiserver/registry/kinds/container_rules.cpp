// SPDX-License-Identifier: Apache-2.0
#include "container_rules.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <pintle/object/quantity.hpp>

#include "../cells.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;
using json::View;

using Causes = std::vector<StatusCause>;
using Names = std::set<std::string_view>;

void validate_port(std::int64_t number, std::string field, Causes& causes) {
  constexpr std::int64_t highest = 65'535;
  if (number > 0 && number <= highest) return;
  causes.push_back(invalid_value(std::move(field), Value(number), "must be between 1 and 65535, inclusive"));
}

void validate_ports(View ports, const std::string& field, Causes& causes) {
  std::size_t i = 0;
  for (const View port : ports.elements()) {
    const std::string at = fmt::format("{}[{}]", field, i++);
    const std::int64_t number = integer_cell(port.member("containerPort"));
    if (number == 0) {
      causes.push_back(required(at + ".containerPort"));
    } else {
      validate_port(number, at + ".containerPort", causes);
    }
    if (const std::int64_t host = integer_cell(port.member("hostPort")); host != 0) {
      validate_port(host, at + ".hostPort", causes);
    }
  }
}

constexpr std::array<const char*, 4> handler_kinds{"exec", "httpGet", "tcpSocket", "grpc"};

void validate_handler(View handler, const std::string& field, Causes& causes) {
  bool has_one = false;
  for (const char* name : handler_kinds) {
    const View how = handler.member(name);
    if (!how.exists()) continue;
    const std::string at = fmt::format("{}.{}", field, name);
    if (has_one) {
      causes.push_back(forbidden_field(at, "may not specify more than 1 handler type"));
      continue;
    }
    has_one = true;
    if (name == std::string_view("exec")) {
      if (how.member("command").empty()) causes.push_back(required(at + ".command"));
    } else if (!how.member("port").is_string()) {
      validate_port(integer_cell(how.member("port")), at + ".port", causes);
    }
  }
  if (!has_one) causes.push_back(required(field, "must specify a handler type"));
}

void validate_probe(View container, const char* name, const std::string& field, Causes& causes) {
  const View probe = container.member(name);
  if (!probe.exists()) return;
  const std::string at = fmt::format("{}.{}", field, name);
  validate_handler(probe, at, causes);
  for (const char* number :
       {"initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold"}) {
    const std::int64_t value = integer_cell(probe.member(number));
    if (value >= 0) continue;
    causes.push_back(
        invalid_value(fmt::format("{}.{}", at, number), Value(value), "must be greater than or equal to 0"));
  }
  const std::int64_t successes = integer_cell(probe.member("successThreshold"));
  if (successes == 1 || name == std::string_view("readinessProbe")) return;
  causes.push_back(invalid_value(at + ".successThreshold", Value(successes), "must be 1"));
}

void validate_environment(View variables, const std::string& field, Causes& causes) {
  std::size_t i = 0;
  for (const View variable : variables.elements()) {
    const std::string at = fmt::format("{}[{}]", field, i++);
    const std::string_view name = variable.member("name").text();
    const bool is_printable =
        std::all_of(name.begin(), name.end(), [](char c) { return c >= ' ' && c <= '~' && c != '='; });
    if (name.empty()) {
      causes.push_back(required(at + ".name"));
    } else if (!is_printable) {
      causes.push_back(invalid_value(at + ".name", Value(name),
                                     "a valid environment variable name must consist only of printable ASCII "
                                     "characters other than '='"));
    }
    const View source = variable.member("valueFrom");
    if (!source.exists()) continue;
    if (!variable.member("value").text().empty()) {
      causes.push_back(invalid_value(at + ".valueFrom", Value(""), "may not be specified when `value` is not empty"));
    } else if (source.empty()) {
      causes.push_back(invalid_value(at + ".valueFrom", Value(""),
                                     "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, "
                                     "`secretKeyRef` or `fileKeyRef`"));
    } else if (source.size() > 1) {
      causes.push_back(
          invalid_value(at + ".valueFrom", Value(""), "may not have more than one field specified at a time"));
    }
  }
}

void validate_amounts(View amounts, const std::string& field, Causes& causes) {
  for (const auto [name, amount] : amounts.members()) {
    const auto quantity = Quantity::from_json(amount);
    if (!quantity || !quantity->is_negative()) continue;
    causes.push_back(invalid_value(fmt::format("{}[{}]", field, name), Value(quantity->to_string()),
                                   "must be greater than or equal to 0"));
  }
}

void validate_resources(View resources, const std::string& field, Causes& causes) {
  const View limits = resources.member("limits");
  validate_amounts(limits, field + ".limits", causes);
  validate_amounts(resources.member("requests"), field + ".requests", causes);
  for (const auto [name, amount] : resources.member("requests").members()) {
    const auto request = Quantity::from_json(amount);
    const auto limit = Quantity::from_json(limits.member(name));
    if (!limits.member(name).exists() || !request || !limit || *request <= *limit) continue;
    causes.push_back(
        invalid_value(field + ".requests", Value(request->to_string()),
                      fmt::format("must be less than or equal to {} limit of {}", name, limit->to_string())));
  }
}

void validate_mounts(View mounts, const Names& volumes, const std::string& field, Causes& causes) {
  Names paths;
  std::size_t i = 0;
  for (const View mount : mounts.elements()) {
    const std::string at = fmt::format("{}[{}]", field, i++);
    const std::string_view name = mount.member("name").text();
    const std::string_view path = mount.member("mountPath").text();
    if (name.empty()) {
      causes.push_back(required(at + ".name"));
    } else if (!volumes.contains(name)) {
      causes.push_back({.reason = "FieldValueNotFound",
                        .message = fmt::format("Not found: {}", json::print(Value(name))),
                        .field = at + ".name"});
    }
    if (path.empty()) {
      causes.push_back(required(at + ".mountPath"));
    } else if (!paths.insert(path).second) {
      causes.push_back(invalid_value(at + ".mountPath", Value(path), "must be unique"));
    }
  }
}

Names validate_volumes(View volumes, const std::string& field, Causes& causes) {
  Names names;
  std::size_t i = 0;
  for (const View volume : volumes.elements()) {
    const std::string at = fmt::format("{}[{}].name", field, i++);
    const std::string_view name = volume.member("name").text();
    if (name.empty()) {
      causes.push_back(required(at));
    } else if (!names.insert(name).second) {
      causes.push_back(duplicate_value(at, Value(name)));
    }
  }
  return names;
}

}  // namespace

void validate_volumes_and_resources(View spec, View claims, const std::string& field,
                                    std::vector<StatusCause>& causes) {
  Names volumes = validate_volumes(spec.member("volumes"), field + ".volumes", causes);
  for (const View claim : claims.elements()) volumes.insert(claim["/metadata/name"].text());
  for (const char* list : {"initContainers", "containers"}) {
    std::size_t i = 0;
    for (const View container : spec.member(list).elements()) {
      const std::string at = fmt::format("{}.{}[{}]", field, list, i++);
      validate_ports(container.member("ports"), at + ".ports", causes);
      validate_environment(container.member("env"), at + ".env", causes);
      for (const char* probe : {"livenessProbe", "readinessProbe", "startupProbe"}) {
        validate_probe(container, probe, at, causes);
      }
      validate_resources(container.member("resources"), at + ".resources", causes);
      validate_mounts(container.member("volumeMounts"), volumes, at + ".volumeMounts", causes);
    }
  }
}

}  // namespace pintle::apiserver
