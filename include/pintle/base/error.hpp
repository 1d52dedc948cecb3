// SPDX-License-Identifier: Apache-2.0
// Error: one failure, with a code for the decisions of the caller and a message for people.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pintle/base/annotations.hpp>

namespace pintle {

/// The kinds of failures that a caller can distinguish. The set is closed on purpose; the Kubernetes reason and the
/// HTTP status of an Error give the details.
enum class ErrorCode {
  unknown,
  cancelled,          ///< ended by the caller or by a stop request; neither success nor failure
  not_found,          ///< 404
  already_exists,     ///< 409, reason AlreadyExists
  conflict,           ///< 409: a conflicting resourceVersion, precondition or field manager
  invalid,            ///< 400, 422, or a value that a check in this process rejects
  unauthorized,       ///< 401
  forbidden,          ///< 403
  expired,            ///< 410: the resourceVersion or continue token is too old
  too_many_requests,  ///< 429
  timeout,            ///< 504, 408, or a deadline in this process
  unavailable,        ///< 500, 502, 503 and similar: the server cannot handle the request at present
  unreachable,        ///< no response: name resolution, connection or TLS failed
  unsupported,        ///< the server or pintle does not support the operation
  not_owned,          ///< the object exists but does not belong to this controller
};

/// Returns the name of a code in snake_case, for logs.
[[nodiscard]] PINTLE_EXPORT std::string_view to_string(ErrorCode code) noexcept;

/// One entry of `details.causes` of a Kubernetes Status, or one field that violates a rule.
struct StatusCause {
  std::string reason{};  ///< FieldValueInvalid, FieldManagerConflict, …
  std::string message{};
  std::string field{};  ///< "spec.replicas"

  friend bool operator==(const StatusCause&, const StatusCause&) = default;
};

/// A failure as a plain value. Concurrent reads are safe.
struct PINTLE_EXPORT Error {
  ErrorCode code = ErrorCode::unknown;
  std::string message{};                                  ///< what failed: one sentence, no newline
  int http_status = 0;                                    ///< 0 if there was no response
  std::string reason{};                                   ///< of the Status ("NotFound"), or one that pintle defines
  std::vector<StatusCause> causes{};                      ///< `details.causes` of the Status
  std::optional<std::chrono::nanoseconds> retry_after{};  ///< the delay that the server requested (Retry-After)
  std::vector<std::string> operations{};                  ///< the operations that failed, innermost first
  bool is_terminal = false;                               ///< a retry cannot succeed; see terminal()

  /// Returns this error, marked as terminal: a retry cannot succeed. A terminal error is counted and reported, and the
  /// key is not requeued.
  [[nodiscard]] Error terminal() const&;
  [[nodiscard]] Error terminal() &&;

  /// Returns this error with `what` appended to `operations`, for example "get configmap default/a".
  [[nodiscard]] Error with_operation(std::string what) &&;

  /// Returns one line: "sync greeting default/a: get configmap default/a: not found (404 NotFound)".
  [[nodiscard]] std::string to_string() const;
};

[[nodiscard]] PINTLE_EXPORT Error make_error(ErrorCode code, std::string message);

}  // namespace pintle
