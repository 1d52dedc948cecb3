// SPDX-License-Identifier: Apache-2.0
// Splits a JSON pointer into its reference tokens.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace pintle::json {

// Removes the next token, still escaped, from `rest`. Returns false if `rest` does not begin with "/".
bool next_token(std::string_view& rest, std::string_view& token);

// Returns the list index of a token; nothing for "-", leading zeros and other text.
[[nodiscard]] std::optional<std::size_t> index_of(std::string_view token);

}  // namespace pintle::json
