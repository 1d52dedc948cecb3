// When a request is sent again, as a pure function.
#pragma once

#include <optional>

#include <pintle/base/backoff.hpp>
#include <pintle/base/error.hpp>
#include <pintle/base/time.hpp>

namespace pintle {

// Whether doing a request twice leaves the same as doing it once. If not, it is sent again only when the server says
// that it has not begun it: a repeated POST with generateName would make a second object.
enum class Repeatable { no, yes };

struct RetryRules {
  unsigned limit = 10;
  // A server that asks for a longer pause has its answer handed to the caller, who need not hold a thread meanwhile.
  Duration longest_pause = std::chrono::seconds(30);
  // No answer at all is tried again for a second at most: a connection may be lost, but a server that is not there
  // should be reported soon.
  Duration unreachable_for = std::chrono::seconds(1);
  Backoff unreachable{.base = std::chrono::milliseconds(100), .factor = 2, .cap = std::chrono::seconds(1)};
};

// What was done so far.
struct Attempts {
  unsigned retries = 0;
  Duration elapsed{};  // since the first was sent
};

// How long to wait before sending again after `error`; nothing when it is for the caller.
[[nodiscard]] std::optional<Duration> retry_pause(const Error& error, Repeatable repeatable, const Attempts& attempts,
                                                  const RetryRules& rules = {});

}  // namespace pintle
