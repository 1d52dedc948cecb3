// SPDX-License-Identifier: Apache-2.0
// The rules for the volumes of a pod spec, and for the mounts of its containers.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/error.hpp>
#include <pintle/json/document.hpp>

namespace pintle::apiserver {

// The valid volumes by their names. A claim template of a StatefulSet has no content here.
using Volumes = std::map<std::string_view, json::View>;

// Validates the volumes and returns those without an error; `field` is the path of the list.
Volumes validate_volumes(json::View volumes, const std::string& field, std::vector<StatusCause>& causes);

// Validates `volumeMounts` and `volumeDevices` of a container; `field` is its path.
void validate_mounts(json::View container, const Volumes& volumes, const std::string& field,
                     std::vector<StatusCause>& causes);

}  // namespace pintle::apiserver
