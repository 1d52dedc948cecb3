// SPDX-License-Identifier: Apache-2.0
// The priority levels and flow schemas that a kube-apiserver creates when it starts.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <pintle/json/value.hpp>

namespace pintle::apiserver {

using NamedSpecs = std::vector<std::pair<std::string, json::object>>;

// The specs of PriorityLevelConfigurations and of FlowSchemas, by name.
[[nodiscard]] NamedSpecs priority_level_specs();
[[nodiscard]] NamedSpecs flow_schema_specs();

}  // namespace pintle::apiserver
