// SPDX-License-Identifier: Apache-2.0
// retry_pause: decides whether and when a request is repeated, as a pure function.
#pragma once

#include <optional>

#include <pintle/base/backoff.hpp>
#include <pintle/base/error.hpp>
#include <pintle/base/time.hpp>

namespace pintle {

// Whether sending a request twice has the same effect as sending it once. If not, it is repeated only if the server
// reports that it has not begun the request: a repeated POST with generateName would create a second object.
enum class Repeatable { no, yes };

struct RetryOptions {
  unsigned max_retries = 10;
  // If a response requests a longer pause, the caller receives the error and need not occupy a thread meanwhile.
  Duration max_pause = std::chrono::seconds(30);
  // Without a response the request is repeated for this time at most: a single connection may be lost, but an
  // unreachable server must be reported soon.
  Duration unreachable_for = std::chrono::seconds(1);
  Backoff unreachable{.base = std::chrono::milliseconds(100), .factor = 2, .cap = std::chrono::seconds(1)};
};

// The attempts so far.
struct Attempts {
  unsigned retries = 0;
  Duration elapsed{};  // since the first attempt
};

// Returns the time to wait before the request is repeated, or nothing if the caller must receive `error`.
[[nodiscard]] std::optional<Duration> retry_pause(const Error& error, Repeatable repeatable, const Attempts& attempts,
                                                  const RetryOptions& options = {});

}  // namespace pintle
