// The two times a program knows: an instant that only moves forward, and the time of day.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include <pintle/base/result_fwd.hpp>

namespace pintle {

using Duration = std::chrono::nanoseconds;

// Names the monotonic time line. It has no now(): reading a clock goes through Clock, so that a simulated run has one.
struct Monotonic {
  using rep = Duration::rep;
  using period = Duration::period;
  using duration = Duration;
  using time_point = std::chrono::time_point<Monotonic>;
  static constexpr bool is_steady = true;
};

// A point on the monotonic time line. It runs on while the machine is suspended and never steps back.
using Instant = Monotonic::time_point;

// UTC time of day. It may step; never use it for a timeout.
using WallTime = std::chrono::sys_time<std::chrono::nanoseconds>;

// `now + delay` that stops at Instant::max() in place of overflowing; a negative delay counts as none.
[[nodiscard]] Instant after(Instant now, Duration delay) noexcept;

// RFC 3339 as Kubernetes prints it: Time has whole seconds ("2026-01-02T03:04:05Z"), MicroTime six digits.
[[nodiscard]] std::string format_time(WallTime time);
[[nodiscard]] std::string format_micro_time(WallTime time);

// Reads RFC 3339 with any offset and up to nine fractional digits. Error: invalid, naming the text.
[[nodiscard]] Result<WallTime> parse_time(std::string_view text);

// A duration for people: "350ms", "1m30s", "2h".
[[nodiscard]] std::string format_duration(Duration duration);

// Reads one: "15s", "250ms", "1m30s", "1.5h"; positive numbers, each with its unit (ns, us, ms, s, m, h). Error:
// invalid, naming the text.
[[nodiscard]] Result<Duration> parse_duration(std::string_view text);

}  // namespace pintle
