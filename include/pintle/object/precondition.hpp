// SPDX-License-Identifier: Apache-2.0
// Preconditions of patches: apply a patch only to one version of an object.
#pragma once

#include <pintle/base/annotations.hpp>
#include <pintle/json/patch.hpp>
#include <pintle/json/value.hpp>

namespace pintle {

/// Adds the resourceVersion of `base` to the patch: the server rejects the patch with a conflict if the object no
/// longer has this version. Does nothing if the patch is empty or `base` has no resourceVersion.
PINTLE_EXPORT void require_resource_version(json::Patch& patch, const json::Value& base);
/// The same for a merge patch and a strategic merge patch.
PINTLE_EXPORT void require_resource_version(json::Value& patch, const json::Value& base);

}  // namespace pintle
