// SPDX-License-Identifier: Apache-2.0
// The rules for the spec of a Service.
#pragma once

#include <vector>

#include <pintle/base/error.hpp>
#include <pintle/json/document.hpp>
#include <pintle/json/value.hpp>

namespace pintle::apiserver {

// The ports that nodes have for Services.
inline constexpr int first_node_port = 30000;
inline constexpr int node_ports = 2768;

// Validates a spec; `old` is missing for a new Service.
void validate_service(json::View spec, json::View old, std::vector<StatusCause>& causes);

// Removes what the type of a Service no longer has, if an update has only changed the type.
void drop_parts_of_old_type(json::Value& next, const json::Value& old);

}  // namespace pintle::apiserver
