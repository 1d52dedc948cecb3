// SPDX-License-Identifier: Apache-2.0
// Metrics of a crud operator, with the names that existing dashboards use.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/base/metrics.hpp>
#include <pintle/patterns/crud/resource.hpp>

namespace pintle::crud {

inline constexpr std::string_view prometheus_namespace = "operatorkit";
inline constexpr std::string_view prometheus_subsystem = "framework";

struct MetricsOptions {
  Required<std::string> name;  ///< name of the operator; camel_case(name) is the label `service`
  MetricsRegistry& registry;   ///< of the manager; must outlive the resource
};

/// Returns the resource with a hook that measures each operation: the counters operatorkit_framework_operation_total
/// and operatorkit_framework_operation_error_total, and the histogram operatorkit_framework_operation in seconds. Their
/// labels are `service`, `resource` and `operation`. If the name is empty, the returned resource has an error.
[[nodiscard]] PINTLE_EXPORT Resource with_metrics(const Resource& resource, const MetricsOptions& config);
[[nodiscard]] PINTLE_EXPORT std::vector<Resource> with_metrics(const std::vector<Resource>& resources,
                                                               const MetricsOptions& config);

/// Converts "foo-bar" and "foo bar" to "fooBar": splits the name at characters that are neither letters nor digits,
/// leaves the first part unchanged, and capitalises the others.
[[nodiscard]] PINTLE_EXPORT std::string camel_case(std::string_view name);

}  // namespace pintle::crud
