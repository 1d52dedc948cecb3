// SPDX-License-Identifier: Apache-2.0
#include "cron_schedule.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <pintle/base/text.hpp>

namespace pintle::apiserver {
namespace {

constexpr std::string_view delay_prefix = "@every ";

Result<void> check_zone(std::string_view name) {
  const auto schedule = Schedule::parse("* * * * *", name);
  if (!schedule) return fail(schedule.error());
  return {};
}

}  // namespace

Result<CronSchedule> CronSchedule::parse(std::string_view text, std::string_view time_zone, WallTime start) {
  CronSchedule out;
  if (!text.starts_with(delay_prefix)) {
    auto fields = Schedule::parse(text, time_zone);
    if (!fields) return fail(std::move(fields.error()));
    out.fields_ = std::move(*fields);
    return out;
  }
  const std::string_view given = text.substr(delay_prefix.size());
  const auto delay = parse_duration(given);
  if (!delay) {
    return fail(ErrorCode::invalid,
                fmt::format("failed to parse duration {}: time: invalid duration \"{}\"", text, given));
  }
  if (auto zone = check_zone(time_zone); !zone) return fail(std::move(zone.error()));
  out.delay_ = std::max(std::chrono::floor<std::chrono::seconds>(*delay), std::chrono::seconds(1));
  out.start_ = std::chrono::floor<std::chrono::seconds>(start);
  return out;
}

WallTime CronSchedule::next(WallTime time) const {
  if (fields_) return fields_->next(time);
  if (time < start_) return start_ + delay_;
  return start_ + (std::chrono::floor<std::chrono::seconds>(time - start_) / delay_ + 1) * delay_;
}

std::optional<WallTime> CronSchedule::last(WallTime after, WallTime until) const {
  if (fields_) return fields_->last(after, until);
  if (until < start_ + delay_) return std::nullopt;
  const WallTime found = start_ + std::chrono::floor<std::chrono::seconds>(until - start_) / delay_ * delay_;
  return found > after ? std::optional(found) : std::nullopt;
}

std::string time_zone_error(std::string_view name) {
  if (name.empty()) return "timeZone must be nil or non-empty string";
  if (to_lower_ascii(name) == "local") {
    return "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones";
  }
  const auto checked = check_zone(name);
  if (checked) return {};
  // Without any time zone data, no zone can be found; the error of the schedule has the remedy.
  return check_zone("Europe/Berlin") ? fmt::format("unknown time zone {}", name) : checked.error().message;
}

}  // namespace pintle::apiserver
