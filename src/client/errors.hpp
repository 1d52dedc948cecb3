// SPDX-License-Identifier: Apache-2.0
// Classifies the errors that error_from_response() returns.
#pragma once

#include <string_view>

#include <pintle/client/client.hpp>

namespace pintle {

// Whether a 404 refers to the path and not to an object: the server does not (or no longer) serve the kind.
[[nodiscard]] bool is_path_not_found(const Error& error);

// The message of an API server about a JSON patch that does not fit the object.
inline constexpr std::string_view failed_patch = "the server rejected our request due to an error in our request";

// Whether a JSON patch was rejected because it does not fit the object. A failed test or a missing path is a 422
// without causes and with this message. A result that violates a rule is a 422 with causes, and the denial of a
// webhook, which may be a 422 without causes, has a message of its own.
[[nodiscard]] bool is_failed_patch_test(const Error& error);

}  // namespace pintle
