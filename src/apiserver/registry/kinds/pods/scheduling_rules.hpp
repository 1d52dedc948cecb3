// SPDX-License-Identifier: Apache-2.0
// The rules for the parts of a pod spec that decide where and when its Pods run.
#pragma once

#include <string>
#include <vector>

#include <pintle/base/error.hpp>
#include <pintle/json/document.hpp>

namespace pintle::apiserver {

// Each validates one part; `field` is its path.
void validate_affinity(json::View affinity, const std::string& field, std::vector<StatusCause>& causes);
void validate_tolerations(json::View tolerations, const std::string& field, std::vector<StatusCause>& causes);
void validate_spread(json::View constraints, const std::string& field, std::vector<StatusCause>& causes);
// `schedulingGates` and `readinessGates`; `field` is the path of the spec.
void validate_gates(json::View spec, const std::string& field, std::vector<StatusCause>& causes);
// The terms of a node selector, {nodeSelectorTerms}.
void validate_node_selector(json::View selector, const std::string& field, std::vector<StatusCause>& causes);

}  // namespace pintle::apiserver
