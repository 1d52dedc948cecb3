// SPDX-License-Identifier: Apache-2.0
// Classifies the errors that error_from_response() returns.
#pragma once

#include <pintle/client/client.hpp>

namespace pintle {

// Whether a 404 refers to the path and not to an object: the server does not (or no longer) serve the kind.
[[nodiscard]] bool is_path_not_found(const Error& error);

// Whether a JSON patch was rejected because it does not fit the object. A failed test or a missing path is a 422
// without causes; a result that violates a rule is a 422 with causes.
[[nodiscard]] bool is_failed_patch_test(const Error& error);

}  // namespace pintle
