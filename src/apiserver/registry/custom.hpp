// SPDX-License-Identifier: Apache-2.0
// Custom kinds: the resources that a CustomResourceDefinition defines.
#pragma once

#include <vector>

#include <pintle/object/object.hpp>

#include "resource.hpp"

namespace pintle::apiserver {

// The resources of an accepted definition, one for each served version.
[[nodiscard]] std::vector<ResourcePtr> custom_resources(const Object& definition);

}  // namespace pintle::apiserver
