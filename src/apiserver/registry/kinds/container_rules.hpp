// SPDX-License-Identifier: Apache-2.0
// The rules for volumes and for the ports, environment, probes, resources and mounts of containers.
#pragma once

#include <string>
#include <vector>

#include <pintle/json/document.hpp>

#include "apiserver/registry/refusal.hpp"

namespace pintle::apiserver {

// Validates a pod spec at the place `field`. A mount may also name one of `claims`, the volumeClaimTemplates of a
// StatefulSet.
void validate_volumes_and_resources(json::View spec, json::View claims, const std::string& field,
                                    std::vector<StatusCause>& causes);

}  // namespace pintle::apiserver
