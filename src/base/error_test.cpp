// SPDX-License-Identifier: Apache-2.0
#include <pintle/base/result.hpp>

#include <gtest/gtest.h>

namespace pintle {
namespace {

Result<int> half(int number) {
  if (number % 2 != 0) return fail(ErrorCode::invalid, std::to_string(number) + " is odd");
  return number / 2;
}

TEST(Result, HoldsAValueOrAnError) {
  EXPECT_EQ(half(4).value(), 2);
  EXPECT_EQ(half(3).error().message, "3 is odd");
  EXPECT_EQ(half(3).error().code, ErrorCode::invalid);
}

TEST(Result, PrintsItsOperationsFromTheOutsideIn) {
  const auto result = half(3).with_operation("halve 3").with_operation("plan the day");
  EXPECT_EQ(result.error().to_string(), "plan the day: halve 3: 3 is odd");
  EXPECT_TRUE(half(4).with_operation("halve 4").has_value());
}

TEST(Error, PrintsStatusAndReason) {
  Error error = make_error(ErrorCode::not_found, "configmaps \"a\" not found");
  error.http_status = 404;
  error.reason = "NotFound";
  EXPECT_EQ(error.to_string(), "configmaps \"a\" not found (404 NotFound)");
  EXPECT_EQ(make_error(ErrorCode::cancelled, "").to_string(), "cancelled");
}

TEST(Error, TerminalMarksACopy) {
  const Error error = make_error(ErrorCode::invalid, "no");
  EXPECT_TRUE(error.terminal().is_terminal);
  EXPECT_FALSE(error.is_terminal);
}

}  // namespace
}  // namespace pintle
