// SPDX-License-Identifier: Apache-2.0
// Runs the parser of Boost.JSON without a receiver of its events: the reference for the time to read documents.
#pragma once

#include <string_view>

namespace pintle::benchmarks {

// Returns whether the text is JSON.
[[nodiscard]] bool parse_alone(std::string_view text);

}  // namespace pintle::benchmarks
