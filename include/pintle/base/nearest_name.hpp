// did_you_mean(): the known name that is nearest to a mistyped one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pintle {

// Returns "; did you mean --log-level?" with the known name that is nearest, or an empty text if none is near. All
// known names begin with `prefix`, which is printed but not compared.
[[nodiscard]] std::string did_you_mean(std::string_view wrong, const std::vector<std::string>& known,
                                       std::string_view prefix = {});

}  // namespace pintle
