// What somebody who mistyped a name may have meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pintle {

// "; did you mean --log-level?", with the known name that is nearest; empty when none is near. `prefix` begins all of
// them, and is told but not compared.
[[nodiscard]] std::string did_you_mean(std::string_view wrong, const std::vector<std::string>& known,
                                       std::string_view prefix = {});

}  // namespace pintle
