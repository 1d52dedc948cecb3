// SPDX-License-Identifier: Apache-2.0
// The rules for the amounts of a LimitRange and of a ResourceQuota.
#pragma once

#include <vector>

#include <pintle/json/document.hpp>

#include "apiserver/registry/refusal.hpp"

namespace pintle::apiserver {

// Validates spec.limits of a LimitRange.
void validate_limits(json::View limits, std::vector<StatusCause>& causes);

// Validates the spec of a ResourceQuota; `old` is a missing view if it is new.
void validate_quota(json::View spec, json::View old, std::vector<StatusCause>& causes);

}  // namespace pintle::apiserver
