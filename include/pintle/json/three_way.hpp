// create_three_way_merge_patch(): a merge patch for a document that also has other writers.
#pragma once

#include <pintle/base/annotations.hpp>
#include <pintle/json/value.hpp>

namespace pintle::json {

/// Returns the merge patch that makes `current` contain everything in `wanted`. It also removes the members that are in
/// `base`, the previous `wanted`, but no longer in `wanted`. All other members stay, also inside array elements. An
/// array is replaced as a whole if its length differs from `wanted` or if one of its elements needs a change. Returns
/// an empty object if nothing has to change. A null in `wanted` counts as absent.
[[nodiscard]] PINTLE_EXPORT Value create_three_way_merge_patch(const Value& base, const Value& current,
                                                               const Value& wanted);

}  // namespace pintle::json
