// did_you_mean(): suggests the known name that is most similar to a mistyped one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pintle {

// Returns "; did you mean --log-level?" with the most similar name of `known`, or an empty string if no name is
// similar. `prefix` ("--") is printed before the name; it is not part of the names in `known`, and `wrong` is compared
// without it.
[[nodiscard]] std::string did_you_mean(std::string_view wrong, const std::vector<std::string>& known,
                                       std::string_view prefix = {});

}  // namespace pintle
