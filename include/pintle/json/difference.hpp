// SPDX-License-Identifier: Apache-2.0
// The differences between two documents, as JSON pointers.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <pintle/base/annotations.hpp>
#include <pintle/json/document.hpp>

namespace pintle::json {

/// Returns the pointers of the deepest places that differ, at most `max_count`. For each object, the members of `after`
/// come first, in their order, and removed members last. An array whose length changed is one place. Returns no pointer
/// if the two are equal. Returns {""}, the pointer of the root, if at least one of the two is missing, or if the two
/// are unequal and are scalars or have different types.
[[nodiscard]] PINTLE_EXPORT std::vector<std::string> changed_pointers(View before, View after,
                                                                      std::size_t max_count = 16);

}  // namespace pintle::json
