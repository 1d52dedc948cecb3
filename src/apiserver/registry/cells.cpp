#include "cells.hpp"

#include <fmt/format.h>

namespace pintle::apiserver {
namespace {

std::string two_units(std::int64_t whole, const char* unit, std::int64_t rest, const char* rest_unit) {
  return rest == 0 ? fmt::format("{}{}", whole, unit) : fmt::format("{}{}{}{}", whole, unit, rest, rest_unit);
}

}  // namespace

std::string human_duration(Duration duration) {
  const std::int64_t seconds = std::chrono::duration_cast<std::chrono::seconds>(duration).count();
  if (seconds < -1) return "<invalid>";
  if (seconds < 0) return "0s";
  const std::int64_t minutes = seconds / 60;
  const std::int64_t hours = minutes / 60;
  const std::int64_t days = hours / 24;
  const std::int64_t years = days / 365;
  if (seconds < 120) return fmt::format("{}s", seconds);
  if (minutes < 10) return two_units(minutes, "m", seconds % 60, "s");
  if (hours < 3) return fmt::format("{}m", minutes);
  if (hours < 8) return two_units(hours, "h", minutes % 60, "m");
  if (hours < 48) return fmt::format("{}h", hours);
  if (days < 8) return two_units(days, "d", hours % 24, "h");
  if (years < 2) return fmt::format("{}d", days);
  if (years < 8) return two_units(years, "y", days % 365, "d");
  return fmt::format("{}y", years);
}

std::string human_age(std::string_view timestamp, WallTime now) {
  if (timestamp.empty()) return "<unknown>";
  const auto time = parse_time(timestamp);
  return time ? human_duration(now - *time) : "<invalid>";
}

std::string age_cell(json::View object, WallTime now) {
  return human_age(object["/metadata/creationTimestamp"].text(), now);
}

std::int64_t integer_cell(json::View value) { return value.as_integer().value_or(0); }

}  // namespace pintle::apiserver
