// SPDX-License-Identifier: Apache-2.0
// The form in which a stored object is read, if its definition has changed since.
#pragma once

#include <pintle/object/object.hpp>

#include "apiserver/registry/resource.hpp"

namespace pintle::apiserver {

// Returns a stored object with the defaults that its kind has gained since; the object itself if there are none.
[[nodiscard]] Object with_read_defaults(const Resource& resource, const Object& stored);

}  // namespace pintle::apiserver
