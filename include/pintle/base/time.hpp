// SPDX-License-Identifier: Apache-2.0
// The two kinds of time: Instant is monotonic, WallTime is a calendar time in UTC.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include <pintle/base/annotations.hpp>
#include <pintle/base/result_fwd.hpp>

namespace pintle {

using Duration = std::chrono::nanoseconds;

/// The clock type of Instant. It has no now(): the time is read from a Clock, so that it can be simulated.
struct Monotonic {
  using rep = Duration::rep;
  using period = Duration::period;
  using duration = Duration;
  using time_point = std::chrono::time_point<Monotonic>;
  static constexpr bool is_steady = true;
};

/// A point in monotonic time. Monotonic time includes suspend and never goes back.
using Instant = Monotonic::time_point;

/// A point in calendar time (UTC). It may jump; do not use it for timeouts.
using WallTime = std::chrono::sys_time<std::chrono::nanoseconds>;

/// Returns `now + delay`, or Instant::max() instead of an overflow. A negative delay counts as zero.
[[nodiscard]] PINTLE_EXPORT Instant after(Instant now, Duration delay) noexcept;

/// Formats RFC 3339 as Kubernetes does: metav1.Time has whole seconds ("2026-01-02T03:04:05Z"), metav1.MicroTime has
/// six fractional digits.
[[nodiscard]] PINTLE_EXPORT std::string format_time(WallTime time);
[[nodiscard]] PINTLE_EXPORT std::string format_micro_time(WallTime time);

/// Parses RFC 3339 with any offset and up to nine fractional digits. The year must be 1700 to 2250, because a WallTime
/// cannot represent all years of RFC 3339. Error: invalid; the message contains the text.
[[nodiscard]] PINTLE_EXPORT Result<WallTime> parse_time(std::string_view text);

/// Formats a duration for people: "350ms", "1m30s", "2h".
[[nodiscard]] PINTLE_EXPORT std::string format_duration(Duration duration);

/// Parses a duration such as "15s", "250ms", "1m30s" or "1.5h": non-negative numbers, each with its unit (ns, us, ms,
/// s, m, h), at most 100 years of 365 days in all. Error: invalid; the message contains the text.
[[nodiscard]] PINTLE_EXPORT Result<Duration> parse_duration(std::string_view text);

}  // namespace pintle
