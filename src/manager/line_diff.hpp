// SPDX-License-Identifier: Apache-2.0
// line_diff: the difference of two texts by lines, in the unified format.
#pragma once

#include <string>
#include <string_view>

namespace pintle {

// Returns the changed lines with "-" and "+" and up to three equal lines around them with " ". Each distance between
// two changes is marked with "@@". Returns "" for equal texts.
[[nodiscard]] std::string line_diff(std::string_view before, std::string_view after);

}  // namespace pintle
