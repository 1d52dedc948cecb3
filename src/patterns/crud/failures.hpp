// SPDX-License-Identifier: Apache-2.0
// The errors of this pattern. Each has its own Error::reason, which the predicates in errors.hpp test.
#pragma once

#include <string>

#include <pintle/base/error.hpp>

namespace pintle::crud {

[[nodiscard]] Error execution_failed(std::string message);
[[nodiscard]] Error invalid_config(const std::string& message);
[[nodiscard]] Error no_resource_set(std::string message);
[[nodiscard]] Error loop_detected(std::string message);
[[nodiscard]] Error not_established(std::string message);
[[nodiscard]] Error name_conflict(std::string message);

}  // namespace pintle::crud
