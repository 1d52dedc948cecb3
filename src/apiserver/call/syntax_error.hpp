// SPDX-License-Identifier: Apache-2.0
// syntax_error(): why a text is no JSON, in the words of kube-apiserver.
#pragma once

#include <string>
#include <string_view>

namespace pintle::apiserver {

// Returns the error of the parser of kube-apiserver: "invalid character 'x' after object key", "unexpected end of JSON
// input". Empty if it accepts the text.
[[nodiscard]] std::string syntax_error(std::string_view text);

}  // namespace pintle::apiserver
