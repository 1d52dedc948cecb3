// SPDX-License-Identifier: Apache-2.0
// Text of timestamps and durations, and the calendar.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <pintle/cel/value.hpp>

namespace pintle::cel {

// Returns nothing if the text is not RFC 3339, or if the year is not 1 to 9999.
[[nodiscard]] std::optional<Timestamp> parse_timestamp(std::string_view text);
// RFC 3339 with the shortest fraction: "2024-01-02T03:04:05.5Z".
[[nodiscard]] std::string format_timestamp(const Timestamp& time);

// Parses a sequence of numbers with units, with an optional sign: "1h30m", "-1.5s", "0".
[[nodiscard]] std::optional<std::chrono::nanoseconds> parse_duration_text(std::string_view text);
// Seconds with the shortest fraction: "5400s", "0.5s".
[[nodiscard]] std::string format_duration_text(std::chrono::nanoseconds duration);

[[nodiscard]] bool is_in_range(const Timestamp& time) noexcept;
// Returns nothing if the result is out of range.
[[nodiscard]] std::optional<Timestamp> add(const Timestamp& time, std::chrono::nanoseconds duration) noexcept;
[[nodiscard]] std::optional<std::chrono::nanoseconds> subtract(const Timestamp& a, const Timestamp& b) noexcept;

}  // namespace pintle::cel
