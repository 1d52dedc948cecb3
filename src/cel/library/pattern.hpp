// SPDX-License-Identifier: Apache-2.0
// describe_pattern_error(): the messages of Go for regular expressions that are not valid.
#pragma once

#include <string>

#include <re2/re2.h>

namespace pintle::cel {

// The pattern must not be ok().
[[nodiscard]] std::string describe_pattern_error(const re2::RE2& pattern);

}  // namespace pintle::cel
