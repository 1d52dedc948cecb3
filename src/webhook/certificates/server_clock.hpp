// SPDX-License-Identifier: Apache-2.0
// ServerClock: the time of day of an API server, which checks the dates of the certificates.
#pragma once

#include <optional>
#include <string_view>

#include <pintle/base/executor.hpp>

namespace pintle {

// Parses the header Date: "Sun, 06 Nov 1994 08:49:37 GMT". None for another text.
[[nodiscard]] std::optional<WallTime> parse_http_date(std::string_view text);

// Returns the time of the last date that the server sent, plus the monotonic time since. Before the first date, returns
// the time of this machine. Thus a wrong clock of this machine, or a jump of it, has no effect. Thread-safety: none.
class ServerClock {
 public:
  explicit ServerClock(const Clock& clock) : clock_(clock) {}

  // `date` is the header of a response that arrived now. A text that is not a date has no effect.
  void set(std::string_view date);
  [[nodiscard]] WallTime now() const;

 private:
  const Clock& clock_;
  std::optional<WallTime> date_;
  Instant date_at_{};
};

}  // namespace pintle
