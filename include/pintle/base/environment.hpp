// SPDX-License-Identifier: Apache-2.0
// Environment variables, and the name of the machine.
#pragma once

#include <string>

#include <pintle/base/annotations.hpp>

namespace pintle {

/// Returns the value of an environment variable, or an empty string if the variable is not set. Like most tools, it
/// does not distinguish an unset variable from an empty one.
[[nodiscard]] PINTLE_EXPORT std::string environment_variable(const std::string& name);

/// Returns the name of this machine, which in a pod is the name of the pod; "" if the system does not provide it.
[[nodiscard]] PINTLE_EXPORT std::string host_name();

}  // namespace pintle
