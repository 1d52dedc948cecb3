// SPDX-License-Identifier: Apache-2.0
// Schedule: points in time, defined by the five fields of cron in a time zone.
#pragma once

#include <bitset>
#include <memory>
#include <optional>
#include <string_view>

#include <pintle/base/annotations.hpp>
#include <pintle/base/result.hpp>
#include <pintle/base/time.hpp>

namespace pintle {

namespace internal {
class TimeZone;
}

/// The fields are "minute hour day-of-month month day-of-week". A field contains numbers, names (jan, mon), *, lists,
/// ranges and steps. Sunday is 0 or 7. If both day fields are restricted, a day matches if one of them does, as in
/// cron. `@yearly`, `@monthly`, `@weekly`, `@daily` and `@hourly` are also valid. A plain value; safe for concurrent
/// reads.
///
/// With a time zone, the fields are local times. When clocks change, the rules are those of a CronJob of Kubernetes: a
/// local time that clocks skip gives no point in time, and a local time that occurs twice gives two.
class PINTLE_EXPORT Schedule {
 public:
  /// `time_zone` is a name such as "Europe/Berlin"; empty: UTC. Any zone except UTC requires the time zone data of the
  /// system (Debian: package tzdata). Error: invalid; the message names the field or zone, the reason and the remedy. A
  /// schedule without any point in time, such as February 30, is invalid too.
  [[nodiscard]] static Result<Schedule> parse(std::string_view text, std::string_view time_zone = {});

  /// Returns the first point in time after `time`. It is on a whole minute of the local time.
  [[nodiscard]] WallTime next(WallTime time) const;

  /// Returns the last point in time after `after` and not after `until`; nothing if there is none. The cost does not
  /// depend on the number of points in between.
  [[nodiscard]] std::optional<WallTime> last(WallTime after, WallTime until) const;

 private:
  [[nodiscard]] WallTime next_local(WallTime from, WallTime end) const;
  [[nodiscard]] bool has_day(std::chrono::year_month_day date) const;

  std::bitset<60> minutes_;
  std::bitset<24> hours_;
  std::bitset<32> days_;
  std::bitset<13> months_;
  std::bitset<7> weekdays_;
  bool any_day_ = false;
  bool any_weekday_ = false;
  std::shared_ptr<const internal::TimeZone> zone_{};  // null: UTC
};

}  // namespace pintle
