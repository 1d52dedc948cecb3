#include <pintle/controller/schedule.hpp>

#include <gtest/gtest.h>

namespace pintle {
namespace {

// Returns the first time after `from` as text, or the error.
std::string next(const char* schedule, const char* from) {
  const auto parsed = Schedule::parse(schedule);
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
