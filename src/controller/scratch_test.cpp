// SPDX-License-Identifier: Apache-2.0
#include <pintle/controller/scratch.hpp>

#include <gtest/gtest.h>

namespace pintle {
namespace {

TEST(Scratch, KeepsValuesByName) {
  Scratch scratch;
  EXPECT_TRUE(scratch.empty());
  scratch.set("count", 1);
  scratch.set("count", 2);
  scratch.set("who", std::string("world"));
  EXPECT_FALSE(scratch.empty());
  EXPECT_EQ(scratch.get<int>("count").value_or(0), 2);
  EXPECT_EQ(scratch.get<std::string>("who").value_or(""), "world");
}

// The error contains the missing key and has the code `not_found` (T1-42 K).
TEST(Scratch, NamesTheKeyThatIsMissing) {
  const auto missing = Scratch().get<int>("x");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message, "key x not found");
  EXPECT_EQ(missing.error().code, ErrorCode::not_found);
}

TEST(Scratch, RefusesAValueOfAnotherType) {
  Scratch scratch;
  scratch.set("x", 1);
  const auto wrong = scratch.get<std::string>("x");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().message, "key x has a value of another type; request the type that was stored");
}

}  // namespace
}  // namespace pintle
