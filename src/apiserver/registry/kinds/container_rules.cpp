// SPDX-License-Identifier: Apache-2.0
#include "container_rules.hpp"

#include <set>
#include <string_view>

#include <fmt/format.h>

#include <pintle/object/quantity.hpp>

#include "../cells.hpp"

namespace pintle::apiserver {
namespace {

using json::Value;
using json::View;

using Names = std::set<std::string_view>;

void validate_ports(View ports, const std::string& field, std::vector<StatusCause>& causes) {
  constexpr std::int64_t highest = 65'535;
  std::size_t i = 0;
  for (const View port : ports.elements()) {
    const std::string at = fmt::format("{}[{}].containerPort", field, i++);
    const std::int64_t number = integer_cell(port.member("containerPort"));
    if (number == 0) {
      causes.push_back(required(at));
    } else if (number < 0 || number > highest) {
      causes.push_back(invalid_value(at, Value(number), "must be between 1 and 65535, inclusive"));
    }
  }
}

void validate_amounts(View amounts, const std::string& field, std::vector<StatusCause>& causes) {
  for (const auto [name, amount] : amounts.members()) {
    const auto quantity = Quantity::from_json(amount);
    if (!quantity || !quantity->is_negative()) continue;
    causes.push_back(invalid_value(fmt::format("{}[{}]", field, name), Value(quantity->to_string()),
                                   "must be greater than or equal to 0"));
  }
}

void validate_resources(View resources, const std::string& field, std::vector<StatusCause>& causes) {
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

void validate_mounts(View mounts, const Names& volumes, const std::string& field, std::vector<StatusCause>& causes) {
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

Names validate_volumes(View volumes, const std::string& field, std::vector<StatusCause>& causes) {
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
      validate_resources(container.member("resources"), at + ".resources", causes);
      validate_mounts(container.member("volumeMounts"), volumes, at + ".volumeMounts", causes);
    }
  }
}

}  // namespace pintle::apiserver
