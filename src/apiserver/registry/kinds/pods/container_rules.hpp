// SPDX-License-Identifier: Apache-2.0
// The rules for the containers of a pod spec.
#pragma once

#include <string>
#include <vector>

#include <pintle/base/error.hpp>
#include <pintle/json/document.hpp>

#include "volume_rules.hpp"

namespace pintle::apiserver {

// Validates `containers` and `initContainers`. `field` is the path of the spec.
void validate_containers(json::View spec, const Volumes& volumes, const std::string& field,
                         std::vector<StatusCause>& causes);

// Validates the limits and requests of a container.
void validate_container_resources(json::View resources, const std::string& field, std::vector<StatusCause>& causes);

}  // namespace pintle::apiserver
