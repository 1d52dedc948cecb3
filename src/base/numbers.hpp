// SPDX-License-Identifier: Apache-2.0
// Numbers as texts for people.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace pintle {

// Returns "12,000".
[[nodiscard]] inline std::string with_commas(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

}  // namespace pintle
