#include <pintle/base/text.hpp>

#include <gtest/gtest.h>

namespace pintle {
namespace {

TEST(Text, OnlyTheLettersOfAsciiAreMadeSmall) {
  EXPECT_EQ(lower("ReplicaSet-09_[@`{"), "replicaset-09_[@`{");
  EXPECT_EQ(lower("\xC3\x84Z"), "\xC3\x84z");
  EXPECT_EQ(lower(""), "");
}

TEST(Text, QuotesAreSetAroundTheTextAsItIs) {
  EXPECT_EQ(in_quotes("a\"b"), "\"a\"b\"");
  EXPECT_EQ(in_quotes(""), "\"\"");
}

}  // namespace
}  // namespace pintle
