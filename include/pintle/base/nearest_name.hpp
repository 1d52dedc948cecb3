// SPDX-License-Identifier: Apache-2.0
// did_you_mean(): suggests the known name that is most similar to a mistyped one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/annotations.hpp>

namespace pintle {

/// Returns a suggestion such as "; did you mean --log-level?", or an empty string if no name in `known` is similar to
/// `wrong`. Pass the names in `known` without `prefix` ("--"): the function adds the prefix to the suggested name, and
/// ignores it at the start of `wrong`.
[[nodiscard]] PINTLE_EXPORT std::string did_you_mean(std::string_view wrong, const std::vector<std::string>& known,
                                                     std::string_view prefix = {});

}  // namespace pintle
