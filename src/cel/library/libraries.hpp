// SPDX-License-Identifier: Apache-2.0
// The libraries of every environment.
#pragma once

#include <pintle/cel/function.hpp>

namespace pintle::cel {

[[nodiscard]] Library operator_library();          // arithmetic, comparison, members, logic
[[nodiscard]] Library conversion_library();        // int(), string(), …; the names of types
[[nodiscard]] Library string_library();            // size, contains, startsWith, endsWith, matches
[[nodiscard]] Library string_extension_library();  // indexOf, replace, split, format, …
[[nodiscard]] Library time_library();              // getFullYear() and the other parts of timestamps and durations
[[nodiscard]] Library optional_library();          // optional.of(), orValue(), …

}  // namespace pintle::cel
