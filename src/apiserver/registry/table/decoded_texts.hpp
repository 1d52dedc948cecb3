// SPDX-License-Identifier: Apache-2.0
// The errors of the types that decode a text themselves, in the words of kube-apiserver.
#pragma once

#include <string>
#include <string_view>

namespace pintle::apiserver {

// Return the error in a text; empty if it can be read. `micro`: the time must have six digits after the second.
[[nodiscard]] std::string time_error(std::string_view text, bool micro);
[[nodiscard]] std::string quantity_error(std::string_view text);
[[nodiscard]] std::string base64_error(std::string_view text);

}  // namespace pintle::apiserver
