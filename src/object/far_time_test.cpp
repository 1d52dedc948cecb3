// SPDX-License-Identifier: Apache-2.0
#include "far_time.hpp"

#include <gtest/gtest.h>

namespace pintle {
namespace {

std::string again(std::string_view text, bool micro = false) {
  const auto time = FarTime::parse(text);
  return time ? time->print(micro) : std::string(to_string(time.error().code));
}

TEST(FarTime, PrintsEveryYearAsItWasParsed) {
  for (const char* text :
       {"0001-01-01T00:00:02Z", "0400-02-29T23:59:59Z", "1799-12-31T23:59:59Z", "1800-01-01T00:00:00Z",
        "1969-12-31T23:59:59Z", "2026-11-26T12:00:00Z", "9999-12-31T23:59:59Z"}) {
    EXPECT_EQ(again(text), text);
  }
  EXPECT_EQ(again("0001-01-02T00:00:00.25+01:00", true), "0001-01-01T23:00:00.250000Z");
  EXPECT_EQ(FarTime::parse("0001-01-01T00:00:02Z")->seconds, -62'135'596'798);
  EXPECT_TRUE(FarTime::parse("0001-01-01T00:00:00Z")->is_zero());
  EXPECT_FALSE(FarTime::parse("1970-01-01T00:00:00Z")->is_zero());
}

TEST(FarTime, RejectsTextsThatAreNoTime) {
  for (const char* text :
       {"", "soon", "0001", "0001-13-01T00:00:00Z", "0000-01-01T00:00:00Z", "12345-01-01T00:00:00Z"}) {
    EXPECT_EQ(again(text), "invalid") << text;
  }
}

}  // namespace
}  // namespace pintle
