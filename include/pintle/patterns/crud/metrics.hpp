// Metrics of a crud operator, by the names that existing dashboards know.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/metrics.hpp>
#include <pintle/patterns/crud/resource.hpp>

namespace pintle::crud {

inline constexpr std::string_view prometheus_namespace = "operatorkit";
inline constexpr std::string_view prometheus_subsystem = "framework";

struct MetricsConfig {
  Required<std::string> name;  // of the operator; the label `service` is camel_case of it
  MetricsRegistry& registry;   // that of the manager, which outlives the resource
};

// The resource, with each of its operations counted: operatorkit_framework_operation_total,
// operatorkit_framework_operation_error_total and the histogram of seconds operatorkit_framework_operation, by service,
// resource and operation. An empty name is kept as an error of the resource.
[[nodiscard]] Resource measured(const Resource& resource, const MetricsConfig& config);
[[nodiscard]] std::vector<Resource> measured(const std::vector<Resource>& resources, const MetricsConfig& config);

// "foo-bar" and "foo bar" are fooBar: split where there is neither letter nor digit, the first part as it is.
[[nodiscard]] std::string camel_case(std::string_view name);

}  // namespace pintle::crud
