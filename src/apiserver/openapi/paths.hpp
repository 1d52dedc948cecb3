// The paths section of an OpenAPI document: what can be asked of a resource, and with which parameters.
#pragma once

#include <pintle/json/value.hpp>

#include "../registry/resource.hpp"
#include "components.hpp"

namespace pintle::apiserver {

// Adds the paths of a resource and of its sub-resources to `paths`, and the schemas they speak of to `components`.
void add_paths(json::object& paths, const Resource& resource, Components& components);

}  // namespace pintle::apiserver
