// SPDX-License-Identifier: Apache-2.0
#include <pintle/base/random_text.hpp>

#include <cmath>
#include <map>
#include <set>

#include <gtest/gtest.h>

namespace pintle {
namespace {

TEST(RandomText, HasTheLengthAndTheAlphabet) {
  const auto executor = make_real_executor();
  EXPECT_EQ(random_text(*executor).size(), 32U);
  EXPECT_EQ(random_text(*executor, 5, "ab").find_first_not_of("ab"), std::string::npos);
  EXPECT_EQ(random_text(*executor, 0), "");
  EXPECT_EQ(random_text(*executor, 5, ""), "");
  EXPECT_EQ(random_text(*executor, 3, "x"), "xxx");
}

TEST(RandomText, NeverRepeats) {
  const auto executor = make_real_executor();
  std::set<std::string> texts;
  for (int i = 0; i < 10'000; ++i) texts.insert(random_text(*executor, 16));
  EXPECT_EQ(texts.size(), 10'000U);
}

// 256 is no multiple of 62, so the remainder alone would prefer the first characters by a quarter.
TEST(RandomText, PrefersNoCharacter) {
  const auto executor = make_real_executor();
  constexpr std::size_t size = 620'000;
  std::map<char, double> counts;
  for (const char c : random_text(*executor, size)) ++counts[c];
  ASSERT_EQ(counts.size(), letters_and_digits.size());
  constexpr double expected = static_cast<double>(size) / static_cast<double>(letters_and_digits.size());
  for (const auto& [c, count] : counts) EXPECT_NEAR(count, expected, 6 * std::sqrt(expected)) << c;
}

// Two executors with the same seed have the same random(); secrets must differ nevertheless.
TEST(RandomText, DoesNotDependOnTheSeedOfTheExecutor) {
  const auto first = make_real_executor(7);
  const auto second = make_real_executor(7);
  EXPECT_NE(random_text(*first), random_text(*second));
}

}  // namespace
}  // namespace pintle
