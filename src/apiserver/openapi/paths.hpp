// SPDX-License-Identifier: Apache-2.0
// The paths section of an OpenAPI document: the operations on each resource, and their parameters.
#pragma once

#include <pintle/json/value.hpp>

#include "../registry/resource.hpp"
#include "components.hpp"

namespace pintle::apiserver {

// Adds the paths of a resource and its subresources to `paths`, and the schemas that they use to `components`.
void add_paths(json::object& paths, const Resource& resource, Components& components);

}  // namespace pintle::apiserver
