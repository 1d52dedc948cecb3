// What an error says about the workspace.
#pragma once

#include <string>
#include <utility>

#include <pintle/base/error.hpp>

namespace pintle::guard {

// It was not found out whether anything is wrong with the workspace.
[[nodiscard]] inline bool says_not_now(const Error& error) {
  switch (error.code) {
    case ErrorCode::cancelled:
    case ErrorCode::too_many_requests:
    case ErrorCode::timeout:
    case ErrorCode::unavailable:
    case ErrorCode::unreachable: return !error.is_terminal;
    default: return false;
  }
}

// The reason that an API server gives for a conflict, and so do we. A conflict of another system has none.
inline constexpr const char* conflict_reason = "Conflict";
[[nodiscard]] inline bool is_conflict_of_api(const Error& error) {
  return error.code == ErrorCode::conflict && error.reason == conflict_reason;
}
// Whatever step it is of, the workspace has not failed.
[[nodiscard]] inline bool is_for_now(const Error& error) { return says_not_now(error) || is_conflict_of_api(error); }
[[nodiscard]] inline Error conflict(std::string message) {
  Error error = make_error(ErrorCode::conflict, std::move(message));
  error.reason = conflict_reason;
  return error;
}

}  // namespace pintle::guard
