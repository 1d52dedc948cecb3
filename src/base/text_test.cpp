#include <pintle/base/text.hpp>

#include <gtest/gtest.h>

namespace pintle {
namespace {

TEST(Text, ToLowerAsciiChangesOnlyAsciiLetters) {
  EXPECT_EQ(to_lower_ascii("ReplicaSet-09_[@`{"), "replicaset-09_[@`{");
  EXPECT_EQ(to_lower_ascii("\xC3\x84Z"), "\xC3\x84z");
  EXPECT_EQ(to_lower_ascii(""), "");
}

TEST(Text, QuoteDoesNotEscapeTheText) {
  EXPECT_EQ(quote("a\"b"), "\"a\"b\"");
  EXPECT_EQ(quote(""), "\"\"");
}

}  // namespace
}  // namespace pintle
