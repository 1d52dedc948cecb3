// SPDX-License-Identifier: Apache-2.0
#include "time_zone.hpp"

#include <stdexcept>

#include <gtest/gtest.h>

namespace pintle {
namespace {

// The image of an operator often lacks the package.
TEST(TimeZone, WithoutDataEachZoneExceptUtcIsAnError) {
  const auto missing = []() -> const date::tzdb& { throw std::runtime_error("no directory"); };

  const auto berlin = TimeZone::find("Europe/Berlin", missing);
  const auto utc = TimeZone::find("UTC", missing);

  ASSERT_FALSE(berlin);
  EXPECT_EQ(berlin.error().code, ErrorCode::invalid);
  EXPECT_EQ(berlin.error().message,
            "time zone \"Europe/Berlin\" is not available, because this machine has no time zone data; install the "
            "package tzdata, or mount /usr/share/zoneinfo");
  ASSERT_TRUE(utc);
  EXPECT_EQ(*utc, nullptr);
}

}  // namespace
}  // namespace pintle
