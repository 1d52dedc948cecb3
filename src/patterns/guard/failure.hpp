// SPDX-License-Identifier: Apache-2.0
// Classification of errors: whether an error means that the workspace has failed.
#pragma once

#include <string>
#include <utility>

#include <pintle/base/error.hpp>

namespace pintle::guard {

// Whether the error is temporary and therefore does not show that the workspace has failed.
[[nodiscard]] inline bool is_temporary(const Error& error) {
  switch (error.code) {
    case ErrorCode::cancelled:
    case ErrorCode::too_many_requests:
    case ErrorCode::timeout:
    case ErrorCode::unavailable:
    case ErrorCode::unreachable: return !error.is_terminal;
    default: return false;
  }
}

// The reason of a conflict that an API server reports or that this pattern detects. A conflict of another system does
// not have this reason.
inline constexpr const char* conflict_reason = "Conflict";
[[nodiscard]] inline bool is_conflict_of_api(const Error& error) {
  return error.code == ErrorCode::conflict && error.reason == conflict_reason;
}
// Whether the error does not fail the workspace, no matter which step returned it.
[[nodiscard]] inline bool is_not_final(const Error& error) { return is_temporary(error) || is_conflict_of_api(error); }
[[nodiscard]] inline Error conflict(std::string message) {
  Error error = make_error(ErrorCode::conflict, std::move(message));
  error.reason = conflict_reason;
  return error;
}

}  // namespace pintle::guard
