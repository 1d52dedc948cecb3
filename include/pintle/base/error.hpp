// Error: one failure, as much of it as a caller needs to decide and a person needs to act.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pintle {

// What a caller can decide on. Closed on purpose: the Kubernetes reason and the HTTP status keep the detail.
enum class ErrorCode {
  unknown,
  cancelled,          // the caller, or a stop, ended it: neither success nor failure
  not_found,          // 404
  already_exists,     // 409, reason AlreadyExists
  conflict,           // 409: a resourceVersion, a precondition or another field manager
  invalid,            // 400, 422, or a value of ours that breaks a rule
  unauthorized,       // 401
  forbidden,          // 403
  expired,            // 410: the resourceVersion or continue token is too old
  too_many_requests,  // 429
  timeout,            // 504, 408 or a deadline of ours
  unavailable,        // 500, 502, 503 and the like: the server cannot now
  unreachable,        // no answer at all: name, connection, TLS
  unsupported,        // the other side, or we, do not do this
  not_ours,           // the object exists and somebody else controls it
};

// The snake_case name of a code, for logs.
[[nodiscard]] std::string_view to_string(ErrorCode code) noexcept;

// One entry of Status.details.causes, or one field that breaks a rule.
struct Cause {
  std::string reason{};  // FieldValueInvalid, FieldManagerConflict, …
  std::string message{};
  std::string field{};  // "spec.replicas"

  friend bool operator==(const Cause&, const Cause&) = default;
};

// A failure as a value. Thread-safety: a plain value.
struct Error {
  ErrorCode code = ErrorCode::unknown;
  std::string message{};                                  // what went wrong, one sentence, no newline
  int http_status = 0;                                    // 0 where no answer came
  std::string reason{};                                   // the Kubernetes reason: NotFound, Invalid, …
  std::vector<Cause> causes{};                            // details.causes
  std::optional<std::chrono::nanoseconds> retry_after{};  // Retry-After, when the server gave one
  std::vector<std::string> doing{};                       // what was being done, innermost first
  bool is_terminal = false;                               // retrying cannot help; see terminal()

  // The same error, marked as one that a retry cannot mend: it is counted and reported but not queued again.
  [[nodiscard]] Error terminal() const&;
  [[nodiscard]] Error terminal() &&;

  // The same error with one more layer of what was being done: "get configmap default/a".
  [[nodiscard]] Error during(std::string what) &&;

  // One line: "sync greeting default/a: get configmap default/a: not found (404 NotFound)".
  [[nodiscard]] std::string to_string() const;
};

[[nodiscard]] Error make_error(ErrorCode code, std::string message);

}  // namespace pintle
