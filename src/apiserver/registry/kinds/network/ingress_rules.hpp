// SPDX-License-Identifier: Apache-2.0
// The rules for the specs of Ingresses and NetworkPolicies.
#pragma once

#include <string>
#include <vector>

#include <pintle/base/error.hpp>
#include <pintle/json/document.hpp>

namespace pintle::apiserver {

void validate_ingress(json::View spec, std::vector<StatusCause>& causes);

// The selectors and peers of a NetworkPolicy, without its ports. `rule` is one of a direction: "ingress", "egress".
void validate_policy_selector(json::View spec, std::vector<StatusCause>& causes);
void validate_policy_peers(json::View rule, const std::string& field, std::vector<StatusCause>& causes);

}  // namespace pintle::apiserver
