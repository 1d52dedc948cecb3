// SPDX-License-Identifier: Apache-2.0
// The rules for the specs of workloads, beside their selectors and templates.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include <pintle/base/error.hpp>
#include <pintle/json/document.hpp>

namespace pintle::apiserver {

// Refuses members that are negative.
void validate_counts(json::View spec, std::initializer_list<const char*> names, const std::string& field,
                     std::vector<StatusCause>& causes);

// A number that is not negative, or a percentage.
void validate_count_or_percent(json::View value, const std::string& field, std::vector<StatusCause>& causes);
// A percentage above 100 is refused.
void validate_at_most_all(json::View value, const std::string& field, std::vector<StatusCause>& causes);

// Each validates the spec of one kind, beside the selector and the template.
void validate_deployment(json::View spec, std::vector<StatusCause>& causes);
void validate_stateful_set(json::View spec, std::vector<StatusCause>& causes);
void validate_daemon_set(json::View spec, std::vector<StatusCause>& causes);

}  // namespace pintle::apiserver
