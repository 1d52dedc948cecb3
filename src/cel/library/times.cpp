// SPDX-License-Identifier: Apache-2.0
// The parts of timestamps and durations.
#include <charconv>
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <date/tz.h>

#include <pintle/base/exceptions.hpp>
#include <pintle/base/result.hpp>
#include <pintle/cel/function.hpp>
#include <pintle/cel/value.hpp>

#include "declare.hpp"
#include "libraries.hpp"

namespace pintle::cel {
namespace {

// A local time: the date and the time of day in a time zone.
struct LocalTime {
  std::chrono::year_month_day date;
  std::chrono::weekday weekday;
  int day_of_year = 0;  // from 0
  std::chrono::hh_mm_ss<std::chrono::seconds> clock;
  std::int32_t nanoseconds = 0;
};

LocalTime at_offset(const Timestamp& time, std::chrono::seconds offset) {
  using namespace std::chrono;
  const sys_seconds instant = sys_seconds(seconds(time.seconds)) + offset;
  const auto day = floor<days>(instant);
  const year_month_day date(day);
  const auto new_year = sys_days(date.year() / January / 1);
  return {.date = date,
          .weekday = weekday(day),
          .day_of_year = static_cast<int>((day - new_year).count()),
          .clock = hh_mm_ss<seconds>(instant - day),
          .nanoseconds = time.nanoseconds};
}

std::optional<int> parse_int(std::string_view text) {
  if (text.starts_with('+') && !text.substr(1).starts_with('-')) text.remove_prefix(1);
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// The offset of "+02:00".
Result<std::chrono::seconds> numeric_offset(std::string_view zone, std::size_t colon) {
  const auto hours = parse_int(zone.substr(0, colon));
  const auto minutes = parse_int(zone.substr(colon + 1));
  if (!hours || !minutes || *hours < -24 || *hours > 24) {
    return failure("invalid time zone offset: " + std::string(zone));
  }
  if (*minutes < 0 || *minutes > 59) {
    return failure("timezone offset minutes out of range [0, 59]: " + std::string(zone));
  }
  const bool is_negative = zone.starts_with('-');
  return std::chrono::hours(*hours) + std::chrono::minutes(is_negative ? -*minutes : *minutes);
}

Result<std::chrono::seconds> offset_of(const Timestamp& time, std::string_view zone) {
  if (const auto colon = zone.find(':'); colon != std::string_view::npos) return numeric_offset(zone, colon);
  if (zone.empty() || zone == "UTC") return std::chrono::seconds(0);
  try {
    const auto* found = date::locate_zone(std::string(zone));
    return found->get_info(date::sys_seconds(std::chrono::seconds(time.seconds))).offset;
  } catch (...) {
    return failure("unknown time zone " + std::string(zone));
  }
}

using Part = std::int64_t (*)(const LocalTime& time);

Function part_of_timestamp(Part part) {
  return [part](Arguments arguments) -> Result<Value> {
    const auto time = *arguments[0].as_timestamp();
    auto offset = arguments.size() == 1 ? Result<std::chrono::seconds>(std::chrono::seconds(0))
                                        : offset_of(time, *arguments[1].as_string());
    if (!offset) return fail(std::move(offset.error()));
    return Value::integer(part(at_offset(time, *offset)));
  };
}

FunctionDeclaration timestamp_part(std::string name, Part part) {
  const auto function = part_of_timestamp(part);
  return {std::move(name),
          {member({Type::timestamp()}, Type::integer(), function),
           member({Type::timestamp(), Type::string()}, Type::integer(), function)}};
}

// The whole duration in a unit.
template <class Unit>
Overload duration_in() {
  return member({Type::duration()}, Type::integer(), [](Arguments arguments) -> Result<Value> {
    return Value::integer(std::chrono::duration_cast<Unit>(*arguments[0].as_duration()).count());
  });
}

}  // namespace

Library time_library() {
  auto hours = timestamp_part("getHours", [](const LocalTime& t) -> std::int64_t { return t.clock.hours().count(); });
  auto minutes =
      timestamp_part("getMinutes", [](const LocalTime& t) -> std::int64_t { return t.clock.minutes().count(); });
  auto seconds =
      timestamp_part("getSeconds", [](const LocalTime& t) -> std::int64_t { return t.clock.seconds().count(); });
  auto milliseconds =
      timestamp_part("getMilliseconds", [](const LocalTime& t) -> std::int64_t { return t.nanoseconds / 1'000'000; });
  hours.overloads.push_back(duration_in<std::chrono::hours>());
  minutes.overloads.push_back(duration_in<std::chrono::minutes>());
  seconds.overloads.push_back(duration_in<std::chrono::seconds>());
  milliseconds.overloads.push_back(duration_in<std::chrono::milliseconds>());
  const auto month = [](const LocalTime& t) -> std::int64_t { return unsigned(t.date.month()) - 1; };
  const auto day = [](const LocalTime& t) -> std::int64_t { return unsigned(t.date.day()); };
  const auto day_from_zero = [](const LocalTime& t) -> std::int64_t { return unsigned(t.date.day()) - 1; };
  return {.functions = {
              timestamp_part("getFullYear", [](const LocalTime& t) -> std::int64_t { return int(t.date.year()); }),
              timestamp_part("getMonth", month), timestamp_part("getDate", day),
              timestamp_part("getDayOfMonth", day_from_zero),
              timestamp_part("getDayOfWeek", [](const LocalTime& t) -> std::int64_t { return t.weekday.c_encoding(); }),
              timestamp_part("getDayOfYear", [](const LocalTime& t) -> std::int64_t { return t.day_of_year; }), hours,
              minutes, seconds, milliseconds}};
}

}  // namespace pintle::cel
