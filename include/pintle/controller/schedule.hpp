// Schedule: points in time, defined by the five fields of cron, in UTC.
#pragma once

#include <bitset>
#include <string_view>

#include <pintle/base/annotations.hpp>
#include <pintle/base/result.hpp>
#include <pintle/base/time.hpp>

namespace pintle {

/// The fields are "minute hour day-of-month month day-of-week". A field contains numbers, names (jan, mon), *, lists,
/// ranges and steps. Sunday is 0 or 7. If both day fields are restricted, a day matches if one of them does, as in
/// cron. `@yearly`, `@monthly`, `@weekly`, `@daily` and `@hourly` are also valid. A plain value; safe for concurrent
/// reads.
class PINTLE_EXPORT Schedule {
 public:
  /// Error: invalid; the message names the field and the reason. A schedule without any point in time, such as February
  /// 30, is invalid too.
  [[nodiscard]] static Result<Schedule> parse(std::string_view text);

  /// Returns the first point in time after `time`. It is on a whole minute.
  [[nodiscard]] WallTime next(WallTime time) const;

 private:
  [[nodiscard]] bool has_day(std::chrono::year_month_day date) const;

  std::bitset<60> minutes_;
  std::bitset<24> hours_;
  std::bitset<32> days_;
  std::bitset<13> months_;
  std::bitset<7> weekdays_;
  bool any_day_ = false;
  bool any_weekday_ = false;
};

}  // namespace pintle
