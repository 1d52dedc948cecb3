// SPDX-License-Identifier: Apache-2.0
#include <pintle/base/text.hpp>

#include <gtest/gtest.h>

namespace pintle {
namespace {

TEST(Text, ToLowerAsciiChangesOnlyAsciiLetters) {
  EXPECT_EQ(to_lower_ascii("ReplicaSet-09_[@`{"), "replicaset-09_[@`{");
  EXPECT_EQ(to_lower_ascii("\xC3\x84Z"), "\xC3\x84z");
  EXPECT_EQ(to_lower_ascii(""), "");
}

TEST(Text, IsTrimmedAtBothEnds) {
  EXPECT_EQ(trim(" \t\r\na \n b\r\n"), "a \n b");
  EXPECT_EQ(trim("a"), "a");
  EXPECT_EQ(trim(" \n"), "");
  EXPECT_EQ(trim(""), "");
}

TEST(Text, IsVisibleWithoutSpacesControlsAndOtherAlphabets) {
  EXPECT_TRUE(is_visible_ascii("!Az~"));
  EXPECT_TRUE(is_visible_ascii(""));
  for (const char* text : {"a b", "a\n", "\x7f", "\xc3\xa4"}) EXPECT_FALSE(is_visible_ascii(text)) << text;
}

TEST(Text, QuoteDoesNotEscapeTheText) {
  EXPECT_EQ(quote("a\"b"), "\"a\"b\"");
  EXPECT_EQ(quote(""), "\"\"");
}

}  // namespace
}  // namespace pintle
