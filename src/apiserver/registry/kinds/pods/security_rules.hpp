// SPDX-License-Identifier: Apache-2.0
// The rules for the security context of a Pod and of its containers.
#pragma once

#include <string>
#include <vector>

#include <pintle/base/error.hpp>
#include <pintle/json/document.hpp>

namespace pintle::apiserver {

// Each validates one context; `field` is its path.
void validate_pod_security(json::View context, const std::string& field, std::vector<StatusCause>& causes);
void validate_container_security(json::View context, const std::string& field, std::vector<StatusCause>& causes);

}  // namespace pintle::apiserver
