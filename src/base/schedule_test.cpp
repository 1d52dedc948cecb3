// SPDX-License-Identifier: Apache-2.0
#include <pintle/base/schedule.hpp>

#include <chrono>
#include <optional>
#include <string>

#include <gtest/gtest.h>

namespace pintle {
namespace {

// Returns the first time after `from` as text, or the error.
std::string next(const char* schedule, const char* from, const char* time_zone = "") {
  const auto parsed = Schedule::parse(schedule, time_zone);
  return parsed ? format_time(parsed->next(parse_time(from).value())) : parsed.error().message;
}

TEST(Schedule, ComesOnWholeMinutesAfterTheTime) {
  EXPECT_EQ(next("* * * * *", "2026-01-02T03:04:05Z"), "2026-01-02T03:05:00Z");
  EXPECT_EQ(next("* * * * *", "2026-01-02T03:04:00Z"), "2026-01-02T03:05:00Z");
  EXPECT_EQ(next("30 2 * * *", "2026-01-02T03:04:05Z"), "2026-01-03T02:30:00Z");
}

TEST(Schedule, ParsesListsRangesStepsAndNames) {
  EXPECT_EQ(next("*/15 * * * *", "2026-01-02T03:16:00Z"), "2026-01-02T03:30:00Z");
  EXPECT_EQ(next("5/20 * * * *", "2026-01-02T03:26:00Z"), "2026-01-02T03:45:00Z");
  EXPECT_EQ(next("0 8-10,14 * * *", "2026-01-02T10:00:00Z"), "2026-01-02T14:00:00Z");
  EXPECT_EQ(next("0 0 * feb-mar *", "2026-01-02T10:00:00Z"), "2026-02-01T00:00:00Z");
  EXPECT_EQ(next("0 0 * * Mon", "2026-01-02T10:00:00Z"), "2026-01-05T00:00:00Z");
  EXPECT_EQ(next("0 0 * * 7", "2026-01-02T10:00:00Z"), "2026-01-04T00:00:00Z");
  EXPECT_EQ(next("0 0 * * 5-7", "2026-01-02T10:00:00Z"), "2026-01-03T00:00:00Z");
  EXPECT_EQ(next("@hourly", "2026-01-02T10:00:00Z"), "2026-01-02T11:00:00Z");
  EXPECT_EQ(next("@yearly", "2026-01-02T10:00:00Z"), "2027-01-01T00:00:00Z");
}

TEST(Schedule, EitherDaySufficesWhenBothAreRestricted) {
  EXPECT_EQ(next("0 0 13 * 5", "2026-01-02T10:00:00Z"), "2026-01-09T00:00:00Z");
  EXPECT_EQ(next("0 0 13 * 5", "2026-01-09T10:00:00Z"), "2026-01-13T00:00:00Z");
  EXPECT_EQ(next("0 0 13 * *", "2026-01-02T10:00:00Z"), "2026-01-13T00:00:00Z");
}

TEST(Schedule, FindsLeapDays) { EXPECT_EQ(next("0 0 29 2 *", "2097-01-01T00:00:00Z"), "2104-02-29T00:00:00Z"); }

// Returns the last time after `after` and not after `until` as text, "none", or the error.
std::string last(const char* schedule, const char* after, const char* until, const char* time_zone = "") {
  const auto parsed = Schedule::parse(schedule, time_zone);
  if (!parsed) return parsed.error().message;
  const auto found = parsed->last(parse_time(after).value(), parse_time(until).value());
  return found ? format_time(*found) : "none";
}

TEST(Schedule, FindsTheLastTimeOfAnInterval) {
  EXPECT_EQ(last("* * * * *", "2026-01-02T03:04:00Z", "2026-01-02T03:04:59Z"), "none");
  EXPECT_EQ(last("* * * * *", "2026-01-02T03:04:00Z", "2026-01-02T03:05:00Z"), "2026-01-02T03:05:00Z") << "inclusive";
  EXPECT_EQ(last("* * * * *", "2026-01-02T03:04:59Z", "2026-01-02T03:05:00Z"), "2026-01-02T03:05:00Z");
  EXPECT_EQ(last("* * * * *", "1990-01-02T03:04:00Z", "2026-01-02T03:05:59Z"), "2026-01-02T03:05:00Z");
  EXPECT_EQ(last("30 2 * * *", "2026-01-02T02:30:00Z", "2026-01-03T02:29:59Z"), "none") << "exclusive";
  EXPECT_EQ(last("*/7 4 * * mon", "2026-01-02T00:00:00Z", "2026-03-01T00:00:00Z"), "2026-02-23T04:56:00Z");
  EXPECT_EQ(last("0 0 29 2 *", "2000-03-01T00:00:00Z", "2026-03-01T00:00:00Z"), "2024-02-29T00:00:00Z");
  EXPECT_EQ(last("* * * * *", "2026-01-02T03:04:00Z", "2026-01-01T00:00:00Z"), "none") << "ends before it begins";
  EXPECT_EQ(last("30 1 * * *", "2012-11-01T00:00:00Z", "2012-11-04T12:00:00Z", "America/New_York"),
            "2012-11-04T06:30:00Z")
      << "the second time at which it is 01:30";
}

TEST(Schedule, TheLastTimeIsTheOneThatAWalkFinds) {
  for (const char* schedule : {"* * * * *", "*/7 3-5 * * *", "13 4 1,15 * fri", "0 0 1 * *"}) {
    const Schedule parsed = Schedule::parse(schedule).value();
    const WallTime begin = parse_time("2026-01-02T03:04:05Z").value();
    WallTime walked = begin;
    for (WallTime until = begin; until < begin + std::chrono::days(50); until += std::chrono::minutes(97)) {
      for (WallTime at = parsed.next(walked); at <= until; at = parsed.next(at)) walked = at;
      const auto expected = walked == begin ? std::nullopt : std::optional(walked);
      ASSERT_EQ(parsed.last(begin, until), expected) << schedule << " until " << format_time(until);
    }
  }
}

std::string in_new_york(const char* schedule, const char* from) { return next(schedule, from, "America/New_York"); }

TEST(Schedule, CountsInTheLocalTimeOfItsZone) {
  EXPECT_EQ(next("0 9 * * *", "2026-01-02T00:00:00Z", "Europe/Berlin"), "2026-01-02T08:00:00Z");
  EXPECT_EQ(next("0 9 * * *", "2026-07-02T00:00:00Z", "Europe/Berlin"), "2026-07-02T07:00:00Z");
  EXPECT_EQ(next("0 9 * * *", "2026-07-02T07:00:00Z", "Europe/Berlin"), "2026-07-03T07:00:00Z");
  EXPECT_EQ(next("0 0 * * mon", "2026-01-02T00:00:00Z", "Asia/Kolkata"), "2026-01-04T18:30:00Z")
      << "a day earlier in UTC";
  EXPECT_EQ(next("0 0 29 2 *", "2026-03-01T00:00:00Z", "Pacific/Auckland"), "2028-02-28T11:00:00Z");
  for (const char* utc : {"", "UTC", "Etc/UTC"}) {
    EXPECT_EQ(next("0 9 * * *", "2026-01-02T00:00:00Z", utc), "2026-01-02T09:00:00Z") << utc;
  }
}

// 2012-03-11: 02:00 EST becomes 03:00 EDT. As in CronJobs of Kubernetes.
TEST(Schedule, ALocalTimeThatClocksSkipIsNoPointInTime) {
  EXPECT_EQ(in_new_york("0 2 * * *", "2012-03-10T08:00:00Z"), "2012-03-12T06:00:00Z");
  EXPECT_EQ(in_new_york("30 2 11 3 *", "2012-03-10T08:00:00Z"), "2013-03-11T06:30:00Z");
  EXPECT_EQ(in_new_york("0 * * * *", "2012-03-11T06:00:00Z"), "2012-03-11T07:00:00Z") << "01:00 EST, then 03:00 EDT";
  EXPECT_EQ(in_new_york("0 3 * * *", "2012-03-10T09:00:00Z"), "2012-03-11T07:00:00Z");
  EXPECT_EQ(in_new_york("*/20 * * * *", "2012-03-11T06:40:00Z"), "2012-03-11T07:00:00Z");
}

// 2012-11-04: 02:00 EDT becomes 01:00 EST. As in CronJobs of Kubernetes.
TEST(Schedule, ALocalTimeThatOccursTwiceIsTwoPointsInTime) {
  EXPECT_EQ(in_new_york("0 1 * * *", "2012-11-04T04:00:00Z"), "2012-11-04T05:00:00Z");
  EXPECT_EQ(in_new_york("0 1 * * *", "2012-11-04T05:00:00Z"), "2012-11-04T06:00:00Z");
  EXPECT_EQ(in_new_york("0 1 * * *", "2012-11-04T06:00:00Z"), "2012-11-05T06:00:00Z");
  EXPECT_EQ(in_new_york("30 1 4 11 *", "2012-11-04T05:45:00Z"), "2012-11-04T06:30:00Z");
  EXPECT_EQ(in_new_york("0 * * * *", "2012-11-04T06:00:00Z"), "2012-11-04T07:00:00Z");
  EXPECT_EQ(in_new_york("0 2 * * *", "2012-11-04T04:00:00Z"), "2012-11-04T07:00:00Z");
}

TEST(Schedule, ReportsInvalidTimeZones) {
  EXPECT_EQ(next("@daily", "", "Europe/Berln"), "time zone \"Europe/Berln\" is unknown; did you mean Europe/Berlin?");
  EXPECT_EQ(next("@daily", "", "Local"), "time zone \"Local\" is unknown; use a name such as Europe/Berlin");
  EXPECT_EQ(next("@daily", "", "../../etc/passwd"),
            "time zone \"../../etc/passwd\" is unknown; use a name such as Europe/Berlin");
  EXPECT_EQ(next("CRON_TZ=Europe/Berlin 0 0 * * *", ""),
            "schedule \"CRON_TZ=Europe/Berlin 0 0 * * *\" begins with a time zone; set .time_zone instead");
}

TEST(Schedule, ReportsInvalidFields) {
  EXPECT_EQ(next("* * * *", ""),
            "schedule \"* * * *\" has 4 fields instead of 5: minute, hour, day of month, month, day of week");
  EXPECT_EQ(next("60 * * * *", ""), "minute \"60\" of a schedule is not a value from 0 to 59");
  EXPECT_EQ(next("* * * * fry", ""), "day of week \"fry\" of a schedule is not a value from 0 to 7");
  EXPECT_EQ(next("*/0 * * * *", ""), "minute \"*/0\" of a schedule has a step that is not a positive number");
  EXPECT_EQ(next("9-5 * * * *", ""), "minute \"9-5\" of a schedule ends before it begins");
  EXPECT_EQ(next("* * * * 1,", ""), "day of week \"\" of a schedule is not a value from 0 to 7");
  EXPECT_EQ(next("0 0 30 2 *", ""), "schedule \"0 0 30 2 *\" has no point in time: none of its months has such a day");
}

}  // namespace
}  // namespace pintle
