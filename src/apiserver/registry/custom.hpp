// SPDX-License-Identifier: Apache-2.0
// Custom kinds: the resources that a CustomResourceDefinition defines.
#pragma once

#include <vector>

#include <pintle/object/object.hpp>

#include "resource.hpp"

namespace pintle::apiserver {

struct CustomResources {
  std::vector<ResourcePtr> served{};  // one for each served version
  ResourcePtr stored{};               // that of the version in which objects are stored, also if it is not served
};

// The resources of an accepted definition.
[[nodiscard]] CustomResources custom_resources(const Object& definition);

}  // namespace pintle::apiserver
