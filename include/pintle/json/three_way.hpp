// SPDX-License-Identifier: Apache-2.0
// create_three_way_merge_patch(): a merge patch for a document that also has other writers.
#pragma once

#include <pintle/base/annotations.hpp>
#include <pintle/json/value.hpp>

namespace pintle::json {

/// Returns the merge patch that makes `current` contain everything in `wanted`. It also removes the members that are in
/// `base`, the previous `wanted`, but no longer in `wanted`. All other members stay. Array elements are compared by the
/// same rules, by index. If both arrays have the same length and no element needs a change, the patch does not contain
/// the array: its elements keep the members that are not in `wanted`. Otherwise, the array of `wanted` replaces the
/// whole array. Returns an empty object if nothing has to change. A null in `wanted` counts as absent.
[[nodiscard]] PINTLE_EXPORT Value create_three_way_merge_patch(const Value& base, const Value& current,
                                                               const Value& wanted);

}  // namespace pintle::json
