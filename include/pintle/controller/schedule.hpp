// Schedule: times by the five fields of cron, in UTC.
#pragma once

#include <bitset>
#include <string_view>

#include <pintle/base/result.hpp>
#include <pintle/base/time.hpp>

namespace pintle {

// "minute hour day-of-month month day-of-week": numbers, names (jan, mon), *, lists, ranges and steps; 7 is Sunday too.
// When both days are restricted, either suffices, as cron has it. Also @yearly, @monthly, @weekly, @daily, @hourly.
// A plain value; thread-safe to read.
class Schedule {
 public:
  // Error: invalid, naming the field and why; also for a schedule that never comes, such as February 30.
  [[nodiscard]] static Result<Schedule> parse(std::string_view text);

  // The first time after `time`, on a whole minute.
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
