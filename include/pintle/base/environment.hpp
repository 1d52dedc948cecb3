// SPDX-License-Identifier: Apache-2.0
// Access to environment variables.
#pragma once

#include <string>

#include <pintle/base/annotations.hpp>

namespace pintle {

/// Returns the value of an environment variable, or an empty string if the variable is not set. Like most tools, it
/// does not distinguish an unset variable from an empty one.
[[nodiscard]] PINTLE_EXPORT std::string environment_variable(const std::string& name);

}  // namespace pintle
