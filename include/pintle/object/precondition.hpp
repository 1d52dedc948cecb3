// Patches that hold for one version of an object.
#pragma once

#include <pintle/json/patch.hpp>
#include <pintle/json/value.hpp>

namespace pintle {

// From now on the server refuses the patch, with a conflict, unless the object still has the resourceVersion of `base`.
// A patch that changes nothing stays empty; a base without a resourceVersion asks for none.
void require_version(json::Patch& patch, const json::Value& base);
// The same for a merge patch and a strategic merge patch.
void require_version(json::Value& patch, const json::Value& base);

}  // namespace pintle
