// SPDX-License-Identifier: Apache-2.0
// scan(): splits an expression into tokens.
#pragma once

#include <string_view>
#include <vector>

#include "issues.hpp"
#include "token.hpp"

namespace pintle::cel {

// Returns the tokens of a text, with an `end` token behind the last one. They refer to the text. Characters that belong
// to no token are issues; the scan then continues.
[[nodiscard]] std::vector<Token> scan(std::string_view text, Issues& issues);

}  // namespace pintle::cel
