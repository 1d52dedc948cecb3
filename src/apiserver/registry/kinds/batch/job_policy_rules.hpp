// SPDX-License-Identifier: Apache-2.0
// The rules for podFailurePolicy and successPolicy of a Job.
#pragma once

#include <string>
#include <vector>

#include <pintle/base/error.hpp>
#include <pintle/json/document.hpp>

namespace pintle::apiserver {

// `spec`: that of the Job, `field`: its path. A value that is in no enum is left to the caller.
void validate_failure_policy(json::View spec, const std::string& field, std::vector<StatusCause>& causes);
// Requires completionMode Indexed.
void validate_success_policy(json::View spec, const std::string& field, std::vector<StatusCause>& causes);

}  // namespace pintle::apiserver
