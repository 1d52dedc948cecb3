// SPDX-License-Identifier: Apache-2.0
// Detects write conflicts: failures because the object has changed since it was read.
#pragma once

#include <pintle/base/error.hpp>

#include "client/errors.hpp"

namespace pintle {

// Returns whether the write may succeed after the object was read again. The status is 409 for an old resourceVersion,
// and 422 for a JSON patch with a failed `test`.
[[nodiscard]] inline bool is_write_conflict(const Error& error) {
  return error.code == ErrorCode::conflict || is_failed_patch_test(error);
}

// The maximum number of attempts of a write. After that the conflict is returned to the caller, and the back-off of the
// reconcile applies.
inline constexpr int max_write_attempts = 5;

}  // namespace pintle
