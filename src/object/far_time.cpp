// SPDX-License-Identifier: Apache-2.0
#include "far_time.hpp"

#include <charconv>
#include <chrono>

#include <fmt/format.h>

#include <pintle/base/time.hpp>

namespace pintle {
namespace {

// The calendar repeats every 400 years, so a time is parsed and printed in a year that a WallTime can represent.
constexpr std::int64_t cycle_years = 400;
constexpr std::int64_t cycle_seconds = 146'097LL * 24 * 3600;
constexpr std::int64_t near_year = 1800;  // first year of the cycle

constexpr std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

constexpr std::int64_t near_seconds = -5'364'662'400;  // the begin of near_year

Error not_a_time(std::string_view text) {
  return make_error(ErrorCode::invalid,
                    fmt::format("\"{}\" is not an RFC 3339 time, such as 2026-01-02T03:04:05Z", text));
}

}  // namespace

std::string FarTime::print(bool micro) const {
  const std::int64_t cycles = floor_div(seconds - near_seconds, cycle_seconds);
  const WallTime near{std::chrono::seconds(seconds - cycles * cycle_seconds) + std::chrono::nanoseconds(nanos)};
  std::string text = micro ? format_micro_time(near) : format_time(near);
  std::int64_t year = 0;
  std::from_chars(text.data(), text.data() + 4, year);
  return fmt::format("{:04}{}", year + cycles * cycle_years, std::string_view(text).substr(4));
}

Result<FarTime> FarTime::parse(std::string_view text) {
  constexpr std::size_t digits = 4;
  int year = 0;
  const bool has_year =
      text.size() > digits && std::from_chars(text.data(), text.data() + digits, year).ptr == text.data() + digits;
  if (!has_year || year < 1) return fail(not_a_time(text));
  const std::int64_t cycles = floor_div(year - near_year, cycle_years);
  const auto near = parse_time(fmt::format("{:04}{}", year - cycles * cycle_years, text.substr(digits)));
  if (!near) return fail(not_a_time(text));
  const auto whole = std::chrono::floor<std::chrono::seconds>(*near);
  return FarTime{.seconds = whole.time_since_epoch().count() + cycles * cycle_seconds,
                 .nanos = std::chrono::nanoseconds(*near - whole).count()};
}

}  // namespace pintle
