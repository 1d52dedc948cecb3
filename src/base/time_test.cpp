// SPDX-License-Identifier: Apache-2.0
#include <pintle/base/time.hpp>

#include <gtest/gtest.h>

#include <pintle/base/result.hpp>

namespace pintle {
namespace {

using namespace std::chrono_literals;

TEST(Time, PrintsAsKubernetesDoes) {
  const WallTime time = WallTime(std::chrono::sys_days(std::chrono::year(2026) / 2 / 3)) + 4h + 5min + 6s + 789'012us;
  EXPECT_EQ(format_time(time), "2026-02-03T04:05:06Z");
  EXPECT_EQ(format_micro_time(time), "2026-02-03T04:05:06.789012Z");
}

TEST(Time, ReadsEveryFormOfRfc3339) {
  const WallTime expected = WallTime(std::chrono::sys_days(std::chrono::year(2026) / 2 / 3)) + 4h + 5min + 6s;
  EXPECT_EQ(parse_time("2026-02-03T04:05:06Z").value(), expected);
  EXPECT_EQ(parse_time("2026-02-03T06:05:06+02:00").value(), expected);
  EXPECT_EQ(parse_time("2026-02-02T22:35:06-05:30").value(), expected);
  EXPECT_EQ(parse_time("2026-02-03T04:05:06.5Z").value(), expected + 500ms);
  EXPECT_EQ(parse_time("2026-02-03T04:05:06.000000007Z").value(), expected + 7ns);
}

TEST(Time, RefusesInvalidTimesAndQuotesThem) {
  for (const char* text :
       {"", "now", "2026-02-03", "2026-13-03T04:05:06Z", "2026-02-30T04:05:06Z", "2026-02-03T24:05:06Z",
        "2026-02-03T04:05:06", "2026-02-03T04:05:06Zz", "2026-02-03T04:05:06.Z", "-026-02-03T04:05:06Z"}) {
    const auto time = parse_time(text);
    ASSERT_FALSE(time) << text;
    EXPECT_NE(time.error().message.find("\"" + std::string(text) + "\""), std::string::npos);
  }
}

TEST(Time, RefusesYearsOutsideItsRangeAndNamesTheRange) {
  EXPECT_TRUE(parse_time("1700-01-01T00:00:00Z"));
  EXPECT_TRUE(parse_time("2250-12-31T23:59:59Z"));
  EXPECT_FALSE(parse_time("1699-12-31T23:59:59Z"));
  EXPECT_EQ(parse_time("9999-12-31T23:59:59Z").error().message,
            "\"9999-12-31T23:59:59Z\" is not an RFC 3339 time of the years 1700 to 2250, such as 2026-01-02T03:04:05Z");
}

TEST(Time, AfterDoesNotOverflow) {
  const Instant now(1h);
  EXPECT_EQ(after(now, 5s), now + 5s);
  EXPECT_EQ(after(now, -5s), now);
  EXPECT_EQ(after(now, Duration::max()), Instant::max());
}

TEST(Time, PrintsReadableDurations) {
  EXPECT_EQ(format_duration(350ms), "350ms");
  EXPECT_EQ(format_duration(90s), "1m30s");
  EXPECT_EQ(format_duration(2h), "2h");
  EXPECT_EQ(format_duration(1500us), "1.5ms");
  EXPECT_EQ(format_duration(-3s), "-3s");
  EXPECT_EQ(format_duration(0ns), "0s");
}

TEST(Time, ParsesReadableDurations) {
  EXPECT_EQ(parse_duration("15s").value(), 15s);
  EXPECT_EQ(parse_duration("1m30s").value(), 90s);
  EXPECT_EQ(parse_duration("1.5h").value(), 90min);
  EXPECT_EQ(parse_duration("0s").value(), 0s);
  for (const Duration duration : std::initializer_list<Duration>{350ms, 90s, 2h, 1500us, 7ns}) {
    EXPECT_EQ(parse_duration(format_duration(duration)).value(), duration);
  }
}

TEST(Time, RefusesInvalidDurationsAndQuotesThem) {
  for (const char* text : {"", "2", "s", "-2s", "2 s", "2s ", "2d", "1e3s", "nans", "99999999999h", "876000h876000h"}) {
    const auto duration = parse_duration(text);
    ASSERT_FALSE(duration) << text;
    EXPECT_NE(duration.error().message.find("\"" + std::string(text) + "\""), std::string::npos);
  }
}

}  // namespace
}  // namespace pintle
