// Whether a write failed because what it was made from is no longer so.
#pragma once

#include <pintle/base/error.hpp>

namespace pintle {

// Reading again and writing again may succeed. A JSON patch with a `test` that fails is answered 422 with no cause, and
// a stale resourceVersion 409.
[[nodiscard]] inline bool says_it_changed(const Error& error) {
  constexpr int unprocessable = 422;
  return error.code == ErrorCode::conflict || (error.http_status == unprocessable && error.causes.empty());
}

// How often a write is made anew before its conflict is for the caller, whose pass has a back-off.
inline constexpr int most_write_attempts = 5;

}  // namespace pintle
