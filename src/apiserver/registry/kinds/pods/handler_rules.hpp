// SPDX-License-Identifier: Apache-2.0
// The rules for probes and lifecycle hooks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <pintle/base/error.hpp>
#include <pintle/json/document.hpp>

namespace pintle::apiserver {

using GracePeriod = std::optional<std::int64_t>;  // seconds

// Validates the probes and hooks of a container; `field` is its path.
void validate_handlers(json::View container, const GracePeriod& period, const std::string& field,
                       std::vector<StatusCause>& causes);

}  // namespace pintle::apiserver
