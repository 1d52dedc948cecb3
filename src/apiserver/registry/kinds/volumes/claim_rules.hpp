// SPDX-License-Identifier: Apache-2.0
// The rules for PersistentVolumeClaims.
#pragma once

#include <string>
#include <vector>

#include <pintle/base/error.hpp>
#include <pintle/json/document.hpp>
#include <pintle/json/value.hpp>

namespace pintle::apiserver {

// Validates the spec of a claim; `field` is its path.
void validate_claim(json::View spec, const std::string& field, std::vector<StatusCause>& causes);

// Refuses what an update of a claim cannot change.
void validate_claim_change(const json::Value& next, const json::Value& old, std::vector<StatusCause>& causes);

}  // namespace pintle::apiserver
