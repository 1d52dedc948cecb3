// SPDX-License-Identifier: Apache-2.0
// The rules for the spec of a Job, and for that in a CronJob.
#pragma once

#include <string>
#include <vector>

#include <pintle/base/error.hpp>
#include <pintle/json/document.hpp>

namespace pintle::apiserver {

// Validates a spec without its selector; `field` is its path.
void validate_job(json::View spec, const std::string& field, std::vector<StatusCause>& causes);

}  // namespace pintle::apiserver
