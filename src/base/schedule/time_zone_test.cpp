// SPDX-License-Identifier: Apache-2.0
#include "time_zone.hpp"

#include <stdexcept>

#include <date/tz.h>
#include <gtest/gtest.h>

namespace pintle {
namespace {

// The image of an operator often lacks the package.
TEST(TimeZone, WithoutDataEachZoneExceptUtcIsAnError) {
  const date::tzdb none;
  const auto empty = [&]() -> const date::tzdb& { return none; };
  const auto missing = []() -> const date::tzdb& { throw std::runtime_error("no directory"); };

  for (const TimeZone::Data& data : {TimeZone::Data(empty), TimeZone::Data(missing)}) {
    const auto berlin = TimeZone::find("Europe/Berlin", data);
    ASSERT_FALSE(berlin);
    EXPECT_EQ(berlin.error().code, ErrorCode::invalid);
    EXPECT_EQ(berlin.error().message,
              "time zone \"Europe/Berlin\" is not available, because this machine has no time zone data; install the "
              "package tzdata, or mount /usr/share/zoneinfo");
    const auto utc = TimeZone::find("UTC", data);
    ASSERT_TRUE(utc);
    EXPECT_EQ(*utc, nullptr);
  }
}

}  // namespace
}  // namespace pintle
