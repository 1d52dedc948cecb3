// SPDX-License-Identifier: Apache-2.0
#include "chosen_trial.hpp"

#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace pintle::testkit {
namespace {

TEST(ChosenTrial, IsReadAsItIsWritten) {
  const std::vector<std::pair<ChosenTrial, std::string>> rows{
      {{.seed = 17}, "shelf:17"},
      {{.seed = 17, .kept = {{1, 4}}}, "shelf:17:1,4"},
      {{.seed = 17, .kept = std::vector<std::size_t>()}, "shelf:17:"},
      {{.schedule = Deviations()}, "shelf:@"},
      {{.schedule = {{{12, 1}, {40, 2}}}}, "shelf:@12=1@40=2"},
      {{.schedule = {{{0, 3}}}, .kept = {{2}}}, "shelf:@0=3:2"},
  };
  for (const auto& [trial, text] : rows) {
    EXPECT_EQ(text_of("shelf", trial), text);
    const auto read = read_trial("shelf", text);
    ASSERT_TRUE(read) << text;
    EXPECT_EQ(read->seed, trial.seed) << text;
    EXPECT_EQ(read->schedule, trial.schedule) << text;
    EXPECT_EQ(read->kept, trial.kept) << text;
  }
  EXPECT_FALSE(read_trial("shelf", "shelves:17"));
  EXPECT_FALSE(read_trial("shelf", ""));
}

TEST(ChosenTrial, AnyOtherTextIsNone) {
  for (const char* text : {"shelf:", "shelf:x", "shelf:17x", "shelf:-1", "shelf:17,1", "shelf:17:x", "shelf:17:1,",
                           "shelf:17:1;4", "shelf:@x", "shelf:@12", "shelf:@12=", "shelf:@12=1@", "shelf:@12=1:2x"}) {
    EXPECT_TRUE(is_of_simulation("shelf", text)) << text;
    EXPECT_FALSE(read_trial("shelf", text)) << text;
  }
  EXPECT_FALSE(is_of_simulation("shelf", "shelves:17"));
}

TEST(ChosenTrial, DeviationsAreTheChoicesThatDifferFromTheDefault) {
  const std::vector<std::uint32_t> choices{0, 2, 0, 0, 1};
  EXPECT_EQ(deviations_of(choices), (Deviations{{1, 2}, {4, 1}}));
  EXPECT_EQ(choices_of(deviations_of(choices)), choices);
  EXPECT_TRUE(choices_of({}).empty());
}

TEST(ChosenTrial, IsRepeatedByACommandForAShell) {
  using namespace std::string_view_literals;
  EXPECT_EQ(replay_command("shelf:17:1,4", "./tests\0--gtest_filter=A.*\0two words\0\0"sv),
            "PINTLE_SIMULATE='shelf:17:1,4' ./tests '--gtest_filter=A.*' 'two words' ''");
  EXPECT_EQ(replay_command("it's:1", "op"), "PINTLE_SIMULATE='it'\\''s:1' op");
}

}  // namespace
}  // namespace pintle::testkit
